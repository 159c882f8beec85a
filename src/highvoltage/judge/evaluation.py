"""What the judge says about a position."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Literal

from msgspec import Struct

Judge = Literal["exact", "network_ahead", "network", "director", "forecast"]
"""Who spoke: an exhaustive search of the last round; the network, after looking ahead or at first
sight; engineers who played on from here; their forecast at first sight."""

MARGIN_SIGMA = 2.0  # standard errors of a margin that is shown
SURE_SIGMA = 3.0  # standard errors beyond which a difference is no accident
MIN_LEAD = 0.01  # in chance to win; a smaller lead is no difference
PRIOR_SIGMA = 0.1  # prior spread of a difference between worlds

Chances = Sequence[float]  # by seat


def decision_key(text: str) -> str:
    """What a move decides, ignoring the amount of a bid and returned fuel.

    >>> decision_key("nominate 13 @14"), decision_key("bid 20"), decision_key("build essen")
    ('nominate 13', 'bid', 'build essen')
    """
    if text.startswith("bid "):
        return "bid"
    return text.partition(" @")[0].partition(" returning ")[0]


class MoveEvaluation(Struct, frozen=True):
    """A move: everybody's chances after it, and how far it is behind the best move.

    `behind` and its standard error `doubt` are for the seat to move, and measured in the same
    worlds; they are 0 for the best.
    """

    move: str
    chances: tuple[float, ...]
    errors: tuple[float, ...]
    behind: float = 0.0
    doubt: float = 0.0

    @property
    def is_worse(self) -> bool:
        """Whether it is worse than the best move beyond doubt."""
        return self.behind >= MIN_LEAD + SURE_SIGMA * self.doubt


class Evaluation(Struct, frozen=True):
    """A position: everybody's chances, with standard errors, and the moves, the best first."""

    judge: Judge
    seat: int  # to move
    chances: tuple[float, ...]
    errors: tuple[float, ...]
    moves: tuple[MoveEvaluation, ...]
    worlds: int
    seconds: float

    def after(self, move: str) -> MoveEvaluation | None:
        """What was found for a move."""
        return next((each for each in self.moves if each.move == move), None)

    @property
    def alternative(self) -> MoveEvaluation | None:
        """The best move that decides something else than the best one."""
        best = decision_key(self.moves[0].move)
        return next((each for each in self.moves if decision_key(each.move) != best), None)


def mean_chances(
    found: Sequence[Chances], prior: float = PRIOR_SIGMA
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The means by seat, and their standard errors."""
    means = tuple(fmean(each) for each in zip(*found, strict=True))
    deviations = [[each[seat] - mean for each in found] for seat, mean in enumerate(means)]
    return means, tuple(standard_error(each, prior) for each in deviations)


def in_all_worlds(found: Sequence[Chances], best: Sequence[Chances]) -> tuple[float, ...]:
    """The mean chances after a move that was tried in the first worlds only.

    What the best move gained or lost in the later worlds is added, so that the worlds do not decide
    which move looks better.
    """
    early, whole = (mean_chances(some)[0] for some in (best[: len(found)], best))
    pairs = zip(mean_chances(found)[0], early, whole, strict=True)
    shifted = [max(0.0, mean + late - first) for mean, first, late in pairs]
    return tuple(each / sum(shifted) for each in shifted)


def standard_error(deviations: Sequence[float], prior: float = PRIOR_SIGMA) -> float:
    """Of a mean, from the deviations; with a prior, a few equal values are not yet certain."""
    return sqrt(prior**2 + sum(each**2 for each in deviations)) / len(deviations)


def gain(
    found: Sequence[Chances], than: Sequence[Chances], seat: int, prior: float = PRIOR_SIGMA
) -> tuple[float, float]:
    """By how much a seat does better in the same worlds, and the standard error."""
    gains = [mine[seat] - other[seat] for mine, other in zip(found, than, strict=False)]
    mean = fmean(gains)
    return mean, standard_error([each - mean for each in gains], prior)
