"""What is kept: SQLite for one machine, PostgreSQL for several processes.

A decision is one row of `entries`, and PRIMARY KEY (game, seq) decides who made it. Decisions of
all tables that come in while a transaction is being written are written together by the next one,
so that each is durable before it is acknowledged and the disk is asked only once for many.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

import msgspec
from alembic import command
from alembic.config import Config as AlembicConfig
from msgspec import Struct
from sqlalchemy import (
    Connection,
    Insert,
    Select,
    Update,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, OperationalError

from highvoltage.extras import extra
from highvoltage.server.metrics import COMMIT_SECONDS
from highvoltage.server.store.rows import (
    Account,
    AnalysisRow,
    Change,
    ChatLine,
    GameRow,
    SeatRow,
    Write,
)
from highvoltage.server.store.schema import accounts, analyses, chat, entries, games, seats, wishes
from highvoltage.table import Entry, Wish

CHANNEL = "highvoltage"
MIGRATION_LOCK = 4_104_104
CHAT_KEPT = 200
READERS = 4
BREATH = 0.005
"""Seconds between two transactions, in which decisions gather for the next one."""

LISTEN_SECONDS = 10.0
QUIET = Change("", -1, [])

T = TypeVar("T")

log = logging.getLogger(__name__)


class Store:
    """Reads and writes of one process.

    The database is asked in threads: one that writes, one thing after the other, and a few that
    read meanwhile.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        with extra("postgres"):  # the driver is loaded here
            self.engine = create_engine(url)
        self.origin = token_hex(4)  # marks what this process tells the others
        self.shared = self.engine.dialect.name == "postgresql"
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._queue: list[tuple[Write, asyncio.Future[bool]]] = []
        self._flushing: asyncio.Task[None] | None = None
        if not self.shared:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    async def open(self) -> None:
        def up_to_date(connection: Connection) -> None:
            if self.shared:  # several processes may start at once
                lock = text("SELECT pg_advisory_xact_lock(:lock)")
                connection.execute(lock, {"lock": MIGRATION_LOCK})
            migrate(connection)

        await self._write(up_to_date)

    async def close(self) -> None:
        """Let go between two transactions; what is not written was not acknowledged."""
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown, cancel_futures=True)
        self.engine.dispose()

    async def _write(self, work: Callable[[Connection], T]) -> T:
        """Do something in a transaction of its own."""

        def written() -> T:
            with self.engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._writer, written)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def found() -> T:
            with self.engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, found)

    async def _rows(self, query: Select[Any]) -> Sequence[Any]:
        return await self._read(lambda connection: connection.execute(query).all())

    async def ping(self) -> None:
        await self._rows(select(1))

    # The journal

    async def append(self, write: Write) -> bool:
        """Whether these entries are now in the journal; False if others were faster."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((write, future))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        return await future

    async def _flush(self) -> None:
        """Write what is waiting, and what comes in meanwhile, and tell those who wait."""
        while self._queue:
            batch, self._queue = self._queue, []
            batch.sort(key=lambda item: item[0].game)  # the same order for all: no deadlock
            writes = [write for write, _ in batch]
            for written, (_, future) in zip(await self._written(writes), batch, strict=True):
                if future.cancelled():
                    continue
                if isinstance(written, bool):
                    future.set_result(written)
                else:
                    future.set_exception(written)
            await asyncio.sleep(BREATH)
        self._flushing = None

    async def _written(self, batch: Sequence[Write]) -> list[bool | Exception]:
        try:
            with COMMIT_SECONDS.time():
                await self._write(lambda connection: self._commit(connection, batch))
        except (IntegrityError, OperationalError) as error:
            if len(batch) == 1:
                return [False if isinstance(error, IntegrityError) else error]
            return [(await self._written([write]))[0] for write in batch]
        except Exception as error:  # noqa: BLE001  # whoever waits shall hear of it
            return [error] * len(batch)
        return [True] * len(batch)

    def _commit(self, connection: Connection, batch: Sequence[Write]) -> None:
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
        connection.execute(_APPEND, rows)
        connection.execute(_ADVANCE, [{"of": write.game, **write.changes} for write in batch])
        if self.shared:
            self._tell(connection, *map(_note, batch))

    async def journal(self, game: str, since: int = 0) -> list[Entry]:
        query = (
            select(entries)
            .where(entries.c.game == game, entries.c.seq >= since)
            .order_by(entries.c.seq)
        )

        def work(connection: Connection) -> list[Entry]:
            return [
                Entry(row.seat, row.text, row.at, row.by, tuple(row.turned.split()), row.top)
                for row in connection.execute(query)
            ]

        return await self._read(work)

    # What other processes do

    def _tell(self, connection: Connection, *notes: str) -> None:
        if self.shared:
            told = [f"{self.origin} {note}" for note in notes]
            connection.execute(_NOTIFY, {"channel": CHANNEL, "told": told})

    async def listen(self) -> AsyncIterator[Change | None]:
        """What other processes did; None when something may have been missed.

        A change of no game is a sign of life while there is nothing to tell.
        """
        import psycopg  # noqa: PLC0415  # an extra

        address = self.url.replace("+psycopg", "")
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    address, autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    yield None
                    while True:
                        async for note in connection.notifies(timeout=LISTEN_SECONDS):
                            if change := self._read_note(note.payload):
                                yield change
                        yield QUIET
            except psycopg.OperationalError:
                await asyncio.sleep(1)

    def _read_note(self, note: str) -> Change | None:
        """What another process tells; None if it is our own word, or cannot be read."""
        try:
            origin, game, seq, told = note.split(" ", 3)
            change = Change(game, int(seq), _ENTRIES.decode(told))
        except (ValueError, msgspec.MsgspecError):
            log.warning("a note cannot be read")
            return None
        return change if origin != self.origin else None

    # Games and seats

    async def create(self, game: GameRow, places: Sequence[SeatRow]) -> None:
        def work(connection: Connection) -> None:
            connection.execute(insert(games), [_row(game)])
            connection.execute(insert(seats), [_row(place) for place in places])

        await self._write(work)

    async def game(self, game: str) -> tuple[GameRow, list[SeatRow]] | None:
        found = await self._games(select(games).where(games.c.id == game))
        return found[0] if found else None

    async def games_with(self, *conditions: Any, limit: int) -> list[tuple[GameRow, list[SeatRow]]]:
        """Games by what is known of them, the latest first."""
        query = select(games).where(*conditions).order_by(games.c.created.desc()).limit(limit)
        return await self._games(query)

    async def _games(self, query: Select[Any]) -> list[tuple[GameRow, list[SeatRow]]]:
        def work(connection: Connection) -> list[tuple[GameRow, list[SeatRow]]]:
            found = [GameRow(**row) for row in connection.execute(query).mappings()]
            places: dict[str, list[SeatRow]] = {game.id: [] for game in found}
            held = select(seats).where(seats.c.game.in_(places)).order_by(seats.c.seat)
            for row in connection.execute(held).mappings():
                places[row["game"]].append(SeatRow(**row))
            return [(game, places[game.id]) for game in found]

        return await self._read(work)

    async def public(self, limit: int = 100) -> list[tuple[GameRow, list[SeatRow]]]:
        return await self.games_with(
            games.c.public, games.c.status.in_(("open", "running")), limit=limit
        )

    async def mine(self, who: str, limit: int = 200) -> list[tuple[GameRow, list[SeatRow]]]:
        held = select(seats.c.game).where(seats.c.owner == who)
        return await self.games_with(games.c.id.in_(held) | (games.c.host == who), limit=limit)

    async def count_of(self, who: str, statuses: Sequence[str]) -> int:
        """How many tables somebody has made."""
        made = games.c.host == who, games.c.status.in_(statuses)
        rows = await self._rows(select(func.count()).where(*made))
        return int(rows[0][0])

    async def due(self, before: float) -> list[str]:
        """Running games in which a bot or the clock has to act before this moment."""
        query = select(games.c.id).where(games.c.due < before).order_by(games.c.due).limit(1000)
        return [row.id for row in await self._rows(query)]

    async def change_game(self, game: str, *conditions: Any, **changes: Any) -> bool:
        """Whether the game was in the condition to be changed, and now is."""
        query = update(games).where(games.c.id == game, *conditions).values(**changes)
        return await self._change(game, query)

    async def change_seat(self, game: str, seat: int, *conditions: Any, **changes: Any) -> bool:
        query = update(seats).where(seats.c.game == game, seats.c.seat == seat, *conditions)
        return await self._change(game, query.values(**changes))

    async def _change(self, game: str, query: Update | Insert) -> bool:
        def work(connection: Connection) -> bool:
            changed = connection.execute(query).rowcount == 1
            self._tell(connection, f"{game} -1 []")
            return changed

        return await self._write(work)

    # Wishes and chat

    async def wishes(self, game: str) -> list[Wish]:
        rows = await self._rows(select(wishes).where(wishes.c.game == game))
        return [Wish(row.seat, row.card, row.round, row.limit) for row in rows]

    async def keep_wishes(self, game: str, seat: int, kept: Sequence[Wish]) -> None:
        """The wishes of a seat are now these."""

        def work(connection: Connection) -> None:
            connection.execute(delete(wishes).where(wishes.c.game == game, wishes.c.seat == seat))
            if kept:
                connection.execute(insert(wishes), [{"game": game, **_row(wish)} for wish in kept])
            self._tell(connection, f"{game} -1 []")

        await self._write(work)

    async def say(self, game: str, seat: int, name: str, words: str, at: float) -> None:
        number = select(func.coalesce(func.max(chat.c.n), 0) + 1).where(chat.c.game == game)
        line = insert(chat).values(
            game=game, n=number.scalar_subquery(), seat=seat, name=name, text=words, at=at
        )
        for attempt in range(5):  # two processes may find the same number
            try:
                await self._change(game, line)
            except IntegrityError:
                if attempt == 4:
                    raise
            else:
                return

    async def chat(self, game: str, since: int) -> list[ChatLine]:
        query = (
            select(chat.c.n, chat.c.seat, chat.c.name, chat.c.text, chat.c.at)
            .where(chat.c.game == game, chat.c.n > since)
            .order_by(chat.c.n.desc())
            .limit(CHAT_KEPT)
        )
        return [ChatLine(*row) for row in reversed(await self._rows(query))]

    # Analyses

    async def analysis(self, game: str) -> AnalysisRow | None:
        rows = await self._rows(select(analyses).where(analyses.c.game == game))
        return next((AnalysisRow(row.at, row.done, row.found) for row in rows), None)

    async def claim_analysis(self, game: str, at: float, given_up: float) -> bool:
        """Whether the caller is to do it: nobody has, nor been at it since it was given up."""
        query = insert(analyses).values(game=game, at=at, done=0.0)
        try:
            await self._write(lambda connection: connection.execute(query))
        except IntegrityError:
            left = analyses.c.found.is_(None), analyses.c.at < given_up
            return await self.change_analysis(game, *left, at=at, done=0.0)
        return True

    async def change_analysis(self, game: str, *conditions: Any, **changes: Any) -> bool:
        query = update(analyses).where(analyses.c.game == game, *conditions).values(**changes)
        return await self._write(lambda connection: connection.execute(query).rowcount == 1)

    async def drop_analysis(self, game: str) -> None:
        """Somebody else may begin it again."""
        query = delete(analyses).where(analyses.c.game == game)
        await self._write(lambda connection: connection.execute(query))

    # Accounts

    async def account(self, **known: str) -> Account | None:
        rows = await self._rows(select(accounts).filter_by(**known))
        return next((Account(*row) for row in rows), None)

    async def add_account(self, account: Account) -> bool:
        query = insert(accounts).values(_row(account))
        try:
            await self._write(lambda connection: connection.execute(query))
        except IntegrityError:
            return False
        return True

    async def rename_account(self, who: str, name: str) -> None:
        query = update(accounts).where(accounts.c.who == who).values(name=name)
        await self._write(lambda connection: connection.execute(query))


LONGEST_NOTE = 7_000  # PostgreSQL carries 8,000 bytes
_ENTRIES = msgspec.json.Decoder(list[Entry])
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:told AS text[])) AS note")


def _note(write: Write) -> str:
    told = msgspec.json.encode(write.entries)
    return f"{write.game} {write.seq} {told.decode() if len(told) < LONGEST_NOTE else '[]'}"


_APPEND = insert(entries)
_ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values({column: bindparam(column) for column in ("turn", "due", "moves", "status", "record")})
)


def _row(struct: Struct) -> dict[str, Any]:
    return {field: getattr(struct, field) for field in struct.__struct_fields__}


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where they are begun, see below
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 20000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # durable also when the power fails
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Left to itself, the driver begins none for what changes the schema: half would stay."""
    connection.exec_driver_sql("BEGIN")


def migrate(connection: Connection) -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
