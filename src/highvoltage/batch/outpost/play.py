"""One decision: what it does, and everything that follows by itself."""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.outpost import auction, bureaucracy, company, market, syndicate
from highvoltage.batch.outpost.legal import mask
from highvoltage.batch.outpost.state import COMPANY, OutpostState, number
from highvoltage.batch.outpost.tables import CURRENT, NONE, Tables
from highvoltage.batch.seldom import seldom
from highvoltage.batch.state import (
    BID,
    IN_MARKET,
    NOMINATE,
    OVER,
    PLACE,
    RUN,
    Array,
    first_of,
    pick,
)
from highvoltage.batch.steps import choices, is_legal, played, rewarded
from highvoltage.codec.bids import BIDS
from highvoltage.codec.outpost import layout
from highvoltage.games.outpost.state import BUILDING, HIRED

SHARE = 4  # one decision in seven or so leads to more than itself
LONG_SHARE = 8  # of these one in eight or so to more than one thing


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Choice:
    """An action: which head it belongs to and what it is there."""

    passes: Array
    nominates: Array
    nomination: Array
    bids: Array
    bid: Array
    builds: Array
    city: Array
    piece: Array
    settles: Array
    colony: Array
    colony_piece: Array
    places: Array
    placed: Array
    kind: Array
    swaps: Array
    space: Array
    swapped: Array
    hires: Array
    hired: Array
    powers: Array
    powered: Array
    robots: Array
    maker: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Events:
    """What an action leads to."""

    sells: Array  # a card is sold
    declines: Array  # somebody buys no card
    opens: Array  # the first auction begins after set-up
    company_ends: Array  # everybody has built and hired
    round_ends: Array
    places: Array  # the Syndicate lays out its board


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Work:
    """What is still to be done before the next decision, in this order once the market is full."""

    uses: Array  # the Step 3 card is used
    unites: Array  # it takes effect
    marked: Array  # [4] cards that may have lost all value
    slides: Array  # the highest card goes under the deck
    takes: Array  # the Syndicate takes a card
    ends: Array  # the round is over
    begins: Array  # an auction begins
    asks: Array  # somebody nominates, or the auction is over
    places: Array  # the Syndicate lays out its board
    after: Array  # the place of the latest card that it has used
    goes_on: Array  # there may be more to do


