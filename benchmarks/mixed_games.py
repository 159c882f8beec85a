"""Games among mixed levels that do not search, and what the judge estimates on the way.

`benchmarks/chances.py` plays them and `benchmarks/calibration.py` reads them.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.tycoon.choosing import load_policy
from highvoltage.engine.log import Row
from highvoltage.judge import Judge, evaluate
from highvoltage.judge.estimates import (
    Estimator,
    ForecastEstimator,
    Kind,
    estimator_for,
)
from highvoltage.judge.skill import RECENT_DECISIONS, mean_skill, open_decisions

MAPS = ("germany", "usa", "italy", "central_europe", "france")
BOARD_GAMES = ("classic", "recharged")
UNTAUGHT_LEVELS = ("apprentice", "clerk", "engineer")
LEVELS = (*UNTAUGHT_LEVELS, "tycoon")
CELLS = [
    (rulebook, players)
    for rulebook in ("classic", "recharged", "cardgame", "outpost")
    for players in (2, 4, 6)
]
MAX_MOVES = 1_500
SAMPLED = 0.15  # share of the open decisions; the first of a round counts
AHEAD_BUDGET = "16"
DIGITS = 3


class Estimates(Struct, array_like=True, frozen=True):
    """A position: for each kind of estimate the logits of all seats, and the skills they showed."""

    round: int
    logits: dict[Kind, list[float]]
    skills: dict[Kind, list[float]]


class EstimatedGame(Struct, array_like=True, frozen=True):
    """A game with an estimate of each round, who played, and who won."""

    players: int
    levels: list[str]
    won: list[float]
    rounds: list[Estimates]


class AheadGame(Struct, array_like=True, frozen=True):
    """What the judge said of one position after looking ahead: knowing who plays, and not."""

    players: int
    levels: list[str]
    won: list[float]
    round: int
    judge: Judge
    known: list[float]
    unknown: list[float]


def levels_of(rulebook: str) -> tuple[str, ...]:
    """Without the tycoon where it was not trained."""
    return LEVELS if load_policy(rulebook) else UNTAUGHT_LEVELS


class MixedGame:
    """A game whose levels, map and deck follow from its name."""

    def __init__(self, rulebook: str, players: int, name: str) -> None:
        self.rng = Random(name)
        self.levels = [self.rng.choice(levels_of(rulebook)) for _ in range(players)]
        board = self.rng.choice(MAPS) if rulebook in BOARD_GAMES else None
        self.game = hv.new(rulebook, players=players, seed=name, map=board)
        self._seated = [bots.make(each, f"{name}/{seat}") for seat, each in enumerate(self.levels)]

    def rounds(self) -> Iterator[hv.Game]:
        """Play to the end, stopping at a decision of each round, early or late in it."""
        game, seen = self.game, 0
        while game.to_move is not None and len(game.log) < MAX_MOVES:
            now = game.state.round
            if now > seen and len(game.legal_moves) > 1 and self.rng.random() < SAMPLED:
                seen = now
                yield game
            game.play(bots.ask(self._seated[game.to_move], game).move)

    @property
    def won(self) -> list[float]:
        """The shares of the victory; nobody's, if the game did not end."""
        winners = self.game.outcome.winners if self.game.outcome else ()
        return [(seat in winners) / len(winners) for seat in range(len(self.levels))]


def estimated_game(rulebook: str, players: int, name: str) -> EstimatedGame | None:
    """Play a game, with estimates of every kind; None if it does not end."""
    return _play(rulebook, players, name, [ForecastEstimator(Random(1))])


def judged_game(rulebook: str, players: int, name: str) -> EstimatedGame | None:
    """Play a game, with what the judge sees in it; None if it does not end."""
    return _play(rulebook, players, name, [])


def _play(
    rulebook: str, players: int, name: str, estimators: list[Estimator]
) -> EstimatedGame | None:
    played = MixedGame(rulebook, players, name)
    found: list[tuple[int, dict[Kind, list[float]]]] = []
    for game in played.rounds():
        estimator = estimator_for(game, Random(1))
        if estimator.kind not in {each.kind for each in estimators}:
            estimators.append(estimator)
        logits = {each.kind: rounded(each.logits([game])[0]) for each in estimators}
        found.append((game.state.round, logits))
    if played.game.outcome is None:
        return None
    decided = [*open_decisions(played.game)]
    agreed = {
        each.kind: each.agreement([decision for _, decision in decided]) for each in estimators
    }
    rows = [row for row, _ in decided]
    return EstimatedGame(
        players,
        played.levels,
        played.won,
        [
            Estimates(
                now,
                logits,
                {kind: shown_skills(rows, agreed[kind], now, players) for kind in logits},
            )
            for now, logits in found
        ],
    )


def shown_skills(
    rows: Sequence[Row], agreed: Sequence[float], now: int, players: int
) -> list[float]:
    """As `judge.skill.skills`, of a game whose decisions were all compared once."""
    found = []
    for seat in range(players):
        some = [
            each
            for row, each in zip(rows, agreed, strict=True)
            if row.seat == seat and row.round < now
        ]
        found.append(mean_skill(some[-RECENT_DECISIONS:]))
    return rounded(found)


def ahead_game(rulebook: str, players: int, name: str) -> AheadGame | None:
    """Play a game and look ahead from one of its rounds; None if it does not end."""
    played = MixedGame(rulebook, players, name)
    positions = [game.copy() for game in played.rounds()]
    if played.game.outcome is None or not positions:
        return None
    game = played.rng.choice(positions)
    known, unknown = (
        evaluate(game, AHEAD_BUDGET, players=seats) for seats in (played.levels, [None] * players)
    )
    return AheadGame(
        players,
        played.levels,
        played.won,
        game.state.round,
        known.judge,
        rounded(known.chances),
        rounded(unknown.chances),
    )


def rounded(numbers: Sequence[float]) -> list[float]:
    return [round(each, DIGITS) for each in numbers]
