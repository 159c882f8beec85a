"""Real servers, and people who play at them, for tests."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from queue import Queue
from random import Random
from secrets import token_hex
from socket import create_connection, socket
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import sleep
from typing import IO, TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

from httpx import BaseTransport, Client, HTTPTransport, Limits
from litestar._signature.model import SignatureModel
from litestar.utils.signature import ParsedSignature
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from highvoltage.server import run
from highvoltage.server.config import load_config, load_secret
from highvoltage.server.run import JsonFormatter
from highvoltage.server.store import SqlStore
from highvoltage.server.store.database import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.sync.client import ClientConnection

COMMAND = (sys.executable, "-c", "from highvoltage.cli import app; app()", "serve")
GENEROUS = """
workers = 1
{settings}
[limits]
processor_ms = 100000
processor_ms_of_address = 100000
tables = 100000
tables_of_address = 100000
public_tables = 100000
public_tables_of_address = 100000
imports_of_address = 100000
connections = 100000
connections_of_address = 100000
http_connections = 100000
chat_per_minute = 100000
logins = 100000
analyses = {analyses}
analyses_of_address = {analyses}
"""
PATIENCE = 120  # seconds; test machines are busy
BOT = {"kind": "bot", "bot": "random"}
ME = {"kind": "me"}
OPEN = {"kind": "open"}


def eventually(holds: "Callable[[], bool]") -> None:
    """Wait until a condition holds that is sure to hold at some time."""
    for _ in range(PATIENCE * 20):
        if holds():
            return
        sleep(0.05)
    raise AssertionError("it does not come to that")


def read_once(owner: type, name: str) -> None:
    """Let Litestar read what a function takes once, not at every start: that took half of it."""
    known: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
    read = getattr(owner, name)

    def remembered(_: type, *given: Any, **named: Any) -> Any:
        function = named["fn"] if "fn" in named else given[0]
        function = getattr(function, "__func__", function)  # bound anew at every start
        if function not in known:
            known[function] = read(*given, **named)
        return known[function]

    setattr(owner, name, classmethod(remembered))


read_once(ParsedSignature, "from_fn")
read_once(SignatureModel, "create")


@cache
def new_store() -> bytes:
    """A store without a game: each server would make one by all migrations since the first."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "highvoltage.db"
        store = SqlStore(f"sqlite:///{file}")
        with store.engine.begin() as connection:
            migrate(connection)
        store.engine.dispose()
        return file.read_bytes()


