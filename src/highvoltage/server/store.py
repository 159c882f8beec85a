"""What is kept: SQLite for one machine, PostgreSQL for several processes.

A decision is one row of `entries`, and PRIMARY KEY (game, seq) decides who made it. Decisions of
all tables that come in while a transaction is being written are written together by the next one,
so that each is durable before it is acknowledged and the disk is asked only once for many.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import msgspec
import psycopg
from alembic import command
from alembic.config import Config as AlembicConfig
from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, event, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from highvoltage.server.metrics import COMMIT_SECONDS
from highvoltage.server.schema import accounts, chat, entries, games, seats, wishes
from highvoltage.table import Entry, Wish

CHANNEL = "highvoltage"
MIGRATION_LOCK = 4_104_104
CHAT_KEPT = 200


class GameRow(Struct):
    """A table as it is kept."""

    id: str
    status: str
    rulebook: str
    setup: str
    seed: str
    public: bool
    host: str
    created: float
    started: float | None = None
    opening: str | None = None
    turn: int | None = None
    due: float | None = None
    moves: int = 0
    record: str | None = None
    rematch: str | None = None


class SeatRow(Struct):
    """A seat as it is kept."""

    game: str
    seat: int
    kind: str
    name: str = ""
    owner: str | None = None
    bot: str | None = None
    key: str | None = None


class ChatLine(Struct, frozen=True):
    """Something said at a table."""

    n: int
    seat: int
    name: str
    text: str
    at: float


class Account(Struct, frozen=True):
    """An identity that can be taken up with a password."""

    login: str
    who: str
    name: str
    password: str


class Write(NamedTuple):
    """Entries for the journal of a game, and what they change in its row."""

    game: str
    seq: int
    entries: Sequence[Entry]
    changes: dict[str, Any]  # turn, due, moves, status, record


class Change(NamedTuple):
    """Told by another process: entries at `seq` of a journal, or (-1) something else of a game.

    Entries that are too long to be told are left out, to be read.
    """

    game: str
    seq: int
    entries: list[Entry]


class Store:
    """Reads and writes of one process."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine: AsyncEngine = create_async_engine(url)
        self.origin = token_hex(4)  # marks what this process tells the others
        self.shared = self.engine.dialect.name == "postgresql"
        self._writing = asyncio.Lock()
        self._queue: list[tuple[Write, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        if not self.shared:
            event.listen(self.engine.sync_engine, "connect", _prepare_sqlite)

    async def open(self) -> None:
        async with self.engine.begin() as connection:
            if self.shared:  # several processes may start at once
                lock = text("SELECT pg_advisory_xact_lock(:lock)")
                await connection.execute(lock, {"lock": MIGRATION_LOCK})
            await connection.run_sync(_migrate)
        self._writer = asyncio.create_task(self._write_forever())

    async def close(self) -> None:
        """Let go between two transactions; what is not written was not acknowledged."""
        async with self._writing:
            if self._writer is not None:
                self._writer.cancel()
        await self.engine.dispose()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing, self.engine.begin() as connection:
            yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.connect() as connection:
            yield connection

    async def ping(self) -> None:
        async with self.read() as connection:
            await connection.execute(select(1))

    # The journal

    async def append(self, write: Write) -> bool:
        """Whether these entries are now in the journal; False if others were faster."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((write, future))
        self._wake.set()
        return await future

    async def _write_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._queue = self._queue, []
            batch.sort(key=lambda item: item[0].game)  # the same order for all: no deadlock
            for written, (_, future) in zip(await self._written(batch), batch, strict=True):
                if future.cancelled():
                    continue
                if isinstance(written, bool):
                    future.set_result(written)
                else:
                    future.set_exception(written)

    async def _written(
        self, batch: Sequence[tuple[Write, asyncio.Future[bool]]]
    ) -> list[bool | Exception]:
        try:
            await self._commit([write for write, _ in batch])
        except (IntegrityError, OperationalError) as error:
            if len(batch) == 1:
                return [False if isinstance(error, IntegrityError) else error]
            return [(await self._written([item]))[0] for item in batch]
        except Exception as error:  # noqa: BLE001  # whoever waits shall hear of it
            return [error] * len(batch)
        return [True] * len(batch)

    async def _commit(self, batch: Sequence[Write]) -> None:
        rows = [
            {
                "game": write.game,
                "seq": write.seq + n,
                "seat": entry.seat,
                "text": entry.text,
                "at": entry.at,
                "by": entry.by,
                "turned": " ".join(entry.turned),
                "top": entry.top,
            }
            for write in batch
            for n, entry in enumerate(write.entries)
        ]
        changes = [{"of": write.game, **write.changes} for write in batch]
        with COMMIT_SECONDS.time():
            await self._commit_rows(rows, changes, [_note(write) for write in batch])

    async def _commit_rows(
        self, rows: list[dict[str, Any]], changes: list[dict[str, Any]], notes: list[str]
    ) -> None:
        async with self.write() as connection:
            await connection.execute(insert(entries), rows)
            await connection.execute(_ADVANCE, changes)
            await self._tell(connection, *notes)

    async def journal(self, game: str, since: int = 0) -> list[Entry]:
        query = (
            select(entries)
            .where(entries.c.game == game, entries.c.seq >= since)
            .order_by(entries.c.seq)
        )
        async with self.read() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Entry(row.seat, row.text, row.at, row.by, tuple(row.turned.split()), row.top)
            for row in rows
        ]

    # What other processes do

    async def _tell(self, connection: AsyncConnection, *notes: str) -> None:
        if self.shared:
            told = [f"{self.origin} {note}" for note in notes]
            await connection.execute(_NOTIFY, {"channel": CHANNEL, "told": told})

    async def listen(self) -> AsyncIterator[Change | None]:
        """What other processes did; None when something may have been missed."""
        address = self.url.replace("+psycopg", "")
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    address, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    yield None
                    async for note in connection.notifies():
                        origin, game, seq, told = note.payload.split(" ", 3)
                        if origin != self.origin:
                            yield Change(game, int(seq), _ENTRIES.decode(told))
            except psycopg.OperationalError:
                await asyncio.sleep(1)

    # Games and seats

    async def create(self, game: GameRow, places: Sequence[SeatRow]) -> None:
        async with self.write() as connection:
            await connection.execute(insert(games), [_row(game)])
            await connection.execute(insert(seats), [_row(place) for place in places])

    async def game(self, game: str) -> tuple[GameRow, list[SeatRow]] | None:
        async with self.read() as connection:
            rows = await connection.execute(select(games).where(games.c.id == game))
            found = rows.mappings().first()
            if found is None:
                return None
            places = select(seats).where(seats.c.game == game).order_by(seats.c.seat)
            rows = await connection.execute(places)
            return GameRow(**found), [SeatRow(**row) for row in rows.mappings()]

    async def games_with(self, *conditions: Any, limit: int) -> list[tuple[GameRow, list[SeatRow]]]:
        """Games by what is known of them, the latest first."""
        query = select(games).where(*conditions).order_by(games.c.created.desc()).limit(limit)
        async with self.read() as connection:
            rows = await connection.execute(query)
            found = [GameRow(**row) for row in rows.mappings()]
            places = select(seats).where(seats.c.game.in_([game.id for game in found]))
            by_game: dict[str, list[SeatRow]] = {game.id: [] for game in found}
            rows = await connection.execute(places.order_by(seats.c.seat))
            for row in rows.mappings():
                by_game[row["game"]].append(SeatRow(**row))
        return [(game, by_game[game.id]) for game in found]

    async def public(self, limit: int = 100) -> list[tuple[GameRow, list[SeatRow]]]:
        return await self.games_with(
            games.c.public, games.c.status.in_(("open", "running")), limit=limit
        )

    async def mine(self, who: str, limit: int = 200) -> list[tuple[GameRow, list[SeatRow]]]:
        held = select(seats.c.game).where(seats.c.owner == who)
        return await self.games_with(games.c.id.in_(held) | (games.c.host == who), limit=limit)

    async def count_of(self, who: str, statuses: Sequence[str]) -> int:
        """How many tables somebody has made."""
        query = select(func.count()).where(games.c.host == who, games.c.status.in_(statuses))
        async with self.read() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def due(self, before: float) -> list[str]:
        """Running games in which a bot or the clock has to act before this moment."""
        query = select(games.c.id).where(games.c.due < before).order_by(games.c.due).limit(1000)
        async with self.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def change_game(self, game: str, *conditions: Any, **changes: Any) -> bool:
        """Whether the game was in the condition to be changed, and now is."""
        query = update(games).where(games.c.id == game, *conditions).values(**changes)
        async with self.write() as connection:
            changed = (await connection.execute(query)).rowcount == 1
            await self._tell(connection, f"{game} -1 []")
        return changed

    async def change_seat(self, game: str, seat: int, *conditions: Any, **changes: Any) -> bool:
        query = update(seats).where(seats.c.game == game, seats.c.seat == seat, *conditions)
        async with self.write() as connection:
            changed = (await connection.execute(query.values(**changes))).rowcount == 1
            await self._tell(connection, f"{game} -1 []")
        return changed

    # Wishes and chat

    async def wishes(self, game: str) -> list[Wish]:
        async with self.read() as connection:
            rows = await connection.execute(select(wishes).where(wishes.c.game == game))
            return [Wish(row.seat, row.card, row.round, row.limit) for row in rows]

    async def keep_wishes(self, game: str, seat: int, kept: Sequence[Wish]) -> None:
        """The wishes of a seat are now these."""
        async with self.write() as connection:
            await connection.execute(
                delete(wishes).where(wishes.c.game == game, wishes.c.seat == seat)
            )
            if kept:
                await connection.execute(
                    insert(wishes), [{"game": game, **_row(wish)} for wish in kept]
                )
            await self._tell(connection, f"{game} -1 []")

    async def say(self, game: str, seat: int, name: str, words: str, at: float) -> None:
        number = select(func.coalesce(func.max(chat.c.n), 0) + 1).where(chat.c.game == game)
        line = insert(chat).values(
            game=game, n=number.scalar_subquery(), seat=seat, name=name, text=words, at=at
        )
        for attempt in range(5):  # two processes may find the same number
            try:
                async with self.write() as connection:
                    await connection.execute(line)
                    await self._tell(connection, f"{game} -1 []")
            except IntegrityError:
                if attempt == 4:
                    raise
            else:
                return

    async def chat(self, game: str, since: int) -> list[ChatLine]:
        query = (
            select(chat)
            .where(chat.c.game == game, chat.c.n > since)
            .order_by(chat.c.n.desc())
            .limit(CHAT_KEPT)
        )
        async with self.read() as connection:
            rows = (await connection.execute(query)).all()
        return [ChatLine(row.n, row.seat, row.name, row.text, row.at) for row in reversed(rows)]

    # Accounts

    async def account(self, **known: str) -> Account | None:
        query = select(accounts).filter_by(**known)
        async with self.read() as connection:
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else Account(**row)

    async def add_account(self, account: Account) -> bool:
        try:
            async with self.write() as connection:
                await connection.execute(insert(accounts), [_row(account)])
        except IntegrityError:
            return False
        return True

    async def rename_account(self, who: str, name: str) -> None:
        async with self.write() as connection:
            await connection.execute(
                update(accounts).where(accounts.c.who == who).values(name=name)
            )


LONGEST_NOTE = 7_000  # PostgreSQL carries 8,000 bytes
_ENTRIES = msgspec.json.Decoder(list[Entry])
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:told AS text[])) AS note")


def _note(write: Write) -> str:
    told = msgspec.json.encode(write.entries)
    return f"{write.game} {write.seq} {told.decode() if len(told) < LONGEST_NOTE else '[]'}"


_ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values({column: bindparam(column) for column in ("turn", "due", "moves", "status", "record")})
)


def _row(struct: Struct) -> dict[str, Any]:
    return {field: getattr(struct, field) for field in struct.__struct_fields__}


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # durable also when the power fails
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.close()


def _migrate(connection: Connection) -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
