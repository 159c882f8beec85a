"""The engineer on the batched games: what `bots/engineer` chooses, worked out for many at once.

As company for a learner it is better than a network that has watched the engineer: what beats this
one beats the engineer too. tests/bots/test_learning.py holds it to the bot's own choices. It rounds
in half the precision, so a few choices in a thousand differ, and it draws its own random numbers.
"""

import jax.numpy as jnp

from highvoltage.batch.state import (
    BID,
    BUILD,
    FUEL,
    MARK,
    NOMINATE,
    PLACE,
    RUN,
    SCRAP,
    Array,
    State,
)
from highvoltage.batch.tables import Tables
from learn.engineer.actions import build, buy, run, start
from learn.engineer.auction import auction, scrap
from learn.engineer.figures import Figures


def choice(t: Tables, s: State) -> Array:
    """The action of the engineer who is to move in one game."""
    figures = Figures(t, s)
    chosen = jnp.zeros((), jnp.int32)
    for modes, found in (
        ((NOMINATE, BID), auction(figures)),
        ((SCRAP,), scrap(figures)),
        ((FUEL,), buy(figures)),
        ((BUILD,), build(figures)),
        ((PLACE, MARK), start(figures)),
        ((RUN,), run(figures)),
    ):
        here = jnp.any(s.mode == jnp.asarray(modes))
        chosen = jnp.where(here, found, chosen)
    legal = s.legal_action_mask
    return jnp.where(legal[chosen], chosen, jnp.argmax(legal))
