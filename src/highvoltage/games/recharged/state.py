"""What the 2018 edition keeps beyond the one of 2004."""

from typing import TYPE_CHECKING, Any, Self

from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.maprules import MapRules
from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged import tables

if TYPE_CHECKING:
    from highvoltage.engine.parts.fuel import Held

CARTEL = -1
"""The seat of the cartel's houses, and of what it does."""
MARK = -2
"""Stands for a house to come, on the 10 slot of a starting city, R-13.4."""


class Cartel:
    """The third party of two players: it owns, but never decides, R-12."""

    __slots__ = ("cards", "fuel", "reserve")

    def __init__(self) -> None:
        self.cards: tuple[int, ...] = ()  # by number
        self.fuel: Held = classic.FUEL_RULES.none
        self.reserve: int = tables.CARTEL_HOUSES  # houses that are not on the map

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.cards = self.cards
        new.fuel = self.fuel
        new.reserve = self.reserve
        return new


class RechargedState(BoardState):
    """The board, and the cartel if two play."""

    __slots__ = ("cartel",)

    rules: "RechargedTerms"
    cartel: Cartel | None

    def copy(self) -> Self:
        new = super().copy()
        new.cartel = self.cartel and self.cartel.copy()
        return new


class RechargedTerms(BoardRulebook[RechargedState]):
    """What the 2018 edition fixes beyond the one of 2004."""

    start_stock: tuple[int, ...] = tables.START_STOCK

    def __init__(self, board: Map, players: int, options: dict[str, Any], version: int) -> None:
        self.marks: bool = options["standard_starting_cities"]
        super().__init__(board, players, options, version)
        self.plant_limit = tables.PLANT_LIMIT
        row = 3 if players == 2 else players  # A-GEN-7
        self.set_thresholds(row, tables.STEP_2_CITIES, tables.END_CITIES)
        if self.marks:
            self.check_marks()

    def check_marks(self) -> None:
        if self.map_rules.networks and self.map_rules.networks.starts:
            raise OptionError(f"{self.map.name} has starting cities of its own (A-JPN-7).")
        if self.opening_supply(self.opening_stock())[classic.URANIUM] < self.players:
            raise OptionError(f"{self.map.name} leaves too little uranium to mark cities (R-13.1).")

    def rules_of_map(self) -> MapRules:
        return self.map.rules_by(self.name)

    @property
    def refill_row(self) -> int:
        for_two: int = self.options["refill_row_two_players"]
        return for_two if self.players == 2 else self.players

    # Building

    def starts(self, s: RechargedState) -> list[int]:
        if not self.marks:
            return super().starts(s)
        return [city for city, houses in enumerate(s.houses) if houses[:1] == (MARK,)]

    def start_cost(self, s: RechargedState, city: int) -> int:
        if self.marks:
            return self.slots_of(s.area.cities[city])[0].cost
        return s.slots[city]
