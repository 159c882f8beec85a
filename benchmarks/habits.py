"""A newcomer as a bot: somebody who has finished a first game, and does not plan ahead.

It buys the cheapest useful card, for little more than its minimum, fuel for one round, and the
nearest city that its plants can power. It measures bots meant as a newcomer's first opponent:
`highvoltage tournament classic --bots benchmarks/habits.py:Habits,clerk --games 100`.
"""

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from highvoltage.bots import Choice, Reason
from highvoltage.bots.clerk.outpost import energy
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move, Pass
from highvoltage.engine.parts.board import area_of, load_map

OPENING_RAISE = 4  # the most it bids above the number of a card
CASH_RESERVE = 15  # money it reserves for fuel and houses when it buys a card
MIN_ADDED_CITIES = 2  # cities that a plant has to add
WHY = Reason("random", {"moves": 1})


class Habits:
    """Buys what is cheap and useful, and never plans for later rounds."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        table = TABLES[view["family"]](view, list(legal.choices))
        return Choice(table.move() or self._rng.choice(legal.choices), WHY)


class Newcomer(ABC):
    """The part common to all games: a card from the market, and a plant to give up."""

    yields = "powers"  # the property that plants are compared by

    def __init__(self, view: dict[str, Any], moves: list[Any]) -> None:
        self.view = view
        self.moves = moves
        self.me = view["players"][view["seat"]]
        self.money: int = self.me["money"]

    def of(self, verb: str) -> list[Any]:
        return [move for move in self.moves if move.verb == verb]

    def move(self) -> Move | None:
        if scraps := self.of("scrap"):
            return self.weakest(scraps)
        if self.view["phase"] == "auction":
            return self.auction()
        return self.turn()

    @abstractmethod
    def turn(self) -> Move | None:
        """The decisions specific to a game; None if any move will do."""

    def auction(self) -> Move:
        offered = self.of("nominate")
        if not offered:
            return self.bid()
        wanted = [move for move in offered if self.wants(label(move.card), move.bid)]
        if wanted:
            return min(wanted, key=lambda move: move.bid)
        return Pass() if Pass() in self.moves else min(offered, key=lambda move: move.bid)

    def bid(self) -> Move:
        card = self.view["auction"]["card"]
        bids = self.of("bid")
        lowest = min(bids, key=lambda move: move.bid, default=None)
        if (
            lowest
            and lowest.bid <= self.number(card) + OPENING_RAISE
            and self.wants(card, lowest.bid)
        ):
            return lowest
        return Pass()

    def wants(self, card: str, price: int) -> bool:
        return self.is_useful(self.market()[card]) and price + CASH_RESERVE <= self.money

    def market(self) -> dict[str, Any]:
        return named(self.view["market"]["current"])

    def number(self, card: str) -> int:
        number: int = self.market()[card]["number"]
        return number

    def is_useful(self, card: Any) -> bool:
        """Another plant, or one that is better than the weakest."""
        own = self.me["plants"]
        if len(own) < self.view["plant_limit"]:
            return True
        return card[self.yields] > min(plant[self.yields] for plant in own)

    def weakest(self, scraps: list[Any]) -> Move:
        yields = {plant["card"]: plant[self.yields] for plant in self.me["plants"]}
        return min(scraps, key=lambda move: yields[label(move.card)])

    def best_run(self) -> Move:
        """Run as many plants as have fuel."""
        yields = {plant["card"]: plant[self.yields] for plant in self.me["plants"]}
        return max(self.moves, key=lambda move: sum(yields[label(card)] for card, _ in move.plants))


class Board(Newcomer):
    """The 2004 edition and Recharged."""

    def is_useful(self, card: Any) -> bool:
        """At least two more cities, once there are about as many cities as there is power."""
        own = [plant["powers"] for plant in self.me["plants"]]
        lost = min(own) if len(own) == self.view["plant_limit"] else 0
        more: int = card["powers"] - lost
        return more >= MIN_ADDED_CITIES and sum(own) <= len(self.me["cities"]) + 1

    def turn(self) -> Move | None:
        if self.view["phase"] == "fuel":
            return self.fuel()
        if self.view["phase"] == "building":
            return self.build()
        return self.best_run() if self.of("run") else None

    def fuel(self) -> Move | None:
        """Fuel for one run of the plants that supply its cities and one more, the best first."""
        held = dict(self.me["fuel"])
        cities = len(self.me["cities"]) + 1
        for plant in sorted(self.me["plants"], key=lambda plant: -plant["powers"]):
            if cities <= 0:
                break
            cities -= plant["powers"]
            fuels = sorted(plant["fuels"], key=lambda fuel: -held[fuel])
            if not fuels:
                continue
            missing = plant["need"] - sum(held[fuel] for fuel in fuels)
            if missing <= 0:
                held[fuels[0]] -= plant["need"]
                continue
            buys = [move for move in self.of("buy") if move.fuel in fuels and move.count <= missing]
            if buys:
                return max(buys, key=lambda move: (move.count, -self.price(move)))
        return Done() if Done() in self.moves else None

    def price(self, buy: Any) -> int:
        return sum(self.view["fuel"][buy.fuel]["prices"][: buy.count])

    def build(self) -> Move | None:
        """The nearest city, while there is power for it."""
        costs = self.view["connect"]
        powers = sum(plant["powers"] for plant in self.me["plants"])
        if builds := self.of("build"):
            if not self.me["cities"]:
                return min(builds, key=self.neighbours)
            if len(self.me["cities"]) < powers:
                return min(builds, key=lambda move: costs[move.city])
        return Done() if Done() in self.moves else None

    def neighbours(self, build: Any) -> int:
        """The total distance to the nearest neighbours of a city."""
        area = area_of(load_map(self.view["map"]), self.view["regions"])
        return sum(sorted(area.distance[area.index[build.city]])[1:4])


class Cards(Newcomer):
    """The Card Game."""

    yields = "income"

    def wants(self, card: str, price: int) -> bool:
        return self.is_useful(self.market()[card]) and price + CASH_RESERVE // 3 <= self.money

    def turn(self) -> Move | None:
        if self.view["phase"] != "fuel":
            return self.best_run()
        held = dict(self.me["fuel"])
        for plant in self.me["plants"]:
            if not plant["fuels"]:
                continue
            fuel = max(plant["fuels"], key=held.__getitem__)
            if held[fuel] >= plant["need"]:
                held[fuel] -= plant["need"]
                continue
            if buys := [move for move in self.of("buy") if move.fuel in plant["fuels"]]:
                return min(buys, key=lambda move: move.column / move.units)
        return Done()


class Outpost(Newcomer):
    """Outpost."""

    def market(self) -> dict[str, Any]:
        return named([place["card"] for place in self.view["market"]["current"]])

    def is_useful(self, card: Any) -> bool:
        """A plant when the cities need it, beds when workers are hired."""
        own = self.best("plant")
        if card["kind"] == "plant":
            lost = own[-1]["energy"] if len(own) == self.view["board_spaces"] else 0
            powers = sum(each["energy"] for each in own)
            return card["energy"] - lost >= MIN_ADDED_CITIES and powers <= self.me["network"] + 1
        beds = sum(each["places"] for each in self.best("habitat"))
        workers = sum(each["workers"] for each in own)
        return card["kind"] == "habitat" and beds + MIN_ADDED_CITIES <= workers

    def best(self, kind: str) -> list[Any]:
        """The cards of a kind, on the board or waiting, as many as there are spaces for."""
        placed = self.me["plants" if kind == "plant" else "habitats"]
        cards = [*placed, *(card for card in self.me["pool"] if card["kind"] == kind)]
        return sorted(cards, key=lambda card: -use(card))[: self.view["board_spaces"]]

    def turn(self) -> Move | None:
        if powers := self.of("power"):
            return max(powers, key=lambda move: move.count)
        for part in (self.of("settle"), self.build(), self.of("place"), self.swap(), self.hire()):
            if part:
                return part[0]
        return Done() if Done() in self.moves else None

    def swap(self) -> list[Any]:
        uses = {
            card["card"]: use(card)
            for kind in ("plants", "habitats", "pool")
            for card in self.me[kind]
        }
        gains = {move: uses[label(move.new)] - uses[label(move.old)] for move in self.of("swap")}
        return [move for move, gain in gains.items() if gain > 0]

    def build(self) -> list[Any]:
        """A slot for a card that has none, then the nearest city that there is energy for."""
        costs = self.view["connect"]
        builds = sorted(self.of("build"), key=lambda move: costs[move.city][move.piece])
        stations = [move for move in builds if move.piece == "station"]
        if not self.me["network"]:
            return sorted(stations, key=self.neighbours)
        for kind, placed in (("plant", "plants"), ("habitat", "habitats")):
            slots = [move for move in builds if move.piece == kind]
            if slots and len(self.best(kind)) > len(self.me[placed]) == self.me["spaces"][kind]:
                return slots
        powers = sum(card["energy"] for card in self.best("plant"))
        return stations if self.me["network"] < powers else []

    def neighbours(self, build: Any) -> int:
        """The total cost of the cheapest connections of a city."""
        costs = [link["cost"] for link in self.view["connections"] if build.city in link.values()]
        return sum(sorted(costs)[:3])

    def hire(self) -> list[Any]:
        """Enough workers for the cities, if there are as many."""
        staff = max(self.me["beds"], self.me["humans"]) + self.me["robots"]
        return sorted(
            self.of("hire"),
            key=lambda move: (
                -min(self.me["network"], energy(self.me["plants"], staff + move.count)),
                move.count,
            ),
        )


def use(card: Any) -> int:
    found: int = card["energy"] or card["places"]
    return found


def named(cards: list[Any]) -> dict[str, Any]:
    """Cards by their name; a move may give the number alone."""
    return {str(card["number"]): card for card in cards} | {card["card"]: card for card in cards}


TABLES: dict[str, type[Newcomer]] = {"board": Board, "cardgame": Cards, "outpost": Outpost}
