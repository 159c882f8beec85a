"""Bidding, the same in every game: who is asked, how high a bid is, when a card is sold; C-4, K-4.

Nothing here reads what is printed on a card: the lowest bids come from the caller.
"""

import jax.numpy as jnp

from highvoltage.batch.codes import Table
from highvoltage.batch.state import BID, SCRAP, Array, P, S, choose, pick
from highvoltage.codec.bids import BIDS, STEPS


def steps(width: Array) -> Array:
    """Which steps there are when the highest bid lies `width` above the lowest."""
    steps = jnp.asarray((*STEPS, 0), jnp.int16)
    last = jnp.arange(BIDS) == len(STEPS)
    between = jnp.all(width[..., None] != steps[:-1], axis=-1, keepdims=True)
    return (steps <= width[..., None]) & (~last | between)


def raised(at: Array, lowest: Array, highest: Array) -> Array:
    """The bid that an index of the table of steps makes."""
    steps = jnp.asarray(STEPS, jnp.int16)
    step = jnp.sum(jnp.where(jnp.arange(len(STEPS)) == at, steps, 0), dtype=jnp.int16)
    return jnp.where(at == len(STEPS), highest, lowest + step)


def next_nominator(s: S) -> Array:
    """[seat] hot: the first in turn order who may still buy, C-4.1."""
    places = jnp.where(s.eligible, s.order, len(s.order)).astype(jnp.int8)
    return s.eligible & (places == jnp.min(places))


def next_bidder(s: S) -> Array:
    """[seat] hot: the first still bidding clockwise from the leader, C-4.3.1."""
    away = jnp.where(s.ring, behind(s), len(s.order)).astype(jnp.int8)
    return s.ring & (away == jnp.min(away))


def behind(s: S) -> Array:
    """[seat] how far clockwise behind the seat after the leader; the leader is the last."""
    seats = len(s.order)
    return ((jnp.arange(seats, dtype=jnp.int8) - s.leader - 1) % seats).astype(jnp.int8)


def offer(
    s: S,
    means: Array,
    lowest_bids: Array,
    nominates: Array,
    at: Array,
    bids: Array,
    step: Array,
    leaves: Array,
) -> S:
    """A nomination, a raise or a pass while bidding, C-4.3, K-4.3; `means` are the highest bids."""
    me = s.current_player.astype(jnp.int8)
    mine = jnp.arange(len(s.order)) == me
    money = choose(means, mine)
    lowest = pick(lowest_bids, at // BIDS)
    alone = jnp.sum(s.eligible, dtype=jnp.int8) == 1
    first = raised(at % BIDS, lowest, jnp.where(alone, lowest, money))  # C-4.3.2, K-4.3.4
    amount = jnp.where(nominates, first, jnp.where(bids, raised(step, s.bid + 1, money), s.bid))
    return s.replace(
        bid=amount.astype(jnp.int16),
        leader=jnp.where(nominates | bids, me, s.leader).astype(jnp.int8),
        ring=jnp.where(nominates, s.eligible, s.ring & ~(leaves & mine)),
    )


def ask(
    s: S,
    means: Array,
    card: Array,
    bidding: Array,
    asks_everybody: bool,
    barred: Array | None = None,
) -> tuple[S, Array]:
    """Whoever cannot raise leaves without being asked when it is their turn, C-4.4.5, KR-07.

    Also returns whether the card is sold, because nobody but the leader is left.
    """
    seats = len(s.order)
    away = behind(s)
    able = (means > s.bid) | asks_everybody
    if barred is not None:
        able &= ~barred
    asked = jnp.where(s.ring & (able | (away == seats - 1)), away, seats)
    next_ = jnp.min(asked).astype(jnp.int8)
    sells = bidding & (next_ == seats - 1)
    s = s.replace(
        card=card,
        ring=s.ring & (away >= next_) & ~sells,
        mode=jnp.where(bidding, BID, s.mode).astype(jnp.int8),
    )
    return s, sells


def sell(s: P, limit: int, last: int, when: Array, to_hand: Array | bool = True) -> tuple[P, Array]:
    """The leader pays and gets the card, C-4.4.3, K-4.3.1; the caller takes it from the market.

    Also returns whether the leader is done: not with a plant too many, C-4.5.1, K-4.5.1.
    """
    buyer = (jnp.arange(len(s.order)) == s.leader) & when
    gets = buyer & to_hand  # not a card that is no plant, A-AUS-5
    hands = jnp.where(gets[:, None], insert_each(s.plants, s.card), s.plants)
    too_many = when & to_hand & (choose(hands[:, limit], buyer) < last)
    s = s.replace(
        money=s.money - jnp.where(buyer, s.bid, 0),
        plants=hands,
        eligible=s.eligible & ~buyer,
        sold=s.sold + when,
        mode=jnp.where(too_many, SCRAP, s.mode).astype(jnp.int8),
    )
    return s, when & ~too_many


def skip_unable(s: S, asked: Array, when: Array) -> S:
    """A nominator who can pay for nothing passes without being asked, C-4.4.5, KR-06."""
    able = s.eligible & asked
    first = jnp.min(jnp.where(able, s.order, len(s.order))).astype(jnp.int8)
    return s.replace(eligible=s.eligible & ((s.order >= first) | ~when))


def insert_each(hands: Array, card: Array) -> Array:
    """Every hand with the card in it."""
    before = hands < card
    shifted = jnp.concatenate([hands[:, :1], hands[:, :-1]], axis=1)
    first = jnp.concatenate([jnp.ones_like(before[:, :1]), before[:, :-1]], axis=1)
    return jnp.where(before, hands, jnp.where(first, card, shifted))


def compensate(s: P, demolition: Table, when: Array) -> P:
    """Demolition pays for a plant given up, D-2.2."""
    if not len(demolition):
        return s
    mine = jnp.arange(len(s.order)) == s.current_player
    first, later = pick(jnp.asarray(demolition), s.demolition)
    pay = jnp.where(s.demolished, later, first)
    return s.replace(money=s.money + jnp.where(mine & when, pay, 0), demolished=s.demolished | when)


def lower_stack(s: P, demolition: Table, when: Array) -> P:
    """The card that has paid leaves the stack when the auctions are over, D-2.4; not the last."""
    if not len(demolition):
        return s
    more = when & s.demolished & (s.demolition < len(demolition) - 1)  # D-2.5
    return s.replace(demolition=s.demolition + more, demolished=s.demolished & ~when)
