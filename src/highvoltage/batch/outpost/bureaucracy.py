"""Phase 4: power, earn, dismiss, renew the market, O-8; the Steps, O-9; order, O-4; end, O-10."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.outpost import market, workers
from highvoltage.batch.outpost.state import BITS, IDLE, VALUES, OutpostState, discount, number
from highvoltage.batch.outpost.tables import CURRENT, LAST, NONE, OF_NUMBER, Tables
from highvoltage.batch.state import Array, first_of, pick
from highvoltage.games.outpost import tables


def power(t: Tables, s: OutpostState, when: Array, count: Array) -> OutpostState:
    """Power cities and be paid, O-8.1.2."""
    mine = (jnp.arange(t.players) == s.current_player) & when
    pay = pick(jnp.asarray(tables.PAYMENT, jnp.int16), count)
    return s.replace(
        money=s.money + jnp.where(mine, pay, 0),
        powered=jnp.where(mine, count, s.powered).astype(jnp.int8),
    )


def dismiss(t: Tables, s: OutpostState, when: Array) -> OutpostState:
    """Makers of robots are free again, OR-43; workers without a bed leave, O-8.2, OR-37."""
    kept = jnp.where(when, jnp.minimum(s.humans, workers.beds(t, s)), s.humans)
    gone = jnp.sum(s.humans - kept, dtype=jnp.int8)
    return s.replace(
        humans=kept,
        labour=s.labour + gone,
        busy=jnp.where(when, IDLE, s.busy).astype(jnp.int8),
    )


def place_discounts(s: OutpostState, when: Array) -> tuple[OutpostState, Array]:
    """Tokens on the current cards, O-8.3.1, OR-39; also returns the cards that got one."""
    token = sum(jnp.where(s.round == value, 1 << BITS * at, 0) for at, value in enumerate(VALUES))
    marked = (jnp.minimum(s.row, CURRENT) > market.AT) & when & (jnp.asarray(token) > 0)
    cards = jnp.where(marked, market.tops(s), NONE)[:CURRENT].astype(jnp.int8)
    return s.replace(tokens=s.tokens + jnp.where(marked, token, 0).astype(s.tokens.dtype)), cards


def remove_worthless(
    s: OutpostState, when: Array, marked: Array
) -> tuple[OutpostState, Array, Array]:
    """The first of the marked cards where the top card has lost all value: that leaves, O-8.3.2.

    Also returns whether there is one, and the cards behind it, which come later, OR-38.
    """
    lies = jnp.any(s.market[None] == marked[:, None, None], axis=2) & (marked < LAST)[:, None]
    worthless = lies & (discount(s.tokens) >= number(market.tops(s)))  # [card, place]
    first = first_of(jnp.any(worthless, axis=1))
    removes = when & (first < CURRENT)
    s = market.pop(s, first_of(pick(worthless, first)), removes)
    later = np.arange(CURRENT) > first
    return s, removes, jnp.where(later | ~when, marked, NONE).astype(jnp.int8)


def begin_step(s: OutpostState, step: int, when: Array) -> OutpostState:
    return s.replace(step=jnp.where(when, step, s.step).astype(jnp.int8), pending=s.pending & ~when)


def start_step_2(s: OutpostState, when: Array) -> OutpostState:
    """Step 2 begins, O-9.2.2; the market is filled afterwards."""
    return market.remove_lowest(begin_step(s, 2, when), when)


def sort_order(t: Tables, s: OutpostState, when: Array) -> OutpostState:
    """Largest network first, then the highest cards one by one, OR-09, then reversed: O-4.5."""
    own = s.owner == np.arange(t.players)[:, None]
    cards = jnp.sum(jnp.where(own[:, None], OF_NUMBER, 0), axis=2)  # [seat, word]
    network = s.network[: t.players]
    keys = jnp.concatenate([network[:, None], cards, s.order[:, None]], axis=1)
    weights = 1 << np.arange(keys.shape[1], dtype=np.int8)[::-1]  # the first decides
    ahead = jnp.sum(sign(keys[:, None] - keys[None]) * weights, axis=2, dtype=jnp.int8)
    order = jnp.sum(ahead < 0, axis=1, dtype=jnp.int8)
    return s.replace(order=jnp.where(when, order, s.order))


def sign(values: Array) -> Array:
    return jnp.sign(values).astype(jnp.int8)


def places(t: Tables, s: OutpostState) -> Array:
    """[seat] powered cities, then money, then network, O-10.3, O-10.4, OR-46; equals share."""
    powered = workers.most_powered(t, s)[: t.players].astype(jnp.int32)  # OR-47
    money = s.money.astype(jnp.int32)
    score = powered << 22 | money << 6 | s.network[: t.players]
    return jnp.sum(score[None] > score[:, None], axis=1, dtype=jnp.int8)
