"""Fuel of a player: what fits, what plants burn, and which cards it comes from; K-5.3, K-6.1."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame.state import (
    CardState,
    income,
    kind,
    need,
    stored,
)
from highvoltage.batch.cardgame.tables import ECO, FUELS, HYBRID, STORE, TYPES, UNITS, Tables
from highvoltage.batch.state import Array, choose, put
from highvoltage.codec.plants import MIX_CHOICES, RETURN_CHOICES
from highvoltage.games.cardgame.tables import GAS, OIL

MIXED = np.isin(np.arange(FUELS), (GAS, OIL))  # a hybrid burns them
LANE = 8  # bits for each fuel in a word
TOO_MUCH = 32  # more than a store holds, and three times as much fits into a lane


def needs(plants: Array) -> tuple[Array, Array]:
    """What one run of plants of one fuel burns, by kind, and one of hybrids, of gas and oil."""
    of_kind = kind(plants)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int8)
    total = jnp.sum(jnp.where(of_kind, need(plants)[:, None], 0), axis=0, dtype=jnp.int8)
    return total[:FUELS], total[HYBRID]


def rooms(s: CardState, plants: Array, held: Array) -> Array:
    """The units of each kind that fit, K-5.3.2; in the last round those missing, K-5.5.2."""
    pure, shared = needs(plants)
    runs = jnp.where(s.last_round, 1, 2).astype(jnp.int8)
    room = runs * pure - held
    spilled = jnp.sum(jnp.where(MIXED, jnp.minimum(room, 0), 0), dtype=jnp.int8)
    left = runs * shared + spilled
    room = jnp.where(MIXED & (shared > 0), jnp.maximum(room, 0) + jnp.maximum(left, 0), room)
    return jnp.maximum(room, 0).astype(jnp.int8)


def returns(plants: Array, held: Array) -> tuple[Array, Array, Array]:
    """What is lost with each plant that may be scrapped, K-4.5.2, KR-12.

    For each: the units that find no room by kind, how many gas and oil of them must go, and the
    lawful counts of gas.
    """
    pure, shared = needs(plants)
    kinds, rooms = kind(plants), 2 * need(plants)
    own = jnp.where(kinds[:, None] == jnp.arange(FUELS), rooms[:, None], 0)
    spilled = jnp.maximum(0, held - (2 * pure - own)).astype(jnp.int8)
    left = 2 * shared - jnp.where(kinds == HYBRID, rooms, 0)
    excess = jnp.maximum(0, spilled[:, GAS] + spilled[:, OIL] - left).astype(jnp.int8)
    gas = jnp.arange(RETURN_CHOICES, dtype=jnp.int8)
    lawful = (gas <= jnp.minimum(excess, spilled[:, GAS])[:, None]) & (
        gas >= (excess - spilled[:, OIL])[:, None]
    )
    return spilled, excess, lawful


def runs(plants: Array, held: Array) -> Array:
    """Which choices of plants and mixes are lawful: there is fuel for them, KR-23.

    What a choice burns is the sum of a word for each plant, one lane a fuel.
    """
    digit = jnp.arange(MIX_CHOICES, dtype=jnp.int8)
    words = burns(plants[:, None], digit[None])  # [slot, digit]
    highest_digit = jnp.where(kind(plants) == HYBRID, need(plants) + 1, plants_there(plants))
    words = jnp.where(digit[None] <= highest_digit[:, None], words, TOO_MUCH)
    total = jnp.zeros(1, jnp.int32)
    for slot in range(plants.shape[0]):
        total = (words[slot][:, None] + total[None]).reshape(-1)
    full = sum(1 << LANE * fuel + LANE - 1 for fuel in range(FUELS)) - (1 << 32)  # as a signed word
    lanes = LANE * np.arange(FUELS)
    store = jnp.sum(held.astype(jnp.int32) << lanes, dtype=jnp.int32) | full
    return (store - total) & full == full


def plants_there(plants: Array) -> Array:
    """1 for each plant, 0 where there is none."""
    return (income(plants) > 0).astype(jnp.int8)


def burns(plants: Array, digit: Array) -> Array:
    """A word with what plants burn that run with a digit of the code: 0 not at all, or 1 + gas."""
    kinds, needs_ = kind(plants), need(plants).astype(jnp.int32)
    gas = digit.astype(jnp.int32) - 1
    mixed = gas << LANE * GAS | (needs_ - gas) << LANE * OIL
    pure = needs_ << LANE * jnp.minimum(kinds, FUELS - 1).astype(jnp.int32)
    word = jnp.where(kinds == HYBRID, mixed, jnp.where(kinds == ECO, 0, pure))
    return jnp.where(digit > 0, word, 0)


def burn(plants: Array, run: Array) -> tuple[Array, Array]:
    """What a run burns, by kind, and what it earns, K-6.1."""
    slots = plants.shape[0]
    digits = jnp.stack([run // MIX_CHOICES**slot % MIX_CHOICES for slot in range(slots)]).astype(
        jnp.int8
    )
    word = jnp.sum(burns(plants, digits), dtype=jnp.int32)
    burned = (word >> LANE * np.arange(FUELS) & (1 << LANE) - 1).astype(jnp.int8)
    return burned, jnp.sum(jnp.where(digits > 0, income(plants), 0), dtype=jnp.int8)


def most(plants: Array, held: Array) -> Array:
    """The most that plants can earn in one run, KR-31; some mix always suits."""
    slots = plants.shape[0]
    on = np.arange(1 << slots)[:, None] >> np.arange(slots) & 1 == 1  # [set, slot]
    of_kind = kind(plants)[:, None] == jnp.arange(HYBRID + 1, dtype=jnp.int8)
    each = jnp.where(of_kind, need(plants)[:, None], 0)  # [slot, kind]
    total = jnp.sum(jnp.where(on[:, :, None], each[None], 0), axis=1, dtype=jnp.int8)
    left = held - total[:, :FUELS]
    fits = jnp.all(left >= 0, axis=1) & (total[:, HYBRID] <= left[:, GAS] + left[:, OIL])
    earned = jnp.sum(jnp.where(on, income(plants), 0), axis=1, dtype=jnp.int8)
    return jnp.max(jnp.where(fits, earned, 0))


def spend(t: Tables, s: CardState, spent: Array) -> CardState:
    """The seat to move turns cards down by the units spent; those used up leave, KR-20, K-6.1.2.

    The emptiest card goes first (by an option the fullest), a single before a card with a mark,
    then the older one.
    """
    mine = jnp.arange(t.players) == s.current_player
    row, singles = choose(s.store, mine), choose(s.singles, mine)
    kinds, faces, left = row >> 4, row >> 2 & 3, (row & 3).astype(jnp.int8)
    at = jnp.arange(STORE, dtype=jnp.int8)
    rank = jnp.where(t.fullest, UNITS - left, left) * STORE + at.astype(jnp.int16)
    earlier = (rank[None] < rank[:, None]) & (kinds[None] == kinds[:, None])
    units = jnp.sum(jnp.where(earlier, left[None], 0), axis=1, dtype=jnp.int8)
    of_kind = kinds[:, None] == jnp.arange(FUELS)
    own = jnp.sum(jnp.where(of_kind, singles, 0), axis=1, dtype=jnp.int8)
    wanted = jnp.sum(jnp.where(of_kind, spent, 0), axis=1, dtype=jnp.int8)
    if t.fullest:
        fuller = jnp.where((left > 1)[:, None] & of_kind, left[:, None], 0)
        before_singles = jnp.sum(fuller, axis=0, dtype=jnp.int8)
        own = jnp.where(left == 1, own, 0)
    else:
        before_singles = jnp.zeros(FUELS, jnp.int8)
    turned = left - jnp.clip(wanted - units - own, 0, left)
    used = jnp.clip(spent - before_singles, 0, singles)
    types = kinds * UNITS + faces - 1
    gone = ((left > 0) & (turned == 0))[:, None] & (types[:, None] == jnp.arange(TYPES))
    kept = jnp.where(turned > 0, stored(kinds, faces, turned.astype(jnp.uint8)), 0)
    return s.replace(
        store=put(s.store, mine, closed_up(kept)),
        singles=s.singles - jnp.where(mine[:, None], used, 0),
        fuel=s.fuel - jnp.where(mine[:, None], spent, 0),
        discard=s.discard + jnp.sum(gone, axis=0, dtype=jnp.int8),
    )


def closed_up(row: Array) -> Array:
    """A row without gaps, in the same order."""
    there, at = row > 0, jnp.arange(row.shape[0])
    place = jnp.sum(there[None] & (at[None] < at[:, None]), axis=1)
    moves = there[None] & (place[None] == at[:, None])
    return jnp.sum(jnp.where(moves, row[None], 0), axis=1, dtype=row.dtype)


def keep(t: Tables, s: CardState, when: Array, type_: Array, kept: Array) -> CardState:
    """A card with a mark goes to the store of the seat to move, K-5.2."""
    mine = jnp.arange(t.players) == s.current_player
    row = choose(s.store, mine)
    new = jnp.arange(STORE) == jnp.sum(row > 0)
    card = stored(type_ // UNITS, type_ % UNITS + 1, kept)
    return s.replace(store=put(s.store, mine, jnp.where(when & new, card, row)))


def highest(plants: Array) -> Array:
    """[seat] the code of the highest plant, 0 without any."""
    return jnp.max(jnp.where(income(plants) > 0, plants, 0), axis=1)
