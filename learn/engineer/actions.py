"""What the engineer buys, builds and runs."""

from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import sites
from highvoltage.batch.codes import FUELS, HYBRID
from highvoltage.batch.state import (
    EMPTY,
    NO_MARKET,
    PLACE,
    Array,
    pick,
    powers,
)
from highvoltage.batch.tables import Tables
from highvoltage.bots.clerk.figures import CITY_COST
from highvoltage.bots.clerk.starts import NETWORK_SIZE
from highvoltage.bots.clerk.temper import EVEN
from highvoltage.codec.board.layout import MAX_TOKENS
from highvoltage.codec.plants import MIX_CHOICES
from learn.engineer.figures import NEVER, Figures, at, integers, shuffled

# Fuel


def buy(figures: Figures) -> Array:
    """Fuel for this round's run, one kind after the other, then what is scarce or cheap."""
    first = figures.t.heads["buy"].first
    lawful = figures.legal[first : first + FUELS * MAX_TOKENS].reshape(FUELS, MAX_TOKENS)

    def legal(count: Array) -> Array:
        there = jnp.take_along_axis(lawful, jnp.maximum(0, count - 1)[:, None], 1)[:, 0]
        return (count > 0) & there

    def action(which: Array, count: Array) -> Array:
        return first + which * MAX_TOKENS + pick(count, which) - 1

    def at_once(count: Array) -> Array:
        """What of it can be bought at once, A-IND-6."""
        return jnp.minimum(count, figures.t.tokens_a_turn or MAX_TOKENS)

    tokens, turn, _ = tokens_for_run(figures)
    tokens, scarce, cheap = map(at_once, (tokens, *to_store(figures)))
    wanted = legal(tokens)
    lay_in, hoard = legal(scarce) & ~figures.closing, legal(cheap) & ~figures.closing
    found = jnp.where(jnp.any(hoard), action(jnp.argmax(hoard), cheap), 0)
    found = jnp.where(jnp.any(lay_in), action(jnp.argmax(lay_in), scarce), found)
    now = jnp.argmin(jnp.where(wanted, turn, 99))
    found = jnp.where(jnp.any(wanted), action(now, tokens), found)
    if figures.s.trade is None:
        return found
    return jnp.where(figures.s.trade == NO_MARKET, market(figures), found)


def market(figures: Figures) -> Array:
    """Of several fuel markets the one where the run of this round pays best, A-KOR-3."""
    t, s = figures.t, figures.s
    there = [Figures(t, s.replace(trade=jnp.int8(at))) for at in range(len(t.markets))]
    profits = jnp.stack([tokens_for_run(each)[2] for each in there])
    found = t.heads["trade"].first + jnp.argmax(profits)
    return jnp.where(jnp.any(figures.room > 0), found, 0)