def read(t: Tables, action: Array) -> Choice:
    at = choices(t.heads, action)
    builds, build = at("build")
    settles, settle = at("settle")
    places, place = at("place")
    swaps, swap = at("swap")
    return Choice(
        at("done")[0],
        *at("nominate"),
        *at("bid"),
        *(builds, jnp.minimum(build // 2, t.cities - 1), build % 2),
        *(settles, settle // len(layout.PIECES), settle % len(layout.PIECES)),
        *(places, place // len(layout.KINDS), place % len(layout.KINDS)),
        *(swaps, swap // layout.DECK, swap % layout.DECK),
        *at("hire"),
        *at("power"),
        *at("robot"),
    )


def step(t: Tables, s: OutpostState, action: Array) -> OutpostState:
    """The state after an action; neither one that is not legal nor the end of a game moves it."""
    legal = is_legal(s, action)
    choice = read(t, played(s, action, legal))
    return ready(t, rewarded(s, follow(t, s, choice), legal))


def ready(t: Tables, s: OutpostState) -> OutpostState:
    """Name the seat to move and what it may do."""
    s = s.replace(current_player=actor(t, s))
    return s.replace(legal_action_mask=mask(t, s))


def actor(t: Tables, s: OutpostState) -> Array:
    """O-6.2, O-7.0.1, O-8.1, O-12.2.3, O-12.6.5; the seat stays when the game is over."""
    turn = jnp.where(s.mode == COMPANY, t.players - 1 - s.turn, s.turn)
    if s.syndicate is not None:
        placer = syndicate.placers()
        turn = jnp.where(s.mode == PLACE, pick(jnp.asarray(placer), s.turn), turn)
        chooses = (s.mode == COMPANY) & jnp.any(s.syndicate.choices)
        turn = jnp.where(chooses, t.players - 1, turn)
    seat = jnp.where(s.mode == NOMINATE, bidding.next_nominator(s), s.order == turn)
    seat = jnp.where(s.mode == BID, bidding.next_bidder(s), seat)
    seats = jnp.arange(t.players, dtype=jnp.int8)
    found = jnp.sum(jnp.where(seat, seats, 0), dtype=jnp.int8)
    return jnp.where(s.mode == OVER, s.current_player, found).astype(jnp.int32)


def follow(t: Tables, s: OutpostState, c: Choice) -> OutpostState:
    """The rules in the order of a round; whatever does not happen now changes nothing."""
    declines = c.passes & (s.mode == NOMINATE)
    leaves = c.passes & (s.mode == BID)
    mine = jnp.arange(t.players) == s.current_player

    s, opens, resumes = on_behalf(t, s, c)

    # The auction
    s = s.replace(eligible=s.eligible & ~(declines & mine))
    s, sells = bid(t, s, c, leaves)

    # The company's turn, powering
    s = company.build(t, s, c.builds & (s.mode == COMPANY) & ~resumes, c.city, c.piece)
    s = company.settle(t, s, c.settles, c.colony, c.colony_piece)
    s = company.place(t, s, c.places, c.placed, c.kind)
    s = company.swap(s, c.swaps, c.space, c.swapped)
    s = company.hire(t, s, c.hires, c.hired)
    s = company.make_robot(t, s, c.robots, c.maker)
    s = bureaucracy.power(t, s, c.powers, c.powered)

    # Ends of turns and phases
    stuck = (s.mode == COMPANY) & (s.stage == HIRED) & ~jnp.any(company.makers(t, s))
    had_turn = (c.passes & (s.mode == COMPANY)) | c.robots | (c.hires & stuck) | c.powers
    s = s.replace(
        turn=s.turn + had_turn,
        stage=jnp.where(had_turn, BUILDING, s.stage).astype(jnp.int8),
        replaced=s.replaced & ~had_turn,
    )
    everybody = had_turn & (s.turn == t.players)
    company_ends = everybody & (s.mode == COMPANY)
    round_ends = everybody & (s.mode == RUN)
    third = had_turn & (s.mode == COMPANY) & (s.turn == 1) & t.syndicate  # O-12.6.1
    events = Events(sells, declines, opens, company_ends, round_ends, third | resumes)
    something = sells | declines | opens | everybody | third | resumes
    return seldom(something, partial(conclude, t), (s, events), SHARE)[0]


def bid(t: Tables, s: OutpostState, c: Choice, leaves: Array) -> tuple[OutpostState, Array]:
    """A nomination, a raise or a pass while bidding, O-6.5 to O-6.9; and whether it sells."""
    lowest, card = auction.lowest_bids(s), pick(market.tops(s), c.nomination // BIDS)
    if t.takes_on_nomination:  # OR-56
        assert s.syndicate is not None
        takes = c.nominates & ~s.syndicate.done
        s = fill(syndicate.take_card(t, s, takes, card))
        same = number(market.tops(s)) == number(card)  # another may cover it by now
        card = pick(market.tops(s), first_of(same))
    card = jnp.where(c.nominates, card, s.card).astype(jnp.int8)
    means = auction.means(t, s)
    s = bidding.offer(s, means, lowest, c.nominates, c.nomination, c.bids, c.bid, leaves)
    return bidding.ask(s, means, card, c.nominates | c.bids | leaves, t.asks_everybody)


def on_behalf(t: Tables, s: OutpostState, c: Choice) -> tuple[OutpostState, Array, Array]:
    """What a player does for the Syndicate, O-12.2.3, O-12.6.5.

    Also returns whether the auctions begin with that, and whether its own turn goes on.
    """
    never = jnp.zeros((), bool)
    if s.syndicate is None:
        return s, never, never
    chooses = c.builds & (s.mode == COMPANY) & jnp.any(s.syndicate.choices)
    s = syndicate.build(t, s, chooses, c.city)
    sets = c.builds & (s.mode == PLACE)
    s = syndicate.place_station(t, s, sets, c.city)
    assert s.syndicate is not None
    turn = s.turn + sets
    last = (turn == len(syndicate.placers()) - 1) | ~jnp.any(s.syndicate.choices)
    opens = sets & last
    s = s.replace(
        turn=jnp.where(opens, 0, turn).astype(jnp.int8),
        syndicate=replace(s.syndicate, choices=s.syndicate.choices & ~opens),
    )
    return auction.begin(s, opens), opens, chooses


# What follows by itself


def conclude(t: Tables, now: tuple[OutpostState, Events]) -> tuple[OutpostState, Events]:
    """The consequences of an action, up to the next decision."""
    s, e = now
    s = auction.sell(t, s, e.sells)
    most = jnp.max(s.network[: t.players])
    over = e.company_ends & (most >= t.rules.end_cities)  # O-10.1
    two = e.company_ends & ~over & (s.step == 1) & (most >= t.rules.step_2_cities)  # O-9.2.1
    mode = jnp.where(over, OVER, jnp.where(e.company_ends, RUN, s.mode))
    s = s.replace(
        mode=mode.astype(jnp.int8),
        turn=jnp.where(e.company_ends | e.round_ends, 0, s.turn).astype(jnp.int8),
        place=jnp.where(over, bureaucracy.places(t, s), s.place),
    )
    s = bureaucracy.start_step_2(s, two)
    s = bureaucracy.dismiss(t, s, e.round_ends)
    s, marked = bureaucracy.place_discounts(s, e.round_ends)
    no = jnp.zeros((), bool)
    work = Work(
        uses=no,
        unites=no,
        marked=marked,
        slides=e.round_ends,
        takes=(e.sells | e.declines) & t.syndicate,
        ends=e.round_ends,
        begins=no,
        asks=e.sells | e.declines | e.opens,
        places=e.places,
        after=jnp.full((), -1, jnp.int8),
        goes_on=~no,
    )
    return settle(t, s, work), e


def settle(t: Tables, s: OutpostState, work: Work) -> OutpostState:
    """Go on until there is a decision to make: one small thing after the other."""

    def rest(now: tuple[OutpostState, Work]) -> tuple[OutpostState, Work]:
        return jax.lax.while_loop(lambda now: now[1].goes_on, lambda now: proceed(t, *now), now)

    now = proceed(t, s, work)  # for most that is all
    return seldom(now[1].goes_on, rest, now, LONG_SHARE)[0]


def fill(s: OutpostState) -> OutpostState:
    """The market gets its cards, at set-up or in the midst of an auction."""
    return jax.lax.while_loop(restless, lambda s: fill_place(s)[0], s)


def restless(s: OutpostState) -> Array:
    """Cards of the market will move by themselves."""
    short = ~market.one_row(s) & (s.row < jnp.minimum(CURRENT, market.cards(s)))
    return market.equals_in_row(s) | market.wants_card(s) | short


def fill_place(s: OutpostState) -> tuple[OutpostState, Array]:
    """One movement in the market, O-5.4 to O-5.8; and whether the Step 3 card came with it."""
    stacks = market.equals_in_row(s)
    draws = ~stacks & market.wants_card(s)
    s, new, comes = market.draw(market.stack_equals(s, stacks), draws)
    return market.rebalance(s, new | ~(stacks | draws)), comes


def proceed(t: Tables, s: OutpostState, w: Work) -> tuple[OutpostState, Work]:
    """The market moves; when it is at rest the work is done up to what may move it again."""
    s, comes = fill_place(s)
    uses = w.uses | (
        comes & (s.mode == RUN)
    )  # O-9.3.2; in an auction it waits for its end, O-9.3.1
    s = bureaucracy.start_step_2(s, uses & (s.step == 1))  # O-9.3.6
    free = ~restless(s)

    unites = free & (w.unites | uses)
    s = market.unite(s, unites)
    s = s.replace(pending=s.pending | (unites & (s.mode == RUN)))
    s = bureaucracy.begin_step(s, 3, unites & (s.mode != RUN))
    left = (w.unites | uses) & ~free
    free &= ~unites

    s, removed, marked = bureaucracy.remove_worthless(s, free, w.marked)
    free &= ~removed

    slides = free & w.slides & ~market.one_row(s)  # O-8.4.3, OR-41
    s = market.slide_highest(s, slides)
    w = replace(w, unites=left, marked=marked, slides=w.slides & ~free)
    free &= ~slides

    takes = free & w.takes
    if s.syndicate is not None:
        s = syndicate.take_card(t, s, takes & ~s.syndicate.done, jnp.int8(NONE))
    free &= ~takes

    ends = free & w.ends
    s = bureaucracy.begin_step(s, 3, ends & s.pending)  # O-8.5
    s = s.replace(round=s.round + ends, second=s.second & ~ends)
    begins = ends | (free & w.begins)
    s = auction.begin(bureaucracy.sort_order(t, s, begins), begins)

    asks = begins | (free & w.asks)
    s, due = auction.skip_unable(t, s, asks)
    closes = asks & ~due & ~jnp.any(s.eligible)
    again = closes & (s.round == 1) & ~s.second  # O-3.3
    last = closes & ~again
    s = s.replace(
        second=s.second | again,
        mode=jnp.where(last, COMPANY, s.mode).astype(jnp.int8),
        turn=jnp.where(last, 0, s.turn).astype(jnp.int8),
    )
    w = replace(
        w,
        uses=last & (s.last == IN_MARKET),  # OR-45
        takes=(w.takes & ~takes) | due,
        ends=w.ends & ~ends,
        begins=(w.begins & ~free) | again,
        asks=(w.asks & ~asks) | due,
    )
    if s.syndicate is not None:
        s, w = lay_out(t, s, w, free & ~asks & w.places)
    return s, replace(w, goes_on=~free | w.uses | w.takes | w.begins | w.asks | w.places)


def lay_out(t: Tables, s: OutpostState, w: Work, when: Array) -> tuple[OutpostState, Work]:
    """The Syndicate uses the next card of its pool, or hires when there is none, O-12.6.10."""
    card, place = syndicate.next_card(s, w.after)
    some = when & (card < NONE)
    s = syndicate.use_card(t, s, some, card)
    s = syndicate.hire(t, s, when & ~some)
    assert s.syndicate is not None
    waits = some & jnp.any(s.syndicate.choices)
    return s, replace(
        w,
        places=w.places & ~(when & ~some) & ~waits,
        after=jnp.where(some, place, w.after).astype(jnp.int8),
    )
