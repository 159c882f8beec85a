"""Everything random goes through one object that is passed to the game.

Chance is pure: its answer depends only on the name of the event, on how often it has happened
before, and on the items. So copies, undo and replay need no generator state.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from highvoltage.engine.cards import label
from highvoltage.engine.errors import ChanceError

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")


class Chance(Protocol):
    """Decides every shuffle and every random draw in a game."""

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        """All items, in random order."""

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        """One of the choices."""


class Seeded:
    """Chance from a seed: the same seed gives the same game in every process.

    >>> Seeded(7).arrange("order", [0, 1, 2, 3]) == Seeded(7).arrange("order", [0, 1, 2, 3])
    True
    """

    def __init__(self, seed: int | str) -> None:
        if not isinstance(seed, int | str):
            raise TypeError(f"a seed is a whole number or a text, not {seed!r}")
        self.seed: int | str = seed

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        arranged = list(items)
        self._generator(event, nth).shuffle(arranged)
        return arranged

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        return self._generator(event, nth).choice(choices)

    def _generator(self, event: str, nth: int) -> "Random":
        from random import Random  # noqa: PLC0415  # loaded by the first draw

        return Random(f"{self.seed}/{event}/{nth}")  # a text seed is stable


class Scripted:
    """Chance fixed by the caller: reproduces a physical table, or sets up a test.

    Each keyword names an event of the rulebook and gives its result: the items that come first, in
    order. The other items follow in an order drawn from `seed`. For an event that happens several
    times, give a list of lists. `removed` lists cards that were removed face down: they come last
    in every arrangement they belong to. Cards may be written as in moves, `"2b"`.

    A rulebook lists its events in `chance_events`, see docs/real-table.md; a game refuses others.

    >>> chance = Scripted(order=[2, 0, 1], deck=[25, 14], removed=[36])
    >>> chance.arrange("order", [0, 1, 2])
    [2, 0, 1]
    >>> deck = chance.arrange("deck", [11, 14, 25, 30, 36])
    >>> deck[:2], deck[-1]
    ([25, 14], 36)
    """

    def __init__(
        self, *, seed: int | str = 0, removed: Sequence[object] = (), **events: Sequence[object]
    ) -> None:
        self._rest = Seeded(seed)
        self._removed = list(removed)
        self._events = events

    def expect(self, events: Sequence[str], rulebook: str) -> None:
        """Refuse a script that names an event the rulebook does not know."""
        for event in self._events:
            if event not in events:
                raise ChanceError(
                    f"{rulebook} has no chance event '{event}'. Events: {', '.join(events)}."
                )

    def _scripted(self, event: str, nth: int) -> list[object]:
        results = list(self._events.get(event, ()))
        if results and all(isinstance(result, (list, tuple)) for result in results):
            return [*cast("Sequence[object]", results[nth])] if nth < len(results) else []
        return results if nth == 0 else []

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        left = list(items)
        first = []
        for wanted in self._scripted(event, nth):
            found = next((at for at, item in enumerate(left) if _matches(item, wanted)), None)
            if found is None:
                raise ChanceError(
                    f"The script for '{event}' names {wanted}, which is not there to be drawn"
                    f" (or is named twice). Left at that point: {', '.join(map(_card_text, left))}."
                )
            first.append(left.pop(found))
        last = [item for item in left if self._is_removed(item)]
        rest = [item for item in left if not self._is_removed(item)]
        return first + self._rest.arrange(event, rest, nth) + last

    def _is_removed(self, item: object) -> bool:
        return any(_matches(item, card) for card in self._removed)

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        scripted = self._scripted(event, nth)
        if not scripted:
            return self._rest.pick(event, choices, nth)
        for choice in choices:
            if choice == scripted[0] or (
                isinstance(choice, tuple) and sorted(choice) == sorted(scripted, key=str)
            ):
                return choice
        raise ChanceError(
            f"The script for '{event}' names {scripted}, which is none of: {list(choices)}."
        )


def _card_text(item: object) -> str:
    return label(item) if isinstance(item, int) else str(item)


def _matches(item: object, wanted: object) -> bool:
    return item == wanted or (isinstance(item, int) and label(item) == wanted)
