"""Building sites: slots, where networks start, and what a house costs, C-7."""

import jax.numpy as jnp

from highvoltage.batch.codes import Table
from highvoltage.batch.state import EMPTY, MARKED, NO_CITY, Array, State, choose
from highvoltage.batch.tables import UNREACHABLE, Tables


def houses(s: State) -> Array:
    """[city] how many slots are taken."""
    return jnp.sum(s.slots < EMPTY, axis=0, dtype=jnp.int8)


def in_area(table: Table, s: State) -> Array:
    """[city] the row of the area in play; one number where all cities of all areas are alike."""
    if (table == table.flat[0]).all():
        return jnp.asarray(table.flat[0])
    return jnp.asarray(table)[s.area]


def in_play_everywhere(t: Tables) -> bool:
    return bool(t.in_play.all())


def in_play(t: Tables, s: State) -> Array:
    return jnp.asarray(t.in_play)[s.area]


def slot_prices(t: Tables, s: State) -> Array:
    """[city] the price of the next house, UNREACHABLE if none may be built, C-1.4.1, C-7.3.1."""
    count = houses(s)
    price = jnp.full(t.cities, UNREACHABLE, jnp.int16)
    for slot, (costs, steps) in enumerate(zip(t.slot_costs, t.slot_steps, strict=True)):
        is_open = (count == slot) & (in_area(steps, s) <= s.step)
        price = jnp.where(is_open, in_area(costs, s), price)
    return price if s.blocked is None else jnp.where(s.blocked, UNREACHABLE, price)  # A-MAN-3


def empty_cities(t: Tables, s: State) -> Array:
    """[city] whether it has no house and is open, C-7.2.1, A-BAW-5."""
    empty = s.slots[0] == EMPTY
    if not in_play_everywhere(t):
        empty &= in_play(t, s)
    if t.rules.map_rules.slots:
        empty &= in_area(t.slot_steps[0], s) <= s.step
    return empty if s.blocked is None else empty & ~s.blocked


def start_cities(t: Tables, s: State) -> Array:
    """[city] where a network may start, C-7.2.1, R-13.2."""
    if t.marks:
        return s.slots[0] == MARKED
    if t.named_starts is not None:
        return in_area(t.named_starts, s) & (slot_prices(t, s) < UNREACHABLE)  # A-JPN-3
    empty = empty_cities(t, s)
    return empty if t.no_start is None else empty & ~in_area(t.no_start, s)  # A-ZAF-6


def start_prices(t: Tables, s: State) -> Array:
    """[city] what the first house of a seat costs, UNREACHABLE if no network starts there."""
    price = in_area(t.slot_costs[0], s) if t.named_starts is None else slot_prices(t, s)
    return jnp.where(start_cities(t, s), price, UNREACHABLE)


def owned(s: State, mine: Array) -> Array:
    """[city] whether the seat has a house there."""
    return jnp.any(s.slots == jnp.argmax(mine).astype(jnp.uint8), axis=0)


def later_starts(t: Tables, s: State, mine: Array) -> Array:
    """[city] where the seat may start a further network, A-JPN-4, A-UKI-4."""
    assert t.networks is not None
    assert s.starts is not None
    cities = choose(s.cities, mine)
    begun = jnp.sum(choose(s.starts, mine) != NO_CITY, dtype=jnp.int8)
    able = (begun < t.networks.most) & (cities > 0)
    if t.networks.first_round:
        able &= (s.round > 1) | (cities < t.networks.first_round)  # A-JPN-5
    own = owned(s, mine)
    if t.islands is None:
        return able & start_cities(t, s) & ~own
    island = in_area(t.islands, s)
    apart = ~jnp.any(own & (island[:, None] == island[None]), axis=1)  # nothing there yet
    empty = apart & start_cities(t, s)
    open_ = apart & (slot_prices(t, s) < UNREACHABLE)
    if not in_play_everywhere(t):
        open_ &= in_play(t, s)
    return able & jnp.where(jnp.any(empty), empty, open_)  # A-UKI-4a


def ways(t: Tables, s: State, mine: Array) -> Array:
    """[city] what a connection from the seat's networks costs, without the house, C-7.3.1."""
    way = choose(s.reach, mine).astype(jnp.int16)
    if t.networks is not None and t.networks.first_round:
        return jnp.where(s.round == 1, UNREACHABLE, way)  # A-JPN-5
    return way


def prices(t: Tables, s: State, mine: Array) -> Array:
    """[city] what a house costs the seat, UNREACHABLE where it may not build, C-7.2, C-7.3."""
    started = choose(s.cities, mine) > 0
    way = ways(t, s, mine)
    if t.networks is not None and not t.chooses_starts:
        overseas = jnp.where(later_starts(t, s, mine), t.networks.surcharge, UNREACHABLE)
        way = jnp.minimum(way, overseas)  # A-UKI-4
    cost = jnp.where(owned(s, mine), UNREACHABLE, slot_prices(t, s) + way)
    return jnp.where(started, cost, start_prices(t, s))


def later_start_prices(t: Tables, s: State, mine: Array) -> Array:
    """[city] what the first house of a further network costs, where that is a move of its own."""
    assert t.networks is not None
    price = slot_prices(t, s) + t.networks.surcharge
    return jnp.where(later_starts(t, s, mine), price, UNREACHABLE)  # A-JPN-4
