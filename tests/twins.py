"""What tests of the batched games share."""

from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np

from highvoltage.batch.lockstep import Checker
from highvoltage.batch.state import GameState
from highvoltage.engine.game import Game
from highvoltage.testing import Setting

DECISIONS, EVERY = 300, 10


def starts(checker: Checker) -> GameState:
    """A batch of new games."""
    keys = jax.random.split(jax.random.key(1), checker.batch)
    state: GameState = checker.start(checker.draw_chance(keys))
    return state


def positions(setting: Setting) -> Iterator[Game]:
    """A random game at the beginnings of phases, and at some other decisions."""
    game, rng, phase = setting.new(5), np.random.default_rng(5), ""
    while game.to_move is not None and len(game.log) < DECISIONS:
        if game.phase != phase or len(game.log) % EVERY == 0:
            yield game
        phase, legal = game.phase, game.legal_moves
        game.play(legal[int(rng.integers(len(legal)))])


def p_value(counts: Sequence[Any]) -> float:
    """How likely such counts are, by chi-square: of things equally frequent, or rows of one law.

    SciPy's statistics, which take seconds to load, are loaded when they are asked for.
    """
    from scipy import stats  # type: ignore[import-untyped]  # noqa: PLC0415

    several = isinstance(counts[0], Sequence)
    found = stats.chi2_contingency(counts) if several else stats.chisquare(counts)
    return float(found.pvalue)
