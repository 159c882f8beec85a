"""What few games of a batch need is worked out for these alone.

Every step works out all rules for all games, and what does not happen now changes nothing. What is
long and happens seldom would cost its time in every game at every step.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap

from highvoltage.batch.state import Array

V = TypeVar("V")


def seldom(when: Array, happens: Callable[[V], V], value: V, share: int = 8) -> V:
    """`happens(value)` if `when`, else `value`.

    In a batch the games concerned are taken out, at most one in `share` at a time, as often as
    there are some left.
    """

    @custom_vmap
    def maybe(when: Array, value: V) -> V:
        one: V = jax.lax.cond(when, happens, lambda value: value, value)
        return one

    @maybe.def_vmap
    def in_batch(size: int, batched: list[Any], when: Array, value: V) -> tuple[V, Any]:
        when, value = jax.tree.map(
            lambda leaf, has_batch: (
                leaf if has_batch else jnp.broadcast_to(leaf, (size, *leaf.shape))
            ),
            (when, value),
            tuple(batched),
        )
        several = -(-size // share)

        def some_more(now: tuple[Array, V]) -> tuple[Array, V]:
            left, value = now
            games = first(left, several)
            before = jax.tree.map(lambda leaf: leaf.at[games].get(mode="clip"), value)
            after = jax.vmap(happens)(before)

            def put_back(leaf: Array, old: Array, new: Array) -> Array:
                return leaf if new is old else leaf.at[games].set(new, mode="drop")

            value = jax.tree.map(put_back, value, before, after)
            return left.at[games].set(False, mode="drop"), value

        _, value = jax.lax.while_loop(lambda now: jnp.any(now[0]), some_more, (when, value))
        return value, jax.tree.map(lambda _: True, value)

    result: V = maybe(when, value)
    return result


def first(mask: Array, count: int) -> Array:
    """The indices of so many True; behind them one that is beyond the end."""
    size = mask.shape[0]
    place = jnp.where(mask, jnp.cumsum(mask, dtype=jnp.int32) - 1, count)
    beyond = jnp.full(count, size, jnp.int32)
    return beyond.at[place].set(jnp.arange(size, dtype=jnp.int32), mode="drop")
