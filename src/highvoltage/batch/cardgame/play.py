"""One decision: what it does, and everything that follows by itself."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.cardgame import auction, bank, bureaucracy, columns, fuel, market
from highvoltage.batch.cardgame.legal import mask
from highvoltage.batch.cardgame.state import CardState, is_last_card_used
from highvoltage.batch.cardgame.tables import Tables
from highvoltage.batch.seldom import seldom
from highvoltage.batch.state import BID, FUEL, NOMINATE, OVER, RUN, SCRAP, Array
from highvoltage.batch.steps import choices, is_legal, played, rewarded
from highvoltage.codec.cardgame import layout
from highvoltage.codec.plants import RETURN_CHOICES

SHARE = 4  # one decision in five or so leads to more than itself


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Choice:
    """An action: which head it belongs to and what it is there."""

    passes: Array
    nominates: Array
    nomination: Array
    bids: Array
    bid: Array
    scraps: Array
    slot: Array
    gas: Array
    buys: Array
    type: Array
    column: Array
    runs: Array
    run: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Events:
    """What an action leads to."""

    closes: Array  # the auction of a card is over
    declines: Array  # somebody buys no plant
    first: Array  # the first player has bought fuel, and there is a Bank
    over: Array  # the game is over, K-7.1
    round_ends: Array


def read(t: Tables, action: Array) -> Choice:
    at = choices(t.heads, action)
    scraps, scrap = at("scrap")
    buys, buy = at("buy")
    return Choice(
        at("done")[0],
        *at("nominate"),
        *at("bid"),
        *(scraps, scrap // RETURN_CHOICES, scrap % RETURN_CHOICES),
        *(buys, buy // layout.COLUMNS, buy % layout.COLUMNS),
        *at("run"),
    )


def step(t: Tables, s: CardState, action: Array) -> CardState:
    """The state after an action; neither one that is not legal nor the end of a game moves it."""
    legal = is_legal(s, action)
    choice = read(t, played(s, action, legal))
    return ready(t, rewarded(s, follow(t, s, choice), legal))


def ready(t: Tables, s: CardState) -> CardState:
    """Name the seat to move and what it may do."""
    s = s.replace(current_player=actor(t, s))
    return s.replace(legal_action_mask=mask(t, s))


def actor(t: Tables, s: CardState) -> Array:
    """K-3.2, K-4.2.1, K-4.3.1, K-5.1.1; the seat stays when the game is over."""
    turn = jnp.where(s.mode == FUEL, t.players - 1 - s.turn, s.turn)
    seat = jnp.where(s.mode == NOMINATE, bidding.next_nominator(s), s.order == turn)
    seat = jnp.where(s.mode == BID, bidding.next_bidder(s), seat)
    seats = jnp.arange(t.players, dtype=jnp.int8)
    found = jnp.sum(jnp.where(seat, seats, 0), dtype=jnp.int8)
    found = jnp.where(s.mode == SCRAP, s.leader, found)
    return jnp.where(s.mode == OVER, s.current_player, found).astype(jnp.int32)


def follow(t: Tables, s: CardState, c: Choice) -> CardState:
    """The rules in the order of a round; whatever does not happen now changes nothing."""
    declines = c.passes & (s.mode == NOMINATE)
    leaves = c.passes & (s.mode == BID)
    had_turn = (c.passes & (s.mode == FUEL)) | c.runs
    mine = jnp.arange(t.players) == s.current_player

    # The auction
    s = s.replace(eligible=s.eligible & ~(declines & mine))
    s, bought = auction.bid(t, s, c.nominates, c.nomination, c.bids, c.bid, leaves)
    s, lost = auction.scrap(t, s, c.scraps, c.slot, c.gas)

    # Fuel, running
    s = columns.buy(t, s, c.buys, c.type, c.column)
    s, burned = bureaucracy.run(t, s, c.runs, c.run)
    s = fuel.spend(t, s, lost + burned)

    # Ends of turns and phases
    s = s.replace(turn=s.turn + had_turn)
    everybody = had_turn & (s.turn == t.players)
    fuel_ends = everybody & (s.mode == FUEL)
    run_ends = everybody & (s.mode == RUN)
    over = fuel_ends & s.last_round  # K-7.1
    first = had_turn & (s.mode == FUEL) & (s.turn == 1) & t.bank
    s = s.replace(
        mode=jnp.where(over, OVER, jnp.where(fuel_ends, RUN, s.mode)).astype(jnp.int8),
        turn=jnp.where(everybody, 0, s.turn).astype(jnp.int8),
    )
    events = Events(bought | c.scraps, declines, first, over, run_ends)
    something = events.closes | declines | first | over | run_ends
    return seldom(something, partial(conclude, t), (s, events), SHARE)[0]


def conclude(t: Tables, now: tuple[CardState, Events]) -> tuple[CardState, Events]:
    """The consequences of an action, up to the next decision."""
    s, e = now
    s = auction.close(s, e.closes)
    s = s.replace(place=jnp.where(e.over, bureaucracy.places(t, s), s.place))
    if s.bank is not None:
        s = bank.take_fuel(t, s, e.first)  # K-8.6
        s = bank.discard_fuel(s, e.round_ends)
    s = bureaucracy.sort_order(s, e.round_ends)

    # Both markets
    end_in_auction = is_last_card_used(s)
    s = bureaucracy.refill(t, s, e.round_ends)
    s, renews = bureaucracy.clear_for_renewal(s, e.round_ends, end_in_auction)
    s = market.draw(s, e.closes | renews, auction=e.closes)

    # The next round
    s = s.replace(
        round=s.round + e.round_ends,
        last_round=s.last_round | (e.round_ends & is_last_card_used(s)),
    )  # KR-05
    s = auction.begin(s, e.round_ends)
    asks = e.closes | e.declines
    if s.bank is not None:
        s = auction.turn_to_bank(t, s, asks, e.round_ends)
    s = bidding.skip_unable(s, auction.gets_to_nominate(t, s), asks | e.round_ends)
    auction_ends = (s.mode == NOMINATE) & ~jnp.any(s.eligible)
    s = auction.end(t, s, auction_ends)
    s = bureaucracy.sort_order(s, auction_ends & (s.round == 1))  # K-4.7.4
    s = s.replace(
        mode=jnp.where(auction_ends, FUEL, s.mode).astype(jnp.int8),
        turn=jnp.where(auction_ends, 0, s.turn).astype(jnp.int8),
    )
    return s, e
