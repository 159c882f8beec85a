"""How the clerk plays Outpost: plants have to pay for themselves, and so do workers' beds."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, combinations
from random import Random
from typing import Any

from highvoltage.bots.clerk.auction import Prospect, auction
from highvoltage.bots.clerk.worth import PAYBACK_ROUNDS, Standing
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done
from highvoltage.views import OutpostView
from highvoltage.views.outpost import CardView, PlaceView, PlayerView

CITY_COST = 15  # what a city costs, roughly
TECHNOLOGY_WORTH = 20  # what a technology is worth
SPACES = 4  # on the company board, of each kind
END_GAME_ROUND = 14  # the round from which the clerk builds to end the game, ahead or not
DONE = Done()


class OutpostClerk:
    """Chooses from the view of a game of Outpost."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: OutpostView, legal: Moves) -> Choice:
        figures = OutpostFigures(view)
        if view["phase"] == "auction":
            offers = list(map(figures.offer, view["market"]["current"]))
            return auction(view["auction"]["card"], offers, legal)
        if view["phase"] == "bureaucracy":
            power = max(legal, key=_count)
            cities = _count(power)
            return Choice(power, Reason("run", {"cities": cities, "pay": figures.pay(cities)}))
        if view["phase"] == "company" and not view["choices"]:
            return self._company(figures, legal)
        return self._for_syndicate(figures, legal)

    def _for_syndicate(self, figures: "OutpostFigures", legal: Moves) -> Choice:
        """Build for the Syndicate where it hinders least: where connections cost most."""
        far = max(map(figures.connection_cost, legal))
        move: Any = self._rng.choice(
            [each for each in legal if figures.connection_cost(each) == far]
        )
        return Choice(move, Reason("out_of_the_way", {"city": move.city, "cost": far}))

    def _company(self, figures: "OutpostFigures", legal: Moves) -> Choice:
        """Settle, build, fill the board, hire: take the first that is useful."""
        by_verb: dict[str, list[Any]] = {}
        for move in legal:
            by_verb.setdefault(move.verb, []).append(move)
        for verb, part in _PARTS.items():
            if verb in by_verb and (choice := part(figures, by_verb[verb])):
                return choice
        return Choice(DONE, Reason("company_done"))


