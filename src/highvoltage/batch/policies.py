"""Policies that reach what random play seldom does: late games, Step 2, poor companies."""

from typing import Any

import numpy as np

from highvoltage import codec
from highvoltage.batch.codes import Table
from highvoltage.batch.env import Env
from highvoltage.codec.bids import BIDS
from highvoltage.engine.moves import Build, Run
from highvoltage.games.outpost.moves import PieceMove

WEIGHTS: dict[str, dict[str, float]] = {  # of kinds of actions, 1 by default
    "even": {},
    "builder": {"city": 40, "done": 0.3, "buy": 3},
    "idler": {"done": 30, "nominate": 0.2},
    "spender": {"bid": 30, "buy": 5, "done": 0.5},
    "merchant": {"buy": 8, "run": 0.1, "city": 4},
    "steady": {},
    "thrifty": {},
}
OUTPOST_WEIGHTS: dict[str, dict[str, float]] = {  # the same of kinds that only Outpost has
    "builder": {"build": 10, "hire": 2, "place": 5},
    "idler": {"build": 0.5, "place": 0.3},
    "spender": {"hire": 5, "robot": 5, "settle": 10},
    "merchant": {"swap": 3, "place": 3, "hire": 3},
    "steady": {"build": 4, "place": 20, "swap": 0.1, "hire": 0.5},
}
POLICIES = tuple(WEIGHTS)
RANDOM_SHARE = 0.01  # of the choices of a thrifty company, so that it does not get stuck


