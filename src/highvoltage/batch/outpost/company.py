"""Phase 3: build, lay out the company board, hire, O-7; settle Colonies and make robots, O-11."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.outpost import workers
from highvoltage.batch.outpost.state import (
    HUMAN,
    NOBODY,
    ROBOT,
    OutpostState,
    energy,
)
from highvoltage.batch.outpost.state import workers as workers_of
from highvoltage.batch.outpost.tables import (
    BEDS,
    COLONIES,
    ENERGY,
    FAR,
    KINDS,
    MAY_LIE,
    NO_KIND,
    NONE,
    RANK,
    SPACE_KIND,
    SPACES,
    WORKERS,
    Tables,
    of_area,
)
from highvoltage.batch.state import Array, choose, pick
from highvoltage.codec.outpost.layout import HIRES
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.state import BOARD, HABITAT, HIRED, PLANT

STATION, OTHER = range(2)  # of the pieces that a city has room for
PIECES = (tables.STATION, *tables.KINDS)
CARDS = len(RANK)


# a) Building, O-7.1


def kinds(t: Tables, s: OutpostState) -> Array:
    """[city] of its special slot."""
    return of_area(t.city_kind, s.area)


def stations_in(s: OutpostState) -> Array:
    """[city] how many slots are taken."""
    return jnp.sum(s.stations < NOBODY, axis=0, dtype=jnp.int8)


def slot_prices(t: Tables, s: OutpostState) -> Array:
    """[city] the price of the next station, FAR if none may be built, O-7.1.2."""
    count = stations_in(s)
    price = jnp.full(t.cities, FAR, jnp.int16)
    for slot, cost in enumerate(tables.STATION_PRICES):
        price = jnp.where((count == slot) & (slot < s.step), cost, price)
    return jnp.where(kinds(t, s) < NO_KIND, price, FAR)


def prices(t: Tables, s: OutpostState, mine: Array) -> Array:
    """[city, piece] what a building costs a company, FAR where it has no slot or piece left."""
    way = choose(s.distance, mine).astype(jnp.int16)
    own = jnp.any(s.stations == jnp.argmax(mine), axis=0)
    left = choose(s.network, mine) < choose(jnp.asarray(t.stations), mine)  # OR-23
    station = jnp.where(own | ~left, FAR, slot_prices(t, s) + way)  # O-1.5.2
    covered = choose(s.opened, mine) < SPACES
    kind = kinds(t, s)
    free = (
        (s.special == NOBODY)
        & (kind < NO_KIND)
        & jnp.where(kind == PLANT, covered[PLANT], covered[HABITAT])
    )
    other = jnp.where(free, tables.SPECIAL_PRICE + way, FAR)  # O-7.1.6
    return jnp.minimum(jnp.stack([station, other], axis=1), FAR)


def put_station(
    t: Tables, s: OutpostState, company: Array | int, city: Array, when: Array
) -> OutpostState:
    """A station on the next slot of a city, O-7.1.2."""
    here = (jnp.arange(t.cities) == city) & when
    taken = jnp.concatenate([jnp.ones_like(here)[None], s.stations[:-1] < NOBODY])
    owner = jnp.arange(t.companies) == company
    s = s.replace(
        stations=jnp.where(here & taken & (s.stations == NOBODY), company, s.stations).astype(
            jnp.int8
        ),
        network=s.network + (owner & when),
    )
    return add_city(t, s, company, city, when)


def put_special(
    t: Tables, s: OutpostState, company: Array | int, city: Array, when: Array
) -> OutpostState:
    """A plant or a habitat, depending on the city, O-7.1.3; it uncovers a space."""
    here = (jnp.arange(t.cities) == city) & when
    s = s.replace(special=jnp.where(here, company, s.special).astype(jnp.int8))
    s = uncover(t, s, company, pick(kinds(t, s), city), when)
    return add_city(t, s, company, city, when)


def uncover(
    t: Tables, s: OutpostState, company: Array | int, kind: Array | int, when: Array
) -> OutpostState:
    owner = (jnp.arange(t.companies) == company) & when
    return s.replace(opened=s.opened + (owner[:, None] & (jnp.arange(KINDS) == kind)))


def add_city(
    t: Tables, s: OutpostState, company: Array | int, city: Array, when: Array
) -> OutpostState:
    """The city belongs to the company's structure, O-7.1.4."""
    owner = (jnp.arange(t.companies) == company) & when
    ways = s.roads[city]
    nearer = jnp.where(s.built[:, None], jnp.minimum(s.distance, ways), ways)
    return s.replace(distance=jnp.where(owner[:, None], nearer, s.distance), built=s.built | owner)


