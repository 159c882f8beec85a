"""Building blocks for the invariants of all games."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from highvoltage.engine.events import Demolished, Event, Income, Mined, Paid, Sold
from highvoltage.engine.moves import Move
from highvoltage.engine.state import State

S = TypeVar("S", bound=State)
T = TypeVar("T")
E = TypeVar("E", bound=Event)
Money = type[Sold] | type[Paid] | type[Income] | type[Demolished] | type[Mined]

LawsOf = Mapping[str, tuple[Callable[[T], bool], ...]]
"""Predicates over a position or a change, by the id of the invariant."""


class Change(NamedTuple, Generic[S]):
    """A move and the positions before and after it."""

    before: S
    move: Move
    after: S


class Laws(NamedTuple, Generic[S]):
    """The laws of a rulebook: for every position, for the first one, for every move."""

    states: LawsOf[S]
    starts: LawsOf[S]
    moves: LawsOf[Change[S]]

    def check(self, before: S | None, move: Move | None, after: S) -> None:
        """Raise AssertionError with the id of the first broken law; at set-up `before` is None."""
        check_laws(self.states, after, move)
        if before is None or move is None:
            check_laws(self.starts, after, None)
        else:
            check_laws(self.moves, Change(before, move, after), move)


def check_laws(laws: LawsOf[T], of: T, move: Move | None) -> None:
    for name, each in laws.items():
        for law in each:
            assert law(of), f"{name} {law.__name__}: broken by {move or 'set-up'}"


def events_of(s: State, kind: type[E]) -> list[E]:
    """The latest events of one kind."""
    return [event for event in s.events if isinstance(event, kind)]


def totals_by_seat(s: State, kind: Money) -> Counter[int]:
    """The total amount of the latest events of one kind, by seat."""
    found: Counter[int] = Counter()
    for event in s.events:
        if isinstance(event, kind):
            found[event.seat] += event.amount
    return found
