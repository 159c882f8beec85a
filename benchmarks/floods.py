"""How long another visitor waits while one address floods a server that has its usual limits.

    python -m benchmarks.floods                   no flood, unfinished requests, previews, bots
    python -m benchmarks.floods --against ../old  another checkout then

Visitors come from addresses of their own, 127.0.0.x, and no proxy stands in between. The other
visitor asks over HTTP and for previews in turn; the clients are on the same machine.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks import ROOT
from benchmarks.measuring import Report, parser

SERVE = [sys.executable, "-c", "from highvoltage.cli import app; app()", "serve", "--port", "0"]
ANN, EVE = "127.0.0.10", "127.0.0.66"
ME, DIRECTOR = {"kind": "me"}, {"kind": "bot", "bot": "director:5s"}
SOCKETS, PER_SOCKET = 44, 20  # connections of the flood, and questions of each in a second
UNFINISHED = (
    b"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n\r\n" + b"{" * 9_000
)
Flood = Callable[[str], Coroutine[Any, Any, None]]


class Person(httpx.AsyncClient):
    """Somebody at an address, with a table."""

    def __init__(self, url: str, address: str) -> None:
        super().__init__(
            base_url=url,
            timeout=120,
            transport=httpx.AsyncHTTPTransport(local_address=address, verify=False),
        )
        self.address = address

    async def table(self, *seats: dict[str, str]) -> str:
        await self.patch("/api/me", json={"name": "Somebody"})
        body = {"rulebook": "classic", "seats": seats, "seed": 1}
        found: str = (await self.post("/api/tables", json=body)).raise_for_status().json()["id"]
        return found

    async def live(self, table: str) -> ClientConnection:
        host, port = self.base_url.host, self.base_url.port
        line = socket.create_connection((host, port), 60, (self.address, 0))
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return await connect(
            f"ws://{host}:{port}/api/tables/{table}/live",
            sock=line,
            additional_headers={"Cookie": cookie},
            max_size=2**22,
            ping_interval=None,
        )


async def nothing(_: str) -> None:
    await asyncio.Event().wait()


async def unfinished(url: str) -> None:
    """Requests whose end never comes."""
    host, port = url.removeprefix("http://").split(":")
    while True:
        lines = []
        for _ in range(110):
            with suppress(OSError):
                lines.append(await asyncio.open_connection(host, int(port), local_addr=(EVE, 0)))
                lines[-1][1].write(UNFINISHED)
        await asyncio.sleep(5)
        for _, writer in lines:
            writer.close()


async def previews(url: str) -> None:
    """Questions over many WebSockets, each within the rate of a busy page."""
    people = [Person(url, EVE) for _ in range(2)]
    tables = [await person.table(ME, ME) for person in people]
    question = json.dumps({"type": "preview", "seq": 0, "moves": ["look"] * 9})

    async def ask(number: int) -> None:
        with suppress(WebSocketException, OSError):
            line = await people[number % 2].live(tables[number % 2])
            reading = asyncio.create_task(_read(line))
            while not reading.done():
                await line.send(question)
                await asyncio.sleep(1 / PER_SOCKET)

    await asyncio.gather(*(ask(number) for number in range(SOCKETS)))
    await asyncio.Event().wait()


async def _read(line: ClientConnection) -> None:
    with suppress(WebSocketException):
        async for _ in line:
            pass


async def thinking(url: str) -> None:
    """Tables of searching bots alone."""
    async with Person(url, EVE) as eve:
        for _ in range(20):
            await eve.table(*[DIRECTOR] * 4)
        await asyncio.Event().wait()


FLOODS: dict[str, Flood] = {
    "none": nothing,
    "110 unfinished requests": unfinished,
    f"previews over {SOCKETS} WebSockets": previews,
    "20 tables of four director:5s": thinking,
}


async def waits(url: str, flood: Flood, seconds: float) -> dict[str, list[float]]:
    """What another visitor waits for each answer, in milliseconds."""
    found: dict[str, list[float]] = {"request": [], "preview": [], "bot": []}
    async with Person(url, ANN) as ann:
        flooding = asyncio.create_task(flood(url))
        await asyncio.sleep(2)
        line = await ann.live(await ann.table(ME, ME))
        end = perf_counter() + seconds
        while perf_counter() < end:
            began = perf_counter()
            (await ann.get("/api/me")).raise_for_status()
            found["request"].append(1000 * (perf_counter() - began))
            began = perf_counter()
            await line.send(json.dumps({"type": "preview", "seq": 0, "moves": ["look"]}))
            while json.loads(await line.recv())["type"] != "preview":
                pass
            found["preview"].append(1000 * (perf_counter() - began))
            await asyncio.sleep(0.05)
        bots = await ann.live(await ann.table({**DIRECTOR, "bot": "director:1s"}, ME))
        began = perf_counter()
        while json.loads(await bots.recv()).get("seq", 0) == 0:
            pass
        found["bot"].append(1000 * (perf_counter() - began))
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
    return found


def measure(report: Report, checkout: Path, seconds: float) -> None:
    """Each flood against a new server of this checkout."""
    report.heading(f"{checkout}, milliseconds: median and 99th percentile; a move of director:1s")
    for name, flood in FLOODS.items():
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "server.toml").write_text("workers = 1\n")
            server: Any = subprocess.Popen(
                [*SERVE, "--data", folder],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            )
            try:
                url = server.stdout.readline().split("at ")[1].split("/ ")[0]
                found = asyncio.run(waits(url, flood, seconds))
            finally:
                server.kill()
                server.communicate()
        waited = {kind: _percentiles(found[kind]) for kind in ("request", "preview")}
        shown = [f"{kind} {p50:6.1f} {p99:7.1f}" for kind, (p50, p99) in waited.items()]
        (bot,) = found["bot"]
        report.row(
            "  ".join([f"{name:32}", *shown, f"bot {bot:.0f}"]),
            checkout=str(checkout),
            flood=name,
            **{f"{kind}_p{at}_ms": time for kind, both in waited.items()
               for at, time in zip((50, 99), both, strict=True)},
            bot_ms=bot,
        )  # fmt: skip


def _percentiles(values: list[float]) -> tuple[float, float]:
    """The median and the 99th."""
    steps = quantiles(values, n=100, method="inclusive")
    return steps[49], steps[98]


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--seconds", type=float, default=10)
    arguments.add_argument("--against", type=Path, metavar="DIR", help="another checkout, then")
    options = arguments.parse_args(words)
    report = Report(options)
    measure(report, ROOT, options.seconds)
    if options.against:
        measure(report, options.against.resolve(), options.seconds)


if __name__ == "__main__":
    main()
