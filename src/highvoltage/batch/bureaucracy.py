"""Phase 5: run plants, earn, refill, renew the market, C-8; the turn order, C-3; the end, C-10."""

from functools import partial

import jax
import jax.numpy as jnp

from highvoltage.batch import fuelmarket, market, mines, sites
from highvoltage.batch.codes import LAST
from highvoltage.batch.fuel import burn, most_powered
from highvoltage.batch.state import EMPTY, Array, State, choose, pick
from highvoltage.batch.tables import Tables


def run(t: Tables, s: State, when: Array, choice: Array) -> State:
    """Burn fuel and earn, C-8.2."""
    mine = jnp.arange(t.players) == s.current_player
    burned, yields = burn(choose(s.plants, mine)[: t.limit], choice, t.burning)
    burned = jnp.where(when, burned, 0)
    supplied = jnp.minimum(choose(s.cities, mine), yields)  # C-8.2.2
    lit = jnp.minimum(supplied, len(t.payment) - 1)  # C-1.7.2
    pay = pick(jnp.asarray(t.payment), lit)
    if s.built is not None:
        pay = jnp.maximum(0, pay - outage_loss(t, s) * choose(s.cities, mine))
    runner = mine & when
    s = s.replace(
        money=s.money + jnp.where(runner, pay, 0),
        fuel=s.fuel - jnp.where(mine[:, None], burned, 0),
        supplied=jnp.where(runner, supplied, s.supplied),
    )
    return fuelmarket.put_back(t, s, burned)


def outage_loss(t: Tables, s: State) -> Array:
    """What each own city costs because too many houses were built in this round, A-IND-9."""
    own = t.rules.outage
    assert own is not None
    assert s.built is not None
    return jnp.where(s.built > own.houses * t.players, own.loss, 0).astype(jnp.int16)


def clear_for_renewal(t: Tables, s: State, when: Array) -> tuple[State, Array, Array]:
    """Slide the highest plant under the deck, C-8.4.1, or remove the lowest, C-8.4.2, R-8.5.1.

    Also returns whether a place is free now, and whether a second one is, A-BEN-5.
    """
    late = s.step == 3
    if t.recharged:
        late |= s.pending
    both = jnp.zeros((), bool)
    if t.plant_market.lowest_leaves:
        both = when & ~late
        if s.token_left is not None:
            both &= ~s.token_left  # A-BEN-6
    s = market.remove_lowest(s, (when & late) | both)
    if t.plant_market.three_stages:
        return s, jnp.zeros((), bool), both  # A-MAN-7
    if t.renewal is not None:
        return s, when & late, both  # A-CHN-7
    s, free = market.slide_highest(t, s, when & ~late)
    return s, free | (when & late), both & free


def sort_order(t: Tables, s: State, when: Array) -> State:
    """Most cities first, then the highest plant, C-3.3."""
    highest = jnp.max(jnp.where(s.plants < LAST, s.plants, 0), axis=1).astype(jnp.int32)
    if s.mines is not None:
        highest = jnp.maximum(highest, mines.owned_numbers(t, s))  # A-AUS-5
    standing = (s.cities.astype(jnp.int32) << 15 | highest) * 8 + (t.players - s.order)
    ahead = standing[None] > standing[:, None]
    order = jnp.sum(ahead, axis=1, dtype=jnp.int8)
    return s.replace(order=jnp.where(when, order, s.order))


def step_2_due(t: Tables, s: State) -> Array:
    """Whether somebody has enough cities for Step 2, C-9.2, or there is a house everywhere."""
    if not t.step_2_cities:
        return jnp.zeros((), bool)  # the deck starts it, A-MEA-5, or nothing, A-MAN-4
    due = s.most >= t.step_2_cities
    if not t.rules.map_rules.step_2_when_full:
        return due
    return due | jnp.all((s.slots[0] != EMPTY) | ~sites.in_play(t, s))  # A-UKI-8


def end_cities(t: Tables, s: State) -> Array:
    """The number of cities that ends the game, C-8.1.1, A-UKI-9."""
    if (t.end_cities == t.end_cities[0]).all():
        return jnp.asarray(t.end_cities[0])
    return pick(jnp.asarray(t.end_cities), s.area)


def places(t: Tables, s: State) -> Array:
    """[seat] rank by cities supplied, then money, then cities, C-10.7; ties share a place."""
    hands = s.plants[:, : t.limit]
    able = jax.vmap(partial(most_powered, how=t.burning))(hands, s.fuel)
    lit = jnp.minimum(s.cities, able).astype(jnp.int32)
    score = (lit << 24) | (s.money.astype(jnp.int32) << 8) | s.cities
    return jnp.sum(score[None] > score[:, None], axis=1, dtype=jnp.int8)
