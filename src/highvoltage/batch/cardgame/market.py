"""The plant market and the deck behind it, K-4.6, K-6.4."""

import jax.numpy as jnp

from highvoltage.batch.cardgame.state import CardState, is_last_card_used, number
from highvoltage.batch.cardgame.tables import CODES, LAST, NONE
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
    put_behind,
    take_out,
)
from highvoltage.games.cardgame import tables

NOTHING = 1 << 24  # beyond the key of every card


def offer_size(s: CardState) -> Array:
    """How many places of the market are on offer, K-2.3, K-4.7.2."""
    return jnp.where(is_last_card_used(s), tables.LATE_MARKET_SIZE, tables.CURRENT_SIZE)


def remove_at(s: CardState, at: Array, when: Array) -> CardState:
    """The card at one place leaves the market; with the lowest goes the marker."""
    return s.replace(market=take_out(s.market, at, when, NONE), token=s.token & ~(when & (at == 0)))


def take(s: CardState, card: Array, when: Array) -> CardState:
    """A card goes to a buyer, K-4.4.1."""
    return remove_at(s, first_of(s.market == card), when)


def remove_lowest(s: CardState, when: Array) -> CardState:
    """The lowest plant leaves the game; nothing happens in an empty market."""
    return remove_at(s, jnp.int8(0), when & (s.market[0] < LAST))


def slide_highest(s: CardState, when: Array) -> CardState:
    """The highest plant goes under the deck, K-6.4.1; one a round, so the round is its place."""
    plants = jnp.sum(s.market < LAST, dtype=jnp.int8)
    when &= plants > 0
    slid = (pick(s.market, plants - 1) == CODES) & when
    place = jnp.minimum(UNDER + s.round, ASIDE - 1).astype(jnp.uint8)
    return s.replace(
        market=take_out(s.market, plants - 1, when, NONE), pile=jnp.where(slid, place, s.pile)
    )


def draw(s: CardState, when: Array, *, auction: Array | bool) -> CardState:
    """Fill one gap, K-4.6.1, K-4.6.2; END shuffles the deck, K-4.6.3."""
    above = s.pile < UNDER
    keys = jnp.where(above, s.pile.astype(jnp.int32) << 16 | CODES, NOTHING)
    first = jnp.min(keys)
    lower = s.token & (first < NOTHING) & (number(code(first)) < number(s.market[0]))  # KR-14
    key = jnp.where(lower, jnp.min(jnp.where(keys > first, keys, NOTHING)), first)
    found = key < NOTHING
    comes = when & ~found & (s.last == IN_DECK)
    pile = jnp.where(when & above & (s.pile <= (key >> 16)), GONE, s.pile).astype(jnp.uint8)
    pile = jnp.where(comes & (pile < ASIDE), s.shuffle, pile)
    drawn = jnp.where(found, code(key), LAST).astype(jnp.uint16)
    s = s.replace(
        pile=pile,
        token=s.token & ~(lower & when),
        market=insert(s.market, drawn, (when & found) | (comes & auction)),
        last=jnp.where(comes, IN_MARKET, s.last).astype(jnp.int8),
    )
    if auction is True:
        return s
    return use_last_card(s, comes & ~jnp.asarray(auction))  # K-6.4.2


def code(key: Array) -> Array:
    return (key & 0xFFFF).astype(jnp.uint16)


def insert(cards: Array, card: Array, when: Array) -> Array:
    """The market with one card more, to the right of its twins, K-4.6.1."""
    return put_behind(cards, number(cards) <= number(card), card, when)


def use_last_card(s: CardState, when: Array) -> CardState:
    """END goes, the lowest plant with it, and all six that are left are on offer."""
    without = jnp.where(s.market == LAST, jnp.uint16(NONE), s.market)  # it is behind all plants
    s = remove_lowest(s.replace(market=jnp.where(when, without, s.market)), when)
    return s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
