"""Positions of the engine, read from its views, are the same in the twin: no step is compiled."""

import jax
import numpy as np
import pytest

from highvoltage.batch.lockstep import Checker, arrays_of, flatten
from highvoltage.batch.reading import jit_fast, moment_fields
from highvoltage.batch.tables import Tables
from highvoltage.testing import Setting
from spread import some
from twins import positions

SETTINGS = [
    ("outpost", None, 2),
    ("outpost", None, 3),
    ("recharged", "india", 2),
    *(("classic", board, 3) for board in ("korea", "australia", "japan", "south_africa")),
]


@pytest.mark.parametrize(
    ("rulebook", "board", "players"), some(SETTINGS[0], SETTINGS[2], of=SETTINGS)
)
def test_a_position_read_from_a_view_is_that_of_the_engine(
    rulebook: str, board: str | None, players: int
) -> None:
    """Its fields, what is legal, what a network sees of it, and the engine's game made of it."""
    checker, compared = Checker(Setting(rulebook, board, players), batch=1), 0
    env, comparison, observe = checker.env, checker.comparison, jit_fast(checker.env.observe)
    for game in positions(checker.setting):
        view, s = game.view(game.to_move), game.state
        assert isinstance(s, comparison.kind)
        read = jax.device_get(env.from_view(view, jax.random.key(len(game.log))))
        arrays, where = arrays_of(read), (len(game.log), game.phase)
        for name, value in comparison.fields_in_view(s, read).items():
            assert np.ravel(arrays[name]).tolist() == flatten(value), (name, where)
        legal = np.flatnonzero(checker.code.mask(view, game.legal_moves))
        assert np.flatnonzero(read.legal_action_mask).tolist() == legal.tolist(), where
        seen = jax.device_get(observe(read))
        for name, part in checker.code.observe(view).items():
            assert np.allclose(seen[name], part, atol=1e-6), (name, where)
        there = env.to_game(read)
        in_order = comparison.in_order
        assert in_order(there.view(game.to_move)) == in_order(view), where
        assert list(there.legal_moves) == list(game.legal_moves), where
        compared += 1
    assert compared > 60


@pytest.mark.rule("A-IND-6")
def test_a_cartel_that_has_fuel_has_had_its_turn() -> None:
    """So that it takes none again, though the players' turns go round."""
    setting, stocked = Setting("recharged", "india", 2), set()
    tables = Tables(setting.rulebook, setting.map, setting.players, {})
    for game in positions(setting):
        view = game.view(game.to_move)
        if game.phase == "fuel":
            has_fuel = any(view["cartel"]["fuel"].values())
            assert (moment_fields(tables, view)["turn"] >= setting.players) == has_fuel
            stocked.add(has_fuel)
    assert stocked == {False, True}
