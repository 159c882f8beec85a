"""What tests of the batched games share."""

import jax

from highvoltage.batch.lockstep import Checker
from highvoltage.batch.state import GameState


def starts(checker: Checker) -> GameState:
    """A batch of new games."""
    keys = jax.random.split(jax.random.key(1), checker.batch)
    state: GameState = checker.start(checker.draw_chance(keys))
    return state
