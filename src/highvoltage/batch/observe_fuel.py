"""The fuel market as a seat sees it: the parts `fuel`, `markets` and `stored` of an observation."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch import fuel, fuelmarket
from highvoltage.batch.codes import FUELS, Table
from highvoltage.batch.scaling import Observation, scaled
from highvoltage.batch.state import NO_MARKET, Array, State, pick
from highvoltage.batch.tables import UNREACHABLE, Tables
from highvoltage.codec.board import layout
from highvoltage.codec.board.rows import FUEL_FACTORS, MISSING_PRICE

FUEL_SCALE: Table = np.array(FUEL_FACTORS, np.float32)
COUNTS: Table = np.arange(1, layout.PRICES + 1, dtype=np.int8)


def parts(t: Tables, s: State, seat: Array) -> Observation:
    """All parts about fuel."""
    cheap = pick(s.cheap, seat)
    costs = [costs_of(t, s, cheap, market) for market in range(max(1, len(t.markets)))]
    refill = fuelmarket.coming(t, s)
    found = {}
    if s.trade is None:
        found["fuel"] = rows(t, s, seat, s.stock, s.supply, refill, costs[0])
    else:
        found |= several(t, s, seat, costs, refill)
    if s.storage is not None:
        found["stored"] = stored(t, s, seat)
    return found


def rows(
    t: Tables, s: State, seat: Array, stock: Array, supply: Array, refill: Array, cost: Array
) -> Array:
    """[fuel, column] what is for sale, and what the seat holds and has room for."""
    held, hand = pick(s.fuel, seat), pick(s.plants, seat)
    room = jnp.maximum(0, fuel.rooms(hand, held, t.burning))
    return scaled([stock, supply, refill, held, room, *jnp.unstack(cost, axis=1)], FUEL_SCALE)


def costs_of(t: Tables, s: State, cheap: Array, market: int) -> Array:
    """[fuel, count] what so many tokens cost together on one market."""
    shelves = slice(market * FUELS, (market + 1) * FUELS)
    ladder = fuelmarket.prices_for(t, t.prices, s, cheap)[shelves]
    sizes, stock = t.ladder_sizes[shelves], s.stock[shelves]
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (sizes - stock)[:, None, None]
    taken = (places >= empty) & (places < jnp.minimum(empty + COUNTS[:, None], ladder.shape[1]))
    taken &= places < sizes[:, None, None]
    cost = jnp.sum(jnp.where(taken, ladder[:, None], 0), axis=2, dtype=jnp.int16)
    storage = np.array(t.storage_prices, np.int16)[:, None]
    beyond = jnp.maximum(0, COUNTS - stock[:, None])
    offered = stock + jnp.where(storage[:, 0] > 0, s.supply, 0)
    if t.under_cap is not None:
        offered = fuelmarket.for_sale(t, s, s.stock)[shelves]
    return jnp.where(offered[:, None] >= COUNTS, cost + beyond * storage, MISSING_PRICE)


def several(t: Tables, s: State, seat: Array, costs: list[Array], refill: Array) -> Observation:
    """Each market; and the one in use for the seat to move, else all as if they were one."""
    assert s.trade is not None
    by_market = [slice(first, first + FUELS) for first in range(0, len(t.markets) * FUELS, FUELS)]
    each = [
        rows(t, s, seat, s.stock[shelves], s.supply, refill[shelves], cost)
        for shelves, cost in zip(by_market, costs, strict=True)
    ]
    stock, coming = (jnp.sum(row.reshape(-1, FUELS), axis=0) for row in (s.stock, refill))
    whole = rows(t, s, seat, stock, s.supply, coming, combined_costs(t, s, pick(s.cheap, seat)))
    uses = (s.trade != NO_MARKET) & (s.current_player == seat)
    chosen = jnp.arange(len(t.markets)) == s.trade
    marks = jnp.broadcast_to(chosen[:, None, None], (len(t.markets), FUELS, 1))
    return {
        "fuel": jnp.where(uses, pick(jnp.stack(each), jnp.maximum(0, s.trade)), whole),
        "markets": jnp.concatenate([marks.astype(jnp.float32), jnp.stack(each)], axis=2),
    }


def combined_costs(t: Tables, s: State, cheap: Array) -> Array:
    """[fuel, count] what the cheapest tokens of all markets cost together."""
    ladder = fuelmarket.prices_for(t, t.prices, s, cheap)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (t.ladder_sizes - s.stock)[:, None]
    there = (places >= empty) & (places < t.ladder_sizes[:, None])
    tokens = jnp.where(there, ladder, UNREACHABLE).reshape(-1, FUELS, ladder.shape[1])
    prices = jnp.sort(jnp.concatenate(list(tokens), axis=1), axis=1)[:, : layout.PRICES]
    cost = jnp.cumsum(prices.astype(jnp.int32), axis=1)
    return jnp.where(prices < UNREACHABLE, cost, MISSING_PRICE)


def stored(t: Tables, s: State, seat: Array) -> Array:
    """What lies in the storage, A-ZAF-5."""
    assert s.storage is not None
    price = np.array(t.stored_prices, np.int16)[:, None]
    keeps = price[:, 0] > 0
    there = (s.storage[:, None] >= COUNTS) & keeps[:, None]
    nothing = jnp.zeros(FUELS, jnp.int8)
    cost = jnp.where(there, COUNTS * price, MISSING_PRICE)
    return rows(t, s, seat, jnp.where(keeps, s.storage, 0), nothing, nothing, cost)
