"""Finds puzzles in games of the strongest bots, played for this purpose.

A decision makes a puzzle if the judge finds one move better than every other, if a second, longer
look at other worlds confirms it beyond doubt, if the bot that was playing chose that
move as well, and if the clerk would not have: an obvious move is no puzzle.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.director import Budget
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Bid, Move, Pass
from highvoltage.judge import Evaluation, MoveEvaluation, make_judgement
from highvoltage.judge.evaluating import MAX_MOVES
from highvoltage.judge.evaluation import decision_key
from highvoltage.puzzles import INDEX, THEMES, EvaluatedMove, Puzzle, Theme
from highvoltage.views import Reason, View

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
OBVIOUS_TO = "clerk"  # what this bot would do is no puzzle
# Whose shares are the difficulty. A budget in playouts makes them the same on every machine.
LEVEL_BOTS = {
    "apprentice": "apprentice",
    "clerk": "clerk",
    "engineer": "engineer",
    "director": "director:96",
    "tycoon": "tycoon",
}
TRIES = 10
FIRST_PASS_WORLDS = 6  # worlds
SECOND_PASS_WORLDS = 48
MIN_GAIN = 0.03  # in chance to win
FIRST_PASS_SIGMA = 1.0  # standard errors in the first search
SECOND_PASS_SIGMA = 3.0  # in the second
EQUAL_SIGMA = 1.0  # a fuel purchase that is worse by less than this counts as equal
PHASES: dict[str, Theme] = {
    "auction": "auction",
    "fuel": "fuel",
    "building": "building",
    "company": "building",
}
OPEN_CHANCES = (0.14, 0.97)  # estimated chances to win between which a game is still open
EXACT_WORLDS = 4  # worlds that show where moves lead if the last round is searched to its end
MAX_PLANS = 24
MAX_DECISIONS = 30  # decisions of a game that are searched
MAX_PUZZLES = 2  # puzzles of a game
MAX_ROUNDS = 16  # rounds; a game that lasts longer is stuck


class Series(NamedTuple):
    """How many puzzles to find for a rulebook, and the tables whose games are searched."""

    rulebook: str
    puzzles: int
    bot: str
    tables: tuple[tuple[str | None, int], ...]  # map and players

    @property
    def most_of_theme(self) -> int:
        """The most puzzles with the same theme."""
        return ceil(0.3 * self.puzzles)


BOARD_TABLES = (
    ("germany", 4),
    ("usa", 3),
    ("germany", 2),
    ("italy", 4),
    ("central_europe", 3),
    ("france", 5),
    ("usa", 4),
)
MAPLESS_TABLES = ((None, 3), (None, 4), (None, 2), (None, 5))
SERIES = (
    Series("classic", 40, "tycoon", BOARD_TABLES),
    Series("recharged", 30, "tycoon", BOARD_TABLES),
    Series("cardgame", 20, "tycoon", MAPLESS_TABLES),
    Series("outpost", 20, "tycoon", MAPLESS_TABLES),
)


class Task(NamedTuple):
    """A game to be played and searched for one theme."""

    rulebook: str
    bot: str
    map: str | None
    players: int
    theme: Theme
    seed: str


class Found(NamedTuple):
    """A puzzle without a name, and its record."""

    puzzle: Puzzle
    record: str


def make(
    folder: Path,
    seed: str,
    jobs: int,
    minutes: float,
    report: Callable[[str], None],
    rulebook: str | None = None,
) -> list[Puzzle]:
    """Add puzzles to those in a folder, until there are enough or time is up; return the new ones.

    Each is written when it is found, so that nothing is lost if the work is stopped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / INDEX
    kept: list[Puzzle] = []
    if index.exists():
        kept = msgspec.json.decode(index.read_bytes(), type=list[Puzzle])
    records = {file.read_text("utf-8") for file in folder.glob("*.txt")}
    quota = Quota(kept, [each for each in SERIES if rulebook in {None, each.rulebook}])
    added: list[Puzzle] = []
    for one in _search(seed, jobs, minutes, quota):
        if one.record in records or not quota.take(one.puzzle):
            continue
        name = free_name(one.puzzle.rulebook, [*kept, *added])
        puzzle = replace(one.puzzle, name=name)
        (folder / f"{puzzle.name}.txt").write_text(one.record, encoding="utf-8")
        added.append(puzzle)
        write_index(folder, [*kept, *added])
        report(f"{puzzle.name}, {puzzle.theme}: {puzzle.answers[0]}")
    return added


