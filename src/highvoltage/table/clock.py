"""Thinking time, computed from the times of the decisions.

Nothing ticks here: every function takes its times as arguments, in seconds since any fixed point.
`away` holds the holidays of the seat to move, in their order and without overlaps: they cost no
time.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

Seconds = Annotated[int, Meta(ge=1, le=60 * 86_400)]
Span = tuple[float, float]
"""A time away: from a moment on, until another."""
DAY_SECONDS = 86_400


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """No clock, a number of seconds per move, or a time bank with an increment per move."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Seconds = 60
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


def stops_for_holidays(pace: Pace) -> bool:
    """Whether people may be away for days: not from a game that is played at one sitting."""
    return pace.kind == "none" or pace.seconds >= DAY_SECONDS


class Clock(Struct, frozen=True):
    """The time left to each seat, and since when the seat to move has been thinking."""

    left: tuple[float, ...]
    since: float


def start(pace: Pace, seats: int, at: float) -> Clock:
    return Clock((float(pace.seconds),) * seats, at)


def time_spent(since: float, at: float, away: Sequence[Span] = ()) -> float:
    """The time between two moments that was not spent away.

    >>> time_spent(10, 50, away=[(0, 15), (20, 30), (45, 60)])
    20
    """
    missed = sum(max(0.0, min(at, end) - max(since, start)) for start, end in away)
    return max(0.0, at - since - missed)


def moment_after(since: float, seconds: float, away: Sequence[Span] = ()) -> float:
    """When so much time will have been spent that was not spent away.

    >>> moment_after(10, 20, away=[(0, 15), (20, 30), (45, 60)])
    45
    """
    moment = since + seconds
    for start, end in away:
        begun = max(start, since)
        if begun < min(moment, end):
            moment += end - begun
    return moment


def holiday_at(away: Sequence[Span], now: float) -> Span | None:
    """The holiday of this moment."""
    return next(((start, end) for start, end in away if start <= now < end), None)


def spend(pace: Pace, clock: Clock, seat: int, at: float, away: Sequence[Span] = ()) -> Clock:
    """The clock after a seat has decided: its time stops now, and the next one's starts.

    >>> bank = Pace("bank", seconds=100, increment=5)
    >>> spend(bank, start(bank, 2, at=0), seat=1, at=30)
    Clock(left=(100.0, 75.0), since=30)
    """
    if pace.kind != "bank":
        return replace(clock, since=at)
    left = list(clock.left)
    left[seat] = max(0.0, left[seat] - time_spent(clock.since, at, away)) + pace.increment
    return Clock(tuple(left), at)


def rest(clock: Clock, at: float) -> Clock:
    """The clock after a decision that costs no time, for instance by a bot."""
    return replace(clock, since=at)


def deadline(
    pace: Pace, clock: Clock, to_move: int | None, away: Sequence[Span] = ()
) -> float | None:
    """When the time of the seat to move runs out."""
    if pace.kind == "none" or to_move is None:
        return None
    return moment_after(clock.since, clock.left[to_move], away)


def left(
    clock: Clock, to_move: int | None, now: float, away: Sequence[Span] = ()
) -> tuple[float, ...]:
    """The time left to each seat now."""
    return tuple(
        max(0.0, seconds - time_spent(clock.since, now, away)) if seat == to_move else seconds
        for seat, seconds in enumerate(clock.left)
    )
