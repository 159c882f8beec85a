"""What the engineer works out from the view of a board game."""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from math import ceil

from highvoltage.bots.clerk.auction import Prospect, minimum
from highvoltage.bots.clerk.figures import CITY_COST, STORED_PREFIX, BoardFigures
from highvoltage.bots.clerk.mines import mine_worth
from highvoltage.bots.clerk.plants import SOLD_OUT_PRICE, Fleet, Plant
from highvoltage.bots.engineer.auction import rivals_of
from highvoltage.bots.engineer.forecast import Forecast, ForecastCache
from highvoltage.views.board import BoardView, PlantView, PlayerView


class BoardPlan(BoardFigures):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(self, view: BoardView, cache: ForecastCache) -> None:
        super().__init__(view, cache.fleets)
        self.cache = cache

    @cached_property
    def forecast(self) -> Forecast:
        """The rest of the game, from the fastest network and everybody's plants."""
        view = self.view
        growth = self.cache.growth(tuple(view["payment"]), self.end)
        rounds = min(
            [growth.rounds_of(len(each["cities"]), each["money"]) for each in view["players"]]
        )
        prices = tuple([(fuel, self._price_of(fuel)) for fuel in self.me["room"]])
        return self.cache.outlook(growth, view["plant_limit"], rounds, self._coming(), prices)

    def _coming(self) -> tuple[int, int]:
        """Capacity and number of the best plant that turns up soon."""
        market = self.view["market"]
        plants = market["future"] or market["current"]
        return max([(plant["powers"], plant["number"]) for plant in plants], default=(6, 36))

    @cached_property
    def baseline(self) -> float:
        return self.forecast.final_worth(self.money, self.cities, self.fleet)

    @property
    def paying_rounds(self) -> int:
        return self.forecast.rounds

    def offer(self, plant: Plant) -> Prospect:
        if "mine" in plant:
            return self.mine_offer(plant)
        forecast = self.forecast
        price = minimum(plant, self.view)
        value, more = forecast.value(plant, price, self.money, self.cities, self.fleet)
        upkeep = round(forecast.upkeep(plant))
        return Prospect(
            plant["card"],
            price,
            value,
            self.money - upkeep - self.extra_city_cost(more),
            "plant" if more > 0 else "replaces",
            {"more": more, "upkeep": upkeep, "rounds": forecast.rounds},
        )

    def offers(self) -> list[Prospect]:
        """The plants on offer; with two bidders, also the plant that the loser may get next.

        That is the lowest of the future market, unless a lower one turns up.
        """
        return list(map(self.offer, self._on_offer))

    @cached_property
    def _on_offer(self) -> list[PlantView]:
        market = self.view["market"]
        bidding = self.view["auction"]["card"] is not None
        soon = market["future"][:1] if bidding and len(self.view["players"]) == 2 else []
        return [*market["current"], *soon]

    def worth_for_sale(self) -> int:
        """What the card up for sale is worth."""
        card = self.view["auction"]["card"]
        plant = next(each for each in self.view["market"]["current"] if each["card"] == card)
        return self._worth_to(plant, self.money, self.cities, self.fleet)

    def _worth_to(self, plant: Plant, money: int, cities: int, fleet: Fleet) -> int:
        """What a card is worth to a company; the rest of the game is the same for everybody."""
        if "mine" in plant:
            return mine_worth(self.view, plant, self.paying_rounds)
        price = minimum(plant, self.view)
        return self.forecast.value(plant, price, money, cities, fleet).worth

    def rivals(self) -> list[int]:
        """What the other bidders for a card would pay for it."""
        players = self.view["players"]
        return [self._fair_price(players[seat]) for seat in rivals_of(self.view)]

    def _fair_price(self, rival: PlayerView) -> int:
        """The price at which the best other card is as good to a rival."""
        card = self.view["auction"]["card"]
        money, cities, fleet = rival["money"], len(rival["cities"]), self.fleets.of(rival["plants"])
        assert money is not None
        fair = other = 0
        for plant in self._on_offer:
            worth = self._worth_to(plant, money, cities, fleet)
            if plant["card"] == card:
                fair = worth
            else:
                other = max(other, worth - minimum(plant, self.view))
        return fair - other

    # Fuel

    @cached_property
    def burned(self) -> dict[str, float]:
        """Tokens of each fuel that all plants burn in a round."""
        view = self.view
        owners = [player["plants"] for player in view["players"]]
        if "cartel" in view:
            owners.append(view["cartel"]["plants"])
        return self.cache.burned(*map(self.fleets.of, owners))

    def _price_of(self, fuel: str) -> float:
        """The expected average price of a token, from what all plants burn and what is refilled."""
        assumptions = self.cache.assumptions
        shelf = self.view["fuel"][fuel]
        burned = self.burned.get(fuel, 0.0)
        ladder = shelf["ladder"]
        stock = shelf["stock"] + assumptions.drift * (shelf["refill"] - burned) - burned / 2
        at = len(ladder) - round(stock)
        if ladder and at < len(ladder):
            return float(ladder[max(0, at)])
        beyond = max(0, at - len(ladder) + 1)
        stored = self.view["fuel"].get(STORED_PREFIX + fuel)
        if beyond and stored and stored["stock"] >= beyond:
            return float(stored["prices"][0])
        highest = ladder[-1] if ladder else SOLD_OUT_PRICE  # a fuel this market does not sell
        return float(highest) + assumptions.sold_out * beyond

    def tokens_to_store(self, fuel: str) -> int:
        """Tokens to store for the next run, if they will be sold out by then."""
        shelf = self.view["fuel"][fuel]
        if self.burned.get(fuel, 0.0) < shelf["stock"] + shelf["refill"]:
            return 0
        burned = self.fleet.burns.get(fuel, 0.0)
        missing = ceil(2 * burned) - self.me["fuel"][fuel]
        prices = self.prices[fuel][: max(0, min(missing, self.me["room"][fuel]))]
        return bisect_right(list(accumulate(prices)), self.spare)

    @cached_property
    def spare(self) -> int:
        """Money that is not needed for the cities to be supplied this round."""
        wanted = min(len(self.city_costs), max(0, self.supply(self.me) - self.cities))
        return self.money - (self.city_costs[wanted - 1] if wanted else 0)

    # The end

    def final_result(self, player: PlayerView) -> tuple[int, int]:
        """Cities that another player supplies and money left, if this is the last round."""
        cities = len(player["cities"])
        supplied = min(self.final_cities(player), self.supply(player))
        money = self.money if player["money"] is None else player["money"]
        return supplied, money - CITY_COST * max(0, supplied - cities)

    def wins(self, cities: int, money: int) -> bool:
        mine = min(cities, self.supply(self.me)), money
        return all(self.final_result(player) < mine for player in self.others)

    @cached_property
    def rival_ends_game(self) -> bool:
        """Whether a player who has not built yet can end the game and win."""
        mine = self.supply(self.me)
        return any(
            self.final_cities(player) >= self.end and self.final_result(player)[0] >= mine
            for player in self.others
        )