def free_name(rulebook: str, puzzles: Sequence[Puzzle]) -> str:
    """A name after those of this rulebook."""
    numbers = [int(each.name.rpartition("-")[2]) for each in puzzles if each.rulebook == rulebook]
    return f"{rulebook}-{max(numbers, default=0) + 1}"


def tasks(seed: str) -> Iterator[Task]:
    """An endless stream of tasks: every series in turn, every kind of table, every theme."""
    for number in count():
        for each in SERIES:
            map_, players = each.tables[number % len(each.tables)]
            theme = THEMES[number % len(THEMES)]
            yield Task(each.rulebook, each.bot, map_, players, theme, f"{seed}/{number}")


class Quota:
    """How many puzzles are still missing, by rulebook and by theme."""

    def __init__(self, kept: Sequence[Puzzle], series: Sequence[Series] = SERIES) -> None:
        self._by_rulebook = Counter({each.rulebook: each.puzzles for each in series})
        self._by_theme = Counter(
            {(each.rulebook, theme): each.most_of_theme for each in series for theme in THEMES}
        )
        for puzzle in kept:
            self.take(puzzle)

    def __bool__(self) -> bool:
        return bool(+self._by_rulebook)

    def needs(self, rulebook: str, theme: Theme) -> bool:
        return min(self._by_rulebook[rulebook], self._by_theme[rulebook, theme]) > 0

    def take(self, puzzle: Puzzle) -> bool:
        """Count a puzzle, if it is one of those that are missing."""
        if not self.needs(puzzle.rulebook, puzzle.theme):
            return False
        self._by_rulebook[puzzle.rulebook] -= 1
        self._by_theme[puzzle.rulebook, puzzle.theme] -= 1
        return True


def _search(seed: str, jobs: int, minutes: float, quota: Quota) -> Iterator[Found]:
    """Puzzles from games of the kinds that are missing, as they are found."""
    until = monotonic() + 60 * minutes
    wanted = (task for task in tasks(seed) if quota.needs(task.rulebook, task.theme))
    running: set[Future[list[Found]]] = set()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        while quota and monotonic() < until:
            while len(running) < jobs:
                running.add(pool.submit(find_puzzles, next(wanted)))
            done, running = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            for future in done:
                yield from future.result()
    finally:
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001  # games take minutes
            process.terminate()
        pool.shutdown(cancel_futures=True)


def find_puzzles(task: Task) -> list[Found]:
    """The puzzles of one game, from different rounds and of the task's theme."""
    game = play(task)
    last = game.log[-1].round
    if last > MAX_ROUNDS:
        return []
    rng = Random(f"{task.seed}/look")
    found: list[Found] = []
    searched = 0
    for number in rng.sample(range(len(game.log)), len(game.log)):
        row, then = game.log[number], game.after(number)
        if theme_of(then, last) != task.theme or row.round in {each.puzzle.round for each in found}:
            continue
        decision = Decision(task, then, row.move)
        if not decision.is_missed([str(row.move)]):
            continue
        searched += 1
        if puzzle := decision.puzzle(rng):
            found.append(Found(puzzle, str(then.record())))
        if searched == MAX_DECISIONS or len(found) == MAX_PUZZLES:
            break
    return found


def play(task: Task) -> Game:
    """A game of the strongest bots."""
    game = hv.new(task.rulebook, map=task.map, players=NAMES[: task.players], seed=task.seed)
    players = [bots.make(task.bot, f"{task.seed}/{seat}") for seat in range(task.players)]
    bots.play_game(game, players)
    return game


