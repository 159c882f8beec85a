"""Cups, over HTTP: make, sign up, begin, withdraw. Whoever has the link of a cup sees it."""

import secrets
from math import isfinite
from time import time

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody

from highvoltage.rooms.files import check_setup
from highvoltage.rooms.problems import (
    RequestRefused,
    malformed,
    not_found,
    not_now,
    not_yours,
    too_many,
)
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import new_id
from highvoltage.rooms.tables import once
from highvoltage.server.cups.messages import (
    MOST_PLAYERS,
    CupBrief,
    CupInfo,
    CupLine,
    CupSeatInfo,
    CupTable,
    NewCup,
    PlayerRef,
)
from highvoltage.server.cups.pairing import FEWEST_SEATS
from highvoltage.server.cups.rounds import (
    SETUP_DECODER,
    CupRounds,
    cup_standings,
    results_of_tables,
)
from highvoltage.server.cups.standings import seat_points
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import SqlStore
from highvoltage.server.store.cups import CupFound, CupRow

USUAL_POINTS = (10, 7, 5, 3, 2, 1)
CUPS_OF_HOST, CUPS_OF_ADDRESS = 5, 20
"""Cups that are not over, made by one identity, and from one address."""
LATEST_BEGIN_SECONDS = 366 * 86_400.0