def build(t: Tables, s: OutpostState, when: Array, city: Array, piece: Array) -> OutpostState:
    """The seat to move builds, O-7.1; the Syndicate follows on the second slot, O-12.6.3."""
    me = s.current_player.astype(jnp.int8)
    mine = jnp.arange(t.companies) == me
    cost = pick(pick(prices(t, s, mine), city), piece)
    s = s.replace(money=s.money - jnp.where(mine[: t.players] & when, cost, 0))
    alone = pick(stations_in(s), city) == 0
    connects = when & (piece == STATION)
    s = put_station(t, s, me, city, connects)
    if s.syndicate is not None:
        third = t.players
        follows = connects & alone & (s.network[third] < t.stations[third])  # OR-59
        s = put_station(t, s, third, city, follows)
    return put_special(t, s, me, city, when & (piece == OTHER))


# Colonies, O-11.6


def own_colonies(s: OutpostState) -> Array:
    """[place] which Colony card is the first, and the second, that the seat to move owns."""
    own = [s.owner[card] == s.current_player for card in COLONIES]
    first = jnp.where(own[0], 0, jnp.where(own[1], 1, len(COLONIES)))
    second = jnp.where(own[0] & own[1], 1, len(COLONIES))
    return jnp.stack([first, second])


def pieces_left(t: Tables, s: OutpostState, mine: Array) -> Array:
    """[piece] whether one is still on the company board."""
    stations = choose(s.network, mine) < choose(jnp.asarray(t.stations), mine)
    return jnp.concatenate([stations[None], choose(s.opened, mine) < SPACES])


def settles(t: Tables, s: OutpostState, mine: Array) -> Array:
    """[own Colony card, piece] whether it may be settled, OR-52."""
    free = jnp.concatenate([~s.settled, jnp.zeros((1, len(PIECES)), bool)])
    return free[own_colonies(s)] & pieces_left(t, s, mine)


def settle(t: Tables, s: OutpostState, when: Array, place: Array, piece: Array) -> OutpostState:
    """A piece goes on a Colony card of the seat to move, O-11.6."""
    colony = pick(own_colonies(s), place)
    here = (jnp.arange(len(COLONIES)) == colony)[:, None] & (jnp.arange(len(PIECES)) == piece)
    mine = jnp.arange(t.companies) == s.current_player
    s = s.replace(
        settled=s.settled | (here & when), network=s.network + (mine & when & (piece == STATION))
    )
    return uncover(t, s, s.current_player, piece - 1, when & (piece > STATION))


# b) The company board, O-7.2


def pool(s: OutpostState, company: Array | int) -> Array:
    """[card] whether a company has it beside its board."""
    on_board = jnp.any(pick(s.board, jnp.asarray(company))[:, None] == RANK, axis=0)
    return (s.owner == company) & ~on_board


def layable(s: OutpostState) -> Array:
    """[card] whether the company to move may put it on its board, OR-26."""
    return pool(s, s.current_player) & ~s.replaced


def lying(board: Array) -> Array:
    """[kind] how many cards lie on a company board."""
    return jnp.sum(board.reshape(KINDS, SPACES) < NONE, axis=1, dtype=jnp.int8)


def places(s: OutpostState, mine: Array) -> Array:
    """[card, kind] whether it may be put on a free space, O-7.2.1, O-11.8.1."""
    free = lying(choose(s.board, mine)) < choose(s.opened, mine)
    return layable(s)[:, None] & MAY_LIE.T & free


def swaps(s: OutpostState, mine: Array) -> Array:
    """[space, card] whether it may take the place of the card there, O-7.2.2, O-7.2.3, OR-26."""
    board = choose(s.board, mine)[:, None]
    roomier = BEDS[:CARDS] > jnp.asarray(BEDS)[board]
    stronger = (ENERGY[:CARDS] > energy(board)) | (WORKERS[:CARDS] < workers_of(board))
    better = jnp.where((SPACE_KIND == HABITAT)[:, None], roomier, stronger)
    return (board < NONE) & layable(s) & MAY_LIE[SPACE_KIND] & better


def lay(
    s: OutpostState, company: Array | int, when: Array, space: Array, card: Array
) -> OutpostState:
    """A card comes to lie on a space; one that lay there goes back to the pool."""
    owner = jnp.arange(s.board.shape[0]) == company
    here = owner[:, None] & (jnp.arange(s.board.shape[1]) == space) & when
    return s.replace(board=jnp.where(here, card, s.board).astype(jnp.int8))


