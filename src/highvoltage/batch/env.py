"""The environment: many games at once, with the interface of pgx."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from highvoltage.batch import play, setup
from highvoltage.batch.exchange import to_game
from highvoltage.batch.observe import Facts, Observation, observe
from highvoltage.batch.reading import from_view
from highvoltage.batch.state import Array, State
from highvoltage.batch.tables import Tables
from highvoltage.engine.game import Game
from highvoltage.engine.rulebook import MapSpec


class Env:
    """Games of one rulebook, map, number of players and options; `init` and `step` are pure."""

    def __init__(self, tables: Tables, *, debug: bool = False) -> None:
        self.tables = tables
        self.debug = debug
        self.facts: Facts = Facts(tables)
        self.id: str = tables.id
        self.version: str = str(tables.rules.version)
        self.num_players: int = tables.players
        self.num_actions: int = tables.actions

    def init(self, key: Array) -> State:
        """A new game; all its randomness is drawn from `key`."""
        return setup.start(self.tables, setup.draw_chance(self.tables, key))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The game after a legal action; `key` is ignored: the state contains all randomness."""
        action = jnp.asarray(action)
        if self.debug:
            values = (action, state.legal_action_mask, state.current_player, state.terminated)
            jax.debug.callback(refuse, *values)
        return play.step(self.tables, state, action)

    def observe(self, state: State, player: Array | None = None) -> Observation:
        """What a seat may know (by default the seat to move), in the layout of the codec."""
        seat = jnp.asarray(state.current_player if player is None else player)
        if self.debug:
            jax.debug.callback(partial(refuse_seat, self.num_players), seat)
        return observe(self.tables, self.facts, state, seat)

    def to_game(self, state: State) -> Game:
        """The engine's game at the position of one state, to be played on; its log is empty."""
        return to_game(self.tables, state)

    def from_view(self, view: dict[str, Any], key: Array) -> State:
        """The position that a view shows; the order of the deck is drawn from `key`."""
        return from_view(self.tables, view, key)


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

    Illegal actions and seats that do not exist have undefined results; with `debug` they raise, at
    the cost of speed.
    """
    return Env(Tables(rulebook, map, players, options), debug=debug)


def reset(env: Env, states: State, key: Array) -> State:
    """A batch of states in which finished games are replaced by new ones."""
    fresh = jax.vmap(env.init)(jax.random.split(key, states.terminated.shape[0]))
    over = states.terminated

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(over.reshape(over.shape + (1,) * (new.ndim - 1)), new, old)

    chosen: State = jax.tree.map(choose, fresh, states)
    return chosen
