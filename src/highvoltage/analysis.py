"""Analysis of a finished game by the judge: who was ahead when, and what cost most.

The position at the start of every round is evaluated at first sight, which gives a line for each
player; in every round they sum to 1. Every decision of a person is judged once (in an auction only
the last of each bidder). Those that seem to have cost most, and those that the network would never
make and so may misjudge, are judged again, longer and in other worlds. Only what is worse beyond
doubt counts; where forecasts judge, only if it also wins less when the games are played to their
end. Where only bots played, all their decisions are judged.

>>> import highvoltage as hv
>>> game = hv.new("cardgame", players=2, seed=1)
>>> for _ in range(6):
...     _ = game.play(game.legal_moves.choices[0])
>>> plan = plan_analysis(game, "2", seed="1")
>>> found = run_plan(plan, lambda task: judge_decision(game, task))
>>> found.names, len(found.curves), sum(curve[0] for curve in found.curves)
(('Player 1', 'Player 2'), 2, 1.0)
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from highvoltage.bots.director import Budget, read_budget
from highvoltage.bots.protocol import Values
from highvoltage.engine.events import Sold
from highvoltage.engine.game import Game
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Bid, Pass
from highvoltage.judge import Judge, make_judgement
from highvoltage.judge.evaluation import MARGIN_SIGMA
from highvoltage.views import Reason

VERSION = 3  # of what an analysis says: older ones are made anew
RECHECKED_DECISIONS = 12  # decisions that are judged again
RECHECK_FACTOR = 6  # times as long
SURPRISE = 0.05  # what a move that the network never makes may have cost, before it is looked at
TURN = 0.15  # a change in somebody's chance within a round that makes a turning point
MAX_TURNS = 3
BUILDING = {"build", "start"}


class JudgedDecision(Struct, frozen=True, tag=True):
    """A decision: the chance to win after the move played, and after the best move.

    `error` is the standard error of the difference, measured in the same worlds. `why` is the
    reason for the better move, if there is one; `suspicion` is what the move may have cost, before
    it is looked at more closely.
    """

    move: int  # its number in the game
    round: int
    phase: str
    seat: int
    played: str
    chance: float
    best: str
    best_chance: float
    error: float
    why: Reason | None = None
    suspicion: float = 0.0

    @property
    def loss(self) -> float:
        return self.best_chance - self.chance

    @property
    def cost(self) -> tuple[float, float]:
        """What the decision cost at least, and at most: never more than there was to lose."""
        margin = MARGIN_SIGMA * self.error
        return max(0.0, self.loss - margin), min(self.best_chance, self.loss + margin)


class JudgedRound(Struct, frozen=True, tag=True):
    """Everybody's chance to win when a round began; they sum to 1.

    `skills` are what people have shown by then: the decisions of the round are judged with them.
    """

    round: int
    chances: tuple[float, ...]
    judge: Judge
    skills: tuple[float, ...] = ()


class TurningPoint(Struct, frozen=True):
    """A round in which somebody's chance changed a lot."""

    round: int
    seat: int
    before: float
    after: float


class GameLine(Struct, frozen=True):
    """The line of a game: who was ahead when.

    `curves` has a line for each seat: its chance at the start of each round, and at the end what
    came of it. In every round the lines sum to 1.
    """

    names: tuple[str, ...]
    curves: list[list[float]]
    turns: list[TurningPoint]
    complete: bool  # every round that was played has been judged
    over: bool  # the last point is what came of it


class Analysis(Struct, frozen=True):
    """The decisions that cost something beyond doubt, the costliest first, and the line so far."""

    names: tuple[str, ...]
    decisions: list[JudgedDecision]
    curves: list[list[float]]
    turns: list[TurningPoint]
    judges: tuple[Judge, ...]  # who spoke
    version: int


class JudgeTask(Struct, frozen=True):
    """Something to be judged: a decision, or the start of a round.

    `done` is the share of the work already done. `players` are the bots by seat, None for people;
    `skills` are what people have shown, where that is known.
    """

    move: int
    budget: Budget | None
    seed: str
    done: float
    kind: str = "decision"  # or "round", or "recheck"
    players: tuple[str | None, ...] = ()
    skills: tuple[float, ...] | None = None


