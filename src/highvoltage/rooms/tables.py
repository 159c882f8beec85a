"""Tables: make, find, join, leave, start, hand over."""

import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import time
from typing import Any

import msgspec
from msgspec.structs import astuple

from highvoltage.mapmaker import RANDOM
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.ending import end_if_agreed, set_would_end
from highvoltage.rooms.files import check_setup
from highvoltage.rooms.info import bot_name, list_summary, table_infos
from highvoltage.rooms.messages import (
    ChatLineRef,
    MapWish,
    NewSeat,
    NewTable,
    Setup,
    StartTable,
    StoredSetup,
    TableInfo,
)
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import (
    RequestRefused,
    malformed,
    not_found,
    not_now,
    not_yours,
    server_only,
    too_many,
)
from highvoltage.rooms.rated import check_rated_bots, check_rated_table, refuse_if_counts
from highvoltage.rooms.room import DEAL_SECONDS, Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import Routes
from highvoltage.rooms.rows import UNFINISHED, GameRow, SeatRow
from highvoltage.rooms.socket_messages import ChatLine, StateMessage
from highvoltage.rooms.store import Conflict, StoreError
from highvoltage.rooms.thinking import CheckRequest
from highvoltage.rooms.watcher import Watcher

LIBRARY = "library:"
"""Before the id of a published map, in place of the name of a map: the table gets its content."""

routes = Routes("/api/tables", "tables")


@routes.get()
async def public_tables(rooms: Rooms, person: Person) -> list[TableInfo]:
    """Public tables that are open or running."""
    found = await rooms.store.public()
    return await rooms.context.threads.compute(table_infos, found, person.who)


@routes.get("/mine")
async def my_tables(rooms: Rooms, person: Person) -> list[TableInfo]:
    """Tables where you hold a seat or that you made, your turn first."""
    found = await rooms.store.mine(person.who)
    owners = {place.owner for row, places in found if row.status == "running" for place in places}
    holidays = await rooms.store.holidays_of({owner for owner in owners if owner})
    tables = await rooms.context.threads.compute(table_infos, found, person.who, holidays)
    return sorted(tables, key=lambda table: not _my_turn(table))


