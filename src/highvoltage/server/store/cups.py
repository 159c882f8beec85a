"""Cups. Each step of one is a transaction that fails if another process has taken it.

A round begins together with all its tables. What a game comes to is kept by the transaction that
counts it, so none is lost and none counts twice.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, exists, func, insert, select, update

from highvoltage.rooms.names import distinct_name
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.store.database import Database
from highvoltage.server.store.rows import ResultRow
from highvoltage.server.store.schema import (
    cup_players,
    cup_seats,
    cups,
    entries,
    games,
    seats,
    uncounted,
)

CUP_TABLES = (cup_seats, cup_players)
"""SQL tables whose rows belong to a cup and are deleted with it."""
NOT_OVER = ("open", "running")
LISTED = 50


class CupRow(Struct):
    """A cup as it is stored."""

    id: str
    host: str
    origin: str
    setup: str
    seed: str
    created: float
    status: str = "open"
    round: int = 0
    played: int = 0
    due: float | None = None
    club: str | None = None


class CupPlayer(Struct, frozen=True):
    """Somebody who has signed up: `in` plays in the next round, `out` may come back."""

    cup: str
    n: int
    who: str | None
    name: str
    status: str
    origin: str


class CupSeat(Struct, frozen=True):
    """A seat at a table of a round; without a player it is a bot's."""

    cup: str
    round: int
    table_id: str
    seat: int
    player: int | None
    place: int | None = None
    left: bool = False


class CupFound(NamedTuple):
    """A cup and all that belongs to it."""

    row: CupRow
    players: list[CupPlayer]
    seats: list[CupSeat]
    statuses: dict[str, str]  # of its tables, as far as they are not deleted


class NewGame(NamedTuple):
    """A table for a round."""

    row: GameRow
    places: list[SeatRow]
    players: list[int | None]


class TableProgress(NamedTuple):
    """How far a table of a round has come."""

    table_id: str
    is_over: bool  # and counted
    came: frozenset[int]  # seats whose players have decided something themselves
    awaited: int | None  # the seat whose player is to move
    since: float  # since when that is so


