"""Fuel cards: small ints on the market; in a store, with the units left on them.

A card is its kind times 4 plus its printed units, so that cards sort as in a column (K-2.6); 0
units mark a single, which holds one unit.

>>> name(3), name(4), units(4), kind(4) == tables.GAS
('coal3', 'gas', 1, True)
"""

from collections.abc import Iterable
from typing import NamedTuple

from highvoltage.engine.parts.fuel import Held
from highvoltage.games.cardgame import tables


def fuel_card(fuel: int, face: int) -> int:
    return fuel * 4 + face


def single(fuel: int) -> int:
    return fuel * 4


def is_single(card: int) -> bool:
    return card % 4 == 0


def kind(card: int) -> int:
    return card // 4


def units(card: int) -> int:
    """The printed units of a card."""
    return card % 4 or 1


NAMES = tuple(fuel + face for fuel in tables.FUELS for face in ("", "1", "2", "3"))
CARDS = {name: card for card, name in enumerate(NAMES)}


def name(card: int) -> str:
    return NAMES[card]


class Stored(NamedTuple):
    """A card in a store, turned to the units that are left."""

    card: int
    left: int


Store = tuple[Stored, ...]
"""The cards of one owner, older purchases first."""


def held(store: Iterable[Stored]) -> Held:
    """The units of each kind in a store."""
    counts = [0] * len(tables.FUELS)
    for card, left in store:
        counts[card // 4] += left
    return tuple(counts)


def spend(store: Store, spent: Held, *, fullest: bool = False) -> tuple[Store, list[int]]:
    """Take units off cards; return the store and the cards used up, KR-20.

    >>> spend((Stored(3, 3), Stored(0, 1), Stored(3, 1)), (3, 0, 0, 0))
    ((Stored(card=3, left=2),), [0, 3])
    >>> spend((Stored(3, 3), Stored(0, 1), Stored(3, 1)), (3, 0, 0, 0), fullest=True)
    ((Stored(card=0, left=1), Stored(card=3, left=1)), [3])
    """
    left = list(store)
    gone = []
    for fuel, count in enumerate(spent):
        if count:
            own = [stored for stored in left if stored.card // 4 == fuel]
            if len(own) > 1:
                turn = -1 if fullest else 1
                own.sort(key=lambda stored: (turn * stored.left, not is_single(stored.card)))
            for stored in own:
                at = left.index(stored)
                if stored.left > count:
                    left[at] = Stored(stored.card, stored.left - count)
                    break
                del left[at]
                gone.append(stored.card)
                count -= stored.left  # noqa: PLW2901  # what is still to be spent
                if not count:
                    break
    return tuple(left), gone
