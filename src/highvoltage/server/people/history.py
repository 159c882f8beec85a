"""Finished games: one's own, found, counted, exported; and those of public tables, for all."""

import io
import math
import zipfile
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from litestar import Controller, Request, get
from litestar.di import NamedDependency as Given
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream
from sqlalchemy import ColumnElement, and_, or_

from highvoltage.engine.record import RECORD_DECODER
from highvoltage.rooms.messages import SETUP_DECODER
from highvoltage.rooms.problems import malformed
from highvoltage.server.guard.budget import to_thread
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.messages import (
    FinishedGame,
    FinishedGames,
    FinishedSeat,
    GameCount,
    GameFilter,
    PublicGameFilter,
    RoundFigures,
)
from highvoltage.server.people.rounds import round_figures
from highvoltage.server.store import ResultRow, SqlStore
from highvoltage.server.store.schema import results

PAGE = 50
"""Games on a page."""
COUNTED = ("rulebook", "board", "players")
"""What games are counted by."""
Cursor = Annotated[str | None, QueryParameter(max_length=80)]


def game_filter_of(request: Request[Any, Any, Any]) -> GameFilter:
    """Which of somebody's games a request asks for."""
    return _filter_of(request, GameFilter)


def public_filter_of(request: Request[Any, Any, Any]) -> PublicGameFilter:
    """Which games of public tables a request asks for."""
    return _filter_of(request, PublicGameFilter)


Filter = TypeVar("Filter", bound=PublicGameFilter)


def _filter_of(request: Request[Any, Any, Any], kind: type[Filter]) -> Filter:
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise malformed("malformed", str(error)) from None


