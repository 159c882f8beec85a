"""What the clerk works out from the view of a board game before choosing."""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from highvoltage.bots.clerk.auction import Prospect, minimum
from highvoltage.bots.clerk.mines import mine_worth
from highvoltage.bots.clerk.plants import Fleet, FleetCache, Plant, most_supplied, upkeep
from highvoltage.bots.clerk.starts import area_of_view
from highvoltage.bots.clerk.worth import Standing
from highvoltage.engine.moves import Build, Buy, CityMove, Start
from highvoltage.views.board import BoardView, PlayerView, income

CITY_COST = 20  # what a city costs, roughly
FAR = 20  # a distance that justifies a further network, of which a player may start few
STORED_PREFIX = "stored_"  # prefix of the name of a fuel in a storage


class BoardFigures:
    """The figures of one seat, computed on first use."""

    def __init__(self, view: BoardView, fleets: FleetCache) -> None:
        self.view = view
        self.fleets = fleets
        seat = view["seat"]
        assert seat is not None
        self.me: PlayerView = view["players"][seat]
        money = self.me["money"]
        assert money is not None
        self.money = money
        self.fleet: Fleet = fleets.of(self.me["plants"])
        self.cities: int = len(self.me["cities"])
        self.end: int = view["end_cities"]

    @cached_property
    def prices(self) -> dict[str, list[int]]:
        """What each token of each fuel costs, the cheapest first."""
        return {fuel: self._prices(fuel) for fuel in self.me["room"]}

    def _prices(self, fuel: str) -> list[int]:
        """What each token of a fuel costs, including those in a storage."""
        prices = self.view["fuel"][fuel]["prices"]
        stored = self.view["fuel"].get(STORED_PREFIX + fuel)
        return sorted([*prices, *stored["prices"]]) if stored else prices

    def purchase(self, fuel: str, count: int) -> Buy:
        """The next purchase towards so many tokens: from the market first, then from a storage."""
        count = min(count, self.view.get("tokens_a_turn", count))
        on_market = len(self.view["fuel"][fuel]["prices"])
        if count > on_market and STORED_PREFIX + fuel in self.view["fuel"]:
            return Buy(fuel, on_market) if on_market else Buy(STORED_PREFIX + fuel, count)
        return Buy(fuel, count)

    @cached_property
    def standing(self) -> Standing:
        pays = self.view["payment"]
        return Standing(self.cities, self.fleet.powers, self.most_cities, self.end, pays, CITY_COST)

    def pay(self, cities: int) -> int:
        return income(self.view, self.me["seat"], cities)

    @cached_property
    def most_cities(self) -> int:
        return max(len(player["cities"]) for player in self.view["players"])

    # Cities

    @cached_property
    def connect(self) -> dict[str, int]:
        """What each city costs, including the start of a further network if one is worthwhile."""
        connect, city = self.view["connect"], self.far_start
        return connect if city is None else {**connect, city: self.view["start"][city]}

    @cached_property
    def far_start(self) -> str | None:
        """Where to start a further network: if it saves a lot, or at all in the last round."""
        starts = self.view.get("start")
        if not starts:
            return None
        least = 1 if self.most_cities >= self.end else FAR
        saves = {city: self._saving(city, cost) for city, cost in starts.items()}
        far = [city for city in starts if saves[city] >= least]
        return min(far, key=lambda city: (starts[city], -saves[city]), default=None)

    def _saving(self, city: str, cost: int) -> int:
        """What a start saves against connecting; the distance where no connection is allowed."""
        if city in self.view["connect"]:
            return self.view["connect"][city] - cost
        own = self.me["cities"]
        area = area_of_view(self.view, [*own, city])
        if area is None:
            return 0
        return min(area.distance[area.index[each]][area.index[city]] for each in own)

    def build(self, city: str) -> CityMove:
        return Start(city) if city == self.far_start else Build(city)

    @cached_property
    def nearest_city_cost(self) -> int:
        """What the nearest city costs; 0 if none is left."""
        return min(self.connect.values(), default=0)

    @cached_property
    def city_costs(self) -> list[int]:
        """Upper bounds of what the nearest city, the two nearest, and so on cost together."""
        return list(accumulate(sorted(self.connect.values())))

    def reachable(self, money: int) -> int:
        """How many cities the money is certain to connect."""
        return bisect_right(self.city_costs, money)

    # Plants

    def supply(self, player: PlayerView) -> int:
        """How many cities a player's plants supply with the fuel stored on them."""
        return most_supplied(self.fleets.of(player["plants"]).sets, player["fuel"])

    def offers_depend_on(self) -> tuple[object, ...]:
        """All that the worth of the plants on offer depends on."""
        market, mines = self.view["market"], self.view.get("mines")
        return (
            *(self.money, self.cities, self.most_cities, self.end, self.nearest_city_cost),
            *(self.fleet, market.get("discount"), *map(tuple, self.prices.values())),
            mines and (mines["stock"], mines["used"], *self.mine_counts),
            *[plant["card"] for plant in market["current"]],
        )

    def offer(self, plant: Plant) -> Prospect:
        """Values a plant by what it brings in until it has paid for itself."""
        if "mine" in plant:
            return self.mine_offer(plant)
        more, fuel = plant["powers"], upkeep(plant, self.prices)
        cost = fuel
        own = self.me["plants"]
        if len(own) >= self.view["plant_limit"]:
            weakest = min(own, key=lambda each: (each["powers"], each["number"]))
            more -= weakest["powers"]
            cost -= upkeep(weakest, self.prices)
        return Prospect(
            plant["card"],
            minimum(plant, self.view),
            self.standing.worth(more, cost),
            self.money - max(0, cost) - self.extra_city_cost(more),
            "plant" if more > 0 else "replaces",
            {"more": more, "upkeep": fuel, "rounds": self.standing.rounds},
        )

    @property
    def mine_counts(self) -> list[int]:
        return [len(player["mines"]) for player in self.view["players"]]

    def mine_offer(self, plant: Plant) -> Prospect:
        rounds = self.paying_rounds
        return Prospect(
            plant["card"],
            minimum(plant, self.view),
            mine_worth(self.view, plant, rounds),
            self.money - self.extra_city_cost(0),
            "mine",
            {"rounds": rounds},
        )

    @property
    def paying_rounds(self) -> int:
        """Rounds in which a card has to pay for itself."""
        return self.standing.rounds

    def extra_city_cost(self, more: int) -> int:
        """The price of a city for a new plant to supply, if it would have none."""
        return self.nearest_city_cost if self.cities < self.fleet.powers + more else 0

    # The end

    def final_cities(self, player: PlayerView) -> int:
        """How many cities another player may have when this round's building is over."""
        order = self.view["order"]
        cities = len(player["cities"])
        built = order.index(player["seat"]) > order.index(self.me["seat"])
        if built and self.view["phase"] == "building":
            return cities
        money: int | None = player["money"]
        return cities + (self.money if money is None else money) // CITY_COST

    @cached_property
    def others(self) -> list[PlayerView]:
        return [player for player in self.view["players"] if player is not self.me]

    @cached_property
    def may_be_last_round(self) -> bool:
        """Whether this may be the last round."""
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
