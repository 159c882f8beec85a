"""What a seat may know, as the arrays of `highvoltage.codec`, C-13, R-14.1."""

from functools import cached_property
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from highvoltage.batch import observe_fuel, observe_mines, sites
from highvoltage.batch.bureaucracy import end_cities
from highvoltage.batch.codes import BULKY, CARDS, FUELS, HYBRID, LAST, MINE, Table
from highvoltage.batch.dealing import deck_tables
from highvoltage.batch.fuel import kinds_of
from highvoltage.batch.market import offer_size, slid
from highvoltage.batch.scaling import Observation, scaled
from highvoltage.batch.state import (
    BID,
    BUILD,
    CARTEL,
    FUEL,
    GONE,
    IN_DECK,
    IN_MARKET,
    MARK,
    MARKED,
    NO_CITY,
    NOMINATE,
    OVER,
    PLACE,
    REGION,
    RUN,
    SCRAP,
    UNDER,
    WAITING,
    Array,
    State,
    barrier,
    kind,
    number,
    pick,
    powers,
)
from highvoltage.batch.tables import MARKET, UNREACHABLE, Tables
from highvoltage.codec.board import layout, observation
from highvoltage.codec.board.areas import Areas, region_rows
from highvoltage.codec.board.rows import (
    CLOSED_COST,
    MOST_NETWORKS,
    PLAYER_FACTORS,
    SCALAR_FACTORS,
    START_PRICE,
)
from highvoltage.codec.board.some_maps import MANY_HOUSES

SCALAR_SCALE: Table = np.array(SCALAR_FACTORS, np.float32)
PLAYER_SCALE: Table = np.array(PLAYER_FACTORS, np.float32)
DECISIONS = (REGION, PLACE, MARK, NOMINATE, BID, SCRAP, FUEL, BUILD, RUN)


