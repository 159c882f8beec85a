"""The codec without NumPy: the same indexes and numbers."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.codec.board.plain import PlainBoardCodec
from spread import some

GAMES = [
    ("classic", "germany", 3, {}),
    ("classic", "central_europe", 4, {}),
    ("recharged", "germany", 2, {}),
    ("recharged", "usa", 6, {"demolition": True}),
    ("classic", "usa", 5, {"regions": "draft"}),
    ("classic", "korea", 4, {}),
]


@pytest.mark.parametrize(
    ("name", "board", "players", "options"), some(GAMES[2], GAMES[3], of=GAMES)
)
def test_it_has_the_same_numbers(
    name: str, board: str, players: int, options: dict[str, Any]
) -> None:
    game = hv.new(name, map=board, players=players, seed=4, **options)
    rules: Any = game.rules
    plain = PlainBoardCodec(rules.ruleset)
    code = codec.make(name, board, players, **options)
    clerks = [bots.make("clerk", seat) for seat in range(players)]
    parts = [part.name for part in codec.spec("classic").parts if part.name != "cities"]
    while game.to_move is not None:
        view, legal = game.view(game.to_move), game.legal_moves
        observation = code.observe(view)
        others = np.concatenate([observation[part].ravel() for part in parts])
        for own, expected in zip(
            plain.observe(view), (others, observation["cities"].ravel()), strict=True
        ):
            np.testing.assert_allclose(np.array(own), expected, atol=1e-6)
        indexes = plain.legal(view, legal)
        assert indexes == code.mask(view, legal).nonzero()[0].tolist()
        assert plain.move(view, indexes[-1]) == code.move(view, indexes[-1])
        game.play(bots.ask(clerks[game.to_move], game).move)


def test_it_does_without_numpy() -> None:
    script = """
import sys
sys.modules["numpy"] = None
import highvoltage as hv
from highvoltage.codec.board.plain import PlainBoardCodec
game = hv.new("classic", players=3, seed=1)
print(sum(map(len, PlainBoardCodec(game.rules.ruleset).observe(game.view(game.to_move)))))
"""
    counted = subprocess.check_output([sys.executable, "-c", script])
    assert int(counted) == codec.spec("classic", players=3).observation_size
