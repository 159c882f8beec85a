"""Phase 1, the auction of plants, K-4, and the Bank's turn in it, K-8.3."""

from dataclasses import replace

import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.cardgame import market
from highvoltage.batch.cardgame.fuel import returns
from highvoltage.batch.cardgame.state import CardState, number
from highvoltage.batch.cardgame.tables import FAR, LAST, NONE, Tables
from highvoltage.batch.state import IN_MARKET, NOMINATE, Array, choose, pick, put, take_out
from highvoltage.codec.actions import MAX_OFFERED as OFFER
from highvoltage.codec.bids import BIDS
from highvoltage.games.cardgame.tables import GAS, OIL


def lowest_bids(s: CardState) -> Array:
    """[place] the lowest bid for each card on offer: its number, or 1 with the marker, K-4.1.2."""
    cheap = s.token & (jnp.arange(OFFER) == 0)
    return jnp.where(cheap, 1, number(s.market[:OFFER])).astype(jnp.int16)


def on_offer(s: CardState) -> Array:
    """[place] whether there is a plant to be nominated, K-4.2.3; END is none, KR-15."""
    return (jnp.arange(OFFER) < market.offer_size(s)) & (s.market[:OFFER] < LAST)


def gets_to_nominate(t: Tables, s: CardState) -> Array:
    """[seat] whether it is asked to nominate: it can pay, or money is hidden, KR-06."""
    if t.asks_everybody:
        return jnp.broadcast_to(jnp.any(on_offer(s)), t.players)
    return s.money >= jnp.min(jnp.where(on_offer(s), lowest_bids(s), FAR))


def begin(s: CardState, when: Array) -> CardState:
    """Everybody may buy; the marker lies on the lowest plant, K-4.1.1."""
    s = s.replace(
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
        eligible=s.eligible | when,
        bid=jnp.where(when, 0, s.bid).astype(jnp.int16),
        sold=jnp.where(when, 0, s.sold).astype(jnp.int8),
        token=jnp.where(when, s.market[0] < LAST, s.token),
    )
    if s.bank is not None:
        s = s.replace(bank=replace(s.bank, done=s.bank.done & ~when))
    return s


def bid(
    t: Tables, s: CardState, nominates: Array, at: Array, bids: Array, step: Array, leaves: Array
) -> tuple[CardState, Array]:
    """A nomination, a raise or a pass while bidding, and the sale if nobody is left, K-4.3.

    Also returns whether the seat that bought is done: it is not while it has a plant too many.
    """
    card = jnp.where(nominates, pick(s.market, at // BIDS), s.card)
    s = bidding.offer(s, s.money, lowest_bids(s), nominates, at, bids, step, leaves)
    s, sells = bidding.ask(s, s.money, card, nominates | bids | leaves, t.asks_everybody)
    return bidding.sell(market.take(s, s.card, sells), t.limit, LAST, sells)


def scrap(t: Tables, s: CardState, when: Array, slot: Array, gas: Array) -> tuple[CardState, Array]:
    """A plant leaves, K-4.5.1; Demolition pays for it, D-2.2. Also returns the fuel lost, KR-12."""
    mine = jnp.arange(t.players) == s.current_player
    hand = choose(s.plants, mine)
    spilled, excess, _ = returns(hand, choose(s.fuel, mine))
    lost, must = pick(spilled, slot), pick(excess, slot)
    kinds = jnp.arange(lost.shape[0])
    lost = jnp.where(kinds == GAS, gas, jnp.where(kinds == OIL, must - gas, lost))
    s = s.replace(plants=put(s.plants, mine, take_out(hand, slot, when, NONE)))
    return bidding.compensate(s, t.demolition, when), jnp.where(when, lost, 0).astype(jnp.int8)


def close(s: CardState, when: Array) -> CardState:
    """The auction of one card is over, KR-10."""
    return s.replace(
        card=jnp.where(when, NONE, s.card).astype(jnp.uint16),
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
    )


def turn_to_bank(t: Tables, s: CardState, after: Array, begins: Array) -> CardState:
    """After the first sale or pass the Bank takes the highest plant on offer, K-8.3, K-8.4.

    A nominator who can pay for nothing when the auctions begin has passed too.
    """
    assert s.bank is not None
    bank = s.bank
    unable = begins & jnp.any(bidding.next_nominator(s) & ~gets_to_nominate(t, s))
    s = s.replace(eligible=s.eligible & ~(bidding.next_nominator(s) & unable))
    turn = (after | unable) & ~bank.done
    offered = jnp.sum(on_offer(s), dtype=jnp.int8)
    takes = turn & (offered > 0)  # KR-34
    card = pick(s.market, offered - 1)
    row = bank.plants
    row = take_out(row, jnp.int8(0), takes & (row[-1] < LAST), NONE)
    new = jnp.arange(row.shape[0]) == jnp.sum(row < LAST, dtype=jnp.int8)
    row = jnp.where(takes & new, card, row)
    s = s.replace(bank=replace(bank, plants=row, done=bank.done | turn))
    return market.draw(market.remove_at(s, offered - 1, takes), takes, auction=True)  # KR-33


def end(t: Tables, s: CardState, when: Array) -> CardState:
    """The marked plant leaves unsold, K-4.7.1; END is resolved, K-4.7.2; the stack, K-4.7.3."""
    unsold = when & s.token
    s = market.draw(market.remove_lowest(s, unsold), unsold, auction=True)  # KR-17
    s = market.use_last_card(s, when & (s.last == IN_MARKET))
    return bidding.lower_stack(s, t.demolition, when)