class Cups(Controller):
    """Cups for people."""

    path = "/api/cups"
    tags: tuple[str] = ("cups",)

    @get("")
    async def my_cups(self, visitor: Given[Visitor], store: Given[SqlStore]) -> list[CupBrief]:
        """Cups that you have made or play in, the latest first."""
        return [cup_brief(row, visitor) for row in await store.cups.mine(visitor.who)]

    @post("")
    async def make_cup(
        self,
        data: JSONBody[NewCup],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> CupInfo:
        """Make a cup, to which people sign up by its link."""
        if mark is not None and (made := await store.result_of(mark)):
            return await _shown(store, made.value, visitor)
        if not data.points:
            data = msgspec.structs.replace(data, points=[*USUAL_POINTS[: data.seats]])
        _check_terms(data)
        await rooms.context.threads.compute(_check_boards, data, rooms.context.limits.own_bytes)
        made_here, nearby = await store.cups.count_of(visitor.who, visitor.origin)
        if made_here >= CUPS_OF_HOST or nearby >= CUPS_OF_ADDRESS:
            raise too_many("many_cups")
        if data.club is not None and not await store.clubs.has_member(data.club, visitor.who):
            raise not_yours("club_members")
        row = CupRow(
            id=new_id(),
            host=visitor.who,
            origin=visitor.origin,
            setup=msgspec.json.encode(data).decode(),
            seed=secrets.token_hex(8),
            created=time(),
            due=data.begins,
            club=data.club,
        )
        return await _shown(store, await store.cups.create(row, mark), visitor)

    @get("/{cup:str}")
    async def cup(
        self, cup: FromPath[str], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> CupInfo:
        """A cup: its players, tables and standings."""
        return await _shown(store, cup, visitor)

    @delete("/{cup:str}")
    async def delete_cup(
        self,
        cup: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> None:
        """Delete a cup that you made, before it has begun."""
        async with once(rooms, mark):
            await _hosted(store, cup, visitor)
            if not await store.cups.delete(cup, mark):
                raise _not_now("The cup has begun; you can end it.")

    @post("/{cup:str}/join")
    async def join_cup(
        self,
        cup: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> CupInfo:
        """Sign up for a cup; or come back, for its next round."""
        async with once(rooms, mark):
            club = (await _find(store, cup)).row.club
            if club is not None and not await store.clubs.has_member(club, visitor.who):
                raise not_yours("club_members")
            became = await store.cups.sign_up(
                cup, visitor.who, visitor.name, visitor.origin, MOST_PLAYERS, mark
            )
            if became == "removed":
                raise not_yours("sent_away", "The host has removed you from this cup.")
            if became == "full":
                raise not_now("cup_full")
            if became != "in":
                raise _not_now("The cup has begun, or is over: nobody can sign up any more.")
        return await _shown(store, cup, visitor)

    @post("/{cup:str}/leave")
    async def leave_cup(
        self,
        cup: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> CupInfo:
        """Withdraw from a cup; you keep your seat at a table where you play."""
        async with once(rooms, mark):
            mine = _number_of(await _find(store, cup), visitor)
            if mine is None:
                raise not_yours("not_your_seat", "You do not play in this cup.")
            if not await store.cups.set_status(cup, mine, "out", mark):
                raise _not_now("The cup is over.")
        return await _shown(store, cup, visitor)

    @post("/{cup:str}/remove")
    async def remove_player(
        self,
        cup: FromPath[str],
        data: JSONBody[PlayerRef],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> CupInfo:
        """Remove a player from your cup, who cannot sign up again."""
        async with once(rooms, mark):
            found = await _hosted(store, cup, visitor)
            if data.player not in {player.n for player in found.players}:
                raise not_found("player")
            if not await store.cups.set_status(cup, data.player, "removed", mark):
                raise _not_now("The cup is over.")
        return await _shown(store, cup, visitor)

    @post("/{cup:str}/round")
    async def begin_round(
        self,
        cup: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        cup_rounds: Given[CupRounds],
        mark: Given[str | None],
    ) -> CupInfo:
        """Begin your cup, or its next round, now."""
        async with once(rooms, mark):
            found = await _hosted(store, cup, visitor)
            if found.row.status == "over":
                raise _not_now("The cup is over.")
            if found.row.played < found.row.round:
                raise _not_now("A round is being played; the next one begins after it.")
            if not await cup_rounds.begin_round(found, mark):
                raise not_now("cup_few")
        return await _shown(store, cup, visitor)

    @post("/{cup:str}/end")
    async def end_cup(
        self,
        cup: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> CupInfo:
        """End your cup early: no other round begins; games that run still count."""
        async with once(rooms, mark):
            await _hosted(store, cup, visitor)
            if not await store.cups.end(cup, mark):
                raise _not_now("The cup is not being played.")
        return await _shown(store, cup, visitor)


def _not_now(message: str) -> RequestRefused:
    """The page offers this only when it can be done, so few people ever read why not."""
    return not_now("not_now", message)


def _check_terms(data: NewCup) -> None:
    if not data.title.strip():
        raise malformed("malformed", "A cup needs a title.")
    if data.pace.kind == "none":
        raise malformed("malformed", "A cup needs a clock, so that it comes to an end.")
    if any(isinstance(value, dict) for value in data.options.values()):
        raise malformed("malformed", "A cup is played without files of one's own.")
    if len(data.points) != data.seats or data.points != sorted(data.points, reverse=True):
        raise malformed("cup_points")
    if data.begins is not None:
        ahead = data.begins - time()
        if not (isfinite(ahead) and 0 < ahead < LATEST_BEGIN_SECONDS):
            raise malformed("cup_begins")


def _check_boards(data: NewCup, most: int) -> None:
    """Every table that there may be can be dealt."""
    boards: list[str | None] = [*data.boards]
    for board in boards or [None]:
        for seats in range(max(FEWEST_SEATS, data.seats - 1), data.seats + 1):
            check_setup(data.rulebook, seats, board, data.options, most)


async def _find(store: SqlStore, cup: str) -> CupFound:
    found = None if "\0" in cup else await store.cups.find(cup)
    if found is None:
        raise not_found("cup")
    return found


async def _hosted(store: SqlStore, cup: str, visitor: Visitor) -> CupFound:
    found = await _find(store, cup)
    if found.row.host != visitor.who:
        raise not_yours("host_only")
    return found


def _number_of(found: CupFound, visitor: Visitor) -> int | None:
    return next((player.n for player in found.players if player.who == visitor.who), None)


async def _shown(store: SqlStore, cup: str, visitor: Visitor) -> CupInfo:
    return cup_info(await _find(store, cup), visitor)


def cup_brief(row: CupRow, visitor: Visitor) -> CupBrief:
    setup = SETUP_DECODER.decode(row.setup)
    return CupBrief(
        id=row.id,
        title=setup.title,
        rulebook=setup.rulebook,
        status=row.status,  # type: ignore[arg-type]  # stored as it was set here
        round=row.round,
        rounds=setup.rounds,
        host=row.host == visitor.who,
        created=row.created,
        club=row.club,
    )


def cup_info(found: CupFound, visitor: Visitor) -> CupInfo:
    """What somebody sees of a cup."""
    row, setup = found.row, SETUP_DECODER.decode(found.row.setup)
    brief = msgspec.structs.asdict(cup_brief(row, visitor))
    waits = row.status != "over" and row.played == row.round
    return CupInfo(
        **brief,
        boards=setup.boards,
        options=setup.options,
        seats=setup.seats,
        pace=setup.pace,
        points=setup.points,
        wait=setup.wait,
        played=row.played,
        next_at=row.due if waits else None,
        me=_number_of(found, visitor),
        lines=_lines(found, visitor),
        tables=_tables(found, setup.points),
    )


def _lines(found: CupFound, visitor: Visitor) -> list[CupLine]:
    players = {player.n: player for player in found.players}
    return [
        CupLine(
            name=players[line.player].name,
            mine=players[line.player].who == visitor.who,
            status=players[line.player].status,  # type: ignore[arg-type]  # stored as it was set
            **line._asdict(),
        )
        for line in cup_standings(found)
    ]


def _tables(found: CupFound, points: list[int]) -> list[CupTable]:
    results = results_of_tables(found)
    tables: dict[str, CupTable] = {}
    for seat in found.seats:
        status = found.statuses.get(seat.table_id)
        new = CupTable(seat.table_id, seat.round, status, [])  # type: ignore[arg-type]
        seats = tables.setdefault(seat.table_id, new).seats
        gained = seat_points(results[seat.table_id], points) if seat.place is not None else []
        won = float(gained[seat.seat]) if gained else 0.0
        seats.append(CupSeatInfo(seat.player, seat.place, seat.left, won))
    return [*tables.values()]
