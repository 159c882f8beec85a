"""What tests of the batched games share."""

from collections.abc import Sequence
from typing import Any

import jax

from highvoltage.batch.lockstep import Checker
from highvoltage.batch.state import GameState


def starts(checker: Checker) -> GameState:
    """A batch of new games."""
    keys = jax.random.split(jax.random.key(1), checker.batch)
    state: GameState = checker.start(checker.draw_chance(keys))
    return state


def p_value(counts: Sequence[Any]) -> float:
    """How likely such counts are, by chi-square: of things equally frequent, or rows of one law.

    SciPy's statistics, which take seconds to load, are loaded when they are asked for.
    """
    from scipy import stats  # type: ignore[import-untyped]  # noqa: PLC0415

    several = isinstance(counts[0], Sequence)
    found = stats.chi2_contingency(counts) if several else stats.chisquare(counts)
    return float(found.pvalue)
