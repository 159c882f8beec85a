"""Tables that go on with the game of a record: from a link, a file, a server or a browser."""

from secrets import token_hex
from time import time

import msgspec
from msgspec.structs import replace

from highvoltage.engine.record import RECORD_DECODER, Record
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.info import list_summary
from highvoltage.rooms.messages import SETUP_DECODER, ResumedSeat, ResumedTable, TableInfo
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import malformed, not_now
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import Routes
from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow
from highvoltage.rooms.tables import check_table_limits
from highvoltage.rooms.thinking import ImportReply
from highvoltage.table import Entry

routes = Routes("/api", "tables")


@routes.post("/resume")
async def resume(data: ResumedTable, rooms: Rooms, person: Person, mark: str | None) -> TableInfo:
    """Go on with the game of a record at a new table. Unseen cards are shuffled anew.

    Everybody keeps their name. Seats of other people are yours until you hand them over.
    """
    context = rooms.context
    if mark is None or not (made := await rooms.store.result_of(mark)):
        await check_table_limits(rooms, person, public=False)
        made = None
    imported = await context.bot_service.read_resumed(
        data.record,
        context.limits.own_bytes,
        Asker(person.network, person.who),
        data.moves,
    )
    if imported.over:
        raise not_now("game_over")
    if len(data.seats) != len(imported.names):
        count = len(imported.names)
        raise malformed("malformed", f"This game has {count} seats; say who sits in each of them.")
    record = RECORD_DECODER.decode(imported.record)
    row, places = _rows(imported, record, data.seats, person, context)
    table = made.value if made else await rooms.store.create(row, places, mark)
    bot = imported.to_move is not None and data.seats[imported.to_move].kind == "bot"
    changes = {
        "turn": imported.to_move,
        "due": time() + context.grace if bot else None,
        "moves": len(record.moves),
    }
    # Until this is written, the table has failed: nobody sees it at another move.
    await rooms.store.append(
        JournalWrite(table, 0, _entries(imported.journal, data.seats), changes, "running")
    )
    return (await rooms.get(table)).info(person.who)


def _rows(
    imported: ImportReply,
    record: Record,
    seats: list[ResumedSeat],
    person: Person,
    context: RoomContext,
) -> tuple[GameRow, list[SeatRow]]:
    table = context.new_id()
    setup = replace(SETUP_DECODER.decode(imported.setup), auto=True)
    row = GameRow(
        id=table,
        status="failed",
        rulebook=imported.rulebook,
        setup=msgspec.json.encode(setup).decode(),
        listed=list_summary(setup),
        seed=token_hex(16),
        public=False,
        host=person.who,
        created=time(),
        started=time(),
        opening=replace(record, moves=(), top="").json(),
        origin=person.origin,
    )
    places = []
    for seat, (new, name) in enumerate(zip(seats, imported.names, strict=True)):
        if new.kind == "me":
            places.append(SeatRow(table, seat, "person", name, person.who, origin=person.origin))
        else:
            bot = new.bot or "clerk"
            context.bot_service.check_bot(bot)
            places.append(SeatRow(table, seat, "bot", name, bot=bot))
    return row, places


def _entries(journal: list[Entry], seats: list[ResumedSeat]) -> list[Entry]:
    now = time()
    return [
        replace(entry, at=now, by="bot" if seats[entry.seat].kind == "bot" else "person")
        for entry in journal
    ]
