"""The engineer on the batched games: what `bots/engineer` chooses, worked out for many at once.

As company for a learner it is better than a network that has watched the engineer: what beats this
one beats the engineer too. tests/bots/test_learning.py holds it to the bot's own choices. It rounds
in half the precision, so a few choices in a thousand differ, and it draws its own lots.
"""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import building, fuel, market
from highvoltage.batch.auction import lowest_bids, on_offer
from highvoltage.batch.bureaucracy import end_cities
from highvoltage.batch.state import (
    BID,
    BUILD,
    EMPTY,
    FUEL,
    MARK,
    NOMINATE,
    PLACE,
    RUN,
    SCRAP,
    Array,
    State,
    barrier,
    choose,
    kind,
    need,
    number,
    pick,
    powers,
)
from highvoltage.batch.tables import CODES, FUELS, HYBRID, LAST, MARKET, NONE, UNREACHABLE, Tables
from highvoltage.bots.clerk.board import CASH_RESERVE, END_GAME_ROUND, MAX_STORE_PRICE
from highvoltage.bots.clerk.figures import CITY_COST
from highvoltage.bots.clerk.plants import SOLD_OUT_PRICE
from highvoltage.bots.clerk.starts import NETWORK_SIZE
from highvoltage.bots.engineer.board import MAX_BID_SHADING
from highvoltage.bots.engineer.forecast import ASSUMPTIONS, BEST_PLANT_CITIES, MAX_ROUNDS
from highvoltage.bots.engineer.forecast import LATER_FUEL_COST as LATER_FUEL
from highvoltage.codec.actions import MAX_OFFERED
from highvoltage.codec.bids import BIDS
from highvoltage.codec.board.layout import MAX_TOKENS
from highvoltage.codec.plants import MIX_CHOICES, RETURN_CHOICES

NEVER = 1_000_000
HALVINGS = 9  # that find a price among 500
COAL, OIL = 0, 1
DEFAULT_COMING = 6, 36  # powers and number of the best plant to come, if no plant is face up


def choice(t: Tables, s: State) -> Array:
    """The action of the engineer who is to move in one game."""
    desk = Desk(t, s)
    chosen = jnp.zeros((), jnp.int32)
    for modes, found in (
        ((NOMINATE, BID), auction(desk)),
        ((SCRAP,), scrap(desk)),
        ((FUEL,), buy(desk)),
        ((BUILD,), build(desk)),
        ((PLACE, MARK), start(desk)),
        ((RUN,), run(desk)),
    ):
        here = jnp.any(s.mode == jnp.asarray(modes))
        chosen = jnp.where(here, found, chosen)
    legal = s.legal_action_mask
    return jnp.where(legal[chosen], chosen, jnp.argmax(legal))


def integers(values: Array) -> Array:
    return values.astype(jnp.int32)


def at(row: Array, index: Array) -> Array:
    """`row[..., index]`, the last place if the index is beyond it."""
    return jnp.take(row, jnp.clip(index, 0, row.shape[-1] - 1), axis=-1)


