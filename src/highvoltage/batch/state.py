"""The state of one game: small arrays of narrow integers. Under vmap all get a leading axis.

All randomness is drawn when a game begins: `pile` is the place of every card in the deck and
`shuffle` its place after the shuffle at the Step 3 card, so a draw is the minimum of a row.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import jax
import jax.numpy as jnp

Array = jax.Array
T = TypeVar("T")
S = TypeVar("S", bound="GameState")
P = TypeVar("P", bound="PlantState")

# The decision to be made.
REGION, PLACE, MARK, NOMINATE, BID, SCRAP, FUEL, BUILD, RUN, OVER = range(10)

# In `pile`: places from 0 lie above the Step 3 card, those from UNDER below it. Cards WAITING lie
# beside the deck until Step 2 (A-IBE-3), or until they are the deck (A-MAN-7).
UNDER, WAITING, ASIDE, GONE = 128, 253, 254, 255
SUNK = 64  # places from here on are under a deck that the Step 3 card has left

# In `last`: where the Step 3 card is.
IN_DECK, IN_MARKET, USED = range(3)

# In `slots`, besides seats.
CARTEL, MARKED, EMPTY = 6, 7, 8

NO_CITY = 255  # in `starts`
NO_MARKET = -1  # in `trade`
DONE = 6  # in `buyers`


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Cartel:
    """The third party of two players, R-12."""

    plants: Array  # [3] codes ascending
    fuel: Array  # [fuel]
    reserve: Array  # houses that are not on the map
    near: Array  # [city] next to one of its houses, at set-up
    done: Array  # it has had its turn in this auction


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class GameState:
    """What every batched game keeps. The first fields are the face that other programs know."""

    env_id: str = field(metadata={"static": True})
    current_player: Array
    legal_action_mask: Array
    rewards: Array  # [seat] a share of 1 to the winners, when the game ends
    terminated: Array
    truncated: Array
    _step_count: Array

    mode: Array
    round: Array
    turn: Array  # how many have had their turn in this phase
    order: Array  # [seat] its place in the turn order
    money: Array  # [seat]
    place: Array  # [seat] at the end, from 0
    market: Array  # [8 or more] cards ascending, LAST and NONE behind; Outpost: stacks
    last: Array
    pile: Array  # [card]
    shuffle: Array  # [card]
    eligible: Array  # [seat] may still buy a card in this round
    card: Array  # up for sale or just bought, else NONE
    bid: Array
    leader: Array
    ring: Array  # [seat] still bidding
    sold: Array

    def replace(self, **changes: Any) -> Self:
        return replace(self, **changes)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PlantState(GameState):
    """A game whose plants burn fuel: classic, Recharged or the Card Game."""

    plants: Array  # [seat, limit + 1] codes ascending, padded with NONE
    fuel: Array  # [seat, fuel]
    token: Array  # the discount token lies on the lowest plant
    demolition: Array  # cards that have left the stack
    demolished: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State(PlantState):
    """One game of classic or Recharged."""

    area: Array  # which set of regions
    regions: Array  # named so far in a draft, as bits
    step: Array
    cities: Array  # [seat] how many
    reach: Array  # [seat, city] the cheapest way from the network
    nuclear: Array  # [seat] may buy nuclear plants
    cheap: Array  # [seat] discounts that it has, as bits
    supplied: Array  # [seat] in the latest bureaucracy
    slots: Array  # [3, city] who has a house there, cheapest slot first
    most: Array  # cities of the largest network
    stock: Array  # [fuel] on the market; of several one after the other
    supply: Array  # [fuel] neither there nor on a plant
    phased_out: Array
    pending: Array  # Step 3 begins when this phase ends
    cartel: Cartel | None
    starts: Array | None  # [seat, network] where it began, where there may be several, A-UKI-4
    storage: Array | None  # [fuel] burned and for sale, A-ZAF-4
    trade: Array | None  # the fuel market of this turn, where there are several, A-KOR-3
    buyers: Array | None  # [seat] its place among those who still buy fuel, or DONE, A-IND-6
    built: Array | None  # houses of this round, where too many cause an outage, A-IND-9
    mines: Array | None  # [seat, mine] who owns them, A-AUS-5
    mine_stock: Array | None  # tokens on their market
    token_left: Array | None  # the plant with the token left unsold, where that matters, A-BEN-6
    called: Array | None  # the deck has called Step 2, which has not begun, A-MEA-5
    later: Array | None  # [card] as shuffle, when the Step 3 card comes again
    shifts: Array | None  # [fuel] how often its ladder has shifted, A-MEA-3
    stage: Array | None  # of a plant market without Steps, A-MAN-7 to A-MAN-9
    blocked: Array | None  # [city] nobody builds there, A-MAN-3


def barrier(values: T) -> T:
    """The same values, computed once on a device instead of anew for every use."""
    computed: T = jax.lax.optimization_barrier(values)  # type: ignore[no-untyped-call]
    return computed


def pick(row: Array, at: Array) -> Array:
    """`row[at]` along the first axis, computed as a sum instead of a gather."""
    hot = jnp.arange(row.shape[0], dtype=jnp.int8) == at
    return choose(row, hot)


def choose(row: Array, hot: Array) -> Array:
    """The entry of `row` at the only True of `hot`."""
    hot = hot.reshape((-1,) + (1,) * (row.ndim - 1))
    if row.dtype == jnp.bool_:
        return jnp.any(row & hot, axis=0)
    return jnp.sum(jnp.where(hot, row, 0), axis=0, dtype=row.dtype)


def least(row: Array) -> Array:
    """The minimum of a row as long as the deck; a device is quicker with two short halves."""
    half = row.shape[0] // 2
    return jnp.minimum(jnp.min(row[:half]), jnp.min(row[half:]))


def put(row: Array, hot: Array, value: Array) -> Array:
    """`row` with `value` where `hot` is, along the first axis."""
    return jnp.where(hot.reshape((-1,) + (1,) * (row.ndim - 1)), value, row)


def first_of(mask: Array) -> Array:
    """The index of the first True; beyond the end if there is none."""
    places = jnp.arange(mask.shape[0], dtype=jnp.int8)
    return jnp.min(jnp.where(mask, places, mask.shape[0]).astype(jnp.int8))


def take_out(cards: Array, at: Array, when: Array, none: int) -> Array:
    """A sorted row without the card at one place."""
    i = jnp.arange(cards.shape[0], dtype=jnp.int8)
    shifted = jnp.concatenate([cards[1:], jnp.full(1, none, cards.dtype)])
    return jnp.where(when & (i >= at), shifted, cards)


def put_in(cards: Array, card: Array, when: Array) -> Array:
    """A sorted row with one card more; the one at its end is pushed out."""
    return put_behind(cards, cards < card, card, when)


def put_behind(cards: Array, before: Array, card: Array, when: Array) -> Array:
    """A row with one card more, behind the first ones; the one at its end is pushed out."""
    shifted = jnp.concatenate([cards[:1], cards[:-1]])
    first = jnp.concatenate([jnp.ones(1, bool), before[:-1]])
    new = jnp.where(before, cards, jnp.where(first, card, shifted))
    return jnp.where(when, new, cards)


def number(code: Array) -> Array:
    return code >> 8


def kind(code: Array) -> Array:
    return code >> 5 & 7


def need(code: Array) -> Array:
    return (code >> 3 & 3).astype(jnp.int8)


def powers(code: Array) -> Array:
    return (code & 7).astype(jnp.int8)
