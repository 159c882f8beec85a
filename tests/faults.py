"""Stores that fail at a COMMIT: a proxy before PostgreSQL, and a driver of SQLite.

Both take a fault for the next transaction that contains certain words of SQL:

- `drop`: the transaction is committed, and the connection is lost before the answer arrives.
- `cut`: the connection is lost before COMMIT arrives.

The proxy also knows `race` (COMMIT is sent, and the connection is cut at once), `slow` (COMMIT
arrives a second later), `mute` (it is committed, and no answer ever comes), `hang` (neither does
COMMIT arrive nor an answer come), `late` (COMMIT arrives when the server has long given up) and
`silence` (it is committed, and from then on nothing passes until it may `speak`). The driver knows
`blind` (it is committed, and from then on nothing can be read until `blind` is false again).
"""

import asyncio
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

SQLITE_FAULTS = ("drop", "cut")
POSTGRES_FAULTS = ("drop", "cut", "race", "slow", "mute", "hang", "late")
SLOW_SECONDS = 1.0
LATE_SECONDS = 7.0


class Faults:
    """The fault that waits for its transaction, and how many have happened."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: tuple[str, str] | None = None
        self.happened = 0
        self.blind = False

    def arm(self, fault: str, containing: str = "") -> None:
        with self._lock:
            self._next = fault, containing.casefold()

    @property
    def waits(self) -> bool:
        return self._next is not None

    def disarm(self) -> bool:
        """Whether a fault still waited."""
        with self._lock:
            waited, self._next = self._next is not None, None
            return waited

    def take(self, statements: str) -> str | None:
        """The fault for a transaction of these statements, if one waits for it."""
        with self._lock:
            if self._next is None or self._next[1] not in statements.casefold():
                return None
            fault, self._next = self._next[0], None
            self.happened += 1
            return fault


class CommitProxy(Faults):
    """Stands between a server and PostgreSQL, and reads along to find each COMMIT."""

    def __init__(self, store: str) -> None:
        super().__init__()
        found = urlsplit(store)
        self.database = found.path.removeprefix("/")
        (self.folder,) = parse_qs(found.query)["host"]  # of the socket of PostgreSQL
        self.port = 0
        self.silent = False  # nothing passes, and no line is cut
        self._lines: set[_Line] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(30)

    @property
    def url(self) -> str:
        options = "sslmode=disable&gssencmode=disable"
        return f"postgresql://postgres:@127.0.0.1:{self.port}/{self.database}?{options}"

    def cut(self) -> None:
        """Cut every line."""
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for line in tuple(self._lines):
            line.cut()

    def silence(self) -> None:
        self.silent = True

    def silence_listeners(self) -> None:
        """Let no more news through, while everything else passes."""
        for line in tuple(self._lines):
            line.mute |= line.listens

    def speak(self) -> None:
        """Let everything pass again; what was swallowed is lost, so lines that were open end."""
        self.silent = False
        self.cut()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._connected, "127.0.0.1", 0)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._cut()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            store = await asyncio.open_unix_connection(f"{self.folder}/.s.PGSQL.5432")
        except OSError:
            writer.close()
            return
        line = _Line(self, (reader, writer), store)
        self._lines.add(line)
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await line.carry()
        self._lines.discard(line)
        line.cut()


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Line:
    """One connection through the proxy."""

    def __init__(self, proxy: CommitProxy, server: Ends, store: Ends) -> None:
        self.proxy = proxy
        self.from_server, self.to_server = server
        self.from_store, self.to_store = store
        self.statements = ""  # since the last COMMIT
        self.prepared: dict[bytes, str] = {}
        self.listens = False
        self.mute = False  # answers are swallowed
        self.drop = False  # the next answer is swallowed, and the line cut

    def cut(self) -> None:
        for writer in (self.to_server, self.to_store):
            writer.close()

    async def carry(self) -> None:
        back = asyncio.create_task(self._answers())
        try:
            await self._questions()
        finally:
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)

    async def _answers(self) -> None:
        while data := await self.from_store.read(65_536):
            if self.drop:
                break
            if not (self.mute or self.proxy.silent):
                self.to_server.write(data)
        self.cut()

    async def _questions(self) -> None:
        await self._startup()
        while True:
            head = await self.from_server.readexactly(5)
            body = await self.from_server.readexactly(struct.unpack("!I", head[1:])[0] - 4)
            if self.proxy.silent:
                continue
            self._note(head[:1], body)
            fault = None
            if head[:1] == b"Q" and body.rstrip(b"\0") == b"COMMIT":
                fault, self.statements = self.proxy.take(self.statements), ""
            if fault in {"slow", "late"}:
                # a server that gives up closes its end; what it sent before still arrives
                await asyncio.sleep(SLOW_SECONDS if fault == "slow" else LATE_SECONDS)
            if fault == "cut":
                return
            self.mute |= fault in {"mute", "hang"}
            self.drop = fault == "drop"
            self.proxy.silent |= fault == "silence"
            if fault != "hang":
                self.to_store.write(head + body)
            if fault == "race":
                await self.to_store.drain()
                return

    async def _startup(self) -> None:
        """What comes first has no type."""
        head = await self.from_server.readexactly(4)
        body = await self.from_server.readexactly(struct.unpack("!I", head)[0] - 4)
        self.to_store.write(head + body)

    def _note(self, kind: bytes, body: bytes) -> None:
        """Keep in mind which statements a transaction executes, also those known by name."""
        if kind == b"Q":
            self.statements += body.decode(errors="replace")
            self.listens |= body.startswith(b"LISTEN")
        elif kind == b"P":
            name, sql = body.split(b"\0", 2)[:2]
            self.prepared[name] = sql.decode(errors="replace")
        elif kind == b"B":
            self.statements += self.prepared.get(body.split(b"\0", 2)[1], "") + "\n"


class _FaultyConnection(sqlite3.Connection):
    """Commits, and says that it did not, or does not commit; later it may not read."""

    faults: Faults
    statements: list[str]

    def commit(self) -> None:
        fault = self.faults.take("\n".join(self.statements)) if self.in_transaction else None
        self.statements.clear()
        if fault == "cut":
            raise _io_error()
        super().commit()
        self.faults.blind |= fault == "blind"
        if fault:
            raise _io_error()

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or _FaultyCursor)

    def rollback(self) -> None:
        self.statements.clear()
        super().rollback()


class _FaultyCursor(sqlite3.Cursor):
    connection: _FaultyConnection

    def execute(self, sql: str, *given: Any) -> Any:
        if self.connection.faults.blind and sql != "BEGIN":
            raise _io_error()
        return super().execute(sql, *given)


def _io_error() -> sqlite3.OperationalError:
    """What the driver says when a disk does not confirm that it has written."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
    return error


@contextmanager
def faulty_sqlite() -> Iterator[Faults]:
    """Every connection to SQLite that is opened meanwhile fails when it is asked to."""
    faults = Faults()
    connect = sqlite3.dbapi2.connect

    def faulty(*given: Any, **named: Any) -> sqlite3.Connection:
        made: _FaultyConnection = connect(*given, **{**named, "factory": _FaultyConnection})
        made.faults, made.statements = faults, []
        made.set_trace_callback(made.statements.append)
        return made

    sqlite3.dbapi2.connect = faulty  # type: ignore[assignment]
    try:
        yield faults
    finally:
        sqlite3.dbapi2.connect = connect