class Desk:
    """The figures of the seat to move."""

    def __init__(self, t: Tables, s: State) -> None:
        self.t = t
        self.s = s
        seats = jnp.arange(t.players)
        self.mine = seats == s.current_player
        self.seat = integers(s.current_player)
        self.plants = choose(s.plants, self.mine)
        self.held = integers(choose(s.fuel, self.mine))
        self.all_money = integers(s.money)
        self.all_cities = integers(s.cities)
        self.money = integers(choose(s.money, self.mine))
        self.cities = integers(choose(s.cities, self.mine))
        self.most_cities = jnp.max(self.all_cities)
        self.end = integers(end_cities(t, s))
        self.legal = s.legal_action_mask
        self.payment = jnp.asarray(t.payment, jnp.int32)
        self._fuel(t, s)
        self._cities(t, s)

    def _fuel(self, t: Tables, s: State) -> None:
        """What each token costs, the cheapest first, and so many together; what is burned."""
        ladder = integers(fuel.prices_for(t.prices, choose(s.cheap, self.mine)))
        self.stock = integers(s.stock)
        self.sizes = jnp.asarray(t.ladder_sizes, jnp.int32)
        self.ladder = ladder
        place = (self.sizes - self.stock)[:, None] + jnp.arange(MAX_TOKENS)
        on_market = jnp.arange(MAX_TOKENS) < self.stock[:, None]
        beyond = jnp.asarray(t.storage_prices, jnp.int32)[:, None]
        for_sale = self.stock + jnp.where(beyond[:, 0] > 0, integers(s.supply), 0)
        prices = jnp.take_along_axis(ladder, jnp.clip(place, 0, ladder.shape[1] - 1), 1)
        prices = jnp.where(on_market, prices, beyond)
        self.for_sale = for_sale
        prices = jnp.where(jnp.arange(MAX_TOKENS) < for_sale[:, None], prices, NEVER // 100)
        self.prices = barrier(prices)
        none = jnp.zeros((FUELS, 1), jnp.int32)
        self.sums = barrier(jnp.concatenate([none, jnp.cumsum(self.prices, 1)], 1))
        self.now = jnp.where(for_sale > 0, self.prices[:, 0], SOLD_OUT_PRICE)
        self.room = jnp.maximum(0, integers(fuel.rooms(self.plants, choose(s.fuel, self.mine))))
        refill = pick(jnp.asarray(t.refills), s.step - 1).astype(jnp.int32)
        if t.phase_out is not None:
            phased = s.phased_out & (jnp.arange(FUELS) == t.phase_out[1])
            refill = jnp.where(phased, 0, refill)
        self.refill = refill
        hands = [*(s.plants[seat] for seat in range(t.players))]
        if s.cartel is not None:
            hands.append(s.cartel.plants)
        self.burned = barrier(sum(burns(hand) for hand in hands))
        self.supply = barrier(integers(jax.vmap(fuel.most_powered)(s.plants, s.fuel)))
        self.my_supply = choose(self.supply, self.mine)
        self.powers = jnp.sum(integers(powers(self.plants)))

    def _cities(self, t: Tables, s: State) -> None:
        """What each city costs, and the nearest together; whether this may be the last round."""
        connect = integers(building.prices(t, s, self.mine))
        self.connect = barrier(jnp.where(connect < UNREACHABLE, connect, NEVER))
        near = jnp.sort(self.connect)[: int(max(t.end_cities))]
        self.costs = barrier(jnp.minimum(NEVER, jnp.cumsum(near)))
        self.count = jnp.sum(near < NEVER)
        self.nearest = jnp.where(near[0] < NEVER, near[0], 0)
        later = (s.order > choose(s.order, self.mine)) & (s.mode == BUILD)
        able = self.all_cities + self.all_money // CITY_COST
        self.final = jnp.where(later, self.all_cities, able)
        others = jnp.any((self.final >= self.end) & ~self.mine)
        self.closing = (self.cities + self.reachable(self.money) >= self.end) | others

    def reachable(self, money: Array) -> Array:
        """How many cities the money connects for certain."""
        return jnp.sum(self.costs <= money[..., None], -1)

    def cost_of(self, cities: Array) -> Array:
        """What so many of the nearest cities cost together."""
        return jnp.where(cities > 0, at(self.costs, cities - 1), 0)

    def pay(self, cities: Array) -> Array:
        return at(self.payment, cities)


def burns(plants: Array) -> Array:
    """Tokens of each fuel that plants burn in a round; hybrids half of either."""
    fuels = jnp.arange(FUELS)
    pure = kind(plants)[:, None] == fuels
    half = (kind(plants)[:, None] == HYBRID) & (fuels < 2)
    return jnp.sum(need(plants)[:, None] * (pure + 0.5 * half), 0)


# Auction


class Course(NamedTuple):
    """The rest of the game as the engineer sees it: what each round to come is like."""

    rounds: Array
    strength: Array  # [round] of the best plant to be had
    cost: Array  # [round]
    prices: Array  # [fuel] of a token, on average


def course_of(desk: Desk) -> Course:
    s = desk.s
    size = market.offer_size(s)
    places, there = jnp.arange(MARKET), s.market < LAST
    future = there & (places >= size)
    shown = jnp.where(jnp.any(future), future, there & (places < size))
    rank = jnp.where(shown, integers(powers(s.market)) * 256 + integers(number(s.market)), -1)
    best = jnp.max(rank)
    best = jnp.where(best < 0, DEFAULT_COMING[0] * 256 + DEFAULT_COMING[1], best)
    strength, numbered = best // 256, best % 256
    strengths, costs = [], []
    for later in range(MAX_ROUNDS):
        strengths.append(strength)
        costs.append(numbered + ASSUMPTIONS.premium)
        grows = (strength < BEST_PLANT_CITIES) & (later > 0)
        strength = strength + jnp.where(grows, later % 2, 0)
        numbered = numbered + jnp.where(grows, 3, 0)
    found = jnp.min(rounds_of(desk)), jnp.stack(strengths), jnp.stack(costs), average_prices(desk)
    return barrier(Course(*found))


def paid(desk: Desk, cities: Array) -> Array:
    """What supplying cities pays; a fraction of a city its fraction."""
    pays = desk.payment.astype(jnp.float32)
    whole = jnp.floor(cities).astype(jnp.int32)
    low = at(pays, whole)
    return low + (cities - whole) * (at(pays, whole + 1) - low)


def rounds_of(desk: Desk) -> Array:
    """[seat] in how many rounds its network could be large enough for the end."""
    spare = jnp.maximum(0, desk.all_money - desk.payment[2])

    def grow(_: int, at_: tuple[Array, Array]) -> tuple[Array, Array]:
        cities, rounds = at_
        on = cities < desk.end
        grown = jnp.maximum(1, ASSUMPTIONS.share * paid(desk, cities) / ASSUMPTIONS.city)
        return jnp.where(on, cities + grown, cities), rounds + on

    begun = desk.all_cities + spare / (2 * ASSUMPTIONS.city), jnp.ones(desk.t.players, jnp.int32)
    _, rounds = jax.lax.fori_loop(0, MAX_ROUNDS - 1, grow, begun)
    found: Array = rounds
    return found


def average_prices(desk: Desk) -> Array:
    """[fuel] what a token will cost on average."""
    drift = ASSUMPTIONS.drift * (desk.refill - desk.burned)
    stock = desk.stock + drift - desk.burned / 2
    place = desk.sizes - jnp.round(stock).astype(jnp.int32)
    there = jnp.take_along_axis(
        desk.ladder, jnp.clip(place, 0, desk.ladder.shape[1] - 1)[:, None], 1
    )[:, 0]
    highest = jnp.take_along_axis(desk.ladder, (desk.sizes - 1)[:, None], 1)[:, 0]
    beyond = jnp.maximum(0, place - desk.sizes + 1)
    return jnp.where(place < desk.sizes, there, highest + ASSUMPTIONS.sold_out * beyond)


def upkeep_of(course: Course, plants: Array) -> Array:
    """What a run of each plant costs at the prices to come."""
    prices = course.prices
    kinds, found = kind(plants), jnp.zeros(plants.shape)
    for each in range(FUELS):
        found = jnp.where(kinds == each, prices[each], found)
    found = jnp.where(kinds == HYBRID, jnp.minimum(prices[COAL], prices[OIL]), found)
    return found * need(plants)


class Company(NamedTuple):
    """What a company has, in a round of the forecast."""

    money: Array
    cities: Array
    fleet: Array  # [plant, ...] what its plants supply, the weakest first, nothing for none
    upkeep: Array  # of a city
    waited: Array  # rounds since the last plant


def comes_to(desk: Desk, course: Course, company: Company) -> Array:
    """What companies come to: money at the end, and cities supplied."""

    def one(later: Array, company: Company) -> Company:
        money, have, fleet, upkeep, waited = company
        on = later < course.rounds
        price = ASSUMPTIONS.city + ASSUMPTIONS.dearer * later
        strength, cost = course.strength[later], course.cost[later]
        total = fleet.sum(0)
        gain = strength - fleet[0]
        buys = on & (waited >= ASSUMPTIONS.every) & (have > total - (ASSUMPTIONS.slack + 1))
        buys = buys & (money > cost + price) & (gain > 0)
        money = jnp.where(buys, money - cost, money)
        upkeep = jnp.where(buys, (upkeep * total + LATER_FUEL) / (total + strength), upkeep)
        rising, new = [], jnp.broadcast_to(strength, money.shape)
        for each in fleet[1:]:
            rising.append(jnp.minimum(new, each))
            new = jnp.maximum(new, each)
        fleet = jnp.where(buys, jnp.stack([*rising, new]), fleet)
        total = jnp.where(buys, total + gain, total)
        reach = jnp.minimum(total, desk.end)
        spare = money - upkeep * have
        built = jnp.minimum(spare / (price + upkeep), reach - have)
        built = jnp.where(on & (have < reach) & (spare > 0), built, 0)
        have = have + built
        supplied = jnp.minimum(have, total)
        earned = jnp.where(later + 1 < course.rounds, paid(desk, supplied), 0)
        money = money - built * price - jnp.where(on, upkeep * supplied, 0) + earned
        return Company(money, have, fleet, upkeep, jnp.where(buys, 1, waited + 1))

    last: Company = jax.lax.fori_loop(0, MAX_ROUNDS, one, company)
    return ASSUMPTIONS.last * jnp.minimum(last.cities, last.fleet.sum(0)) + last.money


class Values(NamedTuple):
    """What each plant on offer means to each company."""

    worth: Array  # [seat, place]
    more: Array  # cities that all plants supply then


def values(desk: Desk, course: Course) -> Values:
    t, s = desk.t, desk.s
    limit = t.limit
    hands = s.plants[:, :limit]
    none = jnp.full(1, NONE, s.market.dtype)  # the last place: nothing is bought
    offer = jnp.concatenate([s.market[:MAX_OFFERED], none])
    price = jnp.concatenate([integers(lowest_bids(s)), jnp.zeros(1, jnp.int32)])
    shape = t.players, MAX_OFFERED + 1
    pairs = jnp.concatenate(
        [
            jnp.broadcast_to(hands[:, None], (*shape, limit)),
            jnp.broadcast_to(offer[None, :, None], (*shape, 1)),
        ],
        -1,
    )
    strong, cost = integers(powers(pairs)), upkeep_of(course, pairs)
    rank = jnp.where(pairs < LAST, strong * 1000 - cost, -NEVER)
    dropped = jnp.arange(limit + 1) == jnp.argmin(rank, -1)[..., None]
    strong, cost = jnp.where(dropped, 0, strong), jnp.where(dropped, 0, cost)
    total = strong.sum(-1)
    money = jnp.broadcast_to(desk.all_money[:, None], shape)
    company = barrier(
        Company(
            (money - price).astype(jnp.float32),
            jnp.broadcast_to(desk.all_cities[:, None], shape).astype(jnp.float32),
            jnp.moveaxis(jnp.sort(strong, -1)[..., 1:], -1, 0),
            cost.sum(-1) / jnp.maximum(1, total),
            jnp.zeros(shape, jnp.int32),
        )
    )
    found = comes_to(desk, course, company)
    as_it_is = found[:, -1:]
    gain = found - as_it_is

    def better(prices: Array) -> Array:
        shown = jax.tree.map(
            lambda each: jnp.broadcast_to(each[..., None, :, :], (*each.shape[:-2], *prices.shape)),
            company,
        )
        found = comes_to(desk, course, shown._replace(money=company.money - prices))
        return found > as_it_is

    low, high = jnp.zeros(shape, jnp.int32), jnp.maximum(0, money + 1 - price)
    for _ in range(HALVINGS // 3):
        low, high = barrier(halved_thrice(low, high, better))
    bad = jnp.maximum(0, jnp.round(price + gain).astype(jnp.int32))
    worth = jnp.where(gain <= 0, bad, price + low)
    return barrier(Values(worth[:, :-1], (total - total[:, -1:])[:, :-1]))


def halved_thrice(low: Array, high: Array, better: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Three steps of a bisection; all prices that may be asked for are tried at once."""
    spans, children = [(low, high)], []
    for node in range(7):
        low, high = spans[node]
        middle, on = (low + high) // 2, low < high
        children.append((jnp.where(on, middle + 1, low), high))
        children.append((low, jnp.where(on, middle, high)))
        spans += children[-2:]
    middles = jnp.stack([(low + high) // 2 for low, high in spans[:7]])
    above = better(middles)
    found = dict(enumerate(children[6:], 7))  # by node; those of the last row
    for node in reversed(range(7)):
        more, less = found[2 * node + 1], found[2 * node + 2]
        found[node] = (
            jnp.where(above[node], more[0], less[0]),
            jnp.where(above[node], more[1], less[1]),
        )
    return found[0]


def auction(desk: Desk) -> Array:
    t, s = desk.t, desk.s
    heads, legal = t.heads, desk.legal
    course = course_of(desk)
    value = values(desk, course)
    price = integers(lowest_bids(s))
    worth, more = choose(value.worth, desk.mine), choose(value.more, desk.mine)
    offered = on_offer(s)
    upkeep = jnp.round(upkeep_of(course, s.market[:MAX_OFFERED])).astype(jnp.int32)
    for_city = jnp.where(desk.cities < desk.powers + more, desk.nearest, 0)
    spare = desk.money - upkeep - for_city

    # Put up the card that is worth most beyond its price
    first = heads["nominate"].first
    named = legal[first : first + MAX_OFFERED * BIDS : BIDS]
    gain = worth - price
    affordable = price <= spare
    rank = jnp.where(named, affordable * NEVER + gain, -NEVER)
    best = jnp.argmax(rank)
    passes = legal[0] & ~(pick(affordable, best) & (pick(gain, best) > 0))
    nominated = jnp.where(passes | ~jnp.any(named), 0, first + BIDS * best)

    # Bid halfway to what the keenest of the others would pay
    considered = offered
    if t.players == 2:
        size = market.offer_size(s)
        considered |= (jnp.arange(MAX_OFFERED) == size) & (s.market[:MAX_OFFERED] < LAST)
    lot = s.market[:MAX_OFFERED] == s.card
    other = considered & ~lot
    fair = jnp.sum(jnp.where(lot, value.worth, 0), 1)
    fair -= jnp.max(jnp.where(other, jnp.maximum(0, value.worth - price), 0), 1)
    mine = choose(fair, desk.mine)
    theirs = jnp.max(jnp.where(s.ring & ~desk.mine, fair, -NEVER))
    if t.players > 2:
        theirs = jnp.minimum(mine, jnp.maximum(theirs + 1, jnp.sum(jnp.where(lot, price, 0))))
    halfway = (mine + theirs) // 2
    if t.players == 2:
        halfway -= jnp.round(MAX_BID_SHADING * lot_drawn(desk) * halfway).astype(jnp.int32)
    most = jnp.maximum(0, jnp.minimum(halfway, jnp.sum(jnp.where(lot, spare, 0))))
    bids = jnp.where(integers(s.bid) + 1 > most, 0, heads["bid"].first)
    return jnp.where(s.mode == NOMINATE, nominated, bids)


def lot_drawn(desk: Desk) -> Array:
    """A number from 0 to 1 that is the same throughout a sale."""
    s = desk.s
    sale = integers(s.round) * 7919 + integers(s.card) * 31 + desk.seat
    mixed = (shuffled(s) + sale).astype(jnp.uint32) * jnp.uint32(2654435761)
    drawn: Array = (mixed >> 16).astype(jnp.float32) / (1 << 16)
    return drawn


def shuffled(s: State) -> Array:
    """A number that differs from game to game, from the order of its deck."""
    return jnp.sum(integers(s.shuffle) * jnp.arange(len(CODES)) ** 2 % 997)


def scrap(desk: Desk) -> Array:
    """Give up the weakest plant, and with it the cheapest fuel."""
    t, plants = desk.t, desk.plants
    held = choose(desk.s.fuel, desk.mine)
    spilled, excess, _ = fuel.returns(plants, held)
    spilled, excess = integers(spilled), integers(excess)
    coal = jnp.arange(RETURN_CHOICES)
    now = desk.now
    given = coal * now[COAL] + (excess[:, None] - coal) * now[OIL]
    given = given + jnp.sum(spilled[:, 2:] * now[2:], 1)[:, None]
    wants = integers(need(plants))
    there = jnp.minimum(wants[:, None], desk.for_sale)  # [plant, fuel]
    sums = jnp.stack([at(desk.sums[each], there[:, each]) for each in range(FUELS)], 1)
    costs = sums + SOLD_OUT_PRICE * (wants[:, None] - there)
    kinds = kind(plants)
    upkeep = jnp.zeros(len(plants), jnp.int32)
    for each in range(FUELS):
        upkeep = jnp.where(kinds == each, costs[:, each], upkeep)
    upkeep = jnp.where(kinds == HYBRID, jnp.minimum(costs[:, COAL], costs[:, OIL]), upkeep)
    first = t.heads["scrap"].first
    loss = (integers(powers(plants)) * 1000 - upkeep)[:, None] * 1000 + given
    legal = desk.legal[first : first + len(plants) * RETURN_CHOICES]
    return first + jnp.argmin(jnp.where(legal, loss.reshape(-1), 1000 * NEVER))


# Fuel


def buy(desk: Desk) -> Array:
    """Fuel for this round's run, one kind after the other, then what is scarce or cheap."""
    first = desk.t.heads["buy"].first
    lawful = desk.legal[first : first + FUELS * MAX_TOKENS].reshape(FUELS, MAX_TOKENS)

    def legal(count: Array) -> Array:
        there = jnp.take_along_axis(lawful, jnp.maximum(0, count - 1)[:, None], 1)[:, 0]
        return (count > 0) & there

    def action(which: Array, count: Array) -> Array:
        return first + which * MAX_TOKENS + pick(count, which) - 1

    tokens, turn = for_a_run(desk)
    scarce, cheap = to_store(desk)
    wanted = legal(tokens)
    lay_in, hoard = legal(scarce) & ~desk.closing, legal(cheap) & ~desk.closing
    found = jnp.where(jnp.any(hoard), action(jnp.argmax(hoard), cheap), 0)
    found = jnp.where(jnp.any(lay_in), action(jnp.argmax(lay_in), scarce), found)
    now = jnp.argmin(jnp.where(wanted, turn, 99))
    return jnp.where(jnp.any(wanted), action(now, tokens), found)


def for_a_run(desk: Desk) -> tuple[Array, Array]:
    """[fuel] tokens for the run of this round that pays best, and which kind comes first."""
    limit = desk.t.limit
    plants = desk.plants[:limit]
    chosen = [some for size in range(limit + 1) for some in combinations(range(limit), size)]
    on = np.array([[slot in some for slot in range(limit)] for some in chosen])  # [set, slot]
    wants, kinds = integers(need(plants)), kind(plants)
    fuels = jnp.arange(FUELS)
    pure = jnp.where(kinds[:, None] == fuels, wants[:, None], 0)
    needs = jnp.sum(on[:, :, None] * pure, 1)  # [set, fuel]
    shared = jnp.sum(jnp.where(on & (kinds == HYBRID), wants, 0), 1)
    strong = jnp.sum(jnp.where(on, integers(powers(plants)), 0), 1)
    tokens = jnp.maximum(0, needs - desk.held)
    enough = jnp.all(tokens <= desk.for_sale, 1)
    missing = tokens
    left = jnp.maximum(0, desk.held - needs)
    short = jnp.maximum(0, shared - left[:, COAL] - left[:, OIL])

    def token(bought: Array, so_far: tuple[Array, Array]) -> tuple[Array, Array]:
        """One more for the hybrids, of the cheaper kind."""
        tokens, enough = so_far
        wanted = bought < short
        coal, oil = at(desk.prices[COAL], tokens[:, COAL]), at(desk.prices[OIL], tokens[:, OIL])
        enough &= ~wanted | (jnp.minimum(coal, oil) < NEVER // 100)
        of_kind = jnp.stack([wanted & (coal <= oil), wanted & (coal > oil)], 1)
        return tokens + jnp.pad(of_kind, ((0, 0), (0, FUELS - 2))), enough

    tokens, enough = jax.lax.fori_loop(0, 3 * limit, token, (tokens, enough))
    cost = sum(at(desk.sums[each], tokens[:, each]) for each in range(FUELS))
    enough &= cost <= desk.money
    cities = jnp.minimum(strong, desk.cities + desk.reachable(desk.money - cost))
    profit = jnp.where(desk.closing, 1000 * cities, desk.pay(cities)) - cost
    rank = (profit * 64 + strong) * 32 - jnp.arange(len(chosen))
    best = jnp.argmax(jnp.where(enough, rank, -(2**31) + 1))
    tokens, missing = tokens[best], missing[best]
    order = jnp.asarray(on)[best][:, None] & (kinds[:, None] == fuels)  # [slot, fuel]
    turn = jnp.where(jnp.any(order, 0) & (missing > 0), jnp.argmax(order, 0), 10)
    coal_first = at(desk.prices[COAL], missing[COAL]) <= at(desk.prices[OIL], missing[OIL])
    turn = turn + jnp.where((turn == 10) & (fuels == jnp.where(coal_first, OIL, COAL)), 1, 0)
    return tokens, turn


def to_store(desk: Desk) -> tuple[Array, Array]:
    """[fuel] tokens of what would be sold out by the next round, and of what is cheap."""
    plants = desk.plants[: desk.t.limit]
    reserve = desk.money - desk.cost_of(
        jnp.minimum(desk.count, jnp.maximum(0, desk.my_supply - desk.cities))
    )
    mine = jnp.ceil(2 * burns(plants)).astype(jnp.int32)
    most = jnp.maximum(0, jnp.minimum(mine - desk.held, desk.room))
    counts = jnp.arange(1, MAX_TOKENS + 1)
    fits = (counts <= most[:, None]) & (desk.sums[:, 1:] <= reserve)
    fits &= counts <= desk.for_sale[:, None]
    scarce = jnp.where(desk.burned < desk.stock + desk.refill, 0, jnp.sum(fits, 1))
    low = jnp.sum(desk.prices <= MAX_STORE_PRICE, 1)
    spare = jnp.maximum(0, desk.money - CASH_RESERVE) // MAX_STORE_PRICE
    cheap = jnp.minimum(jnp.minimum(low, desk.room), spare)
    return scarce, jnp.where(burns(plants) > 0, cheap, 0)


# Building


def build(desk: Desk) -> Array:
    t = desk.t
    city = jnp.argmin(desk.connect)
    cost = jnp.min(desk.connect)
    reachable = desk.reachable(desk.money)
    supply = desk.my_supply
    supplied = desk.cities < supply
    missing = desk.end - desk.cities
    money = desk.money - desk.cost_of(missing)

    last = jnp.minimum(desk.final, desk.supply)
    left = desk.all_money - CITY_COST * jnp.maximum(0, last - desk.all_cities)
    behind = (last < supply) | ((last == supply) & (left < money))
    wins = jnp.all(behind | desk.mine)
    ends = jnp.any((desk.final >= desk.end) & (last >= supply) & ~desk.mine)

    ahead = (desk.cities < desk.powers) & (desk.money - cost >= CASH_RESERVE)
    usual = supplied | ahead
    at_end = wins | jnp.where(missing == 1, supplied & ends, usual)
    free = jnp.where(missing <= reachable, at_end, usual)
    free = jnp.where(desk.s.round >= END_GAME_ROUND, True, free)
    free = jnp.where(desk.most_cities >= desk.end, supplied, free)
    grows = jnp.where(free & (reachable > 0), t.heads["city"].first + city, 0)
    return jnp.where(desk.cities > 0, grows, start(desk))


def start(desk: Desk) -> Array:
    """Begin where the cities lie close together; a house of the cartel goes where they do not."""
    t, s = desk.t, desk.s
    first = t.heads["city"].first
    legal = desk.legal[first : first + t.cities]
    ways = integers(jnp.asarray(t.distances)[s.area])
    taken = jnp.any(s.slots < EMPTY, 0) | ~building.in_play(t, s)
    open_ = ~taken[None] & ~jnp.eye(t.cities, dtype=bool)
    reach, cost = ways, jnp.zeros(t.cities, jnp.int32)
    for _ in range(NETWORK_SIZE - 1):
        away = jnp.where(open_, reach, NEVER)
        nearest = jnp.argmin(away, 1)
        least = jnp.min(away, 1)
        cost = cost + jnp.where(least < NEVER, least, 0)
        open_ = open_ & (jnp.arange(t.cities) != nearest[:, None])
        reach = jnp.minimum(reach, ways[nearest])
    cost = jnp.where(s.mode == PLACE, -cost, cost)
    lots = (jnp.arange(t.cities) * (1 + shuffled(s) % 60) + shuffled(s) // 64) % 61
    rank = jnp.where(legal, cost * 64 + lots, NEVER)
    found = first + jnp.argmin(rank)
    return jnp.where(jnp.any(legal), found, 0)


# Bureaucracy


def run(desk: Desk) -> Array:
    """Supply cities as long as they pay more than half the price of the fuel."""
    t, limit = desk.t, desk.t.limit
    plants, now = desk.plants[:limit], desk.now
    digits = np.stack(
        [np.arange(MIX_CHOICES**limit) // MIX_CHOICES**slot % MIX_CHOICES for slot in range(limit)]
    )
    cities = cost = burned = jnp.zeros(MIX_CHOICES**limit, jnp.int32)
    for slot in range(limit):
        card, digit = plants[slot], digits[slot]
        wants = integers(need(card))
        coal = digit - 1
        mixed = coal * now[COAL] + (wants - coal) * now[OIL]
        alone = jnp.zeros((), jnp.int32)
        for each in range(FUELS):
            alone = jnp.where(kind(card) == each, wants * now[each], alone)
        price = jnp.where(kind(card) == HYBRID, mixed, alone)
        cities = cities + jnp.where(digit > 0, integers(powers(card)), 0)
        cost = cost + jnp.where(digit > 0, price, 0)
        burned = burned + jnp.where((digit > 0) & (kind(card) == HYBRID), coal, 0)
    profit = 2 * desk.pay(jnp.minimum(cities, desk.cities)) - cost
    first = t.heads["run"].first
    legal = desk.legal[first : first + MIX_CHOICES**limit]
    return first + jnp.argmax(
        jnp.where(legal, profit * MIX_CHOICES**2 + burned, -NEVER)
    )  # coal first
