"""Plants as codes.

A card is a code of 15 bits that contains what is printed on it, so that no lookup is needed:
number, kind, tokens needed, cities supplied, from the highest bit down. Codes sort by number.
"""

from typing import Any, NamedTuple

import numpy as np

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.plant import Plant
from highvoltage.games.classic import tables as classic

Table = np.ndarray[Any, np.dtype[Any]]

FUELS = len(classic.FUELS)
HYBRID, ECO = FUELS, FUELS + 1  # kinds besides those of a single fuel
MINE = FUELS + 3  # sells uranium and supplies nothing, A-AUS-5
BULKY = FUELS + 2  # burns garbage: one token more than half of what it stores, A-IND-7


def code_of(number: int, kind: int = ECO, need: int = 0, powers: int = 0) -> int:
    """The code of a card.

    >>> number_of(code_of(20, 0, 3, 5)), code_of(20, 0, 3, 5) < code_of(21)
    (20, True)
    """
    if not (number < 128 and need < 4 and powers < 8):
        raise OptionError(f"Plant {number} does not fit into the codes of the batched game.")
    return number << 8 | kind << 5 | need << 3 | powers


def number_of(code: int) -> int:
    return code >> 8


LAST = code_of(LAST_CARD)
NONE = code_of(127)
CARDS = tuple(classic.PLANTS)


def codes_of_plants(plants: dict[int, Plant]) -> Table:
    return np.array([code_of_plant(plants[card]) for card in CARDS], np.int16)


def code_of_plant(plant: Plant) -> int:
    if plant.mined:
        return code_of(plant.number, MINE, 0, plant.mined)
    kind = HYBRID if plant.hybrid else (*plant.fuels, ECO)[0]
    if plant.store == 2 * plant.need:
        return code_of(plant.number, kind, plant.need, plant.powers)
    if (kind, plant.store) != (classic.GARBAGE, 2 * plant.need - 2):
        raise OptionError(
            f"Plant {plant.number} stores {plant.store} tokens and burns {plant.need},"
            " which batched games lack; play it with highvoltage.new."
        )
    return code_of(plant.number, BULKY, plant.need - 1, plant.powers)


class Burning(NamedTuple):
    """How plants burn fuel, where a map changes it."""

    hybrid: tuple[int, int] = classic.HYBRID  # the fuels of hybrids, A-DLX-2
    bulky: bool = False  # some plants are BULKY


PLAIN = Burning()


CODES: Table = codes_of_plants(classic.PLANTS)
