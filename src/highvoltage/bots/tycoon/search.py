"""The tycoon's search: it tries its candidate moves in worlds that fit what it has observed.

The likeliest moves are played in the same worlds. From each of them the network plays on for
about two rounds, in several games at once, and then estimates the chance to win. Other players may
think differently: seats that have lately chosen otherwise are played by engineers in every second
world. The weaker half of the moves drops out in stages.
"""

from itertools import chain, cycle
from math import ceil, log2, sqrt
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import highvoltage as hv
from highvoltage.bots.director import Budget, Deadline, OutOfTime, Playout
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES, Candidate, Evaluation, Policy
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_MOVES = 6  # moves tried
MIN_PROBABILITY = 0.02  # less likely moves are not tried
DEPTH = 54  # unforced decisions in a playout: about two rounds
BATCH_SIZE = 12  # games played on at once
RECENT_MOVES = 100  # moves of all seats: about four rounds
MIN_AGREEMENT = 0.75  # share of its recent decisions from which a seat counts as like the network
MIN_DECISIONS = 12  # the share is taken of at least so many decisions
CACHE_SIZE = 5_000  # evaluated positions
PREFER_SIGMA = 1.0  # standard errors by which a move has to beat the likeliest one
PRIOR_SIGMA = 0.05  # prior spread of a gain between worlds


class Trial(NamedTuple):
    """A game in which a move is tried; `engineers` play for strangers, if not the network."""

    game: hv.Game
    engineers: Playout | None


class Search:
    """Trials of some moves, all in the same worlds."""

    def __init__(self, policy: Policy, view: View, rng: Random) -> None:
        self.policy = policy
        self.seat: int = view["seat"]
        self.worlds: Iterator[hv.Game] = hv.worlds(view, rng)
        self.engineer = Engineer(Random(rng.random()))
        self.with_engineers = cycle((True, False))
        self.strangers: set[int] = set()
        self.chances: dict[Move, list[float]] = {}
        self._begun: int = view["seq"]
        self._known: dict[tuple[object, ...], Evaluation] = {}  # by the moves since

    def best(self, candidates: list[Candidate], budget: Budget) -> Move:
        """The move that does best; the first unless another is better beyond chance."""
        first = candidates[0].move
        alive = [candidate.move for candidate in candidates]
        self.chances = {move: [] for move in alive}
        stages = ceil(log2(len(alive)))
        clock = Deadline(budget)
        world = next(self.worlds)
        self.worlds = chain([world], self.worlds)
        self.strangers = unlike_seats(self.policy, world, self.seat)
        while len(alive) > 1 and clock.allows(len(alive)):
            try:
                self.run_trials(alive, clock)
            except OutOfTime:
                break
            left = ceil(len(candidates) / 2 ** int(clock.used * stages))
            alive = sorted(alive, key=lambda move: -fmean(self.chances[move]))[: max(1, left)]
        found = alive[0]
        return found if self.better(found, first) else first

    def run_trials(self, moves: list[Move], clock: Deadline) -> None:
        """Try each move in some more worlds, as many as the budget allows at once."""
        trials = list[Trial]()
        while len(trials) < BATCH_SIZE and clock.allows(len(trials) + len(moves)):
            world = next(self.worlds)
            engineers = bool(self.strangers) and next(self.with_engineers)
            for move in moves:
                game = world.copy()
                game.play(move)
                trials.append(Trial(game, Playout(game, self.engineer) if engineers else None))
        chances = self.play_on(trials, clock)
        clock.played += len(trials)
        for at, chance in enumerate(chances):
            self.chances[moves[at % len(moves)]].append(chance)

    def play_on(self, trials: list[Trial], clock: Deadline) -> list[float]:
        """The chance to win in each of the games, some decisions later."""
        games = [trial.game for trial in trials]
        for _ in range(DEPTH):
            to_evaluate = list[hv.Game]()
            for game, engineers in trials:
                seat = play_forced(game).to_move
                if engineers and seat in self.strangers:
                    game.play(engineers.move(seat))
                elif seat is not None:
                    to_evaluate.append(game)
            clock.check()
            for game, evaluation in zip(to_evaluate, self.evaluate(to_evaluate), strict=True):
                game.play(evaluation.candidates[0].move)
        running = [game for game in games if game.outcome is None]
        evaluations = iter(self.evaluate(running))
        return [
            self.win_chance(game, None if game.outcome else next(evaluations)) for game in games
        ]

    def evaluate(self, games: list[hv.Game]) -> list[Evaluation]:
        """The network's evaluation of each game; positions that look alike are evaluated once."""
        known = self._known
        if len(known) > CACHE_SIZE:
            known.clear()
        keys = [(game.rules.top(game.state), *game.log[self._begun :]) for game in games]
        new = {key: game for key, game in zip(keys, games, strict=True) if key not in known}
        if new:
            known.update(
                zip(
                    new,
                    self.policy.evaluate_batch([*map(lazy_position, new.values())], 1),
                    strict=True,
                )
            )
        return [known[key] for key in keys]

    def win_chance(self, game: hv.Game, evaluation: Evaluation | None) -> float:
        """The chance to win: the network's estimate, or the outcome of a game that is over."""
        if evaluation is not None:
            return evaluation.win_chances[self.seat]
        assert game.outcome is not None
        winners = game.outcome.winners
        return (self.seat in winners) / len(winners)

    def better(self, move: Move, than: Move) -> bool:
        pairs = zip(self.chances[move], self.chances[than], strict=False)
        gains = [mine - other for mine, other in pairs]
        if not gains:
            return False
        mean = fmean(gains)
        spread = PRIOR_SIGMA**2 + sum((gain - mean) ** 2 for gain in gains)
        return mean > PREFER_SIGMA * sqrt(spread) / len(gains)

    def reason(self, move: Move) -> Reason:
        """The best alternative."""
        tried = {each: fmean(found) for each, found in self.chances.items() if found}
        second = max((each for each in tried if each != move), key=lambda each: tried[each])
        return Reason("tycoon_ahead", {"second": str(second)})


