"""Puzzles: positions from games of strong bots in which one move is clearly best.

Each is the record of a game up to that move, in the folder `kept`, with an entry in its index: the
right answer, and the search's evaluation of all other moves. `making` finds them.

>>> puzzle = daily(date(2026, 7, 1))
>>> puzzle.game().to_move == puzzle.seat, puzzle.is_solved_by(puzzle.answers[:1])
(True, True)
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from random import Random
from typing import Literal, get_args

import msgspec
from msgspec import Struct

import highvoltage as hv
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.game import Game
from highvoltage.engine.record import read_record
from highvoltage.judge import Judge
from highvoltage.judge.evaluation import decision_key
from highvoltage.table import Seat, Table, resume_table
from highvoltage.views import Reason
from highvoltage.words import say

__all__ = [
    "THEMES",
    "EvaluatedMove",
    "Puzzle",
    "Theme",
    "UnknownPuzzle",
    "daily",
    "get_puzzle",
    "shipped",
]

Theme = Literal["auction", "bidding", "fuel", "building", "last_round"]
THEMES: tuple[Theme, ...] = get_args(Theme)
INDEX = "index.json"
FIRST_DAY = date(2026, 1, 1)
LEVELS = (0.5, 0.3, 0.15)  # a puzzle that bots find less often than this is a level harder


class UnknownPuzzle(HighVoltageError):
    """There is no puzzle of this name."""


class EvaluatedMove(Struct, frozen=True):
    """A move, the chance to win with it, and the average situation some rounds later.

    `size` counts cities; in the card game, what the plants earn.
    """

    move: str
    chance: float
    money: int
    size: int


class Puzzle(Struct, frozen=True):
    """A position with one right answer.

    `answers` are equivalent moves, the best first; `tried` are all moves it was compared with, the
    best first. `error` is the standard error of the margin in `worlds` worlds. `found_by` says in
    which share of its tries each bot finds the answer. `chances` are everybody's after the answer;
    they sum to 1. `judge` says who judged.
    """

    name: str
    rulebook: str
    map: str | None
    players: int
    round: int
    seat: int
    theme: Theme
    answers: tuple[str, ...]
    tried: tuple[EvaluatedMove, ...]
    error: float
    worlds: int
    why: Reason
    found_by: dict[str, float]
    chances: tuple[float, ...] = ()
    judge: Judge = "director"

    @property
    def margin(self) -> float:
        """By how much the answer is better than the best of the rest."""
        right = {decision_key(text) for text in self.answers}
        return self.tried[0].chance - next(
            each.chance for each in self.tried if decision_key(each.move) not in right
        )

    @property
    def found(self) -> float:
        """How often bots find the answer: the average of their shares."""
        return sum(self.found_by.values()) / len(self.found_by)

    @property
    def level(self) -> int:
        """How hard it is for bots: 1 is easy, 4 is very hard."""
        return 1 + sum(self.found < share for share in LEVELS)

    @property
    def missed_by(self) -> tuple[str, ...]:
        """The bots that choose something else more often than not."""
        return tuple(bot for bot, share in self.found_by.items() if share < 0.5)

    def record(self) -> str:
        """The text of the record, up to the decision."""
        return (files(__name__) / "kept" / f"{self.name}.txt").read_text("utf-8")

    def game(self) -> Game:
        """The game at the decision."""
        return hv.replay(self.record())

    def table(self) -> Table:
        """The table at the decision, with the solver in the seat that is to move."""
        record, _ = read_record(self.record())
        seats = [Seat("person", name) for name in record.names]
        return resume_table(record, seats)

    def is_solved_by(self, moves: Sequence[str]) -> bool:
        """Whether these moves of one turn include the answer; IllegalMove if they are not legal."""
        game = self.game()
        before = len(game.log)
        for text in moves:
            if game.to_move == self.seat:
                game.play(text)
        return self.is_answered_by([str(row.move) for row in game.log[before:]])

    def is_answered_by(self, played: Sequence[str]) -> bool:
        """Whether moves that were played in one turn include the answer.

        Purchases of one fuel count together. Ending the turn, or passing, is an answer only if
        nothing was done before.
        """
        decided = decisions(played)
        return any(
            decision_key(answer) == decided[0]
            or (answer not in ENDS and decision_key(answer) in decided)
            for answer in self.answers
        )


ENDS = {"done", "pass"}


def decisions(moves: Sequence[str]) -> list[str]:
    """What the moves of one turn decide; purchases of one fuel are added up.

    >>> decisions(["buy coal 1", "buy oil 2", "buy coal 1", "done"])
    ['buy coal 2', 'buy oil 2', 'done']
    """
    found: Counter[str] = Counter()
    for text in moves:
        what, _, count = text.rpartition(" ")
        together = what.startswith("buy ") and count.isdecimal() and " from " not in what
        found[what if together else decision_key(text)] += int(count) if together else 0
    return [f"{what} {count}" if count else what for what, count in found.items()]


@cache
def shipped() -> tuple[Puzzle, ...]:
    """All puzzles of this package, by rulebook."""
    data = (files(__name__) / "kept" / INDEX).read_bytes()
    return msgspec.json.decode(data, type=tuple[Puzzle, ...])


def get_puzzle(name: str) -> Puzzle:
    """The puzzle with this name.

    >>> get_puzzle("chess-1")
    Traceback (most recent call last):
    highvoltage.puzzles.UnknownPuzzle: There is no such puzzle.
    """
    for puzzle in shipped():
        if puzzle.name == name:
            return puzzle
    raise UnknownPuzzle(say("puzzle_none"))


def daily(day: date) -> Puzzle:
    """The puzzle of a day: all of them in turn, in random order.

    >>> daily(FIRST_DAY) == daily(date.fromordinal(FIRST_DAY.toordinal() + len(shipped())))
    True
    """
    order = Random("daily").sample(shipped(), len(shipped()))
    return order[(day - FIRST_DAY).days % len(order)]
