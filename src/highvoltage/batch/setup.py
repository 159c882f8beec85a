"""Set-up, C-2 and R-2: all randomness of a game, and the state that results."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import auction
from highvoltage.batch.codes import CARDS, FUELS, NONE
from highvoltage.batch.dealing import deal, places
from highvoltage.batch.market import clear_offer, relabelled
from highvoltage.batch.play import ready
from highvoltage.batch.state import (
    DONE,
    EMPTY,
    IN_DECK,
    MARK,
    NO_CITY,
    NO_MARKET,
    NOMINATE,
    PLACE,
    REGION,
    USED,
    Array,
    Cartel,
    State,
)
from highvoltage.batch.tables import Tables
from highvoltage.games.recharged import tables as recharged


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class ChanceRanks:
    """What chance decides: each order is given as the rank of every item."""

    order: Array  # [seat]
    area: Array
    backs: Array  # [card] among those with the same back, R-2.5
    deck: Array  # [card], and the Step 3 card where it is shuffled with others, A-CHN-4
    shuffle: Array  # [card] at the Step 3 card
    mixed: Array | None = None  # [card] where some are mixed with the top of the deck, A-RUS-4
    later: Array | None = None  # [card] when the Step 3 card comes again, A-MEA-5
    blocked: Array | None = None  # [city] where some are blocked, A-MAN-3


def draw_chance(t: Tables, key: Array) -> ChanceRanks:
    cards = len(CARDS)
    sizes = (t.players, cards, cards + bool(t.ruleset.deck.bands), cards)
    bits = jax.random.bits(key, (sum(sizes) + 1,))
    order, backs, deck, shuffle = (
        ranks(part) for part in jnp.split(bits[1:], np.cumsum(sizes)[:-1].tolist())
    )
    mixed = None
    if t.ruleset.deck.mixed:
        mixed = ranks(jax.random.bits(jax.random.fold_in(key, 1), (cards,)))
    later = blocked = None
    if t.plant_market.steps_by_deck:
        later = ranks(jax.random.bits(jax.random.fold_in(key, 2), (cards,)))
    if t.blocked:
        blocked = ranks(jax.random.bits(jax.random.fold_in(key, 3), (t.cities,)))
    return ChanceRanks(order, bits[0] % len(t.areas), backs, deck, shuffle, mixed, later, blocked)


def ranks(bits: Array) -> Array:
    """The rank of each number among all of them; the last bits make them distinct."""
    keys = bits >> 6 << 6 | jnp.arange(bits.shape[0], dtype=bits.dtype)
    less, half = keys[None] < keys[:, None], keys.shape[0] // 2  # in halves, as `least`
    first, second = less[:, :half], less[:, half:]
    return jnp.sum(first, axis=1, dtype=jnp.uint8) + jnp.sum(second, axis=1, dtype=jnp.uint8)


def start(t: Tables, chance: ChanceRanks) -> State:
    """A game from what chance has decided, at its first decision."""
    s = lay_out(t, chance)
    return ready(t, auction.begin(t, s, s.mode == NOMINATE))


def lay_out(t: Tables, chance: ChanceRanks) -> State:
    """The table before anybody decides."""
    seats, zero, no = t.players, jnp.zeros((), jnp.int8), jnp.zeros((), bool)
    market, pile = deal(t, chance)
    area = jnp.where(t.draft, 0, chance.area)
    if len(t.faces) > 1:
        faces = t.first_faces if t.draft else jnp.asarray(t.faces)[area]
        market = relabelled(market, jnp.asarray(faces))  # A-NOR-3
    first = REGION if t.draft else PLACE if t.cartel else MARK if t.marks else NOMINATE
    stock = jnp.asarray(t.start_stock)
    s = State(
        env_id=t.id,
        current_player=jnp.zeros((), jnp.int32),
        legal_action_mask=jnp.zeros(t.actions, bool),
        rewards=jnp.zeros(seats, jnp.float32),
        terminated=no,
        truncated=no,
        _step_count=jnp.zeros((), jnp.int32),
        mode=jnp.full((), first, jnp.int8),
        area=area.astype(jnp.uint8),
        regions=jnp.zeros((), jnp.uint8),
        round=jnp.ones((), jnp.int16),
        step=jnp.ones((), jnp.int8),
        turn=zero,
        order=chance.order.astype(jnp.int8),
        money=jnp.full(seats, t.start_money, jnp.int16),
        plants=jnp.full((seats, t.limit + 1), NONE, jnp.int16),
        fuel=jnp.zeros((seats, FUELS), jnp.int8),
        cities=jnp.zeros(seats, jnp.int8),
        reach=jnp.zeros((seats, t.cities), t.distances.dtype),
        nuclear=jnp.zeros(seats, bool),
        cheap=jnp.zeros(seats, jnp.int8),
        supplied=jnp.zeros(seats, jnp.int8),
        place=jnp.zeros(seats, jnp.int8),
        slots=jnp.full((len(t.slot_costs), t.cities), EMPTY, jnp.uint8),
        most=zero,
        stock=stock,
        supply=jnp.asarray(t.opening_supply),
        phased_out=no,
        market=market,
        token=no,
        last=jnp.full((), USED if t.plant_market.three_stages else IN_DECK, jnp.int8),
        pending=no,
        pile=pile,
        shuffle=chance.shuffle.astype(jnp.uint8),
        eligible=jnp.zeros(seats, bool),
        card=jnp.full((), NONE, jnp.int16),
        bid=jnp.zeros((), jnp.int16),
        leader=zero,
        ring=jnp.zeros(seats, bool),
        sold=zero,
        demolition=zero,
        demolished=no,
        cartel=found_cartel(t) if t.cartel else None,
        starts=found_starts(t),
        storage=jnp.zeros(FUELS, jnp.int8) if any(t.stored_prices) else None,
        trade=jnp.full((), NO_MARKET, jnp.int8) if t.markets else None,
        buyers=jnp.full(seats, DONE, jnp.int8) if t.tokens_a_turn else None,
        built=zero if t.rules.outage else None,
        mines=jnp.zeros((seats, len(t.mine_cards)), bool) if t.has_mines else None,
        mine_stock=jnp.full((), len(t.mine_prices), jnp.int8) if t.has_mines else None,
        token_left=no if t.token and t.plant_market.lowest_leaves else None,
        called=no if t.plant_market.steps_by_deck else None,
        later=None if chance.later is None else chance.later.astype(jnp.uint8),
        shifts=None if t.shifting is None else jnp.zeros(FUELS, jnp.int8),
        stage=jnp.ones((), jnp.int8) if t.plant_market.three_stages else None,
        blocked=None if chance.blocked is None else blocked_cities(t, chance.blocked),
    )
    return clear_offer(t, s, ~no, auction=False)[0] if t.plant_market.barred else s


def blocked_cities(t: Tables, rank: Array) -> Array:
    """[city] whether it is blocked: the first ones of each price, A-MAN-3."""
    found = jnp.zeros(t.cities, bool)
    for same, count in t.blocked:
        found |= same & (places(rank, same) < count)
    return found


def found_starts(t: Tables) -> Array | None:
    if t.networks is None:
        return None
    return jnp.full((t.players, t.networks.most), NO_CITY, jnp.uint8)


def found_cartel(t: Tables) -> Cartel:
    return Cartel(
        plants=jnp.full(recharged.PLANT_LIMIT, NONE, jnp.int16),
        fuel=jnp.zeros(FUELS, jnp.int8),
        reserve=jnp.full((), recharged.CARTEL_HOUSES, jnp.int8),
        near=jnp.zeros(t.cities, bool),
        done=jnp.zeros((), bool),
    )