class Server:
    """A server in a thread, which saves starting a process.

    In a new folder it finds a new store; where there are settings already, it makes its own.
    """

    running: ClassVar[set["Server"]] = set()
    """Those that were started and not stopped, of every kind."""

    def __init__(
        self, folder: Path, database: str | None = None, settings: str = "", analyses: int = 1000
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        toml = folder / "server.toml"
        if not toml.exists():
            toml.write_text(GENEROUS.format(settings=settings, analyses=analyses))
            file = folder / "highvoltage.db"
            if database is None and not file.exists():
                file.write_bytes(new_store())
        self.folder = folder
        self.database = database
        self.start()

    def start(self) -> None:
        self.handler = logging.FileHandler(self.folder / "log")
        self.handler.setFormatter(JsonFormatter())
        config = load_config(self.folder, port=0, database=self.database)
        self._server = run.Server(config, load_secret(self.folder))
        opened = Event()
        self._server.on_ready = opened.set  # type: ignore[method-assign]
        self._thread = Thread(target=self._server.run, daemon=True)
        self.handler.addFilter(self._ours)
        logging.getLogger().addHandler(self.handler)
        self._thread.start()
        self.running.add(self)
        assert opened.wait(PATIENCE), (self.folder / "log").read_text()[-2000:]
        self.url = self._server.address

    def stored(self) -> bytes:
        """All that is kept."""
        database = self.folder / "highvoltage.db"
        return database.read_bytes() + (self.folder / "highvoltage.db-wal").read_bytes()

    def transport(self, address: str) -> BaseTransport:
        """How requests of somebody at this address come here."""
        once = Limits(max_keepalive_connections=0)  # a kept one may be closed during a request
        # No certificates are read, which would take longer than most requests.
        return HTTPTransport(verify=False, limits=once, local_address=address)

    def websocket(self, person: "Person", url: str, path: str) -> "ClientConnection":
        headers = {"Cookie": person.cookie} if person.cookie else {}
        headers |= {name: text for name, text in person.headers.items() if "forwarded" in name}
        return connect(
            f"{url.replace('http', 'ws', 1)}{path}",
            sock=dial(url, person.address),
            additional_headers=headers,
            max_size=2**22,
            open_timeout=PATIENCE,
        )

    def stop(self) -> int:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        logging.getLogger().removeHandler(self.handler)
        self.handler.close()
        self.running.discard(self)
        return int(self._thread.is_alive())

    def _ours(self, record: logging.LogRecord) -> bool:
        """Ignore what another server in this process logs, and tests and their tools."""
        return record.thread == self._thread.ident

    def errors(self) -> list[dict[str, Any]]:
        """The errors in the log."""
        lines = (self.folder / "log").read_text().splitlines()
        return [line for line in map(json.loads, lines) if line["level"] in {"error", "critical"}]


class Process(Server):
    """`highvoltage serve`, as people start it."""

    command: tuple[str, ...] = COMMAND
    environment: Mapping[str, str] = {}
    pid: int
    out: IO[str]

    def start(self) -> None:
        database = ["--database", self.database] if self.database else []
        self.begin(["--data", str(self.folder), "--port", "0", *database])
        line = self.out.readline()
        assert "http://" in line, (self.folder / "log").read_text()[-2000:]
        self.url = line.split("at ")[1].split("/ ")[0]

    def begin(self, arguments: list[str]) -> None:
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [*self.command, *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONWARNINGS": "ignore", **self.environment},
            )
        assert self.process.stdout is not None
        self.pid = self.process.pid
        self.out = self.process.stdout
        self.running.add(self)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """As if somebody had pulled the plug of the process."""
        os.kill(self.pid, signal.SIGKILL)
        self.reap()

    def stop(self) -> int:
        os.kill(self.pid, signal.SIGINT)
        return self.reap()

    def reap(self) -> int:
        self.running.discard(self)
        code = self.wait()
        self.out.close()
        return code


class Forks:
    """Starts servers that have everything loaded already."""

    def __init__(self) -> None:
        script = str(Path(__file__).with_name("forked.py"))
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, script], stdin=pipe, stdout=pipe, text=True, bufsize=1
        )
        self._answer()

    def ask(self, request: object) -> int:
        """Start a command and return its id; or wait for one and return its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        return int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def end(self) -> None:
        self._process.communicate()


class Forked(Process):
    """A separate process like any `highvoltage serve`, without the time to load one."""

    def __init__(self, forks: Forks, *given: Any) -> None:
        self.forks = forks
        super().__init__(*given)

    def begin(self, arguments: list[str]) -> None:
        out = self.folder / f"out-{token_hex(4)}"
        log = self.folder / "log"
        log.touch()
        os.mkfifo(out)
        self.pid = self.forks.ask([["serve", *arguments], str(out), str(log)])
        self.out = out.open()
        out.unlink()
        self.running.add(self)

    def wait(self) -> int:
        return self.forks.ask(self.pid)


@contextmanager
def no_server_left() -> "Iterator[None]":
    """Stop what is started in here and left running by a failed assertion."""
    before = set(Server.running)
    try:
        yield
    finally:
        for server in Server.running - before:
            server.stop()


class Watched(Process):
    """A server with a watchdog: whatever blocks its event loop is among its errors."""

    command = (sys.executable, str(Path(__file__).with_name("watched.py")), "serve")


class Forwarder:
    """A proxy that the server trusts, as small as one can be: it says for whom it asks.

    Like any other, it speaks to the server once it has the head of a request.
    """

    def __init__(self, server: Server) -> None:
        self._upstream = server.url.removeprefix("http://").split(":")
        self._opened, self._ended = Event(), asyncio.Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._opened.wait(PATIENCE)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1000) as found:
            self.url = f"http://127.0.0.1:{found.sockets[0].getsockname()[1]}"
            self._opened.set()
            await self._ended.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = writer.get_extra_info("peername")[0]
        try:
            first = await reader.readuntil(b"\r\n")
            host, port = self._upstream
            inside, outside = await asyncio.open_connection(host, int(port))
            outside.write(first + f"X-Forwarded-For: {client}\r\n".encode())
            await asyncio.gather(_pipe(reader, outside), _pipe(inside, writer))
        except (OSError, EOFError, asyncio.CancelledError):
            writer.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(PATIENCE)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while part := await reader.read(65_536):
            writer.write(part)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def dial(url: str, address: str = "127.0.0.1") -> socket:
    """A connection from one of the addresses of this machine, all of which begin with 127."""
    host, port = url.removeprefix("http://").split(":")
    return create_connection((host, int(port)), PATIENCE, (address, 0))


class Caddy(Forwarder):
    """The proxy that docs/operating.md describes, with the settings it gives."""

    def __init__(self, server: Server) -> None:
        given = Path(__file__).parent.parent / "deploy" / "Caddyfile"
        file = server.folder / "Caddyfile"
        file.write_text("{\n\tadmin off\n}\n" + given.read_text())  # several run at a time
        for _ in range(5):  # a connection may take the free port before it does
            self._start(server, file)
            eventually(lambda: self._is_open() or self._process.poll() is not None)
            if self._process.poll() is None:
                return
        raise AssertionError((server.folder / "caddy").read_text())

    def _start(self, server: Server, file: Path) -> None:
        with socket() as port:
            port.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{port.getsockname()[1]}"
        settings = {
            "HIGHVOLTAGE_HOST": self.url,
            "HIGHVOLTAGE_UPSTREAM": server.url.removeprefix("http://"),
            "HOME": str(server.folder),
        }
        with (server.folder / "caddy").open("w") as log:
            self._process = subprocess.Popen(
                ["caddy", "run", "--config", str(file)],
                stdout=log,
                stderr=log,
                env={**os.environ, **settings},
            )

    def _is_open(self) -> bool:
        with suppress(OSError):
            dial(self.url).close()
            return True
        return False

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)


class Live:
    """An open WebSocket. Messages arrive in the background; `state` is the latest."""

    def __init__(self, socket: "ClientConnection") -> None:
        self.socket = socket
        self.received: list[str] = []  # every message taken from the inbox, unparsed
        self.log: list[Any] = []
        self.state: dict[str, Any] = {}
        self._inbox: Queue[str | None] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            for text in self.socket:
                assert isinstance(text, str)
                self._inbox.put(text)
        self._inbox.put(None)

    def next(self, *kinds: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message, of these kinds if any are given; ConnectionError when there is none."""
        while True:
            text = self._inbox.get(timeout=timeout)
            if text is None:
                raise ConnectionError
            self.received.append(text)
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "state":
                self.state = message
                self.log[message["log_from"] :] = message["log"]
            if not kinds or message["type"] in kinds:
                return message

    def until(self, wanted: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """The first state, starting with the present one, for which `wanted` holds."""
        while not (self.state and wanted(self.state)):
            self.next("state", timeout=timeout)
        return self.state

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def move(self, move: str) -> None:
        self.send("move", seq=self.state["seq"], move=move)

    def play(self, rng: Random, moves: int = 10_000) -> int:
        """Play random moves until the game is over or this many were made."""
        made = 0
        while made < moves:
            state = self.until(lambda s: s["legal"] or s["table"]["status"] == "finished")
            if state["table"]["status"] == "finished":
                break
            self.move(rng.choice(state["legal"])["move"])
            made += 1
            seq = state["seq"]
            self.until(lambda s, seq=seq: s["seq"] > seq)
        return made


class Person(Client):
    """Somebody with a browser."""

    def __init__(
        self,
        server: Server,
        name: str | None = None,
        address: str = "127.0.0.1",
        proxy: "Forwarder | None" = None,
        forwarded: str | None = None,
    ) -> None:
        """From a local `address`; `forwarded` is what a proxy on this machine would say."""
        line = server.transport(address)
        self.server = server
        self.url = (proxy or server).url
        super().__init__(base_url=self.url, timeout=PATIENCE, transport=line)
        self.address = address
        self.come_from(forwarded)
        self.get("/api/me").raise_for_status()
        if name:
            self.patch("/api/me", json={"name": name}).raise_for_status()

    def __enter__(self) -> Self:
        return self

    def come_from(self, address: str | None) -> None:
        if address:
            self.headers["X-Forwarded-For"] = address

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def table(self, seats: list[dict[str, str]], **setup: Any) -> dict[str, Any]:
        request = {"rulebook": "classic", "seats": seats, "seed": 1, **setup}
        answer = self.post("/api/tables", json=request)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @contextmanager
    def live(self, table: str, query: str = "", server: Server | None = None) -> "Iterator[Live]":
        path = f"/api/tables/{table}/live{query}"
        url = server.url if server else self.url
        with (server or self.server).websocket(self, url, path) as socket:
            yield Live(socket)
