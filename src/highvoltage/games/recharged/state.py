"""What the 2018 edition keeps beyond the one of 2004."""

from typing import TYPE_CHECKING, Any, Self

from highvoltage.engine.rulebook import Rulebook
from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged import tables

if TYPE_CHECKING:
    from highvoltage.games.recharged.rulebook import Recharged

CARTEL = -1
"""The seat of the cartel's houses, and of what it does."""
MARK = -2
"""Stands for a house to come, on the 10 slot of a starting city, R-13.4."""


class Cartel:
    """The third party of two players: it owns, but never decides, R-12."""

    __slots__ = ("cards", "fuel", "reserve")

    def __init__(self) -> None:
        self.cards: tuple[int, ...] = ()  # by number
        self.fuel = classic.FUEL_RULES.none
        self.reserve = tables.CARTEL_HOUSES  # houses that are not on the map

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.cards = self.cards
        new.fuel = self.fuel
        new.reserve = self.reserve
        return new


class RechargedState(BoardState):
    """The board, and the cartel if two play."""

    __slots__ = ("cartel",)

    rules: "Recharged"

    def __init__(self, rules: Rulebook, *rest: Any) -> None:
        super().__init__(rules, *rest)
        self.cartel = Cartel() if rules.players == 2 else None

    def copy(self) -> Self:
        new = super().copy()
        new.cartel = self.cartel and self.cartel.copy()
        return new