class History(Controller):
    """Your finished games."""

    path = "/api/history"
    tags: tuple[str] = ("history",)

    @get("")
    async def finished_games(
        self,
        game_filter: Given[GameFilter],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        after: Cursor = None,
    ) -> FinishedGames:
        """Your finished games, the latest first, 50 at a time."""
        return await page_of(store, visitor.who, games_of(visitor.who, game_filter), after)

    @get("/counts")
    async def counts(self, visitor: Given[Visitor], store: Given[SqlStore]) -> list[GameCount]:
        """How many games you finished and won, by rulebook, board and number of players."""
        games = games_of(visitor.who)
        return [GameCount(*row) for row in await store.results.counts(COUNTED, *games)]

    @get("/rounds")
    async def rounds(
        self, game_filter: Given[GameFilter], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> RoundFigures:
        """Your games by one rulebook and with so many players, round by round."""
        return await round_figures(store, games_of(visitor.who, game_filter), game_filter)

    @get("/export")
    async def export(
        self,
        game_filter: Given[GameFilter],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        form: FromQuery[Literal["lines", "records"]] = "lines",
    ) -> Stream:
        """Your finished games as a file: a JSON object in each line, or their records, zipped."""
        parts = _lines if form == "lines" else _records
        kind = "application/jsonl" if form == "lines" else "application/zip"
        name = "highvoltage-games." + ("jsonl" if form == "lines" else "zip")
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        pages = _pages(store, games_of(visitor.who, game_filter))
        return Stream(parts(store, visitor.who, pages), media_type=kind, headers=headers)


async def page_of(
    store: SqlStore, who: str, conditions: list[ColumnElement[bool]], after: str | None
) -> FinishedGames:
    """A page of games, in which the seats of a person are marked."""
    found = await store.results.page(*conditions, *_older(after), limit=PAGE + 1)
    is_all = after is None and len(found) <= PAGE
    count = len(found) if is_all else await store.results.count(*conditions)
    games = await _games(store, who, found[:PAGE])
    return FinishedGames(games, count, _cursor(found[PAGE - 1]) if found[PAGE:] else None)


def games_of(who: str, wanted: GameFilter = GameFilter()) -> list[ColumnElement[bool]]:  # noqa: B008  # frozen
    """Those games of a person that are wanted, each once."""
    found = [results.c.who == who, results.c.extra_seat.is_(False), *_chosen(wanted)]
    if wanted.won is not None:
        found.append(results.c.place == 1 if wanted.won else results.c.place > 1)
    if wanted.text:
        found.append(results.c.words.contains(wanted.text.casefold(), autoescape=True))
    return found


def _public_games(wanted: PublicGameFilter) -> list[ColumnElement[bool]]:
    """Those games of public tables that are wanted, each by the row of its winner."""
    found = [results.c.shown, *_chosen(wanted)]
    if wanted.won is not None:
        found.append(results.c.bot.is_(None) if wanted.won else results.c.bot.is_not(None))
    return found


def _chosen(wanted: PublicGameFilter) -> list[ColumnElement[bool]]:
    found = [
        results.c[name] == value
        for name in ("rulebook", "board", "players", "plant", "city")
        if (value := getattr(wanted, name)) is not None
    ]
    if wanted.rated is not None:
        rated = results.c.rated_as
        found.append(rated.is_not(None) if wanted.rated else rated.is_(None))
    return found


@get("/api/public-games", tags=["history"])
async def public_games(
    public_filter: Given[PublicGameFilter],
    visitor: Given[Visitor],
    store: Given[SqlStore],
    after: Cursor = None,
) -> FinishedGames:
    """Finished games of public tables, the latest first: whoever sat there has agreed to that."""
    return await page_of(store, visitor.who, _public_games(public_filter), after)


def _cursor(last: ResultRow) -> str:
    return f"{last.at!r}~{last.game}"


def _older(after: str | None) -> list[ColumnElement[bool]]:
    """What follows the last game of a page."""
    if after is None:
        return []
    at, _, game = after.partition("~")
    try:
        moment = float(at)
    except ValueError:
        moment = math.nan
    if not math.isfinite(moment) or "\0" in game:
        raise malformed("malformed", "`after` is what the page before this one ended with.")
    same = and_(results.c.at == moment, results.c.game < game)
    return [or_(results.c.at < moment, same)]


async def _games(store: SqlStore, who: str, found: Sequence[ResultRow]) -> list[FinishedGame]:
    ids = [row.game for row in found]
    seats = await store.results.seats_of(ids)
    setups = await store.results.setups_of(ids)
    return [
        FinishedGame(
            table=row.game,
            rulebook=row.rulebook,
            board=row.board,
            title=SETUP_DECODER.decode(setups[row.game]).title,
            at=row.at,
            seconds=row.seconds,
            rated=row.rated_as is not None,
            seats=[
                FinishedSeat(
                    seat=each.seat,
                    name=name,
                    mine=each.who == who,
                    bot=each.bot,
                    left=each.left,
                    place=each.place,
                    plant=each.plant,
                    city=each.city,
                )
                for name, each in seats[row.game]
            ],
        )
        for row in found
        if row.game in setups  # or it was deleted this moment
    ]


# Export


async def _pages(
    store: SqlStore, conditions: list[ColumnElement[bool]]
) -> AsyncIterator[list[ResultRow]]:
    after: str | None = None
    while found := await store.results.page(*conditions, *_older(after), limit=PAGE):
        yield found
        after = _cursor(found[-1])


async def _lines(
    store: SqlStore, who: str, pages: AsyncIterator[list[ResultRow]]
) -> AsyncIterator[bytes]:
    async for found in pages:
        games = await _games(store, who, found)
        yield b"".join(msgspec.json.encode(game) + b"\n" for game in games)


async def _records(
    store: SqlStore, _: str, pages: AsyncIterator[list[ResultRow]]
) -> AsyncIterator[bytes]:
    written = _Written()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        async for found in pages:
            records = await store.results.records_of([row.game for row in found])
            await to_thread(_add_records, archive, records)
            yield written.take()
    yield written.take()


def _add_records(archive: zipfile.ZipFile, records: dict[str, str]) -> None:
    for game, record in records.items():
        archive.writestr(f"highvoltage-{game}.txt", str(RECORD_DECODER.decode(record)))


class _Written(io.RawIOBase):
    """What was written to a file that is sent while it grows."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: Any, /) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)
