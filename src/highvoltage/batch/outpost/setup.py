"""Set-up, O-2: the chance of a game, and the state that it leads to."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.dealing import places
from highvoltage.batch.outpost import auction, syndicate
from highvoltage.batch.outpost.play import fill, ready
from highvoltage.batch.outpost.state import IDLE, NOBODY, OutpostState, Syndicate
from highvoltage.batch.outpost.tables import (
    CARDS,
    COLONIES,
    KINDS,
    NONE,
    NUMBERS,
    PLACES,
    PLUGS,
    SPACES,
    TWINS,
    Tables,
    of_area,
)
from highvoltage.batch.setup import ranks
from highvoltage.batch.state import ASIDE, IN_DECK, NOMINATE, PLACE, Array
from highvoltage.codec.outpost.layout import PIECES
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.state import BUILDING

UNLINKED = 10_000  # dearer than every way


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class ChanceRanks:
    """What chance decides, O-2: orders of things, each as the place of every one of them."""

    order: Array  # [seat]
    area: Array
    tokens: Array  # [token] the connection that it lies on
    backs: Array  # [card] among those with the same back
    deck: Array  # [card]
    shuffle: Array  # [card] at the Step 3 card


def draw_chance(t: Tables, key: Array) -> ChanceRanks:
    cards = len(CARDS)
    sizes = (t.players, len(t.tokens), cards, cards, cards)
    bits = jax.random.bits(key, (sum(sizes) + 1,))
    parts = jnp.split(bits[1:], np.cumsum(sizes)[:-1].tolist())
    order, tokens, backs, deck, shuffle = (ranks(part) for part in parts)
    return ChanceRanks(order, bits[0] % len(t.areas), tokens, backs, deck, shuffle)


def deal(t: Tables, chance: ChanceRanks) -> Array:
    """The deck, O-2.9; on it lie the cards that open the market, the lowest on top, O-2.10."""
    plugs = jnp.asarray(PLUGS)
    place = jnp.where(plugs, places(chance.backs, plugs), places(chance.backs, ~plugs))
    pile = jnp.where(place < t.left, chance.deck + tables.ON_TOP, ASIDE)
    pile = jnp.where(plugs & (place < tables.ON_TOP), place, pile)
    opening = plugs & (place < PLACES)
    rank = jnp.asarray(NUMBERS)[: len(CARDS)].astype(jnp.int16) << 8 | place
    first = jnp.sum((rank[None] < rank[:, None]) & opening[None], axis=1)
    return jnp.where(opening, first, pile).astype(jnp.uint8)


def token_links(t: Tables, chance: ChanceRanks) -> Array:
    """[connection] the value of the token on it, O-2.2."""
    here = chance.tokens[None] == jnp.arange(len(t.tokens))[:, None]
    return jnp.sum(jnp.where(here, t.tokens[None], 0), axis=1, dtype=jnp.int16)


def cheapest_ways(t: Tables, area: Array, links: Array) -> Array:
    """[city, city] the cheapest way inside the area in play, O-7.1.5."""
    a, b = (of_area(t.ends, area)[:, end] for end in (0, 1))
    costs = jnp.where(of_area(t.linked, area), links, UNLINKED).astype(jnp.int16)
    ways = jnp.full((t.cities, t.cities), UNLINKED, jnp.int16).at[a, b].min(costs)
    ways = jnp.minimum(ways, ways.T)
    ways = jnp.where(jnp.eye(t.cities, dtype=bool), 0, ways)

    def through(city: Array, ways: Array) -> Array:
        return jnp.minimum(ways, ways[:, city][:, None] + ways[city][None])

    ways = jax.lax.fori_loop(0, t.cities, through, ways)
    return jnp.minimum(ways, np.iinfo(t.way_type).max).astype(t.way_type)


def start(t: Tables, chance: ChanceRanks) -> OutpostState:
    """A game from what chance has decided, brought to its first decision."""
    seats, companies, zero, no = (
        t.players,
        t.companies,
        jnp.zeros((), jnp.int8),
        jnp.zeros((), bool),
    )
    links = token_links(t, chance)
    s = OutpostState(
        env_id=t.id,
        current_player=jnp.zeros((), jnp.int32),
        legal_action_mask=jnp.zeros(t.actions, bool),
        rewards=jnp.zeros(seats, jnp.float32),
        terminated=no,
        truncated=no,
        _step_count=jnp.zeros((), jnp.int32),
        mode=jnp.full((), PLACE if t.syndicate else NOMINATE, jnp.int8),
        round=jnp.ones((), jnp.int16),
        turn=zero,
        order=chance.order.astype(jnp.int8),
        money=jnp.full(seats, tables.START_MONEY, jnp.int16),
        place=jnp.zeros(seats, jnp.int8),
        market=jnp.full((PLACES, TWINS), NONE, jnp.int8),
        last=jnp.full((), IN_DECK, jnp.int8),
        pile=deal(t, chance),
        shuffle=chance.shuffle.astype(jnp.uint8),
        eligible=jnp.zeros(seats, bool),
        card=jnp.full((), NONE, jnp.int8),
        bid=jnp.zeros((), jnp.int16),
        leader=zero,
        ring=jnp.zeros(seats, bool),
        sold=zero,
        step=jnp.ones((), jnp.int8),
        pending=no,
        second=no,
        stage=jnp.full((), BUILDING, jnp.int8),
        replaced=jnp.zeros(len(CARDS), bool),
        row=zero,
        tokens=jnp.zeros(PLACES, jnp.int16),
        owner=jnp.full(len(CARDS), NOBODY, jnp.int8),
        board=jnp.full((companies, KINDS * SPACES), NONE, jnp.int8),
        network=jnp.zeros(companies, jnp.int8),
        opened=jnp.zeros((companies, KINDS), jnp.int8),
        settled=jnp.zeros((len(COLONIES), len(PIECES)), bool),
        humans=jnp.zeros(companies, jnp.int8),
        robots=jnp.zeros(seats, jnp.int8),
        busy=jnp.full(seats, IDLE, jnp.int8),
        powered=jnp.zeros(seats, jnp.int8),
        labour=jnp.full((), t.workers, jnp.int8),  # O-2.3
        supply=jnp.full((), tables.ROBOTS, jnp.int8),
        area=chance.area.astype(jnp.int8),
        links=links,
        roads=cheapest_ways(t, chance.area, links),
        built=jnp.zeros(companies, bool),
        distance=jnp.zeros((companies, t.cities), t.way_type),
        stations=jnp.full((len(tables.STATION_PRICES), t.cities), NOBODY, jnp.int8),
        special=jnp.full(t.cities, NOBODY, jnp.int8),
        syndicate=found_syndicate(t) if t.syndicate else None,
    )
    return ready(t, auction.begin(fill(s), s.mode == NOMINATE))


def found_syndicate(t: Tables) -> Syndicate:
    return Syndicate(
        taken=jnp.full(len(CARDS), syndicate.NEVER, jnp.int8),
        done=jnp.zeros((), bool),
        choices=jnp.asarray(syndicate.first_choices(t)),
    )
