"""What the engineer works out from the view of a board game."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from highvoltage.bots.clerk.auction import Offer, minimum
from highvoltage.bots.clerk.desk import CITY, Desk
from highvoltage.bots.clerk.plants import Plant, PlantSet
from highvoltage.bots.engineer.outlook import Habits, Outlook

POCKET = 10  # small change, to see what money is worth


class Plan(Desk):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(
        self,
        view: dict[str, Any],
        sets: Callable[[list[Plant]], list[PlantSet]],
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

    @cached_property
    def interest(self) -> float:
        """What an Elektro is worth that is not spent now, at the end."""
        less = self.outlook.forecast(self.money - POCKET, self.cities, self.me["plants"])
        return max(1.0, (self.as_it_is - less) / POCKET)

    def kept(self, plants: list[Plant]) -> list[Plant]:
        """As many plants as may be kept: the weakest goes."""
        if len(plants) <= self.view["plant_limit"]:
            return plants
        weakest = min(plants, key=lambda each: (each["powers"], -self.outlook.upkeep(each)))
        return [plant for plant in plants if plant is not weakest]

    def offer(self, plant: Plant) -> Offer:
        plants = self.kept([*self.me["plants"], plant])
        price = minimum(plant, self.view)
        gain = self.outlook.forecast(self.money - price, self.cities, plants) - self.as_it_is
        worth = max(0, round(self.habits.thrift * (price + gain / self.interest)))
        upkeep = round(self.outlook.upkeep(plant))
        more = sum(each["powers"] for each in plants) - self.powers
        return Offer(
            plant["card"],
            price,
            worth,
            self.money - upkeep - self.city_for(more),
            "plant",
            {"more": more, "upkeep": upkeep, "rounds": self.outlook.rounds},
        )

    # The end

    def comes_to(self, player: dict[str, Any]) -> tuple[int, int]:
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