class Policy:
    """Chooses legal actions of one setting."""

    def __init__(self, name: str, env: Env, code: codec.Codec) -> None:
        self.name = name
        self.env = env
        self.code = code
        self.weights: Table = np.ones(env.num_actions)
        for kind, weight in WEIGHTS[name].items():
            for head in self.heads_of(kind):
                self.weights[head.first : head.end] = weight

    def choose(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        if self.name not in ("steady", "thrifty"):
            return self.drawn(rng, legal)
        first = self.env.tables.heads["run"].first
        if legal[first]:
            return self.best_run(view, first + np.flatnonzero(legal[first:]))
        if self.name == "thrifty":
            return self.thrifty(rng, view, legal)
        return self.steady(rng, legal)

    def drawn(self, rng: np.random.Generator, choices: Table) -> int:
        """One of the choices, at random by the weights."""
        chances = np.cumsum(self.weights * choices)
        return int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))

    def best_run(self, view: dict[str, Any], runs: Table) -> int:
        """The run that yields most."""

        def yields(run: int) -> int:
            move = self.code.move(view, run)
            assert isinstance(move, Run)
            found: int = self.env.tables.fuel_rules.yields(move)
            return found

        best: int = max(runs.tolist(), key=yields)
        return best

    def at_lowest(self, legal: Table) -> Table:
        """The same actions, with only the lowest bids."""
        choices = legal.copy()
        for head in self.heads_of("nominate") + self.heads_of("bid"):
            choices[head.first : head.end] &= np.arange(head.size) % BIDS == 0
        return choices

    def steady(self, rng: np.random.Generator, legal: Table) -> int:
        """A company that grows: cheap plants, full stores, as many cities as possible."""
        choices, heads = self.at_lowest(legal), self.env.tables.heads
        if choices[1:].any() and rng.random() < 0.9 - 0.5 * choices[heads["bid"].first]:
            choices[0] = False
        buy = heads["buy"]
        if choices[buy.first : buy.end].any():
            choices[buy.first : buy.end - 1] &= ~choices[buy.first + 1 : buy.end]  # the most
        return self.drawn(rng, choices)

    def thrifty(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        """A company that wastes nothing: few plants, fuel for one round, the nearest city."""
        if rng.random() < RANDOM_SHARE:
            return self.drawn(rng, legal)
        heads, me = self.env.tables.heads, view["players"][view["seat"]]
        bid, buy = heads["bid"], heads["buy"]
        if view["phase"] == "building" and (cities := self.of_kind("city", legal)):
            return min(cities, key=lambda at: self.cost(view, at))
        ready = sum(plant["powers"] for plant in me["plants"] if plant["card"] in me["ready"])
        waits = view["phase"] == "fuel" and ready < len(me["cities"])
        if waits and (buys := self.of(buy, legal)):
            return buys[0] if rng.random() < 0.5 else int(rng.choice(buys))
        if view["phase"] == "auction" and legal[0]:
            short = sum(plant["powers"] for plant in me["plants"]) <= len(me["cities"]) + 1
            if short and (openings := self.of_kind("nominate", self.at_lowest(legal))):
                return openings[-1]
            if short and legal[bid.first] and rng.random() < 0.3:
                return int(bid.first)
        return 0 if legal[0] else self.drawn(rng, self.at_lowest(legal))

    def cost(self, view: dict[str, Any], city: int) -> int:
        """What a city costs, including its connection."""
        move = self.code.move(view, city)
        assert isinstance(move, Build)
        cost: int = view["connect"][move.city]
        return cost

    def heads_of(self, kind: str) -> list[codec.Head]:
        """Its heads: what only some maps have room for comes last, in a head of its own."""
        heads = self.env.tables.heads
        return [heads[name] for name in (kind, f"more_{kind}") if name in heads]

    def of_kind(self, kind: str, legal: Table) -> list[int]:
        return [at for head in self.heads_of(kind) for at in self.of(head, legal)]

    def of(self, head: codec.Head, legal: Table) -> list[int]:
        """The legal actions of one kind."""
        found: list[int] = (head.first + np.flatnonzero(legal[head.first : head.end])).tolist()
        return found


class CardPolicy(Policy):
    """The same at the Card Game, where nobody builds; merchants hoard, so that fuel runs out."""

    def choose(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        nothing = self.env.tables.heads["run"].first
        if self.name == "merchant" and legal[nothing] and rng.random() < 0.8:
            return int(nothing)
        return super().choose(rng, view, legal)

    def thrifty(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        """A company that wastes nothing: three good plants, fuel for one round."""
        if rng.random() < RANDOM_SHARE:
            return self.drawn(rng, legal)
        heads, me = self.env.tables.heads, view["players"][view["seat"]]
        nominate, bid, buy = (heads[name] for name in ("nominate", "bid", "buy"))
        if view["phase"] == "fuel" and len(me["ready"]) < len(me["plants"]):
            buys = self.of(buy, legal)
            return buys[0] if buys and rng.random() < 0.8 else 0
        if view["phase"] == "auction" and legal[0]:
            wants = len(me["plants"]) < view["plant_limit"] or rng.random() < 0.3
            if wants and (openings := self.of(nominate, self.at_lowest(legal))):
                return openings[-1]
            if wants and legal[bid.first]:
                return int(bid.first)
        return 0 if legal[0] else self.drawn(rng, self.at_lowest(legal))


class OutpostPolicy(Policy):
    """The same at Outpost; steady and thrifty companies power all they can and hire the fewest."""

    def __init__(self, name: str, env: Env, code: codec.Codec) -> None:
        super().__init__(name, env, code)
        for kind, weight in OUTPOST_WEIGHTS.get(name, {}).items():
            head = env.tables.heads[kind]
            self.weights[head.first : head.end] = weight

    def choose(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        power = self.env.tables.heads["power"]
        if legal[power.first] and rng.random() < 0.9:
            return int(power.first + np.flatnonzero(legal[power.first : power.end])[-1])
        if self.name == "steady":
            return self.steady(rng, legal)
        if self.name == "thrifty":
            return self.thrifty(rng, view, legal)
        return self.drawn(rng, legal)

    def steady(self, rng: np.random.Generator, legal: Table) -> int:
        """A company that grows: cheap cards, as many buildings as possible, all it owns in use."""
        choices = self.at_lowest(legal)
        if (
            choices[1:].any()
            and rng.random() < 0.95 - 0.5 * choices[self.env.tables.heads["bid"].first]
        ):
            choices[0] = False
        return self.drawn(rng, choices)

    def thrifty(self, rng: np.random.Generator, view: dict[str, Any], legal: Table) -> int:
        """A company that wastes nothing: the nearest city, every card in use, one robot a round."""
        if rng.random() < RANDOM_SHARE:
            return self.drawn(rng, legal)
        heads = self.env.tables.heads
        for name in ("settle", "place", "robot"):
            if found := self.of(heads[name], legal):
                return found[-1]
        if view["phase"] == "company" and legal[0] and (builds := self.of(heads["build"], legal)):
            cheapest = min(builds, key=lambda at: self.cost(view, at))
            return cheapest if rng.random() < 0.8 else 0
        if legal[0] and (hires := self.of(heads["hire"], legal)):
            return hires[-1]
        if view["phase"] == "auction" and legal[0]:
            if openings := self.of(heads["nominate"], self.at_lowest(legal)):
                return openings[-1] if rng.random() < 0.7 else 0
            return 0
        return 0 if legal[0] else self.drawn(rng, self.at_lowest(legal))

    def cost(self, view: dict[str, Any], build: int) -> int:
        """What a building costs, including its connection."""
        move = self.code.move(view, build)
        assert isinstance(move, PieceMove)
        cost: int = view["connect"][move.city][move.piece]
        return cost
