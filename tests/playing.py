"""Players who continue whatever happens to the servers, and check what they were sent.

A move counts as acknowledged as soon as anybody has received it. So each player keeps the log it
has received and compares every later one with it. A move of its own each player repeats by the same
name until the server says what became of it: what was done stands, what was refused does not.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from random import Random
from secrets import token_urlsafe
from typing import Any

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
        *,
        names: bool = True,
    ) -> None:
        self.table = table
        self.cookie = cookie
        self.server = server
        self.rng = Random(seed)
        self.thinks = thinks  # seconds, about every move
        self.names = names  # whether its moves have names, which older servers do not take
        self.asked: dict[str, Any] | None = None  # the move that nothing is known of
        self.done: list[dict[str, Any]] = []
        self.not_kept: list[dict[str, Any]] = []
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

    async def talk(self, connection: Any) -> None:
        log: list[object] = []
        if self.asked:
            await connection.send(json.dumps(self.asked))
        async for text in connection:
            state = json.loads(text)
            if state["type"] in {"error", "refused", "done"}:
                await self.read_answer(connection, state)
            if state["type"] != "state":
                continue
            assert state["log_from"] == len(log)  # nobody undoes anything here
            log += state["log"]
            if self.log is not log:  # a new connection, which begins with the whole log
                assert log[: len(self.log)] == self.log, "what was acknowledged is lost"
                self.log = log
            self.over = state["table"]["status"] == "finished"
            if (self.over or self.moving_over) and not self.asked:
                self.moving_over = False
                return
            if state["legal"] and not self.asked:
                await asyncio.sleep(self.thinks)
                move = self.rng.choice(state["legal"])["move"]
                asked = {"type": "move", "seq": state["seq"], "move": move}
                if self.names:
                    self.asked = asked = {**asked, "ref": token_urlsafe(12)}
                await connection.send(json.dumps(asked))

    async def read_answer(self, connection: Any, answer: dict[str, Any]) -> None:
        """What became of the move that was sent last."""
        if answer["type"] == "error":
            assert answer["code"] in {"no_store", "not_known"}, answer
            self.refused += 1
            await asyncio.sleep(1)  # as the message says
        if self.asked is None:
            return
        assert answer["ref"] == self.asked["ref"]
        if answer.get("code") == "not_known":
            await connection.send(json.dumps(self.asked))
            return
        (self.done if answer["type"] == "done" else self.not_kept).append(self.asked)
        self.asked = None

    def compare(self, rows: list[dict[str, Any]]) -> None:
        """Compare the moves that stand with what was said of this player's own."""
        assert rows[: len(self.log)] == self.log
        done = {move["seq"]: move["move"] for move in self.done}
        assert len(done) == len(self.done), "two were done in one position"
        assert {seq: rows[seq]["move"] for seq in done} == done, "what was done does not stand"
        for move in self.not_kept:
            stands = [row["move"] for row in rows[move["seq"] : move["seq"] + 1]]
            assert done.get(move["seq"]) == move["move"] or stands != [move["move"]], (
                "what was not kept stands"
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
            player.compare(rows)
        for table in {player.table for player in players[::8]}:
            record = hv.replay(reader.get(f"/api/tables/{table}/record").text).record()
            assert record.moves
