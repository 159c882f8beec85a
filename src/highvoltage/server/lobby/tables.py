"""Tables: make, find, join, leave, start, hand over."""

import hashlib
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import ceil
from time import time

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec.structs import astuple
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from highvoltage.rooms.bot_service import SUBSTITUTE, BotService
from highvoltage.rooms.files import check_setup
from highvoltage.rooms.info import bot_name, list_summary, table_infos
from highvoltage.rooms.messages import (
    ChatLineRef,
    Key,
    NewSeat,
    NewTable,
    Ref,
    SeatChoice,
    SeatRef,
    Setup,
    StandIn,
    StartTable,
    StoredSetup,
    TableInfo,
)
from highvoltage.rooms.problems import (
    RequestRefused,
    malformed,
    not_found,
    not_now,
    not_yours,
    too_many,
)
from highvoltage.rooms.room import DEAL_SECONDS, Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.socket_messages import ChatLine, StateMessage
from highvoltage.rooms.thinking import CheckRequest
from highvoltage.rooms.watcher import Watcher
from highvoltage.server.bots.pool import Asker
from highvoltage.server.config import Config
from highvoltage.server.guard.budget import to_thread
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.live.outgoing import ForbiddenAddress, check_address
from highvoltage.server.store import UNFINISHED, GameRow, SeatRow, Store, new_id
from highvoltage.server.store.schema import games, seats

log: logging.Logger = logging.getLogger(__name__)


