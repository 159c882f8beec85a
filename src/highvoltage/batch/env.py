"""The environment: many games at once, with the face that pgx has made familiar."""

from typing import Any

import jax
import jax.numpy as jnp

from highvoltage.batch import play, setup
from highvoltage.batch.observe import Facts, Observation, observe
from highvoltage.batch.state import Array, State
from highvoltage.batch.tables import Tables
from highvoltage.engine.rulebook import MapWish


class Env:
    """Games of one rulebook, map, number of players and options; `init` and `step` are pure."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.facts = Facts(tables)
        self.id = f"highvoltage_{tables.rules.name}"
        self.version = str(tables.rules.version)
        self.num_players = tables.players
        self.num_actions = tables.actions

    def init(self, key: Array) -> State:
        """A new game, all its chance drawn from `key`."""
        return setup.start(self.tables, setup.draw_lots(self.tables, key))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The game after a legal action; `key` is not needed, all chance is in the state."""
        return play.step(self.tables, state, jnp.asarray(action))

    def observe(self, state: State, player: Array | None = None) -> Observation:
        """What a seat may know, the one to move if none is named; the codec says what is what."""
        seat = state.current_player if player is None else jnp.asarray(player, jnp.int8)
        return observe(self.tables, self.facts, state, seat)


def make(rulebook: str, map: MapWish = None, players: int = 4, **options: Any) -> Env:  # noqa: A002
    """The environment of a rulebook, for a map (a name, a file or what is in one)."""
    return Env(Tables(rulebook, map, players, options))


def reset(env: Env, states: State, key: Array) -> State:
    """New games in the place of those of a batch that are over."""
    fresh = jax.vmap(env.init)(jax.random.split(key, states.terminated.shape[0]))
    over = states.terminated

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(over.reshape(over.shape + (1,) * (new.ndim - 1)), new, old)

    chosen: State = jax.tree.map(choose, fresh, states)
    return chosen
