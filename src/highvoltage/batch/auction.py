"""Phase 2, the auction of plants: nominate in turn order, bid by seats, scrap; C-4, R-4, R-12.5."""

from dataclasses import replace

import jax.numpy as jnp

from highvoltage.batch import bidding, fuelmarket, market, mines
from highvoltage.batch.codes import LAST, NONE
from highvoltage.batch.fuel import returned, returns
from highvoltage.batch.state import (
    NOMINATE,
    Array,
    State,
    choose,
    kind,
    number,
    pick,
    put,
    put_in,
    take_out,
)
from highvoltage.batch.tables import UNREACHABLE, Tables
from highvoltage.codec.actions import MAX_OFFERED as OFFER
from highvoltage.codec.bids import BIDS
from highvoltage.games.classic.tables import URANIUM


def lowest_bids(s: State, places: int = OFFER) -> Array:
    """[place] the lowest bid for each card on offer: its number, or 1 with the token, R-4.1.2."""
    cheap = s.token & (jnp.arange(places) == 0)
    return jnp.where(cheap, 1, number(s.market[:places])).astype(jnp.int16)


def on_offer(t: Tables, s: State) -> Array:
    """[place] whether there is a plant that may be nominated, C-4.2.2."""
    return (jnp.arange(t.offered) < market.offer_size(t, s)) & (s.market[: t.offered] < LAST)


