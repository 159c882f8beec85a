"""The mask over all actions for the seat to move; the code is that of `highvoltage.codec`."""

import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.cardgame import columns, fuel
from highvoltage.batch.cardgame.auction import lowest_bids, on_offer
from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import LAST, UNITS, Tables
from highvoltage.batch.state import BID, FUEL, NOMINATE, RUN, SCRAP, Array, barrier, choose
from highvoltage.codec.cardgame import layout


def mask(t: Tables, s: CardState) -> Array:
    """Every index that names a legal move; all of them when the game is over."""
    mine = jnp.arange(t.players) == s.current_player
    money = choose(s.money, mine)
    plants, held = choose(s.plants, mine), choose(s.fuel, mine)
    named = nominations(s, money)
    heads = {
        "done": done(s, named)[None],
        "nominate": named.reshape(-1),
        "bid": bidding.steps(money - s.bid - 1) & (s.mode == BID),
        "scrap": scraps(s, plants, held).reshape(-1),
        "buy": buys(s, money, plants, held).reshape(-1),
        "run": fuel.runs(plants[: t.limit], held) & (s.mode == RUN),
    }
    whole = [heads[name] | s.terminated for name in t.heads]
    return jnp.concatenate(barrier(whole))


def done(s: CardState, named: Array) -> Array:
    """Pass or done; whoever can has to buy in the first round, K-4.2.5."""
    passes = (s.mode == NOMINATE) & ((s.round > 1) | ~jnp.any(named))
    return passes | (s.mode == BID) | (s.mode == FUEL)


def nominations(s: CardState, money: Array) -> Array:
    """K-4.2.3; the last buyer pays the lowest bid, K-4.3.4."""
    lowest = lowest_bids(s)
    there = on_offer(s) & (lowest <= money) & (s.mode == NOMINATE)
    alone = jnp.sum(s.eligible, dtype=jnp.int8) == 1
    return bidding.steps(jnp.where(alone, 0, money - lowest)) & there[:, None]


def scraps(s: CardState, plants: Array, held: Array) -> Array:
    """Any plant but the one just bought, KR-11."""
    _, _, lawful = fuel.returns(plants, held)
    older = (plants != s.card) & (plants < LAST) & (s.mode == SCRAP)
    return lawful & older[:, None]


def buys(s: CardState, money: Array, plants: Array, held: Array) -> Array:
    """[type, column] a card of which a unit has room and that can be paid, K-5.2.1, KR-19."""
    room = jnp.repeat(fuel.rooms(s, plants, held), UNITS) > 0
    paid = jnp.arange(1, layout.COLUMNS + 1) <= money
    return columns.on_sale(s) & room[:, None] & paid & (s.mode == FUEL)
