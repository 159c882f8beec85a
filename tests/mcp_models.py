"""A scripted model: it reads the answers of the tools and plays by them."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from mcp import Client
from serving import PATIENCE, Server

Ask = Callable[..., Awaitable[str]]
MOST_BYTES = 4_000


def choices(listed: str) -> list[str]:
    """The moves of an answer of `legal_moves`, with the lowest bid and every number."""
    found = []
    for line in listed.partition("Your legal moves:\n")[2].splitlines():
        head, _, rest = line.partition(": ")
        if bid := re.fullmatch(r"(.*)BID, BID (\d+) to \d+", head):
            found.append(bid[1] + bid[2])
        elif head.endswith(" NUMBER"):
            numbers = [each.split()[0] for each in rest.split(", ")]
            found += [f"{head.removesuffix('NUMBER')}{number}" for number in numbers]
        elif head.startswith("or, "):
            found += rest.split("; ")
        else:
            found.append(head)
    return found


def sensible(listed: str, rng: Random) -> str:
    """A move that lets a game end: it builds and buys when it can, and stops at times."""
    moves = choices(listed)
    runs = [move for move in moves if move.startswith(("run ", "power "))]
    if runs:
        return runs[0] if runs[0].startswith("run ") else runs[-1]
    return rng.choice([move for move in moves if move != "pass"] or moves)


async def play_game(ask: Ask, seed: int, **game: Any) -> str:
    """Play a whole game with the tools alone; the last answer."""
    rng = Random(seed)
    table = (await ask("new_game", **game)).partition(".")[0].removeprefix("Table ")
    answer = await ask("legal_moves", table=table)
    for played in range(2_000):
        if "the game is over." in answer:
            return answer
        if played % 10 == 0:
            assert len((await ask("look", table=table)).encode()) <= MOST_BYTES
        if "Your legal moves:" in answer:
            answer = await ask("play", move=sensible(answer, rng), table=table)
        else:
            await ask("wait", table=table)
            answer = await ask("legal_moves", table=table)
    raise AssertionError("the game does not end")


@asynccontextmanager
async def connected(server: Server, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(f"{server.url}/mcp", http_client=http)) as client,
    ):
        yield client


def asker(client: Client) -> Ask:
    async def ask(tool: str, **arguments: Any) -> str:
        answer = await client.call_tool(tool, arguments)
        text = str(answer.content[0].text)  # type: ignore[union-attr]
        return f"refused: {text}" if answer.is_error else text

    return ask
