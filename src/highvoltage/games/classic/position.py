"""The state of the board games, beyond the state of all games.

A shelf is one kind of fuel on one market. The shelves of the first market are numbered like the
kinds; those of a second one follow.
"""

from typing import Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.board import UNREACHABLE, Area
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.engine.parts.market import CardMarket, MarketState
from highvoltage.engine.state import Player, Terms

CLOSED = UNREACHABLE
"""The cost of a city that nobody can build in: more than anybody can pay."""
NO_MARKET = -1  # none has been chosen yet, where there are several


class BoardPlayer(Player):
    """A company: money, plants, fuel and the cities it has connected."""

    __slots__ = ("cities", "fuel", "mask", "mines", "reach", "starts", "supplied")

    def __init__(self, money: int, fuel: Held) -> None:
        super().__init__(money)
        self.fuel: Held = fuel
        self.mines: tuple[int, ...] = ()  # cards that are no plants, A-AUS-5
        self.cities: tuple[int, ...] = ()  # in the order they were connected
        self.mask: int = 0  # the same as bits
        self.reach: list[int] | None = None  # path to each city, CLOSED to own; never changed
        self.starts: tuple[int, ...] = ()  # where the networks began
        self.supplied: int = 0  # cities supplied in the latest bureaucracy

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.fuel = self.fuel
        new.mines = self.mines
        new.cities = self.cities
        new.mask = self.mask
        new.reach = self.reach
        new.starts = self.starts
        new.supplied = self.supplied
        return new


class BoardPosition(MarketState):
    """The state of the board games: the map and the fuel market."""

    __slots__ = (
        "area",
        "blocked",
        "built",
        "buyers",
        "houses",
        "mine_stock",
        "most_cities",
        "phased_out",
        "plants",
        "regions",
        "shifts",
        "slots",
        "step",
        "step2_pending",
        "step3_pending",
        "stock",
        "storage",
        "supply",
        "trade",
    )

    players: list[BoardPlayer]

    def __init__(
        self,
        rules: Terms,
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
        self.blocked: frozenset[str] = frozenset()  # cities where nobody builds, A-MAN-3
        self.houses: list[tuple[int, ...]] = []  # seats by city of the area, in slot order
        self.slots: list[int] = []  # price of the next house by city; CLOSED if none may be built
        self.most_cities: int = 0  # L in the rules
        self.plants: FuelRules  # the plant cards; known with the regions
        self.stock: list[int] = (
            stock  # fuel on the market by kind, of several markets one after the other
        )
        self.supply: list[int] = (
            supply  # fuel neither on the market nor on a plant nor in the storage
        )
        self.storage: tuple[int, ...] = (0,) * len(supply)  # fuel that was burned and is for sale
        self.shifts: tuple[int, ...] = self.storage  # how often the ladder of each kind has shifted
        self.mine_stock: int = 0  # tokens on the market of the mines
        self.buyers: tuple[int, ...] = ()  # who still buys, the next one first, A-IND-6
        self.built: int = 0  # houses that players have built in this round
        self.trade: int = 0  # where the market in use begins in `stock`, or NO_MARKET
        self.step: int = 1
        self.step2_pending: bool = False  # the deck has started it, A-MEA-5
        self.step3_pending: bool = False
        self.phased_out: bool = False  # the map's fuel that is not refilled any more

    def copy(self) -> Self:
        new = super().copy()
        new.regions = self.regions
        new.area = self.area
        new.blocked = self.blocked
        new.houses = self.houses[:]
        new.slots = self.slots[:]
        new.most_cities = self.most_cities
        new.plants = self.plants
        new.stock = self.stock[:]
        new.supply = self.supply[:]
        new.storage = self.storage
        new.shifts = self.shifts
        new.mine_stock = self.mine_stock
        new.buyers = self.buyers
        new.built = self.built
        new.trade = self.trade
        new.step = self.step
        new.step2_pending = self.step2_pending
        new.step3_pending = self.step3_pending
        new.phased_out = self.phased_out
        return new
