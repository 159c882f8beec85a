"""Thinking time, computed from the times of the decisions.

Nothing ticks here: every function takes its times as arguments, in seconds since any fixed point.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

Seconds = Annotated[int, Meta(ge=1, le=60 * 86_400)]


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """No clock, a number of seconds per move, or a time bank with an increment per move."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Seconds = 60
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


class Clock(Struct, frozen=True):
    """The time left to each seat, and since when the seat to move has been thinking."""

    left: tuple[float, ...]
    since: float


def start(pace: Pace, seats: int, at: float) -> Clock:
    return Clock((float(pace.seconds),) * seats, at)


def spend(pace: Pace, clock: Clock, seat: int, at: float) -> Clock:
    """The clock after a seat has decided: its time stops now, and the next one's starts.

    >>> bank = Pace("bank", seconds=100, increment=5)
    >>> spend(bank, start(bank, 2, at=0), seat=1, at=30)
    Clock(left=(100.0, 75.0), since=30)
    """
    if pace.kind != "bank":
        return replace(clock, since=at)
    left = list(clock.left)
    left[seat] = max(0.0, left[seat] - max(0.0, at - clock.since)) + pace.increment
    return Clock(tuple(left), at)


def rest(clock: Clock, at: float) -> Clock:
    """The clock after a decision that costs no time, for instance by a bot."""
    return replace(clock, since=at)


def deadline(pace: Pace, clock: Clock, to_move: int | None) -> float | None:
    """When the time of the seat to move runs out."""
    if pace.kind == "none" or to_move is None:
        return None
    return clock.since + clock.left[to_move]


def left(clock: Clock, to_move: int | None, now: float) -> tuple[float, ...]:
    """The time left to each seat now."""
    return tuple(
        max(0.0, seconds - max(0.0, now - clock.since)) if seat == to_move else seconds
        for seat, seconds in enumerate(clock.left)
    )
