"""Fuel: what plants can store and burn, and what it costs."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.state import Array, State, barrier, kind, need, pick, powers
from highvoltage.batch.tables import FUELS, HYBRID, LAST, UNREACHABLE, Table, Tables
from highvoltage.codec.plants import MIX_CHOICES, RETURN_CHOICES


def stores(plants: Array) -> tuple[Array, Array]:
    """Room on plants of a single fuel, by kind, and room shared on hybrids, C-6.2."""
    needs = 2 * need(plants)
    of_kind = kind(plants)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int16)
    room = jnp.sum(jnp.where(of_kind, needs[:, None], 0), axis=0, dtype=jnp.int8)
    return room[:FUELS], room[HYBRID]


def rooms(plants: Array, held: Array) -> Array:
    """How many more tokens of each kind fit, each kind on its own, C-6.2.1, C-6.2.3."""
    pure, shared = stores(plants)
    room = pure - held
    mixed = jnp.arange(FUELS) < 2
    spilled = jnp.sum(jnp.where(mixed, jnp.minimum(room, 0), 0), dtype=jnp.int8)
    return jnp.where(mixed & (shared > 0), jnp.maximum(room, 0) + shared + spilled, room)


def prices_for(table: Table, cheap: Array) -> Array:
    """[fuel, place] of prices for a player with this set of discounts, C-12.3.6."""
    return jnp.asarray(table[0]) if len(table) == 1 else pick(jnp.asarray(table), cheap)


def affordable(t: Tables, s: State, money: Array, cheap: Array) -> Array:
    """How many tokens of each kind are available and affordable, C-6.1.2, R-11.2."""
    ladder, upto = prices_for(t.prices, cheap), prices_for(t.price_sums, cheap)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (t.ladder_sizes - s.stock)[:, None]
    base = jnp.sum(jnp.where(places < empty, ladder, 0), axis=1, dtype=jnp.int16)
    there = (places >= empty) & (places < t.ladder_sizes[:, None])
    count = jnp.sum(there & (upto <= (money + base)[:, None]), axis=1, dtype=jnp.int8)
    if not any(t.storage_prices):
        return count
    left = jnp.maximum(money + base - upto[:, -1], 0)
    price = np.array([price or UNREACHABLE for price in t.storage_prices], np.int16)
    beyond = jnp.minimum(s.supply, jnp.where(price < UNREACHABLE, left // price, 0)).astype(
        jnp.int8
    )
    return count + jnp.where(count == s.stock, beyond, 0)


def purchase(
    t: Tables, s: State, when: Array, fuel: Array, count: Array, cheap: Array
) -> tuple[Array, Array, Array]:
    """Tokens bought, by kind, those of them from the market, and the cost, C-6.1, R-11.2."""
    bought = jnp.where(when & (jnp.arange(FUELS) == fuel), count, 0).astype(jnp.int8)
    market = jnp.minimum(bought, s.stock)
    ladder = prices_for(t.prices, cheap)
    places = jnp.arange(ladder.shape[1], dtype=jnp.int8)
    empty = (t.ladder_sizes - s.stock)[:, None]
    taken = (places >= empty) & (places < empty + market[:, None])
    beyond = (bought - market).astype(jnp.int16) * jnp.array(t.storage_prices, jnp.int16)
    cost = jnp.sum(jnp.where(taken, ladder, 0), dtype=jnp.int16) + jnp.sum(beyond, dtype=jnp.int16)
    return bought, market, cost


def returns(plants: Array, held: Array) -> tuple[Array, Array, Array]:
    """Which tokens are returned with each plant that may be scrapped, C-4.5.4.

    For each: the tokens without room by kind, how many of the coal and oil must go, and the legal
    counts of coal.
    """
    pure, shared = stores(plants)
    kinds, needs = kind(plants), 2 * need(plants)
    lost = jnp.where(kinds[:, None] == jnp.arange(FUELS), needs[:, None], 0)
    spilled = jnp.maximum(0, held - (pure - lost)).astype(jnp.int8)
    left = shared - jnp.where(kinds == HYBRID, needs, 0)
    excess = jnp.maximum(0, spilled[:, 0] + spilled[:, 1] - left).astype(jnp.int8)
    coal = jnp.arange(RETURN_CHOICES, dtype=jnp.int8)
    burns = (kinds[:, None] == jnp.arange(FUELS)) | (
        (kinds == HYBRID)[:, None] & (jnp.arange(FUELS) < 2)
    )
    allowed = (coal <= jnp.minimum(excess, spilled[:, 0])[:, None]) & (
        coal >= (excess - spilled[:, 1])[:, None]
    )
    allowed &= (coal == 0) | burns[:, :1]
    allowed &= (coal == excess[:, None]) | burns[:, 1:2]
    allowed &= jnp.all((spilled[:, 2:] == 0) | burns[:, 2:], axis=1)[:, None]
    return spilled, excess, allowed


def runs(plants: Array, held: Array) -> Array:
    """Which choices of plants and mixes are legal, C-8.2.

    A hybrid burns what can lie on it; plants run one after the other in an order of the owner's
    choice (C-8.2.7): sets of plants that have run are reached one by one. Everything is recomputed
    for each choice from two words, which is faster on a device than fetching parts of it.
    """
    slots = plants.shape[0]
    hand, tank = barrier(pack_run_inputs(plants, held))
    number = np.arange(MIX_CHOICES**slots)
    digits = [(number // MIX_CHOICES**slot % MIX_CHOICES).astype(np.int8) for slot in range(slots)]
    left = [bit_field(tank, 5 * fuel, 5) for fuel in range(FUELS)]
    pure, shared = [bit_field(tank, 20, 5), bit_field(tank, 25, 5)], bit_field(hand, 24, 5)
    ok = jnp.ones((), bool)
    coal, oil, spare_room = [], [], []
    for slot, digit in enumerate(digits):
        needs, kind_ = bit_field(hand, 6 * slot, 2), bit_field(hand, 6 * slot + 2, 3)
        there = bit_field(hand, 6 * slot + 5, 1)
        hybrid = kind_ == HYBRID
        ok = ok & (digit <= jnp.where(hybrid, needs + 1, there))
        for fuel in range(FUELS):
            left[fuel] = left[fuel] - jnp.where((kind_ == fuel) & (digit > 0), needs, 0)
        fires = hybrid & (digit > 0)
        coal.append(jnp.where(fires, digit - 1, 0).astype(jnp.int8))
        oil.append(jnp.where(fires, needs - (digit - 1), 0).astype(jnp.int8))
        spare_room.append(shared - jnp.where(fires, needs, -100).astype(jnp.int8))
    beyond = [left[0] - pure[0], left[1] - pure[1]]  # what the plants of a single fuel cannot hold
    reached = {0: ok & (left[2] >= 0) & (left[3] >= 0)}
    burned = {0: (jnp.zeros((), jnp.int8), jnp.zeros((), jnp.int8))}
    for done in range(1, 1 << slots):
        some = [slot for slot in range(slots) if done >> slot & 1]
        before = burned[done ^ 1 << some[-1]]
        burned[done] = before[0] + coal[some[-1]], before[1] + oil[some[-1]]
        first, second = beyond[0] - burned[done][0], beyond[1] - burned[done][1]
        spilled = jnp.maximum(0, first) + jnp.maximum(0, second)
        reached[done] = jnp.zeros((), bool)
        for slot in some:
            reached[done] |= reached[done ^ 1 << slot] & (spilled <= spare_room[slot])
    everything = (1 << slots) - 1
    enough = (burned[everything][0] <= left[0]) & (burned[everything][1] <= left[1])
    return reached[everything] & enough


def pack_run_inputs(plants: Array, held: Array) -> tuple[Array, Array]:
    """All inputs of `runs`: need, kind and presence of plants, tokens and room for them."""
    pure, shared = stores(plants)
    codes = (plants >> 3 & 31).astype(jnp.int32) | (plants < LAST).astype(jnp.int32) << 5
    hand = shared.astype(jnp.int32) << 24
    for slot in range(plants.shape[0]):
        hand |= codes[slot] << 6 * slot
    counts = [*(held[fuel] for fuel in range(FUELS)), pure[0], pure[1]]
    tank = jnp.zeros((), jnp.int32)
    for at, count in enumerate(counts):
        tank |= count.astype(jnp.int32) << 5 * at
    return hand, tank


def bit_field(word: Array, first: int, bits: int) -> Array:
    return (word >> first & (1 << bits) - 1).astype(jnp.int8)


def burn(plants: Array, run: Array) -> tuple[Array, Array]:
    """What a run burns, by kind, and how many cities it could supply."""
    slots = plants.shape[0]
    digits = jnp.stack([run // MIX_CHOICES**slot % MIX_CHOICES for slot in range(slots)]).astype(
        jnp.int8
    )
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
    """The most cities that plants can supply in one run, C-10.3; some mix always fits."""
    slots = plants.shape[0]
    on = np.arange(1 << slots)[:, None] >> np.arange(slots) & 1 == 1  # [set, slot]
    packed = need(plants).astype(jnp.int32) << 5 * jnp.minimum(kind(plants), HYBRID)
    burned = jnp.sum(jnp.where(on, packed, 0), axis=1, dtype=jnp.int32)  # five bits for each kind
    left = [held[fuel] - (burned >> 5 * fuel & 31) for fuel in range(FUELS)]
    fits = (burned >> 5 * HYBRID & 31) <= left[0] + left[1]
    for count in left:
        fits &= count >= 0
    yields = jnp.sum(jnp.where(on, powers(plants), 0), axis=1, dtype=jnp.int8)
    return jnp.max(jnp.where(fits, yields, 0))


def stock_cartel(s: State, when: Array) -> State:
    """The cartel takes one run for each plant from the market, hybrids last, R-12.6."""
    assert s.cartel is not None
    stock = [s.stock[fuel] for fuel in range(FUELS)]
    plants = [s.cartel.plants[slot] for slot in range(s.cartel.plants.shape[0])]
    for card in plants:
        for fuel in range(FUELS):
            wanted = jnp.where(kind(card) == fuel, need(card), 0)
            stock[fuel] = stock[fuel] - jnp.minimum(stock[fuel], wanted)
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
