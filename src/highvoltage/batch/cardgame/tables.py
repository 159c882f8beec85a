"""The numbers of the Card Game for one setting as arrays, from the game's own tables and cards.

A plant is a code of 16 bits that carries what is printed on it: number (6 bits), which of the twins
of this number it is (2), what it burns (4) and its income (4), from the highest bit down. Codes
sort as a hand does: by number, twins as in the card file.

A fuel card with a mark is one of twelve types, `kind * 3 + units - 1`, in the order of a column.
"""

from typing import Any

import numpy as np

from highvoltage import codec
from highvoltage.batch.codes import Table
from highvoltage.codec.cardgame import layout
from highvoltage.engine.cards import number_of, rank_of
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.fuel import FuelRules  # noqa: TC001  # a field's type
from highvoltage.engine.parts.plant import Plant
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games import rulebook
from highvoltage.games.cardgame import cards, fuel, tables
from highvoltage.games.cardgame.rulebook import CardGame

FUELS = len(tables.FUELS)
HYBRID, ECO = FUELS, FUELS + 1  # kinds beside those of one fuel
UNITS = layout.UNITS
TYPES = FUELS * UNITS
MARKET = tables.OPENING_MARKET
LIMIT = tables.PLANT_LIMIT
COVERED_OPTIONS = {"money", "single_stock", "burn_from", "demolition"}
FAR = 10_000  # more than any card costs


def code_of(number: int, twin: int, plant: Plant) -> int:
    """The code of a plant.

    >>> code = code_of(4, 1, Plant(4, (tables.OIL,), 2, 6))
    >>> code >> 10, code < code_of(4, 2, Plant(4, (), 0, 1)) < code_of(5, 0, Plant(5, (), 0, 1))
    (4, True)
    """
    kind = HYBRID if plant.hybrid else plant.fuels[0] if plant.fuels else ECO
    burns = ECO * UNITS if kind == ECO else kind * UNITS + plant.need - 1
    if not (number < 62 and twin < 4 and plant.need <= UNITS and plant.powers < 16):
        raise OptionError(f"Plant {number} does not fit into the codes of the batched game.")
    return number << 10 | twin << 8 | burns << 4 | plant.powers


LAST, NONE = (number << 10 | ECO * UNITS << 4 for number in (62, 63))  # END, and no card
PLANTS = cards.shipped().plants
CARDS = tuple(sorted(PLANTS, key=rank_of))
CODES: Table = np.array(
    [code_of(number_of(card), card // 100, PLANTS[card]) for card in CARDS], np.uint16
)
SMALL: Table = np.array([cards.shipped().backs[card] == "small" for card in CARDS])
NUMBERS: Table = np.array([number_of(card) for card in CARDS], np.int8)
STORE = 2 * sum(sorted(plant.need for plant in PLANTS.values())[-LIMIT:])  # units, so also cards


def type_of(card: int) -> int:
    """The type of a fuel card with a mark."""
    return fuel.kind(card) * UNITS + fuel.units(card) - 1


def card_of(type_: int) -> int:
    """The fuel card of a type.

    >>> [type_of(card_of(type_)) for type_ in range(TYPES)] == [*range(TYPES)]
    True
    """
    return fuel.fuel_card(type_ // UNITS, type_ % UNITS + 1)


def counted(deck: list[int]) -> Table:
    """[type] how many fuel cards there are of each."""
    return np.bincount([type_of(card) for card in deck], minlength=TYPES).astype(np.int8)


class Tables:
    """What never changes in games of one number of players and choice of options."""

    def __init__(self, name: str, where: MapSpec, players: int, options: dict[str, Any]) -> None:
        rules = rulebook(name, players, where, options)
        assert isinstance(rules, CardGame)
        self.rules: CardGame = rules
        self.id: str = f"highvoltage_{rules.name}"
        self.players = players
        self.check_options()
        self.spec: codec.Spec = codec.make(name, where, players, **options).spec
        self.heads: dict[str, codec.Head] = {head.name: head for head in self.spec.heads}
        self.actions: int = self.spec.num_actions
        self.limit: int = LIMIT
        self.fuel_rules: FuelRules = rules.fuel
        self.bank: bool = players == 2
        self.asks_everybody: bool = bool(rules.asks_everybody)
        self.hidden_money: bool = rules.options["money"] == "hidden"
        self.fullest: bool = rules.options["burn_from"] == "fullest"
        self.printed_singles: bool = rules.options["single_stock"] == "printed"
        self.demolition: Table = np.array(rules.demolition, np.int16)  # [card, first or later]
        self.column_size: int = rules.column_size
        by_mark = rules.cards.fuel
        self.basic: Table = counted([c for m in tables.MARKINGS[players] for c in by_mark[m]])
        self.plus: Table = counted(by_mark["+"])  # they start the discard pile, K-2.7
        self.plus_plus: Table = counted(by_mark["++"])  # they come with the second reshuffle
        self.fuel_cards: int = int((self.basic + self.plus + self.plus_plus).sum())
        kinds = [fuel.kind(card) for card in by_mark["single"]]
        self.singles: Table = np.bincount(kinds, minlength=FUELS).astype(np.int8)
        small_left = int(SMALL.sum()) - tables.SMALL_REMOVED[players]
        large_left = int((~SMALL).sum()) - tables.LARGE_REMOVED[players]
        self.left: Table = np.where(SMALL, small_left, large_left)  # [card] of those with its back

    def check_options(self) -> None:
        """Refuse an option that is not carried out here."""
        for option in self.rules.ruleset.options:
            if option.changed and option.name not in COVERED_OPTIONS:
                raise OptionError(
                    f"Batched games lack the option '{option.name}'; play it with highvoltage.new."
                )
