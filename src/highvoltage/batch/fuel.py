"""Fuel: what plants can store and burn, and what it costs."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.state import Array, State, kind, need, pick, powers
from highvoltage.batch.tables import FAR, FUELS, HYBRID, LAST, Table, Tables
from highvoltage.codec.plants import MIXES, RETURNS


def stores(plants: Array) -> tuple[Array, Array]:
    """Room on plants of one fuel, by kind, and room shared on hybrids, C-6.2."""
    needs = 2 * need(plants)
    of_kind = kind(plants)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int16)
    room = jnp.sum(jnp.where(of_kind, needs[:, None], 0), axis=0, dtype=jnp.int8)
    return room[:FUELS], room[HYBRID]


def rooms(plants: Array, held: Array) -> Array:
    """How many more tokens of each kind fit, each taken alone, C-6.2.1, C-6.2.3."""
    pure, shared = stores(plants)
    room = pure - held
    mixed = jnp.arange(FUELS) < 2
    spilled = jnp.sum(jnp.where(mixed, jnp.minimum(room, 0), 0), dtype=jnp.int8)
    return jnp.where(mixed & (shared > 0), jnp.maximum(room, 0) + shared + spilled, room)


def of_player(table: Table, cheap: Array) -> Array:
    """[fuel, place] of prices for a player with so many discounts, C-12.3.6."""
    return jnp.asarray(table[0]) if len(table) == 1 else pick(jnp.asarray(table), cheap)


def affordable(t: Tables, s: State, money: Array, cheap: Array) -> Array:
    """How many tokens of each kind there are and money buys, C-6.1.2, R-11.2."""
    ladder, upto = of_player(t.prices, cheap), of_player(t.price_sums, cheap)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (t.ladder_sizes - s.stock)[:, None]
    base = jnp.sum(jnp.where(places < empty, ladder, 0), axis=1, dtype=jnp.int16)
    there = (places >= empty) & (places < t.ladder_sizes[:, None])
    count = jnp.sum(there & (upto <= (money + base)[:, None]), axis=1, dtype=jnp.int8)
    if not any(t.storage_prices):
        return count
    left = jnp.maximum(money + base - upto[:, -1], 0)
    price = np.array([price or FAR for price in t.storage_prices], np.int16)
    beyond = jnp.minimum(s.supply, jnp.where(price < FAR, left // price, 0)).astype(jnp.int8)
    return count + jnp.where(count == s.stock, beyond, 0)


def purchase(
    t: Tables, s: State, when: Array, fuel: Array, count: Array, cheap: Array
) -> tuple[Array, Array, Array]:
    """Tokens bought, by kind, those of them from the market, and the cost, C-6.1, R-11.2."""
    bought = jnp.where(when & (jnp.arange(FUELS) == fuel), count, 0).astype(jnp.int8)
    market = jnp.minimum(bought, s.stock)
    ladder = of_player(t.prices, cheap)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (t.ladder_sizes - s.stock)[:, None]
    taken = (places >= empty) & (places < empty + market[:, None])
    beyond = (bought - market).astype(jnp.int16) * jnp.array(t.storage_prices, jnp.int16)
    cost = jnp.sum(jnp.where(taken, ladder, 0), dtype=jnp.int16) + jnp.sum(beyond, dtype=jnp.int16)
    return bought, market, cost


def returns(plants: Array, held: Array) -> tuple[Array, Array, Array]:
    """What goes back with each plant that may be scrapped, C-4.5.4.

    For each: the tokens that find no room by kind, how many coal and oil of them must go, and the
    lawful counts of coal.
    """
    pure, shared = stores(plants)
    kinds, needs = kind(plants), 2 * need(plants)
    lost = jnp.where(kinds[:, None] == jnp.arange(FUELS), needs[:, None], 0)
    spilled = jnp.maximum(0, held - (pure - lost)).astype(jnp.int8)
    left = shared - jnp.where(kinds == HYBRID, needs, 0)
    excess = jnp.maximum(0, spilled[:, 0] + spilled[:, 1] - left).astype(jnp.int8)
    coal = jnp.arange(RETURNS, dtype=jnp.int8)
    burns = (kinds[:, None] == jnp.arange(FUELS)) | (
        (kinds == HYBRID)[:, None] & (jnp.arange(FUELS) < 2)
    )
    lawful = (coal <= jnp.minimum(excess, spilled[:, 0])[:, None]) & (
        coal >= (excess - spilled[:, 1])[:, None]
    )
    lawful &= (coal == 0) | burns[:, :1]
    lawful &= (coal == excess[:, None]) | burns[:, 1:2]
    lawful &= jnp.all((spilled[:, 2:] == 0) | burns[:, 2:], axis=1)[:, None]
    return spilled, excess, lawful


def runs(plants: Array, held: Array) -> Array:
    """Which choices of plants and mixes are lawful, C-8.2; the digit of the first plant is last.

    A hybrid burns what can lie on it, one after the other in an order of the owner's choice
    (C-8.2.7): sets of plants that have run are reached one by one.
    """
    slots = plants.shape[0]
    pure, shared = stores(plants)
    digit = jnp.arange(MIXES, dtype=jnp.int8)
    on = digit > 0
    coal_of = jnp.maximum(digit - 1, 0)

    def along(slot: int, values: Array) -> Array:
        """The values of one digit, on the axis of its slot."""
        return values.reshape([MIXES if axis == slots - 1 - slot else 1 for axis in range(slots)])

    ok = jnp.ones((1,) * slots, bool)
    left = [held[fuel].reshape((1,) * slots) for fuel in range(FUELS)]
    coal, oil, minds = [], [], []
    for slot in range(slots):
        card, needs = plants[slot], need(plants[slot])
        hybrid = kind(card) == HYBRID
        most = jnp.where(hybrid, needs + 1, (card < LAST).astype(jnp.int8))
        ok = ok & along(slot, digit <= most)
        for fuel in range(FUELS):
            burned = jnp.where(on & (kind(card) == fuel), needs, 0)
            left[fuel] = left[fuel] - along(slot, burned)
        fires = on & hybrid
        coal.append(along(slot, jnp.where(fires, coal_of, 0)))
        oil.append(along(slot, jnp.where(fires, needs - coal_of, 0)))
        minds.append(along(slot, shared - jnp.where(fires, needs, -100).astype(jnp.int8)))
    reached = {0: ok & (left[2] >= 0) & (left[3] >= 0)}
    everything = (1 << slots) - 1
    for done in range(1, 1 << slots):
        some = [slot for slot in range(slots) if done >> slot & 1]
        first = left[0] - sum(coal[slot] for slot in some)
        second = left[1] - sum(oil[slot] for slot in some)
        spilled = jnp.maximum(0, first - pure[0]) + jnp.maximum(0, second - pure[1])
        reached[done] = jnp.zeros((), bool)
        for slot in some:
            reached[done] |= reached[done ^ 1 << slot] & (spilled <= minds[slot])
        if done == everything:
            reached[done] &= (first >= 0) & (second >= 0)
    return reached[everything].reshape(-1)


def burn(plants: Array, run: Array) -> tuple[Array, Array]:
    """What a run burns, by kind, and how many cities it could supply."""
    slots = plants.shape[0]
    digits = jnp.stack([run // MIXES**slot % MIXES for slot in range(slots)]).astype(jnp.int8)
    on = digits > 0
    hybrid = on & (kind(plants) == HYBRID)
    coal = jnp.where(hybrid, digits - 1, 0)
    oil = jnp.where(hybrid, need(plants) - coal, 0)
    pure = on[:, None] & (kind(plants)[:, None] == jnp.arange(FUELS))
    burned = jnp.where(pure, need(plants)[:, None], 0)
    mixed = jnp.stack([coal, oil, 0 * coal, 0 * coal], axis=1)
    yields = jnp.sum(jnp.where(on, powers(plants), 0), dtype=jnp.int8)
    return jnp.sum(burned + mixed, axis=0, dtype=jnp.int8), yields


def most_powered(plants: Array, held: Array) -> Array:
    """The most cities that plants can supply in one run, C-10.3; some mix always suits."""
    slots = plants.shape[0]
    on = (jnp.arange(1 << slots)[:, None] >> jnp.arange(slots) & 1).astype(bool)  # [set, slot]
    of_kind = kind(plants)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int16)
    needs = jnp.where(of_kind, need(plants)[:, None], 0)  # [slot, kind]
    burned = jnp.sum(jnp.where(on[:, :, None], needs, 0), axis=1, dtype=jnp.int8)
    left = held - burned[:, :FUELS]
    fits = jnp.all(left >= 0, axis=1) & (burned[:, HYBRID] <= left[:, 0] + left[:, 1])
    yields = jnp.sum(jnp.where(on, powers(plants), 0), axis=1, dtype=jnp.int8)
    return jnp.max(jnp.where(fits, yields, 0))


def stock_cartel(s: State, when: Array) -> State:
    """The cartel takes one run for each plant from the market, hybrids last, R-12.6."""
    assert s.cartel is not None
    stock = [s.stock[fuel] for fuel in range(FUELS)]
    plants = [s.cartel.plants[slot] for slot in range(s.cartel.plants.shape[0])]
    for card in plants:
        for fuel in range(FUELS):
            wish = jnp.where(kind(card) == fuel, need(card), 0)
            stock[fuel] = stock[fuel] - jnp.minimum(stock[fuel], wish)
    for card in plants:
        for token in range(3):
            wants = (kind(card) == HYBRID) & (token < need(card))
            one, two = (0, 1) if token % 2 == 0 else (1, 0)
            takes = wants & (stock[one] > 0)
            instead = wants & ~takes & (stock[two] > 0)
            stock[one] = stock[one] - takes
            stock[two] = stock[two] - instead
    left = jnp.where(when, jnp.stack(stock), s.stock).astype(jnp.int8)
    taken = jnp.where(when, s.stock - left, s.cartel.fuel).astype(jnp.int8)
    return s.replace(stock=left, cartel=replace(s.cartel, fuel=taken))
