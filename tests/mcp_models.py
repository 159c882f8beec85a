"""A scripted model: it reads the answers of the tools and plays by them."""

import re
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

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
    await ask("new_game", **game)
    answer = await ask("legal_moves")
    played = 0
    while "Your legal moves:" in answer:
        if played % 10 == 0:
            assert len((await ask("look")).encode()) <= MOST_BYTES
        answer = await ask("play", move=sensible(answer, rng))
        played += 1
        assert played < 2_000
    return answer
