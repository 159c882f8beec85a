"""What nobody at the table can know, drawn anew; also the pile of fuel cards and reshuffles."""

import jax
import jax.numpy as jnp

from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import SMALL, Tables
from highvoltage.batch.dealing import places
from highvoltage.batch.hidden import redraw_deck
from highvoltage.batch.setup import ranks
from highvoltage.batch.state import Array


def redraw(t: Tables, s: CardState, key: Array) -> CardState:
    """A position that looks the same to everybody."""
    bits = jax.random.bits(jax.random.fold_in(key, 1), (t.fuel_cards + 2,))
    exists = jnp.arange(t.fuel_cards) < jnp.sum(s.shuffled, dtype=jnp.int8)
    waits = exists & (s.places >= s.drawn.astype(s.places.dtype))
    place = jnp.where(waits, places(ranks(bits[2:]), waits) + s.drawn, s.places)
    over = s.terminated
    return redraw_deck(s, key, (SMALL, ~SMALL), SMALL).replace(
        places=jnp.where(over, s.places, place).astype(s.places.dtype),
        seed=jnp.where(over, s.seed, bits[:2]),
    )