class Facts:
    """The constant features of the map, as the codec encodes them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.grounds: Areas = Areas(tables.ruleset)
        self.regions: Table = np.array(region_rows(tables.ruleset), np.float32)

    @cached_property
    def cities(self) -> Table:
        """[area, city, column] the features of empty cities."""
        areas = [self.grounds.of(regions).blank_rows for regions in self.tables.region_sets]
        return np.array(areas, np.float32)

    @cached_property
    def chosen(self) -> Table:
        """[area, region] whether it is in play."""
        names = self.tables.rules.map.regions
        rows = [[name in regions for name in names] for regions in self.tables.region_sets]
        return np.pad(np.array(rows), ((0, 0), (0, layout.REGIONS - len(names))))


def observe(t: Tables, facts: Facts, s: State, seat: Array) -> Observation:
    """The position as the seat sees it, its own rows first."""
    clockwise = (seat + jnp.arange(t.players)) % t.players
    extras: Observation = {}
    if t.ruleset.market_size > MARKET:
        extras["more_market"] = market(t, s)[MARKET : t.ruleset.market_size]
    if s.built is not None:
        extras["outage"] = outage(t, s)
    if s.mines is not None:
        extras |= observe_mines.parts(t, s, clockwise)
    if t.chooses_starts:
        extras["starts"] = starts(t, s, seat)
        extras["networks"] = networks(s, clockwise)
    rows = cities(t, facts, s, clockwise)
    if t.rows > layout.CITIES:
        extras["more_cities"] = rows[layout.CITIES :]
    return {
        "scalars": scalars(t, s, seat),
        "players": players(t, s, seat, clockwise),
        "plants": plants(t, s, clockwise),
        "market": market(t, s)[:MARKET],
        **observe_fuel.parts(t, s, seat),
        "cities": rows[: layout.CITIES],
        "cards": cards(t, s),
        "regions": regions(t, facts, s),
        **extras,
    }


def scalars(t: Tables, s: State, seat: Array) -> Array:
    selling = s.card < LAST
    bid = jnp.where(selling, s.bid, 0)
    above = s.pile < UNDER
    first = jnp.min(jnp.where(above, s.pile, GONE))
    plug = jnp.any(above & (s.pile == first) & deck_tables(t).low) & t.recharged
    there = jnp.any(s.pile < WAITING) | (s.last == IN_DECK)
    nothing = jnp.zeros((), bool)
    demolition = [nothing] * 4
    if len(t.demolition):
        first_pay, later_pay = pick(jnp.asarray(t.demolition), s.demolition)
        demolition = [~nothing, first_pay, later_pay, s.demolished]
    return scaled(
        [
            s.round,
            *(s.step == step for step in (1, 2, 3)),
            *(s.mode == mode for mode in DECISIONS),
            jnp.sum(s.pile < WAITING) + (s.last == IN_DECK),
            s.last == IN_MARKET,
            plug,
            there & ~plug & t.recharged,
            s.sold,
            bid,
            jnp.maximum(0, pick(s.money, seat) - bid),
            s.most,
            jnp.asarray(t.step_2_cities),
            jnp.where(s.mode == REGION, t.rules.end_cities, end_cities(t, s)),
            *(jnp.asarray(t.players == count) for count in (2, 3, 4, 5, 6)),
            *demolition,
        ],
        SCALAR_SCALE,
    )


def players(t: Tables, s: State, seat: Array, clockwise: Array) -> Array:
    seats = jnp.arange(t.players)
    yes, no = jnp.ones(t.players, bool), jnp.zeros(t.players, bool)
    known = (seats == seat) | (s.mode == OVER) if t.hidden_money else yes
    money = jnp.where(known, s.money, 0)
    rows = scaled(
        [
            *(yes, no, known, money, money),
            *(s.order == place for place in range(layout.SEATS)),
            *(s.cities, jnp.sum(powers(s.plants), axis=1), s.supplied),
            *(s.fuel[:, fuel] for fuel in range(FUELS)),
            *(s.eligible, s.ring, (s.card < LAST) & (seats == s.leader)),
            *((s.mode != OVER) & (seats == s.current_player), no),
        ],
        PLAYER_SCALE,
    )[clockwise]
    if s.cartel is not None:
        row = dict.fromkeys(layout.PLAYER, jnp.zeros((), bool))
        row |= {"cartel": ~row["cartel"], "reserve": s.cartel.reserve}
        row |= {"powers": jnp.sum(supplies(t, s.cartel.plants))}
        row |= {name: s.cartel.fuel[at] for at, name in enumerate(layout.FUELS)}
        rows = jnp.concatenate([rows, scaled(list(row.values()), PLAYER_SCALE)[None]])
    return filled(rows, layout.SEATS)


def filled(rows: Array, size: int, axis: int = 0) -> Array:
    """Rows of zeros appended, up to the size of the part."""
    widths = [(0, size - rows.shape[axis] if at == axis else 0) for at in range(rows.ndim)]
    return jnp.pad(rows, widths)


def supplies(t: Tables, codes: Array) -> Array:
    """How many cities each plant supplies; a mine none, A-AUS-5."""
    return jnp.where(kind(codes) == MINE, 0, powers(codes)) if t.has_mines else powers(codes)


def card_rows(t: Tables, codes: Array, marks: list[Array]) -> Array:
    """The columns of cards, zeros where there is no card, and whether they have certain marks.

    A column takes its bits out of the code of the card, or asks which kinds of plants have it.
    """
    hybrid = [fuel in t.burning.hybrid for fuel in range(FUELS)]
    burns = [1 << fuel | mixed << HYBRID for fuel, mixed in enumerate(hybrid)]
    column = np.arange(len(layout.CARD) + len(marks))
    kinds = kinds_of(codes, t.burning)[..., None]
    raw = codes[..., None] >> by_column([0, 8, 3, 0], column) & by_column([0, 127, 3, 7], column)
    raw |= by_column([-1, 0, 0, 0, *burns, -1 << HYBRID + 1], column) >> kinds & 1
    if t.burning.bulky:
        raw += (column == NEED) & (kind(codes) == BULKY)[..., None]
    if t.has_mines:
        raw = jnp.where((column == POWERS) & (kinds == MINE), 0, raw)  # A-AUS-5
    raw = jnp.where((codes < LAST)[..., None], raw, 0)
    word = packed(marks, [1] * len(marks))[..., None] >> np.maximum(0, column - len(layout.CARD))
    raw = jnp.where(column < len(layout.CARD), raw, word & 1)
    scale = np.append(observation.CARD_SCALE, np.ones(len(marks))).astype(np.float32)
    return jnp.minimum(1, raw.astype(jnp.float32) * scale)


def by_column(numbers: list[int], columns: Table) -> Table:
    """Numbers for the first columns, and 0 for the others."""
    return np.array([*numbers, *[0] * (len(columns) - len(numbers))], np.int16)


def plants(t: Tables, s: State, clockwise: Array) -> Array:
    hands = s.plants[clockwise]
    if s.cartel is not None:
        hands = jnp.concatenate([hands, filled_hand(s.cartel.plants, hands)[None]])
    rows = card_rows(t, hands, [(hands == s.card) & (s.mode == SCRAP)])
    return filled(filled(rows, layout.SLOTS, 1), layout.SEATS)


def filled_hand(cards: Array, like: Array) -> Array:
    return jnp.pad(cards, (0, like.shape[1] - cards.shape[0]), constant_values=LAST)


def market(t: Tables, s: State) -> Array:
    offered = (jnp.arange(t.market) < offer_size(t, s)) & (s.market < LAST)
    selling = (s.market == s.card) & (s.card < LAST)
    token = s.token & (jnp.arange(t.market) == 0)
    return card_rows(t, s.market, [offered, selling, token])


def cities(t: Tables, facts: Facts, s: State, clockwise: Array) -> Array:
    """The facts of every city are packed into words, and every column takes its bits from one."""
    words = barrier(city_words(t, s, clockwise))
    columns = np.arange(len(layout.CITY))
    word = words[0][:, None]
    for at in range(1, len(words)):
        word = jnp.where(columns >= FIRST_COLUMNS[at], words[at][:, None], word)
    raw = (word >> CITY_BITS.first & CITY_BITS.mask).astype(jnp.float32)
    values = jnp.clip(CITY_BITS.base + raw * CITY_BITS.factor, 0, 1)
    blank = jnp.asarray(facts.cities)[s.area][: t.cities]
    rows = jnp.where(CITY_BITS.mask == 0, blank, values * blank[:, :1])
    return filled(jnp.where(s.mode == REGION, 0, rows), t.rows)


def city_words(t: Tables, s: State, clockwise: Array) -> list[Array]:
    """[city] the houses and their price; then what a house costs three seats each."""
    houses = sites.houses(s)
    slot = sites.slot_prices(t, s)
    marked = jnp.any(s.slots == MARKED, axis=0)
    start = jnp.where(jnp.any(marked), marked, houses == 0)
    if s.blocked is not None:
        start &= ~s.blocked  # A-MAN-3
    price = jnp.where(slot < UNREACHABLE, slot, 0)
    seats = [clockwise[place] for place in range(t.players)]
    owned = [jnp.any(s.slots == seat, axis=0) for seat in seats]
    near = []
    for seat, own in zip(seats, owned, strict=True):
        cost = jnp.where(own, UNREACHABLE, slot + s.reach[seat].astype(jnp.int16))
        cost = jnp.where(s.cities[seat] > 0, cost, jnp.where(start, START_PRICE, CLOSED_COST))
        near.append(jnp.minimum(cost, CLOSED_COST))
    near += [jnp.full(t.cities, CLOSED_COST, jnp.int16)] * (layout.SEATS - t.players)
    facts = [houses, price, start, marked, jnp.any(s.slots == CARTEL, axis=0), *owned]
    facts += [jnp.zeros(t.cities, bool)] * (layout.SEATS - t.players)
    half = layout.SEATS // 2
    first, last = packed(near[:half], NEAR_BITS), packed(near[half:], NEAR_BITS)
    return [packed(facts, FACT_BITS), first, last]


def packed(facts: list[Array], bits: list[int]) -> Array:
    """Facts in one word, each with so many bits."""
    word, first = jnp.zeros((), jnp.int32), 0
    for fact, size in zip(facts, bits, strict=True):
        word |= fact.astype(jnp.int32) << first
        first += size
    return word


class CityBits(NamedTuple):
    """Which bits of its word a column has, and how they are scaled; no bits where it is printed."""

    first: Table
    mask: Table
    base: Table
    factor: Table


def city_bits() -> CityBits:
    columns = [(0, 0, 0.0, 0.0)] * len(layout.CITY)
    near = (NEAR_BITS, 1.0, [-1 / CLOSED_COST] * len(NEAR_BITS))
    at = FIRST_COLUMNS[0]
    for sizes, base, factors in ((FACT_BITS, 0.0, FACT_FACTORS), near, near):
        for place, (size, factor) in enumerate(zip(sizes, factors, strict=True)):
            columns[at + place] = (sum(sizes[:place]), (1 << size) - 1, base, factor)
        at += len(sizes)
    kinds = (np.int32, np.int32, np.float32, np.float32)
    rows = zip(zip(*columns, strict=True), kinds, strict=True)
    return CityBits(*(np.array(row, dtype) for row, dtype in rows))


NEED, POWERS = layout.CARD.index("need"), layout.CARD.index("powers")
FACT_BITS = [4, 8, 1, 1, 1, *[1] * layout.SEATS]  # houses, price, start, marked, cartel, owners
FACT_FACTORS = [1 / 3, 1 / 20, *[1.0] * (len(FACT_BITS) - 2)]
NEAR_BITS = [7] * (layout.SEATS // 2)  # up to CLOSED_COST
FIRST_COLUMNS = [layout.CITY.index(name) for name in ("houses", "near_0", "near_3")]
CITY_BITS = city_bits()


def starts(t: Tables, s: State, seat: Array) -> Array:
    """What further networks cost the viewer, as in `cities`, A-JPN-4."""
    price = sites.later_start_prices(t, s, jnp.arange(t.players) == seat)
    near = jnp.maximum(0, 1 - price * (1 / CLOSED_COST)).astype(jnp.float32)
    return filled(near[:, None], t.rows)


def networks(s: State, clockwise: Array) -> Array:
    assert s.starts is not None
    begun = jnp.sum(s.starts != NO_CITY, axis=1)[clockwise]
    return filled(jnp.minimum(1, begun / MOST_NETWORKS).astype(jnp.float32)[:, None], layout.SEATS)


def outage(t: Tables, s: State) -> Array:
    """New houses of this round, the most without an outage, and whether there are more, A-IND-9."""
    assert t.rules.outage is not None
    assert s.built is not None
    most = t.rules.outage.houses * t.players
    columns = [s.built, jnp.asarray(most), (s.built > most) * MANY_HOUSES]
    return scaled(columns, np.full(len(columns), 1 / MANY_HOUSES, np.float32))


def cards(t: Tables, s: State) -> Array:
    numbers = jnp.asarray(CARDS, jnp.int16)
    up = jnp.any(number(s.market)[:, None] == numbers, axis=0)
    owned = jnp.any(number(s.plants).reshape(-1, 1) == numbers, axis=0)
    if s.mines is not None:
        theirs = jnp.any(s.mines, axis=0)[:, None] & (t.mine_codes[:, None] >> 8 == numbers)
        owned |= jnp.any(theirs, axis=0)
    if s.cartel is not None:
        owned |= jnp.any(number(s.cartel.plants)[:, None] == numbers, axis=0)
    gone = (s.pile == GONE) & ~up & ~owned
    known = jnp.stack([up, owned, gone, slid(t, s)], axis=-1).astype(jnp.float32)
    rows = np.full(layout.CARDS, len(CARDS))
    rows[np.array(CARDS) - layout.FIRST_CARD] = np.arange(len(CARDS))
    return filled(known, len(CARDS) + 1)[rows]


def regions(t: Tables, facts: Facts, s: State) -> Array:
    chosen = jnp.asarray(facts.chosen)[s.area]
    if t.draft:
        named = (s.regions >> jnp.arange(layout.REGIONS) & 1).astype(bool)
        chosen = jnp.where(s.mode == REGION, named, chosen)
    blank = jnp.asarray(facts.regions)
    return jnp.concatenate(
        [blank[:, :1], chosen.astype(jnp.float32)[:, None], blank[:, 2:]], axis=1
    )
