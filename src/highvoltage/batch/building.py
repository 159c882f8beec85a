"""Phase 4, building, C-7, and what is placed on the map before the first round, R-12.3, R-13."""

from dataclasses import replace

import jax.numpy as jnp

from highvoltage.batch import market, sites
from highvoltage.batch.codes import LAST
from highvoltage.batch.state import (
    BUILD,
    CARTEL,
    EMPTY,
    MARK,
    MARKED,
    NO_CITY,
    PLACE,
    Array,
    State,
    choose,
    put,
)
from highvoltage.batch.tables import NEVER, Tables
from highvoltage.games.classic.tables import URANIUM


def build(
    t: Tables, s: State, when: Array, city: Array, starts: Array | None
) -> tuple[State, Array]:
    """Connect a city, C-7.3, or start a further network, A-JPN-4.

    Also returns whether the largest network has grown.
    """
    owner = s.current_player.astype(jnp.uint8)
    mine = jnp.arange(t.players) == owner
    here = (jnp.arange(t.cities) == city) & when
    price = sites.prices(t, s, mine)
    if starts is not None:
        price = jnp.where(starts, sites.later_start_prices(t, s, mine), price)
    cost = jnp.sum(jnp.where(here, price, 0), dtype=jnp.int16)
    starting = choose(s.cities, mine) == 0
    if s.starts is not None:
        s = note_start(t, s, here, starts, city)
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
    if s.built is not None:
        s = s.replace(built=s.built + when)  # A-IND-9
    if t.nuclear is not None:
        s = s.replace(nuclear=s.nuclear | (builder & jnp.asarray(t.nuclear)[s.area, city]))
    for at, where in enumerate(t.discount_cities):
        has = builder & jnp.asarray(where)[s.area, city]
        s = s.replace(cheap=s.cheap | (has.astype(jnp.int8) << at))
    return s, grew


def note_start(t: Tables, s: State, here: Array, starts: Array | None, city: Array) -> State:
    """Keep where a network begins; a connection wins a tie, A-UKI-4."""
    assert s.starts is not None
    assert t.networks is not None
    mine = jnp.arange(t.players) == s.current_player
    begun = choose(s.starts, mine)
    new = jnp.any(here) & (choose(s.cities, mine) == 0)
    if starts is not None:
        new |= jnp.any(here) & starts
    else:
        overseas = sites.later_starts(t, s, mine) & (t.networks.surcharge < sites.ways(t, s, mine))
        new |= jnp.any(here & overseas)
    at = jnp.arange(t.networks.most) == jnp.sum(begun != NO_CITY)
    noted = jnp.where(at & new, city.astype(jnp.uint8), begun)
    return s.replace(starts=put(s.starts, mine, noted))


def place_house(slots: Array, here: Array, owner: Array | int) -> Array:
    """A house in the next slot of a city."""
    taken = jnp.concatenate([jnp.ones_like(slots[:1], bool), slots[:-1] < EMPTY])
    return jnp.where(here & taken & (slots == EMPTY), owner, slots).astype(jnp.uint8)


def place_cartel_house(t: Tables, s: State, here: Array, when: Array) -> State:
    """A house of the cartel goes to the next slot, if there is one and it has a house, R-12.7.4."""
    assert s.cartel is not None
    when &= s.cartel.reserve > 0
    if t.rules.map_rules.slots:
        there = sum((sites.in_area(steps, s) < NEVER).astype(jnp.int8) for steps in t.slot_steps)
        when &= jnp.any(here & (sites.houses(s) < there))
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
    empty = sites.empty_cities(t, s)
    if t.no_start is not None:
        empty &= ~sites.in_area(t.no_start, s)  # A-GEN-7
    if s.cartel is None:
        return empty
    return empty & (s.cartel.near | (s.turn == 0) | (s.mode == MARK))


def cartel_stops(t: Tables, s: State) -> Array:
    """Whether the cartel has no city left for a further house, A-GEN-7."""
    if not (t.rules.map_rules.slots or t.rules.map.islands or t.rules.map.loose_regions):
        return jnp.zeros((), bool)
    later = s.replace(turn=jnp.ones_like(s.turn))
    return ~jnp.any(set_up_choices(t, later))


def choices(t: Tables, s: State, mine: Array) -> Array:
    """[city] whether it may be chosen now."""
    money = choose(s.money, mine)
    builds = (sites.prices(t, s, mine) <= money) & (s.mode == BUILD)
    if not (t.cartel or t.marks):
        return builds
    return builds | (set_up_choices(t, s) & ((s.mode == PLACE) | (s.mode == MARK)))


def start_choices(t: Tables, s: State, mine: Array) -> Array:
    """[city] where a further network may be started now, A-JPN-4."""
    price = sites.later_start_prices(t, s, mine)
    return (price <= choose(s.money, mine)) & (s.mode == BUILD)
