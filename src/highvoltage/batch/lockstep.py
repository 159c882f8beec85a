"""Compares the twin with the engine, move by move, with the same randomness.

Many games are stepped at once in the twin and one by one in the engine. At every decision actor,
legal moves and every field must agree, and the places at the end. At some decisions the observation
is compared too, and one of the games is converted to the engine, and from a view to the twin.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any

import jax
import numpy as np

from highvoltage import codec
from highvoltage.batch.board_comparing import BoardComparison
from highvoltage.batch.cardgame.comparing import CardComparison
from highvoltage.batch.codes import Table
from highvoltage.batch.comparing import Comparison, Fields
from highvoltage.batch.env import BoardEnv, CardEnv, Env, OutpostEnv, make
from highvoltage.batch.outpost.comparing import OutpostComparison
from highvoltage.batch.policies import POLICIES, CardPolicy, OutpostPolicy, Policy
from highvoltage.batch.reading import jit_fast
from highvoltage.engine.events import Event, Shuffled, StageBegins, StepBegins
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move, Nominate
from highvoltage.testing.settings import Setting

MAX_DECISIONS = 4_000  # decisions of a game; one that is not over by then is left
CLOSE_CHECK_SHARE = 0.05  # of the decisions are looked at more closely
ROWS = (list, tuple)
HIDDEN = (
    "legal_action_mask",
    "pile",
    "shuffle",
    "later",
    "places",
    "seed",
    "roads",
)  # not compared as they are
PARTS: dict[type[Env], tuple[type[Comparison[Any]], type[Policy]]] = {  # of each kind of game
    BoardEnv: (BoardComparison, Policy),
    CardEnv: (CardComparison, CardPolicy),
    OutpostEnv: (OutpostComparison, OutpostPolicy),
}
SHUFFLES = {"step3": "step 3 card in {}", "end": "END in {}", "pile": "stage 2 in {}"}
COUNTED_EVENTS = (
    "cannot_buy",
    "demolished",
    "placed",
    "taken",
    "stocked",
    "slid",
    "removed",
    "surplus",
)


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

    def __init__(self, game: Game, known: Fields) -> None:
        super().__init__(known)
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
        compares, policy = PARTS[type(self.env)]
        self.comparison: Comparison[Any] = compares(self.env.tables)
        self.policies: list[Policy] = [policy(name, self.env, self.code) for name in POLICIES]
        self.draw_chance: Any = vmapped(self.env.draw_chance)
        self.start: Any = vmapped(self.env.start)
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
            sheet = HostStates(state)
            close = rng.random() < CLOSE_CHECK_SHARE
            observed = jax.device_get(self.observe(state)) if close else None
            converted = rng.integers(self.batch) if close else self.batch
            actions = np.zeros(self.batch, np.int32)
            for at, match in enumerate(seats):
                if match is None:
                    continue
                match.compare(sheet, at)
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
                start = row_of(fresh, at)
                scarce = self.comparison.scarce(start, rng) if is_scarce(number) else None
                game = None if scarce is None else self.env.to_game(scarce)
                seats[at] = LockstepGame(self, number, row_of(chance, at), rng, game)
                begun = start if scarce is None else scarce
                for old, new in zip(jax.tree.leaves(state), jax.tree.leaves(begun), strict=True):
                    old[at] = new
        return seats, state


def is_scarce(number: int) -> bool:
    """Every policy plays a game from a usual start, then one with few cards."""
    return number // len(POLICIES) % 2 == 1


def vmapped(function: Any) -> Any:
    """The function over a batch, compiled fast: a thousand games hardly repay optimization."""
    return jit_fast(jax.vmap(function))


def row_of(tree: Any, at: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[at], tree)


class HostStates:
    """A batch of states as Python lists, read once for all its games."""

    def __init__(self, state: Any) -> None:
        self.arrays: dict[str, Table] = arrays_of(state)
        if "reach" in self.arrays:
            networks = self.arrays["cities"] > 0
            self.arrays["reach"] = self.arrays["reach"] * networks[:, :, None]
        self.lists: dict[str, list[list[Any]]] = {
            name: array.reshape(len(array), -1).tolist()
            for name, array in self.arrays.items()
            if name not in HIDDEN
        }


def arrays_of(state: Any, prefix: str = "") -> dict[str, Table]:
    """The fields of a state, those of its parts with the name of the part before theirs."""
    found: dict[str, Table] = {}
    for field in fields(state):
        value = getattr(state, field.name)
        if is_dataclass(value):
            found |= arrays_of(value, f"{field.name}.")
        elif field.name != "env_id" and value is not None:
            found[prefix + field.name] = np.asarray(value)
    return found


class LockstepGame:
    """One game of the engine beside its twin; `game` if it did not begin from what was drawn."""

    def __init__(
        self,
        checker: Checker,
        number: int,
        drawn: Any,
        rng: np.random.Generator,
        game: Game | None = None,
    ) -> None:
        self.env: Env = checker.env
        self.code: codec.Codec = checker.code
        self.setting: Setting = checker.setting
        self.comparison: Comparison[Any] = checker.comparison
        self.number = number
        self.rng = rng
        self.policy: Policy = checker.policies[number % len(POLICIES)]
        names = [f"Player {seat + 1}" for seat in range(self.env.num_players)]
        chance = self.comparison.chance(drawn)
        self.game: Game = game or Game(self.env.tables.rules, chance, names)
        self.scarce: bool = game is not None
        self.moves = self.observations = self.exchanges = 0
        self.events: Counter[str] = Counter()
        self.view: SeatView = SeatView(self.game, {})
        self.legal: Table = np.zeros(0, bool)

    @property
    def over(self) -> bool:
        return self.game.to_move is None or len(self.game.log) == MAX_DECISIONS

    @property
    def state(self) -> Any:
        state = self.game.state
        assert isinstance(state, self.comparison.kind)
        return state

    def compare(self, sheet: HostStates, at: int) -> None:
        """Everything about one position."""
        s, lists = self.state, sheet.lists
        fields = self.comparison.fields(s)
        fields["terminated"] = s.outcome is not None
        if s.actor is not None:
            fields["current_player"] = s.actor
        for name, value in fields.items():
            if lists[name][at] != flatten(value):
                self.raise_mismatch(name, value, sheet.arrays[name][at])
        hidden = self.comparison.hidden_in({n: array[at] for n, array in sheet.arrays.items()})
        for name, value in self.comparison.hidden(s).items():
            if value != hidden[name]:
                self.raise_mismatch(name, value, hidden[name])
        self.legal = sheet.arrays["legal_action_mask"][at]
        if s.outcome is None:
            self.view = SeatView(self.game, self.comparison.seat_view(s))
            self.compare_mask(self.code.mask(self.view, self.game.legal_moves))
            self.moves += int(self.legal.sum())
        else:
            self.compare_end(sheet, at)

    def compare_end(self, sheet: HostStates, at: int) -> None:
        """The places, and what a finished game shows."""
        over = self.game.outcome
        assert over is not None
        self.compare_mask(np.ones(self.env.num_actions, bool))
        before = [sum(map(len, over.ranking[:at])) for at in range(len(over.ranking))]
        places = {s: n for n, tied in zip(before, over.ranking, strict=True) for s in tied}
        ranked = [place for _, place in sorted(places.items())]
        if ranked != sheet.lists["place"][at]:
            self.raise_mismatch("place", ranked, sheet.lists["place"][at])
        share = np.array([(place == 0) / len(over.winners) for place in ranked], np.float32)
        if not np.array_equal(share, sheet.arrays["rewards"][at]):
            self.raise_mismatch("rewards", share, sheet.arrays["rewards"][at])
        self.events.update(self.comparison.endings(self.state))
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
                part = next(part for part in self.code.spec.parts if part.name == name)
                where = f"observation, {name} {part.columns[at[-1]]} at {at}"
                self.raise_mismatch(where, array[at], observed[name][at])

    def check_round_trip(self, state: Any) -> None:
        """Convert to the engine, and back from a view."""
        self.exchanges += 1
        there = self.env.to_game(state)
        seat = int(self.rng.integers(self.env.num_players))
        for viewer in (seat, None):
            theirs, ours = map(
                self.comparison.in_order, (self.game.view(viewer), there.view(viewer))
            )
            for name, value in theirs.items():
                if ours[name] != value:
                    self.raise_mismatch(f"to_game, {name}", value, ours[name])
        if list(there.legal_moves) != list(self.game.legal_moves):
            self.raise_mismatch("to_game, legal moves", self.game.legal_moves, there.legal_moves)
        if not (self.env.tables.hidden_money or self.scarce):
            self.read_back(state, self.game.view(seat))

    def read_back(self, state: Any, view: dict[str, Any]) -> None:
        read = jax.device_get(self.env.from_view(view, jax.random.key(self.number)))
        fields = self.comparison.fields_in_view(self.state, state)
        fields |= {"legal_action_mask": self.legal.tolist()}
        arrays = arrays_of(read)
        for name, value in fields.items():
            if flatten(value) != np.ravel(arrays[name]).tolist():
                self.raise_mismatch(f"from_view, {name}", value, arrays[name])
        hidden = self.comparison.hidden_in(arrays)
        for name, value in self.comparison.hidden(self.state).items():
            if len(value) != len(hidden[name]):
                self.raise_mismatch(f"from_view, {name}", value, hidden[name])

    def raise_mismatch(self, name: str, theirs: Any, ours: Any) -> None:
        moves = "\n  ".join(str(row.move) for row in self.game.log[-6:])
        rules = self.comparison.rules
        rule = rules.get(name.split(",", maxsplit=1)[0], rules["legal_action_mask"])
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
        elif isinstance(event, StageBegins):
            yield f"stage {event.stage}"
        elif isinstance(event, Shuffled):
            yield SHUFFLES.get(event.by, event.by).format(phase)
        elif event.what in COUNTED_EVENTS:
            yield event.what


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
