"""Compares the twin with the engine, move by move, with the same randomness.

Many games are stepped at once in the twin and one by one in the engine. At every decision actor,
legal moves and every field must agree, and the places at the end. At some decisions the observation
is compared too, and one of the games is converted to the engine, and from a view to the twin.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import chain
from typing import Any

import jax
import numpy as np

from highvoltage import codec
from highvoltage.batch import setup
from highvoltage.batch.env import Env, make
from highvoltage.batch.exchange import TwinChance, deck_of, fields_of, reach_of
from highvoltage.batch.policies import POLICIES, Policy
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import ASIDE, REGION
from highvoltage.batch.tables import CARDS, Table
from highvoltage.codec.board import layout
from highvoltage.engine.events import Event, StepBegins
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move, Nominate
from highvoltage.games.classic.state import BoardState
from highvoltage.testing.settings import Setting

RULES = {  # the rule to check when a field differs
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
MAX_DECISIONS = 4_000  # a game that takes more decisions is abandoned
CLOSE_CHECK_SHARE = 0.05  # share of the decisions that get the additional checks
ROWS = (list, tuple)
COUNTED_EVENTS = ("cannot_buy", "demolished", "placed", "taken", "stocked", "slid", "removed")


class Mismatch(AssertionError):
    """The twin and the engine do not agree."""


class Tally:
    """What was compared, and what happened in the games."""

    def __init__(self) -> None:
        self.games = self.decisions = self.moves = self.observations = self.exchanges = 0
        self.events: Counter[str] = Counter()

    def add(self, match: "LockstepGame") -> None:
        """Add a game that is over."""
        self.games += 1
        self.decisions += len(match.game.log)
        self.moves += match.moves
        self.observations += match.observations
        self.exchanges += match.exchanges
        self.events["left"] += match.game.to_move is not None
        self.events += match.events


class SeatView(dict[str, Any]):
    """The view of the seat to move; most of it is seldom read, and computed only then."""

    def __init__(self, game: Game) -> None:
        s = game.state
        assert isinstance(s, BoardState)
        seat, regions = s.actor, list(s.regions)
        super().__init__(seat=seat, to_move=seat, phase=s.phase_name, regions=regions)
        self.game: Game = game

    def __missing__(self, name: str) -> Any:
        self.update(self.game.view(self["seat"]))
        return self[name]


class Checker:
    """Plays games of one setting in lockstep with the engine."""

    def __init__(self, setting: Setting, batch: int = 16) -> None:
        self.setting: Setting = setting
        self.batch: int = batch
        self.env: Env = make(setting.rulebook, setting.map, setting.players, **setting.options)
        self.code: codec.Codec = codec.make(
            setting.rulebook, setting.map, setting.players, **setting.options
        )
        self.policies: list[Policy] = [Policy(name, self.env, self.code) for name in POLICIES]
        self.draw_chance: Any = vmapped(lambda key: setup.draw_chance(self.env.tables, key))
        self.start: Any = vmapped(lambda chance: setup.start(self.env.tables, chance))
        self.step: Any = vmapped(self.env.step)
        self.observe: Any = vmapped(self.env.observe)

    def run(self, games: int, seed: int = 0, first: int = 0) -> Tally:
        """Play so many games; raises Mismatch with move, field and rule if one differs."""
        rng = np.random.default_rng((seed, first))
        tally = Tally()
        waiting = iter(range(first, first + games))
        seats: list[LockstepGame | None] = [None] * self.batch
        state: Any = None
        while True:
            if any(match is None for match in seats):
                seats, state = self.seat(seats, state, waiting, seed)
                if not any(seats):
                    return tally
            host = HostStates(state)
            close = rng.random() < CLOSE_CHECK_SHARE
            observed = jax.device_get(self.observe(state)) if close else None
            converted = rng.integers(self.batch) if close else self.batch
            actions = np.zeros(self.batch, np.int16)
            for at, match in enumerate(seats):
                if match is None:
                    continue
                match.compare(host, at)
                if at == converted:
                    match.check_round_trip(row_of(jax.device_get(state), at))
                if match.over:
                    tally.add(match)
                    seats[at] = None
                    continue
                if observed is not None:
                    match.compare_observation(row_of(observed, at))
                actions[at] = match.play()
            state = self.step(state, actions)

    def seat(
        self, seats: list["LockstepGame | None"], state: Any, waiting: Iterator[int], seed: int
    ) -> tuple[list["LockstepGame | None"], Any]:
        """Start new games in place of those that are over."""
        numbers = [None if match else next(waiting, None) for match in seats]
        if all(number is None for number in numbers):
            return seats, state
        keys = jax.vmap(jax.random.fold_in, (None, 0))(
            jax.random.key(seed), np.array([number or 0 for number in numbers])
        )
        chance = jax.device_get(self.draw_chance(keys))
        fresh = jax.device_get(self.start(chance))
        state = jax.tree.map(np.array, fresh if state is None else jax.device_get(state))
        for at, number in enumerate(numbers):
            if number is not None:
                rng = np.random.default_rng((seed, number))
                seats[at] = LockstepGame(self, number, row_of(chance, at), rng)
                for old, new in zip(jax.tree.leaves(state), jax.tree.leaves(fresh), strict=True):
                    old[at] = new[at]
        return seats, state


def vmapped(function: Any) -> Any:
    """The function over a batch, compiled fast: a thousand games hardly repay optimization."""
    return jit_fast(jax.vmap(function))


def row_of(tree: Any, at: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[at], tree)


class HostStates:
    """A batch of states as Python lists, read once for all its games."""

    def __init__(self, state: Any) -> None:
        parts = [("", state)] + [("cartel.", state.cartel)] * (state.cartel is not None)
        self.arrays: dict[str, Table] = {
            prefix + field.name: np.asarray(getattr(part, field.name))
            for prefix, part in parts
            for field in fields(part)
            if field.name not in ("cartel", "env_id")
        }
        networks = self.arrays["cities"] > 0
        self.arrays["reach"] = self.arrays["reach"] * networks[:, :, None]
        self.lists: dict[str, list[list[Any]]] = {
            name: array.reshape(len(array), -1).tolist()
            for name, array in self.arrays.items()
            if name not in ("legal_action_mask", "pile", "shuffle")
        }


class LockstepGame:
    """One game of the engine, compared with its twin."""

    def __init__(
        self, checker: Checker, number: int, chance: setup.ChanceRanks, rng: np.random.Generator
    ) -> None:
        self.env: Env = checker.env
        self.code: codec.Codec = checker.code
        self.setting: Setting = checker.setting
        self.number = number
        self.rng = rng
        self.policy: Policy = checker.policies[number % len(POLICIES)]
        names = [f"Player {seat + 1}" for seat in range(self.env.num_players)]
        self.game: Game = Game(self.env.tables.rules, TwinChance(self.env.tables, chance), names)
        self.moves = self.observations = self.exchanges = 0
        self.events: Counter[str] = Counter()
        self.view: SeatView = SeatView(self.game)
        self.legal: Table = np.zeros(0, bool)
        self.pile: tuple[bytes, int] = (b"", 0)  # the one that `cards` was read from
        self.cards: tuple[list[int], list[int]] = ([], [])

    @property
    def over(self) -> bool:
        return self.game.to_move is None or len(self.game.log) == MAX_DECISIONS

    @property
    def state(self) -> BoardState:
        state = self.game.state
        assert isinstance(state, BoardState)
        return state

    def compare(self, host: HostStates, at: int) -> None:
        """Compare everything about one position."""
        t, s, lists = self.env.tables, self.state, host.lists
        expected = fields_of(t, s)
        expected["terminated"] = s.outcome is not None
        if s.actor is not None:
            expected["current_player"] = s.actor
        if expected["mode"] != REGION:
            expected["reach"] = reach_of(t, s)
        for name, value in expected.items():
            if lists[name][at] != flatten(value):
                self.raise_mismatch(name, value, host.arrays[name][at])
        self.compare_cards(host.arrays["pile"][at], int(host.arrays["last"][at]))
        self.legal = host.arrays["legal_action_mask"][at]
        if s.outcome is None:
            self.view = SeatView(self.game)
            self.compare_mask(self.code.mask(self.view, self.game.legal_moves))
            self.moves += int(self.legal.sum())
        else:
            self.compare_end(host, at)

    def compare_cards(self, pile: Table, last: int) -> None:
        """Compare the deck and the cards removed at set-up."""
        if (read := (pile.tobytes(), last)) != self.pile:
            aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
            self.pile, self.cards = read, (deck_of(pile, last), aside)
        market = self.state.market
        deck, aside = self.cards
        if market.deck != deck:
            self.raise_mismatch("deck", market.deck, deck)
        if sorted(market.aside) != aside:
            self.raise_mismatch("aside", market.aside, aside)

    def compare_end(self, host: HostStates, at: int) -> None:
        """Compare the places, and what a finished game shows."""
        over = self.game.outcome
        assert over is not None
        self.compare_mask(np.ones(self.env.num_actions, bool))
        before = [sum(map(len, over.ranking[:at])) for at in range(len(over.ranking))]
        places = {s: n for n, tied in zip(before, over.ranking, strict=True) for s in tied}
        ranked = [place for _, place in sorted(places.items())]
        if ranked != host.lists["place"][at]:
            self.raise_mismatch("place", ranked, host.lists["place"][at])
        share = np.array([(place == 0) / len(over.winners) for place in ranked], np.float32)
        if not np.array_equal(share, host.arrays["rewards"][at]):
            self.raise_mismatch("rewards", share, host.arrays["rewards"][at])
        self.events[f"ends in step {self.state.step}"] += 1
        self.events["phased out"] += self.state.phased_out
        self.events["tie"] += len(over.winners) > 1

    def compare_mask(self, theirs: Table) -> None:
        if not np.array_equal(theirs, self.legal):
            missing, beyond = theirs & ~self.legal, self.legal & ~theirs
            self.raise_mismatch(
                "legal_action_mask", np.flatnonzero(missing), np.flatnonzero(beyond)
            )

    def compare_observation(self, observed: dict[str, Table]) -> None:
        """Compare what the seat to move may know."""
        self.observations += 1
        for name, array in self.code.observe(self.game.view(self.state.actor)).items():
            apart = np.abs(array - observed[name]) > 1e-6
            if apart.any():
                at = tuple(np.argwhere(apart)[0])
                part = next(part for part in layout.PARTS if part.name == name)
                where = f"observation, {name} {part.columns[at[-1]]} at {at}"
                self.raise_mismatch(where, array[at], observed[name][at])

    def check_round_trip(self, state: Any) -> None:
        """Convert to the engine, and back from a view."""
        self.exchanges += 1
        converted = self.env.to_game(state)
        seat = int(self.rng.integers(self.env.num_players))
        for viewer in (seat, None):
            theirs, ours = (
                without_history(self.game.view(viewer)),
                without_history(converted.view(viewer)),
            )
            for name, value in theirs.items():
                if ours[name] != value:
                    self.raise_mismatch(f"to_game, {name}", value, ours[name])
        if list(converted.legal_moves) != list(self.game.legal_moves):
            self.raise_mismatch(
                "to_game, legal moves", self.game.legal_moves, converted.legal_moves
            )
        if not self.env.tables.hidden_money:
            self.read_back(state, self.game.view(seat))

    def read_back(self, state: Any, view: dict[str, Any]) -> None:
        t, s = self.env.tables, self.state
        read = jax.device_get(self.env.from_view(view, jax.random.key(self.number)))
        expected = fields_of(t, s) | {"legal_action_mask": self.legal.tolist()}
        expected |= {name: getattr(state, name).tolist() for name in ("cheap", "nuclear")}
        if expected["mode"] != REGION:
            expected["reach"] = reach_of(t, s)
        for name, value in expected.items():
            if flatten(value) != np.ravel(field_of(read, name)).tolist():
                self.raise_mismatch(f"from_view, {name}", value, field_of(read, name))
        deck = deck_of(read.pile, int(read.last))
        if len(deck) != len(s.market.deck):
            self.raise_mismatch("from_view, deck", len(s.market.deck), len(deck))

    def raise_mismatch(self, name: str, theirs: Any, ours: Any) -> None:
        moves = "\n  ".join(str(row.move) for row in self.game.log[-6:])
        rule = RULES.get(name.split(",", maxsplit=1)[0], "C-14")
        raise Mismatch(
            f"{name} ({rule}): the engine has {theirs}, the twin {ours}\n"
            f"{self.setting}, game {self.number} ({self.policy.name}), after move"
            f" {len(self.game.log)} in round {self.game.state.round}, the latest moves:\n  {moves}"
        )

    def play(self) -> int:
        """Choose a legal action and play it in the engine."""
        action = self.policy.choose(self.rng, self.view, self.legal)
        move = self.code.move(self.view, action)
        phase = self.state.phase_name
        events = self.game.play(move)
        self.events.update(notable_events(move, phase, events))
        return action


def notable_events(move: Move, phase: str, events: Iterable[Event]) -> Iterator[str]:
    """The names of what happened; frequent events are left out."""
    yield move.verb
    if isinstance(move, Nominate) and move.bid < move.card:
        yield "discount"
    for event in events:
        if isinstance(event, StepBegins):
            yield f"step {event.step}"
        elif event.what == "shuffled":
            yield f"step 3 card in {phase}"
        elif event.what in COUNTED_EVENTS:
            yield event.what


def without_history(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the order of past events, which a position does not record."""
    view["regions"].sort()
    market = view["market"]
    market["removed"].sort()
    if len(market["slid"]) == market["deck"]:  # shuffled
        market["slid"].sort()
    for player in view["players"]:
        player["cities"].sort()
    if view["auction"]["card"] is None:
        view["auction"]["bid"] = 0
    return {name: value for name, value in view.items() if name != "seq"}


def flatten(value: Any) -> list[Any]:
    """The numbers of a field in a flat list.

    >>> flatten(3), flatten([1, 2]), flatten([[1, 2], (3, 4)])
    ([3], [1, 2], [1, 2, 3, 4])
    """
    if not isinstance(value, ROWS):
        return [value]
    if isinstance(value[0], ROWS):
        return list(chain.from_iterable(value))
    return list(value)


def field_of(state: Any, name: str) -> Any:
    for part in name.split("."):
        state = getattr(state, part)
    return state
