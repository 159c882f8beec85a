"""Beds, workers and energy of company boards, O-7.3, O-8.1; what technologies add, O-11."""

from itertools import product

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.outpost.state import IDLE, OutpostState, energy, workers
from highvoltage.batch.outpost.tables import BEDS, SPACES, TECHNOLOGY, Tables
from highvoltage.batch.state import Array, choose
from highvoltage.games.outpost import tables

NEED_BITS = 7  # of a word of energy and need
RUNS: Table = np.array([*product((0, 1), repeat=SPACES + 1)], np.int8)  # sets of plants


def uses(t: Tables, s: OutpostState, technology: str) -> Array:
    """[company] whether it uses a technology; the Syndicate uses none, O-12.5.5."""
    return (s.owner[TECHNOLOGY[technology]] == jnp.arange(t.companies)) & players(t)


def players(t: Tables) -> Table:
    """[company] whether it is a player's."""
    return np.arange(t.companies) < t.players


def beds(t: Tables, s: OutpostState) -> Array:
    """[company] S of O-7.3; the Hub adds one to every habitat, O-11.5."""
    printed = jnp.asarray(BEDS)[s.board]
    extra = jnp.where(uses(t, s, "hub_module"), tables.HUB_BEDS, 0)[:, None]
    return jnp.sum(printed + jnp.where(printed > 0, extra, 0), axis=1, dtype=jnp.int8)


def need(s: OutpostState) -> Array:
    """[company] W of O-7.3: what all plants on its board need, OR-29."""
    return jnp.sum(workers(s.board), axis=1, dtype=jnp.int8)


def workforce(t: Tables, s: OutpostState) -> Array:
    """[company] how many can run plants, O-8.1.5."""
    machines = s.robots - (s.busy != IDLE)
    return s.humans + jnp.pad(machines, (0, t.companies - t.players))


def most_energy(t: Tables, s: OutpostState) -> Array:
    """[company] the most that any set of plants yields with its workers, OR-35."""
    return best_run(s.board, workforce(t, s), uses(t, s, "laboratories"))


def best_run(board: Array, workforce: Array, laboratories: Array) -> Array:
    """[company] the most energy of its board with so many workers, and with Laboratories or not.

    Of the cards on spaces for habitats only the Moon Base yields energy, O-11.8. A word of a card,
    and of a set, has its energy above what it needs.
    """
    extra = jnp.where(laboratories, tables.LABORATORIES_ENERGY, 0)[:, None]
    words = (energy(board) + extra).astype(jnp.int16) << NEED_BITS | workers(board)
    words = five(jnp.where(energy(board) > 0, words, 0))
    sets = jnp.sum(words[:, None] * RUNS, axis=2, dtype=jnp.int16)
    manned = (sets & (1 << NEED_BITS) - 1) <= workforce[:, None]
    return jnp.max(jnp.where(manned, sets >> NEED_BITS, 0), axis=1).astype(jnp.int8)


def five(values: Array) -> Array:
    """[company, 5] of the spaces for plants, and of all those for habitats."""
    moon = jnp.sum(values[:, SPACES:], axis=1, keepdims=True, dtype=values.dtype)
    return jnp.concatenate([values[:, :SPACES], moon], axis=1)


def most_powered(t: Tables, s: OutpostState) -> Array:
    """[company] cities that it can power, O-8.1.1."""
    return jnp.minimum(s.network, most_energy(t, s))


def powered_by(t: Tables, s: OutpostState, mine: Array) -> Array:
    """Cities that one company can power."""
    own = (s.board, workforce(t, s), uses(t, s, "laboratories"))
    best = best_run(*(choose(part, mine)[None] for part in own))[0]
    return jnp.minimum(choose(s.network, mine), best)