def place(t: Tables, s: OutpostState, when: Array, card: Array, kind: Array) -> OutpostState:
    mine = jnp.arange(t.companies) == s.current_player
    space = kind * SPACES + pick(lying(choose(s.board, mine)), kind)
    return in_stage(lay(s, s.current_player, when, space, card), BOARD, when)


def swap(s: OutpostState, when: Array, space: Array, card: Array) -> OutpostState:
    old = pick(pick(s.board, s.current_player), space)
    s = s.replace(replaced=s.replaced | ((old == RANK) & when))
    return in_stage(lay(s, s.current_player, when, space, card), BOARD, when)


def in_stage(s: OutpostState, stage: int, when: Array) -> OutpostState:
    """The parts of a turn follow one another, O-7.0.2."""
    return s.replace(stage=jnp.where(when, stage, s.stage).astype(jnp.int8))


# c) Hiring and robots, O-7.3 and O-11.4


def missing_workers(t: Tables, s: OutpostState, mine: Array) -> tuple[Array, Array]:
    """The workers that may be hired beyond the beds, and the empty beds, O-7.3.4, OR-33."""
    humans, beds = choose(s.humans, mine), choose(workers.beds(t, s), mine)
    lack = choose(workers.need(s), mine) - s.robots[s.current_player] - jnp.maximum(beds, humans)
    return jnp.maximum(0, lack), beds - humans


def hire_costs(t: Tables, s: OutpostState, seat: Array) -> Array:
    """[count] what so many seasonal workers cost a seat, O-7.3.5; Ecoplants saves, O-11.3."""
    cheap = pick(workers.uses(t, s, "ecoplants"), seat)
    normal, less = (jnp.asarray(costs)[s.labour] for costs in t.hire_costs)
    return jnp.where(cheap, less, normal)


def hires(t: Tables, s: OutpostState, mine: Array, money: Array) -> Array:
    """[count] seasonal workers that may be hired; nobody, if that fills beds, O-7.3.1."""
    lack, empty = missing_workers(t, s, mine)
    count = jnp.arange(HIRES)
    lawful = (count <= lack) & (hire_costs(t, s, s.current_player) <= money)
    lawful &= (count > 0) | ((s.labour > 0) & (empty > 0))
    return lawful & useful_hires(t, s, mine) if t.exact_hires else lawful


def useful_hires(t: Tables, s: OutpostState, mine: Array) -> Array:
    """[count] whether so many exactly complete a set of plants, or it is 0; strict OR-29."""
    needs = workers.five(workers_of(choose(s.board, mine))[None])[0]
    sums = jnp.sum(needs * workers.RUNS, axis=1, dtype=jnp.int8)
    humans, beds = choose(s.humans, mine), choose(workers.beds(t, s), mine)
    extra = jnp.maximum(0, sums - s.robots[s.current_player] - jnp.maximum(beds, humans))
    return jnp.any(extra[:, None] == np.arange(HIRES), axis=0)


def hire(t: Tables, s: OutpostState, when: Array, count: Array) -> OutpostState:
    """First the paid workers, then free ones for every empty bed, O-7.3.3, OR-30."""
    mine = jnp.arange(t.companies) == s.current_player
    _, empty = missing_workers(t, s, mine)
    cost = pick(hire_costs(t, s, s.current_player), count)
    free = jnp.minimum(s.labour - count, jnp.maximum(0, empty))
    hired = jnp.where(when, count + free, 0).astype(jnp.int8)
    s = s.replace(
        money=s.money - jnp.where(mine[: t.players] & when, cost, 0),
        humans=s.humans + jnp.where(mine, hired, 0),
        labour=s.labour - hired,
    )
    return in_stage(s, HIRED, when)


def makers(t: Tables, s: OutpostState) -> Array:
    """[maker] who may make a robot for the seat to move: a human, a robot, O-11.4.1, OR-50."""
    may = (s.supply > 0) & pick(workers.uses(t, s, "robots"), s.current_player)
    have = jnp.stack([s.humans[s.current_player], s.robots[s.current_player]])
    return (have > 0) & may


def make_robot(t: Tables, s: OutpostState, when: Array, maker: Array) -> OutpostState:
    """The maker is busy for the round, OR-43."""
    mine = (jnp.arange(t.players) == s.current_player) & when
    who = jnp.where(maker == 0, HUMAN, ROBOT)
    return s.replace(
        robots=s.robots + mine,
        busy=jnp.where(mine, who, s.busy).astype(jnp.int8),
        supply=s.supply - when,
    )
