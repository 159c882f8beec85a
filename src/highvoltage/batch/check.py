"""The twin held against the engine, move by move, with the same chance.

    python -m highvoltage.batch.check classic-germany-4 recharged-usa-2 --games 1000

plays games of the settings named, or of all. At every decision actor, legal moves and every field
must agree, at some the observation too, and at the end the places.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jax
import numpy as np

from highvoltage import codec
from highvoltage.batch import setup
from highvoltage.batch.env import Env, make
from highvoltage.batch.exchange import Follows, deck_of, fields_of, reach_of
from highvoltage.batch.state import ASIDE, REGION, State
from highvoltage.batch.tables import CARDS, Table
from highvoltage.codec.bids import BIDS
from highvoltage.codec.board import layout
from highvoltage.engine.errors import OptionError
from highvoltage.engine.events import Event, StepBegins
from highvoltage.engine.game import Game
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.tables import FUEL_RULES
from highvoltage.testing.settings import Setting, settings

RULES = {  # where to look when a field differs
    "current_player": "C-14",
    "legal_action_mask": "C-14",
    "mode": "C-3.1",
    "order": "C-3.3",
    "money": "C-1.7.1",
    "plants": "C-4.5.1",
    "fuel": "C-6.2.1",
    "cities": "C-7.1.1",
    "slots": "C-7.3.1",
    "reach": "C-7.3.1",
    "most": "C-5.3.3",
    "supplied": "C-8.2.2",
    "stock": "C-8.3.1",
    "supply": "C-8.3.1",
    "phased_out": "R-11.1.1",
    "market": "C-5.1.1",
    "token": "R-4.1.1",
    "last": "C-9.3.2",
    "pending": "C-9.3.3",
    "deck": "C-8.4.1",
    "aside": "C-2.5",
    "step": "C-9.2",
    "eligible": "C-4.1.1",
    "ring": "C-4.3.1",
    "demolition": "D-2.4",
    "demolished": "D-2.2",
    "place": "C-10.7",
    "cartel.plants": "R-12.5",
    "cartel.fuel": "R-12.6",
    "cartel.reserve": "R-12.7.4",
    "observation": "C-13",
}
POLICIES: dict[str, dict[str, float]] = {  # weights of kinds of actions, 1 where nothing is said
    "even": {},
    "builder": {"city": 40, "done": 0.3, "buy": 3},
    "idler": {"done": 30, "nominate": 0.2},
    "spender": {"bid": 30, "buy": 5, "done": 0.5},
    "steady": {},
    "merchant": {"buy": 8, "run": 0.1, "city": 4},
}
LONGEST = 20_000  # decisions of a game
IN_HASTE = {"xla_backend_optimization_level": 0}  # few games do not repay a better compilation


class Difference(AssertionError):
    """The twin and the engine do not agree."""


class Tally:
    """What was compared, and what happened in the games."""

    def __init__(self) -> None:
        self.games = self.decisions = self.moves = self.observations = 0
        self.events: Counter[str] = Counter()

    def __add__(self, other: "Tally") -> "Tally":
        total = Tally()
        for name in ("games", "decisions", "moves", "observations", "events"):
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total

    def __str__(self) -> str:
        events = ", ".join(f"{name} {count:,}" for name, count in sorted(self.events.items()))
        return (
            f"{self.games:,} games, {self.decisions:,} decisions, {self.moves:,} legal actions,"
            f" {self.observations:,} observations: all agree ({events})"
        )


class Checker:
    """Plays games of one setting in lockstep with the engine."""

    def __init__(self, setting: Setting, batch: int = 16) -> None:
        self.setting: Setting = setting
        self.batch: int = batch
        self.env: Env = make(setting.rulebook, setting.map, setting.players, **setting.options)
        self.code: codec.Codec = codec.make(
            setting.rulebook, setting.map, setting.players, **setting.options
        )
        self.lots: Any = many(lambda key: setup.draw_lots(self.env.tables, key))
        self.start: Any = many(lambda lots: setup.start(self.env.tables, lots))
        self.step: Any = many(self.env.step)
        self.observe: Any = many(self.env.observe)

    def run(self, games: int, seed: int = 0, *, observe: float = 0.05) -> Tally:
        """So many games; Difference with the move, the field and the rule if one differs."""
        rng = np.random.default_rng(seed)
        tally = Tally()
        waiting = iter(range(games))
        seats: list[Match | None] = [None] * self.batch
        state: Any = None
        while True:
            if any(match is None for match in seats):
                seats, state = self.seat(seats, state, waiting, seed)
                if not any(seats):
                    return tally
            looks = rng.random() < observe
            seen = jax.device_get(self.observe(state)) if looks else None
            actions = np.zeros(self.batch, np.int16)
            for at, match in enumerate(seats):
                if match is None:
                    continue
                match.compare(row_of(state, at), None if seen is None else row_of(seen, at))
                if match.game.to_move is None:
                    tally.games += 1
                    tally.decisions += len(match.game.log)
                    tally.moves += match.moves
                    tally.observations += match.observations
                    tally.events += match.events
                    seats[at] = None
                else:
                    actions[at] = match.play(rng)
            state = jax.tree.map(np.array, jax.device_get(self.step(state, actions)))

    def seat(
        self, seats: list["Match | None"], state: Any, waiting: Iterator[int], seed: int
    ) -> tuple[list["Match | None"], Any]:
        """New games in the places of those that are over."""
        numbers = [None if match else next(waiting, None) for match in seats]
        if all(number is None for number in numbers):
            return seats, state
        keys = jax.vmap(jax.random.fold_in, (None, 0))(
            jax.random.key(seed), np.array([number or 0 for number in numbers])
        )
        lots = jax.device_get(self.lots(keys))
        fresh = jax.tree.map(np.array, jax.device_get(self.start(lots)))
        state = fresh if state is None else state
        for at, number in enumerate(numbers):
            if number is not None:
                seats[at] = Match(self, number, row_of(lots, at))
                for old, new in zip(jax.tree.leaves(state), jax.tree.leaves(fresh), strict=True):
                    old[at] = new[at]
        return seats, state


def many(function: Any) -> Any:
    """The function over a batch."""
    return jax.jit(jax.vmap(function), compiler_options=IN_HASTE)


def row_of(tree: Any, at: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[at], tree)


class Match:
    """One game of the engine beside its twin."""

    def __init__(self, checker: Checker, number: int, lots: setup.Chance) -> None:
        self.env: Env = checker.env
        self.code: codec.Codec = checker.code
        self.setting: Setting = checker.setting
        self.number = number
        self.policy: str = list(POLICIES)[number % len(POLICIES)]
        self.weights: Table = weights(self.env, POLICIES[self.policy])
        names = [f"Player {seat + 1}" for seat in range(self.env.num_players)]
        self.game: Game = Game(self.env.tables.rules, Follows(self.env.tables, lots), names)
        self.moves: int = 0
        self.observations: int = 0
        self.events: Counter[str] = Counter()
        self.view: dict[str, Any] = {}
        self.legal: Table = np.zeros(0, bool)

    def compare(self, state: State, seen: dict[str, Table] | None) -> None:
        """Everything about one position."""
        t, s = self.env.tables, self.game.state
        assert isinstance(s, BoardState)
        told = fields_of(t, s)
        if flat(told.values()) != flat(part_of(state, name).tolist() for name in told):
            for name, value in told.items():
                self.hold(name, value, part_of(state, name))
        if int(state.mode) != REGION:
            self.hold("reach", reach_of(t, s), state.reach * (state.cities > 0)[:, None])
        self.hold("deck", s.market.deck, deck_of(np.asarray(state.pile), int(state.last)))
        aside = [card for card, place in zip(CARDS, state.pile, strict=True) if place == ASIDE]
        self.hold("aside", sorted(s.market.aside), aside)
        over = s.outcome
        self.hold("terminated", over is not None, bool(state.terminated))
        if over is not None:
            self.hold("legal_action_mask", True, bool(state.legal_action_mask.all()))
            before = [sum(map(len, over.ranking[:at])) for at in range(len(over.ranking))]
            places = {s: n for n, tied in zip(before, over.ranking, strict=True) for s in tied}
            self.hold("place", [places[seat] for seat in sorted(places)], state.place)
            share = [(place == 0) / len(over.winners) for _, place in sorted(places.items())]
            self.hold("rewards", np.array(share, np.float32), state.rewards)
            return
        self.hold("current_player", s.actor, int(state.current_player))
        view = self.view = self.game.view(s.actor)
        self.legal = np.asarray(state.legal_action_mask)
        self.hold("legal_action_mask", self.code.mask(view, self.game.legal_moves), self.legal)
        self.moves += int(self.legal.sum())
        if seen is not None:
            self.observations += 1
            for name, array in self.code.observe(view).items():
                if not np.allclose(array, seen[name], atol=1e-6):
                    at = tuple(np.argwhere(~np.isclose(array, seen[name], atol=1e-6))[0])
                    part = next(part for part in layout.PARTS if part.name == name)
                    where = f"observation, {name} {part.columns[at[-1]]} at {at}"
                    self.differ(where, array[at], seen[name][at])

    def hold(self, name: str, theirs: Any, ours: Any) -> None:
        if not np.array_equal(theirs, ours):
            self.differ(name, theirs, ours)

    def differ(self, name: str, theirs: Any, ours: Any) -> None:
        moves = "\n  ".join(str(row.move) for row in self.game.log[-6:])
        if name == "legal_action_mask" and np.shape(theirs) == np.shape(ours):
            theirs, ours = np.flatnonzero(theirs & ~ours), np.flatnonzero(ours & ~theirs)
        rule = RULES.get(name.split(",", maxsplit=1)[0], "C-14")
        raise Difference(
            f"{name} ({rule}): the engine has {theirs}, the twin {ours}\n"
            f"{self.setting}, game {self.number} ({self.policy}), after move {len(self.game.log)}"
            f" in round {self.game.state.round}, the latest moves:\n  {moves}"
        )

    def play(self, rng: np.random.Generator) -> int:
        """Choose a legal action and play it in the engine."""
        action = self.steady(rng) if self.policy == "steady" else self.drawn(rng, self.legal)
        move = self.code.move(self.view, action)
        events = self.game.play(move)
        self.events[move.verb] += 1
        self.events.update(told for event in events if (told := notable(event)))
        assert len(self.game.log) < LONGEST, "the game does not end"
        return action

    def drawn(self, rng: np.random.Generator, choices: Table) -> int:
        """One of the choices, by the weights of the policy."""
        chances = np.cumsum(self.weights * choices)
        return int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))

    def steady(self, rng: np.random.Generator) -> int:
        """A company that grows: cheap plants, full stores, as many cities and runs as it can."""
        legal, heads = self.legal, self.env.tables.heads
        run = heads["run"].first
        if legal[run]:
            moves = [
                (self.code.move(self.view, run + at), run + at)
                for at in map(int, legal[run:].nonzero()[0])
            ]
            return max(moves, key=lambda move: (yields(move[0]), -move[1]))[1]
        choices = legal.copy()
        for name in ("nominate", "bid"):  # at the lowest bid
            head = heads[name]
            choices[head.first : head.end] &= np.arange(head.size) % BIDS == 0
        if choices[1:].any() and rng.random() < 0.9 - 0.5 * choices[heads["bid"].first]:
            choices[0] = False
        buy = heads["buy"]
        if choices[buy.first : buy.end].any():
            choices[buy.first : buy.end - 1] &= ~choices[buy.first + 1 : buy.end]  # the most
        return self.drawn(rng, choices)


def yields(move: Any) -> int:
    return FUEL_RULES.yields(move)


def notable(event: Event) -> str:
    """Rare events by name; what happens all the time is not counted."""
    if isinstance(event, StepBegins):
        return f"step {event.step}"
    rare = ("shuffled", "cannot_buy", "demolished", "placed", "taken", "stocked", "slid", "removed")
    return event.what if event.what in rare else ""


def weights(env: Env, policy: dict[str, float]) -> Table:
    """How likely each action is to be taken where it is legal."""
    given = np.ones(env.num_actions)
    for name, weight in policy.items():
        head = env.tables.heads[name]
        given[head.first : head.end] = weight
    return given


def flat(values: Iterable[Any]) -> list[int]:
    """All numbers of nested lists in a row."""
    found: list[int] = []
    for value in values:
        if isinstance(value, list | tuple):
            found += flat(value)
        else:
            found.append(value)
    return found


def part_of(state: Any, name: str) -> Any:
    for part in name.split("."):
        state = getattr(state, part)
    return state


def every() -> list[Setting]:
    """Every setting of both rulebooks that the twin covers."""
    known = [setting for name in ("classic", "recharged") for setting in settings(name)]
    return [setting for setting in known if covered(setting.rulebook, setting.map)]


@cache
def covered(rulebook: str, where: str | None) -> bool:
    try:
        make(rulebook, where)
    except OptionError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description="Hold the twin against the engine.")
    parser.add_argument("settings", nargs="*", help="such as classic-germany-4; all if none")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="0/1", help="i/n: only every n-th setting from the i-th")
    parser.add_argument("--plain", action="store_true", help="without other options")
    told = parser.parse_args()
    shard, shards = map(int, told.shard.split("/"))
    named = [
        setting
        for setting in every()
        if (not told.settings or str(setting) in told.settings)
        and not (told.plain and setting.options)
    ]
    for setting in named[shard::shards]:
        began = time.perf_counter()
        tally = Checker(setting).run(told.games, told.seed)
        print(f"{setting}: {tally}, {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
