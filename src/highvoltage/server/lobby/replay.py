"""Games to review: their record, log and positions; and uploaded records."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from time import time
from typing import Annotated, Any, Literal, TypeVar

from litestar import Controller, MediaType, Request, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery, PathParameter

import highvoltage as hv
from highvoltage.engine.errors import HighVoltageError, RecordError
from highvoltage.engine.game import Game
from highvoltage.engine.record import Record, read_record
from highvoltage.engine.ruleset import Ruleset
from highvoltage.games import rulebook
from highvoltage.rooms.info import list_summary, table_info
from highvoltage.rooms.messages import SETUP_DECODER, Log, Position, RulesetInfo, TableInfo
from highvoltage.rooms.problems import malformed, not_found, not_now, too_many, unreadable
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.thinking import ImportReply
from highvoltage.server.bots.pool import Asker
from highvoltage.server.config import Config
from highvoltage.server.guard.budget import to_thread
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import GameRow, SeatRow, new_id
from highvoltage.table.snapshot import known_events, log_row

T = TypeVar("T")


class Replay(Controller):
    """Past and imported games."""

    path = "/api"
    tags: tuple[str] = ("replay",)

    @get("/tables/{table:str}/record", media_type=MediaType.TEXT)
    async def record(
        self,
        table: FromPath[str],
        rooms: Given[Rooms],
        form: FromQuery[Literal["text", "json"]] = "text",
    ) -> Response[str]:
        """The record, as a download."""
        room = await rooms.get(table)
        found = await to_thread(_record, room)
        kind = MediaType.TEXT if form == "text" else MediaType.JSON
        name = f"highvoltage-{table}.{'txt' if form == 'text' else 'json'}"
        return Response(
            str(found) if form == "text" else found.json().encode(),  # type: ignore[arg-type]
            media_type=kind,
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    @get("/tables/{table:str}/ruleset")
    async def ruleset(self, table: FromPath[str], rooms: Given[Rooms]) -> RulesetInfo:
        """The ruleset of the table, and the board; both never change, so request them once."""
        return RulesetInfo.of(await _ruleset(await rooms.get(table)))

    @get("/tables/{table:str}/log")
    async def log(self, table: FromPath[str], rooms: Given[Rooms]) -> Log:
        """All moves."""
        room = await rooms.get(table)
        game, unread = await _game(room)
        rows = room.table.rows() if room.table else [log_row(row, "person") for row in game.log]
        return Log(known_events(game.setup_events), rows, unread)

    @get("/tables/{table:str}/at/{n:int}")
    async def at(
        self,
        table: FromPath[str],
        n: Annotated[int, PathParameter(ge=0)],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
    ) -> Position:
        """The position after `n` moves, as your seat sees it."""
        room = await rooms.get(table)
        game, _ = await _game(room)
        if n > len(game.log):
            raise not_found("move")
        seat = room.seat_for(visitor.who)
        return Position(n, len(game.log), seat, await _in_replay_thread(_view_at, game, n, seat))

    @post("/import")
    async def import_record(
        self,
        request: Request[Any, Any, Any],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        config: Given[Config],
        mark: Given[str | None],
    ) -> TableInfo:
        """Store a record, text or JSON, to review by its link."""
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError as error:
            raise malformed("no_record", f"Byte {error.start + 1} is not UTF-8.") from None
        if mark is not None and (kept := await rooms.store.result_of(mark)):
            return (await rooms.get(kept.value)).info(visitor.who)
        origin = visitor.origin
        made, nearby = await rooms.store.count_of(visitor.who, origin, ("finished", "broken"))
        if made >= config.limits.imports or nearby >= config.limits.imports_of_address:
            raise too_many("many_imports")
        bot_service, most = rooms.context.bot_service, config.limits.own_bytes
        imported = await bot_service.read(text, most, Asker(visitor.network, visitor.who))
        row, places = _rows(imported, visitor, origin)
        table = await rooms.store.create(row, places, mark)
        if table != row.id:  # it was kept before, under the same mark
            return (await rooms.get(table)).info(visitor.who)
        return table_info(row, places, visitor.who, set())


def _rows(imported: ImportReply, visitor: Visitor, origin: str) -> tuple[GameRow, list[SeatRow]]:
    table = new_id()
    row = GameRow(
        id=table,
        status="finished" if imported.over else "broken",
        rulebook=imported.rulebook,
        setup=imported.setup,
        listed=list_summary(SETUP_DECODER.decode(imported.setup)),
        seed="0",
        public=False,
        host=visitor.who,
        created=time(),
        moves=imported.moves,
        record=imported.record,
        origin=origin,
    )
    return row, [SeatRow(table, seat, "person", name) for seat, name in enumerate(imported.names)]


def _record(room: Room) -> Record:
    """The record; reading a stored one does not require its rulebook."""
    if room.row.record is not None:
        return read_record(room.row.record)[0]
    if room.table is None:
        raise not_now("not_begun")
    return room.table.game.record()


_thread = ThreadPoolExecutor(1, "replay")
"""Replays long games; they only delay each other."""


@lru_cache(maxsize=16)
def _replayed(record: str) -> tuple[Game, str]:
    """A game as far as the installed rules can read it, and why no further."""
    try:
        return hv.replay(record), ""
    except RecordError as error:
        if error.game is None or not error.game.log:
            raise
        return error.game, str(error)


async def _in_replay_thread(work: Callable[..., T], *given: Any) -> T:
    return await to_thread(work, *given, executor=_thread)


async def _game(room: Room) -> tuple[Game, str]:
    if room.table is not None:
        return room.table.game, ""
    if room.row.record is None:
        raise not_now("not_begun")
    try:
        return await _in_replay_thread(_replayed, room.row.record)
    except HighVoltageError as error:  # its rules or their version are not installed
        raise unreadable(error) from None


async def _ruleset(room: Room) -> Ruleset:
    if room.table is not None or room.row.record is not None:
        return (await _game(room))[0].rules.ruleset
    setup, players = room.setup, len(room.places)
    try:
        rules = await _in_replay_thread(rulebook, setup.rulebook, players, setup.map, setup.options)
    except HighVoltageError as error:  # its rules are no longer installed
        raise unreadable(error) from None
    return rules.ruleset


def _view_at(game: Game, n: int, seat: int | None) -> dict[str, Any]:
    """A running game as the seat sees it; a finished one with nothing hidden."""
    then = game.after(n)
    view = then.view(seat)
    if game.outcome is not None:
        view["players"] = [then.view(other)["players"][other] for other in range(len(game.names))]
    return view
