"""Puzzles: positions as the seat to move sees them, and checks of answers."""

from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus

from highvoltage.games import editions
from highvoltage.puzzles import Puzzle, UnknownPuzzle, daily, get_puzzle, shipped
from highvoltage.puzzles.picture import picture_of
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
from highvoltage.rooms.routing import File, Routes
from highvoltage.rooms.socket_messages import AskPreviewMessage, PreviewMessage, StateMessage
from highvoltage.table import Pace, Table

routes = Routes("/api/puzzles", "puzzles")
SVG = "image/svg+xml"


@routes.get("")
def puzzles() -> PuzzleList:
    """All puzzles without their answers, and the puzzle of the day."""
    today = daily(datetime.now(UTC).date())
    return PuzzleList(today.name, [*map(_info, shipped())])


@routes.get("/{name}")
def puzzle(name: str) -> StateMessage:
    """The position as the seat to move sees it."""
    puzzle = _named(name)
    table = _table(name)
    return StateMessage.of(_table_info(puzzle, table), table.snapshot(puzzle.seat))


@routes.get("/{name}/picture")
def puzzle_picture(name: str) -> File:
    """A small picture of the position."""
    puzzle = _named(name)
    return File(_picture(puzzle.name), SVG, f"{puzzle.name}.svg")


@lru_cache(maxsize=256)
def _picture(name: str) -> str:
    return picture_of(_table(name).game.view(get_puzzle(name).seat))


@routes.get("/{name}/ruleset")
def puzzle_ruleset(name: str) -> RulesetInfo:
    """The ruleset of the game of a puzzle, and its board."""
    _named(name)
    table = _table(name)
    return RulesetInfo.of(table.game.rules.ruleset)


@routes.post("/{name}/preview", HTTPStatus.OK)
def preview_of(name: str, data: AskPreviewMessage) -> PreviewMessage:
    """The result that moves would have."""
    puzzle = _named(name)
    table = _table(name)
    previewed = table.preview(puzzle.seat, data.seq, data.moves, ahead=data.ahead)
    return PreviewMessage.of(previewed, data.ref)


@routes.post("/{name}/attempt", HTTPStatus.OK)
def attempt(name: str, data: Attempt) -> Verdict:
    """Whether the moves of a turn contain the answer."""
    return Verdict(_named(name).is_solved_by(data.moves))


@routes.get("/{name}/solution")
def solution(name: str) -> Solution:
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
        puzzle.chances,
        puzzle.judge,
    )


def _named(name: str) -> Puzzle:
    try:
        return get_puzzle(name)
    except UnknownPuzzle:
        raise not_found("puzzle") from None


@lru_cache(maxsize=32)
def _table(name: str) -> Table:
    """The table of a puzzle, shared because nobody changes it."""
    return get_puzzle(name).table()


def _info(puzzle: Puzzle) -> PuzzleInfo:
    return PuzzleInfo(
        puzzle.name,
        puzzle.rulebook,
        puzzle.map,
        puzzle.players,
        puzzle.round,
        puzzle.theme,
        puzzle.level,
        puzzle.found,
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
        rated=False,
        cup=None,
        host=False,
        host_seat=None,
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
                would_end=False,
                away_until=None,
            )
            for seat, place in enumerate(table.seats)
        ],
        fill=None,
        pace=Pace(),
        timeout="bot",
        auto=False,
        to_move=puzzle.seat,
        moves=len(table.game.log),
        rematch=None,
    )
