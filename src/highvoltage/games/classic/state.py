"""What the board games keep beyond what all games keep."""

from typing import TYPE_CHECKING, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.board import Area  # noqa: TC001  # a field's type
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import Player, State

if TYPE_CHECKING:
    from highvoltage.games.classic.rulebook import Classic

CLOSED = 1_000_000
"""More than anybody can pay."""


class BoardPlayer(Player):
    """A company: money, plants, fuel and the cities it has connected."""

    __slots__ = ("cities", "fuel", "mask", "reach", "supplied")

    def __init__(self, money: int, fuel: Held) -> None:
        super().__init__(money)
        self.fuel = fuel
        self.cities: tuple[int, ...] = ()  # in the order they were connected
        self.mask = 0  # the same as bits
        self.reach: list[int] | None = None  # path to each city, CLOSED to own; never changed
        self.supplied = 0  # cities supplied in the latest bureaucracy

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.fuel = self.fuel
        new.cities = self.cities
        new.mask = self.mask
        new.reach = self.reach
        new.supplied = self.supplied
        return new


class BoardState(State):
    """The map and the fuel market."""

    __slots__ = (
        "area",
        "houses",
        "most_cities",
        "phased_out",
        "regions",
        "slots",
        "step3_pending",
        "stock",
        "supply",
    )

    players: list[BoardPlayer]

    rules: "Classic"

    def __init__(
        self,
        rules: Rulebook,
        chance: Chance,
        players: list[BoardPlayer],
        order: tuple[int, ...],
        market: CardMarket,
        stock: list[int],
        supply: list[int],
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        self.regions: tuple[str, ...] = ()  # in play
        self.area: Area  # the cities in play; none before the regions are chosen
        self.houses: list[tuple[int, ...]] = []  # seats by city of the area, in slot order
        self.slots: list[int] = []  # price of the next house by city; CLOSED if none may be built
        self.most_cities = 0  # L in the rules
        self.stock = stock  # fuel on the market
        self.supply = supply  # fuel neither on the market nor on a plant
        self.step3_pending = False
        self.phased_out = False  # the map's fuel that is not refilled any more

    def copy(self) -> Self:
        new = super().copy()
        new.regions = self.regions
        new.area = self.area
        new.houses = self.houses[:]
        new.slots = self.slots[:]
        new.most_cities = self.most_cities
        new.stock = self.stock[:]
        new.supply = self.supply[:]
        new.step3_pending = self.step3_pending
        new.phased_out = self.phased_out
        return new
