"""What connections to a server cost: spectators of a move, and idle connections.

    python -m benchmarks.lines                   500 spectators of a table, 5,000 idle connections
    python -m benchmarks.lines --against ../old  also another checkout, in the same run

It measures the processor time and memory of the server itself, so other programs on the machine do
not matter much; two checkouts are measured in turn.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import psutil
import uvloop
from httpx import AsyncClient
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import ROOT
from benchmarks.load import settings_for
from benchmarks.measuring import Report, parser

SERVE = [sys.executable, "-c", "from highvoltage.cli import app; app()", "serve", "--port", "0"]
AT_ONCE = 50


class Server:
    """A server of one checkout, with a table whose two seats one person plays."""

    def __init__(self, checkout: Path, folder: str) -> None:
        Path(folder, "server.toml").write_text(settings_for(checkout))
        self.name = "this" if checkout == ROOT else str(checkout)
        self.process = subprocess.Popen(
            [*SERVE, "--data", folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+?(?=/ )", self.process.stdout.readline())
        assert found is not None, "the server did not start"
        self.url = found[0]
        self.known = psutil.Process(self.process.pid)

    @property
    def used(self) -> float:
        return sum(self.known.cpu_times()[:2])

    @property
    def memory(self) -> int:
        return self.known.memory_info().rss

    async def sit_down(self) -> None:
        async with AsyncClient(base_url=self.url, timeout=120) as person:
            (await person.get("/api/me")).raise_for_status()
            seats = [{"kind": "me"}, {"kind": "me"}]
            made = await person.post("/api/tables", json={"rulebook": "classic", "seats": seats})
            table = made.raise_for_status().json()["id"]
            self.cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
        self.address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/live"

    def line(self, **headers: str) -> connect:
        return connect(
            self.address,
            additional_headers=headers,
            compression=None,
            ping_interval=None,
            open_timeout=120,
            max_size=2**22,
        )

    async def many(self, count: int, stack: AsyncExitStack) -> list[ClientConnection]:
        """Connections of spectators."""
        lines: list[ClientConnection] = []
        for _ in range(0, count, AT_ONCE):
            made = (stack.enter_async_context(self.line()) for _ in range(AT_ONCE))
            lines += await asyncio.gather(*made)
        return lines


async def until(line: ClientConnection, seq: int) -> dict[str, Any]:
    """Receive until the state with this number, or a later one."""
    while True:
        state: dict[str, Any] = msgspec.json.decode(await line.recv())
        if state["type"] == "state" and state["seq"] >= seq:
            return state


async def watched(report: Report, server: Server, watchers: int, moves: int) -> None:
    """Play so many moves; every spectator receives each before the next is made."""
    await server.sit_down()
    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(server.line(Cookie=server.cookie))
        lines = await server.many(watchers, stack)
        state = await until(player, 0)
        await asyncio.gather(*(until(line, 0) for line in lines))
        used = server.used
        for _ in range(moves):
            move = {"type": "move", "seq": state["seq"], "move": state["legal"][0]["move"]}
            await player.send(msgspec.json.encode(move).decode())
            state = await until(player, state["seq"] + 1)
            await asyncio.gather(*(until(line, state["seq"]) for line in lines))
        each = (server.used - used) / moves
    report.row(
        f"{server.name}: {watchers} watch, {1000 * each:.1f} ms of a core for a move",
        server=server.name,
        watchers=watchers,
        move_ms=1000 * each,
    )


async def idle(report: Report, server: Server, count: int) -> None:
    await server.sit_down()
    async with AsyncExitStack() as stack:
        lines = await server.many(200, stack)  # so that one-time allocations are not counted
        await asyncio.gather(*(until(line, 0) for line in lines))
        before = server.memory
        lines = await server.many(count, stack)
        await asyncio.gather(*(until(line, 0) for line in lines))
        each = (server.memory - before) / count
    report.row(
        f"{server.name}: {count} idle lines, {each / 1000:.1f} kB each",
        server=server.name,
        idle=count,
        connection_bytes=each,
    )


async def measure(servers: list[Server], options: argparse.Namespace) -> None:
    report = Report(options)
    for _ in range(options.rounds):
        for server in servers:
            await watched(report, server, options.watchers, options.moves)
    for server in servers:
        await idle(report, server, options.idle)


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    arguments.add_argument("--watchers", type=int, default=500)
    arguments.add_argument("--moves", type=int, default=20)
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--idle", type=int, default=5_000)
    options = arguments.parse_args(words)
    checkouts = [ROOT, *([options.against.resolve()] if options.against else [])]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        places = [tempfile.mkdtemp(dir=folder) for _ in checkouts]
        servers = [Server(*each) for each in zip(checkouts, places, strict=True)]
        try:
            uvloop.run(measure(servers, options))
        finally:
            for server in servers:
                server.process.terminate()
                server.process.wait(60)


if __name__ == "__main__":
    main()
