"""Finds puzzles in games of the strongest bots, played for this purpose.

A decision makes a puzzle if the search finds one move better than every other, if a second, longer
search in other worlds confirms it with high significance, if the bot that was playing chose that
move as well, and if the clerk would not have: an obvious move is no puzzle.
"""

from collections import Counter
from collections.abc import Callable, Iterator
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
from highvoltage.bots.comparison import MoveComparison
from highvoltage.bots.director import Budget
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Bid, Buy, Move, Moves, Pass
from highvoltage.puzzles import INDEX, THEMES, EvaluatedMove, Puzzle, Theme, decision_key

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
FALLIBLE_BOTS = ("clerk", "engineer")  # bots that may miss the answer; the first of them must
FIRST_PASS_WORLDS = 6  # worlds
SECOND_PASS_WORLDS = 48
MIN_GAIN = 0.06  # in chance to win
FIRST_PASS_SIGMA = 1.0  # standard errors in the first search
SECOND_PASS_SIGMA = 3.0  # in the second
EQUAL_SIGMA = 1.0  # a fuel purchase that is worse by less than this counts as equal
PHASES: dict[str, Theme] = {
    "auction": "auction",
    "fuel": "fuel",
    "building": "building",
    "company": "building",
}
OPEN_CHANCES = (0.14, 0.97)  # chances to win between which a game is still open
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
    Series("cardgame", 20, "director:96", MAPLESS_TABLES),
    Series("outpost", 20, "director:96", MAPLESS_TABLES),
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
    folder: Path, seed: str, jobs: int, minutes: float, report: Callable[[str], None]
) -> list[Puzzle]:
    """Write puzzles into a folder, until there are enough or time is up."""
    found: list[tuple[int, Found]] = []
    for number, some in _search(seed, jobs, minutes):
        found += [(number, one) for one in some]
        for one in some:
            report(f"{one.puzzle.rulebook}, {one.puzzle.theme}: {one.puzzle.answers[0]}")
    found.sort(key=lambda each: each[0])  # by game, not by time of completion
    folder.mkdir(parents=True, exist_ok=True)
    puzzles = []
    for series in SERIES:
        for number, one in enumerate(_chosen(series, [one for _, one in found]), 1):
            puzzle = replace(one.puzzle, name=f"{series.rulebook}-{number}")
            (folder / f"{puzzle.name}.txt").write_text(one.record, encoding="utf-8")
            puzzles.append(puzzle)
    index = msgspec.json.format(msgspec.json.encode(puzzles), indent=1)
    (folder / INDEX).write_bytes(index + b"\n")
    return puzzles


def _chosen(series: Series, found: list[Found]) -> list[Found]:
    """The puzzles for a series, at most `most_of_theme` of each theme."""
    left = Counter(dict.fromkeys(THEMES, series.most_of_theme))
    chosen = []
    for one in found:
        theme = one.puzzle.theme
        if one.puzzle.rulebook == series.rulebook and left[theme] > 0:
            left[theme] -= 1
            chosen.append(one)
    return sorted(chosen[: series.puzzles], key=lambda one: THEMES.index(one.puzzle.theme))


def tasks(seed: str) -> Iterator[Task]:
    """An endless stream of tasks: every series in turn, every kind of table, every theme."""
    for number in count():
        for each in SERIES:
            map_, players = each.tables[number % len(each.tables)]
            theme = THEMES[number % len(THEMES)]
            yield Task(each.rulebook, each.bot, map_, players, theme, f"{seed}/{number}")


class Quota:
    """How many puzzles are still missing, by rulebook and by theme."""

    def __init__(self) -> None:
        self._by_rulebook = Counter({each.rulebook: each.puzzles for each in SERIES})
        self._by_theme = Counter(
            {(each.rulebook, theme): each.most_of_theme for each in SERIES for theme in THEMES}
        )

    def __bool__(self) -> bool:
        return bool(+self._by_rulebook)

    def needs(self, task: Task) -> bool:
        missing = self._by_rulebook[task.rulebook], self._by_theme[task.rulebook, task.theme]
        return min(missing) > 0

    def take(self, found: list[Found]) -> None:
        for puzzle, _ in found:
            if self._by_theme[puzzle.rulebook, puzzle.theme] > 0:
                self._by_theme[puzzle.rulebook, puzzle.theme] -= 1
                self._by_rulebook[puzzle.rulebook] -= 1


