"""A deck that is used up twice, without Steps, A-MAN-7 to A-MAN-9.

In the first stage plants are laid by; in the second they are the deck; in the third there is none.
"""

import jax.numpy as jnp

from highvoltage.batch.state import UNDER, WAITING, Array, State
from highvoltage.games.classic.steps import LAST_STAGE


def renew_deck(s: State, when: Array) -> tuple[State, Array]:
    """The deck is empty: the next stage begins. Also returns whether there is a deck again."""
    assert s.stage is not None
    when &= ~jnp.any(s.pile < UNDER) & (s.stage < LAST_STAGE)
    laid = s.pile == WAITING
    renewed = when & jnp.any(laid)
    stage = jnp.where(renewed, 2, LAST_STAGE)
    return s.replace(
        pile=jnp.where(renewed & laid, s.shuffle, s.pile),
        stage=jnp.where(when, stage, s.stage).astype(jnp.int8),
    ), renewed
