"""Evaluates a position: exactly where that is possible, else in worlds that fit the view."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from random import Random
from statistics import fmean
from time import perf_counter

import highvoltage as hv
from highvoltage.bots.director import (
    PLAYOUTS_PER_PLAN,
    ROUND_SECONDS,
    Budget,
    Deadline,
    OutOfTime,
    Playout,
    Search,
    read_budget,
)
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.moves import Bid, Move, Pass
from highvoltage.judge.estimates import LIKELY_MOVES, MIN_PROBABILITY
from highvoltage.judge.evaluation import (
    MARGIN_SIGMA,
    MIN_LEAD,
    PRIOR_SIGMA,
    Chances,
    Evaluation,
    Judge,
    MoveEvaluation,
    decision_key,
    gain,
    in_all_worlds,
    mean_chances,
)
from highvoltage.judge.exact import ExactSearch, TooLarge
from highvoltage.judge.standing import SeatStanding, difference, mean_standing, outlook
from highvoltage.judge.trials import Trials
from highvoltage.views import View

EXACT_POSITIONS = 20_000  # the most positions of an exact search
POSITIONS_PER_PLAYOUT = 60  # positions of an exact search that take as long as a playout
EXACT_WORLDS = 2
MAX_MOVES = 6  # moves that are tried, besides those that are asked for
FIRST_SIGHT_WORLDS = 2
FIRST_SIGHT_ERROR = 0.05  # standard error of a chance at first sight
DROP_SIGMA = 3.5  # standard errors by which a move that drops out is worse
FIRST_WORLDS = 8  # worlds after which moves may drop out

MoveKey = Move | None


class Judgement:
    """One evaluation in the making."""

    def __init__(
        self,
        view: View,
        players: Sequence[str | None],
        budget: Budget | None,
        seed: str,
        skills: Sequence[float] | None,
    ) -> None:
        self.began = perf_counter()
        self.most_worlds: float = inf
        self.rng = Random(f"judge/{seed}")
        self.view = view
        self.budget = budget
        seats = len(view["players"])
        self.trials = Trials(view, [*players, *[None] * seats][:seats], self.rng, skills)
        self.seat = self.trials.seat
        self.legal = self.trials.legal
        self.clock = Deadline(budget or Budget(playouts=1))
        effort = (budget or Budget(playouts=1)).effort(ROUND_SECONDS)
        self.search = Search(view, self.trials.engineer, self.rng, self.clock, effort)
        self.advised: Choice = self.trials.engineer.choose(view, self.legal)

    def evaluate(self, asked: Sequence[Move]) -> Evaluation:
        """By the best judge that the position and the budget allow."""
        if exact := self._exact():
            return exact
        moves = self.candidates(asked)
        if self.budget is None:
            return self._at_first_sight(moves)
        return self._in_trials(moves, {*asked})

    def candidates(self, asked: Sequence[Move]) -> list[Move]:
        """The moves that are worth a thought: those asked for, the bots' choices, and others."""
        found = [*asked]
        if isinstance(self.legal.choices[-1], Bid):
            self.trials.least_bid = limit_of(self.advised)
            if not any(isinstance(move, Bid) for move in asked):
                found.append(self.legal.choices[-1])
            return [*dict.fromkeys([*found, Pass()])]
        found.append(self.advised.move)
        if network := self.trials.adviser:
            said = network.evaluate(self.view, self.legal, LIKELY_MOVES)
            found += different([each.move for each in said.candidates])[: MAX_MOVES // 2]
        wider = self.search.plans(self.legal, self.advised)
        most = max(2, MAX_MOVES if self.budget is None else self._most_moves())
        return [*dict.fromkeys([*found, *wider])][: max(most, len({*found}))]

    def _most_moves(self) -> int:
        return min(MAX_MOVES, self.search.effort.playouts // PLAYOUTS_PER_PLAN)

    def _exact(self) -> Evaluation | None:
        """By an exhaustive search, if this is the last round and there is little to search."""
        if self.view["phase"] == self.trials.world(0).rules.phases[0].name or not self._may_end():
            return None
        most = min(EXACT_POSITIONS, POSITIONS_PER_PLAYOUT * self.search.effort.playouts)
        moves: dict[MoveKey, list[Chances]] = {}
        try:
            for number in range(EXACT_WORLDS):
                search = ExactSearch(self.trials.world(number), most)
                moves.setdefault(None, []).append(search.position())
                for move, chances in search.moves().items():
                    moves.setdefault(move, []).append(chances)
        except TooLarge:
            return None
        return self._evaluation("exact", moves)

    def _may_end(self) -> bool:
        """Whether the game ends with this round if engineers play on."""
        playout = Playout(self.trials.world(0).copy(), self.trials.engineer)
        while (seat := playout.state.actor) is not None:
            if playout.state.round != self.view["round"]:
                return False
            playout.play(seat, playout.move(seat))
        return True

    def _at_first_sight(self, moves: list[Move]) -> Evaluation:
        """What the position, and each move, looks like without playing on."""
        found: dict[MoveKey, list[Chances]] = {}
        for number in range(FIRST_SIGHT_WORLDS):
            world = self.trials.world(number)
            games = [world]
            for move in moves:
                games.append(world.copy())
                games[-1].play(move)
            for key, chances in zip([None, *moves], self.trials.first_sight(games), strict=True):
                found.setdefault(key, []).append(chances)
        return self._evaluation("network" if self.trials.policy else "forecast", found)

    def _in_trials(self, moves: list[Move], asked: set[Move]) -> Evaluation:
        """From games played on; moves that are clearly worse drop out on the way."""
        alive: list[MoveKey] = [None, *moves] if len(moves) > 1 else [None]
        done = 0
        try:
            while (
                done < self.most_worlds
                and self.clock.allows(len(alive))
                and (len(alive) > 1 or done < FIRST_WORLDS)
            ):
                self.trials.run(alive, range(done, done + 2), self.clock)
                done += 2
                if done >= FIRST_WORLDS and len(moves) > 1:
                    alive = self._open(alive, asked)
        except OutOfTime:
            pass
        if not self.trials.chances:
            return self._at_first_sight(moves)
        if len(moves) == 1:
            self.trials.chances[moves[0]] = self.trials.chances[None]
            self.trials.ends[moves[0]] = self.trials.ends[None]
        if not self.trials.left_round:
            self._take_best()
        return self._evaluation(
            "network_ahead" if self.trials.policy else "director", self.trials.chances
        )

    def _take_best(self) -> None:
        """In a last round the seat to move takes what is better than what those playing on did."""
        found = self.trials.chances
        best = best_of({move: some for move, some in found.items() if move is not None}, self.seat)
        lead, error = gain(found[best], found[None], self.seat)
        if lead > MARGIN_SIGMA * error:
            found[None] = found[best]

    def _open(self, alive: list[MoveKey], asked: set[Move]) -> list[MoveKey]:
        """Without the moves that are worse beyond doubt; those asked for stay while it matters."""
        found = self.trials.chances
        moves = [move for move in alive if move is not None]
        best = best_of({move: found[move] for move in moves}, self.seat)
        still = []
        for move in moves:
            lead, error = gain(found[best], found[move], self.seat)
            if move == best or lead < MIN_LEAD + DROP_SIGMA * error:
                still.append(move)
        settled = asked and not asked & {*still}
        return [None, *still] if len(still) > 1 and not settled else []

    def _evaluation(self, judge: Judge, found: dict[MoveKey, list[Chances]]) -> Evaluation:
        at_sight, prior = judge in {"network", "forecast"}, 0.0 if judge == "exact" else PRIOR_SIGMA
        unsure = (FIRST_SIGHT_ERROR,) * len(self.view["players"])
        chances, errors = mean_chances(found[None], prior)
        tried = {move: some for move, some in found.items() if move is not None}
        best = best_of(tried, self.seat)
        moves = []
        for move, some in tried.items():
            after, doubts = in_all_worlds(some, tried[best]), mean_chances(some, prior)[1]
            behind, doubt = gain(tried[best], some, self.seat, prior)
            lag = (max(0.0, behind), FIRST_SIGHT_ERROR if at_sight else doubt)
            moves.append(
                MoveEvaluation(
                    str(move),
                    after,
                    unsure if at_sight else doubts,
                    *((0.0, 0.0) if move == best else lag),
                )
            )
        moves.sort(key=lambda each: (-each.chances[self.seat], each.behind))
        return Evaluation(
            judge,
            self.seat,
            chances,
            unsure if at_sight else errors,
            tuple(moves),
            len(found[None]),
            perf_counter() - self.began,
        )

    def wins_more(self, move: Move, than: Move) -> bool:
        """Whether a move also wins more, by more than a standard error, in games played to the end.

        That takes as much as the evaluation may take. Forecasts tend to be wrong in all worlds.
        """
        assert self.budget is not None
        clock = Deadline(self.budget)
        found: list[Chances] = []
        others: list[Chances] = []
        try:
            for number in count():
                if not clock.allows(2):
                    break
                won = self.trials.play_out(move, number, clock)
                others.append(self.trials.play_out(than, number, clock))
                found.append(won)
        except OutOfTime:
            pass
        if not others:
            return False
        lead, error = gain(found, others, self.seat)
        return lead > error

    def is_unlikely(self, move: Move) -> bool:
        """Whether the network would never make this move, and so may misjudge it."""
        network = self.trials.adviser
        if network is None or move == self.advised.move:
            return False
        said = network.evaluate(self.view, self.legal, LIKELY_MOVES)
        likely = [each.move for each in said.candidates if each.probability >= MIN_PROBABILITY]
        return move not in likely

    def reason(self, move: str, than: str) -> Reason:
        """Why a move is better than another, in the words of the game."""
        best, other = self.end_of(move), self.end_of(than)
        if best and other and (why := difference(self.view["family"], best, other, than)):
            return why
        if move == str(self.advised.move):
            return self.advised.why
        return Reason("wins_more", {"than": than})

    def comparison(self, move: str, than: str) -> Reason | None:
        """What a move gains over another, or else where both lead; None at first sight."""
        best, other = self.end_of(move), self.end_of(than)
        if best is None or other is None:
            return None
        family = self.view["family"]
        return difference(family, best, other, than) or outlook(family, best, other, than)

    def play_on(self, moves: Sequence[str], worlds: int) -> None:
        """Play on from moves that were searched exactly, to see where they lead."""
        parse = self.trials.world(0).parse
        with suppress(OutOfTime):
            self.trials.run([parse(move) for move in moves], range(worlds), self.clock)

    def end_of(self, move: str) -> SeatStanding | None:
        """Where a move leads, on average, if it was played on from."""
        ends = next((some for key, some in self.trials.ends.items() if str(key) == move), None)
        return mean_standing(ends) if ends else None


def best_of(found: Mapping[Move, Sequence[Chances]], seat: int) -> Move:
    """The best move for a seat, of those that were tried in the most worlds."""
    return max(
        found, key=lambda move: (len(found[move]), fmean(each[seat] for each in found[move]))
    )


def different(moves: Sequence[Move]) -> list[Move]:
    """The first of the moves for each thing that they decide."""
    found: dict[str, Move] = {}
    for move in moves:
        found.setdefault(decision_key(str(move)), move)
    return [*found.values()]


def make_judgement(
    position: View | hv.Game,
    budget: str | Budget | None = None,
    *,
    players: Sequence[str | None] = (),
    seed: str = "1",
    skills: Sequence[float] | None = None,
) -> Judgement:
    """An evaluation to be made, for callers who also want to know where the moves lead.

    `skills` are those that people have shown, if that is known already (`judge.skill`).
    """
    view = position
    if isinstance(position, hv.Game):
        assert position.to_move is not None, "the game is over"
        view = position.view(position.to_move, history=True)
    assert isinstance(view, dict)
    allowed = read_budget(budget) if isinstance(budget, str) else budget
    return Judgement(view, players, allowed, seed, skills)


def evaluate(
    position: View | hv.Game,
    budget: str | Budget | None = None,
    *,
    players: Sequence[str | None] = (),
    moves: Sequence[Move] = (),
    seed: str = "1",
) -> Evaluation:
    """Everybody's chance to win, and after each move that is worth a thought.

    `position` is the view of the seat to move with its history; of a game, only that is read.
    `budget` is as for a bot that searches; without one, the judge says what it sees at first sight.
    `players` are the names of the bots by seat, None for people. `moves` are evaluated in any case.
    The same seed gives the same evaluation if the budget is a number of playouts.
    """
    return make_judgement(position, budget, players=players, seed=seed).evaluate(moves)