def theme_of(game: Game, last: int) -> Theme | None:
    """The theme of the next decision; None if it suits no puzzle."""
    phase = game.phase
    if phase not in PHASES:
        return None
    if game.state.round == last:
        return "last_round"
    return "bidding" if isinstance(game.legal_moves.choices[-1], Bid) else PHASES[phase]


class Decision:
    """A decision of a game: what was played, and what the clerk would have done."""

    def __init__(self, task: Task, game: Game, played: Move) -> None:
        assert game.to_move is not None
        self.task = task
        self.game = game
        self.seat: int = game.to_move
        self.view = game.view(self.seat, history=True)
        self.legal: hv.Moves = game.legal_moves
        self.played = played
        self.obvious = bots.make(OBVIOUS_TO, task.seed).choose(self.view, self.legal).move

    def is_missed(self, answers: Sequence[str]) -> bool:
        """Whether the clerk would have chosen something else."""
        return decision_key(str(self.obvious)) not in {decision_key(each) for each in answers}

    def puzzle(self, rng: Random) -> Puzzle | None:
        """The puzzle from this decision, if it makes one."""
        found = None
        for worlds in (FIRST_PASS_WORLDS, SECOND_PASS_WORLDS):
            judged = JudgedMoves(self.view, self.plans(), worlds, f"{rng.random()}")
            answers = judged.answers()
            if decision_key(answers[0]) != decision_key(str(self.played)):
                return None
            sigma = FIRST_PASS_SIGMA if worlds == FIRST_PASS_WORLDS else SECOND_PASS_SIGMA
            if judged.fault(answers, sigma):
                return None
            found = judged
        assert found is not None
        answers = found.answers()
        if not self.is_missed(answers):
            return None
        unnamed = Puzzle(
            name="",
            rulebook=self.task.rulebook,
            map=self.task.map,
            players=self.task.players,
            round=self.view["round"],
            seat=self.seat,
            theme=self.task.theme,
            answers=(),
            tried=(),
            error=0.0,
            worlds=0,
            why=Reason("forced"),
            found_by={},
        )
        puzzle = found.judged_puzzle(unnamed, answers)
        puzzle = replace(puzzle, found_by=find_shares(puzzle, self.game))
        return puzzle if OBVIOUS_TO in puzzle.missed_by else None

    def plans(self) -> list[Move]:
        """The moves to compare: in an auction bid or pass, of fuel every amount."""
        if isinstance(self.legal.choices[-1], Bid):
            return [Pass(), self.legal.choices[-1]]
        if self.view["phase"] == "fuel":
            return [*self.legal.choices[:MAX_PLANS]]
        return [self.played]