def _search(seed: str, jobs: int, minutes: float) -> Iterator[tuple[int, list[Found]]]:
    """The puzzles of each finished game, with the number of its task."""
    until = monotonic() + 60 * minutes
    wanted = Quota()
    numbered = enumerate(tasks(seed))
    running: dict[Future[list[Found]], int] = {}
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        while wanted and monotonic() < until:
            while len(running) < jobs:
                number, task = next(each for each in numbered if wanted.needs(each[1]))
                running[pool.submit(find_puzzles, task)] = number
            done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            for future in done:
                wanted.take(future.result())
                yield running.pop(future), future.result()
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
        if not decision.is_missed:
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
    """A decision of a game: what was played, and what the easy bots would have done."""

    def __init__(self, task: Task, game: Game, played: Move) -> None:
        assert game.to_move is not None
        self.task = task
        self.game = game
        self.seat: int = game.to_move
        self.view = game.view(self.seat, history=True)
        self.legal: Moves = game.legal_moves
        self.played = played
        self.easy = {
            bot: bots.make(bot, task.seed).choose(self.view, self.legal) for bot in FALLIBLE_BOTS
        }

    def missed_by(self, answers: list[Move]) -> tuple[str, ...]:
        """The easy bots that would have chosen something else."""
        right = {decision_key(str(answer)) for answer in answers}
        return tuple(
            bot for bot in FALLIBLE_BOTS if decision_key(str(self.easy[bot].move)) not in right
        )

    @property
    def is_missed(self) -> bool:
        """Whether the move played is not obvious."""
        return FALLIBLE_BOTS[0] in self.missed_by([self.played])

    def puzzle(self, rng: Random) -> Puzzle | None:
        """The puzzle from this decision, if it makes one."""
        search = self._compare(rng, FIRST_PASS_WORLDS)
        if search is None or not self._is_clear(search, FIRST_PASS_SIGMA):
            return None
        search = self._compare(rng, SECOND_PASS_WORLDS)
        if search is None or not self._is_clear(search, SECOND_PASS_SIGMA):
            return None
        ranked = sorted(search.values, key=lambda move: -search.mean(move))
        best, answers = ranked[0], self._answers(search, ranked)
        missed_by = self.missed_by(answers)
        if FALLIBLE_BOTS[0] not in missed_by:
            return None
        other = next(move for move in ranked if move not in answers)
        return Puzzle(
            name="",
            rulebook=self.task.rulebook,
            map=self.task.map,
            players=self.task.players,
            round=self.view["round"],
            seat=self.seat,
            theme=self.task.theme,
            answers=tuple(map(str, answers)),
            tried=tuple(evaluated(search, move) for move in ranked),
            error=round(search.gain(best, other)[1], 3),
            worlds=SECOND_PASS_WORLDS,
            why=search.reason(best, other)
            if "engineer" in missed_by
            else self.easy["engineer"].why,
            missed_by=missed_by,
        )

    def _compare(self, rng: Random, worlds: int) -> MoveComparison | None:
        """All plans, tried in this many worlds; None if there is only one."""
        search = MoveComparison(
            self.view, Budget(playouts=MAX_PLANS * worlds), Random(rng.random())
        )
        plans = self._plans(search)
        if len(plans) < 2:
            return None
        search.try_all(plans, worlds)
        return search

    def _plans(self, search: MoveComparison) -> list[Move]:
        advised = self.easy["engineer"]
        if isinstance(self.legal.choices[-1], Bid):
            search.least = limit_of(advised)
            return [Pass(), self.legal.choices[-1]]
        if self.view["phase"] == "fuel":
            return self.legal.choices[:MAX_PLANS]
        return search.plans(self.legal, advised)

    def _is_clear(self, search: MoveComparison, sure: float) -> bool:
        """Whether the move played is significantly better than all others."""
        ranked = sorted(search.values, key=lambda move: -search.mean(move))
        best, answers = ranked[0], self._answers(search, ranked)
        rest = [move for move in ranked if move not in answers]
        if (
            decision_key(str(best)) != decision_key(str(self.played))
            or not rest
            or not OPEN_CHANCES[0] < search.mean(best) < OPEN_CHANCES[1]
        ):
            return False
        gain, error = search.gain(best, rest[0])
        return gain >= MIN_GAIN and gain > sure * error

    @staticmethod
    def _answers(search: MoveComparison, ranked: list[Move]) -> list[Move]:
        """The best move; for fuel, also nearly equal amounts of the same fuel that do as well."""
        best = ranked[0]
        if not isinstance(best, Buy):
            return [best]
        same = [move for move in ranked if isinstance(move, Buy) and move.fuel == best.fuel]
        by_count = {move.count: move for move in same}
        found: list[Move] = [best]
        for step in (1, -1):
            units = best.count + step
            while units in by_count and not search.better(best, by_count[units], EQUAL_SIGMA):
                found.append(by_count[units])
                units += step
        return found


def evaluated(search: MoveComparison, move: Move) -> EvaluatedMove:
    end = search.mean_standing(move)
    return EvaluatedMove(str(move), round(search.mean(move), 3), round(end.money), round(end.size))
