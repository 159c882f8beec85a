"""The Syndicate, the third company in a game of two, O-12. The players make its choices."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.outpost import company, market, workers
from highvoltage.batch.outpost.state import NOBODY, OutpostState
from highvoltage.batch.outpost.tables import (
    BEDS,
    COLONIES,
    ENERGY,
    FAR,
    KIND,
    KINDS,
    NONE,
    NUMBERS,
    RANK,
    SPACES,
    WORKERS,
    Tables,
)
from highvoltage.batch.state import Array, first_of, pick
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.state import PLANT

NEVER = 127  # in `taken`, of cards that it does not have
THIRD = 2  # its place among the companies
MOST_WORKERS = int(WORKERS.max())
WORTH: Table = np.where(  # of a card on its board, O-12.6.7, OR-61
    KIND == PLANT, ENERGY.astype(np.int16) << 4 | MOST_WORKERS - WORKERS, BEDS
)


# Set-up, O-12.2.3


def next_to_stations(t: Tables, s: OutpostState) -> Array:
    """[city] whether it is empty and has a neighbour with a station."""
    taken = company.stations_in(s) > 0
    first, second = t.at_end[0]
    near = jnp.any(first & jnp.any(second & taken, axis=1)[:, None], axis=0)
    near |= jnp.any(second & jnp.any(first & taken, axis=1)[:, None], axis=0)
    return near & ~taken


def place_station(t: Tables, s: OutpostState, when: Array, city: Array) -> OutpostState:
    """A player puts a station of the Syndicate next to the earlier ones."""
    s = company.put_station(t, s, THIRD, city, when)
    assert s.syndicate is not None
    choices = jnp.where(when, next_to_stations(t, s), s.syndicate.choices)
    return s.replace(syndicate=replace(s.syndicate, choices=choices))


# Phase 2


def take_card(t: Tables, s: OutpostState, when: Array, besides: Array) -> OutpostState:
    """It takes the highest card on offer, O-12.5, except the one that is for sale, OR-56."""
    assert s.syndicate is not None
    offered = market.on_offer(s) & (market.tops(s) != besides)
    takes = when & jnp.any(offered)
    at = jnp.max(jnp.where(offered, market.AT, 0))
    card = pick(market.tops(s), at)
    here = takes & (card == RANK)
    order = jnp.sum(s.owner == THIRD, dtype=jnp.int8)
    s = market.pop(s, at, takes).replace(
        owner=jnp.where(here, THIRD, s.owner).astype(jnp.int8),
        syndicate=replace(
            s.syndicate,
            taken=jnp.where(here, order, s.syndicate.taken).astype(jnp.int8),
            done=s.syndicate.done | when,
        ),
    )
    return settle(t, s, takes, card)


def settle(t: Tables, s: OutpostState, when: Array, card: Array) -> OutpostState:
    """A Colony card gets a piece of every kind that is left, O-12.5.4."""
    colony = (card == np.array(COLONIES)) & when
    third = jnp.arange(t.companies) == THIRD
    left = company.pieces_left(t, s, third) & jnp.any(colony)
    s = s.replace(
        settled=s.settled | (colony[:, None] & left),
        network=s.network + (third & left[0]),
    )
    return s.replace(opened=s.opened + (third[:, None] & left[1:]))


# Phase 3


def next_card(s: OutpostState, after: Array) -> tuple[Array, Array]:
    """The next card of its pool in the order acquired, and its place in that order; NONE if none.

    Technologies lie in the pool, O-12.5.5.
    """
    assert s.syndicate is not None
    waits = company.pool(s, THIRD) & (KIND[: len(RANK)] < KINDS)
    order = jnp.where(waits & (s.syndicate.taken > after), s.syndicate.taken, NEVER)
    first = jnp.min(order)
    card = first_of((order == first) & (order < NEVER))
    return jnp.where(first < NEVER, card, NONE).astype(jnp.int8), first.astype(jnp.int8)


def use_card(t: Tables, s: OutpostState, when: Array, card: Array) -> OutpostState:
    """It builds if it has to, O-12.6.5, and places the card or replaces its worst, O-12.6.7.

    Where it has several slots to build on, they become the choices of a player.
    """
    assert s.syndicate is not None
    kind = jnp.asarray(KIND)[card]
    lying = pick(company.lying(s.board[THIRD]), kind)
    free = (s.special == NOBODY) & (company.kinds(t, s) == kind)
    covered = pick(s.opened[THIRD], kind)
    builds = when & (lying == covered) & (covered < SPACES) & jnp.any(free)
    slots = cheapest_slots(t, s, free)
    asks = builds & (jnp.sum(slots) > 1)
    s = s.replace(
        syndicate=replace(s.syndicate, choices=jnp.where(asks, slots, s.syndicate.choices))
    )
    s = company.put_special(t, s, THIRD, first_of(slots), builds & ~asks)
    when &= ~asks
    places = lying < pick(s.opened[THIRD], kind)
    board = s.board[THIRD].reshape(KINDS, SPACES)
    row = pick(board, kind)
    worst = jnp.where(row < NONE, jnp.asarray(WORTH)[row] << 7 | jnp.asarray(NUMBERS)[row], FAR)
    at = jnp.argmin(worst)
    better = (lying > 0) & (jnp.asarray(WORTH)[card] > jnp.min(worst) >> 7)
    space = kind * SPACES + jnp.where(places, lying, at)
    return company.lay(s, THIRD, when & (places | better), space, card)


def cheapest_slots(t: Tables, s: OutpostState, free: Array) -> Array:
    """[city] the cheapest of free special slots, O-12.6.5, OR-60."""
    connected = free & jnp.any(s.stations == THIRD, axis=0)
    structure = jnp.any(s.stations == THIRD, axis=0) | (s.special == THIRD)
    first, second = t.at_end[0]
    near = jnp.full(t.cities, FAR, jnp.int16)
    for one, other in ((first, second), (second, first)):
        leads = jnp.any(other & structure, axis=1)  # [connection] to its structure
        cost = jnp.where(one & leads[:, None], s.links[:, None], FAR)
        near = jnp.minimum(near, jnp.min(cost, axis=0)).astype(jnp.int16)
    near = jnp.where(free, near, FAR)
    far = jnp.where(free, s.distance[THIRD].astype(jnp.int16), FAR)
    costs = jnp.where(jnp.any(near < FAR), near, far)
    cheapest = (costs == jnp.min(costs)) & free
    return jnp.where(jnp.any(connected), connected, cheapest)


def hire(t: Tables, s: OutpostState, when: Array) -> OutpostState:
    """It takes workers without paying, up to its beds or its need, OR-62."""
    wanted = jnp.maximum(workers.beds(t, s), workers.need(s))[THIRD] - s.humans[THIRD]
    hired = jnp.minimum(s.labour, jnp.maximum(0, wanted))
    hired = jnp.where(when, hired, 0).astype(jnp.int8)
    third = jnp.arange(t.companies) == THIRD
    return s.replace(humans=s.humans + jnp.where(third, hired, 0), labour=s.labour - hired)


def build(t: Tables, s: OutpostState, when: Array, city: Array) -> OutpostState:
    """A player has chosen the slot for its building, O-12.6.5."""
    s = company.put_special(t, s, THIRD, city, when)
    assert s.syndicate is not None
    return s.replace(syndicate=replace(s.syndicate, choices=s.syndicate.choices & ~when))


def first_choices(t: Tables) -> Table:
    """[city] at set-up all that are in play."""
    in_play: Table = t.city_kind[0] < KINDS
    return in_play


def placers() -> Table:
    """[turn] the place in the turn order of who puts a station at set-up."""
    return np.array((*tables.SYNDICATE_PLACERS, 0), np.int8)
