"""The mask over all actions for the seat to move; the code is that of `highvoltage.codec`."""

import jax.numpy as jnp

from highvoltage.batch import bidding
from highvoltage.batch.outpost import auction, company, market, workers
from highvoltage.batch.outpost.state import COMPANY, OutpostState
from highvoltage.batch.outpost.tables import Tables
from highvoltage.batch.state import BID, NOMINATE, PLACE, RUN, Array, barrier, choose
from highvoltage.codec.actions import MAX_OFFERED as OFFER
from highvoltage.codec.outpost import layout
from highvoltage.games.outpost.state import BOARD, BUILDING


def mask(t: Tables, s: OutpostState) -> Array:
    """Every index that names a legal move; all of them when the game is over."""
    mine = jnp.arange(t.companies) == s.current_player
    money = choose(s.money, mine[: t.players])
    means = choose(auction.means(t, s), mine[: t.players])
    named = nominations(s, means)
    turn = (s.mode == COMPANY) & ~chooses(s)
    lays = turn & (s.stage <= BOARD)
    most = workers.powered_by(t, s, mine)
    heads = {
        "done": (done(s, named) | turn)[None],
        "nominate": named.reshape(-1),
        "bid": bidding.steps(means - s.bid - 1) & (s.mode == BID),
        "build": builds(t, s, mine, money, turn & (s.stage == BUILDING)),
        "settle": (company.settles(t, s, mine) & turn & (s.stage == BUILDING)).reshape(-1),
        "place": (company.places(s, mine) & lays).reshape(-1),
        "swap": (company.swaps(s, mine) & lays).reshape(-1),
        "hire": company.hires(t, s, mine, money) & lays,
        "power": (jnp.arange(t.heads["power"].size) <= most) & (s.mode == RUN),
        "robot": company.makers(t, s) & turn,
    }
    whole = [heads[name] | s.terminated for name in t.heads]
    return jnp.concatenate(barrier(whole))


def chooses(s: OutpostState) -> Array:
    """A player has to choose a slot for the Syndicate, O-12.6.5."""
    if s.syndicate is None:
        return jnp.zeros((), bool)
    return jnp.any(s.syndicate.choices) & (s.mode == COMPANY)


def done(s: OutpostState, named: Array) -> Array:
    """Pass; whoever can has to buy in the first auction of the game, O-3.3."""
    passes = (s.mode == NOMINATE) & (~auction.forced(s) | ~jnp.any(named))
    return passes | (s.mode == BID)


def nominations(s: OutpostState, means: Array) -> Array:
    """O-6.3; the last buyer pays the lowest bid, O-6.9."""
    lowest = auction.lowest_bids(s)
    there = market.on_offer(s)[:OFFER] & (lowest <= means) & (s.mode == NOMINATE)
    alone = jnp.sum(s.eligible, dtype=jnp.int8) == 1
    return bidding.steps(jnp.where(alone, 0, means - lowest)) & there[:, None]


def builds(t: Tables, s: OutpostState, mine: Array, money: Array, when: Array) -> Array:
    """Buildings that can be paid, O-7.1, or those of the Syndicate, O-12.2.3, O-12.6.5."""
    lawful = (company.prices(t, s, mine) <= money) & when  # [city, piece]
    if s.syndicate is not None:
        setting_up = s.mode == PLACE
        there = s.syndicate.choices[:, None] & jnp.stack([setting_up, ~setting_up])
        lawful |= there & (setting_up | chooses(s))
    return jnp.pad(lawful.reshape(-1), (0, 2 * (layout.CITIES - t.cities)))
