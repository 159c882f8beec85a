"""What the engineer works out from the view of a board game."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from math import ceil

from highvoltage.bots.clerk.auction import Prospect, minimum
from highvoltage.bots.clerk.desk import CITY, Desk
from highvoltage.bots.clerk.plants import Plant, PlantSet
from highvoltage.bots.engineer.auction import worth
from highvoltage.bots.engineer.outlook import Habits, Outlook, burns
from highvoltage.views.board import BoardView, PlayerView


class Plan(Desk):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(
        self,
        view: BoardView,
        sets: Callable[[Sequence[Plant]], list[PlantSet]],
        habits: Habits,
    ) -> None:
        super().__init__(view, sets)
        self.habits = habits

    @cached_property
    def outlook(self) -> Outlook:
        return Outlook(self.view, self.habits)

    @cached_property
    def as_it_is(self) -> float:
        return self.outlook.forecast(self.money, self.cities, self.me["plants"])

    def kept(self, plants: list[Plant]) -> list[Plant]:
        """As many plants as may be kept: the weakest goes."""
        if len(plants) <= self.view["plant_limit"]:
            return plants
        weakest = min(plants, key=lambda each: (each["powers"], -self.outlook.upkeep(each)))
        return [plant for plant in plants if plant is not weakest]

    def offer(self, plant: Plant) -> Prospect:
        plants = self.kept([*self.me["plants"], plant])
        price = minimum(plant, self.view)
        value = worth(
            price,
            self.money,
            self.as_it_is,
            lambda left: self.outlook.forecast(left, self.cities, plants),
        )
        upkeep = round(self.outlook.upkeep(plant))
        more = sum(each["powers"] for each in plants) - self.powers
        return Prospect(
            plant["card"],
            price,
            value,
            self.money - upkeep - self.city_for(more),
            "plant" if more > 0 else "replaces",
            {"more": more, "upkeep": upkeep, "rounds": self.outlook.rounds},
        )

    def offers(self) -> list[Prospect]:
        return list(map(self.offer, self.view["market"]["current"]))

    # Fuel

    def lay_in(self, fuel: str) -> int:
        """Tokens to store for the next run, if they will be sold out by then."""
        shelf = self.view["fuel"][fuel]
        burned = self.outlook.burned[fuel]
        if burned < shelf["stock"] + shelf["refill"]:
            return 0
        missing = ceil(2 * burns(self.me, fuel)) - self.me["fuel"][fuel]
        prices = self.prices[fuel][: max(0, min(missing, self.me["room"][fuel]))]
        return bisect_right(list(accumulate(prices)), self.spare)

    @cached_property
    def spare(self) -> int:
        """Money that no city to be supplied this round needs."""
        wanted = min(len(self.costs), max(0, self.supply(self.me) - self.cities))
        return self.money - (self.costs[wanted - 1] if wanted else 0)

    # The end

    def comes_to(self, player: PlayerView) -> tuple[int, int]:
        """Cities that another player supplies and money left, if this round is the last."""
        cities = len(player["cities"])
        supplied = min(self.final_cities(player), self.supply(player))
        money = self.money if player["money"] is None else player["money"]
        return supplied, money - CITY * max(0, supplied - cities)

    def wins(self, cities: int, money: int) -> bool:
        mine = min(cities, self.supply(self.me)), money
        return all(self.comes_to(player) < mine for player in self.others)

    @cached_property
    def ends_anyway(self) -> bool:
        """Somebody who has not built yet can end the game, and would win."""
        mine = self.supply(self.me)
        return any(
            self.final_cities(player) >= self.end and self.comes_to(player)[0] >= mine
            for player in self.others
        )
