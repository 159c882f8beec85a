"""The database, accessed from threads: one that writes, and a few that read."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, TypeVar

import msgspec
from sqlalchemy import (
    Connection,
    Engine,
    Insert,
    Select,
    Update,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from highvoltage.engine.errors import HighVoltageError
from highvoltage.extras import extra
from highvoltage.server.metrics import FAILED_WRITES
from highvoltage.server.private_files import create_private, hide_from_others
from highvoltage.server.store.rows import StoreChange
from highvoltage.server.store.schema import notes, servers
from highvoltage.table import Entry

CHANNEL = "highvoltage"
MIGRATION_LOCK = 4_104_104
READERS = 4
LISTEN_SECONDS = 10.0
POLL_SECONDS = 2.0
"""Interval for reading the notes of other processes in SQLite."""
STALE_SECONDS = 86_400.0
"""The row of a server is deleted this long after its last sign of life."""
NO_CHANGE = StoreChange("", -1, [])

T = TypeVar("T")

log: logging.Logger = logging.getLogger(__name__)


class StoreInUse(HighVoltageError):
    """Another server uses the same file."""


class Database:
    """SQLite for one process, PostgreSQL for several."""

    def __init__(self, url: str) -> None:
        self.url = url
        with extra("postgres"):  # the driver is loaded here
            # no names and hashes in logs
            self.engine: Engine = create_engine(url, hide_parameters=True)
        self.origin: str = token_hex(4)  # marks the notifications of this process
        self.shared: bool = self.engine.dialect.name == "postgresql"
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self.serving = False  # on SQLite, only one process serves
        self._lock: IO[str] | None = None
        if not self.shared:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    def claim(self) -> None:
        """Make sure that this is the only server on its file; else its memory could be stale."""
        self.serving = True
        if not self.shared and self.engine.url.database:
            self._lock = _only_one(Path(f"{self.engine.url.database}.lock"))

    async def open(self) -> None:
        def up_to_date(connection: Connection) -> None:
            if self.shared:  # several processes may start at once
                lock = text("SELECT pg_advisory_xact_lock(:lock)")
                connection.execute(lock, {"lock": MIGRATION_LOCK})
            migrate(connection)

        if not self.shared and self.engine.url.database:
            _make_private(Path(self.engine.url.database))
        await self.write(up_to_date)

    async def close(self) -> None:
        """Close between two transactions; what is not written was not acknowledged."""
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown, cancel_futures=True)
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in its own transaction."""

        def written() -> T:
            with self.engine.begin() as connection:
                return work(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._writer, written)
        except IntegrityError:
            raise  # somebody was faster
        except SQLAlchemyError as error:
            FAILED_WRITES.inc()
            log.error("not written", extra={"why": describe_error(error)})  # noqa: TRY400  # no parameters
            raise

    def compile_statement(self, statement: Insert | Update) -> str:
        """A statement as SQL for the driver, with named parameters."""
        dialect = self.engine.dialect if self.shared else sqlite.dialect(paramstyle="named")
        return str(statement.compile(dialect=dialect))

    async def read(self, work: Callable[[Connection], T]) -> T:
        def found() -> T:
            with self.engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, found)

    async def rows(self, query: Select[Any]) -> Sequence[Any]:
        return await self.read(lambda connection: connection.execute(query).all())

    async def ping(self) -> None:
        await self.rows(select(1))

    async def report_alive(self, at: float) -> None:
        """Record that this server is alive."""

        def work(connection: Connection) -> None:
            old = servers.c.at < at - STALE_SECONDS
            connection.execute(delete(servers).where(old | (servers.c.id == self.origin)))
            connection.execute(insert(servers).values(id=self.origin, at=at))

        await self.write(work)

    # Notifications between processes

    def notify(self, connection: Connection, *news: str) -> None:
        sent = [f"{self.origin} {note}" for note in news]
        if self.shared:
            connection.execute(_NOTIFY, {"channel": CHANNEL, "sent": sent})
        elif sent and not self.serving:
            connection.execute(insert(notes), [{"note": note} for note in sent])

    def listen(self) -> AsyncIterator[StoreChange | None]:
        """What other processes did; None when something may have been missed.

        NO_CHANGE is a sign of life while nothing happens.
        """
        return self._listen_postgres() if self.shared else self._poll_sqlite()

    async def _poll_sqlite(self) -> AsyncIterator[StoreChange | None]:
        while True:
            found = await self.rows(select(notes).order_by(notes.c.n))
            for row in found:
                if change := self._read_note(row.note):
                    yield change
            if found:
                read = delete(notes).where(notes.c.n <= found[-1].n)
                await self.write(lambda connection: connection.execute(read))  # noqa: B023  # awaited at once
            yield NO_CHANGE
            await asyncio.sleep(POLL_SECONDS)

    async def _listen_postgres(self) -> AsyncIterator[StoreChange | None]:
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
                        yield NO_CHANGE
            except psycopg.OperationalError:
                await asyncio.sleep(1)

    def _read_note(self, note: str) -> StoreChange | None:
        """The change in a note; None if the note is our own or cannot be read."""
        try:
            origin, game, seq, entries = note.split(" ", 3)
            change = StoreChange(game, int(seq), _ENTRIES.decode(entries))
        except (ValueError, msgspec.MsgspecError):
            log.warning("a note cannot be read")
            return None
        return change if origin != self.origin else None


_ENTRIES = msgspec.json.Decoder(list[Entry])
_NOTIFY = text("SELECT pg_notify(:channel, note) FROM unnest(CAST(:sent AS text[])) AS note")


def describe_error(error: SQLAlchemyError) -> str:
    """What went wrong, without the values of the statement."""
    cause = getattr(error, "orig", None)
    return type(error).__name__ if cause is None else f"{type(cause).__name__}: {cause}"[:200]


def _only_one(file: Path) -> IO[str] | None:
    """A file locked for the lifetime of this process; None if files cannot be locked here."""
    try:
        import fcntl  # noqa: PLC0415  # not on every system
    except ImportError:
        return None
    with suppress(FileExistsError):
        create_private(file)
    held = file.open("w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise StoreInUse(
            f"Another server keeps its games in {file.with_suffix('')}; end it first, give this"
            " one another folder with --data, or let both use PostgreSQL."
        ) from None
    return held


def _make_private(file: Path) -> None:
    """Create the store for its owner alone: SQLite gives its other files the same mode."""
    try:
        create_private(file)
    except FileExistsError:
        for suffix in ("", "-wal", "-shm"):
            hide_from_others(Path(f"{file}{suffix}"))


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin_sqlite` begins transactions
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 20000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA wal_autocheckpoint = 10000")  # pages; a checkpoint blocks everybody
    cursor.execute("PRAGMA secure_delete = ON")  # overwrite deleted data
    cursor.execute("PRAGMA synchronous = FULL")  # durable even if the power fails
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction. The driver would begin none for schema changes, so half might stay."""
    connection.exec_driver_sql("BEGIN")


def migrate(connection: Connection) -> None:
    """Bring the store up to date; if it is, as at nearly every start, Alembic is not loaded."""
    if _version(connection) == _newest():
        return
    from alembic import command  # noqa: PLC0415  # loading it takes a tenth of a start
    from alembic.config import Config as AlembicConfig  # noqa: PLC0415

    config = AlembicConfig()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


_MIGRATIONS = Path(__file__).parent / "migrations"


def _newest() -> str:
    """The latest version of the store, from the names of the migrations."""
    return max(file.name[:4] for file in (_MIGRATIONS / "versions").glob("0*.py"))


def _version(connection: Connection) -> str | None:
    """The version of a store; None before the first start."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found
