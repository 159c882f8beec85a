"""How the engineer plays Outpost: plants and beds by what they bring until the end."""

from collections.abc import Sequence
from functools import cached_property
from random import Random

from highvoltage.bots.clerk.auction import Prospect
from highvoltage.bots.clerk.outpost import (
    CITY_COST,
    SPACES,
    OutpostClerk,
    OutpostFigures,
    card_code,
)
from highvoltage.bots.engineer.auction import bid_or_nominate
from highvoltage.bots.engineer.forecast import Assumptions, ForecastCache, Growth
from highvoltage.bots.protocol import Choice, Values
from highvoltage.engine.legal import Moves
from highvoltage.views import OutpostView
from highvoltage.views.outpost import CardView, PlaceView

OUTPOST_ASSUMPTIONS = Assumptions(city=23, last=50)
WAGE_GROWTH = 0.7  # by how much a worker gets dearer every round
BEST_PLANT_CITIES = 6  # cities that the best plants supply
LATER_PLANT_WORKERS = 3  # workers for a plant that is not on offer yet
MARGINAL_MONEY = 10  # a small amount, to estimate what money is worth


class OutpostPlan(OutpostFigures):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(self, view: OutpostView, cache: ForecastCache) -> None:
        super().__init__(view)
        self.assumptions = cache.assumptions
        self.pace: Growth = cache.growth(tuple(view["payment"]), self.end)
        self.rounds: int = min(
            self.pace.rounds_of(player["network"], player["money"]) for player in view["players"]
        )
        self.beds: int = sum(card["places"] for card in self.owned("habitat")) + int(
            self.me["robots"]
        )

    @cached_property
    def coming(self) -> tuple[int, int]:
        """Capacity and number of the best plant that turns up soon."""
        market = self.view["market"]
        cards = [place["card"] for place in market["future"] or market["current"]]
        return max(((card["energy"], card["number"]) for card in cards), default=(5, 32))

    def forecast(self, money: float, plants: Sequence[CardView], beds: int) -> float:
        """Final money and cities powered, for a company with these cards."""
        assumptions, pace = self.assumptions, self.pace
        yields = sorted((int(card["energy"]), int(card["workers"])) for card in plants)
        yields = yields[-SPACES:]
        have = float(self.network)
        price: float = assumptions.city
        wage = sum(self.wages[:4]) / 4 if len(self.wages) >= 4 else 10.0
        strength, number = self.coming
        total = sum(energy for energy, _ in yields)
        for left in range(self.rounds, 0, -1):
            later = self.rounds - left
            if later and later % assumptions.every == 0 and have > total - assumptions.slack - 1:
                gain = strength - (yields[0][0] if len(yields) >= SPACES else 0)
                cost = number + assumptions.premium
                if gain > 0 and money > cost + price:
                    yields = sorted([*yields, (strength, LATER_PLANT_WORKERS)])[-SPACES:]
                    money -= cost
                    total = sum(energy for energy, _ in yields)
            if later and strength < BEST_PLANT_CITIES:
                strength += later % 2
                number += 3
            upkeep = wage * max(0, sum(workers for _, workers in yields) - beds) / max(1, total)
            wanted = min(pace.end, total) - have
            if wanted > 0:
                spare = max(0.0, money - upkeep * min(have, total))
                built = min(wanted, spare / (price + upkeep))
                have += built
                money -= built * price
            supplied = min(have, total)
            money -= upkeep * supplied
            if left > 1:
                money += pace.pay(supplied)
            price += assumptions.dearer
            wage = min(10, wage + WAGE_GROWTH)
        return assumptions.last * min(have, total) + money

    @cached_property
    def baseline(self) -> float:
        return self.forecast(self.money, self.plants, self.beds)

    @cached_property
    def interest(self) -> float:
        """What an Elektro not spent now is worth at the end."""
        less = self.forecast(self.money - MARGINAL_MONEY, self.plants, self.beds)
        return max(1.0, (self.baseline - less) / MARGINAL_MONEY)

    def offer(self, place: PlaceView) -> Prospect:
        card = place["card"]
        if card["kind"] == "technology":
            return super().offer(place)
        price = place["minimum"]
        if card["kind"] == "plant":
            plants, beds = [*self.plants, card], self.beds
            before = self.plants[SPACES - 1 :]  # the plant it would replace
            workers = max(0, card["workers"] - sum(plant["workers"] for plant in before))
            wage = self.wage(self.missing_workers + workers) - self.wage(self.missing_workers)
            more = card["energy"] - sum(plant["energy"] for plant in before)
            values: Values = {"more": more, "upkeep": wage, "rounds": self.rounds}
        else:
            owned = self.owned("habitat")
            lost = owned[-1]["places"] if len(owned) == SPACES else 0
            plants, beds = self.plants, self.beds + card["places"] - lost
            wage = 0
            values = self.habitat_values(card, self.rounds)
        gain = self.forecast(self.money - price, plants, beds) - self.baseline
        worth = max(0, round(price + gain / self.interest))
        spare = self.money - wage - CITY_COST
        return Prospect(card["card"], price, worth, spare, card_code(card, values), values)


class OutpostEngineer(OutpostClerk):
    """Chooses from the view of a game of Outpost."""

    def __init__(self, rng: Random, assumptions: Assumptions = OUTPOST_ASSUMPTIONS) -> None:
        super().__init__(rng)
        self._cache: ForecastCache = ForecastCache(assumptions)

    def choose(self, view: OutpostView, legal: Moves) -> Choice:
        if view["phase"] != "auction":
            return super().choose(view, legal)
        plan = OutpostPlan(view, self._cache)
        offers = list(map(plan.offer, view["market"]["current"]))
        return bid_or_nominate(view["auction"]["card"], offers, legal)

    def expected_score(self, view: OutpostView) -> float:
        """The cities that the viewer will power at the end, plus money as fractions of a city."""
        return OutpostPlan(view, self._cache).baseline / self._cache.assumptions.last
