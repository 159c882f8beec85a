"""The environment: many games at once, with the interface of pgx."""

from abc import ABC, abstractmethod
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from highvoltage.batch import hidden, play, setup
from highvoltage.batch.cardgame import exchange as card_exchange
from highvoltage.batch.cardgame import hidden as card_hidden
from highvoltage.batch.cardgame import observe as card_observe
from highvoltage.batch.cardgame import play as card_play
from highvoltage.batch.cardgame import reading as card_reading
from highvoltage.batch.cardgame import setup as card_setup
from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import Tables as CardTables
from highvoltage.batch.exchange import to_game
from highvoltage.batch.observe import Facts, observe
from highvoltage.batch.outpost import exchange as outpost_exchange
from highvoltage.batch.outpost import hidden as outpost_hidden
from highvoltage.batch.outpost import observe as outpost_observe
from highvoltage.batch.outpost import play as outpost_play
from highvoltage.batch.outpost import reading as outpost_reading
from highvoltage.batch.outpost import setup as outpost_setup
from highvoltage.batch.outpost.state import OutpostState
from highvoltage.batch.outpost.tables import Tables as OutpostTables
from highvoltage.batch.reading import from_view
from highvoltage.batch.scaling import Observation
from highvoltage.batch.seldom import seldom
from highvoltage.batch.state import Array, S, State
from highvoltage.batch.tables import Tables
from highvoltage.codec import Spec  # noqa: TC001  # a field's type
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from highvoltage.engine.rulebook import MapSpec

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")


class Env(ABC):
    """Games of one rulebook, map, number of players and options; `init` and `step` are pure.

    The abstract methods are what a kind of game has of its own.
    """

    def __init__(self, tables: Any, *, debug: bool = False) -> None:
        self.tables = tables
        self.debug = debug
        self.id: str = tables.id
        self.version: str = str(tables.rules.version)
        self.num_players: int = tables.players
        self.spec: Spec = tables.spec
        self.num_actions: int = tables.actions
        self._redraw_each: Any = jax.jit(jax.vmap(self.redraw, (None, 0)))

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each part of an observation."""
        return {part.name: part.shape for part in self.spec.parts}

    def init(self, key: Array) -> Any:
        """A new game, its chance drawn from `key`."""
        return self.start(self.draw_chance(key))

    def step(self, state: S, action: Array, key: Array | None = None) -> S:
        """The game after an action; one that is not legal loses it for the seat to move.

        Without `key` the chance is that of the state. With one, `redraw` comes before the action.
        """
        action = jnp.asarray(action)
        if key is not None:
            state = self.redraw(state, key)
        if self.debug:
            given = (action, state.legal_action_mask, state.current_player, state.terminated)
            jax.debug.callback(refuse, *given)
        return self.apply(state, action)

    def observe(self, state: Any, player: Array | None = None) -> Observation:
        """What a seat may know, the one to move if none is named; the codec says what is what."""
        seat = jnp.asarray(state.current_player if player is None else player)
        if self.debug:
            jax.debug.callback(partial(refuse_seat, self.num_players), seat)
        return self.observe_seat(state, seat)

    def worlds(self, view: dict[str, Any], key: Array, n: int) -> Any:
        """A batch of positions that fit a view; what it hides is drawn anew in each of them."""
        return self._redraw_each(self.from_view(view, key), jax.random.split(key, n))

    @abstractmethod
    def draw_chance(self, key: Array) -> Any:
        """What chance decides."""

    @abstractmethod
    def start(self, chance: Any) -> Any:
        """A new game from what chance has decided."""

    @abstractmethod
    def apply(self, state: S, action: Array) -> S:
        """The game after an action."""

    @abstractmethod
    def redraw(self, state: S, key: Array) -> S:
        """The position with everything that nobody can know drawn anew, uniformly from `key`."""

    @abstractmethod
    def observe_seat(self, state: Any, seat: Array) -> Observation:
        """What a seat may know."""

    @abstractmethod
    def to_game(self, state: Any) -> Game:
        """The engine's game at the position of one state, to play on from; its log is empty."""

    @abstractmethod
    def from_view(self, view: dict[str, Any], key: Array) -> Any:
        """The position that a view shows; the order of hidden cards is drawn from `key`."""