def tokens_for_run(figures: Figures) -> tuple[Array, Array, Array]:
    """For the run of this round that pays best: [fuel] tokens, which kind first, and the profit."""
    limit = figures.t.limit
    plants = figures.plants[:limit]
    chosen = [some for size in range(limit + 1) for some in combinations(range(limit), size)]
    on = np.array([[slot in some for slot in range(limit)] for some in chosen])  # [set, slot]
    wants, kinds = figures.needs(plants), figures.kinds(plants)
    fuels, (one, two) = jnp.arange(FUELS), figures.t.burning.hybrid
    pure = jnp.where(kinds[:, None] == fuels, wants[:, None], 0)
    needs = jnp.sum(on[:, :, None] * pure, 1)  # [set, fuel]
    shared = jnp.sum(jnp.where(on & (kinds == HYBRID), wants, 0), 1)
    strong = jnp.sum(jnp.where(on, integers(powers(plants)), 0), 1)
    tokens = jnp.maximum(0, needs - figures.held)
    enough = jnp.all(tokens <= figures.for_sale, 1)
    missing = tokens
    left = jnp.maximum(0, figures.held - needs)
    short = jnp.maximum(0, shared - left[:, one] - left[:, two])

    def token(bought: Array, so_far: tuple[Array, Array]) -> tuple[Array, Array]:
        """One more for the hybrids, of the cheaper kind."""
        tokens, enough = so_far
        wanted = bought < short
        price, other = (at(figures.prices[each], tokens[:, each]) for each in (one, two))
        enough &= ~wanted | (jnp.minimum(price, other) < NEVER // 100)
        cheaper = jnp.where(price <= other, one, two)
        return tokens + (wanted[:, None] & (cheaper[:, None] == fuels)), enough

    tokens, enough = jax.lax.fori_loop(0, 3 * limit, token, (tokens, enough))
    cost = sum(at(figures.sums[each], tokens[:, each]) for each in range(FUELS))
    enough &= cost <= figures.money
    cities = jnp.minimum(strong, figures.cities + figures.reachable(figures.money - cost))
    profit = jnp.where(figures.closing, 1000 * cities, figures.pay(cities)) - cost
    rank = (profit * 64 + strong) * 32 - jnp.arange(len(chosen))
    best = jnp.argmax(jnp.where(enough, rank, -(2**31) + 1))
    tokens, missing, profit = tokens[best], missing[best], profit[best]
    order = jnp.asarray(on)[best][:, None] & (kinds[:, None] == fuels)  # [slot, fuel]
    turn = jnp.where(jnp.any(order, 0) & (missing > 0), jnp.argmax(order, 0), 10)
    price, other = (at(figures.prices[each], missing[each]) for each in (one, two))
    dearer = jnp.where(price <= other, two, one)
    turn = turn + jnp.where((turn == 10) & (fuels == dearer), 1, 0)
    return tokens, turn, profit


def to_store(figures: Figures) -> tuple[Array, Array]:
    """[fuel] tokens of what would be sold out by the next round, and of what is cheap."""
    plants = figures.plants[: figures.t.limit]
    reserve = figures.money - figures.cost_of(
        jnp.minimum(figures.count, jnp.maximum(0, figures.my_supply - figures.cities))
    )
    mine = jnp.ceil(2 * figures.burns(plants)).astype(jnp.int32)
    most = jnp.maximum(0, jnp.minimum(mine - figures.held, figures.room))
    counts = jnp.arange(1, MAX_TOKENS + 1)
    fits = (counts <= most[:, None]) & (figures.sums[:, 1:] <= reserve)
    fits &= counts <= figures.for_sale[:, None]
    scarce = jnp.where(figures.burned < figures.stock + figures.refill, 0, jnp.sum(fits, 1))
    low = jnp.sum(figures.prices <= EVEN.store_price, 1)
    spare = jnp.maximum(0, figures.money - EVEN.cash_reserve) // EVEN.store_price
    cheap = jnp.minimum(jnp.minimum(low, figures.room), spare)
    return scarce, jnp.where(figures.burns(plants) > 0, cheap, 0)


# Building


def build(figures: Figures) -> Array:
    t = figures.t
    city = jnp.argmin(figures.connect)
    cost = jnp.min(figures.connect)
    reachable = figures.reachable(figures.money)
    supply = figures.my_supply
    supplied = figures.cities < supply
    missing = figures.end - figures.cities
    money = figures.money - figures.cost_of(missing)

    last = jnp.minimum(figures.final, figures.supply)
    left = figures.all_money - CITY_COST * jnp.maximum(0, last - figures.all_cities)
    behind = (last < supply) | ((last == supply) & (left < money))
    wins = jnp.all(behind | figures.mine)
    ends = jnp.any((figures.final >= figures.end) & (last >= supply) & ~figures.mine)

    ahead = (figures.cities < figures.powers) & (figures.money - cost >= EVEN.cash_reserve)
    usual = supplied | ahead
    at_end = wins | jnp.where(missing == 1, supplied & ends, usual)
    free = jnp.where(missing <= reachable, at_end, usual)
    free = jnp.where(figures.s.round >= EVEN.end_round, True, free)
    free = jnp.where(figures.most_cities >= figures.end, supplied, free)
    grows = jnp.where(free & (reachable > 0), pick(city_actions(t), city), 0)
    return jnp.where(figures.cities > 0, grows, start(figures))


def start(figures: Figures) -> Array:
    """Begin where the cities lie close together; a house of the cartel goes where they do not."""
    t, s = figures.t, figures.s
    legal = figures.legal[city_actions(t)]
    ways = integers(jnp.asarray(t.distances)[s.area])
    taken = jnp.any(s.slots < EMPTY, 0) | ~sites.in_play(t, s)
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
    tie_break = (jnp.arange(t.cities) * (1 + shuffled(s) % 60) + shuffled(s) // 64) % 61
    rank = jnp.where(legal, cost * 64 + tie_break, NEVER)
    found = pick(city_actions(t), jnp.argmin(rank))
    return jnp.where(jnp.any(legal), found, 0)


def city_actions(t: Tables) -> Array:
    """[city] the action that names it; those beyond the first ones have a head of their own."""
    heads = [t.heads[name] for name in ("city", "more_city") if name in t.heads]
    actions = [at for head in heads for at in range(head.first, head.end)]
    return jnp.array(actions[: t.cities], jnp.int32)


# Bureaucracy


def run(figures: Figures) -> Array:
    """Supply cities as long as they pay more than half the price of the fuel."""
    t, limit = figures.t, figures.t.limit
    plants, now, (one, two) = figures.plants[:limit], figures.now, t.burning.hybrid
    digits = np.stack(
        [np.arange(MIX_CHOICES**limit) // MIX_CHOICES**slot % MIX_CHOICES for slot in range(limit)]
    )
    cities = cost = burned = jnp.zeros(MIX_CHOICES**limit, jnp.int32)
    for slot in range(limit):
        card, digit = plants[slot], digits[slot]
        wants, burnt = figures.needs(card), figures.kinds(card)
        first = digit - 1
        mixed = first * now[one] + (wants - first) * now[two]
        alone = jnp.zeros((), jnp.int32)
        for each in range(FUELS):
            alone = jnp.where(burnt == each, wants * now[each], alone)
        price = jnp.where(burnt == HYBRID, mixed, alone)
        cities = cities + jnp.where(digit > 0, integers(powers(card)), 0)
        cost = cost + jnp.where(digit > 0, price, 0)
        burned = burned + jnp.where((digit > 0) & (burnt == HYBRID), first, 0)
    profit = 2 * figures.pay(jnp.minimum(cities, figures.cities)) - cost
    first = t.heads["run"].first
    legal = figures.legal[first : first + MIX_CHOICES**limit]
    return first + jnp.argmax(
        jnp.where(legal, profit * MIX_CHOICES**2 + burned, -NEVER)
    )  # coal first
