"""Who is ahead in a position, at first sight: by a network, or by the forecasts of engineers.

An estimate has a logit for every seat. `correction` turns logits into chances.
"""

from collections.abc import Sequence
from math import log
from random import Random
from typing import Literal, NamedTuple, Protocol

import highvoltage as hv
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.tycoon.choosing import policy_of_game
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES, Policy
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.judge.evaluation import decision_key
from highvoltage.views import View

Kind = Literal["network", "forecast"]
MIN_CHANCE = 1e-4  # what a network says can never be less, so that logits are finite
MAX_SCORE = 40.0  # cities; a forecast beyond that is cut
LIKELY_MOVES = 24
MIN_PROBABILITY = 0.02  # a move that the network chooses less often is unlikely
USUAL_LOG = -0.7  # of the probability that the network gives to a move, among bots of all levels
USUAL_SHARE = 0.6  # of the moves that engineers would have made, too


class Decision(NamedTuple):
    """A move, and the position in which it was made."""

    view: View
    legal: Moves
    move: Move


class Estimator(Protocol):
    """Estimates positions of one game."""

    kind: Kind

    def logits(self, worlds: Sequence[hv.Game]) -> list[list[float]]:
        """For each of these running games a logit for every seat."""

    def agreement(self, decisions: Sequence[Decision]) -> list[float]:
        """How far it would have decided in the same way; 0 is usual."""


class NetworkEstimator:
    """What the tycoon's network says; while a game is being prepared, nobody is ahead."""

    kind: Kind = "network"

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def logits(self, worlds: Sequence[hv.Game]) -> list[list[float]]:
        prepared = [world for world in worlds if world.phase not in SETUP_PHASES]
        positions = [(world.lazy_view(_seat(world)), world.legal_moves) for world in prepared]
        found = iter(self.policy.evaluate_batch(positions, 1) if positions else ())
        return [
            [0.0] * len(world.names)
            if world.phase in SETUP_PHASES
            else [log(max(MIN_CHANCE, each)) for each in next(found).win_chances]
            for world in worlds
        ]

    def agreement(self, decisions: Sequence[Decision]) -> list[float]:
        """By the probability of the moves."""
        if not decisions:
            return []
        positions = [(each.view, each.legal) for each in decisions]
        found = self.policy.evaluate_batch(positions, LIKELY_MOVES)
        agreed = []
        for decision, said in zip(decisions, found, strict=True):
            same = sum(
                each.probability for each in said.candidates if is_same(each.move, decision.move)
            )
            agreed.append(log(max(MIN_PROBABILITY, same)) - USUAL_LOG)
        return agreed


class ForecastEstimator:
    """The scores that engineers expect at the end, in cities."""

    kind: Kind = "forecast"

    def __init__(self, rng: Random) -> None:
        self._engineer = Engineer(rng)
        self._critic = Engineer(Random(1))  # draws nothing from what others use

    def logits(self, worlds: Sequence[hv.Game]) -> list[list[float]]:
        return [[self._score(world, seat) for seat in range(len(world.names))] for world in worlds]

    def _score(self, world: hv.Game, seat: int) -> float:
        score = self._engineer.expected_score(world.lazy_view(seat))
        return max(-MAX_SCORE, min(MAX_SCORE, score))

    def agreement(self, decisions: Sequence[Decision]) -> list[float]:
        """By whether engineers make the same moves."""
        return [
            is_same(self._critic.choose(each.view, each.legal).move, each.move) - USUAL_SHARE
            for each in decisions
        ]


def is_same(move: Move, other: Move) -> bool:
    """Whether two moves decide the same, whatever is bid."""
    return decision_key(str(move)) == decision_key(str(other))


def estimator_for(world: hv.Game, rng: Random) -> Estimator:
    """The network where there is one for such a game, else the forecasts."""
    policy = policy_of_game(world.lazy_view(_seat(world)))
    return NetworkEstimator(policy) if policy else ForecastEstimator(rng)


def _seat(world: hv.Game) -> int:
    assert world.to_move is not None
    return world.to_move
