"""What a step has in common in all games: an action is read, and an end is rewarded."""

from collections.abc import Callable, Mapping

import jax.numpy as jnp

from highvoltage.batch.state import OVER, Array, GameState, S
from highvoltage.codec import Head


def choices(heads: Mapping[str, Head], action: Array) -> Callable[[str], tuple[Array, Array]]:
    """Tell of each head by its name whether the action belongs to it, and its index there."""

    def at(name: str) -> tuple[Array, Array]:
        head = heads[name]
        here = (action >= head.first) & (action < head.end)
        return here, jnp.clip(action - head.first, 0, head.size - 1)

    return at


def is_legal(s: GameState, action: Array) -> Array:
    """Whether there is such an action, and the mask allows it."""
    read = s.legal_action_mask.at[action]
    return read.get(mode="fill", fill_value=False, wrap_negative_indices=False)


def played(s: GameState, action: Array, legal: Array) -> Array:
    """The action, narrowed; -1, which is none, if the game is over or the action not legal."""
    return jnp.where(legal & ~s.terminated, action, -1).astype(jnp.int16)


def rewarded(before: S, after: S, legal: Array) -> S:
    """The state after an action, with the rewards of the step that ends the game.

    The winners share 1. An action that is not legal ends the game too, where it stands, and costs
    whoever chose it 1.
    """
    runs = ~before.terminated
    seats = jnp.arange(len(before.order))
    fault = jnp.where(~legal & (seats == before.current_player), -1.0, 0.0)
    won = jnp.where(after.mode == OVER, win_share(after.place), fault)
    return after.replace(
        rewards=jnp.where(runs, won, 0.0).astype(jnp.float32),
        terminated=before.terminated | ~legal | (after.mode == OVER),
        _step_count=before._step_count + runs,  # noqa: SLF001
    )


def win_share(place: Array) -> Array:
    """A share of 1 to everybody in the first place."""
    won = place == 0
    return won / jnp.sum(won, dtype=jnp.float32)
