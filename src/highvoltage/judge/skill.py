"""How well people play, by their moves: how far the judge would have decided in the same way."""

from collections.abc import Iterator, Sequence

import highvoltage as hv
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES
from highvoltage.engine.log import Row
from highvoltage.judge.estimates import Decision, Estimator

RECENT_DECISIONS = 16  # of a seat, which count
PRIOR_DECISIONS = 6  # usual ones that count as well, so that a few prove little


def skills(game: hv.Game, estimator: Estimator) -> list[float]:
    """For each seat the skill it has shown until this round; 0 is usual."""
    found: list[list[Decision]] = [[] for _ in game.names]
    for row, decision in open_decisions(game):
        if row.round < game.state.round:
            found[row.seat].append(decision)
    recent = [some[-RECENT_DECISIONS:] for some in found]
    agreed = iter(estimator.agreement([each for some in recent for each in some]))
    return [mean_skill([next(agreed) for _ in some]) for some in recent]


def open_decisions(game: hv.Game) -> Iterator[tuple[Row, Decision]]:
    """The moves of a game that had an alternative, in their order; without its preparation."""
    past = game.after(0)
    for row in game.log:
        if row.phase not in SETUP_PHASES and len(past.legal_moves) > 1:
            then = past.copy()
            yield row, Decision(then.lazy_view(row.seat), then.legal_moves, row.move)
        past.play(row.move)


def mean_skill(agreed: Sequence[float]) -> float:
    return sum(agreed) / (len(agreed) + PRIOR_DECISIONS)
