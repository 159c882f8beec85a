"""What the clerk works out from the view of a board game before choosing."""

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from highvoltage.bots.clerk.plants import Plant, PlantSet, most, upkeep

PAYBACK = 3  # rounds in which a plant should pay for itself
LAST_CITIES = 8  # what supplying one more city at the end is worth
PACE = 2  # cities that the leader connects in a round
CITY = 20  # what a city costs, roughly


class Worth(NamedTuple):
    """What a plant brings in until it has paid for itself, and how that comes about."""

    worth: int
    more: int  # cities it can supply beyond those supplied without it
    upkeep: int  # fuel for one run, less that of the plant it replaces
    rounds: int


class Desk:
    """The figures of one seat; each is worked out when it is first asked for."""

    def __init__(self, view: dict[str, Any], sets: Callable[[list[Plant]], list[PlantSet]]) -> None:
        self.view = view
        self.sets = sets  # every choice of some plants, the strongest first
        self.me = view["players"][view["seat"]]
        self.money: int = self.me["money"]
        self.cities = len(self.me["cities"])
        self.end: int = view["end_cities"]
        self.prices = {fuel: shelf["prices"] for fuel, shelf in view["fuel"].items()}
        self._pays: list[int] = view["payment"]

    def pay(self, cities: int) -> int:
        return self._pays[min(cities, len(self._pays) - 1)]

    @cached_property
    def most_cities(self) -> int:
        return max(len(player["cities"]) for player in self.view["players"])

    # Cities

    @cached_property
    def costs(self) -> list[int]:
        """What the nearest city costs, the two nearest together at most, and so on."""
        return list(accumulate(sorted(self.view["connect"].values())))

    def reachable(self, money: int) -> int:
        """How many cities the money connects for certain."""
        return bisect_right(self.costs, money)

    # Plants

    @cached_property
    def powers(self) -> int:
        return sum(plant["powers"] for plant in self.me["plants"])

    def supply(self, player: dict[str, Any]) -> int:
        """How many cities a player's plants supply with the fuel on them."""
        return most(self.sets(player["plants"]), player["fuel"])

    def worth(self, plant: Plant) -> Worth:
        more, cost = plant["powers"], upkeep(plant, self.prices)
        own = self.me["plants"]
        if len(own) >= self.view["plant_limit"]:
            weakest = min(own, key=lambda each: (each["powers"], each["number"]))
            more -= weakest["powers"]
            cost -= upkeep(weakest, self.prices)
        rounds_left = (self.end - self.most_cities) // PACE
        rounds = max(1, min(PAYBACK, rounds_left))
        growth = 1 + self.pay(self.cities) // (2 * CITY)  # half of the income goes into cities
        worth = 0
        for later in range(1, rounds + 1):
            cities = min(self.end, self.cities + growth * later)
            gain = self.pay(min(cities, self.powers + more)) - self.pay(min(cities, self.powers))
            worth += max(0, gain - cost) if gain > 0 else 0
        last = min(self.end, self.powers + more) - min(self.end, self.powers)
        return Worth(worth + LAST_CITIES * last, more, cost, rounds)

    def spare(self, worth: Worth) -> int:
        """What may be paid for a plant, so that its fuel and a city for it can be paid too."""
        city = self.costs[0] if self.costs and self.cities < self.powers + worth.more else 0
        return self.money - max(0, worth.upkeep) - city

    # The end

    def final_cities(self, player: dict[str, Any]) -> int:
        """How many cities another player may have when this round's building is over."""
        order = self.view["order"]
        cities = len(player["cities"])
        built = order.index(player["seat"]) > order.index(self.me["seat"])
        if built and self.view["phase"] == "building":
            return cities
        money: int | None = player["money"]
        return cities + (self.money if money is None else money) // CITY

    @cached_property
    def others(self) -> list[dict[str, Any]]:
        return [player for player in self.view["players"] if player is not self.me]

    @cached_property
    def closing(self) -> bool:
        """This may be the last round."""
        return self.cities + self.reachable(self.money) >= self.end or any(
            self.final_cities(player) >= self.end for player in self.others
        )

    def wins(self, cities: int, money: int) -> bool:
        """Whether the game is won if it ends with so many cities and so much money."""
        mine = min(cities, self.supply(self.me)), money
        for player in self.others:
            supplied = min(self.final_cities(player), self.supply(player))
            left = money if player["money"] is None else player["money"]
            if (supplied, left) > mine:
                return False
        return True
