"""Phase 4, building, C-7, and what is placed on the map before the first round, R-12.3, R-13."""

from dataclasses import replace

import jax.numpy as jnp

from highvoltage.batch import market
from highvoltage.batch.state import (
    BUILD,
    CARTEL,
    EMPTY,
    MARK,
    MARKED,
    PLACE,
    Array,
    State,
    choose,
    put,
)
from highvoltage.batch.tables import LAST, NEVER, UNREACHABLE, Table, Tables
from highvoltage.games.classic.tables import URANIUM


def houses(s: State) -> Array:
    """[city] how many slots are taken."""
    return jnp.sum(s.slots < EMPTY, axis=0, dtype=jnp.int8)


def slot_prices(t: Tables, s: State) -> Array:
    """[city] the price of the next house, UNREACHABLE if none may be built, C-1.4.1, C-7.3.1."""
    count = houses(s)
    price = jnp.full(t.cities, UNREACHABLE, jnp.int16)
    for slot, (costs, steps) in enumerate(zip(t.slot_costs, t.slot_steps, strict=True)):
        is_open = (count == slot) & (in_area(steps, s) <= s.step)
        price = jnp.where(is_open, in_area(costs, s), price)
    return price


def in_area(table: Table, s: State) -> Array:
    """[city] the row of the area in play; one number where all cities of all areas are alike."""
    if (table == table.flat[0]).all():
        return jnp.asarray(table.flat[0])
    return jnp.asarray(table)[s.area]


def start_prices(t: Tables, s: State) -> Array:
    """[city] what a first house costs, UNREACHABLE if no network starts there, C-7.2.1, R-13.2."""
    first = s.slots[0] == (MARKED if t.marks else EMPTY)
    if not in_play_everywhere(t):
        first &= in_play(t, s)
    if t.no_start is not None and not t.marks:
        first &= ~in_area(t.no_start, s)  # A-ZAF-6
    if t.rules.map_rules.slots and not t.marks:
        first &= in_area(t.slot_steps[0], s) <= s.step  # A-BAW-5
    return jnp.where(first, in_area(t.slot_costs[0], s), UNREACHABLE)


def in_play_everywhere(t: Tables) -> bool:
    return bool(t.in_play.all())


def in_play(t: Tables, s: State) -> Array:
    return jnp.asarray(t.in_play)[s.area]


def prices(t: Tables, s: State, mine: Array) -> Array:
    """[city] what a house costs the seat, UNREACHABLE where it may not build, C-7.2, C-7.3."""
    own = jnp.any(s.slots == jnp.argmax(mine).astype(jnp.uint8), axis=0)
    started = choose(s.cities, mine) > 0
    distance = choose(s.reach, mine).astype(jnp.int16)
    cost = jnp.where(own, UNREACHABLE, slot_prices(t, s) + distance)
    return jnp.where(started, cost, start_prices(t, s))


def build(t: Tables, s: State, when: Array, city: Array) -> tuple[State, Array]:
    """Connect a city, C-7.3; also returns whether the largest network has grown."""
    owner = s.current_player.astype(jnp.uint8)
    mine = jnp.arange(t.players) == owner
    here = (jnp.arange(t.cities) == city) & when
    cost = jnp.sum(jnp.where(here, prices(t, s, mine), 0), dtype=jnp.int16)
    starting = choose(s.cities, mine) == 0
    marked = here & (s.slots[0] == MARKED) & starting
    empty = jnp.any(here & (s.slots[0] == EMPTY))
    s = s.replace(slots=place_house(s.slots, here & ~marked, owner))
    if t.marks:
        first = jnp.arange(s.slots.shape[0])[:, None] == 0
        s = s.replace(
            slots=jnp.where(first & marked, owner, s.slots),
            supply=s.supply.at[URANIUM].add(jnp.any(marked)),
        )
    if s.cartel is not None:
        s = place_cartel_house(t, s, here, empty)
    distances = jnp.asarray(t.distances)[s.area, city]
    reach = choose(s.reach, mine)
    joined = jnp.where(starting, distances, jnp.minimum(reach, distances))
    builder = mine & when
    cities = s.cities + builder
    most = jnp.maximum(s.most, jnp.max(cities))
    grew = most > s.most
    s = s.replace(
        money=s.money - jnp.where(mine, cost, 0),
        cities=cities,
        reach=put(s.reach, builder, joined),
        most=most,
    )
    if t.nuclear is not None:
        s = s.replace(nuclear=s.nuclear | (builder & jnp.asarray(t.nuclear)[s.area, city]))
    for at, where in enumerate(t.discount_cities):
        has = builder & jnp.asarray(where)[s.area, city]
        s = s.replace(cheap=s.cheap | (has.astype(jnp.int8) << at))
    return s, grew


