"""The state of the 2018 edition, beyond that of 2004."""

from typing import TYPE_CHECKING, Self

from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.position import BoardPosition
from highvoltage.games.classic.sites import Sites
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged import tables

if TYPE_CHECKING:
    from highvoltage.engine.parts.fuel import Held

CARTEL = -1
"""The seat number of the cartel, in `houses` and in events."""
MARK = -2
"""Marks the 10 slot of a starting city for a future house, R-13.4."""


class Cartel:
    """The third party in a game for two: it owns things but never decides, R-12."""

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

    cartel: Cartel | None

    def copy(self) -> Self:
        new = super().copy()
        new.cartel = self.cartel and self.cartel.copy()
        return new


class MarkedSites(Sites):
    """The players have marked the cities where networks start, R-13."""

    def starts(self, s: BoardPosition) -> list[int]:
        return [city for city, houses in enumerate(s.houses) if houses[:1] == (MARK,)]

    def start_cost(self, s: BoardPosition, city: int) -> int:
        return self.slots_of(s.area.cities[city])[0].cost