class BoardEnv(Env):
    """Classic and Recharged."""

    tables: Tables

    def __init__(self, tables: Tables, *, debug: bool = False) -> None:
        super().__init__(tables, debug=debug)
        self.facts: Facts = Facts(tables)

    def draw_chance(self, key: Array) -> setup.ChanceRanks:
        return setup.draw_chance(self.tables, key)

    def start(self, chance: setup.ChanceRanks) -> State:
        return setup.start(self.tables, chance)

    def apply(self, state: Any, action: Array) -> Any:
        return play.step(self.tables, state, action)

    def redraw(self, state: Any, key: Array) -> Any:
        return hidden.redraw(self.tables, state, key)

    def observe_seat(self, state: State, seat: Array) -> Observation:
        return observe(self.tables, self.facts, state, seat)

    def to_game(self, state: State) -> Game:
        return to_game(self.tables, state)

    def from_view(self, view: dict[str, Any], key: Array) -> State:
        return from_view(self.tables, view, key)


class CardEnv(Env):
    """The Card Game."""

    tables: CardTables

    def draw_chance(self, key: Array) -> card_setup.ChanceRanks:
        return card_setup.draw_chance(self.tables, key)

    def start(self, chance: card_setup.ChanceRanks) -> CardState:
        return card_setup.start(self.tables, chance)

    def apply(self, state: Any, action: Array) -> Any:
        return card_play.step(self.tables, state, action)

    def redraw(self, state: Any, key: Array) -> Any:
        return card_hidden.redraw(self.tables, state, key)

    def observe_seat(self, state: CardState, seat: Array) -> Observation:
        return card_observe.observe(self.tables, state, seat)

    def to_game(self, state: CardState) -> Game:
        return card_exchange.to_game(self.tables, state)

    def from_view(self, view: dict[str, Any], key: Array) -> CardState:
        return card_reading.from_view(self.tables, view, key)


class OutpostEnv(Env):
    """Outpost."""

    tables: OutpostTables

    def draw_chance(self, key: Array) -> outpost_setup.ChanceRanks:
        return outpost_setup.draw_chance(self.tables, key)

    def start(self, chance: outpost_setup.ChanceRanks) -> OutpostState:
        return outpost_setup.start(self.tables, chance)

    def apply(self, state: Any, action: Array) -> Any:
        return outpost_play.step(self.tables, state, action)

    def redraw(self, state: Any, key: Array) -> Any:
        return outpost_hidden.redraw(state, key)

    def observe_seat(self, state: OutpostState, seat: Array) -> Observation:
        return outpost_observe.observe(self.tables, state, seat)

    def to_game(self, state: OutpostState) -> Game:
        return outpost_exchange.to_game(self.tables, state)

    def from_view(self, view: dict[str, Any], key: Array) -> OutpostState:
        return outpost_reading.from_view(self.tables, view, key)


def refuse(action: Any, mask: Any, seat: Any, over: Any) -> None:
    """Raise if an action is out of range or not legal."""
    if not 0 <= action < len(mask):
        raise ValueError(f"there is no action {action}: they are 0 to {len(mask) - 1}")
    if not mask[action] and not over:
        raise ValueError(f"action {action} is not legal for seat {seat}; see legal_action_mask")


def refuse_seat(players: int, seat: Any) -> None:
    """Raise if there is no such seat."""
    if not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat}: they are 0 to {players - 1}")


def make(
    rulebook: str,
    map: MapSpec = None,  # noqa: A002
    players: int = 4,
    *,
    debug: bool = False,
    **options: Any,
) -> Env:
    """The environment of a rulebook, for a map (a name, a file or its content).

    With `debug`, actions that are not legal and seats that do not exist raise an error, at the cost
    of speed.
    """
    if rulebook in ("classic", "recharged"):
        return BoardEnv(Tables(rulebook, map, players, options), debug=debug)
    if rulebook == "cardgame":
        return CardEnv(CardTables(rulebook, map, players, options), debug=debug)
    if rulebook == "outpost":
        return OutpostEnv(OutpostTables(rulebook, map, players, options), debug=debug)
    raise OptionError(f"There is no batched '{rulebook}'. Batched are: {', '.join(RULEBOOKS)}.")


def reset(env: Env, states: S, key: Array) -> S:
    """New games in the place of those of a batch that are over."""
    keys = jax.random.split(key, states.terminated.shape[0])

    def begin(now: tuple[S, Array]) -> tuple[S, Array]:
        return env.init(now[1]), now[1]

    def one(state: S, key: Array) -> S:
        return seldom(state.terminated, begin, (state, key))[0]

    chosen: S = jax.vmap(one)(states, keys)
    return chosen
