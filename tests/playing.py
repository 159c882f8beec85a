"""Players who go on whatever happens to the servers, and hold them to what they were told.

A move counts as acknowledged as soon as anybody was told of it. So each player keeps the log as it
was told and holds every later one against it.
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
    """Plays any moves at one table, and comes back whenever the line is cut."""

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
        self.told: list[object] = []
        self.cuts = 0
        self.refused = 0
        self.over = False
        self.moving_over = False

    def hang_up(self) -> None:
        """Come back at the next word, perhaps to another server."""
        self.moving_over = True

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
            if state["type"] == "error":
                assert state["code"] == "no_store", state
                self.refused += 1
                await asyncio.sleep(1)  # as it was told to
            if state["type"] != "state":
                continue
            assert state["log_from"] == len(log)  # nobody takes anything back here
            log += state["log"]
            if self.told is not log:  # a new line, which begins with the whole log
                assert log[: len(self.told)] == self.told, "what was acknowledged is lost"
                self.told = log
            self.over = state["table"]["status"] == "finished"
            if self.over or self.moving_over:
                self.moving_over = False
                return
            if state["legal"]:
                await asyncio.sleep(self.thinks)
                move = self.rng.choice(state["legal"])["move"]
                await line.send(  # type: ignore[attr-defined]
                    json.dumps({"type": "move", "seq": state["seq"], "move": move})
                )


async def disturb(
    players: list[Player], disturbances: Sequence[tuple[str, Callable[[], None]]], seed: int
) -> None:
    """Let all play, disturb them now and then, and see that all go on."""
    rng = Random(seed)
    tasks = [asyncio.create_task(player.play()) for player in players]
    for _, disturbance in disturbances:
        async with asyncio.timeout(2 * PATIENCE):  # or the server is no more
            start = sum(len(player.told) for player in players)
            while sum(len(player.told) for player in players) < start + len(players):
                await check(tasks)
        await asyncio.sleep(rng.random() / 4)
        await asyncio.to_thread(disturbance)
    before = [len(player.told) for player in players]
    async with asyncio.timeout(2 * PATIENCE):
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
