"""The fuel market: four columns of cards, whose number is the price of a card, K-5 and K-6.3."""

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame import fuel
from highvoltage.batch.cardgame.state import CardState, before, types_of
from highvoltage.batch.cardgame.tables import FUELS, TYPES, UNITS, Tables
from highvoltage.batch.seldom import seldom
from highvoltage.batch.state import Array, choose, pick

COLUMN_OF_SINGLES = 0  # columns are counted from 0 here
BITS = 5  # to count the cards of a type in a column
IN_WORD = 6  # so many types are counted in a word
WORDS = TYPES // IN_WORD
SHARE = 16  # few refills empty the pile


def free_singles(t: Tables, s: CardState) -> Array:
    """[fuel] singles beside the market; below 0 more are out than the box holds, KR-21."""
    out = s.column_1 + jnp.sum(s.singles, axis=0, dtype=jnp.int8)
    if s.bank is not None:
        out += s.bank.singles
    return jnp.asarray(t.singles) - out


def put_surplus(t: Tables, s: CardState, count: Array) -> CardState:
    """[fuel] units that find no room go to column 1 as singles, K-5.4.1."""
    if t.printed_singles:
        count = jnp.minimum(count, free_singles(t, s))  # KR-21
    return s.replace(column_1=s.column_1 + count.astype(jnp.int8))


def buy(t: Tables, s: CardState, when: Array, type_: Array, column: Array) -> CardState:
    """The seat to move buys a card for the number of its column, K-5.2; the surplus, K-5.4."""
    mine = jnp.arange(t.players) == s.current_player
    kind, units = type_ // UNITS, type_ % UNITS + 1
    room = pick(fuel.rooms(s, choose(s.plants, mine), choose(s.fuel, mine)), kind)
    kept = jnp.minimum(units, room)
    of_kind = (jnp.arange(FUELS) == kind) & when
    single = column == COLUMN_OF_SINGLES
    added = jnp.where(of_kind, kept, 0).astype(jnp.int8)
    taken = (jnp.arange(3)[:, None] == column - 1) & (jnp.arange(TYPES) == type_) & when
    s = s.replace(
        money=s.money - jnp.where(mine & when, column + 1, 0).astype(jnp.int16),
        fuel=s.fuel + jnp.where(mine[:, None], added, 0),
        singles=s.singles + (mine[:, None] & of_kind & single),
        column_1=s.column_1 - (of_kind & single),
        columns=s.columns - taken,
    )
    s = fuel.keep(t, s, when & ~single, type_, kept)
    return put_surplus(t, s, jnp.where(of_kind, units - kept, 0))


def on_sale(s: CardState) -> Array:
    """[type, column] whether there is such a card; singles have one unit."""
    single = jnp.arange(TYPES) % UNITS == 0
    first = single & (jnp.repeat(s.column_1, UNITS) > 0)
    return jnp.concatenate([first[None], s.columns > 0]).T


def shift(t: Tables, s: CardState, when: Array) -> CardState:
    """Cards that are left slide into cheaper columns, K-6.3.1, K-6.3.2."""
    columns = [s.columns[at] for at in range(3)]
    for source, target in ((1, 0), (2, 0), (2, 1)):
        vacant = t.column_size - jnp.sum(columns[target], dtype=jnp.int8)
        moved = jnp.clip(vacant - before(columns[source]), 0, columns[source])
        columns[source] -= moved
        columns[target] += moved
    return s.replace(columns=jnp.where(when, jnp.stack(columns), s.columns))


def lay_out(t: Tables, fuel_places: Array) -> Array:
    """[column, type] the first cards of the pile of basic cards, K-2.5."""
    upto = t.column_size * jnp.arange(1, 4, dtype=jnp.int8)
    types = jnp.asarray(np.repeat(np.arange(TYPES, dtype=np.int8), t.basic))
    some = jnp.ones(len(types), bool)
    return laid_out(types, fuel_places.astype(jnp.int8), some, (upto - t.column_size, upto))


