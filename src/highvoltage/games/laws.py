"""What the invariants of all games are made of."""

from collections import Counter
from typing import TypeVar

from highvoltage.engine.events import Demolished, Event, Income, Paid, Sold
from highvoltage.engine.state import State

E = TypeVar("E", bound=Event)
Money = type[Sold] | type[Paid] | type[Income] | type[Demolished]


def told(s: State, kind: type[E]) -> list[E]:
    """The latest events of one kind."""
    return [event for event in s.events if isinstance(event, kind)]


def sums(s: State, kind: Money) -> Counter[int]:
    """What the latest events of one kind come to, by seat."""
    found: Counter[int] = Counter()
    for event in s.events:
        if isinstance(event, kind):
            found[event.seat] += event.amount
    return found