Judged = JudgedDecision | JudgedRound
AnalysisPlan = Generator[JudgeTask, Judged | None, Analysis]


def plan_analysis(
    game: Game,
    budget: str,
    seed: str,
    players: Sequence[str | None] = (),
    own: Sequence[bool] | None = None,
) -> AnalysisPlan:
    """Yield the tasks of an analysis; the caller sends back the judgement of each.

    `players` are the bots by seat, None for people. `own` says for each move whether the person in
    the seat decided it; without it, all moves count.
    """
    allowed = read_budget(budget)
    rounds = round_starts(game)
    moves = [
        move
        for move in range(1, len(game.log) + 1)
        if not _bids_again(game.log, move) and (own is None or own[move - 1])
    ]
    effort = len(rounds) + len(moves) + RECHECK_FACTOR * RECHECKED_DECISIONS
    seats = tuple(players)
    found: list[tuple[JudgeTask, Judged | None]] = []
    for at, move in enumerate([*rounds, *moves]):
        if at < len(rounds):
            task = round_task(move, seats, at / effort)
        else:
            skills = _skills(found, game.log[move - 1].round)
            task = JudgeTask(move, allowed, seed, at / effort, "decision", seats, skills)
        found.append((task, (yield task)))
    decided = [judged for _, judged in found if isinstance(judged, JudgedDecision)]
    suspects = sorted(
        (each for each in decided if each.suspicion > 0), key=lambda each: -each.suspicion
    )
    longer = Budget(allowed.seconds * RECHECK_FACTOR, allowed.playouts * RECHECK_FACTOR)
    for nth, suspect in enumerate(suspects[:RECHECKED_DECISIONS]):
        done = (len(rounds) + len(moves) + RECHECK_FACTOR * nth) / effort
        skills = _skills(found, suspect.round)
        task = JudgeTask(suspect.move, longer, f"{seed}/again", done, "recheck", seats, skills)
        found.append((task, (yield task)))
    return make_analysis(game, found)


def round_task(move: int, players: tuple[str | None, ...], done: float = 0.0) -> JudgeTask:
    """The start of a round, at first sight; always the same worlds, so that all lines agree."""
    return JudgeTask(move, None, "1", done, "round", players)


def _skills(
    found: Iterable[tuple[JudgeTask, Judged | None]], round_: int
) -> tuple[float, ...] | None:
    """What people had shown when a round began, if that has been judged."""
    for _, judged in found:
        if isinstance(judged, JudgedRound) and judged.round == round_:
            return judged.skills
    return None


def make_analysis(game: Game, judgements: Iterable[tuple[JudgeTask, Judged | None]]) -> Analysis:
    """What is certain so far, whether all has been judged or not."""
    rounds: list[JudgedRound] = []
    costly: list[JudgedDecision] = []
    for task, judged in judgements:
        if isinstance(judged, JudgedRound):
            rounds.append(judged)
        elif judged is not None and task.kind == "recheck" and judged.best != judged.played:
            costly.append(judged)
    line = make_line(game, rounds)
    return Analysis(
        game.names,
        sorted(costly, key=lambda each: -each.cost[0]),
        line.curves,
        line.turns,
        tuple(dict.fromkeys(each.judge for each in rounds)),
        VERSION,
    )


def make_line(game: Game, rounds: Sequence[JudgedRound]) -> GameLine:
    """The line as far as rounds have been judged, one after another."""
    columns = [each.chances for each in rounds]
    complete = len(rounds) == len(round_starts(game))
    outcome = game.outcome if complete else None
    if outcome is not None:
        winners = outcome.winners
        columns.append(tuple((seat in winners) / len(winners) for seat in range(len(game.names))))
    curves = [[round(each[seat], 4) for each in columns] for seat in range(len(game.names))]
    turns = _turning_points(columns)
    return GameLine(game.names, curves, turns, complete, over=outcome is not None)


