"""The state of one Card Game: small arrays of narrow integers.

Equal fuel cards are interchangeable, so the market, the discard pile and the Bank hold counts by
type. A store is a list, because age decides which of several cards is turned down (KR-20): each
byte is a card, its kind, the units printed on it and those left. The pile is the cards that were
shuffled last, as counts, the place of each of them in the order that the shuffle gave them, and how
many have been drawn since.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from highvoltage.batch.cardgame.tables import ECO, FUELS, TYPES, UNITS
from highvoltage.batch.state import USED, Array, PlantState


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Bank:
    """The third party of two players, K-8."""

    plants: Array  # [3] codes, the oldest first
    cards: Array  # [type] fuel cards
    singles: Array  # [fuel]
    fuel: Array  # [fuel] units on all of them
    turned: Array  # [fuel] the units printed on the card that shows less, K-8.9; 0 if none does
    done: Array  # it has had its turn in this auction


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class CardState(PlantState):
    """One game."""

    income: Array  # [seat] of the latest bureaucracy
    store: Array  # [seat, STORE] cards with a mark, the oldest first
    singles: Array  # [seat, fuel]
    column_1: Array  # [fuel] singles on sale
    columns: Array  # [3, type] cards in columns 2 to 4
    shuffled: Array  # [type] the cards of the latest shuffle
    places: Array  # [card] of these, by type: the place of each in the pile
    drawn: Array  # so many of these have left the pile
    discard: Array  # [type]
    reshuffles: Array
    seed: Array  # [2] words that reshuffles are drawn from
    last_round: Array
    bank: Bank | None


def number(code: Array) -> Array:
    return (code >> 10).astype(jnp.int16)


def kind(code: Array) -> Array:
    return ((code >> 4 & 15) // UNITS).astype(jnp.int8)


def need(code: Array) -> Array:
    burns = (code >> 4 & 15).astype(jnp.int8)
    return jnp.where(burns < ECO * UNITS, burns % UNITS + 1, 0).astype(jnp.int8)


def income(code: Array) -> Array:
    return (code & 15).astype(jnp.int8)


def is_last_card_used(s: CardState) -> Array:
    """END has been resolved, K-4.7.2, K-6.4.2."""
    return s.last == USED


def by_kind(counts: Array) -> Array:
    """[kind, units - 1] of counts by type."""
    return counts.reshape(FUELS, UNITS)


def before(counts: Array) -> Array:
    """How many lie before each type, in the order of a column."""
    earlier = jnp.arange(TYPES)[None] < jnp.arange(TYPES)[:, None]
    return jnp.sum(jnp.where(earlier, counts[None], 0), axis=1, dtype=jnp.int8)


def types_of(counts: Array, size: int) -> Array:
    """[card] the type of each of these cards, in the order of a column; behind them TYPES."""
    upto = before(counts) + counts
    at = jnp.arange(size, dtype=jnp.int8)
    return jnp.sum(upto <= at[:, None], axis=1, dtype=jnp.int8)


def stored(kind: Array, face: Array, left: Array) -> Array:
    """A card in a store; 0 is none."""
    return (kind << 4 | face << 2 | left).astype(jnp.uint8)
