"""Phase 2, the auction of cards, O-6; the first round has two, O-3.3."""

from dataclasses import replace

import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.outpost import market, workers
from highvoltage.batch.outpost.state import OutpostState, discount, number
from highvoltage.batch.outpost.tables import FAR, NONE, RANK, Tables
from highvoltage.batch.state import BID, NOMINATE, Array, first_of
from highvoltage.codec.actions import MAX_OFFERED as OFFER
from highvoltage.games.outpost import tables


def lowest_bids(s: OutpostState) -> Array:
    """[place] the number of the top card less the tokens on it, O-6.4."""
    price = number(market.tops(s)) - discount(s.tokens)
    return jnp.maximum(tables.LOWEST_BID, price)[:OFFER].astype(jnp.int16)


def means(t: Tables, s: OutpostState) -> Array:
    """[seat] the highest bid that it can pay, O-11.2."""
    return (s.money + saving(t, s)).astype(jnp.int16)


def saving(t: Tables, s: OutpostState) -> Array:
    """[seat] the discount of the Data Library, O-11.2."""
    saves = workers.uses(t, s, "data_library")[: t.players]
    return jnp.where(saves, tables.DATA_LIBRARY_SAVING, 0)


def forced(s: OutpostState) -> Array:
    """Everybody has to buy a card in the first auction of the game, O-3.3."""
    auction = (s.mode == NOMINATE) | (s.mode == BID)
    return auction & (s.round == 1) & ~s.second


def gets_to_nominate(t: Tables, s: OutpostState) -> Array:
    """[seat] whether it is asked to nominate: it can pay, or money is hidden, OR-17."""
    offered = market.on_offer(s)[:OFFER]
    if t.asks_everybody:
        return jnp.broadcast_to(jnp.any(offered), t.players)
    return means(t, s) >= jnp.min(jnp.where(offered, lowest_bids(s), FAR))


def begin(s: OutpostState, when: Array) -> OutpostState:
    """Everybody may buy one card, O-6.1."""
    s = s.replace(
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
        eligible=s.eligible | when,
        bid=jnp.where(when, 0, s.bid).astype(jnp.int16),
        sold=jnp.where(when, 0, s.sold).astype(jnp.int8),
    )
    if s.syndicate is not None:
        s = s.replace(syndicate=replace(s.syndicate, done=s.syndicate.done & ~when))
    return s


def sell(t: Tables, s: OutpostState, when: Array) -> OutpostState:
    """The leader pays, OR-48, and gets the card, O-6.8."""
    buyer = (jnp.arange(t.players) == s.leader) & when
    price = jnp.maximum(0, s.bid - saving(t, s))
    s = market.pop(s, first_of(market.tops(s) == s.card), when)
    return s.replace(
        money=s.money - jnp.where(buyer, price, 0).astype(jnp.int16),
        owner=jnp.where(when & (s.card == RANK), s.leader, s.owner),
        eligible=s.eligible & ~buyer,
        sold=s.sold + when,
        card=jnp.where(when, NONE, s.card).astype(jnp.int8),
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
    )


def skip_unable(t: Tables, s: OutpostState, when: Array) -> tuple[OutpostState, Array]:
    """Whoever can pay for nothing passes, O-6.10, OR-19; the first alone if the Syndicate is due.

    Also returns whether the Syndicate's turn comes with that, O-12.5.
    """
    able = gets_to_nominate(t, s)
    if s.syndicate is None:
        return bidding.skip_unable(s, able, when), jnp.zeros((), bool)
    first = bidding.next_nominator(s)
    passes = when & ~s.syndicate.done & jnp.any(first & ~able)
    alone = s.replace(eligible=s.eligible & ~(first & passes))
    return bidding.skip_unable(alone, able, when & s.syndicate.done), passes
