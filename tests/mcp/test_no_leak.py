"""No leak: in two worlds that differ only in what the model cannot know, it reads the same bytes.

In the second world the rest of the deck is in another order, and the others have more money.
"""

import asyncio
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, brief
from highvoltage.cli.model_tables import SavedTables
from highvoltage.cli.saved_table import SavedTable
from highvoltage.cli.seats import seats_of
from highvoltage.mcp import Tools, model_server
from highvoltage.table import Table
from highvoltage.views import View
from mcp import Client
from ours import RULEBOOKS
from positions import market_of

RICHER = 300
NAMES = ["Model", "Clerk Ada", "Clerk Ben"]


def worlds(rulebook: str, moves: int) -> tuple[hv.Game, hv.Game]:
    """Two games that look the same to the model, which is to move."""
    game = hv.new(rulebook, players=NAMES, seed=5, money="hidden")
    seats = [bots.make("clerk", seat) for seat in range(3)]
    while len(game.log) < moves or game.to_move != 0:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    rng = Random(1)
    for _ in count():
        world = hv.resample(game.view(0, history=True), rng)
        if market_of(world).deck != market_of(game).deck:
            break
    for player in world.state.players[1:]:
        player.money += RICHER
    return game, world


def received(game: hv.Game, folder: Path) -> list[str]:
    """Everything that the tools answer."""
    tables = SavedTables(folder, "Model")
    seats = seats_of(NAMES, {1: "clerk", 2: "clerk"})
    table = Table(game, seats)
    table.bys = ["bot"] * len(game.log)
    table.lengths = [*range(len(game.log) + 1)]
    tables._open["1"] = SavedTable(table, folder / "1.txt", 1)
    moves = [str(move) for move in game.legal_moves.choices]
    calls: list[tuple[str, dict[str, Any]]] = [
        *((tool, {"table": "1"}) for tool in ("look", "map", "legal_moves", "history")),
        ("look", {"table": "1", "whole": True}),
        ("history", {"table": "1", "last": 1000}),
        *(("why", {"table": "1", "move": move}) for move in [*moves, "bid 99", "build essen", "x"]),
        *(("play", {"table": "1", "move": move}) for move in ("nominate 99 @1", "run 99", "x")),
    ]

    async def ask() -> list[str]:
        async with Client(model_server(Tools(tables), tables.tables)) as client:
            answers = [await client.call_tool(*call) for call in calls]
            texts = [each.content[0].text for each in answers]  # type: ignore[union-attr]
            assert not any(each.is_error for each in answers[:-3])
            return texts

    return asyncio.run(ask())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("moves", [0, 45])
def test_equal_bytes_in_both_worlds(rulebook: str, moves: int, tmp_path: Path) -> None:
    first, second = (received(world, tmp_path) for world in worlds(rulebook, moves))
    assert len(first) > 10
    assert first == second


@pytest.mark.parametrize("key", ["deck", "money"])
def test_a_leak_would_be_noticed(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = worlds("classic", 45)
    secrets: dict[str, list[object]] = {
        "deck": [market_of(world).deck for world in pair],
        "money": [world.state.players[1].money for world in pair],
    }
    honest = brief.position
    answers = []
    for world, secret in zip(pair, secrets[key], strict=True):

        def leaky(view: View, secret: object = secret) -> str:
            return f"{honest(view)} {secret}"

        monkeypatch.setattr(brief, "position", leaky)
        answers.append(received(world, tmp_path))
    assert answers[0] != answers[1]