class Lobby(Controller):
    """The tables of this server."""

    path = "/api/tables"
    tags: tuple[str] = ("tables",)

    @get()
    async def public_tables(self, store: Given[Store], visitor: Given[Visitor]) -> list[TableInfo]:
        """Public tables that are open or running."""
        return await to_thread(table_infos, await store.public(), visitor.who)

    @get("/mine")
    async def my_tables(self, store: Given[Store], visitor: Given[Visitor]) -> list[TableInfo]:
        """Tables where you hold a seat or that you made, your turn first."""
        found = await store.mine(visitor.who)
        tables = await to_thread(table_infos, found, visitor.who)
        return sorted(tables, key=lambda table: not _my_turn(table))

    @post()
    async def make_table(
        self,
        data: JSONBody[NewTable],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        config: Given[Config],
        mark: Given[str | None],
    ) -> TableInfo:
        """Make a table; the game starts as soon as no seat is open."""
        if mark is not None and (made := await rooms.store.result_of(mark)):
            return (await rooms.get(made.value)).info(visitor.who)
        bot_service = rooms.context.bot_service
        await _check_setup(data, bot_service, visitor, config.limits.own_bytes)
        if data.webhook is not None:
            _check_webhook(data.webhook, config)
        await _check_table_limits(rooms, visitor, config, public=data.public)
        setup = StoredSetup(
            **{field: getattr(data, field) for field in Setup.__struct_fields__},
            seeded=data.seed is not None,
        )
        seed = secrets.token_hex(16) if data.seed is None else str(data.seed)
        places = [_place(seat, new, visitor, bot_service) for seat, new in enumerate(data.seats)]
        row = _row(new_id(), setup, seed, places, visitor)
        room = await rooms.get(await rooms.store.create(row, places, mark))
        await _start_if_full(room)
        return room.info(visitor.who)

    @get("/{table:str}")
    async def table(
        self, table: FromPath[str], rooms: Given[Rooms], visitor: Given[Visitor]
    ) -> StateMessage:
        """Everything that you may see of a table, with the whole log."""
        room = await rooms.get(table)
        return room.state(Watcher(visitor.who))

    @post("/{table:str}/join")
    async def join(
        self,
        table: FromPath[str],
        data: JSONBody[SeatChoice],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Take an open seat."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            room.require("open")
            await _not_banned(room, visitor)
            free = [place.seat for place in room.places if place.kind == "open"]
            wanted = free if data.seat is None else [data.seat]
            names = {seat: room.name_for(visitor.name, seat) for seat in wanted}
            due = time() + DEAL_SECONDS
            async with room.writing():
                seat = await rooms.store.take_seat(
                    table, names, visitor.who, visitor.origin, due, mark
                )
            if seat is None:
                raise not_now("seat_taken")
            await room.reread(room.refresh)
            await _start_if_full(room)
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/leave")
    async def leave(
        self,
        table: FromPath[str],
        data: JSONBody[SeatChoice],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Leave a seat; once the game has begun, a bot takes it over permanently."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            room.require(*UNFINISHED)
            seat = _own_seat(room, visitor, data.seat)
            await _vacate(room, seat, visitor.who, mark)
        return (await rooms.get(table)).info(visitor.who)

    @delete("/{table:str}")
    async def delete_table(
        self,
        table: FromPath[str],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> None:
        """Delete a table that you made, with its game, while nobody else sits there."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            if room.row.host != visitor.who:
                raise not_yours("host_only")
            if any(place.owner not in {None, visitor.who} for place in room.places):
                raise not_now("others_sit")
            async with room.writing():
                await rooms.store.delete(table, mark=mark)
        await rooms.drop(table)

    @post("/{table:str}/start")
    async def start(
        self,
        table: FromPath[str],
        data: JSONBody[StartTable],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Start without waiting: bots take the open seats."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            room.require("open")
            if room.row.host != visitor.who:
                raise not_yours("host_only")
            rooms.context.bot_service.check_bot(data.bot)
            due = time() + DEAL_SECONDS
            async with room.writing():
                await rooms.store.fill_seats(table, data.bot, bot_name(data.bot), due, mark)
            await room.reread(room.refresh)
            await _start_if_full(room)
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/end")
    async def end(
        self,
        table: FromPath[str],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """End a game that the program cannot go on with; its record is kept."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            room.require("failed")
            if room.row.host != visitor.who:
                raise not_yours("host_only")
            if room.table is None:  # nothing was played
                async with room.writing():
                    await rooms.store.delete(table, mark=mark)
                await rooms.drop(table)
                return room.info(visitor.who)
            await room.end(mark)
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/rematch")
    async def rematch(
        self,
        table: FromPath[str],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        config: Given[Config],
    ) -> TableInfo:
        """A new table for the same players; everybody who asks gets the same one."""
        room = await rooms.get(table)
        room.require("finished")
        _own_seat(room, visitor, None)
        again = key_hash(f"rematch {room.row.seed} {table}")[:12]
        if await rooms.store.game(again) is None:  # nobody has asked yet, or it has been deleted
            await _check_table_limits(rooms, visitor, config, public=room.setup.public)
            places = [_rematch_seat(place, visitor) for place in room.places]
            setup = msgspec.structs.replace(room.setup, seeded=False)
            row = _row(again, setup, secrets.token_hex(16), places, visitor)
            async with room.writing():
                with suppress(IntegrityError):  # somebody asked at the same time
                    await rooms.store.create(row, places, rematch_of=table)
            await room.reread(room.refresh)
            await _start_if_full(await rooms.get(again))
        return (await rooms.get(again)).info(visitor.who)

    @post("/{table:str}/key")
    async def key(
        self,
        table: FromPath[str],
        data: JSONBody[SeatChoice],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
        ref: FromQuery[Ref | None] = None,
    ) -> Key:
        """A secret that hands your seat over; it replaces an older one."""
        # the same for whoever repeats it, and not to be had from what the store keeps
        key = (
            secrets.token_urlsafe(18) if ref is None else key_hash(f"{visitor.who} key {ref}")[:24]
        )
        async with _once(rooms, mark):
            room = await rooms.get(table)
            seat = _own_seat(room, visitor, data.seat)
            mine = seats.c.owner == visitor.who
            async with room.writing():
                await rooms.store.change_seat(table, seat, mine, mark=mark, key=key_hash(key))
            await room.reread(room.refresh)
        return Key(key)

    @post("/{table:str}/claim")
    async def claim(
        self,
        table: FromPath[str],
        data: JSONBody[Key],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Take the seat of this secret; it works once."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            await _not_banned(room, visitor)
            hashed = key_hash(data.key)
            place = next((place for place in room.places if place.key == hashed), None)
            if place is None:
                raise not_found("key")
            async with room.writing():
                claimed = await rooms.store.change_seat(
                    table,
                    place.seat,
                    seats.c.key == hashed,
                    mark=mark,
                    owner=visitor.who,
                    origin=visitor.origin,
                    name=room.name_for(visitor.name, place.seat),
                    bot=None,
                    key=None,  # it works once
                )
            await room.reread(room.refresh)
            if not claimed:
                raise not_found("key")
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/remove")
    async def remove(
        self,
        table: FromPath[str],
        data: JSONBody[SeatRef],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Ban somebody from your table; a bot plays on if the game has begun."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            if room.row.host != visitor.who:
                raise not_yours("host_only")
            place = next((place for place in room.places if place.seat == data.seat), None)
            if place is None or place.kind != "person" or place.owner in {None, visitor.who}:
                raise not_now("nobody_there")
            await _vacate(room, data.seat, place.owner or "", mark, ban=place.owner)
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/chat/remove")
    async def remove_line(
        self,
        table: FromPath[str],
        data: JSONBody[ChatLineRef],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Remove a line from the chat of your table, or one of your own."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            line = _chat_line(room, data.n)
            author = await rooms.store.author(table, line.n)
            if visitor.who not in {room.row.host, author}:
                raise not_yours("host_only")
            await room.remove_chat(line.n, mark)
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/chat/report")
    async def report_line(
        self,
        table: FromPath[str],
        data: JSONBody[ChatLineRef],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Report an offensive line to the operator of this server."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            line = _chat_line(room, data.n)
            limit = rooms.context.reports.of(visitor.network)
            if limit.exceeded():
                raise too_many("many_reports", retry_after=ceil(limit.retry_after(1)))
            if await rooms.store.people.report(table, line, visitor.who, time(), mark):
                log.warning("reported", extra={"game": table, "line": line.n})
        return (await rooms.get(table)).info(visitor.who)

    @post("/{table:str}/stand-in")
    async def stand_in(
        self,
        table: FromPath[str],
        data: JSONBody[StandIn],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        mark: Given[str | None],
    ) -> TableInfo:
        """Let a bot play your seat for a while, or come back."""
        async with _once(rooms, mark):
            room = await rooms.get(table)
            seat = _own_seat(room, visitor, data.seat)
            if data.bot is not None:
                rooms.context.bot_service.check_bot(data.bot)
            await room.stand_in(seat, data.bot, mark)
        return (await rooms.get(table)).info(visitor.who)


@asynccontextmanager
async def _once(rooms: Rooms, mark: str | None) -> AsyncIterator[None]:
    """What is repeated under the mark of a write that was carried out is not refused for that."""
    try:
        yield
    except RequestRefused:
        if mark is None or not await rooms.store.result_of(mark):
            raise


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


async def _check_setup(
    data: NewTable, bot_service: BotService, visitor: Visitor, most: int
) -> None:
    """Check a setup; custom maps and cards in a worker process, because that may take a while."""
    request = CheckRequest(data.rulebook, len(data.seats), data.map, data.options, most)
    if any(isinstance(own, dict) for own in (data.map, *data.options.values())):
        await bot_service.check(request, Asker(visitor.network, visitor.who))
    else:
        await to_thread(check_setup, *astuple(request))


def _check_webhook(url: str, config: Config) -> None:
    try:
        check_address(url, private=config.private_webhooks)
    except ForbiddenAddress as error:
        raise malformed("no_webhook", f"A webhook {error}.") from None


async def _check_table_limits(
    rooms: Rooms, visitor: Visitor, config: Config, *, public: bool
) -> None:
    limits = config.limits
    made, nearby = await rooms.store.count_of(visitor.who, visitor.origin, UNFINISHED)
    if made >= limits.tables:
        raise too_many("many_tables")
    if nearby >= limits.tables_of_address:
        raise too_many("many_tables_nearby")
    if not public:
        return
    made, nearby = await rooms.store.count_of(
        visitor.who, visitor.origin, UNFINISHED, games.c.public
    )
    if made >= limits.public_tables or nearby >= limits.public_tables_of_address:
        raise too_many("many_public")


def _place(seat: int, new: NewSeat, visitor: Visitor, bot_service: BotService) -> SeatRow:
    if new.kind == "me":
        name = new.name or visitor.name
        return SeatRow("", seat, "person", name, visitor.who, origin=visitor.origin)
    if new.kind == "open":
        return SeatRow("", seat, "open")
    bot = new.bot or "clerk"
    bot_service.check_bot(bot)
    return SeatRow("", seat, "bot", bot_name(bot), bot=bot)


def _rematch_seat(place: SeatRow, visitor: Visitor) -> SeatRow:
    """A seat for a rematch: bots and the visitor keep theirs, the others are open."""
    if place.kind == "bot" or place.owner == visitor.who:
        stays = place.bot if place.kind == "bot" else None
        return SeatRow("", place.seat, place.kind, place.name, place.owner, stays)
    return SeatRow("", place.seat, "open")


def _row(
    game: str,
    setup: StoredSetup,
    seed: str,
    places: list[SeatRow],
    visitor: Visitor,
) -> GameRow:
    for place in places:
        place.game = game
    return GameRow(
        id=game,
        status="open",
        rulebook=setup.rulebook,
        setup=msgspec.json.encode(setup).decode(),
        listed=list_summary(setup),
        seed=seed,
        public=setup.public,
        host=visitor.who,
        created=time(),
        origin=visitor.origin,
        due=time() + DEAL_SECONDS,
    )


async def _start_if_full(room: Room) -> None:
    """Deal; should the store fail at that, whoever sweeps deals later."""
    if room.is_full:
        with suppress(SQLAlchemyError):
            await room.start()


async def _vacate(
    room: Room, seat: int, owner: str, mark: str | None, ban: str | None = None
) -> None:
    """Free a seat; in a game that has begun, a bot plays on under the same name."""
    begun = room.row.status != "open"
    by_bot = {"kind": "bot", "bot": SUBSTITUTE, "left_by": owner}
    left = by_bot if begun else {"kind": "open", "name": ""}
    due = time() + room.context.grace if begun else None
    mine = seats.c.owner == owner
    async with room.writing():
        await room.store.change_seat(
            room.row.id,
            seat,
            mine,
            mark=mark,
            due=due,
            ban=ban,
            owner=None,
            key=None,
            origin="",
            **left,
        )
    await room.reread(room.refresh)


async def _not_banned(room: Room, visitor: Visitor) -> None:
    if await room.store.people.banned(room.row.id, visitor.who):
        raise not_yours("sent_away")


def _chat_line(room: Room, n: int) -> ChatLine:
    line = next((line for line in room.chat if line.n == n and line.text), None)
    if line is None:
        raise not_found("line")
    return line


def _own_seat(room: Room, visitor: Visitor, seat: int | None) -> int:
    mine = room.seats_of(visitor.who)
    if not mine or (seat is not None and seat not in mine):
        raise not_yours("not_your_seat")
    return mine[0] if seat is None else seat


def _my_turn(table: TableInfo) -> bool:
    return any(seat.mine and seat.seat == table.to_move for seat in table.seats)
