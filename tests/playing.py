"""Players who continue whatever happens to the servers, and check what they were sent.

A move counts as acknowledged as soon as anybody has received it. So each player keeps the log it
has received and compares every later one with it.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from random import Random

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import highvoltage as hv
from serving import PATIENCE, Person, Server


class Player:
    """Plays random moves at one table, and reconnects whenever the connection is lost."""

    def __init__(
        self,
        table: str,
        cookie: str,
        server: Callable[[], Server],
        seed: int,
        thinks: float = 0.0,
    ) -> None:
        self.table = table
        self.cookie = cookie
        self.server = server
        self.rng = Random(seed)
        self.thinks = thinks  # seconds, about every move
        self.log: list[object] = []
        self.cuts = 0
        self.refused = 0
        self.over = False
        self.moving_over = False

    def hang_up(self) -> None:
        """Reconnect at the next message, perhaps to another server."""
        self.moving_over = True

    async def play(self) -> None:
        while not self.over:
            try:
                url = self.server().url.replace("http", "ws", 1)
                address = f"{url}/api/tables/{self.table}/live?brief=true"
                headers = {"Cookie": self.cookie}
                async with connect(
                    address, additional_headers=headers, open_timeout=PATIENCE
                ) as connection:
                    await self.talk(connection)
            except (OSError, EOFError, WebSocketException, TimeoutError):
                pass
            self.cuts += not self.over
            await asyncio.sleep(0.2)

    async def talk(self, connection: object) -> None:
        log: list[object] = []
        async for text in connection:  # type: ignore[attr-defined]
            state = json.loads(text)
            if state["type"] == "error":
                assert state["code"] == "no_store", state
                self.refused += 1
                await asyncio.sleep(1)  # as the message says
            if state["type"] != "state":
                continue
            assert state["log_from"] == len(log)  # nobody undoes anything here
            log += state["log"]
            if self.log is not log:  # a new connection, which begins with the whole log
                assert log[: len(self.log)] == self.log, "what was acknowledged is lost"
                self.log = log
            self.over = state["table"]["status"] == "finished"
            if self.over or self.moving_over:
                self.moving_over = False
                return
            if state["legal"]:
                await asyncio.sleep(self.thinks)
                move = self.rng.choice(state["legal"])["move"]
                await connection.send(  # type: ignore[attr-defined]
                    json.dumps({"type": "move", "seq": state["seq"], "move": move})
                )


async def disturb(
    players: list[Player], disturbances: Sequence[tuple[str, Callable[[], None]]], seed: int
) -> None:
    """Let all play, disturb them now and then, and check that all continue."""
    rng = Random(seed)
    tasks = [asyncio.create_task(player.play()) for player in players]
    for _, disturbance in disturbances:
        async with asyncio.timeout(2 * PATIENCE):  # otherwise the server is dead
            start = sum(len(player.log) for player in players)
            while sum(len(player.log) for player in players) < start + len(players):
                await check(tasks)
        await asyncio.sleep(rng.random() / 4)
        await asyncio.to_thread(disturbance)
    before = [len(player.log) for player in players]
    async with asyncio.timeout(2 * PATIENCE):
        while any(
            len(player.log) < count + 3 and not player.over
            for player, count in zip(players, before, strict=True)
        ):
            await check(tasks)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, AssertionError):
            raise result


async def check(tasks: "list[asyncio.Task[None]]") -> None:
    await asyncio.sleep(0.05)
    for task in tasks:
        if task.done():
            task.result()


def compare_with_the_store(server: Server, players: list[Player]) -> None:
    with Person(server) as reader:
        for player in players:
            rows = reader.get(f"/api/tables/{player.table}/log").json()["rows"]
            assert rows[: len(player.log)] == player.log
        for table in {player.table for player in players[::8]}:
            record = hv.replay(reader.get(f"/api/tables/{table}/record").text).record()
            assert record.moves
