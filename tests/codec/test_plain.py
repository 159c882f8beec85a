"""The codec without NumPy: the same indexes and numbers."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.codec.board.plain import PlainBoardCodec
from highvoltage.codec.spec import Observation, Spec
from highvoltage.games import meta
from spread import WIDE, some

GAMES = [
    ("classic", "germany", 3, {}),
    ("classic", "central_europe", 4, {}),
    ("recharged", "germany", 2, {}),
    ("recharged", "usa", 6, {"demolition": True}),
    ("classic", "usa", 5, {"regions": "draft"}),
    *[("classic", board, 4, {}) for board in WIDE],
]


@pytest.mark.parametrize(
    ("name", "board", "players", "options"), some(GAMES[2], GAMES[3], GAMES[-1], of=GAMES)
)
def test_it_has_the_same_numbers(
    name: str, board: str, players: int, options: dict[str, Any]
) -> None:
    game = hv.new(name, map=board, players=players, seed=4, **options)
    rules: Any = game.rules
    plain = PlainBoardCodec(rules.ruleset)
    code = codec.make(name, board, players, **options)
    clerks = [bots.make("clerk", seat) for seat in range(players)]
    while game.to_move is not None:
        view, legal = game.view(game.to_move), game.legal_moves
        observation = code.observe(view)
        rows = plain.observe(view)
        expected = in_rows(code.spec, observation)
        assert rows.keys() == expected.keys()
        for part, row in rows.items():
            np.testing.assert_array_equal(row, expected[part], part)
        indexes = plain.legal(view, legal)
        assert indexes == code.mask(view, legal).nonzero()[0].tolist()
        assert plain.move(view, indexes[-1]) == code.move(view, indexes[-1])
        game.play(bots.ask(clerks[game.to_move], game).move)


def in_rows(spec: Spec, observation: Observation) -> Observation:
    """An observation as the codec without NumPy has it."""
    parts = {name: array.ravel() for name, array in observation.items()}
    cities = [parts.pop(name) for name in ("cities", "more_cities") if name in parts]
    others = [
        parts.pop(part.name) for part in spec.parts if part.name in parts.keys() - spec.some_maps
    ]
    return parts | {"cities": np.concatenate(cities), "others": np.concatenate(others)}


def test_every_part_of_some_maps_is_in_a_game() -> None:
    there = set[str]().union(*[codec.spec("classic", board).some_maps for board in WIDE])
    every = set[str]().union(
        *[codec.spec("classic", board).some_maps for board in meta("classic").maps]
    )
    assert there == every


def test_it_does_without_numpy() -> None:
    script = """
import sys
sys.modules["numpy"] = None
import highvoltage as hv
from highvoltage.codec.board.plain import PlainBoardCodec
game = hv.new("classic", players=3, seed=1)
rows = PlainBoardCodec(game.rules.ruleset).observe(game.view(game.to_move))
print(sum(map(len, rows.values())))
"""
    counted = subprocess.check_output([sys.executable, "-c", script])
    assert int(counted) == codec.spec("classic", players=3).observation_size
