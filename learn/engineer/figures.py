"""What the engineer knows of its position."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch import fuel, fuelmarket, sites
from highvoltage.batch.bureaucracy import end_cities
from highvoltage.batch.codes import CODES, FUELS, HYBRID
from highvoltage.batch.state import (
    BUILD,
    NO_MARKET,
    Array,
    State,
    barrier,
    choose,
    pick,
    powers,
)
from highvoltage.batch.tables import UNREACHABLE, Tables
from highvoltage.bots.clerk.figures import CITY_COST
from highvoltage.bots.clerk.plants import SOLD_OUT_PRICE
from highvoltage.codec.board.layout import MAX_TOKENS

NEVER = 1_000_000


def integers(values: Array) -> Array:
    return values.astype(jnp.int32)


def at(row: Array, index: Array) -> Array:
    """`row[..., index]`, the last place if the index is beyond it."""
    return jnp.take(row, jnp.clip(index, 0, row.shape[-1] - 1), axis=-1)


class Figures:
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
        ladders = integers(fuelmarket.prices_for(t, t.prices, s, choose(s.cheap, self.mine)))
        places = jnp.arange(ladders.shape[1])
        sizes, stock = integers(jnp.asarray(t.ladder_sizes)), integers(s.stock)
        ladders = jnp.where(places < sizes[:, None], ladders, NEVER)
        token = (sizes - stock)[:, None] + jnp.arange(MAX_TOKENS)
        prices = jnp.take_along_axis(ladders, jnp.clip(token, 0, len(places) - 1), 1)
        offered = integers(fuelmarket.for_sale(t, s, s.stock))
        prices = jnp.where(jnp.arange(MAX_TOKENS) < offered[:, None], prices, NEVER)
        prices, self.ladder = self._rows(prices)[:, :MAX_TOKENS], self._rows(ladders)
        self.stock, self.sizes = self._sums(stock), self._sums(sizes)
        beyond = jnp.asarray(t.storage_prices, jnp.int32)
        offered = self._sums(offered)
        for_sale = offered + jnp.where(beyond > 0, integers(s.supply), 0)
        on_market = jnp.arange(MAX_TOKENS) < offered[:, None]
        prices = jnp.where(on_market, prices, beyond[:, None])
        self.for_sale = for_sale
        prices = jnp.where(jnp.arange(MAX_TOKENS) < for_sale[:, None], prices, NEVER // 100)
        self.prices = barrier(prices)
        none = jnp.zeros((FUELS, 1), jnp.int32)
        self.sums = barrier(jnp.concatenate([none, jnp.cumsum(self.prices, 1)], 1))
        self.now = jnp.where(for_sale > 0, self.prices[:, 0], SOLD_OUT_PRICE)
        self.room = jnp.maximum(
            0, integers(fuel.rooms(self.plants, choose(s.fuel, self.mine), t.burning))
        )
        self.refill = self._sums(integers(fuelmarket.coming(t, s)))
        hands = [*(s.plants[seat] for seat in range(t.players))]
        if s.cartel is not None:
            hands.append(s.cartel.plants)
        self.burned = barrier(sum(self.burns(hand) for hand in hands))
        self.supply = barrier(
            integers(jax.vmap(partial(fuel.most_powered, how=t.burning))(s.plants, s.fuel))
        )
        self.my_supply = choose(self.supply, self.mine)
        self.powers = jnp.sum(integers(powers(self.plants)))

    def kinds(self, plants: Array) -> Array:
        """What each burns."""
        return fuel.kinds_of(plants, self.t.burning)

    def needs(self, plants: Array) -> Array:
        """How many tokens each burns in a run."""
        return integers(fuel.needs_of(plants, self.t.burning))

    def burns(self, plants: Array) -> Array:
        """Tokens of each fuel that plants burn in a round; hybrids half of either."""
        kinds, fuels = self.kinds(plants)[:, None], np.arange(FUELS)
        half = (kinds == HYBRID) & np.isin(fuels, self.t.burning.hybrid)
        return jnp.sum(self.needs(plants)[:, None] * ((kinds == fuels) + 0.5 * half), 0)

    def _rows(self, shelves: Array) -> Array:
        """[fuel, price] on the market of this turn; before there is one, on all as if one."""
        if self.s.trade is None:
            return shelves
        markets = shelves.reshape(len(self.t.markets), FUELS, -1)
        every = jnp.sort(jnp.concatenate([*markets], -1), -1)
        chosen = pick(markets, jnp.maximum(0, self.s.trade))
        missing = ((0, 0), (0, every.shape[1] - chosen.shape[1]))
        chosen = jnp.pad(chosen, missing, constant_values=NEVER)
        return jnp.where(self.s.trade == NO_MARKET, every, chosen)

    def _sums(self, shelves: Array) -> Array:
        """[fuel] likewise."""
        if self.s.trade is None:
            return shelves
        every = jnp.sum(shelves.reshape(len(self.t.markets), FUELS), 0)
        return jnp.where(
            self.s.trade == NO_MARKET, every, fuelmarket.in_use(self.t, self.s, shelves)
        )

    def _cities(self, t: Tables, s: State) -> None:
        """What each city costs, and the nearest together; whether this may be the last round."""
        connect = integers(sites.prices(t, s, self.mine))
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


def shuffled(s: State) -> Array:
    """A number that differs from game to game, from the order of its deck."""
    return jnp.sum(integers(s.shuffle) * jnp.arange(len(CODES)) ** 2 % 997)