def deal(t: Tables, s: CardState, when: Array) -> tuple[CardState, tuple[Array, Array]]:
    """Fill columns 2, 3 and 4 from the pile, K-6.3.4; also whether it is shuffled once, and twice.

    When the pile is empty the discard pile becomes the pile; after the first time the ++ cards are
    the new discard pile and may have to become the pile at once, K-6.3.5. If nothing is discarded,
    gaps stay, KR-27.
    """
    size = t.fuel_cards
    vacant = jnp.where(when, t.column_size - jnp.sum(s.columns, axis=1, dtype=jnp.int8), 0)
    wanted = jnp.sum(vacant, dtype=jnp.int8)
    shuffled, discarded = (jnp.sum(row, dtype=jnp.int8) for row in (s.shuffled, s.discard))
    left = shuffled - s.drawn
    once = (wanted > left) & (discarded > 0)
    twice = once & (s.reshuffles == 0) & (wanted > left + discarded)
    waiting = int(t.plus_plus.sum())
    first, second = next_reshuffles(t, s, discarded, once)
    upto = jnp.stack([jnp.sum(vacant[: at + 1], dtype=jnp.int8) for at in range(3)])
    edges = (upto - vacant, upto)
    at = jnp.arange(size, dtype=jnp.int8)
    place = s.places.astype(jnp.int8) - s.drawn
    dealt = laid_out(types_of(s.shuffled, size), place, (at < shuffled) & (place >= 0), edges)
    dealt += laid_out(types_of(s.discard, size), left + first, (at < discarded) & once, edges)
    types = jnp.asarray(np.repeat(np.arange(TYPES, dtype=np.int8), t.plus_plus))
    dealt += laid_out(
        types, left + discarded + second[:waiting], jnp.broadcast_to(twice, waiting), edges
    )
    plus_plus = jnp.asarray(t.plus_plus)
    drawn = jnp.where(
        once, jnp.minimum(wanted - left, discarded), s.drawn + jnp.minimum(wanted, left)
    )
    drawn = jnp.where(twice, jnp.minimum(wanted - left - discarded, waiting), drawn)
    new = jnp.where(s.reshuffles == 0, plus_plus, 0)
    s = s.replace(
        columns=s.columns + dealt,
        shuffled=jnp.where(twice, plus_plus, jnp.where(once, s.discard, s.shuffled)),
        places=jnp.where(twice, second, jnp.where(once, first, s.places)).astype(jnp.uint8),
        drawn=drawn.astype(jnp.int8),
        discard=jnp.where(twice, 0, jnp.where(once, new, s.discard)).astype(jnp.int8),
        reshuffles=s.reshuffles + once + twice,
    )
    return s, (once, twice)


def next_reshuffles(t: Tables, s: CardState, discarded: Array, when: Array) -> Array:
    """[2, card] the places in the next reshuffle, and in the second one if that comes at once."""

    def shuffle(now: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        seed, nth, count, _ = now
        waiting = jnp.int8(t.plus_plus.sum())
        first = reshuffled(seed, nth, count, t.fuel_cards)
        second = reshuffled(seed, jnp.ones_like(nth), waiting, t.fuel_cards)
        return seed, nth, count, jnp.stack([first, second])

    nowhere = jnp.zeros((2, t.fuel_cards), jnp.int8)
    return seldom(when, shuffle, (s.seed, s.reshuffles, discarded, nowhere), SHARE)[3]


def reshuffled(seed: Array, nth: Array, count: Array, size: int) -> Array:
    """[card] the place that the nth reshuffle gives to each of so many cards."""
    key = jax.random.fold_in(jax.random.wrap_key_data(seed, impl="threefry2x32"), nth)
    at = jnp.arange(size, dtype=jnp.uint32)
    keys = jax.random.bits(key, (size,)) >> 6 << 6 | at  # the last bits make them differ
    earlier = (keys[None] < keys[:, None]) & (at < count)[None]
    return jnp.sum(earlier, axis=1, dtype=jnp.int8)


def laid_out(types: Array, place: Array, some: Array, edges: tuple[Array, Array]) -> Array:
    """[column, type] where cards come to lie, by their place in the order that they are dealt.

    A word counts several types, each in its own bits.
    """
    low, high = edges
    here = some & (place >= low[:, None]) & (place < high[:, None])  # [column, card]
    lane, word = types % IN_WORD, types // IN_WORD
    one = jnp.where(
        word == np.arange(WORDS)[:, None], 1 << BITS * lane.astype(jnp.int32), 0
    )  # [word, card]
    counts = jnp.sum(jnp.where(here[:, None], one, 0), axis=2, dtype=jnp.int32)[..., None]
    of_type = counts >> BITS * np.arange(IN_WORD) & (1 << BITS) - 1
    return of_type.reshape(-1, TYPES).astype(jnp.int8)


def pile_size(s: CardState) -> Array:
    return jnp.sum(s.shuffled, dtype=jnp.int8) - s.drawn
