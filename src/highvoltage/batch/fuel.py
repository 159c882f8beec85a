"""Fuel on plants: what they can store and burn, C-6.2, C-8.2."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import BULKY, FUELS, HYBRID, LAST, PLAIN, Burning
from highvoltage.batch.state import Array, barrier, kind, need, powers
from highvoltage.codec.plants import MIX_CHOICES, RETURN_CHOICES
from highvoltage.games.classic.tables import GARBAGE


def kinds_of(plants: Array, how: Burning) -> Array:
    """The kind of each plant, by what it burns."""
    kinds = kind(plants)
    return jnp.where(kinds == BULKY, GARBAGE, kinds) if how.bulky else kinds


def needs_of(plants: Array, how: Burning) -> Array:
    """What each plant burns in one run."""
    return need(plants) + (kind(plants) == BULKY) if how.bulky else need(plants)


def stores(plants: Array, how: Burning) -> tuple[Array, Array]:
    """Room on plants of a single fuel, by kind, and room shared on hybrids, C-6.2."""
    needs = 2 * need(plants)  # also of those that burn more, A-IND-7
    of_kind = kinds_of(plants, how)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int16)
    room = jnp.sum(jnp.where(of_kind, needs[:, None], 0), axis=0, dtype=jnp.int8)
    return room[:FUELS], room[HYBRID]


def rooms(plants: Array, held: Array, how: Burning = PLAIN) -> Array:
    """How many more tokens of each kind fit, each kind on its own, C-6.2.1, C-6.2.3."""
    pure, shared = stores(plants, how)
    room = pure - held
    mixed = np.isin(np.arange(FUELS), how.hybrid)
    spilled = jnp.sum(jnp.where(mixed, jnp.minimum(room, 0), 0), dtype=jnp.int8)
    return jnp.where(mixed & (shared > 0), jnp.maximum(room, 0) + shared + spilled, room)


def returns(plants: Array, held: Array, how: Burning = PLAIN) -> tuple[Array, Array, Array]:
    """Which tokens are returned with each plant that may be scrapped, C-4.5.4.

    For each: the tokens without room by kind, how many of the two that hybrids burn must go, and
    the legal counts of the first of these.
    """
    one, two = how.hybrid
    mixed = np.isin(np.arange(FUELS), how.hybrid)
    pure, shared = stores(plants, how)
    kinds, needs = kinds_of(plants, how), 2 * need(plants)
    lost = jnp.where(kinds[:, None] == jnp.arange(FUELS), needs[:, None], 0)
    spilled = jnp.maximum(0, held - (pure - lost)).astype(jnp.int8)
    left = shared - jnp.where(kinds == HYBRID, needs, 0)
    excess = jnp.maximum(0, spilled[:, one] + spilled[:, two] - left).astype(jnp.int8)
    first = jnp.arange(RETURN_CHOICES, dtype=jnp.int8)
    burns = (kinds[:, None] == jnp.arange(FUELS)) | ((kinds == HYBRID)[:, None] & mixed)
    allowed = (first <= jnp.minimum(excess, spilled[:, one])[:, None]) & (
        first >= (excess - spilled[:, two])[:, None]
    )
    allowed &= (first == 0) | burns[:, one : one + 1]
    allowed &= (first == excess[:, None]) | burns[:, two : two + 1]
    allowed &= jnp.all((spilled == 0) | burns | mixed, axis=1)[:, None]
    return spilled, excess, allowed


def returned(spilled: Array, excess: Array, first: Array, how: Burning = PLAIN) -> Array:
    """The tokens that go back, by kind, with so many of the first fuel of hybrids."""
    one, two = how.hybrid
    back = [spilled[fuel] for fuel in range(FUELS)]
    back[one], back[two] = first.astype(jnp.int8), excess - first.astype(jnp.int8)
    return jnp.stack(back)


def runs(plants: Array, held: Array, how: Burning = PLAIN) -> Array:
    """Which choices of plants and mixes are legal, C-8.2.

    A hybrid burns what can lie on it; plants run one after the other in an order of the owner's
    choice (C-8.2.7): sets of plants that have run are reached one by one. Everything is recomputed
    for each choice from two words, which is faster on a device than fetching parts of it.
    """
    slots = plants.shape[0]
    one, two = how.hybrid
    hand, tank = barrier(pack_run_inputs(plants, held, how))
    number = np.arange(MIX_CHOICES**slots)
    digits = [(number // MIX_CHOICES**slot % MIX_CHOICES).astype(np.int8) for slot in range(slots)]
    left = [bit_field(tank, 5 * fuel, 5) for fuel in range(FUELS)]
    pure, shared = [bit_field(tank, 20, 5), bit_field(tank, 25, 5)], bit_field(hand, 24, 5)
    ok = jnp.ones((), bool)
    coal, oil, spare_room = [], [], []
    for slot, digit in enumerate(digits):
        needs, kind_ = bit_field(hand, 6 * slot, 2), bit_field(hand, 6 * slot + 2, 3)
        there = bit_field(hand, 6 * slot + 5, 1)
        if how.bulky:
            needs += kind_ == BULKY
            kind_ = jnp.where(kind_ == BULKY, GARBAGE, kind_)
        hybrid = kind_ == HYBRID
        ok = ok & (digit <= jnp.where(hybrid, needs + 1, there))
        for fuel in range(FUELS):
            left[fuel] = left[fuel] - jnp.where((kind_ == fuel) & (digit > 0), needs, 0)
        fires = hybrid & (digit > 0)
        coal.append(jnp.where(fires, digit - 1, 0).astype(jnp.int8))
        oil.append(jnp.where(fires, needs - (digit - 1), 0).astype(jnp.int8))
        spare_room.append(shared - jnp.where(fires, needs, -100).astype(jnp.int8))
    beyond = [left[one] - pure[0], left[two] - pure[1]]  # what plants of a single fuel cannot hold
    for fuel in range(FUELS):
        if fuel not in how.hybrid:
            ok = ok & (left[fuel] >= 0)
    reached = {0: ok}
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
    enough = (burned[everything][0] <= left[one]) & (burned[everything][1] <= left[two])
    return reached[everything] & enough


def pack_run_inputs(plants: Array, held: Array, how: Burning) -> tuple[Array, Array]:
    """All inputs of `runs`: need, kind and presence of plants, tokens and room for them."""
    pure, shared = stores(plants, how)
    codes = (plants >> 3 & 31).astype(jnp.int32) | (plants < LAST).astype(jnp.int32) << 5
    hand = shared.astype(jnp.int32) << 24
    for slot in range(plants.shape[0]):
        hand |= codes[slot] << 6 * slot
    counts = [*(held[fuel] for fuel in range(FUELS)), *(pure[fuel] for fuel in how.hybrid)]
    tank = jnp.zeros((), jnp.int32)
    for at, count in enumerate(counts):
        tank |= count.astype(jnp.int32) << 5 * at
    return hand, tank


def bit_field(word: Array, first: int, bits: int) -> Array:
    return (word >> first & (1 << bits) - 1).astype(jnp.int8)


def burn(plants: Array, run: Array, how: Burning = PLAIN) -> tuple[Array, Array]:
    """What a run burns, by kind, and how many cities it could supply."""
    slots = plants.shape[0]
    digits = jnp.stack([run // MIX_CHOICES**slot % MIX_CHOICES for slot in range(slots)]).astype(
        jnp.int8
    )
    on, kinds, needs = digits > 0, kinds_of(plants, how), needs_of(plants, how)
    hybrid = on & (kinds == HYBRID)
    first = jnp.where(hybrid, digits - 1, 0)
    second = jnp.where(hybrid, needs - first, 0)
    pure = on[:, None] & (kinds[:, None] == jnp.arange(FUELS))
    burned = jnp.where(pure, needs[:, None], 0)
    one, two = how.hybrid
    by_fuel = [0 * first] * FUELS
    by_fuel[one], by_fuel[two] = first, second
    yields = jnp.sum(jnp.where(on, powers(plants), 0), dtype=jnp.int8)
    return jnp.sum(burned + jnp.stack(by_fuel, axis=1), axis=0, dtype=jnp.int8), yields


def most_powered(plants: Array, held: Array, how: Burning = PLAIN) -> Array:
    """The most cities that plants can supply in one run, C-10.3; some mix always fits."""
    slots = plants.shape[0]
    on = np.arange(1 << slots)[:, None] >> np.arange(slots) & 1 == 1  # [set, slot]
    kinds = jnp.minimum(kinds_of(plants, how), HYBRID)
    packed = needs_of(plants, how).astype(jnp.int32) << 5 * kinds
    burned = jnp.sum(jnp.where(on, packed, 0), axis=1, dtype=jnp.int32)  # five bits for each kind
    left = [held[fuel] - (burned >> 5 * fuel & 31) for fuel in range(FUELS)]
    fits = (burned >> 5 * HYBRID & 31) <= left[how.hybrid[0]] + left[how.hybrid[1]]
    for count in left:
        fits &= count >= 0
    yields = jnp.sum(jnp.where(on, powers(plants), 0), axis=1, dtype=jnp.int8)
    return jnp.max(jnp.where(fits, yields, 0))


def run_yields(plants: Array) -> Array:
    """[run] how many cities each choice of plants could supply."""
    slots = plants.shape[0]
    runs_ = np.arange(MIX_CHOICES**slots)[:, None]
    on = runs_ // MIX_CHOICES ** np.arange(slots) % MIX_CHOICES > 0
    return jnp.sum(jnp.where(on, powers(plants), 0), axis=1, dtype=jnp.int8)