@routes.post()
async def make_table(
    data: NewTable,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Make a table; the game starts as soon as no seat is open."""
    if mark is not None and (made := await rooms.store.result_of(mark)):
        return (await rooms.get(made.value)).info(person.who)
    bot_service = rooms.context.bot_service
    library = None
    if isinstance(data.map, str) and data.map.startswith(LIBRARY):
        library = data.map.removeprefix(LIBRARY)
        if (published := await rooms.store.library_map(library)) is None:
            raise not_found("map")
        data = msgspec.structs.replace(data, map=published)
    if data.map == RANDOM:
        data = msgspec.structs.replace(data, map=await _random_map(data, rooms.context, person))
    await _check_setup(data, rooms.context, person)
    if data.rated:
        if not rooms.context.rates_games:
            raise server_only()
        check_rated_table(data)
    if data.fill is not None:
        bot_service.check_bot(data.fill.bot)
    if data.webhook is not None:
        _check_webhook(data.webhook, rooms.context)
    await check_table_limits(rooms, person, public=data.public)
    setup = StoredSetup(
        **{field: getattr(data, field) for field in Setup.__struct_fields__},
        seeded=data.seed is not None,
    )
    seed = secrets.token_hex(16) if data.seed is None else str(data.seed)
    places = [_place(seat, new, person, bot_service) for seat, new in enumerate(data.seats)]
    row = table_row(rooms.context.new_id(), setup, seed, places, person)
    row.library = library
    room = await rooms.get(await rooms.store.create(row, places, mark))
    await start_if_full(room)
    return room.info(person.who)


@routes.get("/{table}")
async def table(table: str, rooms: Rooms, person: Person) -> StateMessage:
    """Everything that you may see of a table, with the whole log."""
    room = await rooms.get(table)
    return room.state(Watcher(person.who))


@routes.delete("/{table}")
async def delete_table(
    table: str,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> None:
    """Delete a table that you made, with its game, while nobody else sits there."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        if room.row.host != person.who:
            raise not_yours("host_only")
        if any(place.owner not in {None, person.who} for place in room.places):
            raise not_now("others_sit")
        refuse_if_counts(room, "rated_counts", "running", "finished")
        async with room.writing():
            await rooms.store.delete(table, mark=mark)
    await rooms.drop(table)


@routes.post("/{table}/start")
async def start(
    table: str,
    data: StartTable,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Start without waiting: bots take the open seats."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require("open")
        if room.row.host != person.who:
            raise not_yours("host_only")
        rooms.context.bot_service.check_bot(data.bot)
        if room.setup.rated:
            check_rated_bots(room.setup, [data.bot])
        due = time() + DEAL_SECONDS
        async with room.writing():
            await rooms.store.fill_seats(table, data.bot, bot_name(data.bot), due, mark)
        await room.reread(room.refresh)
        await start_if_full(room)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/end")
async def end(
    table: str,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """End a game without a winner, once all people there have asked for it; its record is kept.

    One that the program cannot go on with is ended by its host.
    """
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require("running", "failed")
        if room.row.status == "running":
            if len({place.owner for place in room.places} - {None}) == 1:
                refuse_if_counts(room, "rated_counts")  # or nobody would lose one against bots
            await set_would_end(room, own_seat(room, person, None), agreed=True, mark=mark)
            await end_if_agreed(room)
            return (await rooms.get(table)).info(person.who)
        if room.row.host != person.who:
            raise not_yours("host_only")
        if room.table is None:  # nothing was played
            async with room.writing():
                await rooms.store.delete(table, mark=mark)
            await rooms.drop(table)
            return room.info(person.who)
        await room.end("failed", mark)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/play-on")
async def play_on(
    table: str,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Do not agree any more to end the game."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require("running")
        await set_would_end(room, own_seat(room, person, None), agreed=False, mark=mark)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/rematch")
async def rematch(
    table: str,
    rooms: Rooms,
    person: Person,
) -> TableInfo:
    """A new table for the same players; everybody who asks gets the same one."""
    room = await rooms.get(table)
    room.require("finished")
    own_seat(room, person, None)
    again = rooms.context.id_prefix + key_hash(f"rematch {room.row.seed} {table}")[:12]
    if await rooms.store.game(again) is None:  # nobody has asked yet, or it has been deleted
        await check_table_limits(rooms, person, public=room.setup.public)
        places = [_rematch_seat(place, person) for place in room.places]
        setup = msgspec.structs.replace(room.setup, seeded=False, cup=None)
        row = table_row(again, setup, secrets.token_hex(16), places, person)
        row.library = room.row.library
        async with room.writing():
            with suppress(Conflict):  # somebody asked at the same time
                await rooms.store.create(row, places, rematch_of=table)
        await room.reread(room.refresh)
        await start_if_full(await rooms.get(again))
    return (await rooms.get(again)).info(person.who)


@routes.post("/{table}/chat/remove")
async def remove_line(
    table: str,
    data: ChatLineRef,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Remove a line from the chat of your table, or one of your own."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        line = chat_line(room, data.n)
        author = await rooms.store.author(table, line.n)
        if person.who not in {room.row.host, author}:
            raise not_yours("host_only")
        await room.remove_chat(line.n, mark)
    return (await rooms.get(table)).info(person.who)


@asynccontextmanager
async def once(rooms: Rooms, mark: str | None) -> AsyncIterator[None]:
    """What is repeated under the mark of a write that was carried out is not refused for that."""
    try:
        yield
    except RequestRefused:
        if mark is None or not await rooms.store.result_of(mark):
            raise


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


async def _random_map(data: NewTable, context: RoomContext, person: Person) -> dict[str, Any]:
    """A new map, by the seed of the table only if people know that: the map names its own."""
    seed = secrets.token_hex(4) if data.seed is None else str(data.seed)
    asker = Asker(person.network, person.who)
    return await context.bot_service.make_map(MapWish(seed), asker)


async def _check_setup(data: NewTable, context: RoomContext, person: Person) -> None:
    """Check a setup; custom maps and cards where bots think, because that may take a while."""
    most = context.limits.own_bytes
    request = CheckRequest(data.rulebook, len(data.seats), data.map, data.options, most)
    if any(isinstance(own, dict) for own in (data.map, *data.options.values())):
        await context.bot_service.check(request, Asker(person.network, person.who))
    else:
        await context.threads.compute(check_setup, *astuple(request))


def _check_webhook(url: str, context: RoomContext) -> None:
    if context.webhooks is None:
        raise malformed("no_webhook", "A webhook is only called by a server.")
    context.webhooks.check(url)


async def check_table_limits(rooms: Rooms, person: Person, *, public: bool) -> None:
    limits = rooms.context.limits
    made, nearby = await rooms.store.count_of(person.who, person.origin, UNFINISHED)
    if made >= limits.tables:
        raise too_many("many_tables")
    if nearby >= limits.tables_of_address:
        raise too_many("many_tables_nearby")
    if not public:
        return
    made, nearby = await rooms.store.count_of(person.who, person.origin, UNFINISHED, public=True)
    if made >= limits.public_tables or nearby >= limits.public_tables_of_address:
        raise too_many("many_public")


def _place(seat: int, new: NewSeat, person: Person, bot_service: BotService) -> SeatRow:
    if new.kind == "me":
        name = new.name or person.name
        return SeatRow("", seat, "person", name, person.who, origin=person.origin)
    if new.kind == "open":
        return SeatRow("", seat, "open")
    bot = new.bot or "clerk"
    bot_service.check_bot(bot)
    return SeatRow("", seat, "bot", bot_name(bot), bot=bot)


def _rematch_seat(place: SeatRow, person: Person) -> SeatRow:
    """A seat for a rematch: bots and the person keep theirs, the others are open."""
    if place.kind == "bot" or place.owner == person.who:
        stays = place.bot if place.kind == "bot" else None
        return SeatRow("", place.seat, place.kind, place.name, place.owner, stays)
    return SeatRow("", place.seat, "open")


def table_row(
    game: str,
    setup: StoredSetup,
    seed: str,
    places: list[SeatRow],
    host: Person,
) -> GameRow:
    """The row of a new table, which is dealt as soon as no seat is open."""
    for place in places:
        place.game = game
    wait = min(DEAL_SECONDS, setup.fill.after) if setup.fill else DEAL_SECONDS
    return GameRow(
        id=game,
        status="open",
        rulebook=setup.rulebook,
        setup=msgspec.json.encode(setup).decode(),
        listed=list_summary(setup),
        seed=seed,
        public=setup.public,
        host=host.who,
        created=time(),
        origin=host.origin,
        due=time() + wait,
    )


async def start_if_full(room: Room) -> None:
    """Deal; should the store fail at that, whoever sweeps deals later."""
    if room.is_full:
        with suppress(StoreError):
            await room.start()


def chat_line(room: Room, n: int) -> ChatLine:
    line = next((line for line in room.chat if line.n == n and line.text), None)
    if line is None:
        raise not_found("line")
    return line


def own_seat(room: Room, person: Person, seat: int | None) -> int:
    mine = room.seats_of(person.who)
    if not mine or (seat is not None and seat not in mine):
        raise not_yours("not_your_seat")
    return mine[0] if seat is None else seat


def _my_turn(table: TableInfo) -> bool:
    return any(seat.mine and seat.seat == table.to_move for seat in table.seats)
