"""How a company fares until the end of the game: a small forecast, the same for everybody."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from highvoltage.bots.clerk.plants import Fleet, FleetCache, Plant
from highvoltage.bots.engineer.auction import break_even_price


class Assumptions(NamedTuple):
    """What the engineer assumes; tuned in tournaments (docs/bots.md)."""

    city: float = 23  # what a city costs, roughly
    dearer: float = 0.8  # by how much that rises every round
    share: float = 0.55  # of the income that goes into cities
    last: float = 50  # what one more city supplied at the end is worth
    every: int = 2  # a better plant is bought every so many rounds at most
    premium: float = 3  # what a plant costs beyond its number
    drift: int = 1  # rounds for which fuel prices are extrapolated
    sold_out: float = 5  # by how much fuel gets dearer with each missing token
    slack: float = 1.0  # a new plant is bought when at most so many cities are left to connect


ASSUMPTIONS = Assumptions()
MAX_ROUNDS = 12  # horizon of a forecast
BEST_PLANT_CITIES = 7  # cities that the best plants supply
LATER_FUEL_COST = 8  # fuel for a run of a plant that is not on offer yet


class Round(NamedTuple):
    """A round of the forecast."""

    price: float  # of a city
    strength: int  # of the best plant available, in cities
    cost: float  # of that plant
    paid: bool  # the last run earns no money


class Growth:
    """How fast networks grow, and when that ends the game."""

    def __init__(self, pays: tuple[int, ...], end: int, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.pays = pays
        self.end = end
        self.rounds_of: Callable[[int, int | None], int] = lru_cache(maxsize=1024)(self.find_rounds)

    def pay(self, cities: float) -> float:
        """What supplying cities pays; interpolated for fractions of a city."""
        whole = int(cities)
        pays = self.pays
        if whole >= len(pays) - 1:
            return pays[-1]
        return pays[whole] + (cities - whole) * (pays[whole + 1] - pays[whole])

    def find_rounds(self, network: int, money: int | None) -> int:
        """Rounds, including this one, until a network could reach the size that ends the game."""
        assumptions = self.assumptions
        spare = 0 if money is None else max(0, money - self.pays[2])
        cities = network + spare / (2 * assumptions.city)
        rounds = 1
        while cities < self.end and rounds < MAX_ROUNDS:
            cities += max(1, assumptions.share * self.pay(cities) / assumptions.city)
            rounds += 1
        return rounds


class Value(NamedTuple):
    """What a plant is worth to a company."""

    worth: int
    more: int  # by how many cities the capacity of all plants changes


class Forecast:
    """The rest of a game: how long it lasts, which plants turn up, what fuel will cost.

    It is the same for everybody at the table, so a result for one company is reused for others.
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
        """The rounds to come, given strength and number of the best plant that turns up soon."""
        assumptions = self.assumptions
        price: float = assumptions.city
        for later in range(self.rounds):
            yield Round(price, strength, number + assumptions.premium, later + 1 < self.rounds)
            price += assumptions.dearer
            if later and strength < BEST_PLANT_CITIES:
                strength += later % 2
                number += 3

    def upkeep(self, plant: Plant) -> float:
        """What a run of the plant costs at the forecast prices."""
        card = plant["card"]
        known = self._upkeep.get(card)
        if known is None:
            price = min((self.prices[fuel] for fuel in plant["fuels"]), default=0.0)
            known = self._upkeep[card] = price * int(plant["need"])
        return known

    def value(self, plant: Plant, price: int, money: int, cities: int, fleet: Fleet) -> Value:
        """What a plant at its lowest price is worth to a company."""
        key = plant["card"], price, money, cities, fleet
        known = self._values.get(key)
        if known is None:
            powers, upkeep = self._running(self._kept([*fleet.plants, plant]))
            value = break_even_price(
                price,
                money,
                self.final_worth(money, cities, fleet),
                lambda left: self._play_out(left, cities, powers, upkeep),
            )
            known = self._values[key] = Value(value, sum(powers) - fleet.powers)
        return known

    def _kept(self, plants: Sequence[Plant]) -> Sequence[Plant]:
        """The plants that remain within the limit: the weakest goes."""
        if len(plants) <= self.limit:
            return plants
        weakest = min(plants, key=lambda each: (each["powers"], -self.upkeep(each)))
        return [plant for plant in plants if plant is not weakest]

    def final_worth(self, money: int, cities: int, fleet: Fleet) -> float:
        """The final worth of a company: its money, and the cities it supplies."""
        key = money, cities, fleet
        known = self._forecasts.get(key)
        if known is None:
            running = self._running(fleet.plants)
            known = self._forecasts[key] = self._play_out(money, cities, *running)
        return known

    def _running(self, plants: Sequence[Plant]) -> tuple[list[int], float]:
        """What each plant supplies, and what a city costs to supply."""
        powers = [plant["powers"] for plant in plants]
        total = sum(powers)
        return powers, sum([self.upkeep(plant) for plant in plants]) / total if total else 0.0

    def _play_out(self, money: float, cities: int, powers: list[int], upkeep: float) -> float:
        """Written for speed, without calls: the engineer computes hundreds of these in a round."""
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
    """Results that an engineer reuses throughout a game."""

    def __init__(self, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.fleets = FleetCache()
        self.burned: Callable[..., dict[str, float]] = lru_cache(maxsize=256)(burned)
        self.growth: Callable[[tuple[int, ...], int], Growth] = lru_cache(maxsize=8)(
            partial(Growth, assumptions=assumptions)
        )
        self.outlook: Callable[..., Forecast] = lru_cache(maxsize=256)(Forecast)
