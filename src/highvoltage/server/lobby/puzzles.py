"""Puzzles: positions as the seat to move sees them, and checks of answers."""

from datetime import UTC, datetime
from functools import lru_cache, partial

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from highvoltage import puzzles
from highvoltage.games import editions
from highvoltage.puzzles import Puzzle, UnknownPuzzle
from highvoltage.rooms.messages import (
    Attempt,
    Explanation,
    PuzzleInfo,
    PuzzleList,
    RulesetInfo,
    SeatInfo,
    Solution,
    TableInfo,
    Verdict,
)
from highvoltage.rooms.problems import not_found
from highvoltage.rooms.socket_messages import AskPreviewMessage, PreviewMessage, StateMessage
from highvoltage.server.guard.budget import to_thread
from highvoltage.table import Pace, Table


class Puzzles(Controller):
    """Positions with one best move."""

    path = "/api/puzzles"
    tags: tuple[str] = ("puzzles",)

    @get("")
    async def puzzles(self) -> PuzzleList:
        """All puzzles without their answers, and the puzzle of the day."""
        found = await to_thread(puzzles.shipped)
        today = puzzles.daily(datetime.now(UTC).date())
        return PuzzleList(today.name, [*map(_info, found)])

    @get("/{name:str}")
    async def puzzle(self, name: FromPath[str]) -> StateMessage:
        """The position as the seat to move sees it."""
        puzzle = _named(name)
        table = await to_thread(_table, name)
        return StateMessage.of(_table_info(puzzle, table), table.snapshot(puzzle.seat))

    @get("/{name:str}/ruleset")
    async def puzzle_ruleset(self, name: FromPath[str]) -> RulesetInfo:
        """The ruleset of the game of a puzzle, and its board."""
        _named(name)
        table = await to_thread(_table, name)
        return RulesetInfo.of(table.game.rules.ruleset)

    @post("/{name:str}/preview", status_code=200)
    async def preview_of(
        self, name: FromPath[str], data: JSONBody[AskPreviewMessage]
    ) -> PreviewMessage:
        """The result that moves would have."""
        puzzle = _named(name)
        table = await to_thread(_table, name)
        preview = partial(table.preview, ahead=data.ahead)
        previewed = await to_thread(preview, puzzle.seat, data.seq, data.moves)
        return PreviewMessage.of(previewed, data.ref)

    @post("/{name:str}/attempt", status_code=200)
    async def attempt(self, name: FromPath[str], data: JSONBody[Attempt]) -> Verdict:
        """Whether the moves of a turn contain the answer."""
        return Verdict(await to_thread(_named(name).is_solved_by, data.moves))

    @get("/{name:str}/solution")
    async def solution(self, name: FromPath[str]) -> Solution:
        """The answer, the reason, and the values of the other moves."""
        puzzle = _named(name)
        return Solution(
            puzzle.answers,
            Explanation(puzzle.why.code, puzzle.why.values, str(puzzle.why)),
            puzzle.tried,
            puzzle.margin,
            puzzle.error,
            puzzle.worlds,
            puzzle.missed_by,
        )


def _named(name: str) -> Puzzle:
    try:
        return puzzles.get_puzzle(name)
    except UnknownPuzzle:
        raise not_found("puzzle") from None


@lru_cache(maxsize=32)
def _table(name: str) -> Table:
    """The table of a puzzle, shared because nobody changes it."""
    return puzzles.get_puzzle(name).table()


def _info(puzzle: Puzzle) -> PuzzleInfo:
    return PuzzleInfo(
        puzzle.name,
        puzzle.rulebook,
        puzzle.map,
        puzzle.players,
        puzzle.round,
        puzzle.theme,
        len(puzzle.missed_by),
    )


def _table_info(puzzle: Puzzle, table: Table) -> TableInfo:
    """The info of a table that is never stored."""
    return TableInfo(
        id=puzzle.name,
        rulebook=puzzle.rulebook,
        family=editions()[puzzle.rulebook].family,
        map=puzzle.map,
        options={},
        title="",
        status="running",
        public=False,
        seeded=False,
        host=False,
        created=0,
        seats=[
            SeatInfo(
                seat=seat,
                kind="person",
                name=place.name,
                mine=seat == puzzle.seat,
                bot=None,
                online=True,
                left=False,
            )
            for seat, place in enumerate(table.seats)
        ],
        pace=Pace(),
        timeout="bot",
        auto=False,
        to_move=puzzle.seat,
        moves=len(table.game.log),
        rematch=None,
    )
