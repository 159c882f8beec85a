"""States are exported to the engine and imported from a view."""

import jax
import numpy as np
import pytest

from highvoltage import batch
from highvoltage.batch.lockstep import Checker, HostStates, LockstepGame, row_of
from highvoltage.batch.policies import POLICIES
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from twins import starts

STEADY = POLICIES.index("steady")


def test_states_go_to_the_engine_and_come_back_from_a_view(either: Checker) -> None:
    """At some decisions of a game; the game goes on in the engine that was filled."""
    keys = jax.random.split(jax.random.key(2), either.batch)
    chance = jax.device_get(either.draw_chance(keys))
    state = either.start(chance)
    match = LockstepGame(either, STEADY, row_of(chance, 0), np.random.default_rng(2))
    while match.game.to_move is not None:
        match.compare(HostStates(state), 0)
        if len(match.game.log) % 12 == 0:
            here = row_of(jax.device_get(state), 0)
            match.check_round_trip(here)
            goes_on(match, either.env.to_game(here))
        state = either.step(state, np.full(either.batch, match.play(), np.int32))
    match.compare(HostStates(state), 0)
    match.check_round_trip(row_of(jax.device_get(state), 0))
    assert match.exchanges > 5


def goes_on(match: LockstepGame, there: Game) -> None:
    game, in_order = match.game.copy(), match.comparison.in_order
    move = game.legal_moves[-1]
    there.play(move)
    game.play(move)
    assert in_order(there.view()) == in_order(game.view())
    assert there.outcome == game.outcome


def test_a_view_of_another_game_is_refused(classic: Checker) -> None:
    other = batch.make("classic", map="germany", players=3)
    view = classic.env.to_game(row_of(jax.device_get(starts(classic)), 0)).view(0)
    with pytest.raises(OptionError, match="This view is of classic on central_europe; make"):
        other.from_view(view, jax.random.key(0))
    with pytest.raises(OptionError, match="This view is of classic; make the environment"):
        batch.make("cardgame").from_view(view, jax.random.key(0))
    hidden = view | {"players": [player | {"money": None} for player in view["players"]]}
    with pytest.raises(OptionError, match="This view hides money"):
        classic.env.from_view(hidden, jax.random.key(0))