def _turning_points(columns: Sequence[Sequence[float]]) -> list[TurningPoint]:
    """The largest changes from one round to the next, in their order."""
    found = []
    for number, (before, after) in enumerate(pairwise(columns), 1):
        seat = max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))
        found.append(TurningPoint(number, seat, round(before[seat], 4), round(after[seat], 4)))
    found = [each for each in found if abs(each.after - each.before) >= TURN]
    largest = sorted(found, key=lambda each: -abs(each.after - each.before))[:MAX_TURNS]
    return sorted(largest, key=lambda each: each.round)


def round_starts(game: Game) -> list[int]:
    """The first move of every round; of a round that only begins, the one to come."""
    rounds = [row.round for row in game.log]
    if game.to_move is not None:
        rounds.append(game.state.round)
    seen, found = 0, []
    for move, round_ in enumerate(rounds, 1):
        if round_ > seen:
            seen = round_
            found.append(move)
    return found


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


def run_plan(plan: AnalysisPlan, answer: Callable[[JudgeTask], Judged | None]) -> Analysis:
    """Run an analysis, task by task."""
    try:
        task = next(plan)
        while True:
            task = plan.send(answer(task))
    except StopIteration as end:
        found: Analysis = end.value
        return found


def judge_decision(game: Game, task: JudgeTask) -> Judged | None:
    """Judge a decision, or the start of a round; None if there was no alternative."""
    then = game.after(task.move - 1)
    if task.kind == "round":
        judgement = make_judgement(then, players=task.players, seed=task.seed)
        said = judgement.evaluate(())
        return JudgedRound(then.state.round, said.chances, said.judge, (*judgement.trials.skills,))
    if len(then.legal_moves) == 1:
        return None
    row = game.log[task.move - 1]
    seed = f"{task.seed}/{task.move}"
    judgement = make_judgement(
        then, task.budget, players=task.players, seed=seed, skills=task.skills
    )
    if task.kind == "decision" and judgement.trials.policy:
        judgement.budget = None  # at first sight; those that matter are looked at again
    said = judgement.evaluate([row.move])
    played = said.after(str(row.move))
    assert played is not None
    best = said.moves[0]
    if task.kind == "recheck" and not played.is_worse:
        return None
    if task.kind == "recheck" and said.judge == "director":
        better = then.parse(best.move)
        if not judgement.wins_more(better, than=row.move):
            return None
    worse = played.behind > 0
    why = None
    if worse:
        why = judgement.reason(best.move, than=str(row.move))
        why = Reason(why.code, {**why.values, **aftermath(game, task.move, best.move)})
    return JudgedDecision(
        task.move,
        row.round,
        row.phase,
        row.seat,
        str(row.move),
        round(played.chances[row.seat], 4),
        best.move if worse else str(row.move),
        round(min(1.0, played.chances[row.seat] + played.behind), 4),
        round(played.doubt, 4),
        why,
        played.behind + (SURPRISE if judgement.is_unlikely(row.move) else 0.0),
    )


def aftermath(game: Game, move: int, best: str) -> Values:
    """What happened to what a decision was about: who bought the card, or built in the city.

    It is the card or city of the better move; if that has none, the card of the move played.
    """
    later = game.log[move - 1 :]
    card = _card(game.log, move, best)
    if best.partition(" ")[0] in BUILDING:
        built = next((row for row in later if str(row.move) == best), None)
        if built is None:
            return {}
        city = best.rpartition(" ")[2]
        values: Values = {"built_by": 1, "built": city, "built_round": built.round}
        return values | {"builder": game.names[built.seat]}
    card = card or _card(game.log, move, str(later[0].move))
    for row in later:
        for event in row.events:
            if isinstance(event, Sold) and event.card == card and event.seat >= 0:
                values = {"sold_to": 1, "sold": card, "sold_price": event.amount}
                return values | {"sold_round": row.round, "buyer": game.names[event.seat]}
    return {}


def _card(log: Sequence[Row], move: int, text: str) -> str | None:
    """The card that a move of an auction is about."""
    verb, *words = text.split()
    if verb == "nominate":
        return words[0]
    if verb != "bid":
        return None
    nominated = (each.move for each in reversed(log[: move - 1]))
    return next(str(each).split()[1] for each in nominated if each.verb == "nominate")
