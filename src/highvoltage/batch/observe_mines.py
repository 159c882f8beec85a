"""Mines as a seat sees them, A-AUS-5."""

import jax.numpy as jnp

from highvoltage.batch import mines
from highvoltage.batch.codes import LAST, MINE
from highvoltage.batch.scaling import Observation
from highvoltage.batch.state import Array, State, kind, pick, powers
from highvoltage.batch.tables import MARKET, Tables
from highvoltage.codec.board import layout
from highvoltage.codec.board.rows import MOST_POWERED
from highvoltage.codec.board.some_maps import MANY_HOUSES, MANY_MINES


def parts(t: Tables, s: State, clockwise: Array) -> Observation:
    """The market of the mines, who has how many, and where they are on offer."""
    assert s.mines is not None
    assert s.mine_stock is not None
    size = len(t.mine_prices)
    used = pick(jnp.asarray(t.mine_used), s.step - 1)
    market = [s.mine_stock / size, mines.price(t, s) / 10, used / size]
    owned = [
        jnp.sum(s.mines, axis=1) / MANY_MINES,
        jnp.sum(jnp.where(s.mines, t.mined, 0), axis=1) / MANY_HOUSES,
    ]
    rows = jnp.stack(owned, axis=1)[clockwise]
    offered = s.market[:MARKET]
    there = (kind(offered) == MINE) & (offered < LAST)
    cities = jnp.where(there, powers(offered) / MOST_POWERED, 0)
    return {
        "mine_market": jnp.minimum(1, jnp.stack(market)).astype(jnp.float32),
        "mines": jnp.pad(jnp.minimum(1, rows), ((0, layout.SEATS - t.players), (0, 0))).astype(
            jnp.float32
        ),
        "market_mines": jnp.minimum(1, cities)[:, None].astype(jnp.float32),
    }
