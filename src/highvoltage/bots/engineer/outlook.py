"""How a company will fare until the end of the game: a small forecast, the same for everybody."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highvoltage.bots.clerk.desk import STORED
from highvoltage.bots.clerk.plants import SCARCE, Plant
from highvoltage.views.board import BoardView, CartelView, PlayerView


class Habits(NamedTuple):
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


HABITS = Habits()
LONGEST = 12  # rounds that a forecast looks ahead
STRONGEST = 7  # cities that the best plants supply
FUEL = 8  # what a run of a plant costs that comes up later


def burns(owner: PlayerView | CartelView, fuel: str) -> float:
    """Tokens of a fuel that all plants of an owner burn in a round; hybrids half of either."""
    tokens = 0.0
    for plant in owner["plants"]:
        if fuel in plant["fuels"]:
            tokens += plant["need"] / len(plant["fuels"])
    return tokens


class Round(NamedTuple):
    """A round of the forecast."""

    price: float  # of a city
    strength: int  # of the best plant to be had, in cities
    cost: float  # of that plant
    paid: bool  # the last run brings no money


class Growth:
    """How fast networks grow, and when that ends the game."""

    def __init__(self, pays: Sequence[int], end: int, habits: Habits) -> None:
        self.habits = habits
        self.pays = pays
        self.end = end

    def pay(self, cities: float) -> float:
        """What supplying cities pays; a fraction of a city its fraction."""
        whole = int(cities)
        pays = self.pays
        if whole >= len(pays) - 1:
            return pays[-1]
        return pays[whole] + (cities - whole) * (pays[whole + 1] - pays[whole])

    def rounds_of(self, cities: float, money: int | None) -> int:
        """In how many rounds, this one included, a network could be large enough for the end."""
        habits = self.habits
        spare = 0 if money is None else max(0, money - self.pays[2])
        cities += spare / (2 * habits.city)
        rounds = 1
        while cities < self.end and rounds < LONGEST:
            cities += max(1, habits.share * self.pay(cities) / habits.city)
            rounds += 1
        return rounds


class Outlook(Growth):
    """The rest of the game as seen from one view of a board game."""

    def __init__(self, view: BoardView, habits: Habits) -> None:
        super().__init__(view["payment"], view["end_cities"], habits)
        self.view = view
        self.limit: int = view["plant_limit"]
        self.rounds: int = min(
            self.rounds_of(len(player["cities"]), player["money"]) for player in view["players"]
        )
        owners: list[PlayerView | CartelView] = [*view["players"]]
        if "cartel" in view:
            owners.append(view["cartel"])
        fuels = view["players"][0]["room"]
        self.burned: dict[str, float | int] = {
            fuel: sum([burns(owner, fuel) for owner in owners]) for fuel in fuels
        }
        self.prices: dict[str, float] = {fuel: self._price(fuel) for fuel in fuels}
        self.course: list[Round] = list(self._course())
        self._upkeep: dict[str, float] = {}

    # Fuel

    def _price(self, fuel: str) -> float:
        """What a token will cost on average, from what all plants burn and what comes back."""
        shelf = self.view["fuel"][fuel]
        burned = self.burned[fuel]
        ladder = shelf["ladder"]
        stock = shelf["stock"] + self.habits.drift * (shelf["refill"] - burned) - burned / 2
        at = len(ladder) - round(stock)
        beyond: int = max(0, at - len(ladder) + 1)
        stored = self.view["fuel"].get(STORED + fuel)
        if beyond and stored and stored["stock"] >= beyond:
            return float(stored["prices"][0])
        if not ladder:  # not sold on this market
            return SCARCE + self.habits.sold_out * beyond
        return float(ladder[max(0, min(len(ladder) - 1, at))]) + self.habits.sold_out * beyond

    def upkeep(self, plant: Plant) -> float:
        """What a run of the plant costs at the prices to come."""
        card = plant["card"]
        if card not in self._upkeep:
            price = min((self.prices[fuel] for fuel in plant["fuels"]), default=0.0)
            self._upkeep[card] = price * int(plant["need"])
        return self._upkeep[card]

    # Plants

    def _coming(self) -> tuple[int, int]:
        """What the best plant supplies that comes up soon, and its number."""
        market = self.view["market"]
        plants = market["future"] or market["current"]
        return max(((plant["powers"], plant["number"]) for plant in plants), default=(6, 36))

    def _course(self) -> Iterator[Round]:
        """The rounds to come."""
        habits = self.habits
        price: float = habits.city
        strength, number = self._coming()
        for later in range(self.rounds):
            yield Round(price, strength, number + habits.premium, later + 1 < self.rounds)
            price += habits.dearer
            if later and strength < STRONGEST:
                strength += later % 2
                number += 3

    def forecast(self, money: float, cities: int, plants: Sequence[Plant]) -> float:
        """What a company with these plants comes to: money at the end, and cities supplied.

        Written for speed, with few calls: the engineer asks for hundreds of forecasts in a round.
        """
        pays, end = self.pays, self.end
        every, slack = self.habits.every, self.habits.slack + 1
        most = len(pays) - 1
        powers = [plant["powers"] for plant in plants]
        total: float = sum(powers)
        upkeep = sum([self.upkeep(plant) for plant in plants]) / total if total else 0.0
        have: float = cities
        reach = min(end, total)
        waited = 0  # rounds since the last plant
        for price, strength, cost, paid in self.course:
            waited += 1
            if waited > every and have > total - slack and money > cost + price:
                gain = strength - (min(powers) if len(powers) >= self.limit else 0)
                if gain > 0:
                    waited = 1
                    powers = sorted([*powers, strength])[-self.limit :]
                    money -= cost
                    upkeep = (upkeep * total + FUEL) / (total + strength)
                    total = sum(powers)
                    reach = min(end, total)
            if have < reach and (spare := money - upkeep * have) > 0:
                # Fuel for a city is paid together with its connection.
                built = min(reach - have, spare / (price + upkeep))
                have += built
                money -= built * price
            supplied = total
            if have < total:
                supplied = have
            money -= upkeep * supplied
            if paid:
                whole = int(supplied)
                if whole < most:
                    money += pays[whole] + (supplied - whole) * (pays[whole + 1] - pays[whole])
                else:
                    money += pays[most]
        return self.habits.last * min(have, total) + money
