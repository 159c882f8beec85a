"""What a step has in common in all games: an action is read, and an end is rewarded."""

from collections.abc import Callable, Mapping

import jax.numpy as jnp

from highvoltage.batch.state import OVER, Array, S
from highvoltage.codec import Head


def choices(heads: Mapping[str, Head], action: Array) -> Callable[[str], tuple[Array, Array]]:
    """Tell of each head by its name whether the action belongs to it, and its index there."""

    def at(name: str) -> tuple[Array, Array]:
        head = heads[name]
        here = (action >= head.first) & (action < head.end)
        return here, jnp.clip(action - head.first, 0, head.size - 1)

    return at


def rewarded(before: S, after: S) -> S:
    """The state after an action, with the winners' shares in the step that ends the game."""
    was_over = before.mode == OVER
    ended = (after.mode == OVER) & ~was_over
    return after.replace(
        rewards=jnp.where(ended, win_share(after.place), 0.0).astype(jnp.float32),
        terminated=after.mode == OVER,
        _step_count=before._step_count + ~was_over,  # noqa: SLF001
    )


def win_share(place: Array) -> Array:
    """A share of 1 to everybody in the first place."""
    won = place == 0
    return won / jnp.sum(won, dtype=jnp.float32)
