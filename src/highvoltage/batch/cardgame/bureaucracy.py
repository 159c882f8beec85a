"""Phase 3: run plants, earn, refill, renew the market, K-6; the turn order; the end, K-7."""

import jax
import jax.numpy as jnp

from highvoltage.batch.cardgame import columns, fuel, market
from highvoltage.batch.cardgame.state import CardState, is_last_card_used, number
from highvoltage.batch.cardgame.tables import Tables
from highvoltage.batch.state import Array, choose
from highvoltage.games.cardgame import tables


def run(t: Tables, s: CardState, when: Array, choice: Array) -> tuple[CardState, Array]:
    """Earn, K-6.1.3; also returns what is burnt."""
    mine = jnp.arange(t.players) == s.current_player
    burned, earned = fuel.burn(choose(s.plants, mine)[: t.limit], choice)
    earned = jnp.maximum(earned, tables.BASIC_INCOME)  # KR-24
    s = s.replace(
        money=s.money + jnp.where(mine & when, earned, 0),
        income=jnp.where(mine & when, earned, s.income),
    )
    return s, jnp.where(when, burned, 0).astype(jnp.int8)


def sort_order(s: CardState, when: Array) -> CardState:
    """By income, then by the highest plant, then reversed: K-4.7.4, K-6.2.1."""
    plant = number(fuel.highest(s.plants)).astype(jnp.int32)
    standing = (s.income.astype(jnp.int32) << 8 | plant) * 8 + s.order
    order = jnp.sum(standing[None] > standing[:, None], axis=1, dtype=jnp.int8)
    return s.replace(order=jnp.where(when, order, s.order))


def refill(t: Tables, s: CardState, when: Array) -> CardState:
    """Fuel comes, K-6.3; with every reshuffle the lowest plant goes, K-6.3.6."""
    s, reshuffles = columns.deal(t, columns.shift(t, s, when), when)
    for reshuffle in reshuffles:
        s = market.draw(market.remove_lowest(s, reshuffle), reshuffle, auction=False)
    return s


def clear_for_renewal(s: CardState, when: Array, end_in_auction: Array) -> tuple[CardState, Array]:
    """The highest plant slides under the deck, K-6.4.1, or the lowest leaves, K-6.4.3.

    Also returns whether another plant is drawn: not if END came in the refill, KR-28.
    """
    slides = when & ~is_last_card_used(s)
    s = market.slide_highest(s, slides)
    s = market.remove_lowest(s, when & end_in_auction)
    return s, slides | (when & end_in_auction)


def places(t: Tables, s: CardState) -> Array:
    """[seat] points, then money, then the highest plant, K-7.3 to K-7.5; equals share a place."""
    earned = jax.vmap(fuel.most)(s.plants[:, : t.limit], s.fuel).astype(jnp.int32)
    money = s.money.astype(jnp.int32)
    points = earned + money // tables.MONEY_PER_POINT
    plant = number(fuel.highest(s.plants)).astype(jnp.int32)
    score = points << 12 | money % tables.MONEY_PER_POINT << 8 | plant
    return jnp.sum(score[None] > score[:, None], axis=1, dtype=jnp.int8)
