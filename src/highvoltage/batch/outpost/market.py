"""The card market: two rows of stacks, the tokens on them, and the deck behind it; O-5, O-9.3."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.outpost.state import OutpostState, number
from highvoltage.batch.outpost.tables import CURRENT, LAST, NONE, PLACES, RANK, TWINS
from highvoltage.batch.state import (
    ASIDE,
    GONE,
    IN_DECK,
    IN_MARKET,
    UNDER,
    USED,
    Array,
    first_of,
    pick,
)
from highvoltage.games.outpost import tables

AT: Table = np.arange(PLACES, dtype=np.int8)
NOTHING = 1 << 15  # beyond the key of every card


def one_row(s: OutpostState) -> Array:
    """The Step 3 card has united the rows, O-9.3.4."""
    return s.last == USED


def tops(s: OutpostState) -> Array:
    """[place] the cards on top."""
    return s.market[:, 0]


def places(s: OutpostState) -> Array:
    """How many places are occupied; the Step 3 card takes one, OR-42."""
    return jnp.sum(tops(s) < NONE, dtype=jnp.int8)


def cards(s: OutpostState) -> Array:
    """How many places have a card with a number."""
    return jnp.sum(tops(s) < LAST, dtype=jnp.int8)


def on_offer(s: OutpostState) -> Array:
    """[place] whether its top card may be nominated, O-6.3."""
    return (s.row > AT) & (tops(s) < LAST)


def deck_size(s: OutpostState) -> Array:
    return jnp.sum(s.pile < ASIDE, dtype=jnp.int8) + (s.last == IN_DECK)


# Places


def without(rows: Array, at: Array, when: Array, none: int) -> Array:
    """Rows without one of them."""
    shifted = jnp.concatenate([rows[1:], jnp.full_like(rows[:1], none)])
    return jnp.where(by_row((at <= AT) & when, rows), shifted, rows)


def with_row(rows: Array, at: Array, row: Array, when: Array) -> Array:
    """Rows with one more; the one at the end is pushed out."""
    shifted = jnp.concatenate([rows[:1], rows[:-1]])
    new = jnp.where(by_row(at == AT, rows), row, shifted)
    return jnp.where(by_row((at <= AT) & when, rows), new, rows)


def by_row(mask: Array, rows: Array) -> Array:
    return mask.reshape((-1,) + (1,) * (rows.ndim - 1))


def remove_place(s: OutpostState, at: Array, when: Array) -> OutpostState:
    return s.replace(
        market=without(s.market, at, when, NONE), tokens=without(s.tokens, at, when, 0)
    )


def pop(s: OutpostState, at: Array, when: Array) -> OutpostState:
    """The top card of a place leaves it; the tokens on it leave the game, O-5.3."""
    alone = pick(s.market[:, 1], at) == NONE
    here = (at == AT) & when
    lowered = jnp.pad(s.market[:, 1:], ((0, 0), (0, 1)), constant_values=NONE)
    s = s.replace(
        market=jnp.where(here[:, None], lowered, s.market), tokens=jnp.where(here, 0, s.tokens)
    )
    gone = when & alone
    return remove_place(s, at, gone).replace(row=s.row - (gone & (at < s.row)))


def remove_lowest(s: OutpostState, when: Array) -> OutpostState:
    """The lowest card leaves the game, O-9.2.2; nothing happens in an empty market."""
    return pop(s, jnp.int8(0), when & (cards(s) > 0))


def slide_highest(s: OutpostState, when: Array) -> OutpostState:
    """The highest card goes under the deck, O-8.4; one a round, so the round is its place."""
    at = cards(s) - 1
    when &= at >= 0
    slid = (pick(tops(s), at) == RANK) & when
    place = jnp.minimum(UNDER + s.round, ASIDE - 1).astype(jnp.uint8)
    return pop(s, at, when).replace(pile=jnp.where(slid, place, s.pile))


def merge(s: OutpostState, at: Array, when: Array) -> OutpostState:
    """A place, with its tokens, goes on top of the one before it, O-5.5."""
    upper, lower = pick(s.market, at), pick(s.market, at - 1)
    height = jnp.sum(upper < NONE, dtype=jnp.int8)
    i = jnp.arange(TWINS)
    united = jnp.where(i < height, upper, lower[jnp.clip(i - height, 0, TWINS - 1)])
    here = (at - 1 == AT) & when
    s = s.replace(
        market=jnp.where(here[:, None], united, s.market),
        tokens=s.tokens + jnp.where(here, pick(s.tokens, at), 0),
    )
    return remove_place(s, at, when)


def pairs(s: OutpostState) -> Array:
    """[place] whether it has the number of the one before it."""
    numbers = number(tops(s))
    same = numbers == jnp.concatenate([numbers[:1], numbers[:-1]])
    return same & (AT > 0) & (tops(s) < LAST)


def rebalance(s: OutpostState, when: Array) -> OutpostState:
    """The next cards join the current row up to four, O-5.4, or until equal numbers are stacked.

    A card is drawn before anything else moves, O-5.6.
    """
    limit = jnp.minimum(CURRENT, cards(s))
    when &= ~one_row(s) & (s.row < limit)
    equal = pairs(s) & (s.row <= AT) & (limit > AT)
    merges = when & jnp.any(equal)
    row = jnp.where(merges, first_of(equal), limit)
    s = s.replace(row=jnp.where(when, row, s.row).astype(jnp.int8))
    return merge(s, row, merges)


# Arriving


def insert(s: OutpostState, card: Array, when: Array) -> tuple[OutpostState, Array]:
    """A card joins a stack, or takes a new place, O-5.4, O-5.5, OR-12; and whether it does that."""
    value, numbers = number(card), number(tops(s))
    match = (numbers == value) & ((s.row > AT) | (s.market[:, 1] < NONE))
    stacks = when & jnp.any(match)
    stacked = jnp.concatenate([jnp.broadcast_to(card, (PLACES, 1)), s.market[:, :-1]], axis=1)
    here = stacks & (first_of(match) == AT)
    s = s.replace(market=jnp.where(here[:, None], stacked, s.market).astype(jnp.int8))

    new = when & ~stacks
    below = (s.row > 0) & (value < pick(numbers, s.row - 1))
    joins = one_row(s) | below | ((s.row < CURRENT) & (value < pick(numbers, s.row)))
    at = jnp.sum(numbers <= value, dtype=jnp.int8)
    place = jnp.full(TWINS, NONE, jnp.int8).at[0].set(card)
    s = s.replace(
        market=with_row(s.market, at, place, new),
        tokens=with_row(s.tokens, at, jnp.zeros((), s.tokens.dtype), new),
        row=s.row + (new & joins),
    )
    return push_back(s, new & ~one_row(s) & (s.row > CURRENT)), new


def push_back(s: OutpostState, when: Array) -> OutpostState:
    """The fifth of the current row goes to the future, behind its equals, O-5.4."""
    numbers = number(tops(s))
    place, tokens = s.market[CURRENT], s.tokens[CURRENT]
    behind = jnp.sum((AT >= CURRENT) & (numbers <= numbers[CURRENT]), dtype=jnp.int8)
    s = remove_place(s, jnp.int8(CURRENT), when)
    at = behind - 1 + CURRENT
    return s.replace(
        market=with_row(s.market, at, place, when),
        tokens=with_row(s.tokens, at, tokens, when),
        row=jnp.where(when, CURRENT, s.row).astype(jnp.int8),
    )


def wants_card(s: OutpostState) -> Array:
    """A place is free and there is a card for it, O-5.8."""
    room = jnp.where(one_row(s), tables.PLACES_IN_STEP_3, PLACES)
    return (places(s) < room) & (deck_size(s) > 0)


def draw(s: OutpostState, when: Array) -> tuple[OutpostState, Array, Array]:
    """A card comes from the deck, O-5.8; the Step 3 card shuffles it, O-9.3.8.

    Also returns whether it takes a new place, and whether it is the Step 3 card.
    """
    above = s.pile < UNDER
    key = jnp.min(jnp.where(above, s.pile.astype(jnp.int16) << 7 | RANK, NOTHING - 1))
    found = key < NOTHING - 1
    card = jnp.where(found, key & 127, LAST).astype(jnp.int8)
    comes = when & ~found & (s.last == IN_DECK)
    pile = jnp.where(when & (card == RANK), GONE, s.pile).astype(jnp.uint8)
    s = s.replace(
        pile=jnp.where(comes & (pile < ASIDE), s.shuffle, pile),
        last=jnp.where(comes, IN_MARKET, s.last).astype(jnp.int8),
    )
    end = (places(s) == AT) & comes
    s = s.replace(market=s.market.at[:, 0].set(jnp.where(end, LAST, tops(s)).astype(jnp.int8)))
    s, new = insert(s, card, when & found)
    return s, new | comes, comes


# The form of Step 3, O-9.3


def unite(s: OutpostState, when: Array) -> OutpostState:
    """The Step 3 card and the lowest place leave, the rows are joined."""
    s = remove_place(s, cards(s), when)
    s = remove_place(s, jnp.int8(0), when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    return s.replace(row=jnp.where(when, places(s), s.row).astype(jnp.int8))


def equals_in_row(s: OutpostState) -> Array:
    """The only row shows a number twice, OR-44."""
    return one_row(s) & jnp.any(pairs(s))


def stack_equals(s: OutpostState, when: Array) -> OutpostState:
    """The last two places with the same number become one, OR-44."""
    at = jnp.max(jnp.where(pairs(s), AT, 0))
    return merge(s, at, when).replace(row=s.row - when)
