"""The Bank's fuel, K-8.6 to K-8.12; its plant is in `auction`."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame import columns, fuel
from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import FUELS, TYPES, UNITS, Tables
from highvoltage.batch.state import Array
from highvoltage.games.cardgame.tables import GAS, OIL

ON_CARDS = np.arange(1, UNITS + 1, dtype=np.int8)


def take_fuel(t: Tables, s: CardState, when: Array) -> CardState:
    """It takes what one run of its plants needs, K-8.7 to K-8.11."""
    bank = s.bank
    assert bank is not None
    need, mixed = (jnp.where(when, count, 0) for count in fuel.needs(bank.plants))
    singles = jnp.pad(s.column_1[None, :, None], ((0, 0), (0, 0), (0, UNITS - 1)))
    market = jnp.concatenate(
        [singles, s.columns.reshape(-1, FUELS, UNITS)]
    )  # [column, kind, units]

    # Plants of one fuel; what is left over of gas and oil is kept for hybrids, KR-36.
    taken, left = (jnp.swapaxes(part, 0, 1) for part in cheapest(jnp.swapaxes(market, 0, 1), need))
    over = jnp.sum(left, axis=(0, 2), dtype=jnp.int8)
    gas = jnp.minimum(over[GAS], mixed)
    oil = jnp.minimum(over[OIL], mixed - gas)
    kinds = jnp.arange(FUELS)
    over -= jnp.where(kinds == GAS, gas, jnp.where(kinds == OIL, oil, 0)).astype(jnp.int8)

    # Hybrids. If they need more, nothing is left over so far.
    either = (market - taken)[:, GAS : OIL + 1]
    all_kinds = ((0, 0), (GAS, FUELS - 1 - OIL), (0, 0))
    hybrid, beyond = (
        jnp.pad(part[0], all_kinds) for part in cheapest(either[None], (mixed - gas - oil)[None])
    )
    taken += hybrid
    left = jnp.where((over > 0)[:, None], left, 0) + beyond
    over += jnp.sum(beyond, axis=(0, 2), dtype=jnp.int8)

    units = jnp.sum(taken * ON_CARDS, axis=(0, 2), dtype=jnp.int8)
    cards = taken[1:].reshape(-1, TYPES)
    s = s.replace(
        column_1=s.column_1 - taken[0, :, 0],
        columns=s.columns - cards,
        bank=replace(
            bank,
            cards=bank.cards + jnp.sum(cards, axis=0, dtype=jnp.int8),
            singles=bank.singles + taken[0, :, 0],
            fuel=bank.fuel + units - over,
            turned=bank.turned + jnp.sum((left > 0) * ON_CARDS, axis=(0, 2), dtype=jnp.int8),
        ),
    )
    return columns.put_surplus(t, s, over)


def cheapest(cards: Array, need: Array) -> tuple[Array, Array]:
    """The cards that are taken, and the units on them beyond the need: K-8.8, K-8.9, KR-35.

    `cards` are counts for each need, [need, ..., units - 1], in the order that they are taken.
    """
    rows = cards.reshape(cards.shape[0], -1)
    units = np.tile(ON_CARDS, rows.shape[1] // UNITS)
    earlier = np.tri(rows.shape[1], k=-1, dtype=bool)
    upto = jnp.sum(jnp.where(earlier, (rows * units)[:, None], 0), axis=2, dtype=jnp.int8)
    wanted = need[:, None] - upto
    taken = jnp.clip((wanted + units - 1) // units, 0, rows)
    over = taken * units - jnp.clip(wanted, 0, taken * units)
    return taken.reshape(cards.shape), over.reshape(cards.shape)


def discard_fuel(s: CardState, when: Array) -> CardState:
    """Its fuel is gone whether or not its plants ran, K-8.12, KR-37."""
    bank = s.bank
    assert bank is not None
    return s.replace(
        discard=s.discard + jnp.where(when, bank.cards, 0),
        bank=replace(
            bank,
            cards=jnp.where(when, 0, bank.cards),
            singles=jnp.where(when, 0, bank.singles),
            fuel=jnp.where(when, 0, bank.fuel),
            turned=jnp.where(when, 0, bank.turned),
        ),
    )
