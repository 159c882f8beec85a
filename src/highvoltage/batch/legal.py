"""The mask over all actions for the seat to move, in the action code of `highvoltage.codec`."""

import jax.numpy as jnp

from highvoltage.batch import bidding, building, fuel, fuelmarket
from highvoltage.batch.auction import barred_on_offer, lowest_bids, on_offer
from highvoltage.batch.codes import LAST
from highvoltage.batch.state import (
    BID,
    BUILD,
    FUEL,
    NO_MARKET,
    NOMINATE,
    REGION,
    RUN,
    SCRAP,
    Array,
    State,
    barrier,
    choose,
    pick,
)
from highvoltage.batch.tables import Tables
from highvoltage.codec.actions import MAX_OFFERED
from highvoltage.codec.board import layout
from highvoltage.codec.plants import RETURN_CHOICES


def mask(t: Tables, s: State) -> Array:
    """Every index of a legal move, C-14, R-14.2; all of them when the game is over."""
    mine = jnp.arange(t.players) == s.current_player
    money = choose(s.money, mine)
    plants, held = choose(s.plants, mine), choose(s.fuel, mine)
    named = nominations(t, s, mine, money)
    selling = None if s.mines is None else (s.mode == RUN) & (s.turn >= t.players)  # A-AUS-7
    ends, running = done(t, s, named, plants), s.mode == RUN
    if selling is not None:
        ends, running = ends | selling, running & ~selling
    cities = padded(building.choices(t, s, mine), t.rows)
    heads = {
        "done": ends[None],
        "nominate": named[:MAX_OFFERED],
        "bid": bidding.steps(money - s.bid - 1) & (s.mode == BID),
        "scrap": scraps(t, s, plants, held),
        "buy": buys(t, s, mine, money, plants, held),
        "city": cities[: layout.CITIES],
        "region": regions(t, s),
        "run": runs(t, s, mine, plants[: t.limit], held) & running,
    }
    if s.trade is not None:
        heads["trade"] = jnp.full(len(t.markets), (s.mode == FUEL) & (s.trade == NO_MARKET))
    if s.storage is not None:
        heads["stored"] = stored(t, s, money, plants, held)
    if selling is not None:
        heads["sell"] = selling[None]
    if t.chooses_starts:
        heads["start"] = padded(building.start_choices(t, s, mine), t.rows)
    if t.offered > MAX_OFFERED:
        heads["more_nominate"] = named[MAX_OFFERED:]
    if t.rows > layout.CITIES:
        heads["more_city"] = cities[layout.CITIES :]
    rows = [heads[name].reshape(-1) | s.terminated for name in t.heads]
    return jnp.concatenate(barrier(rows))


def padded(row: Array, size: int) -> Array:
    return jnp.concatenate([row, jnp.zeros(size - row.shape[0], bool)])


def done(t: Tables, s: State, named: Array, plants: Array) -> Array:
    """Pass or done; a player who can buy has to in the first round, C-4.7.1."""
    may_pass = (s.round > 1) | ~jnp.any(named)
    if t.plant_market.second_purchase:
        may_pass |= plants[0] < LAST  # it has bought with the token, A-MAN-6
    passes = (s.mode == NOMINATE) & may_pass
    return passes | (s.mode == BID) | (s.mode == FUEL) | (s.mode == BUILD)


def nominations(t: Tables, s: State, mine: Array, money: Array) -> Array:
    """C-4.2; the last buyer pays the lowest bid, C-4.3.2."""
    lowest = lowest_bids(s, t.offered)
    there = on_offer(t, s) & (lowest <= money) & ~barred_on_offer(t, s, mine) & (s.mode == NOMINATE)
    alone = jnp.sum(s.eligible, dtype=jnp.int8) == 1
    return bidding.steps(jnp.where(alone, 0, money - lowest)) & there[:, None]


def scraps(t: Tables, s: State, plants: Array, held: Array) -> Array:
    """Any plant but the one just bought, C-4.5.2."""
    _, _, allowed = fuel.returns(plants, held, t.burning)
    older = (plants != s.card) & (plants < LAST) & (s.mode == SCRAP)
    rows = allowed & older[:, None]
    unused = jnp.zeros((layout.SLOTS - plants.shape[0], RETURN_CHOICES), bool)
    return jnp.concatenate([rows, unused])


def buys(t: Tables, s: State, mine: Array, money: Array, plants: Array, held: Array) -> Array:
    """As many tokens as are available, fit and are affordable, C-6.1, C-6.2."""
    most = jnp.minimum(
        fuel.rooms(plants, held, t.burning),
        fuelmarket.affordable(t, s, money, choose(s.cheap, mine)),
    )
    if t.tokens_a_turn:
        most = jnp.minimum(most, t.tokens_a_turn)  # A-IND-6
    buying = s.mode == FUEL
    if s.trade is not None:
        buying &= s.trade != NO_MARKET  # A-KOR-3
    return up_to(most) & buying


def up_to(most: Array) -> Array:
    """[fuel, count] which counts are at most these."""
    return jnp.arange(1, layout.MAX_TOKENS + 1, dtype=jnp.int8) <= most[:, None]


def stored(t: Tables, s: State, money: Array, plants: Array, held: Array) -> Array:
    """The same from the storage, A-ZAF-5."""
    most = jnp.minimum(fuel.rooms(plants, held, t.burning), fuelmarket.stored(t, s, money))
    return up_to(most) & (s.mode == FUEL)


def runs(t: Tables, s: State, mine: Array, plants: Array, held: Array) -> Array:
    """Which plants may run, C-8.2; where a map says so, only as many as supply most, A-IND-8."""
    legal = fuel.runs(plants, held, t.burning)
    if not t.rules.must_supply:
        return legal
    most = jnp.minimum(choose(s.cities, mine), fuel.most_powered(plants, held, t.burning))
    return legal & (fuel.run_yields(plants) >= most)


def regions(t: Tables, s: State) -> Array:
    """The regions that may be chosen next, C-2.1.2."""
    if not t.draft:
        return jnp.zeros(layout.REGIONS, bool)
    return padded(
        pick(jnp.asarray(t.region_choices), s.regions) & (s.mode == REGION), layout.REGIONS
    )
