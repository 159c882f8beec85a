"""The plant market and the deck behind it."""

import jax.numpy as jnp

from highvoltage.batch.state import (
    ASIDE,
    GONE,
    IN_DECK,
    IN_MARKET,
    UNDER,
    USED,
    Array,
    State,
    put_in,
    take_out,
)
from highvoltage.batch.tables import CODES, LAST, NONE, Tables
from highvoltage.games.classic import tables as classic

NO_KEY = 1 << 24  # greater than the key of every card


def offer_size(s: State) -> Array:
    """How many places of the market are on offer, C-4.2.2 and C-5.1.1."""
    return jnp.where(s.last == USED, classic.LATE_MARKET_SIZE, classic.CURRENT_SIZE)


def remove(s: State, at: Array, when: Array) -> State:
    """Remove the card at one place; the token goes with the lowest."""
    return s.replace(market=take_out(s.market, at, when, NONE), token=s.token & ~(when & (at == 0)))


def remove_lowest(s: State, when: Array) -> State:
    """Remove the lowest plant from the game; nothing happens in an empty market."""
    return remove(s, jnp.int8(0), when & (s.market[0] < LAST))


def slide_highest(s: State, when: Array) -> State:
    """The highest plant goes under the deck, C-8.4.1; one per round, so the round is its place."""
    plants = jnp.sum(s.market < LAST, dtype=jnp.int8)
    when &= plants > 0
    high = jnp.max(jnp.where(s.market < LAST, s.market, 0))
    slid = (high == CODES) & when
    place = jnp.minimum(UNDER + s.round, ASIDE - 1).astype(jnp.uint8)
    return s.replace(
        market=take_out(s.market, plants - 1, when, NONE), pile=jnp.where(slid, place, s.pile)
    )


def draw(t: Tables, s: State, when: Array, *, auction: Array | bool) -> State:
    """Fill one gap: C-5.2, C-5.3.1, R-4.5.1; the Step 3 card shuffles the deck, C-9.3.1."""
    above = s.pile < UNDER
    if t.recharged:
        keys = keys_of(s.pile, above)
        first = jnp.min(keys)
        lower = s.token & (first < NO_KEY) & (code(first) < s.market[0])
        key = jnp.where(lower, jnp.min(jnp.where(keys > first, keys, NO_KEY)), first)
        s = s.replace(token=s.token & ~(lower & when))
    else:
        key = jnp.min(keys_of(s.pile, above & (s.most < CODES >> 8)))  # C-5.3.1
    found = key < NO_KEY
    comes = when & ~found & (s.last == IN_DECK)
    pile = jnp.where(when & above & (s.pile <= (key >> 16)), GONE, s.pile).astype(jnp.uint8)
    pile = jnp.where(comes & (pile < ASIDE), s.shuffle, pile)
    drawn = jnp.where(found, code(key), LAST).astype(jnp.int16)
    s = s.replace(
        pile=pile,
        market=put_in(s.market, drawn, (when & found) | (comes & auction)),
        last=jnp.where(comes, IN_MARKET, s.last).astype(jnp.int8),
    )
    if auction is True:
        return s
    return use_outside_auction(t, s, comes & ~jnp.asarray(auction))


def keys_of(pile: Array, mask: Array) -> Array:
    """The place of each card with its code in the lower bits, so that the minimum gives both."""
    return jnp.where(mask, pile.astype(jnp.int32) << 16 | CODES, NO_KEY)


def code(key: Array) -> Array:
    return (key & 0x7FFF).astype(jnp.int16)


def use_outside_auction(t: Tables, s: State, when: Array) -> State:
    """Use the Step 3 card at once, C-9.3.3, C-9.3.4; the Step 2 change comes first, R-9.3.5."""
    if t.recharged:
        s = change_to_step_2(t, s, when & (s.step == 1))
    s = remove_lowest(s, when)
    return s.replace(pending=s.pending | when, last=jnp.where(when, USED, s.last).astype(jnp.int8))


def use_after_auction(t: Tables, s: State, when: Array) -> State:
    """Remove the Step 3 card and the lowest plant; Step 3 begins, C-9.3.2."""
    when &= s.last == IN_MARKET
    if t.recharged:
        s = change_to_step_2(t, s, when & (s.step == 1))
    s = remove(s, jnp.sum(s.market < LAST, dtype=jnp.int8), when)
    s = remove_lowest(s, when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    return begin_step(s, 3, when)


def change_to_step_2(t: Tables, s: State, when: Array) -> State:
    """R-9.3.5: remove the lowest plant before Step 3 begins; the Step 3 card has left the deck."""
    return draw(t, remove_lowest(s, when), when, auction=True)


def begin_step(s: State, step: int, when: Array) -> State:
    return s.replace(step=jnp.where(when, step, s.step).astype(jnp.int8), pending=s.pending & ~when)
