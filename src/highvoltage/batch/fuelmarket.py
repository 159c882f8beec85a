"""The fuel market: what fuel costs, where it comes from and where it goes, C-6, C-8.3.

A shelf is one kind of fuel on one market. The shelves of a second market follow those of the first.
"""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import FUELS, HYBRID, Table
from highvoltage.batch.fuel import kinds_of, needs_of
from highvoltage.batch.mines import sellers
from highvoltage.batch.state import DONE, FUEL, NO_MARKET, Array, State, kind, need, pick
from highvoltage.batch.tables import UNREACHABLE, Tables


def prices_for(t: Tables, table: Table, s: State, cheap: Array) -> Array:
    """[shelf, place] of prices for a seat with this set of discounts, C-12.3.6, A-AUS-10."""
    if t.step_3_prices:
        cheap = cheap + (s.step == 3) * np.int8(len(table) // 2)
    prices = jnp.asarray(table[0]) if len(table) == 1 else pick(jnp.asarray(table), cheap)
    if s.shifts is None:
        return prices
    places = jnp.arange(prices.shape[1]) - s.shifts[:, None]
    return jnp.take_along_axis(prices, jnp.maximum(0, places), axis=1)  # A-MEA-3


def price_sums(t: Tables, s: State, cheap: Array) -> Array:
    """[shelf, place] the same, as cumulative sums."""
    if s.shifts is None:
        return prices_for(t, t.price_sums, s, cheap)
    return jnp.cumsum(prices_for(t, t.prices, s, cheap), axis=1, dtype=jnp.int16)


def in_use(t: Tables, s: State, shelves: Array | Table) -> Array:
    """[fuel, …] what is said of every shelf, for the market of this turn, A-KOR-3."""
    if s.trade is None:
        return jnp.asarray(shelves)
    by_market = jnp.asarray(shelves).reshape(len(t.markets), FUELS, *shelves.shape[1:])
    return pick(by_market, jnp.maximum(s.trade, 0))


def for_sale(t: Tables, s: State, stock: Array) -> Array:
    """[shelf] how many tokens may be bought: not those above the highest price, A-IND-5."""
    if t.under_cap is None:
        return stock
    cheap = pick(jnp.asarray(t.under_cap), s.step - 1)
    return jnp.maximum(0, cheap - t.ladder_sizes + stock).astype(stock.dtype)


def affordable(t: Tables, s: State, money: Array, cheap: Array) -> Array:
    """[fuel] how many tokens are available and affordable, C-6.1.2, R-11.2."""
    ladder = in_use(t, s, prices_for(t, t.prices, s, cheap))
    upto = in_use(t, s, price_sums(t, s, cheap))
    sizes, stock = in_use(t, s, t.ladder_sizes), in_use(t, s, s.stock)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (sizes - stock)[:, None]
    base = jnp.sum(jnp.where(places < empty, ladder, 0), axis=1, dtype=jnp.int16)
    there = (places >= empty) & (places < sizes[:, None])
    count = jnp.sum(there & (upto <= (money + base)[:, None]), axis=1, dtype=jnp.int8)
    if t.under_cap is not None:
        count = jnp.minimum(count, in_use(t, s, for_sale(t, s, s.stock)))
    if not any(t.storage_prices):
        return count
    left = jnp.maximum(money + base - upto[:, -1], 0)
    price = np.array([price or UNREACHABLE for price in t.storage_prices], np.int16)
    beyond = jnp.minimum(s.supply, jnp.where(price < UNREACHABLE, left // price, 0)).astype(
        jnp.int8
    )
    return count + jnp.where(count == stock, beyond, 0)


def stored(t: Tables, s: State, money: Array) -> Array:
    """[fuel] how many tokens of the storage are affordable, A-ZAF-5."""
    assert s.storage is not None
    price = np.array([price or UNREACHABLE for price in t.stored_prices], np.int16)
    return jnp.minimum(s.storage, money // price).astype(jnp.int8)


def purchase(
    t: Tables, s: State, when: Array, fuel: Array, count: Array, cheap: Array
) -> tuple[Array, Array, Array]:
    """Tokens bought, by kind, those of them from the market, and the cost, C-6.1, R-11.2."""
    bought = jnp.where(when & (jnp.arange(FUELS) == fuel), count, 0).astype(jnp.int8)
    sizes, stock = in_use(t, s, t.ladder_sizes), in_use(t, s, s.stock)
    market = jnp.minimum(bought, stock)
    ladder = in_use(t, s, prices_for(t, t.prices, s, cheap))
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (sizes - stock)[:, None]
    taken = (places >= empty) & (places < empty + market[:, None])
    beyond = (bought - market).astype(jnp.int16) * jnp.array(t.storage_prices, jnp.int16)
    costs = jnp.sum(jnp.where(taken, ladder, 0), axis=1, dtype=jnp.int16) + beyond
    return bought, market, pick(costs, fuel)


def take(t: Tables, s: State, bought: Array, market: Array) -> State:
    """Bought fuel leaves the market, and the supply when that is sold out."""
    if s.trade is not None:
        here = np.repeat(np.arange(len(t.markets)), FUELS) == s.trade
        market = jnp.where(here, jnp.tile(market, len(t.markets)), 0)
        return s.replace(stock=s.stock - market)
    s = s.replace(stock=s.stock - market, supply=s.supply - (bought - market))
    return restore_ladders(s)


def restore_ladders(s: State) -> State:
    """A fuel that is sold out has its own prices again, A-MEA-3."""
    return s if s.shifts is None else s.replace(shifts=jnp.where(s.stock > 0, s.shifts, 0))


def put_back(t: Tables, s: State, tokens: Array) -> State:
    """Fuel that leaves plants goes to the supply, or to a storage where it is sold, A-ZAF-4."""
    if s.storage is None:
        return s.replace(supply=s.supply + tokens)
    keeps = np.array(t.stored_prices) > 0
    return s.replace(
        supply=s.supply + jnp.where(keeps, 0, tokens),
        storage=s.storage + jnp.where(keeps, tokens, 0),
    )


def coming(t: Tables, s: State) -> Array:
    """[shelf] the most fuel that each gets at the next refill, C-8.3, R-11.1.1."""
    nominal = pick(jnp.asarray(t.refills), s.step - 1)
    if t.phase_out is None:
        return nominal
    gone = s.phased_out & (np.arange(nominal.shape[0]) % FUELS == t.phase_out[1])
    return jnp.where(gone, 0, nominal)


def refill(t: Tables, s: State, when: Array) -> State:
    """Refill the shelves, C-8.3; a fuel that is phased out is not refilled, R-11.1.1."""
    if s.cartel is not None:
        back = jnp.where(when, s.cartel.fuel, 0)
        s = s.replace(cartel=replace(s.cartel, fuel=s.cartel.fuel - back))
        s = put_back(t, s, back)
    nominal = jnp.where(when, coming(t, s), 0)
    wanted = nominal
    if t.may_overflow:
        nominal = jnp.minimum(nominal, t.ladder_sizes - s.stock)  # C-1.3.2
    if s.storage is not None:
        from_storage = jnp.minimum(nominal, s.storage)  # A-ZAF-4
        s = s.replace(storage=s.storage - from_storage, stock=s.stock + from_storage)
        nominal -= from_storage
    supply, parts = s.supply, []
    for first in range(0, nominal.shape[0], FUELS):  # one market after the other, A-KOR-4
        parts.append(jnp.minimum(nominal[first : first + FUELS], supply))  # C-8.3.1
        supply = supply - parts[-1]
    added = jnp.concatenate(parts) if len(parts) > 1 else parts[0]
    there, s = s.supply, s.replace(stock=s.stock + added, supply=supply)
    return s if s.shifts is None else shift_ladders(t, s, jnp.maximum(0, wanted - there))


def shift_ladders(t: Tables, s: State, lacking: Array) -> State:
    """Each token that the supply lacked makes the ladder of its fuel shift, A-MEA-3."""
    assert t.shifting is not None
    assert s.shifts is not None
    shifts = s.shifts + jnp.minimum(lacking, s.stock)
    return s.replace(shifts=jnp.minimum(shifts, t.shifting).astype(jnp.int8))


def stock_cartel(t: Tables, s: State, when: Array) -> State:
    """The cartel takes one run for each plant from the market, hybrids last, R-12.6."""
    assert s.cartel is not None
    plants = [s.cartel.plants[slot] for slot in range(s.cartel.plants.shape[0])]
    stock = [s.stock[shelf] for shelf in range(s.stock.shape[0])]
    held = [jnp.zeros((), jnp.int8)] * FUELS
    for card in plants:
        for fuel in range(FUELS):
            wanted = jnp.where(kinds_of(card, t.burning) == fuel, needs_of(card, t.burning), 0)
            held[fuel] += take_tokens(t, s, stock, fuel, wanted)
    for card in plants:
        for token in range(t.most_need):
            wants = (kind(card) == HYBRID) & (token < need(card))
            for fuel in t.burning.hybrid if token % 2 == 0 else t.burning.hybrid[::-1]:
                got = take_tokens(t, s, stock, fuel, wants.astype(jnp.int8))
                held[fuel] += got
                wants &= got == 0
    taken = jnp.where(when, jnp.stack(held), s.cartel.fuel).astype(jnp.int8)
    left = jnp.where(when, jnp.stack(stock), s.stock).astype(jnp.int8)
    return restore_ladders(s.replace(stock=left, cartel=replace(s.cartel, fuel=taken)))


def take_tokens(t: Tables, s: State, stock: list[Array], fuel: int, wanted: Array) -> Array:
    """Take tokens of a fuel out of `stock`; returns how many there were."""
    if not t.plain_shelves:
        return take_cheapest(t, s, stock, fuel, wanted)
    got = jnp.minimum(stock[fuel], wanted).astype(jnp.int8)
    stock[fuel] = stock[fuel] - got
    return got


def take_cheapest(t: Tables, s: State, stock: list[Array], fuel: int, wanted: Array) -> Array:
    """The same, each token where it is cheapest and for sale, A-KOR-3, A-IND-5."""
    ladder = prices_for(t, t.prices, s, jnp.zeros((), jnp.int8))
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    got, shelves = jnp.zeros((), jnp.int8), np.arange(len(stock))
    for token in range(t.most_need):
        filled = jnp.stack(stock)
        first = places == (t.ladder_sizes - filled)[:, None]
        price = jnp.sum(jnp.where(first, ladder, 0), axis=1)
        there = (shelves % FUELS == fuel) & (for_sale(t, s, filled) > 0)
        best = jnp.argmin(jnp.where(there, price, UNREACHABLE))
        takes = (token < wanted) & jnp.any(there)
        for shelf in range(fuel, len(stock), FUELS):
            stock[shelf] = stock[shelf] - (takes & (best == shelf))
        got += takes
    return got


def begin_turn(s: State, when: Array) -> State:
    """No market has been chosen yet, A-KOR-3."""
    if s.trade is None:
        return s
    return s.replace(trade=jnp.where(when, NO_MARKET, s.trade).astype(jnp.int8))


def queue_buyers(s: State, when: Array) -> State:
    """All buy fuel in turn, the last first, A-IND-6."""
    if s.buyers is None:
        return s
    return s.replace(buyers=jnp.where(when, s.order.shape[0] - 1 - s.order, s.buyers))


def next_buyer(s: State, when: Array, again: Array) -> State:
    """The turn of the first buyer ends; it comes `again` behind the others, or buys no more."""
    if s.buyers is None:
        return s
    last = jnp.sum(s.buyers < DONE, dtype=jnp.int8) - 1
    behind = jnp.where(again, last, DONE)
    moved = jnp.where(s.buyers == 0, behind, jnp.where(s.buyers < DONE, s.buyers - 1, DONE))
    return s.replace(buyers=jnp.where(when, moved, s.buyers).astype(jnp.int8))


def all_had_turn(t: Tables, s: State) -> Array:
    """Whether everybody has had a turn in this phase, or has bought enough, A-IND-6."""
    everybody = s.turn == t.players
    if s.mines is not None:
        everybody = (s.turn >= t.players) & ~jnp.any(sellers(t, s))  # A-AUS-7
    if s.buyers is None:
        return everybody
    return jnp.where(s.mode == FUEL, jnp.all(s.buyers == DONE), everybody)
