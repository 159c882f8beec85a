"""Seats: take, leave, hand over, let a bot play for a while."""

import secrets
from time import time

from highvoltage.rooms.bot_service import SUBSTITUTE
from highvoltage.rooms.ending import end_if_agreed
from highvoltage.rooms.messages import Key, Ref, SeatChoice, SeatRef, StandIn, TableInfo
from highvoltage.rooms.person import Person
from highvoltage.rooms.problems import not_found, not_now, not_yours
from highvoltage.rooms.rated import check_rated_seat, refuse_if_counts
from highvoltage.rooms.room import DEAL_SECONDS, Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import Routes
from highvoltage.rooms.rows import UNFINISHED
from highvoltage.rooms.tables import key_hash, once, own_seat, start_if_full

routes = Routes("/api/tables", "tables")


@routes.post("/{table}/join")
async def join(
    table: str,
    data: SeatChoice,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Take an open seat."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require("open")
        await _not_banned(room, person)
        check_rated_seat(room, person)
        free = [place.seat for place in room.places if place.kind == "open"]
        wanted = free if data.seat is None else [data.seat]
        names = {seat: room.name_for(person.name, seat) for seat in wanted}
        due = time() + DEAL_SECONDS
        async with room.writing():
            seat = await rooms.store.take_seat(table, names, person.who, person.origin, due, mark)
        if seat is None:
            raise not_now("seat_taken")
        await room.reread(room.refresh)
        await start_if_full(room)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/leave")
async def leave(
    table: str,
    data: SeatChoice,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Leave a seat; once the game has begun, a bot takes it over permanently."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require(*UNFINISHED)
        seat = own_seat(room, person, data.seat)
        await _vacate(room, seat, person.who, mark)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/key")
async def key(
    table: str,
    data: SeatChoice,
    rooms: Rooms,
    person: Person,
    mark: str | None,
    ref: Ref | None = None,
) -> Key:
    """A secret that hands over your seat, or a bot's as the host; it replaces an older one."""
    # the same for whoever repeats it, and not to be had from what the store keeps
    key = secrets.token_urlsafe(18) if ref is None else key_hash(f"{person.who} key {ref}")[:24]
    async with once(rooms, mark):
        room = await rooms.get(table)
        refuse_if_counts(room, "rated_seat_stays")
        by_bot = data.seat in {place.seat for place in room.places if place.kind == "bot"}
        if by_bot and room.row.host == person.who:
            room.require(*UNFINISHED)
            seat, now = data.seat or 0, {"kind": "bot"}
        else:
            seat, now = own_seat(room, person, data.seat), {"owner": person.who}
        async with room.writing():
            await rooms.store.change_seat(table, seat, now, mark=mark, key=key_hash(key))
        await room.reread(room.refresh)
    return Key(key)


@routes.post("/{table}/claim")
async def claim(
    table: str,
    data: Key,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Take the seat of this secret; it works once."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        await _not_banned(room, person)
        hashed = key_hash(data.key)
        place = next((place for place in room.places if place.key == hashed), None)
        if place is None:
            raise not_found("key")
        async with room.writing():
            claimed = await rooms.store.change_seat(
                table,
                place.seat,
                {"key": hashed},
                mark=mark,
                kind="person",
                owner=person.who,
                origin=person.origin,
                name=room.name_for(person.name, place.seat),
                bot=None,
                left_by=None,
                would_end=False,
                key=None,  # it works once
            )
        await room.reread(room.refresh)
        if not claimed:
            raise not_found("key")
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/remove")
async def remove(
    table: str,
    data: SeatRef,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Ban somebody from your table; a bot plays on if the game has begun."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        if room.row.host != person.who:
            raise not_yours("host_only")
        place = next((place for place in room.places if place.seat == data.seat), None)
        if place is None or place.kind != "person" or place.owner in {None, person.who}:
            raise not_now("nobody_there")
        refuse_if_counts(room, "rated_seat_stays", "running")
        await _vacate(room, data.seat, place.owner or "", mark, ban=place.owner)
    return (await rooms.get(table)).info(person.who)


@routes.post("/{table}/stand-in")
async def stand_in(
    table: str,
    data: StandIn,
    rooms: Rooms,
    person: Person,
    mark: str | None,
) -> TableInfo:
    """Let a bot play your seat for a while, or come back."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        room.require(*UNFINISHED)  # afterwards it is settled who was absent
        seat = own_seat(room, person, data.seat)
        if data.bot is not None:
            refuse_if_counts(room, "rated_help")
            rooms.context.bot_service.check_bot(data.bot)
        await room.stand_in(seat, data.bot, mark)
    return (await rooms.get(table)).info(person.who)


async def _vacate(
    room: Room, seat: int, owner: str, mark: str | None, ban: str | None = None
) -> None:
    """Free a seat; in a game that has begun, a bot plays on under the same name."""
    begun = room.row.status != "open"
    by_bot = {"kind": "bot", "bot": SUBSTITUTE, "left_by": owner}
    left = by_bot if begun else {"kind": "open", "name": ""}
    due = time() + room.context.grace if begun else None
    mine = {"owner": owner}
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
            would_end=False,
            **left,
        )
    await room.reread(room.refresh)
    await end_if_agreed(room)


async def _not_banned(room: Room, person: Person) -> None:
    if await room.store.is_banned(room.row.id, person.who):
        raise not_yours("sent_away")
