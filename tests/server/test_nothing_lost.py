"""Kill the server at any moment: what was acknowledged is there, once, and bots go on.

`make kill` does so a thousand times; without KILLS in the environment they are fewer. Stores are
killed at every statement of a migration in `test_migrations.py`.

A move counts as acknowledged as soon as anybody was told of it. So each of the players below keeps
the log as it was told and holds every later one against it.
"""

import asyncio
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import highvoltage as hv
from serving import BOT, ME, OPEN, PATIENCE, Person, Process, Server

KILLS = int(os.environ.get("KILLS", "8"))
GAMES = 20
QUICK_BOTS = "bot_seconds = 2"


class Player:
    """Plays any moves at one table, and comes back whenever the line is cut."""

    def __init__(self, table: str, cookie: str, server: Callable[[], Server], seed: int) -> None:
        self.table = table
        self.cookie = cookie
        self.server = server
        self.rng = Random(seed)
        self.told: list[object] = []
        self.cuts = 0
        self.over = False

    async def play(self) -> None:
        while not self.over:
            try:
                url = self.server().url.replace("http", "ws", 1)
                address = f"{url}/api/tables/{self.table}/live?brief=true"
                headers = {"Cookie": self.cookie}
                async with connect(
                    address, additional_headers=headers, open_timeout=PATIENCE
                ) as line:
                    await self.talk(line)
            except (OSError, EOFError, WebSocketException, TimeoutError):
                pass
            self.cuts += not self.over
            await asyncio.sleep(0.2)

    async def talk(self, line: object) -> None:
        log: list[object] = []
        async for text in line:  # type: ignore[attr-defined]
            state = json.loads(text)
            if state["type"] != "state":
                continue
            assert state["log_from"] == len(log)  # nobody takes anything back here
            log += state["log"]
            if self.told is not log:  # a new line, which begins with the whole log
                assert log[: len(self.told)] == self.told, "what was acknowledged is lost"
                self.told = log
            self.over = state["table"]["status"] == "finished"
            if self.over:
                return
            if state["legal"]:
                move = self.rng.choice(state["legal"])["move"]
                await line.send(  # type: ignore[attr-defined]
                    json.dumps({"type": "move", "seq": state["seq"], "move": move})
                )


async def disturb(players: list[Player], disturbances: list[Callable[[], None]]) -> None:
    """Let all play, disturb them now and then, and see that all go on."""
    rng = Random(0)
    tasks = [asyncio.create_task(player.play()) for player in players]
    for disturbance in disturbances:
        await grow(players, tasks, len(players))
        await asyncio.sleep(rng.random() / 4)
        await asyncio.to_thread(disturbance)
    before = [len(player.told) for player in players]
    while any(
        len(player.told) < count + 3 and not player.over
        for player, count in zip(players, before, strict=True)
    ):
        await check(tasks)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, AssertionError):
            raise result


async def grow(players: list[Player], tasks: "list[asyncio.Task[None]]", rows: int) -> None:
    start = sum(len(player.told) for player in players)
    while sum(len(player.told) for player in players) < start + rows:
        await check(tasks)


async def check(tasks: "list[asyncio.Task[None]]") -> None:
    await asyncio.sleep(0.05)
    for task in tasks:
        if task.done():
            task.result()


def compare_with_the_store(server: Server, players: list[Player]) -> None:
    with Person(server) as reader:
        for player in players:
            rows = reader.get(f"/api/tables/{player.table}/log").json()["rows"]
            assert rows[: len(player.told)] == player.told
        for table in {player.table for player in players[::8]}:
            record = hv.replay(reader.get(f"/api/tables/{table}/record").text).record()
            assert record.moves


def one_of(servers: list[Process], n: int) -> Process:
    return servers[n % len(servers)]


@pytest.fixture
def sqlite(tmp_path: Path) -> Process:
    return Process(tmp_path, settings=QUICK_BOTS)


def test_killed_on_sqlite(sqlite: Process) -> None:
    with Person(sqlite, "Ann") as ann:
        tables = [ann.table([ME, BOT], seed=n)["id"] for n in range(GAMES)]
        players = [Player(table, ann.cookie, lambda: sqlite, n) for n, table in enumerate(tables)]

    def kill() -> None:
        sqlite.kill()
        sqlite.start()

    asyncio.run(disturb(players, [kill] * (KILLS // 2)))
    assert sum(player.cuts for player in players) >= GAMES
    compare_with_the_store(sqlite, players)
    assert sqlite.stop() == 0
    assert sqlite.errors() == []


def test_killed_on_postgresql_with_two_processes(postgres: str, tmp_path: Path) -> None:
    servers = [Process(tmp_path / "data", postgres, QUICK_BOTS) for _ in range(2)]
    with Person(servers[0], "Ann") as ann, Person(servers[1], "Bob") as bob:
        players = []
        for n in range(GAMES):
            table = ann.table([ME, OPEN, BOT], seed=n)["id"]
            assert bob.post(f"/api/tables/{table}/join", json={}).status_code == 201
            # Ann and Bob are always at different processes, as long as there are two.
            players.append(Player(table, ann.cookie, partial(one_of, servers, n), n))
            players.append(Player(table, bob.cookie, partial(one_of, servers, n + 1), n))
    first = servers[0]

    def kill_one() -> None:
        servers.remove(first)
        first.kill()

    asyncio.run(disturb(players, [kill_one]))
    assert sum(player.cuts for player in players) >= GAMES
    compare_with_the_store(servers[0], players)
    assert servers[0].stop() == 0
    assert [line for line in servers[0].errors() if line["level"] == "critical"] == []
