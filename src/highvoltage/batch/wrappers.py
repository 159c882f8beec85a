"""What programs written for pgx expect: an observation in every state, and games without end."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

import jax
import jax.numpy as jnp

from highvoltage.batch.env import Env
from highvoltage.batch.state import Array, GameState


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class ObservedState:
    """A state with what the seat to move may know, in one row; its fields are those of pgx."""

    observation: Array
    _game: GameState

    @property
    def game(self) -> Any:
        """The plain state, for `to_game` and for reading its fields."""
        return self._game

    @property
    def env_id(self) -> str:
        return self._game.env_id

    @property
    def current_player(self) -> Array:
        return self._game.current_player

    @property
    def legal_action_mask(self) -> Array:
        return self._game.legal_action_mask

    @property
    def rewards(self) -> Array:
        return self._game.rewards

    @property
    def terminated(self) -> Array:
        return self._game.terminated

    @property
    def truncated(self) -> Array:
        return self._game.truncated

    @property
    def _step_count(self) -> Array:
        return self._game._step_count  # noqa: SLF001

    def replace(self, **changes: Any) -> Self:
        observation = changes.pop("observation", self.observation)
        return replace(self, observation=observation, _game=self._game.replace(**changes))


class Observed:
    """An environment whose states hold their observation: the parts of the codec in one row.

    Making it takes longer than a step. Where not every state is looked at, call `observe` instead.
    """

    def __init__(self, env: Env) -> None:
        self.env = env
        self.id: str = env.id
        self.version: str = env.version
        self.num_players: int = env.num_players
        self.num_actions: int = env.num_actions

    @property
    def observation_shape(self) -> tuple[int]:
        return (sum(prod(part.shape) for part in self.env.spec.parts),)

    def init(self, key: Array) -> ObservedState:
        """A new game, its chance drawn from `key`."""
        return self._observed(self.env.init(key))

    def step(self, state: ObservedState, action: Array, key: Array | None = None) -> ObservedState:
        """The game after an action, as `Env.step`."""
        return self._observed(self.env.step(state.game, action, key))

    def observe(self, state: ObservedState, player: Array | None = None) -> Array:
        """What a seat may know, the one to move if none is named."""
        return self._row(state.game, player)

    def _observed(self, game: GameState) -> ObservedState:
        return ObservedState(self._row(game), game)

    def _row(self, game: GameState, player: Array | None = None) -> Array:
        seen = self.env.observe(game, player)
        return jnp.concatenate([seen[part.name].ravel() for part in self.env.spec.parts])


def auto_reset(
    step: Callable[[Any, Array], Any], init: Callable[[Array], Any]
) -> Callable[[Any, Array, Array], Any]:
    """A step that goes on with a new game when one ends, for `Env` and `Observed`.

    The state that it returns is then the start of the new game, but has `terminated` and `rewards`
    of the old one. It draws a start at every step; `reset` for a batch now and then is faster.
    """

    def step_and_reset(state: Any, action: Array, key: Array) -> Any:
        ended = state.terminated | state.truncated
        state = state.replace(
            terminated=state.terminated & ~ended,
            truncated=state.truncated & ~ended,
            rewards=jnp.where(ended, 0.0, state.rewards),
        )
        state = step(state, action)
        fresh = init(key).replace(
            terminated=state.terminated, truncated=state.truncated, rewards=state.rewards
        )
        ended = state.terminated | state.truncated
        return jax.tree.map(lambda new, old: jnp.where(ended, new, old), fresh, state)

    return step_and_reset
