"""Puzzles that people have solved, for their profiles."""

from datetime import UTC, datetime
from itertools import takewhile

from litestar import post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.puzzles import UnknownPuzzle, daily, get_puzzle
from highvoltage.rooms.problems import malformed, not_found
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.messages import PuzzleCount, SolvedPuzzle
from highvoltage.server.store import SqlStore

DAY = 86_400


@post("/api/solved-puzzles", tags=["puzzles"])
async def solve_puzzle(
    data: JSONBody[SolvedPuzzle], visitor: Given[Visitor], store: Given[SqlStore]
) -> PuzzleCount:
    """Count a puzzle that you have solved for your profile."""
    try:
        puzzle = get_puzzle(data.puzzle)
    except UnknownPuzzle:
        raise not_found("puzzle") from None
    if not puzzle.is_solved_by(data.moves):
        raise malformed("malformed", "These moves do not contain the answer.")
    is_daily = puzzle.name == daily(datetime.now(UTC).date()).name
    await store.puzzles.solve(visitor.who, puzzle.name, _today(), daily=is_daily)
    return await puzzles_of(store, visitor.who)


async def puzzles_of(store: SqlStore, who: str) -> PuzzleCount:
    """How many puzzles a person has solved, and on how many days in a row that of the day."""
    puzzles, days = await store.puzzles.solved(who)
    return PuzzleCount(puzzles, streak(days, _today()))


def streak(days: list[int], today: int) -> int:
    """The length of the last row of days, the latest first, up to today or yesterday.

    >>> streak([9, 8, 6], today=9), streak([9, 8, 6], today=10), streak([9, 8, 6], today=11)
    (2, 2, 0)
    """
    if not days or days[0] < today - 1:
        return 0
    return sum(1 for _ in takewhile(lambda found: found[1] == days[0] - found[0], enumerate(days)))


def _today() -> int:
    return int(datetime.now(UTC).timestamp()) // DAY