def bid(
    t: Tables, s: State, nominates: Array, at: Array, bids: Array, step: Array, leaves: Array
) -> tuple[State, Array]:
    """Nominate, raise or pass while bidding, and sell if nobody else is left, C-4.3, C-4.4.

    Also returns whether the seat that bought is done: it is not while it has a plant too many.
    """
    card = jnp.where(nominates, pick(s.market, at // BIDS), s.card)
    lowest = lowest_bids(s, t.offered)
    s = bidding.offer(s, s.money, lowest, nominates, at, bids, step, leaves)
    asks_everybody, bars = t.asks_everybody, barred(t, s, card)
    s, sells = bidding.ask(s, s.money, card, nominates | bids | leaves, asks_everybody, bars)
    return sell(t, s, sells)


def barred(t: Tables, s: State, card: Array) -> Array | None:
    """[seat] no nuclear plants without a city in a country that allows them, C-12.3.2."""
    if t.nuclear is None:
        return None
    return (kind(card) == URANIUM) & ~s.nuclear


def barred_on_offer(t: Tables, s: State, mine: Array) -> Array:
    """[place] cards that the seat may not buy, C-12.3.2."""
    if t.nuclear is None:
        return jnp.zeros(t.offered, bool)
    return (kind(s.market[: t.offered]) == URANIUM) & ~choose(s.nuclear, mine)


def sell(t: Tables, s: State, when: Array) -> tuple[State, Array]:
    """The leader gets the card, C-4.4.3; one plant too many must be scrapped, C-4.5.1."""
    if t.phase_out is not None:
        bought = when & (number(s.card) == t.phase_out[0])
        s = s.replace(phased_out=s.phased_out | bought)
    again = s.token & (s.card == s.market[0])  # A-MAN-6
    s = market.remove(s, jnp.sum(s.market < s.card, dtype=jnp.int8), when)
    may_buy = s.eligible
    to_hand: Array | bool = True
    if t.has_mines:
        mine = mines.is_mine(t, s.card)
        s, to_hand = mines.take_mine(t, s, when & mine), ~mine
    s, done = bidding.sell(s, t.limit, LAST, when, to_hand)
    if t.plant_market.second_purchase:
        s = s.replace(eligible=jnp.where(when & again, may_buy, s.eligible))
    return s, done


def scrap(t: Tables, s: State, when: Array, slot: Array, coal: Array) -> State:
    """A plant and the fuel without room are removed, C-4.5; Demolition pays for it, D-2.2."""
    mine = jnp.arange(t.players) == s.current_player
    hand, held = choose(s.plants, mine), choose(s.fuel, mine)
    spilled, excess, _ = returns(hand, held, t.burning)
    back = returned(pick(spilled, slot), pick(excess, slot), coal, t.burning)
    back = jnp.where(when, back, 0).astype(jnp.int8)
    kept = take_out(hand, slot, when, NONE)
    s = s.replace(
        plants=put(s.plants, mine, kept),
        fuel=s.fuel - jnp.where(mine[:, None], back, 0),
    )
    s = fuelmarket.put_back(t, s, back)  # C-4.5.3
    return bidding.compensate(s, t.demolition, when)


def close(s: State, when: Array) -> State:
    """The auction of one card is over, C-4.4.4."""
    return s.replace(
        card=jnp.where(when, NONE, s.card).astype(jnp.int16),
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
    )


def begin(t: Tables, s: State, when: Array) -> State:
    """The auctions of a round: everybody may buy; the token is on the lowest plant, R-4.1.1."""
    s = s.replace(
        mode=jnp.where(when, NOMINATE, s.mode).astype(jnp.int8),
        eligible=s.eligible | when,
        bid=jnp.where(when, 0, s.bid).astype(jnp.int16),
        sold=jnp.where(when, 0, s.sold).astype(jnp.int8),
    )
    if t.token:
        s = s.replace(token=jnp.where(when, s.market[0] < LAST, s.token))
    if s.token_left is not None:
        s = s.replace(token_left=s.token_left & ~when)
    if s.cartel is not None:
        s = s.replace(cartel=replace(s.cartel, done=s.cartel.done & ~when))
    return s


def gets_to_nominate(t: Tables, s: State) -> Array:
    """[seat] whether it gets to nominate: it can pay for a card, or money is hidden."""
    if t.asks_everybody:
        return jnp.broadcast_to(jnp.any(on_offer(t, s)), t.players)
    costs = jnp.where(on_offer(t, s), lowest_bids(s, t.offered), UNREACHABLE)
    able = s.money >= jnp.min(costs)
    if t.nuclear is None:
        return able
    without = jnp.where(kind(s.market[: t.offered]) == URANIUM, UNREACHABLE, costs)
    return jnp.where(s.nuclear, able, s.money >= jnp.min(without))


def pass_on(
    t: Tables, s: State, closes: Array, declines: Array, passes_first: Array, begins: Array
) -> State:
    """What follows a sale, a pass or the beginning until somebody can nominate, C-4.4.5."""
    passes, starts = declines, begins
    if t.plant_market.first_pass:
        s, unable = first_pass(t, s, passes_first, begins)
        passes, starts = declines | unable, begins & ~unable
    if s.cartel is not None:
        s = turn_to_cartel(t, s, closes | passes, starts)
    if t.plant_market.first_pass:
        s, _ = first_pass(t, s, jnp.zeros((), bool), closes)
    return bidding.skip_unable(s, gets_to_nominate(t, s), closes | declines | begins)


def nobody_passed(t: Tables, s: State) -> Array:
    return jnp.sum(s.eligible, dtype=jnp.int8) + s.sold == t.players


def first_pass(t: Tables, s: State, passes: Array, asked: Array) -> tuple[State, Array]:
    """The first to pass on the nomination makes the lowest plant go, A-RUS-6.

    Somebody `passes`, or is `asked` and cannot pay for any card, which is the same. Also returns
    whether it was the latter.
    """
    nominator = bidding.next_nominator(s)
    unable = asked & nobody_passed(t, s) & jnp.any(nominator & ~gets_to_nominate(t, s))
    s = s.replace(eligible=s.eligible & ~(nominator & unable))
    drops = passes | unable
    return market.draw(t, market.remove_lowest(s, drops), drops, auction=True), unable


def turn_to_cartel(t: Tables, s: State, after: Array, begins: Array) -> State:
    """After the first sale or pass the cartel is offered the highest plant, R-12.5.

    A nominator who cannot pay for any card when the auctions begin has passed too.
    """
    assert s.cartel is not None
    cartel = s.cartel
    unable = begins & jnp.any(bidding.next_nominator(s) & ~gets_to_nominate(t, s))
    s = s.replace(eligible=s.eligible & ~(bidding.next_nominator(s) & unable))
    turn = (after | unable) & ~cartel.done
    offered = jnp.sum(on_offer(t, s), dtype=jnp.int8)
    card = pick(s.market, offered - 1)
    full = cartel.plants[-1] < LAST
    takes = turn & (offered > 0) & (~full | (card > cartel.plants[0]))
    kept = take_out(cartel.plants, jnp.int8(0), takes & full, NONE)
    s = s.replace(cartel=replace(cartel, plants=put_in(kept, card, takes), done=cartel.done | turn))
    s = market.remove(s, offered - 1, takes)
    return market.draw(t, s, takes & market.replaces_sold(t, s), auction=True)


def end(t: Tables, s: State, when: Array) -> State:
    """Remove the unsold plant, C-4.6.1, R-4.6.1; the Step 3 card, C-9.3.2; the stack, D-2.4."""
    if t.token:
        if s.token_left is not None:
            s = s.replace(token_left=s.token_left | (when & s.token))
        s = drop_lowest(t, s, when & s.token, 1)
    else:
        own = t.plant_market
        count = 1 if own.unsold is None else own.unsold  # A-BAW-3
        turns = [1] * count if own.unsold_in_turn else [count]
        for number in turns:
            s = drop_lowest(t, s, when & (s.sold == 0), number)
    s = market.use_after_auction(t, s, when)
    if t.plant_market.steps_by_deck:
        s = market.start_called_step(t, s, when, auction=True)
        s = market.use_after_auction(t, s, when)  # it came again at once, A-MEA-5
    return bidding.lower_stack(s, t.demolition, when)


def drop_lowest(t: Tables, s: State, when: Array, count: int) -> State:
    """Remove so many of the lowest plants, then replace them."""
    for _ in range(count):
        s = market.remove_lowest(s, when)
    for _ in range(count):
        s = market.draw(t, s, when, auction=True)
    return s
