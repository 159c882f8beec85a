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

    What a plant adds to a run is packed into two words, so that a run costs two sums and two tests.
    In one array, or a CPU would compute them anew for every run.
    """
    words = barrier(jnp.stack([fuel_words(plants, held, how), order_words(plants, held, how)]))
    left, order = sums(words[0]), sums(words[1])
    enough = left & FUEL_GUARDS == FUEL_GUARDS
    return enough & (order >> ASKED & ~order & ROOM_GUARDS == 0)


def sums(words: Array) -> Array:
    """[run] the sum of the words [slot, digit] that it chooses."""
    total = words[0]
    for row in words[1:]:
        total = (row[:, None] + total).reshape(-1)
    return total


def mixes(plants: Array, how: Burning) -> tuple[Array, list[Array]]:
    """[slot, digit] whether there is such a choice, and what it burns of each fuel."""
    kinds, needs = kinds_of(plants, how)[:, None], needs_of(plants, how)[:, None]
    hybrid, digit = kinds == HYBRID, np.arange(MIX_CHOICES, dtype=np.int8)
    exists = jnp.where(hybrid, needs + 1, plants[:, None] < LAST) >= digit
    on = exists & (digit > 0)
    burned = [jnp.where(on & (kinds == fuel), needs, 0).astype(jnp.int32) for fuel in range(FUELS)]
    one, two = how.hybrid
    burned[one] += jnp.where(on & hybrid, digit - 1, 0)
    burned[two] += jnp.where(on & hybrid, needs - (digit - 1), 0)
    return exists, burned


# Each fuel has five bits for what is left and a guard above, which goes when too much is taken. One
# more field counts the choices that do not exist; there none is left from the beginning.
FUEL_FIELD = 6
FUEL_GUARDS = sum(32 << FUEL_FIELD * field for field in range(FUELS + 1))


def fuel_words(plants: Array, held: Array, how: Burning) -> Array:
    """[slot, digit] what each choice leaves; the sum of a run tells whether there is enough."""
    exists, burned = mixes(plants, how)
    taken = jnp.where(exists, 0, 1 << FUEL_FIELD * FUELS)
    tank = jnp.int32(FUEL_GUARDS)
    for fuel in range(FUELS):
        taken += burned[fuel] << FUEL_FIELD * fuel
        tank += held[fuel].astype(jnp.int32) << FUEL_FIELD * fuel
    first = (np.arange(plants.shape[0]) == 0)[:, None]
    return jnp.where(first, tank, 0) - taken


# For 1 to 3 tokens there are four bits for the room, with a guard above that is set where it is
# enough; ASKED bits higher, the guard is set where a plant needs so much.
ROOM_FIELD, MOST_NEED = 5, 3
ASKED = ROOM_FIELD * MOST_NEED
ROOM_GUARDS = sum(16 << ROOM_FIELD * level for level in range(MOST_NEED))


def order_words(plants: Array, held: Array, how: Burning) -> Array:
    """[slot, digit] the same for the order in which plants run, which the owner chooses, C-8.2.7.

    What stays when a hybrid has run must fit without the half of its store that it has burned. So
    for every token of one fuel that it burns, there must be free room for one of the other fuel: in
    the beginning, or because other plants have burned that fuel before. Hybrids store twice what
    they burn, so room can only be scarce for one of the two fuels; and in that case those that ask
    for least go first.
    """
    pure, shared = stores(plants, how)
    one, two = how.hybrid
    room, other = (shared + pure[fuel] - held[fuel] for fuel in how.hybrid)
    scarce = room < other
    hybrid = (kinds_of(plants, how) == HYBRID)[:, None]
    _, burned = mixes(plants, how)
    frees = jnp.where(scarce, burned[one], burned[two])
    asks = jnp.where(hybrid, jnp.where(scarce, burned[two], burned[one]), 0)
    room = jnp.minimum(jnp.minimum(room, other), MOST_NEED).astype(jnp.int32)
    first = (np.arange(plants.shape[0]) == 0)[:, None]
    words = jnp.zeros((), jnp.int32)
    for level in range(MOST_NEED):
        need_ = level + 1
        free = jnp.where(asks < need_, frees, 0) + jnp.where(first, 16 + room - need_, 0)
        asked = (asks == need_) + jnp.where(first, 15, 0)
        words += (free + (asked << ASKED)) << ROOM_FIELD * level
    return words


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
