"""Analysis of a finished game by the director: what it would have done instead.

Every decision is judged once (in an auction only the last of each bidder), which gives each
player's chance to win from round to round. The decisions that seem to lose most are judged again,
longer and in other worlds, and only confirmed losses count: nobody is blamed for the luck of a few
playouts, nor for what the tycoon would have done.

>>> import highvoltage as hv
>>> game = hv.new("cardgame", players=2, seed=1)
>>> for _ in range(6):
...     _ = game.play(game.legal_moves.choices[0])
>>> plan = plan_analysis(game, "2", seed="1")
>>> found = run_plan(plan, lambda task: judge_decision(game, task))
>>> found.names, len(found.curves)
(('Player 1', 'Player 2'), 2)
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from random import Random
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from highvoltage.bots.comparison import MoveComparison, compare_moves
from highvoltage.bots.director import MIN_WORLDS, Budget, read_budget
from highvoltage.engine.game import Game
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Bid, Move, Pass
from highvoltage.views import Reason

RECHECKED_DECISIONS = 16  # decisions that are judged again
RECHECK_FACTOR = 6  # times as long
CONFIRM_SIGMA = 2.0  # a loss is confirmed if the other move is better by so many standard errors


class JudgedDecision(Struct, frozen=True):
    """A decision: the chance to win after the move played, and after the best move.

    `why` is the reason for the better move, if there is one.
    """

    move: int  # its number in the game
    round: int
    phase: str
    seat: int
    played: str
    chance: float
    best: str
    best_chance: float
    why: Reason | None = None

    @property
    def loss(self) -> float:
        return self.best_chance - self.chance

    def without_loss(self) -> "JudgedDecision":
        """The same decision, counted as having no better move."""
        return replace(self, best=self.played, best_chance=self.chance, why=None)


class Analysis(Struct, frozen=True):
    """The decisions that had alternatives, largest losses first, and the chances to win.

    `curves` has a line for each seat: the chance in each round, None where it decided nothing.
    """

    names: tuple[str, ...]
    decisions: list[JudgedDecision]
    curves: list[list[float | None]]


class JudgeTask(Struct, frozen=True):
    """A decision to be judged. `done` is the share of the work already done."""

    move: int
    budget: Budget
    seed: str
    done: float
    recheck: bool = False


AnalysisPlan = Generator[JudgeTask, JudgedDecision | None, Analysis]


def plan_analysis(game: Game, budget: str, seed: str) -> AnalysisPlan:
    """Yield the tasks of an analysis; the caller sends back the judgement of each."""
    allowed = read_budget(budget)
    moves = len(game.log)
    effort = moves + RECHECK_FACTOR * RECHECKED_DECISIONS
    found: dict[int, JudgedDecision] = {}
    for move in range(1, moves + 1):
        if not _bids_again(game.log, move):
            judged = yield JudgeTask(move, allowed, seed, (move - 1) / effort)
            if judged:
                found[move] = judged
    curves = _curves(len(game.names), list(found.values()))
    suspects = sorted(found.values(), key=lambda each: -each.loss)[:RECHECKED_DECISIONS]
    found = {move: each.without_loss() for move, each in found.items()}
    longer = Budget(allowed.seconds * RECHECK_FACTOR, allowed.playouts * RECHECK_FACTOR)
    for nth, suspect in enumerate(suspects):
        done = (moves + RECHECK_FACTOR * nth) / effort
        judged = yield JudgeTask(suspect.move, longer, f"{seed}/again", done, recheck=True)
        if judged:
            found[judged.move] = judged
    return Analysis(game.names, sorted(found.values(), key=lambda each: -each.loss), curves)


def _bids_again(log: Sequence[Row], move: int) -> bool:
    """Whether this is a bid after which its seat decides again in the same auction."""
    row = log[move - 1]
    later = next((each for each in log[move:] if each.seat == row.seat), None)
    return (
        isinstance(row.move, Bid)
        and later is not None
        and later.round == row.round
        and isinstance(later.move, Bid | Pass)
    )


def partial_analysis(
    names: tuple[str, ...], judgements: Iterable[tuple[JudgeTask, JudgedDecision | None]]
) -> Analysis:
    """The part of an analysis that is already final while it is still running.

    These are the chances in the rounds judged so far, and the losses confirmed so far.
    """
    first: list[JudgedDecision] = []
    again: list[JudgedDecision] = []
    for task, judged in judgements:
        if judged:
            (again if task.recheck else first).append(judged)
    mistakes = [judged for judged in again if judged.loss > 0]
    return Analysis(
        names, sorted(mistakes, key=lambda each: -each.loss), _curves(len(names), first)
    )


def run_plan(plan: AnalysisPlan, answer: Callable[[JudgeTask], JudgedDecision | None]) -> Analysis:
    """Run an analysis, task by task."""
    try:
        task = next(plan)
        while True:
            task = plan.send(answer(task))
    except StopIteration as end:
        found: Analysis = end.value
        return found


def judge_decision(game: Game, task: JudgeTask) -> JudgedDecision | None:
    """Judge a decision; None if there was no alternative."""
    row = game.log[task.move - 1]
    then = game.after(task.move - 1)
    view = then.view(row.seat, history=True)
    rng = Random(f"{task.seed}/{task.move}")
    search = compare_moves(view, then.legal_moves, row.move, task.budget, rng)
    if search is None:
        return None
    best = max(search.values, key=lambda move: (search.mean(move), move == row.move))
    if task.recheck and not _confirmed(search, best, row.move):
        best = row.move
    return JudgedDecision(
        task.move,
        row.round,
        row.phase,
        row.seat,
        str(row.move),
        round(search.mean(row.move), 3),
        str(best),
        round(search.mean(best), 3),
        None if best == row.move else search.reason(best, row.move),
    )


def _confirmed(search: MoveComparison, best: Move, played: Move) -> bool:
    return len(search.values[best]) >= MIN_WORLDS and search.better(best, played, CONFIRM_SIGMA)


def _curves(seats: int, decisions: list[JudgedDecision]) -> list[list[float | None]]:
    """The mean chance to win after the moves played, by seat and round."""
    chances: dict[tuple[int, int], list[float]] = {}
    for judged in decisions:
        chances.setdefault((judged.seat, judged.round), []).append(judged.chance)
    means = {key: round(fmean(some), 3) for key, some in chances.items()}
    rounds = range(1, max((judged.round for judged in decisions), default=0) + 1)
    return [[means.get((seat, number)) for number in rounds] for seat in range(seats)]
