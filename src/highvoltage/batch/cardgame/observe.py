"""What a seat may know, as the arrays of `highvoltage.codec`, KR-02."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame import columns, fuel
from highvoltage.batch.cardgame.market import offer_size
from highvoltage.batch.cardgame.state import CardState, by_kind, income, kind, need, number
from highvoltage.batch.cardgame.tables import (
    CODES,
    FUELS,
    HYBRID,
    LAST,
    MARKET,
    NUMBERS,
    SMALL,
    Tables,
)
from highvoltage.batch.observe import filled
from highvoltage.batch.scaling import Observation, scaled
from highvoltage.batch.state import (
    ASIDE,
    BID,
    FUEL,
    GONE,
    IN_DECK,
    IN_MARKET,
    NOMINATE,
    OVER,
    RUN,
    SCRAP,
    UNDER,
    Array,
    pick,
)
from highvoltage.codec.cardgame import layout, observation
from highvoltage.codec.rows import SEATS
from highvoltage.games.cardgame.tables import GAS, OIL

DECISIONS = (NOMINATE, BID, SCRAP, FUEL, RUN)


def observe(t: Tables, s: CardState, seat: Array) -> Observation:
    """The position as the seat sees it, its own things first."""
    clockwise = (seat + jnp.arange(t.players)) % t.players
    return {
        "scalars": scalars(t, s, seat),
        "players": players(t, s, seat, clockwise),
        "plants": plants(s, clockwise),
        "market": market(s),
        "fuel": fuel_market(t, s, seat),
        "cards": cards(s),
    }


def scalars(t: Tables, s: CardState, seat: Array) -> Array:
    bid = jnp.where(s.card < LAST, s.bid, 0)
    above = s.pile < UNDER
    first = above & (s.pile == jnp.min(jnp.where(above, s.pile, GONE)))  # the card on top
    hides_end = s.last == IN_DECK
    no = jnp.zeros((), bool)
    demolition = [no] * 4
    if len(t.demolition):
        first_pay, later_pay = pick(jnp.asarray(t.demolition), s.demolition)
        demolition = [~no, first_pay, later_pay, s.demolished]
    return scaled(
        [
            *(s.round, s.last_round),
            *(s.mode == mode for mode in DECISIONS),
            jnp.sum(s.pile < ASIDE) + hides_end,
            jnp.where(hides_end, jnp.sum(above), 0),
            *(hides_end, s.last == IN_MARKET),
            *(jnp.any(first & SMALL), jnp.any(first & ~SMALL)),
            s.sold,
            bid,
            jnp.maximum(0, pick(s.money, seat) - bid),
            *(columns.pile_size(s), s.reshuffles, jnp.asarray(t.column_size)),
            *(jnp.asarray(t.players == count) for count in (2, 3, 4, 5, 6)),
            *demolition,
        ],
        observation.SCALAR_SCALE,
    )


def players(t: Tables, s: CardState, seat: Array, clockwise: Array) -> Array:
    seats = jnp.arange(t.players)
    yes, no = jnp.ones(t.players, bool), jnp.zeros(t.players, bool)
    known = (seats == seat) | (s.mode == OVER) if t.hidden_money else yes
    money = jnp.where(known, s.money, 0)
    rows = scaled(
        [
            *(yes, no, known, money, money),
            *(s.order == place for place in range(SEATS)),
            *(s.income, jnp.sum(income(s.plants), axis=1)),
            *(s.fuel[:, fuel] for fuel in range(FUELS)),
            *(s.eligible, s.ring, (s.card < LAST) & (seats == s.leader)),
            (s.mode != OVER) & (seats == s.current_player),
        ],
        observation.PLAYER_SCALE,
    )[clockwise]
    if s.bank is not None:
        row = dict.fromkeys(layout.PLAYER, jnp.zeros((), bool))
        row |= {"bank": ~row["bank"], "all_run": jnp.sum(income(s.bank.plants))}
        row |= {name: s.bank.fuel[at] for at, name in enumerate(layout.FUELS)}
        rows = jnp.concatenate([rows, scaled(list(row.values()), observation.PLAYER_SCALE)[None]])
    return filled(rows, SEATS)


def card_rows(codes: Array) -> Array:
    """The columns of plants; zeros where there is none."""
    there, kinds = codes < LAST, kind(codes)
    hybrid = kinds == HYBRID
    burns = [(kinds == fuel) | (hybrid & (fuel in (GAS, OIL))) for fuel in range(FUELS)]
    row = [there, number(codes), need(codes), income(codes), *burns, kinds > HYBRID]
    return scaled([jnp.where(there, column, 0) for column in row], observation.CARD_SCALE)


def plants(s: CardState, clockwise: Array) -> Array:
    hands = s.plants[clockwise]
    if s.bank is not None:
        unused = hands.shape[1] - s.bank.plants.shape[0]
        row = jnp.pad(s.bank.plants, (0, unused), constant_values=LAST)
        hands = jnp.concatenate([hands, row[None]])
    new = (hands == s.card) & (s.mode == SCRAP)
    rows = jnp.concatenate([card_rows(hands), new[..., None].astype(jnp.float32)], axis=-1)
    return filled(rows, SEATS)


def market(s: CardState) -> Array:
    offered = (jnp.arange(MARKET) < offer_size(s)) & (s.market < LAST)
    lot = (s.market == s.card) & (s.card < LAST)
    token = s.token & (jnp.arange(MARKET) == 0)
    marks = jnp.stack([offered, lot, token], axis=-1).astype(jnp.float32)
    return jnp.concatenate([card_rows(s.market), marks], axis=-1)


def fuel_market(t: Tables, s: CardState, seat: Array) -> Array:
    held, hand = pick(s.fuel, seat), pick(s.plants, seat)
    waiting = jnp.where(s.reshuffles == 0, jnp.asarray(t.plus_plus), 0)
    cards = [*(s.columns[at] for at in range(s.columns.shape[0])), s.discard, waiting]
    by_units = [by_kind(counts)[:, units] for counts in cards for units in range(layout.UNITS)]
    singles = jnp.maximum(0, columns.free_singles(t, s))
    return scaled(
        [held, fuel.rooms(s, hand, held), s.column_1, *by_units, singles], observation.FUEL_SCALE
    )


def cards(s: CardState) -> Array:
    """How many of the plants of each number, of four."""
    codes = jnp.asarray(CODES)
    up = jnp.any(s.market[:, None] == codes, axis=0)
    owned = jnp.any(s.plants.reshape(-1, 1) == codes, axis=0)
    if s.bank is not None:
        owned |= jnp.any(s.bank.plants[:, None] == codes, axis=0)
    gone = (s.pile == GONE) & ~up & ~owned
    under = (s.pile < ASIDE) & ((s.pile >= UNDER) | (s.last != IN_DECK))
    of_card = jnp.stack([up, owned, gone, under], axis=-1)
    of_number = np.arange(layout.CARDS)[:, None, None] == NUMBERS[:, None]
    return jnp.minimum(1, jnp.sum(of_number & of_card, axis=1) * 0.25).astype(jnp.float32)
