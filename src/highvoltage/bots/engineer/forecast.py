"""How a company will fare until the end of the game: a small forecast, the same for everybody."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from highvoltage.bots.clerk.plants import Fleet, FleetCache, Plant
from highvoltage.bots.engineer.auction import break_even_price


class Assumptions(NamedTuple):
    """What the engineer takes for granted; tuned in tournaments (docs/bots.md)."""

    city: float = 23  # what a city costs, roughly
    dearer: float = 0.8  # by how much that rises every round
    share: float = 0.55  # of the income that goes into cities
    last: float = 50  # what one more city supplied at the end is worth
    every: int = 2  # a better plant is bought every so many rounds at most
    premium: float = 3  # what a plant costs beyond its number
    drift: int = 1  # rounds over which fuel prices are thought to drift
    sold_out: float = 5  # by how much fuel gets dearer with each token that is not to be had
    slack: float = 1.0  # a new plant is bought when so few cities are left to connect


ASSUMPTIONS = Assumptions()
MAX_ROUNDS = 12  # rounds that a forecast looks ahead
BEST_PLANT_CITIES = 7  # cities that the best plants supply
LATER_FUEL_COST = 8  # what a run of a plant costs that comes up later


class Round(NamedTuple):
    """A round of the forecast."""

    price: float  # of a city
    strength: int  # of the best plant to be had, in cities
    cost: float  # of that plant
    paid: bool  # the last run brings no money


class Growth:
    """How fast networks grow, and when that ends the game."""

    def __init__(self, pays: tuple[int, ...], end: int, habits: Assumptions) -> None:
        self.assumptions = habits
        self.pays = pays
        self.end = end
        self.rounds_of: Callable[[int, int | None], int] = lru_cache(maxsize=1024)(self.find_rounds)

    def pay(self, cities: float) -> float:
        """What supplying cities pays; a fraction of a city its fraction."""
        whole = int(cities)
        pays = self.pays
        if whole >= len(pays) - 1:
            return pays[-1]
        return pays[whole] + (cities - whole) * (pays[whole + 1] - pays[whole])

    def find_rounds(self, network: int, money: int | None) -> int:
        """In how many rounds, this one included, a network could be large enough for the end."""
        habits = self.assumptions
        spare = 0 if money is None else max(0, money - self.pays[2])
        cities = network + spare / (2 * habits.city)
        rounds = 1
        while cities < self.end and rounds < MAX_ROUNDS:
            cities += max(1, habits.share * self.pay(cities) / habits.city)
            rounds += 1
        return rounds


class Value(NamedTuple):
    """What a plant means to a company."""

    worth: int
    more: int  # cities that all plants supply then


class Forecast:
    """The rest of a game: how long it lasts, which plants come up, what fuel will cost.

    It is the same for everybody at the table, so what one has asked it knows for the others.
    """

    def __init__(
        self,
        growth: Growth,
        limit: int,
        rounds: int,
        coming: tuple[int, int],
        prices: tuple[tuple[str, float], ...],
    ) -> None:
        self.assumptions: Assumptions = growth.assumptions
        self.pays: tuple[int, ...] = growth.pays
        self.end: int = growth.end
        self.limit = limit  # of plants
        self.rounds = rounds
        self.prices: dict[str, float] = dict(prices)  # of a token, on average
        self.course: list[Round] = list(self._course(*coming))
        self._upkeep: dict[str, float] = {}
        self._forecasts: dict[tuple[int, int, Fleet], float] = {}
        self._values: dict[tuple[str, int, int, int, Fleet], Value] = {}

    def _course(self, strength: int, number: int) -> Iterator[Round]:
        """The rounds to come, from what the best plant supplies that comes up soon."""
        habits = self.assumptions
        price: float = habits.city
        for later in range(self.rounds):
            yield Round(price, strength, number + habits.premium, later + 1 < self.rounds)
            price += habits.dearer
            if later and strength < BEST_PLANT_CITIES:
                strength += later % 2
                number += 3

    def upkeep(self, plant: Plant) -> float:
        """What a run of the plant costs at the prices to come."""
        card = plant["card"]
        known = self._upkeep.get(card)
        if known is None:
            price = min((self.prices[fuel] for fuel in plant["fuels"]), default=0.0)
            known = self._upkeep[card] = price * int(plant["need"])
        return known

    def value(self, plant: Plant, price: int, money: int, cities: int, fleet: Fleet) -> Value:
        """What a plant at its lowest price means to a company."""
        key = plant["card"], price, money, cities, fleet
        known = self._values.get(key)
        if known is None:
            powers, upkeep = self._running(self._kept([*fleet.plants, plant]))
            value = break_even_price(
                price,
                money,
                self.final_worth(money, cities, fleet),
                lambda left: self._comes_to(left, cities, powers, upkeep),
            )
            known = self._values[key] = Value(value, sum(powers) - fleet.powers)
        return known

    def _kept(self, plants: Sequence[Plant]) -> Sequence[Plant]:
        """As many plants as may be kept: the weakest goes."""
        if len(plants) <= self.limit:
            return plants
        weakest = min(plants, key=lambda each: (each["powers"], -self.upkeep(each)))
        return [plant for plant in plants if plant is not weakest]

    def final_worth(self, money: int, cities: int, fleet: Fleet) -> float:
        """What a company comes to: money at the end, and cities supplied."""
        key = money, cities, fleet
        known = self._forecasts.get(key)
        if known is None:
            running = self._running(fleet.plants)
            known = self._forecasts[key] = self._comes_to(money, cities, *running)
        return known

    def _running(self, plants: Sequence[Plant]) -> tuple[list[int], float]:
        """What each plant supplies, and what a city costs to supply."""
        powers = [plant["powers"] for plant in plants]
        total = sum(powers)
        return powers, sum([self.upkeep(plant) for plant in plants]) / total if total else 0.0

    def _comes_to(self, money: float, cities: int, powers: list[int], upkeep: float) -> float:
        """Written for speed, without calls: the engineer asks for hundreds of these in a round."""
        pays, end = self.pays, self.end
        every, slack = self.assumptions.every, self.assumptions.slack + 1
        most = len(pays) - 1
        total = sum(powers)
        have = float(cities)
        reach = min(total, end)
        waited = 0  # rounds since the last plant
        for price, strength, cost, paid in self.course:
            waited += 1
            if waited > every and have > total - slack and money > cost + price:
                gain = strength - (min(powers) if len(powers) >= self.limit else 0)
                if gain > 0:
                    waited = 1
                    powers = sorted([*powers, strength])[-self.limit :]
                    money -= cost
                    upkeep = (upkeep * total + LATER_FUEL_COST) / (total + strength)
                    total = sum(powers)
                    reach = min(total, end)
            if have < reach and (spare := money - upkeep * have) > 0:
                # Fuel for a city is paid together with its connection.
                built = spare / (price + upkeep)
                if built > reach - have:  # noqa: PLR1730  # a fifth faster than min
                    built = reach - have
                have += built
                money -= built * price
            supplied = have if have < total else total  # noqa: FURB136  # as above
            money -= upkeep * supplied
            if paid:
                whole = int(supplied)
                if whole < most:
                    money += pays[whole] + (supplied - whole) * (pays[whole + 1] - pays[whole])
                else:
                    money += pays[most]
        return self.assumptions.last * min(have, total) + money


def burned(*fleets: Fleet) -> dict[str, float]:
    """Tokens of each fuel that fleets burn in a round."""
    tokens: dict[str, float] = {}
    for fleet in fleets:
        for fuel, count in fleet.burns.items():
            tokens[fuel] = tokens.get(fuel, 0.0) + count
    return tokens


class ForecastCache:
    """What an engineer has worked out in its game and need not work out again."""

    def __init__(self, habits: Assumptions) -> None:
        self.assumptions = habits
        self.fleets = FleetCache()
        self.burned: Callable[..., dict[str, float]] = lru_cache(maxsize=256)(burned)
        self.growth: Callable[[tuple[int, ...], int], Growth] = lru_cache(maxsize=8)(
            partial(Growth, habits=habits)
        )
        self.outlook: Callable[..., Forecast] = lru_cache(maxsize=256)(Forecast)
