"""One decision: what it does, and everything that follows automatically."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import auction, bidding, building, bureaucracy, fuelmarket, market, mines
from highvoltage.batch.codes import FUELS
from highvoltage.batch.legal import mask
from highvoltage.batch.state import (
    BID,
    BUILD,
    FUEL,
    MARK,
    NOMINATE,
    OVER,
    PLACE,
    REGION,
    RUN,
    SCRAP,
    Array,
    State,
    choose,
    pick,
)
from highvoltage.batch.steps import choices, is_legal, played, rewarded
from highvoltage.batch.tables import Tables
from highvoltage.codec.board import layout
from highvoltage.codec.plants import RETURN_CHOICES
from highvoltage.games.recharged.tables import CARTEL_PLACERS


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Choice:
    """A decoded action: which head it belongs to, and its index there."""

    passes: Array
    nominates: Array
    nomination: Array
    bids: Array
    bid: Array
    scraps: Array
    slot: Array
    coal: Array
    buys: Array
    kind: Array
    count: Array
    names_city: Array
    city: Array
    names_region: Array
    region: Array
    runs: Array
    run: Array
    starts: Array | None  # a further network, where that is a move of its own
    stored: Array | None  # the fuel comes from the storage
    trades: Array | None  # chooses a fuel market
    trade: Array | None
    sells: Array | None  # uranium from mines


def read(t: Tables, action: Array) -> Choice:
    at = choices(t.heads, action)
    nominates, nomination = at("nominate")
    if "more_nominate" in t.heads:
        more, further = at("more_nominate")
        nomination = jnp.where(more, t.heads["nominate"].size + further, nomination)
        nominates |= more
    scraps, scrap = at("scrap")
    buys, buy = at("buy")
    stored = None
    if any(t.stored_prices):
        stored, from_storage = at("stored")
        buy = jnp.where(stored, from_storage, buy)
    names_city, city = at("city")
    if "more_city" in t.heads:
        more, further = at("more_city")
        names_city, city = names_city | more, jnp.where(more, layout.CITIES + further, city)
    starts = None
    if t.chooses_starts:
        starts, start = at("start")
        names_city, city = names_city | starts, jnp.where(starts, start, city)
    return Choice(
        at("done")[0],
        *(nominates, nomination),
        *at("bid"),
        *(scraps, scrap // RETURN_CHOICES, scrap % RETURN_CHOICES),
        *(buys, buy // layout.MAX_TOKENS, buy % layout.MAX_TOKENS + 1),
        *(names_city, jnp.minimum(city, t.cities - 1)),
        *at("region"),
        *at("run"),
        starts=starts,
        stored=stored,
        trades=at("trade")[0] if t.markets else None,
        trade=at("trade")[1] if t.markets else None,
        sells=at("sell")[0] if t.has_mines else None,
    )


def step(t: Tables, s: State, action: Array) -> State:
    """The state after an action; neither one that is not legal nor the end of a game moves it."""
    legal = is_legal(s, action)
    choice = read(t, played(s, action, legal))
    return ready(t, rewarded(s, follow(t, s, choice), legal))


def ready(t: Tables, s: State) -> State:
    """Set the seat to move and its legal actions."""
    s = s.replace(current_player=actor(t, s))
    return s.replace(legal_action_mask=mask(t, s))


def actor(t: Tables, s: State) -> Array:
    """C-4.1, C-4.3.1, C-6.1, C-7.1, C-8.2; the seat stays when the game is over."""
    last = t.players - 1
    turn = s.turn
    if t.draft:
        turn = jnp.where(s.mode == REGION, named(s) % t.players, turn)
    if t.cartel:
        placer = jnp.asarray((*CARTEL_PLACERS, 0), jnp.int8)
        turn = jnp.where(s.mode == PLACE, choose(placer, jnp.arange(len(placer)) == s.turn), turn)
    backwards = (s.mode == FUEL) | (s.mode == BUILD)
    taking = s.order == jnp.where(backwards, last - turn, turn)
    if s.buyers is not None:
        taking = jnp.where(s.mode == FUEL, s.buyers == 0, taking)  # A-IND-6
    if s.mines is not None:
        selling = (s.mode == RUN) & (s.turn >= t.players)
        taking = jnp.where(selling, mines.next_seller(t, s), taking)  # A-AUS-7
    seat = jnp.where(s.mode == NOMINATE, bidding.next_nominator(s), taking)
    seat = jnp.where(s.mode == BID, bidding.next_bidder(s), seat)
    seats = jnp.arange(t.players, dtype=jnp.int8)
    found = jnp.sum(jnp.where(seat, seats, 0), dtype=jnp.int8)
    found = jnp.where(s.mode == SCRAP, s.leader, found)
    return jnp.where(s.mode == OVER, s.current_player, found).astype(jnp.int32)


def named(s: State) -> Array:
    """How many regions have been chosen."""
    return jax.lax.population_count(s.regions).astype(jnp.int8)


def follow(t: Tables, s: State, c: Choice) -> State:
    """The rules in the order of a round; rules that do not apply now change nothing."""
    declines = c.passes & (s.mode == NOMINATE)
    leaves = c.passes & (s.mode == BID)
    had_turn = (c.passes & ((s.mode == FUEL) | (s.mode == BUILD))) | c.runs
    if t.tokens_a_turn:
        had_turn |= buys_any(c)  # A-IND-6
    if c.sells is not None:
        had_turn |= c.sells | (c.passes & (s.mode == RUN))  # A-AUS-7
    mine = jnp.arange(t.players) == s.current_player

    s, opens = open_round(t, s, c)

    # The auction
    passes_first = declines & auction.nobody_passed(t, s)
    s = s.replace(eligible=s.eligible & ~(declines & mine))
    s, bought = auction.bid(t, s, c.nominates, c.nomination, c.bids, c.bid, leaves)
    s = auction.scrap(t, s, c.scraps, c.slot, c.coal)
    closes = bought | c.scraps
    s = auction.close(s, closes)

    # Fuel, building, running
    s = buy(t, s, c)
    s, grew = building.build(t, s, c.names_city & (s.mode == BUILD), c.city, c.starts)
    s = bureaucracy.run(t, s, c.runs, c.run)

    # Ends of turns and phases
    s = s.replace(turn=s.turn + had_turn)
    if c.sells is not None:
        s = sell_from_mines(t, s, c, had_turn)
    if s.cartel is not None:
        s = fuelmarket.stock_cartel(t, s, had_turn & (s.mode == FUEL) & (s.turn == 1))
    s = fuelmarket.next_buyer(s, had_turn & (s.mode == FUEL), buys_any(c))
    everybody = had_turn & fuelmarket.all_had_turn(t, s)
    fuel_ends = everybody & (s.mode == FUEL)
    build_ends = everybody & (s.mode == BUILD)
    run_ends = everybody & (s.mode == RUN)
    over = build_ends & (s.most >= bureaucracy.end_cities(t, s))  # C-8.1.1

    if s.mines is not None:
        s = mines.sell_at_the_end(t, s, over)
    s = change_market(t, s, closes, grew, build_ends & ~over, run_ends)

    # The next round
    s = s.replace(round=s.round + run_ends)
    late = t.rules.map_rules.order_after_auction  # A-BAW-2
    s = bureaucracy.sort_order(t, s, run_ends & (not late))
    begins = run_ends | opens
    s = auction.begin(t, s, begins)
    s = auction.pass_on(t, s, closes, declines, passes_first, begins)
    auction_ends = (s.mode == NOMINATE) & ~jnp.any(s.eligible)
    s = auction.end(t, s, auction_ends)
    s = bureaucracy.sort_order(t, s, auction_ends & ((s.round == 1) | late))  # C-3.4

    s = fuelmarket.queue_buyers(s, auction_ends)
    mode = jnp.where(auction_ends, FUEL, s.mode)
    mode = jnp.where(fuel_ends, BUILD, jnp.where(build_ends, RUN, mode))
    return s.replace(
        mode=jnp.where(over, OVER, mode).astype(jnp.int8),
        turn=jnp.where(auction_ends | everybody, 0, s.turn).astype(jnp.int8),
        place=jnp.where(over, bureaucracy.places(t, s), s.place),
    )


def change_market(
    t: Tables, s: State, closes: Array, grew: Array, building_over: Array, run_ends: Array
) -> State:
    """What the market of plants and that of fuel become; at most one of these happens."""
    two = building_over & ~s.pending & (s.step == 1) & bureaucracy.step_2_due(t, s)
    s = market.begin_step(s, 2, two)
    s = fuelmarket.refill(t, s, run_ends)
    if s.mines is not None:
        s = mines.use(t, s, run_ends)
    s, small = building.remove_small_plants(t, s, grew)
    s = market.remove_lowest(s, two)
    s = market.put_waiting_on_top(t, s, two)
    two_slide = (s.step == 2) & ~(s.pending & t.recharged)
    s, free, second = bureaucracy.clear_for_renewal(t, s, run_ends)
    sold = closes & market.replaces_sold(t, s)
    replaced = sold | small | (two & t.plant_market.step_2_replaced)  # A-EUR-5
    s = market.draw(t, s, replaced | free, auction=closes)
    if t.plant_market.lowest_leaves:
        s = market.draw(t, s, second, auction=False)
    for _ in range(t.plant_market.step_2_slides - 1):
        s, free = market.slide_highest(t, s, run_ends & two_slide)  # A-MEA-6
        s = market.draw(t, s, free, auction=False)
    if t.plant_market.three_stages:
        s = market.renew_by_stage(t, s, run_ends)
    if t.renewal is not None:
        s = market.bring_plants(t, s, building_over)
    if s.built is not None:
        s = s.replace(built=jnp.where(run_ends, 0, s.built))  # A-IND-9
    ends = run_ends if t.recharged else run_ends | building_over
    if t.plant_market.steps_by_deck:
        s = market.start_called_step(t, s, ends, auction=False)
    return market.begin_step(s, 3, s.pending & ends)  # C-8.1.2, C-8.5.1


def sell_from_mines(t: Tables, s: State, c: Choice, had_turn: Array) -> State:
    """Who has mines sells or waits, from last to first; the others are not asked, A-AUS-7."""
    assert c.sells is not None
    asked = had_turn & ~c.runs & (s.mode == RUN)
    s = mines.sell(t, s, s.current_player, c.sells)
    turn = 2 * t.players - pick(s.order, s.current_player)
    return s.replace(turn=jnp.where(asked, turn, s.turn).astype(jnp.int8))


def buys_any(c: Choice) -> Array:
    return c.buys if c.stored is None else c.buys | c.stored


def buy(t: Tables, s: State, c: Choice) -> State:
    """C-6.1, R-11.2."""
    mine = jnp.arange(t.players) == s.current_player
    cheap = choose(s.cheap, mine)
    bought, market_, cost = fuelmarket.purchase(t, s, c.buys, c.kind, c.count, cheap)
    s = fuelmarket.take(t, s, bought, market_)
    if c.stored is not None:
        assert s.storage is not None
        old = jnp.where(c.stored & (jnp.arange(FUELS) == c.kind), c.count, 0).astype(jnp.int8)
        cost += jnp.sum(old * np.array(t.stored_prices, np.int16), dtype=jnp.int16)  # A-ZAF-5
        s, bought = s.replace(storage=s.storage - old), bought + old
    if c.trades is not None and c.trade is not None and s.trade is not None:
        s = s.replace(trade=jnp.where(c.trades, c.trade, s.trade).astype(jnp.int8))  # A-KOR-3
        s = fuelmarket.begin_turn(s, c.passes & (s.mode == FUEL))
    return s.replace(
        money=s.money - jnp.where(mine, cost, 0),
        fuel=s.fuel + jnp.where(mine[:, None], bought, 0),
    )


def open_round(t: Tables, s: State, c: Choice) -> tuple[State, Array]:
    """Choices before the first round, C-2.1.2, R-12.3, R-13.1; and whether they are over now."""
    never = jnp.zeros((), bool)
    if not (t.draft or t.cartel or t.marks):
        return s, never
    stages = [REGION] * t.draft + [PLACE] * t.cartel + [MARK] * t.marks
    sets = c.names_city & ((s.mode == PLACE) | (s.mode == MARK))
    s = building.set_up(t, s, sets, c.city)
    over = never
    if t.draft:
        bit = jnp.where(c.names_region, 1 << c.region, 0)
        s = s.replace(regions=s.regions | bit.astype(s.regions.dtype))
        over = c.names_region & (named(s) == t.rules.regions)
        area = jnp.sum(jnp.where(s.regions == t.area_bits, jnp.arange(len(t.areas)), 0))
        s = s.replace(area=jnp.where(over, area, s.area).astype(s.area.dtype))
        if len(t.faces) > 1:
            faces = market.relabelled(s.market, market.codes(t, s))  # A-NOR-3
            s = s.replace(market=jnp.where(over, faces, s.market))
    turn = s.turn + sets
    if t.cartel:
        over |= sets & (s.mode == PLACE) & (turn == len(CARTEL_PLACERS))
        over |= sets & (s.mode == PLACE) & building.cartel_stops(t, s)
    if t.marks:
        over |= sets & (s.mode == MARK) & (turn == t.players)
    following = jnp.full((), NOMINATE, jnp.int8)
    for here, there in zip(stages[::-1], [NOMINATE, *stages[:0:-1]], strict=True):
        following = jnp.where(s.mode == here, there, following)
    mode = jnp.where(over, following, s.mode).astype(jnp.int8)
    s = s.replace(mode=mode, turn=jnp.where(over, 0, turn).astype(jnp.int8))
    return s, over & (mode == NOMINATE)
