"""The tycoon that looks ahead: it tries what it wants in worlds that fit what it has seen.

The moves it wants most are carried out in the same worlds. From each of them the network plays on
for about two rounds, in several games together, and then tells the chance to win. Not everybody
thinks as it does: strangers, who have lately chosen otherwise, are engineers in every second world.
The weaker half of the moves drops out by and by.
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
from highvoltage.bots.tycoon.policy import SETUP_PHASES, Candidate, Evaluation, Policy
from highvoltage.engine.moves import Move, Moves
from highvoltage.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_MOVES = 6  # moves that are tried
MIN_PROBABILITY = 0.02  # what it wants less than this is not tried
CLEAR_PROBABILITY = 0.98  # and what it wants more than this needs no trial
DEPTH = 54  # decisions that are played on, those that are forced aside: about two rounds
BATCH_SIZE = 12  # games that are played on at once
RECENT_MOVES = 100  # moves, of everybody: about four rounds
MIN_AGREEMENT = 0.75  # of its decisions lately, and a seat thinks as the network does
MIN_DECISIONS = 12  # decisions: where there are fewer, so much of these
CACHE_SIZE = 5_000  # positions and what was thought of them
PREFER_SIGMA = 1.0  # standard errors by which a move has to be better than the one it wants most
PRIOR_SIGMA = 0.05  # by how much a gain differs between worlds, as long as few have been seen


class Trial(NamedTuple):
    """A game in which a move is tried, and what plays on for strangers if not the network."""

    game: hv.Game
    engineers: Playout | None


class Search:
    """Trials of some moves, all in the same worlds."""

    def __init__(self, mind: Policy, view: View, rng: Random) -> None:
        self.policy = mind
        self.seat: int = view["seat"]
        self.worlds: Iterator[hv.Game] = hv.worlds(view, rng)
        self.engineer = Engineer(Random(rng.random()))
        self.with_engineers = cycle((True, False))
        self.strangers: set[int] = set()
        self.chances: dict[Move, list[float]] = {}
        self._begun: int = view["seq"]
        self._known: dict[tuple[object, ...], Evaluation] = {}  # by what has been seen since

    def best(self, wishes: list[Candidate], budget: Budget) -> Move:
        """The move that does best; the first unless another is better by more than chance."""
        first = wishes[0].move
        alive = [wish.move for wish in wishes]
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
            left = ceil(len(wishes) / 2 ** int(clock.used * stages))
            alive = sorted(alive, key=lambda move: -fmean(self.chances[move]))[: max(1, left)]
        found = alive[0]
        return found if self.better(found, first) else first

    def run_trials(self, moves: list[Move], clock: Deadline) -> None:
        """Some more worlds for each of the moves, as many as the budget allows at once."""
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
            asked = list[hv.Game]()
            for game, engineers in trials:
                seat = play_forced(game).to_move
                if engineers and seat in self.strangers:
                    game.play(engineers.move(seat))
                elif seat is not None:
                    asked.append(game)
            clock.check()
            for game, thought in zip(asked, self.evaluate(asked), strict=True):
                game.play(thought.candidates[0].move)
        running = [game for game in games if game.outcome is None]
        seen = iter(self.evaluate(running))
        return [self.win_chance(game, None if game.outcome else next(seen)) for game in games]

    def evaluate(self, games: list[hv.Game]) -> list[Evaluation]:
        """What the network makes of each; of those that look the same it thinks once."""
        known = self._known
        if len(known) > CACHE_SIZE:
            known.clear()
        looks = [(game.rules.top(game.state), *game.log[self._begun :]) for game in games]
        new = {look: game for look, game in zip(looks, games, strict=True) if look not in known}
        if new:
            known.update(
                zip(
                    new,
                    self.policy.evaluate_batch([*map(lazy_position, new.values())], 1),
                    strict=True,
                )
            )
        return [known[look] for look in looks]

    def win_chance(self, game: hv.Game, thought: Evaluation | None) -> float:
        """The chance to win: what the network thinks, or what has come of it."""
        if thought is not None:
            return thought.win_chances[self.seat]
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

    def reason(self, move: Move, now: float) -> Reason:
        """The chance to win at first sight and after the move, and the two best others."""
        tried = {each: round(100 * fmean(found)) for each, found in self.chances.items() if found}
        second, *more = sorted(
            (each for each in tried if each != move), key=lambda each: -tried[each]
        )
        values: dict[str, int | str] = {
            "chance": round(100 * now),
            "after": tried[move],
            "second": str(second),
            "next": tried[second],
        }
        if tried[second] >= tried[move]:
            return Reason("tycoon_close", values)
        if not more:
            return Reason("tycoon_ahead", values)
        values |= {"third": str(more[0]), "last": tried[more[0]]}
        return Reason("tycoon_ahead_two", values)


def unlike_seats(mind: Policy, world: hv.Game, me: int) -> set[int]:
    """The others, but for those who have lately chosen as the network would."""
    past = world.after(max(0, len(world.log) - RECENT_MOVES))
    chosen = list[tuple[int, Move]]()
    positions = list[tuple[View, Moves]]()
    for row in world.log[-RECENT_MOVES:]:
        if row.seat != me and row.phase not in SETUP_PHASES and len(past.legal_moves) > 1:
            chosen.append((row.seat, row.move))
            positions.append(lazy_position(past.copy()))
        past.play(row.move)
    agreed: dict[int, list[bool]] = {seat: [] for seat in range(len(world.names)) if seat != me}
    thoughts = mind.evaluate_batch(positions, 1) if positions else []
    for (seat, move), thought in zip(chosen, thoughts, strict=True):
        agreed[seat].append(thought.candidates[0].move == move)
    return {
        seat
        for seat, each in agreed.items()
        if sum(each) <= MIN_AGREEMENT * max(MIN_DECISIONS, len(each))
    }


def play_forced(game: hv.Game) -> hv.Game:
    """The same game, after what is forced."""
    while game.outcome is None and len(game.legal_moves) == 1:
        game.play(game.legal_moves[0])
    return game


def lazy_position(game: hv.Game) -> tuple[View, Moves]:
    assert game.to_move is not None
    return game.rules.lazy_view(game.state, game.to_move), game.legal_moves


def look_ahead(
    mind: Policy, view: View, thought: Evaluation, budget: Budget, rng: Random
) -> Choice | None:
    """The choice after looking ahead; None where there is nothing to look for."""
    wishes = [
        wish for wish in thought.candidates[:MAX_MOVES] if wish.probability >= MIN_PROBABILITY
    ]
    if len(wishes) < 2 or wishes[0].probability > CLEAR_PROBABILITY:
        return None
    search = Search(mind, view, rng)
    move = search.best(wishes, budget)
    if not any(search.chances.values()):
        return None
    return Choice(move, search.reason(move, thought.win_chances[search.seat]))
