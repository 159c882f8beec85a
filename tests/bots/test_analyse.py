"""Analysis of a finished game."""

import json
from pathlib import Path

from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import bots
from highvoltage.cli import app


def test_a_game_is_held_against_the_director(tmp_path: Path) -> None:
    game = hv.new("cardgame", players=3, seed=2)
    seats = [bots.make(name, 1) for name in ("random", "clerk", "clerk")]
    while len(game.log) < 12:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    file = tmp_path / "game.txt"
    file.write_text(str(game.record()), "utf-8")
    command = ["analyse", str(file), "--budget", "1"]
    first, again = (CliRunner().invoke(app, [*command, "--json"]) for _ in range(2))
    assert first.exit_code == 0, first.output
    assert first.stdout == again.stdout
    found = json.loads(first.stdout)
    assert found["decisions"]
    for judged in found["decisions"]:
        assert 0 <= judged["chance"] <= judged["best_chance"] <= 1
        assert str(game.log[judged["move"] - 1].move) == judged["played"]
    assert len(found["curves"]) == 3
    told = CliRunner().invoke(app, command)
    assert "The largest differences" in told.stdout
