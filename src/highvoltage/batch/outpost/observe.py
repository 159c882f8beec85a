"""What a seat may know, as the arrays of `highvoltage.codec`, O-0.5."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.observe import filled
from highvoltage.batch.outpost import auction, company, legal, workers
from highvoltage.batch.outpost import market as cards_market
from highvoltage.batch.outpost.state import COMPANY, IDLE, NOBODY, OutpostState, discount, number
from highvoltage.batch.outpost.tables import (
    BEDS,
    CARDS,
    ENERGY,
    FACES,
    KIND,
    KINDS,
    LAST,
    NO_KIND,
    NONE,
    NUMBERS,
    PLUGS,
    RANK,
    WORKERS,
    Tables,
    of_area,
)
from highvoltage.batch.scaling import Observation, scaled
from highvoltage.batch.state import (
    ASIDE,
    BID,
    GONE,
    IN_DECK,
    IN_MARKET,
    NOMINATE,
    OVER,
    PLACE,
    RUN,
    UNDER,
    Array,
    pick,
)
from highvoltage.codec.outpost import layout, observation
from highvoltage.codec.rows import SEATS
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.state import BOARD, BUILDING, HIRED

STEPS = (1, 2, 3)
SCALAR_SCALE: Table = np.array(observation.SCALAR_FACTORS, np.float32)
COMPANY_SCALE: Table = np.array(observation.COMPANY_FACTORS, np.float32)
CITY_SCALE: Table = np.array(observation.CITY_FACTORS, np.float32)
FACE: Table = np.stack(  # [card] what is printed on it, and nothing for LAST and NONE
    [
        np.arange(NONE + 1) < LAST,
        np.where(np.arange(NONE + 1) < LAST, NUMBERS, 0),
        *((kind == KIND) for kind in range(KINDS)),
        (KIND == NO_KIND) & (np.arange(NONE + 1) < LAST),
        *(WORKERS, ENERGY, BEDS),
    ],
    axis=1,
).astype(np.float32)
FACE = np.minimum(1, FACE * observation.CARD_SCALE)


def observe(t: Tables, s: OutpostState, seat: Array) -> Observation:
    """The position as the seat sees it, its own things first."""
    seats = (seat + jnp.arange(t.players)) % t.players
    clockwise = jnp.concatenate([seats, jnp.arange(t.players, t.companies)])
    return {
        "scalars": scalars(t, s, seat),
        "players": filled(companies(t, s, seat)[clockwise], SEATS),
        "boards": filled(jnp.asarray(FACE)[s.board[clockwise]], SEATS),
        "market": market(s),
        "cities": cities(t, s, seat, clockwise),
        "cards": cards(s, clockwise),
    }


def scalars(t: Tables, s: OutpostState, seat: Array) -> Array:
    bid = jnp.where(s.card < LAST, s.bid, 0)
    above = s.pile < UNDER
    first = above & (s.pile == jnp.min(jnp.where(above, s.pile, GONE)))  # the card on top
    turn = (s.mode == COMPANY) & ~legal.chooses(s)
    prices = company.hire_costs(t, s, seat)[1 : layout.PRICES + 1]
    return scaled(
        [
            s.round,
            *(s.step == step for step in STEPS),
            *(s.mode == PLACE, legal.chooses(s), s.mode == NOMINATE, s.mode == BID),
            *(turn & (s.stage == stage) for stage in (BUILDING, BOARD, HIRED)),
            s.mode == RUN,
            auction.forced(s),
            cards_market.deck_size(s),
            s.last == IN_MARKET,
            *(jnp.any(first & PLUGS), jnp.any(first & ~PLUGS)),
            *(s.sold, bid, jnp.maximum(0, pick(auction.means(t, s), seat) - bid)),
            jnp.max(s.network[: t.players]),
            *(jnp.asarray(t.rules.step_2_cities), jnp.asarray(t.rules.end_cities)),
            *(s.labour, s.supply),
            *jnp.unstack(jnp.minimum(prices, observation.MISSING_PRICE)),
            *(jnp.asarray(t.players == count) for count in (2, 3, 4, 5, 6)),
        ],
        SCALAR_SCALE,
    )


def companies(t: Tables, s: OutpostState, seat: Array) -> Array:
    """[company] the columns of each, by seat; the Syndicate has no money and no turn."""
    seats, third = jnp.arange(t.companies), t.companies - t.players

    def of_players(row: Array) -> Array:
        return jnp.pad(row, (0, third))

    player = jnp.asarray(workers.players(t))
    known = (seats == seat) | (s.mode == OVER) if t.hidden_money else player
    money = jnp.where(known, of_players(s.money), 0)
    order = jnp.pad(s.order, (0, third), constant_values=SEATS)
    technologies = [
        np.array([FACES[card].technology == name for card in CARDS]) for name in tables.TECHNOLOGIES
    ]
    owns = s.owner[None] == seats[:, None]
    return scaled(
        [
            *(player, ~player, known & player, money, money),
            *(order == place for place in range(SEATS)),
            *(s.network, jnp.asarray(t.stations) - s.network),
            *(s.opened[:, kind] for kind in range(KINDS)),
            *(workers.beds(t, s), workers.need(s), s.humans, of_players(s.robots)),
            *(of_players(s.busy != IDLE), workers.most_energy(t, s), of_players(s.powered)),
            *(of_players(s.eligible), of_players(s.ring)),
            (s.card < LAST) & (seats == s.leader),
            (s.mode != OVER) & (seats == s.current_player),
            *(jnp.any(owns & cards, axis=1) for cards in technologies),
        ],
        COMPANY_SCALE,
    )


def market(s: OutpostState) -> Array:
    """The places of the market; the Step 3 card is not one of them."""
    tops = cards_market.tops(s)
    there = tops < LAST
    offered = cards_market.on_offer(s)
    price = jnp.maximum(tables.LOWEST_BID, number(tops) - discount(s.tokens))
    below = jnp.sum(s.market[:, 1:] < NONE, axis=1)
    columns = [
        offered,
        offered & (tops == s.card),
        jnp.where(there, jnp.minimum(1, price / 50), 0),
        jnp.minimum(1, discount(s.tokens) / 15),
        jnp.minimum(1, below / 3),
    ]
    rest = jnp.stack([column.astype(jnp.float32) for column in columns], axis=1)
    return jnp.concatenate([jnp.asarray(FACE)[tops], rest], axis=1)


def cities(t: Tables, s: OutpostState, seat: Array, clockwise: Array) -> Array:
    kind = company.kinds(t, s)
    in_play = kind < NO_KIND
    near = company.prices(t, s, jnp.arange(t.companies) == seat)
    near = jnp.where(near < observation.CLOSED_COST, 1 - near / observation.CLOSED_COST, 0)
    owned = jnp.any(s.stations[None] == clockwise[: t.players, None, None], axis=1)
    touches = of_area(t.touches, s.area)  # [connection, city]
    cheap = jnp.sum(jnp.where(touches, 1 / (1 + s.links[:, None]), 0), axis=0)
    choices = jnp.zeros(t.cities, bool) if s.syndicate is None else s.syndicate.choices
    rows = scaled(
        [
            *(in_play, company.stations_in(s)),
            *(kind == which for which in range(KINDS)),
            *((s.special == NOBODY) & in_play, s.special == seat, choices),
            *filled(owned, SEATS),
            jnp.any(s.stations == t.players, axis=0),  # nobody's number but the Syndicate's
            *(near[:, 0], near[:, 1]),
            *(of_area(t.touches.sum(axis=1), s.area), cheap),
        ],
        CITY_SCALE,
    )
    return filled(rows, layout.CITIES)


def cards(s: OutpostState, clockwise: Array) -> Array:
    """All cards of the deck, and where they are."""
    tops, at = cards_market.tops(s), cards_market.AT

    def among(some: Array) -> Array:
        return jnp.any(some[:, None] == RANK, axis=0)

    up = jnp.any(s.market.reshape(-1, 1) == RANK, axis=0)
    gone = (s.pile == GONE) & ~up & (s.owner == NOBODY)
    under = (s.pile < ASIDE) & ((s.pile >= UNDER) | (s.last != IN_DECK))
    where = [
        among(jnp.where(at < s.row, tops, NONE)),
        among(jnp.where(at >= s.row, tops, NONE)),
        among(s.market[:, 1:].reshape(-1)),
        *(gone, under, among(s.board.reshape(-1))),
        *filled(s.owner[None] == clockwise[:, None], SEATS),
    ]
    columns = jnp.stack([column.astype(jnp.float32) for column in where], axis=1)
    return jnp.concatenate([jnp.asarray(FACE)[: len(CARDS)], columns], axis=1)