class JudgedMoves:
    """What the judge says about the moves of a decision."""

    def __init__(self, view: View, moves: Sequence[Move], worlds: int, seed: str) -> None:
        budget = Budget(playouts=(1 + max(len(moves), MAX_MOVES)) * worlds)
        self.judgement = make_judgement(view, budget, seed=seed)
        self.judgement.most_worlds = worlds
        self.said: Evaluation = self.judgement.evaluate(moves)
        if self.said.judge == "exact":  # which plays nothing on
            self.judgement.play_on([each.move for each in self.said.moves], EXACT_WORLDS)
        self.family: str = view["family"]

    def answers(self) -> list[str]:
        """The best move; for fuel, also nearly equal amounts of the same fuel that do as well."""
        best, *others = self.said.moves
        what, _, count = best.move.rpartition(" ")
        if not what.startswith("buy ") or not count.isdecimal() or " from " in what:
            return [best.move]
        equal = {each.move for each in others if each.behind <= EQUAL_SIGMA * each.doubt}
        found = [best.move]
        for step in (1, -1):
            units = int(count) + step
            while f"{what} {units}" in equal:
                found.append(f"{what} {units}")
                units += step
        return found

    def fault(self, answers: Sequence[str], sigma: float = SECOND_PASS_SIGMA) -> str:
        """Why these are not the answers of a puzzle; empty if they are."""
        right = {decision_key(answer) for answer in answers}
        best, *others = self.said.moves
        if decision_key(best.move) not in right:
            return f"{best.move} is better"
        chance = best.chances[self.said.seat]
        won = chance >= OPEN_CHANCES[1] and self.said.judge != "exact"
        if won or chance <= OPEN_CHANCES[0]:
            return f"the game is decided: {chance:.0%}"
        rest = [each for each in others if decision_key(each.move) not in right]
        for each in rest:
            if each.behind < MIN_GAIN or each.behind <= sigma * each.doubt:
                return f"{each.move} is as good: {each.behind:.0%} ± {each.doubt:.0%} behind"
        return "" if rest else "there is nothing else"

    def judged_puzzle(self, puzzle: Puzzle, answers: Sequence[str]) -> Puzzle:
        """A puzzle with these answers and the judge's numbers."""
        right = {decision_key(answer) for answer in answers}
        best = self.said.moves[0]
        other = next(each for each in self.said.moves if decision_key(each.move) not in right)
        return replace(
            puzzle,
            answers=(best.move, *(each for each in answers if each != best.move)),
            tried=tuple(
                self._evaluated(each)
                for each in self.said.moves
                if each.move in answers or decision_key(each.move) not in right
            ),
            chances=tuple(round(each, 4) for each in best.chances),
            judge=self.said.judge,
            error=round(other.doubt, 3),
            worlds=self.said.worlds,
            why=self.judgement.reason(best.move, than=other.move),
        )

    def _evaluated(self, each: MoveEvaluation) -> EvaluatedMove:
        end = self.judgement.end_of(each.move)
        chance = round(each.chances[self.said.seat], 3)
        return EvaluatedMove(
            each.move, chance, round(end.money) if end else 0, round(end.size) if end else 0
        )


def audit(puzzle: Puzzle, *, difficulty: bool = False) -> tuple[Puzzle, str]:
    """A puzzle with the numbers of today's judge, and what is wrong with it, if anything.

    How often bots find the answer is measured anew on request: that takes minutes, not seconds.
    """
    game = puzzle.game()
    view = game.view(puzzle.seat, history=True)
    moves = [game.parse(each.move) for each in puzzle.tried]
    judged = JudgedMoves(view, moves, SECOND_PASS_WORLDS, f"audit/{puzzle.name}")
    fault = judged.fault(puzzle.answers)
    if fault:
        return puzzle, fault
    if difficulty:
        puzzle = replace(puzzle, found_by=find_shares(puzzle, game))
    return judged.judged_puzzle(puzzle, puzzle.answers), ""


def find_shares(puzzle: Puzzle, game: Game) -> dict[str, float]:
    """In which share of their tries bots find the answer at this position, in their whole turn."""

    def finds(name: str, nth: int) -> bool:
        bot, then = bots.make(name, f"level/{nth}"), game.copy()
        while then.to_move == puzzle.seat and then.phase == game.phase:
            view = then.view(puzzle.seat, history=True)
            then.play(bot.choose(view, then.legal_moves).move)
        return puzzle.is_answered_by([str(row.move) for row in then.log[len(game.log) :]])

    return {
        name: sum(finds(bot, nth) for nth in range(TRIES)) / TRIES
        for name, bot in LEVEL_BOTS.items()
    }


def write_index(folder: Path, puzzles: Sequence[Puzzle]) -> None:
    """Write the index of a folder, by rulebook."""
    order = [each.rulebook for each in SERIES]
    by_rulebook = sorted(puzzles, key=lambda each: order.index(each.rulebook))
    index = msgspec.json.format(msgspec.json.encode(by_rulebook), indent=1)
    (folder / INDEX).write_bytes(index + b"\n")