def unlike_seats(policy: Policy, world: hv.Game, me: int) -> set[int]:
    """The other seats, except those that have lately chosen as the network would."""
    past = world.after(max(0, len(world.log) - RECENT_MOVES))
    chosen = list[tuple[int, Move]]()
    positions = list[tuple[View, Moves]]()
    for row in world.log[-RECENT_MOVES:]:
        if row.seat != me and row.phase not in SETUP_PHASES and len(past.legal_moves) > 1:
            chosen.append((row.seat, row.move))
            positions.append(lazy_position(past.copy()))
        past.play(row.move)
    agreed: dict[int, list[bool]] = {seat: [] for seat in range(len(world.names)) if seat != me}
    evaluations = policy.evaluate_batch(positions, 1) if positions else []
    for (seat, move), evaluation in zip(chosen, evaluations, strict=True):
        agreed[seat].append(evaluation.candidates[0].move == move)
    return {
        seat
        for seat, each in agreed.items()
        if sum(each) <= MIN_AGREEMENT * max(MIN_DECISIONS, len(each))
    }


def play_forced(game: hv.Game) -> hv.Game:
    """The same game, after its forced moves."""
    while game.outcome is None and len(game.legal_moves) == 1:
        game.play(game.legal_moves[0])
    return game


def lazy_position(game: hv.Game) -> tuple[View, Moves]:
    assert game.to_move is not None
    return game.rules.lazy_view(game.state, game.to_move), game.legal_moves


def look_ahead(
    policy: Policy, view: View, evaluation: Evaluation, budget: Budget, rng: Random
) -> Choice | None:
    """The choice after a search; None where there is nothing to search."""
    candidates = [
        each for each in evaluation.candidates[:MAX_MOVES] if each.probability >= MIN_PROBABILITY
    ]
    if len(candidates) < 2:
        return None
    search = Search(policy, view, rng)
    move = search.best(candidates, budget)
    if not any(search.chances.values()):
        return None
    return Choice(move, search.reason(move))
