"""Games to review: their record, log and positions; and uploaded records."""

from time import time
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.game import Game
from highvoltage.engine.record import Record, read_record
from highvoltage.engine.ruleset import Ruleset
from highvoltage.games import rulebook
from highvoltage.rooms.game_of import game_of
from highvoltage.rooms.info import list_summary, table_info
from highvoltage.rooms.messages import SETUP_DECODER, Log, Position, RulesetInfo, TableInfo
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import malformed, not_found, not_now, too_many, unreadable
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import JSON, TEXT, File, Routes
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.thinking import ImportReply
from highvoltage.table.snapshot import known_events, log_row

routes = Routes("/api", "replay")


@routes.get("/tables/{table}/record", media_type=TEXT)
async def record(
    table: str,
    rooms: Rooms,
    form: Literal["text", "json"] = "text",
    moves: Annotated[int, Meta(ge=0)] | None = None,
) -> File:
    """The record, as a download; with `moves` only so many of them."""
    room = await rooms.get(table)
    if moves is None:
        found = await rooms.context.threads.compute(_record, room)
    else:
        game, _ = await game_of(room)
        if moves > len(game.log):
            raise not_found("move")
        found = await rooms.context.threads.replay(
            lambda: replace(game.after(moves).record(), bots=_record(room).bots)
        )
    if form == "text":
        return File(str(found), TEXT, f"highvoltage-{table}.txt")
    return File(found.json(), JSON, f"highvoltage-{table}.json")


@routes.get("/tables/{table}/ruleset")
async def ruleset(table: str, rooms: Rooms) -> RulesetInfo:
    """The ruleset of the table, and the board; both never change, so request them once."""
    return RulesetInfo.of(await _ruleset(await rooms.get(table)))


@routes.get("/tables/{table}/log")
async def log(table: str, rooms: Rooms) -> Log:
    """All moves."""
    room = await rooms.get(table)
    game, unread = await game_of(room)
    rows = room.table.rows() if room.table else [log_row(row, "person") for row in game.log]
    return Log(known_events(game.setup_events), rows, unread)


@routes.get("/tables/{table}/at/{n}")
async def at(
    table: str,
    n: Annotated[int, Meta(ge=0)],
    rooms: Rooms,
    person: Person,
) -> Position:
    """The position after `n` moves, as your seat sees it."""
    room = await rooms.get(table)
    game, _ = await game_of(room)
    if n > len(game.log):
        raise not_found("move")
    seat = room.seat_for(person.who)
    view = await rooms.context.threads.replay(_view_at, game, n, seat)
    return Position(n, len(game.log), seat, view)


@routes.post("/import")
async def import_record(
    body: bytes,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Store a record, text or JSON, to review by its link."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise malformed("no_record", f"Byte {error.start + 1} is not UTF-8.") from None
    if mark is not None and (kept := await rooms.store.result_of(mark)):
        return (await rooms.get(kept.value)).info(person.who)
    over = ("finished", "broken")
    made, nearby = await rooms.store.count_of(person.who, person.origin, over)
    limits, bot_service = rooms.context.limits, rooms.context.bot_service
    if made >= limits.imports or nearby >= limits.imports_of_address:
        raise too_many("many_imports")
    asker = Asker(person.network, person.who)
    imported = await bot_service.read(text, limits.own_bytes, asker)
    row, places = _rows(rooms.context.new_id(), imported, person)
    table = await rooms.store.create(row, places, mark)
    if table != row.id:  # it was kept before, under the same mark
        return (await rooms.get(table)).info(person.who)
    return table_info(row, places, person.who, set())


def _rows(table: str, imported: ImportReply, person: Person) -> tuple[GameRow, list[SeatRow]]:
    row = GameRow(
        id=table,
        status="finished" if imported.over else "broken",
        rulebook=imported.rulebook,
        setup=imported.setup,
        listed=list_summary(SETUP_DECODER.decode(imported.setup)),
        seed="0",
        public=False,
        host=person.who,
        created=time(),
        moves=imported.moves,
        record=imported.record,
        origin=person.origin,
    )
    return row, [SeatRow(table, seat, "person", name) for seat, name in enumerate(imported.names)]


def _record(room: Room) -> Record:
    """The record; reading a stored one does not require its rulebook."""
    if room.row.record is not None:
        return read_record(room.row.record)[0]
    if room.table is None:
        raise not_now("not_begun")
    return room.table.record()


async def _ruleset(room: Room) -> Ruleset:
    if room.table is not None or room.row.record is not None:
        return (await game_of(room))[0].rules.ruleset
    setup, players = room.setup, len(room.places)
    try:
        rules = await room.context.threads.replay(
            rulebook, setup.rulebook, players, setup.map, setup.options
        )
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