class OutpostFigures:
    """What the clerk works out from a view."""

    def __init__(self, view: OutpostView) -> None:
        self.view = view
        seat = view["seat"]
        assert seat is not None
        self.me: PlayerView = view["players"][seat]
        money = self.me["money"]
        assert money is not None
        self.money = money
        self.network: int = self.me["network"]
        self.end: int = view["end_cities"]
        self.wages: list[int] = view["labour"]["prices"]
        self.leader: int = max(player["network"] for player in view["players"])

    @cached_property
    def standing(self) -> Standing:
        pays = self.view["payment"]
        return Standing(self.network, self.powers, self.leader, self.end, pays, CITY_COST)

    def pay(self, cities: int) -> int:
        return self.standing.pay(cities)

    def owned(self, kind: str) -> list[CardView]:
        """The best cards of a kind, on the board or waiting, as many as there are spaces for."""
        cards = [*self.placed(kind), *self.waiting(kind)]
        return sorted(cards, key=lambda card: -_output(card))[:SPACES]

    def placed(self, kind: str) -> Sequence[CardView]:
        return self.me["plants"] if kind == "plant" else self.me["habitats"]

    def waiting(self, kind: str) -> list[CardView]:
        return [card for card in self.me["pool"] if card["kind"] == kind]

    @cached_property
    def plants(self) -> list[CardView]:
        return self.owned("plant")

    @cached_property
    def powers(self) -> int:
        return sum(card["energy"] for card in self.plants)

    @cached_property
    def missing_workers(self) -> int:
        """Workers without a bed that the plants need, once all cards are on the board."""
        beds = sum(card["places"] for card in self.owned("habitat"))
        need = sum(card["workers"] for card in self.plants)
        return max(0, need - beds - self.me["robots"])

    def wage(self, workers: int) -> int:
        row = self.wages[:workers]
        return sum(row) + 10 * (workers - len(row))

    # Auction

    def offer(self, place: PlaceView) -> Prospect:
        card = place["card"]
        worth, cost, values = _WORTHS[card["kind"]](self, card)
        code = card_code(card, values)
        return Prospect(card["card"], place["minimum"], worth, self.money - cost, code, values)

    def worth_of_plant(self, card: CardView) -> tuple[int, int, Values]:
        more, workers = card["energy"], card["workers"]
        if len(self.plants) == SPACES:
            more -= self.plants[-1]["energy"]
            workers -= self.plants[-1]["workers"]
        wage = (
            self.wage(self.missing_workers + workers) - self.wage(self.missing_workers)
            if workers > 0
            else 0
        )
        worth = self.standing.worth(more, wage)
        return (
            worth,
            wage + CITY_COST,
            {"more": more, "upkeep": wage, "rounds": self.standing.rounds},
        )

    def worth_of_habitat(self, card: CardView) -> tuple[int, int, Values]:
        values = self.habitat_values(card, PAYBACK_ROUNDS)
        saved = 0 if len(self.owned("habitat")) == SPACES else int(values["saved"])
        return PAYBACK_ROUNDS * saved, CITY_COST, values

    def habitat_values(self, card: CardView, rounds: int) -> Values:
        """How many workers without a bed get one, and what that saves each round."""
        owned = self.owned("habitat")
        lost = owned[-1]["places"] if len(owned) == SPACES else 0
        housed = max(0, min(self.missing_workers, card["places"] - lost))
        saved = self.wage(self.missing_workers) - self.wage(self.missing_workers - housed)
        return {"housed": housed, "saved": saved, "places": card["places"], "rounds": rounds}

    def worth_of_technology(self, _: CardView) -> tuple[int, int, Values]:
        return TECHNOLOGY_WORTH, 2 * CITY_COST, {}

    # Building

    @cached_property
    def stations(self) -> dict[str, int]:
        """The cities where a station may be built, with their cost."""
        connect = self.view["connect"]
        return {city: costs["station"] for city, costs in connect.items() if "station" in costs}

    def build(self, moves: list[Any]) -> Choice | None:
        for kind in ("plant", "habitat"):
            if self.waiting(kind) and self.me["spaces"][kind] == len(self.placed(kind)):
                sites = [move for move in moves if move.piece == kind]
                if sites and self.network:
                    site = min(sites, key=self.cost)
                    values: Values = {"kind": kind, "cost": self.cost(site)}
                    return Choice(site, Reason("space", values))
        stations = [move for move in moves if move.piece == "station"]
        if not stations:
            return None
        if not self.network:
            start = min(stations, key=self.connection_cost)
            return Choice(start, Reason("start_near", {"cost": self.connection_cost(start)}))
        site = min(stations, key=self.cost)
        code = self.why_build(self.cost(site))
        values = {"cost": self.cost(site), "supply": self.powers, "cities": self.network}
        return Choice(site, Reason(code, {"city": site.city, **values})) if code else None

    def cost(self, move: Any) -> int:
        return int(self.view["connect"][move.city][move.piece])

    def connection_cost(self, move: Any) -> int:
        """What the two cheapest connections of a city cost."""
        costs = [
            link["cost"] for link in self.view["connections"] if move.city in {link["a"], link["b"]}
        ]
        return int(sum(sorted(costs)[:2]))

    def why_build(self, cost: int) -> str:
        if self.leader < self.end:
            missing = self.end - self.network
            costs = list(accumulate(sorted(self.stations.values())))
            if self.view["round"] >= END_GAME_ROUND:
                return "city_late"
            if missing <= bisect_right(costs, self.money):
                if self.wins():
                    return "city_ends"
                if missing == 1:
                    return ""
        wages = self.wage(self.missing_workers)
        return "city" if self.network < self.powers and cost + wages <= self.money else ""

    def wins(self) -> bool:
        """Whether nobody else can power as many cities as the clerk, if the game ends now."""
        others = (player for player in self.view["players"] if player is not self.me)
        return all(
            sum(card["energy"] for card in player["plants"]) <= self.powers for player in others
        )

    def settle(self, moves: list[Any]) -> Choice | None:
        return Choice(moves[0], Reason("free"))

    # Board and workers

    def place(self, moves: list[Any]) -> Choice | None:
        pool = {card["card"]: card for card in self.me["pool"]}
        best = max(moves, key=lambda move: _output(pool[_name(move, "card")]))
        return Choice(best, Reason("placed"))

    def swap(self, moves: list[Any]) -> Choice | None:
        cards = {
            card["card"]: card for kind in ("plants", "habitats", "pool") for card in self.me[kind]
        }

        def gain(move: Any) -> int:
            return _output(cards[_name(move, "new")]) - _output(cards[_name(move, "old")])

        best = max(moves, key=gain)
        return Choice(best, Reason("placed")) if gain(best) > 0 else None

    def hire(self, moves: list[Any]) -> Choice | None:
        """As many workers as pay for themselves."""
        empty = max(0, self.me["beds"] - self.me["humans"])
        staff = self.me["humans"] + self.me["robots"]

        def cities(move: Any) -> int:
            free = min(len(self.wages) - move.count, empty)
            return min(self.network, energy(self.me["plants"], staff + move.count + free))

        best = max(moves, key=lambda move: self.pay(cities(move)) - self.wage(move.count))
        values: Values = {"cities": cities(best), "wage": self.wage(best.count)}
        return Choice(best, Reason("hired", values))

    def robot(self, moves: list[Any]) -> Choice | None:
        return Choice(moves[0], Reason("free"))


def card_code(card: CardView, values: Values) -> str:
    """The message that explains the worth of a card."""
    if card["kind"] == "plant" and int(values["more"]) <= 0:
        return "replaces"
    if card["kind"] == "habitat" and not values["housed"]:
        return "card_beds"
    return f"card_{card['kind']}"


def energy(plants: Sequence[CardView], workers: int) -> int:
    """The most energy that so many workers produce."""
    return max(
        sum(card["energy"] for card in some)
        for size in range(len(plants) + 1)
        for some in combinations(plants, size)
        if sum(card["workers"] for card in some) <= workers
    )


def _output(card: CardView) -> int:
    return card["energy"] or card["places"]


def _name(move: Any, field: str) -> str:
    return label(getattr(move, field))


def _count(move: Any) -> int:
    return int(move.count)


_WORTHS = {
    "plant": OutpostFigures.worth_of_plant,
    "habitat": OutpostFigures.worth_of_habitat,
    "technology": OutpostFigures.worth_of_technology,
}
_PARTS: dict[str, Callable[[OutpostFigures, list[Any]], Choice | None]] = {
    "settle": OutpostFigures.settle,
    "build": OutpostFigures.build,
    "place": OutpostFigures.place,
    "swap": OutpostFigures.swap,
    "hire": OutpostFigures.hire,
    "robot": OutpostFigures.robot,
}
