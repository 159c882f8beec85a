"""Which plant the engineer wants, how much it bids, and which it gives up."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import fuel, market
from highvoltage.batch.auction import lowest_bids, on_offer
from highvoltage.batch.codes import FUELS, HYBRID, LAST, NONE
from highvoltage.batch.state import (
    NOMINATE,
    Array,
    barrier,
    choose,
    number,
    pick,
    powers,
)
from highvoltage.bots.clerk.plants import SOLD_OUT_PRICE
from highvoltage.bots.engineer.board import MAX_BID_SHADING
from highvoltage.bots.engineer.forecast import ASSUMPTIONS, BEST_PLANT_CITIES, MAX_ROUNDS
from highvoltage.bots.engineer.forecast import LATER_FUEL_COST as LATER_FUEL
from highvoltage.codec.actions import MAX_OFFERED
from highvoltage.codec.bids import BIDS
from highvoltage.codec.plants import RETURN_CHOICES
from learn.engineer.figures import NEVER, Figures, at, integers, shuffled

HALVINGS = 9  # that find a price among 500
DEFAULT_COMING = 6, 36  # powers and number of the best plant to come, if no plant is face up


class Forecast(NamedTuple):
    """The rest of the game as the engineer sees it: what each round to come is like."""

    rounds: Array
    strength: Array  # [round] of the best plant to be had
    cost: Array  # [round]
    prices: Array  # [fuel] of a token, on average


def forecast_of(figures: Figures) -> Forecast:
    t, s = figures.t, figures.s
    size = market.offer_size(t, s)
    places, there = jnp.arange(t.market), s.market < LAST
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
    found = (
        jnp.min(rounds_of(figures)),
        jnp.stack(strengths),
        jnp.stack(costs),
        average_prices(figures),
    )
    return barrier(Forecast(*found))


def paid(figures: Figures, cities: Array) -> Array:
    """What supplying cities pays; a fraction of a city its fraction."""
    pays = figures.payment.astype(jnp.float32)
    whole = jnp.floor(cities).astype(jnp.int32)
    low = at(pays, whole)
    return low + (cities - whole) * (at(pays, whole + 1) - low)


def rounds_of(figures: Figures) -> Array:
    """[seat] in how many rounds its network could be large enough for the end."""
    spare = jnp.maximum(0, figures.all_money - figures.payment[2])

    def grow(_: int, at_: tuple[Array, Array]) -> tuple[Array, Array]:
        cities, rounds = at_
        on = cities < figures.end
        grown = jnp.maximum(1, ASSUMPTIONS.share * paid(figures, cities) / ASSUMPTIONS.city)
        return jnp.where(on, cities + grown, cities), rounds + on

    begun = (
        figures.all_cities + spare / (2 * ASSUMPTIONS.city),
        jnp.ones(figures.t.players, jnp.int32),
    )
    _, rounds = jax.lax.fori_loop(0, MAX_ROUNDS - 1, grow, begun)
    found: Array = rounds
    return found


def average_prices(figures: Figures) -> Array:
    """[fuel] what a token will cost on average."""
    drift = ASSUMPTIONS.drift * (figures.refill - figures.burned)
    stock = figures.stock + drift - figures.burned / 2
    place = figures.sizes - jnp.round(stock).astype(jnp.int32)
    there = jnp.take_along_axis(
        figures.ladder, jnp.clip(place, 0, figures.ladder.shape[1] - 1)[:, None], 1
    )[:, 0]
    highest = jnp.take_along_axis(figures.ladder, (figures.sizes - 1)[:, None], 1)[:, 0]
    beyond = jnp.maximum(0, place - figures.sizes + 1)
    return jnp.where(place < figures.sizes, there, highest + ASSUMPTIONS.sold_out * beyond)


def upkeep_of(figures: Figures, forecast: Forecast, plants: Array) -> Array:
    """What a run of each plant costs at the prices to come."""
    prices = forecast.prices
    kinds, found = figures.kinds(plants), jnp.zeros(plants.shape)
    one, two = figures.t.burning.hybrid
    for each in range(FUELS):
        found = jnp.where(kinds == each, prices[each], found)
    found = jnp.where(kinds == HYBRID, jnp.minimum(prices[one], prices[two]), found)
    return found * figures.needs(plants)


class Company(NamedTuple):
    """What a company has, in a round of the forecast."""

    money: Array
    cities: Array
    fleet: Array  # [plant, ...] what its plants supply, the weakest first, nothing for none
    upkeep: Array  # of a city
    waited: Array  # rounds since the last plant


def final_worth(figures: Figures, forecast: Forecast, company: Company) -> Array:
    """What companies are worth at the end: money, and cities supplied."""

    def one(later: Array, company: Company) -> Company:
        money, have, fleet, upkeep, waited = company
        on = later < forecast.rounds
        price = ASSUMPTIONS.city + ASSUMPTIONS.dearer * later
        strength, cost = forecast.strength[later], forecast.cost[later]
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
        reach = jnp.minimum(total, figures.end)
        spare = money - upkeep * have
        built = jnp.minimum(spare / (price + upkeep), reach - have)
        built = jnp.where(on & (have < reach) & (spare > 0), built, 0)
        have = have + built
        supplied = jnp.minimum(have, total)
        earned = jnp.where(later + 1 < forecast.rounds, paid(figures, supplied), 0)
        money = money - built * price - jnp.where(on, upkeep * supplied, 0) + earned
        return Company(money, have, fleet, upkeep, jnp.where(buys, 1, waited + 1))

    last: Company = jax.lax.fori_loop(0, MAX_ROUNDS, one, company)
    return ASSUMPTIONS.last * jnp.minimum(last.cities, last.fleet.sum(0)) + last.money


class Values(NamedTuple):
    """What each plant on offer means to each company."""

    worth: Array  # [seat, place]
    more: Array  # cities that all plants supply then


def values(figures: Figures, forecast: Forecast) -> Values:
    t, s = figures.t, figures.s
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
    strong, cost = integers(powers(pairs)), upkeep_of(figures, forecast, pairs)
    rank = jnp.where(pairs < LAST, strong * 1000 - cost, -NEVER)
    dropped = jnp.arange(limit + 1) == jnp.argmin(rank, -1)[..., None]
    strong, cost = jnp.where(dropped, 0, strong), jnp.where(dropped, 0, cost)
    total = strong.sum(-1)
    money = jnp.broadcast_to(figures.all_money[:, None], shape)
    company = barrier(
        Company(
            (money - price).astype(jnp.float32),
            jnp.broadcast_to(figures.all_cities[:, None], shape).astype(jnp.float32),
            jnp.moveaxis(jnp.sort(strong, -1)[..., 1:], -1, 0),
            cost.sum(-1) / jnp.maximum(1, total),
            jnp.zeros(shape, jnp.int32),
        )
    )
    found = final_worth(figures, forecast, company)
    as_it_is = found[:, -1:]
    gain = found - as_it_is

    def better(prices: Array) -> Array:
        shown = jax.tree.map(
            lambda each: jnp.broadcast_to(each[..., None, :, :], (*each.shape[:-2], *prices.shape)),
            company,
        )
        found = final_worth(figures, forecast, shown._replace(money=company.money - prices))
        return found > as_it_is

    low, high = jnp.zeros(shape, jnp.int32), jnp.maximum(0, money + 1 - price)
    for _ in range(HALVINGS // 3):
        low, high = barrier(bisect_thrice(low, high, better))
    bad = jnp.maximum(0, jnp.round(price + gain).astype(jnp.int32))
    worth = jnp.where(gain <= 0, bad, price + low)
    return barrier(Values(worth[:, :-1], (total - total[:, -1:])[:, :-1]))


def bisect_thrice(low: Array, high: Array, better: Callable[[Array], Array]) -> tuple[Array, Array]:
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


def auction(figures: Figures) -> Array:
    t, s = figures.t, figures.s
    heads, legal = t.heads, figures.legal
    forecast = forecast_of(figures)
    value = values(figures, forecast)
    price = integers(lowest_bids(s))
    worth, more = choose(value.worth, figures.mine), choose(value.more, figures.mine)
    offered = on_offer(t, s)[:MAX_OFFERED]
    upkeep = jnp.round(upkeep_of(figures, forecast, s.market[:MAX_OFFERED])).astype(jnp.int32)
    for_city = jnp.where(figures.cities < figures.powers + more, figures.nearest, 0)
    spare = figures.money - upkeep - for_city

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
        size = market.offer_size(t, s)
        considered |= (jnp.arange(MAX_OFFERED) == size) & (s.market[:MAX_OFFERED] < LAST)
    on_sale = s.market[:MAX_OFFERED] == s.card
    other = considered & ~on_sale
    fair = jnp.sum(jnp.where(on_sale, value.worth, 0), 1)
    fair -= jnp.max(jnp.where(other, jnp.maximum(0, value.worth - price), 0), 1)
    mine = choose(fair, figures.mine)
    theirs = jnp.max(jnp.where(s.ring & ~figures.mine, fair, -NEVER))
    if t.players > 2:
        theirs = jnp.minimum(mine, jnp.maximum(theirs + 1, jnp.sum(jnp.where(on_sale, price, 0))))
    halfway = (mine + theirs) // 2
    if t.players == 2:
        halfway -= jnp.round(MAX_BID_SHADING * sale_random(figures) * halfway).astype(jnp.int32)
    most = jnp.maximum(0, jnp.minimum(halfway, jnp.sum(jnp.where(on_sale, spare, 0))))
    bids = jnp.where(integers(s.bid) + 1 > most, 0, heads["bid"].first)
    return jnp.where(s.mode == NOMINATE, nominated, bids)


def sale_random(figures: Figures) -> Array:
    """A number from 0 to 1 that is the same throughout a sale."""
    s = figures.s
    sale = integers(s.round) * 7919 + integers(s.card) * 31 + figures.seat
    mixed = (shuffled(s) + sale).astype(jnp.uint32) * jnp.uint32(2654435761)
    drawn: Array = (mixed >> 16).astype(jnp.float32) / (1 << 16)
    return drawn


def scrap(figures: Figures) -> Array:
    """Give up the weakest plant, and with it the cheapest fuel."""
    t, plants = figures.t, figures.plants
    held = choose(figures.s.fuel, figures.mine)
    spilled, excess, _ = fuel.returns(plants, held, t.burning)
    spilled, excess = integers(spilled), integers(excess)
    now, (one, two) = figures.now, t.burning.hybrid
    count = jnp.arange(RETURN_CHOICES)
    given = count * now[one] + (excess[:, None] - count) * now[two]
    alone = ~np.isin(np.arange(FUELS), (one, two))
    given = given + jnp.sum(spilled * now * alone, 1)[:, None]
    wants = figures.needs(plants)
    there = jnp.minimum(wants[:, None], figures.for_sale)  # [plant, fuel]
    sums = jnp.stack([at(figures.sums[each], there[:, each]) for each in range(FUELS)], 1)
    costs = sums + SOLD_OUT_PRICE * (wants[:, None] - there)
    kinds = figures.kinds(plants)
    upkeep = jnp.zeros(len(plants), jnp.int32)
    for each in range(FUELS):
        upkeep = jnp.where(kinds == each, costs[:, each], upkeep)
    upkeep = jnp.where(kinds == HYBRID, jnp.minimum(costs[:, one], costs[:, two]), upkeep)
    first = t.heads["scrap"].first
    loss = (integers(powers(plants)) * 1000 - upkeep)[:, None] * 1000 + given
    legal = figures.legal[first : first + len(plants) * RETURN_CHOICES]
    return first + jnp.argmin(jnp.where(legal, loss.reshape(-1), 1000 * NEVER))