def place_house(slots: Array, here: Array, owner: Array | int) -> Array:
    """A house in the next slot of a city."""
    taken = jnp.concatenate([jnp.ones_like(slots[:1], bool), slots[:-1] < EMPTY])
    return jnp.where(here & taken & (slots == EMPTY), owner, slots).astype(jnp.uint8)


def place_cartel_house(t: Tables, s: State, here: Array, when: Array) -> State:
    """A house of the cartel goes to the next slot, if there is one and it has a house, R-12.7.4."""
    assert s.cartel is not None
    when &= s.cartel.reserve > 0
    if t.rules.map_rules.slots:
        there = [in_area(steps, s) < NEVER for steps in t.slot_steps]
        when &= jnp.any(here & (houses(s) < jnp.sum(jnp.stack(there), axis=0)))
    return s.replace(
        slots=place_house(s.slots, here & when, CARTEL),
        cartel=replace(s.cartel, reserve=s.cartel.reserve - when),
    )


def remove_small_plants(t: Tables, s: State, grew: Array) -> tuple[State, Array]:
    """Remove the plant that has become too small, C-5.3.3; not in Recharged, R-5.3."""
    if not t.city_count:
        return s, jnp.zeros((), bool)
    small = grew & (s.market[0] < LAST) & ((s.market[0] >> 8) <= s.most)
    return market.remove_lowest(s, small), small


# Before the first round


def set_up(t: Tables, s: State, when: Array, city: Array) -> State:
    """A first house of the cartel, R-12.3, or the mark of a starting city, R-13.1."""
    here = (jnp.arange(t.cities) == city) & when
    if s.cartel is not None:
        places = when & (s.mode == PLACE)
        near = jnp.asarray(t.next_to)[s.area, city]
        s = place_cartel_house(t, s, here, places)
        assert s.cartel is not None
        s = s.replace(cartel=replace(s.cartel, near=s.cartel.near | (near & places)))
    if t.marks:
        marks = when & (s.mode == MARK)
        s = s.replace(
            slots=place_house(s.slots, here & marks, MARKED),
            supply=s.supply.at[URANIUM].add(-marks.astype(jnp.int8)),
        )
        if s.cartel is not None:
            s = place_cartel_house(t, s, here, marks)
    return s


def set_up_choices(t: Tables, s: State) -> Array:
    """[city] where a house of the cartel, R-12.3.1, or a mark, R-13.1, may go."""
    empty = s.slots[0] == EMPTY
    if not in_play_everywhere(t):
        empty &= in_play(t, s)
    if t.rules.map_rules.slots:
        empty &= in_area(t.slot_steps[0], s) <= s.step
    if t.no_start is not None:
        empty &= ~in_area(t.no_start, s)  # A-GEN-7
    if s.cartel is None:
        return empty
    return empty & (s.cartel.near | (s.turn == 0) | (s.mode == MARK))


def cartel_stops(t: Tables, s: State) -> Array:
    """Whether the cartel has no city left for a further house, A-GEN-7."""
    if not t.rules.map_rules.slots:
        return jnp.zeros((), bool)
    later = s.replace(turn=jnp.ones_like(s.turn))
    return ~jnp.any(set_up_choices(t, later))


def choices(t: Tables, s: State, mine: Array) -> Array:
    """[city] whether it may be chosen now."""
    money = choose(s.money, mine)
    builds = (prices(t, s, mine) <= money) & (s.mode == BUILD)
    if not (t.cartel or t.marks):
        return builds
    return builds | (set_up_choices(t, s) & ((s.mode == PLACE) | (s.mode == MARK)))
