"""What few games need is done exactly for these."""

import re
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from highvoltage.batch.seldom import seldom
from highvoltage.batch.state import Array

SIZE = 37


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Pair:
    count: Array
    row: Array


def halve(value: Pair) -> Pair:
    """Halve the number until it is odd, and add the halvings to a row."""

    def go_on(now: Pair) -> Pair:
        return Pair(now.count // 2, now.row + 1)

    return jax.lax.while_loop(lambda now: now.count % 2 == 0, go_on, value)


def halved(when: Array, value: Pair, share: int = 8) -> Pair:
    return seldom(when, halve, value, share)


def some(seed: int) -> tuple[Pair, np.ndarray]:
    rng = np.random.default_rng(seed)
    count = rng.integers(1, 1000, SIZE, dtype=np.int32)
    return Pair(jnp.asarray(count), jnp.asarray(rng.integers(9, size=(SIZE, 3)))), count


def expected(value: Pair, when: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    count, row = np.array(value.count), np.array(value.row)
    for at in np.flatnonzero(when):
        while count[at] % 2 == 0:
            count[at] //= 2
            row[at] += 1
    return count, row


@pytest.mark.parametrize("concerned", [0, 1, 5, 6, SIZE])
@pytest.mark.parametrize(
    "share", [8, *(pytest.param(each, marks=pytest.mark.long) for each in (1, 100))]
)
def test_only_the_games_concerned_change(concerned: int, share: int) -> None:
    """None, as many as are taken at once, one more, and all."""
    value, _ = some(concerned)
    when = np.random.default_rng(2).permutation(SIZE) < concerned
    found = jax.vmap(lambda when, value: halved(when, value, share))(jnp.asarray(when), value)
    count, row = expected(value, when)
    np.testing.assert_array_equal(found.count, count)
    np.testing.assert_array_equal(found.row, row)


def test_one_game_alone() -> None:
    one = Pair(jnp.int32(24), jnp.zeros(3, jnp.int32))
    for when, count, row in ((True, 3, 3), (False, 24, 0)):
        found = jax.jit(halved)(jnp.asarray(when), one)
        assert int(found.count) == count
        assert found.row.tolist() == [row] * 3


def test_batches_of_batches_and_what_all_games_share() -> None:
    value, _ = some(3)
    when = np.arange(2 * SIZE).reshape(2, SIZE) % 3 == 0
    found = jax.vmap(jax.vmap(halved), (0, None))(jnp.asarray(when), value)
    for at in range(2):
        count, row = expected(value, when[at])
        np.testing.assert_array_equal(found.count[at], count)
        np.testing.assert_array_equal(found.row[at], row)
    shared = jax.vmap(halved, (0, None))(jnp.asarray(when[0]), Pair(jnp.int32(24), jnp.int32(0)))
    np.testing.assert_array_equal(shared.count, np.where(when[0], 3, 24))


def test_it_takes_out_only_the_games_concerned() -> None:
    """Of 64 games at most eight are worked out at a time."""
    value = Pair(jnp.ones(64), jnp.ones(64))
    jaxpr = str(jax.make_jaxpr(jax.vmap(halved))(jnp.zeros(64, bool), value))
    assert set(re.findall(r"(f32\[\d+\]) = rem", jaxpr)) == {"f32[8]"}
