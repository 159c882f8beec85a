"""The database, accessed from threads: one that writes, and a few that read.

What is asked of PostgreSQL is answered within a time, or its line is cut. A write whose answer was
lost is repeated until it is known what became of it (`writing.py`).
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, time
from typing import IO, Any, TypeVar

import msgspec
from sqlalchemy import (
    Connection,
    Engine,
    Insert,
    Select,
    TextClause,
    Update,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from highvoltage.engine.errors import HighVoltageError
from highvoltage.extras import extra
from highvoltage.rooms.rows import StoreChange
from highvoltage.rooms.store import Conflict, Result, StoreError, WriteInDoubt
from highvoltage.rooms.tasks import begin
from highvoltage.server.metrics import FAILED_WRITES
from highvoltage.server.private_files import create_private, hide_from_others
from highvoltage.server.store import direct
from highvoltage.server.store.schema import notes, servers, writes
from highvoltage.server.store.writing import Marks, Writing, is_unreachable
from highvoltage.table import Entry

CHANNEL = "highvoltage"
MIGRATION_LOCK = 4_104_104
READERS = 4
INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""By dialect: inserts that say what to do where a row is there already."""
CONNECT_SECONDS = 3
ANSWER_SECONDS = 5.0
"""In which PostgreSQL answers all that is asked in one transaction, or its line is cut."""
SETTLE_SECONDS = 10.0
"""For which a write is repeated that PostgreSQL has not answered."""
PAUSE_SECONDS = 0.2
IDLE_SECONDS = 10
"""After which PostgreSQL ends a transaction that a server has left open."""
LISTEN_SECONDS = 3.0
"""Between two questions whether the line that brings news is alive, and for the answer."""
REPEATED_SECONDS = 86_400.0
"""For which it is known of a write whether it was carried out."""
TIMEOUTS = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": int(1000 * ANSWER_SECONDS),
}
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
            timeouts = {} if url.startswith("sqlite") else TIMEOUTS
            self.engine: Engine = create_engine(url, hide_parameters=True, connect_args=timeouts)
        self.origin: str = token_hex(4)  # marks the notifications of this process
        self.shared: bool = self.engine.dialect.name == "postgresql"
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self.serving = False  # on SQLite, only one process serves
        self._lock: IO[str] | None = None
        self._closing = False
        self._asked: dict[socket.socket, float] = {}  # lines that are waited for, and since when
        self._overseer: asyncio.Task[None] | None = None
        self._in_doubt: set[str] = set()  # marks of writes of which nothing is known yet
        self._notify = self.compile_statement(_NOTIFY)
        self._marks = Marks(self.compile_statement(insert(writes)), shared=self.shared)
        if self.shared:
            event.listen(self.engine, "connect", self._prepare_postgresql, insert=True)
            event.listen(self.engine, "close", _forget_line)
        else:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    def claim(self) -> None:
        """Make sure that this is the only server on its file; else its memory could be stale."""
        self.serving = True
        if not self.shared and self.engine.url.database:
            self._lock = _only_one(Path(f"{self.engine.url.database}.lock"))

    async def open(self) -> None:
        def up_to_date(connection: Connection) -> None:
            if self.shared:  # several processes may start at once, and it may take its time
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                lock = text("SELECT pg_advisory_xact_lock(:lock)")
                connection.execute(lock, {"lock": MIGRATION_LOCK})
            migrate(connection)
            connection.commit()

        if not self.shared and self.engine.url.database:
            _make_private(Path(self.engine.url.database))
        await self._in_thread(self._writer, up_to_date)
        if self.shared and self.serving:
            self._overseer = begin(self._oversee(), "oversee the store")

    async def close(self) -> None:
        """Close between two transactions; what is not written was not acknowledged."""
        self._closing = True
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown, cancel_futures=True)
        if self._overseer is not None:
            self._overseer.cancel()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()

    async def write(
        self, work: Callable[[Connection], T], mark: str | None = None, *, repeatable: bool = False
    ) -> T:
        """Run `work` in its own transaction, once; with a `mark` once for all who name it.

        What was done before under this mark is not done again: the result is that of the first
        time. Conflict if somebody was faster, NotWritten if it is certain that nothing was kept,
        WriteInDoubt if COMMIT was sent and it cannot be found out what became of it. Any other
        StoreError means that nothing was kept now, while somebody who repeats a write
        (`repeatable`) may have had it carried out before.
        """
        writing = Writing(self._marks, work, mark, repeatable=repeatable or mark is not None)
        until = monotonic() + SETTLE_SECONDS
        while True:
            writing.claimed = False
            try:
                return await self._in_thread(self._writer, writing.carry_out)
            except IntegrityError as error:
                raise Conflict("Somebody was faster.") from error
            except SQLAlchemyError as error:
                again = writing.in_doubt or is_unreachable(error)
                if again and monotonic() < until and not self._closing:
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                FAILED_WRITES.inc()
                log.error("not written", extra={"why": describe_error(error)})  # noqa: TRY400  # no parameters
                verdict = writing.verdict()
                if isinstance(verdict, WriteInDoubt):
                    self._in_doubt.add(writing.mark)
                raise verdict from error

    async def settle(self) -> None:
        """Wait until no write is under way any more that was in doubt.

        Whoever marks a transaction as another one was marked waits until that has ended.
        """
        for mark in tuple(self._in_doubt):

            def work(connection: Connection, mark: str = mark) -> None:
                with suppress(IntegrityError):  # it was carried out
                    self._marks.make(connection, mark)
                connection.rollback()

            with _failing():
                await self._in_thread(self._writer, work)
            self._in_doubt.discard(mark)

    async def result_of(self, mark: str) -> Result | None:
        """What became of a write that was carried out; None if none was, or long ago."""
        found = await self.rows(select(writes.c.result).where(writes.c.id == mark))
        return next((Result(msgspec.json.decode(row.result)) for row in found), None)

    async def forget_writes(self) -> None:
        """Forget writes that nobody repeats any more."""
        old = delete(writes).where(writes.c.at < time() - REPEATED_SECONDS)
        await self.write(lambda connection: connection.execute(old))

    async def _in_thread(self, threads: ThreadPoolExecutor, work: Callable[[Connection], T]) -> T:
        def asked() -> T:
            with self.engine.connect() as connection, self._overseen(connection):
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(threads, asked)

    @contextmanager
    def _overseen(self, connection: Connection) -> Iterator[None]:
        line: socket.socket | None = connection.info.get(LINE)
        if line is None:
            yield
            return
        self._asked[line] = monotonic()
        try:
            yield
        finally:
            del self._asked[line]

    async def _oversee(self) -> None:
        """Cut lines that give no answer; whoever waits in a thread gets an error at once."""
        while True:
            late = monotonic() - ANSWER_SECONDS
            for line, since in tuple(self._asked.items()):
                if since < late:
                    _cut(line)
            await asyncio.sleep(PAUSE_SECONDS)

    def _prepare_postgresql(self, connection: Any, record: Any) -> None:
        if not self.serving:  # an operator's commands may take their time
            return
        record.info[LINE] = _line_of(connection)
        connection.autocommit = True
        connection.execute(
            f"SET statement_timeout = {int(1000 * ANSWER_SECONDS)};"
            f"SET idle_in_transaction_session_timeout = {1000 * IDLE_SECONDS}"
        )
        connection.autocommit = False

    def compile_statement(self, statement: Insert | Update | TextClause) -> str:
        """A statement as SQL for the driver, with named parameters."""
        dialect = self.engine.dialect if self.shared else sqlite.dialect(paramstyle="named")
        return str(statement.compile(dialect=dialect))

    async def read(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self._in_thread(self._readers, work)
        except SQLAlchemyError as error:
            if not is_unreachable(error):
                raise StoreError("The store cannot be read.") from error
        with _failing():
            return await self._in_thread(self._readers, work)  # over a new line

    async def rows(self, query: Select[Any]) -> Sequence[Any]:
        return await self.read(lambda connection: connection.execute(query).all())

    async def ping(self) -> None:
        """TimeoutError if the store does not answer."""
        async with asyncio.timeout(ANSWER_SECONDS):
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
            direct.execute(connection, self._notify, {"channel": CHANNEL, "sent": sent})
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

        address = psycopg.conninfo.make_conninfo(self.url.replace("+psycopg", ""), **TIMEOUTS)
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    address, autocommit=True
                ) as connection:
                    with _answered(connection):
                        await connection.execute(f"LISTEN {CHANNEL}")
                    yield None
                    while True:
                        async for note in connection.notifies(timeout=LISTEN_SECONDS):
                            if change := self._read_note(note.payload):
                                yield change
                        with _answered(connection):
                            await connection.execute("SELECT 1")
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


@contextmanager
def _failing() -> Iterator[None]:
    """Raise what rooms expect of a store that fails."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError("The store does not answer.") from error


LINE = "highvoltage line"
"""Where the socket of a connection is kept."""


def _line_of(connection: Any) -> socket.socket:
    """A copy, which stays ours when the driver closes its own and the number is given away."""
    return socket.socket(fileno=os.dup(connection.pgconn.socket))


def _cut(line: socket.socket) -> None:
    with suppress(OSError):  # it is cut already
        line.shutdown(socket.SHUT_RDWR)


@contextmanager
def _answered(connection: Any) -> Iterator[None]:
    """Cut the line that brings news if a question over it is not answered."""
    line = _line_of(connection)
    alarm = asyncio.get_running_loop().call_later(LISTEN_SECONDS, _cut, line)
    try:
        yield
    finally:
        alarm.cancel()
        line.close()


def _forget_line(_: object, record: Any) -> None:
    if (line := record.info.pop(LINE, None)) is not None:
        line.close()


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
    connection.connection.cursor().execute("BEGIN")


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
