"""Set-up, K-2: the chance of a game, and the state that it leads to."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame import auction, columns
from highvoltage.batch.cardgame.play import ready
from highvoltage.batch.cardgame.state import Bank, CardState
from highvoltage.batch.cardgame.tables import (
    CARDS,
    CODES,
    FUELS,
    LIMIT,
    MARKET,
    NONE,
    NUMBERS,
    SMALL,
    STORE,
    TYPES,
    Tables,
)
from highvoltage.batch.dealing import places
from highvoltage.batch.setup import ranks
from highvoltage.batch.state import ASIDE, GONE, IN_DECK, NOMINATE, Array
from highvoltage.games.cardgame import tables


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class ChanceRanks:
    """What chance decides, K-2.8: orders of things, each as the place of every one of them."""

    order: Array  # [seat]
    backs: Array  # [card] among those with the same back
    deck: Array  # [card]
    end: Array  # [card] at END
    fuel: Array  # [card] the basic fuel cards
    seed: Array  # [2] words that reshuffles are drawn from


def draw_chance(t: Tables, key: Array) -> ChanceRanks:
    cards = len(CARDS)
    sizes = (t.players, cards, cards, cards, int(t.basic.sum()))
    bits = jax.random.bits(key, (sum(sizes) + 2,))
    parts = jnp.split(bits[2:], np.cumsum(sizes)[:-1].tolist())
    order, backs, deck, end, fuel = (ranks(part) for part in parts)
    return ChanceRanks(order, backs, deck, end, fuel, bits[:2])


def deal_market(t: Tables, chance: ChanceRanks) -> tuple[Array, Array]:
    """The market and the deck, K-2.3 and K-2.4; twins in the order they came, KR-04."""
    small = jnp.asarray(SMALL)
    place = jnp.where(small, places(chance.backs, small), places(chance.backs, ~small))
    opening = small & (place < MARKET)
    pile = jnp.where(place < t.left, chance.deck + 1, ASIDE)
    pile = jnp.where(small & (place == MARKET), 0, pile)  # on top
    rank = jnp.asarray(NUMBERS).astype(jnp.int32) << 8 | place
    at = jnp.sum((rank[None] < rank[:, None]) & opening[None], axis=1)
    row = opening[None] & (at[None] == jnp.arange(MARKET)[:, None])
    market = jnp.sum(jnp.where(row, CODES[None], 0), axis=1, dtype=jnp.uint16)
    return market, jnp.where(opening, GONE, pile).astype(jnp.uint8)


def start(t: Tables, chance: ChanceRanks) -> CardState:
    """A game from what chance has decided, brought to its first decision."""
    seats, zero, no = t.players, jnp.zeros((), jnp.int8), jnp.zeros((), bool)
    market, pile = deal_market(t, chance)
    unused = t.fuel_cards - chance.fuel.shape[0]
    s = CardState(
        env_id=t.id,
        current_player=jnp.zeros((), jnp.int32),
        legal_action_mask=jnp.zeros(t.actions, bool),
        rewards=jnp.zeros(seats, jnp.float32),
        terminated=no,
        truncated=no,
        _step_count=jnp.zeros((), jnp.int32),
        mode=jnp.full((), NOMINATE, jnp.int8),
        round=jnp.ones((), jnp.int16),
        turn=zero,
        order=chance.order.astype(jnp.int8),
        money=jnp.full(seats, tables.START_MONEY, jnp.int16),
        plants=jnp.full((seats, LIMIT + 1), NONE, jnp.uint16),
        fuel=jnp.zeros((seats, FUELS), jnp.int8),
        place=jnp.zeros(seats, jnp.int8),
        market=market,
        token=no,
        last=jnp.full((), IN_DECK, jnp.int8),
        pile=pile,
        shuffle=chance.end.astype(jnp.uint8),
        eligible=jnp.zeros(seats, bool),
        card=jnp.full((), NONE, jnp.uint16),
        bid=jnp.zeros((), jnp.int16),
        leader=zero,
        ring=jnp.zeros(seats, bool),
        sold=zero,
        demolition=zero,
        demolished=no,
        income=jnp.zeros(seats, jnp.int8),
        store=jnp.zeros((seats, STORE), jnp.uint8),
        singles=jnp.zeros((seats, FUELS), jnp.int8),
        column_1=jnp.zeros(FUELS, jnp.int8),
        columns=columns.lay_out(t, chance.fuel),
        shuffled=jnp.asarray(t.basic),
        places=jnp.pad(chance.fuel, (0, unused)).astype(jnp.uint8),
        drawn=jnp.full((), 3 * t.column_size, jnp.int8),
        discard=jnp.asarray(t.plus),  # K-2.7
        reshuffles=zero,
        seed=chance.seed,
        last_round=no,
        bank=found_bank() if t.bank else None,
    )
    return ready(t, auction.begin(s, s.mode == NOMINATE))


def found_bank() -> Bank:
    return Bank(
        plants=jnp.full(LIMIT, NONE, jnp.uint16),
        cards=jnp.zeros(TYPES, jnp.int8),
        singles=jnp.zeros(FUELS, jnp.int8),
        fuel=jnp.zeros(FUELS, jnp.int8),
        turned=jnp.zeros(FUELS, jnp.int8),
        done=jnp.zeros((), bool),
    )