class Cups:
    """The cups of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Reading

    async def find(self, cup: str) -> CupFound | None:
        def work(connection: Connection) -> CupFound | None:
            row = connection.execute(select(cups).where(cups.c.id == cup)).one_or_none()
            if row is None:
                return None
            sat = select(cup_seats).where(cup_seats.c.cup == cup)
            order = cup_seats.c.round, cup_seats.c.table_id, cup_seats.c.seat
            found = [CupSeat(*each) for each in connection.execute(sat.order_by(*order))]
            tables = select(games.c.id, games.c.status)
            known = tables.where(games.c.id.in_({each.table_id for each in found}))
            return CupFound(
                CupRow(*row),
                _players(connection, cup),
                found,
                dict(connection.execute(known).all()),
            )

        return await self.database.read(work)

    async def mine(self, who: str) -> list[CupRow]:
        """Cups that somebody has made or plays in, the latest first."""
        played = select(cup_players.c.cup).where(cup_players.c.who == who)
        query = select(cups).where((cups.c.host == who) | cups.c.id.in_(played))
        query = query.order_by(cups.c.created.desc()).limit(LISTED)
        return [CupRow(*row) for row in await self.database.rows(query)]

    async def count_of(self, who: str, origin: str) -> tuple[int, int]:
        """How many cups that are not over a person has made, and how many their network."""
        counts = [
            select(func.count()).where(made, cups.c.status.in_(NOT_OVER)).scalar_subquery()
            for made in (cups.c.host == who, cups.c.origin == origin)
        ]
        [(made, nearby)] = await self.database.rows(select(*counts))
        return int(made), int(nearby)

    async def due(self, before: float) -> list[str]:
        """Cups that are to be looked at."""
        query = select(cups.c.id).where(cups.c.due <= before, cups.c.status.in_(NOT_OVER))
        return [row.id for row in await self.database.rows(query.order_by(cups.c.due))]

    async def progress(self, cup: str, round_number: int) -> list[TableProgress]:
        """How far the tables of a round have come; a deleted one is over."""
        here = cup_seats.c.cup == cup, cup_seats.c.round == round_number
        ids = select(cup_seats.c.table_id).where(*here).distinct()
        moved = select(entries.c.game, entries.c.seat).distinct()
        moved = moved.where(entries.c.game.in_(ids), entries.c.by == "person")
        last = select(entries.c.game, func.max(entries.c.at)).where(entries.c.game.in_(ids))
        waits = exists().where(uncounted.c.game == games.c.id).label("waits")
        query = select(games.c.id, games.c.status, games.c.started, games.c.turn, waits)
        held = select(seats.c.game, seats.c.seat).where(
            seats.c.game.in_(ids), seats.c.kind == "person", seats.c.bot.is_(None)
        )

        def work(connection: Connection) -> list[TableProgress]:
            came: dict[str, set[int]] = {}
            for game, seat in connection.execute(moved):
                came.setdefault(game, set()).add(seat)
            latest = dict(connection.execute(last.group_by(entries.c.game)).all())
            people = {(game, seat) for game, seat in connection.execute(held)}
            rows = connection.execute(query.where(games.c.id.in_(ids)))
            tables = {row.id: row for row in rows}
            found = []
            for table_id in connection.execute(ids.order_by(cup_seats.c.table_id)).scalars():
                seen = frozenset(came.get(table_id, ()))
                if (row := tables.get(table_id)) is None:
                    found.append(TableProgress(table_id, True, seen, None, 0.0))
                    continue
                is_over = row.status == "broken" or (row.status == "finished" and not row.waits)
                is_awaited = row.status == "running" and (table_id, row.turn) in people
                awaited = row.turn if is_awaited else None
                since = latest.get(table_id) or row.started or 0.0
                found.append(TableProgress(table_id, is_over, seen, awaited, since))
            return found

        return await self.database.read(work)

    # Writing

    async def create(self, row: CupRow, mark: str | None) -> str:
        """Keep a new cup; returns its id, or that of the one made under this mark before."""

        def work(connection: Connection) -> str:
            connection.execute(insert(cups).values(msgspec.structs.asdict(row)))
            return row.id

        return await self.database.write(work, mark)

    async def delete(self, cup: str, mark: str | None) -> bool:
        """Delete a cup that has not begun; returns whether it was so."""

        def work(connection: Connection) -> bool:
            if not _lock(connection, cup, "open"):
                connection.rollback()
                return False
            forget_cups(connection, cups.c.id == cup)
            return True

        return await self.database.write(work, mark)

    async def sign_up(
        self, cup: str, who: str, name: str, origin: str, most: int, mark: str | None
    ) -> str:
        """Sign somebody up, or let them come back; returns what became of it.

        Nobody new comes in once a cup has begun: `late`. There may be `most` players: `full`.
        """

        def work(connection: Connection) -> str:
            known = _lock(connection, cup, *NOT_OVER)
            players = _players(connection, cup)
            mine = next((player for player in players if player.who == who), None)
            refusal = ""
            if known is None:
                refusal = "over"
            elif mine is not None:
                refusal = "removed" if mine.status == "removed" else ""
            elif known.status != "open":
                refusal = "late"
            elif len(players) >= most:
                refusal = "full"
            if refusal:
                connection.rollback()
                return refusal
            if mine is not None:
                _set_status(connection, cup, mine.n, "in")
                return "in"
            number = max((player.n for player in players), default=0) + 1
            distinct = distinct_name(name, [player.name for player in players])
            new = CupPlayer(cup, number, who, distinct, "in", origin)
            connection.execute(insert(cup_players).values(msgspec.structs.asdict(new)))
            return "in"

        return await self.database.write(work, mark)

    async def set_status(self, cup: str, n: int, status: str, mark: str | None) -> bool:
        """Let a player withdraw, or remove one; False if the cup is over.

        Before a cup has begun, whoever withdraws is forgotten.
        """

        def work(connection: Connection) -> bool:
            known = _lock(connection, cup, *NOT_OVER)
            if known is None:
                connection.rollback()
                return False
            if known.status == "open" and status == "out":
                here = cup_players.c.cup == cup, cup_players.c.n == n
                stays = cup_players.c.status == "removed"
                connection.execute(delete(cup_players).where(*here, ~stays))
            else:
                _set_status(connection, cup, n, status)
            return True

        return await self.database.write(work, mark)

    async def begin_round(
        self, found: CupFound, tables: Sequence[NewGame], due: float, mark: str | None
    ) -> bool:
        """Begin the next round with these tables.

        False if another process has, or others want to play than those who were found.
        """
        cup, number = found.row.id, found.row.round + 1

        def work(connection: Connection) -> bool:
            known = _lock(connection, cup, *NOT_OVER)
            is_next = known is not None and known.round == known.played == number - 1
            if not is_next or _players(connection, cup) != found.players:
                connection.rollback()
                return False
            for game in tables:
                connection.execute(insert(games).values(msgspec.structs.asdict(game.row)))
                places = [msgspec.structs.asdict(place) for place in game.places]
                connection.execute(insert(seats), places)
                sat = [
                    CupSeat(cup, number, game.row.id, seat, player)
                    for seat, player in enumerate(game.players)
                ]
                connection.execute(
                    insert(cup_seats), [msgspec.structs.asdict(each) for each in sat]
                )
            begun = {"round": number, "status": "running", "due": due}
            connection.execute(update(cups).where(cups.c.id == cup).values(begun))
            return True

        return await self.database.write(work, mark)

    async def end_round(
        self, cup: str, number: int, absent: Sequence[int], due: float | None
    ) -> None:
        """A round is over: `absent` players are out, until they come back; `due` is the next one.

        Without a next one, the cup is over.
        """

        def work(connection: Connection) -> None:
            known = _lock(connection, cup, "running")
            if known is None or (known.round, known.played) != (number, number - 1):
                return
            for n in absent:
                _set_status(connection, cup, n, "out")
            ended: dict[str, Any] = {"played": number, "due": due}
            if due is None:
                ended["status"] = "over"
            connection.execute(update(cups).where(cups.c.id == cup).values(ended))

        await self.database.write(work)

    async def end(self, cup: str, mark: str | None = None) -> bool:
        """End a running cup; False if it is not running."""
        running = cups.c.id == cup, cups.c.status == "running"
        query = update(cups).where(*running).values(status="over", due=None)

        def work(connection: Connection) -> bool:
            if connection.execute(query).rowcount != 1:
                connection.rollback()
                return False
            return True

        return await self.database.write(work, mark)

    async def look_at(self, cup: str, number: int, due: float | None) -> None:
        """Look at a cup again then, if no other round has begun or ended since."""
        same = cups.c.id == cup, cups.c.round + cups.c.played == number
        query = update(cups).where(*same).values(due=due)
        await self.database.write(lambda connection: connection.execute(query))


def _lock(connection: Connection, cup: str, *statuses: str) -> CupRow | None:
    """A cup that has one of these statuses, which nobody else changes until this is written."""
    here = cups.c.id == cup, cups.c.status.in_(statuses)
    row = connection.execute(select(cups).where(*here).with_for_update()).one_or_none()
    return None if row is None else CupRow(*row)


def _players(connection: Connection, cup: str) -> list[CupPlayer]:
    query = select(cup_players).where(cup_players.c.cup == cup).order_by(cup_players.c.n)
    return [CupPlayer(*row) for row in connection.execute(query)]


def _set_status(connection: Connection, cup: str, n: int, status: str) -> None:
    here = cup_players.c.cup == cup, cup_players.c.n == n, cup_players.c.status != "removed"
    connection.execute(update(cup_players).where(*here).values(status=status))


def keep_places(connection: Connection, game: str, rows: Sequence[ResultRow], now: float) -> None:
    """Keep what a game came to, if it belongs to a cup, and have that looked at."""
    for row in rows:
        here = cup_seats.c.table_id == game, cup_seats.c.seat == row.seat
        place = update(cup_seats).where(*here).values(place=row.place, left=row.left)
        if connection.execute(place).rowcount == 0:
            return
    concerned = select(cup_seats.c.cup).where(cup_seats.c.table_id == game)
    running = cups.c.id.in_(concerned), cups.c.status == "running", cups.c.round > cups.c.played
    connection.execute(update(cups).where(*running).values(due=now))


def forget_cup_player(connection: Connection, who: str) -> None:
    """A deleted person's games stay in the standings, nameless; cups they have not begun go."""
    mine = select(cup_players.c.cup, cup_players.c.n).where(cup_players.c.who == who)
    for cup, n in connection.execute(mine).all():
        here = cup_players.c.cup == cup, cup_players.c.n == n
        nameless = {"who": None, "status": "out", "origin": "", "name": f"Gone {n}"}
        connection.execute(update(cup_players).where(*here).values(nameless))
    forget_cups(connection, cups.c.host == who, cups.c.status == "open")
    connection.execute(update(cups).where(cups.c.host == who).values(host="", origin=""))


def withdraw_cup_player(connection: Connection, who: str) -> None:
    """Somebody does not play any more in any cup."""
    mine = cup_players.c.who == who, cup_players.c.status == "in"
    connection.execute(update(cup_players).where(*mine).values(status="out"))


def forget_old_cups(connection: Connection, before: float) -> int:
    """Delete cups made before this moment that do not run and of which no table is left."""
    kept = cup_seats.join(games, games.c.id == cup_seats.c.table_id)
    has_tables = exists().select_from(kept).where(cup_seats.c.cup == cups.c.id)
    return forget_cups(connection, cups.c.created < before, cups.c.status != "running", ~has_tables)


def forget_cups(connection: Connection, *conditions: Any) -> int:
    """Delete cups with all that belongs to them; returns how many there were."""
    ids = connection.execute(select(cups.c.id).where(*conditions)).scalars().all()
    for table in CUP_TABLES:
        connection.execute(delete(table).where(table.c.cup.in_(ids)))
    return connection.execute(delete(cups).where(cups.c.id.in_(ids))).rowcount
