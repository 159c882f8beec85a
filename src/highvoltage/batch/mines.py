"""Mines: cards that supply no city but sell uranium to a market of their own, A-AUS-5."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.state import RUN, Array, State, choose, pick
from highvoltage.batch.tables import Tables


def is_mine(t: Tables, card: Array) -> Array:
    return jnp.any(card == t.mine_codes)


def take_mine(t: Tables, s: State, when: Array) -> State:
    """The leader gets a mine; it is none of the plants, A-AUS-5."""
    assert s.mines is not None
    buyer = (jnp.arange(t.players) == s.leader) & when
    return s.replace(mines=s.mines | (buyer[:, None] & (s.card == t.mine_codes)))


def price(t: Tables, s: State) -> Array:
    """The dearest free price; 0 if no space is free, A-AUS-7."""
    assert s.mine_stock is not None
    free = len(t.mine_prices) - s.mine_stock
    return jnp.where(free > 0, pick(jnp.asarray(t.mine_prices), free - 1), 0)


def sell(t: Tables, s: State, seat: Array, when: Array) -> State:
    """A seat sells from all its mines: one token each, on the dearest free spaces, A-AUS-7."""
    assert s.mines is not None
    assert s.mine_stock is not None
    mine = jnp.arange(t.players) == seat
    own = choose(s.mines, mine)
    count = jnp.sum(own, dtype=jnp.int8)
    tokens = jnp.where(when, jnp.minimum(count, len(t.mine_prices) - s.mine_stock), 0)
    pay = price(t, s) * jnp.sum(jnp.where(own, t.mined, 0), dtype=jnp.int16)
    return s.replace(
        money=s.money + jnp.where(mine & (tokens > 0), pay, 0).astype(jnp.int16),
        mine_stock=(s.mine_stock + tokens).astype(jnp.int8),
    )


def sell_at_the_end(t: Tables, s: State, when: Array) -> State:
    """Everybody sells once more, from last to first, A-AUS-8."""
    for place in range(t.players - 1, -1, -1):
        s = sell(t, s, jnp.argmax(s.order == place), when)
    return s


def use(t: Tables, s: State, when: Array) -> State:
    """Tokens leave the market, the cheapest first, A-AUS-7."""
    assert s.mine_stock is not None
    count = jnp.minimum(pick(jnp.asarray(t.mine_used), s.step - 1), s.mine_stock)
    return s.replace(mine_stock=s.mine_stock - jnp.where(when, count, 0))


def sellers(t: Tables, s: State) -> Array:
    """[seat] who may still sell when all have run plants, while a space is free, A-AUS-7."""
    assert s.mines is not None
    waits = s.turn - t.players <= t.players - 1 - s.order
    free = price(t, s) > 0
    return jnp.any(s.mines, axis=1) & waits & free & (s.turn >= t.players) & (s.mode == RUN)


def next_seller(t: Tables, s: State) -> Array:
    """[seat] hot: the last in turn order of those who may sell."""
    may = sellers(t, s)
    return may & (s.order == jnp.max(jnp.where(may, s.order, -1)))


def owned_numbers(t: Tables, s: State) -> Array:
    """[seat] the highest mine of each, as a code; 0 without one, A-AUS-5."""
    assert s.mines is not None
    return jnp.max(jnp.where(s.mines, np.asarray(t.mine_codes), 0), axis=1)
