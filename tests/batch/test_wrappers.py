"""What programs written for pgx expect; with pgx installed, its own test of an environment."""

import sys
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from highvoltage import batch, codec
from highvoltage.batch.lockstep import Checker, row_of
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import GameState
from twins import starts


def test_a_state_can_hold_its_observation(either: Checker) -> None:
    env = batch.Observed(either.env)
    state = jax.eval_shape(env.init, jax.random.key(0))
    assert state.observation.shape == env.observation_shape
    again = jax.eval_shape(env.step, state, jnp.int32(0))
    assert jax.tree.leaves(again) == jax.tree.leaves(state)
    assert (env.id, env.num_players) == (either.env.id, either.env.num_players)
    assert (env.version, env.num_actions) == (either.env.version, either.env.num_actions)


@pytest.mark.long
def test_the_row_of_a_state_is_that_of_the_codec(either: Checker) -> None:
    env = batch.Observed(either.env)
    state = jit_fast(env.init)(jax.random.key(3))
    state = jit_fast(env.step)(state, state.legal_action_mask.argmax())
    game = either.env.to_game(state.game)
    row = codec.flatten(either.code.observe(game.view(int(state.current_player))))
    assert np.allclose(row, state.observation, atol=1e-6)
    assert state._step_count == 1
    assert state.replace(terminated=jnp.array(True)).terminated


@pytest.mark.long
def test_a_new_game_takes_the_place_of_one_that_ended(classic: Checker) -> None:
    start, other = (row_of(starts(classic), at) for at in (0, 1))
    ends = jnp.array([1.0, 0.0, 0.0])

    def step(state: GameState, action: Any) -> GameState:
        assert not state.terminated
        assert not state.rewards.any()
        over = jnp.asarray(action == 7)
        return state.replace(
            round=state.round + 1, terminated=over, rewards=jnp.where(over, ends, 0.0)
        )

    play = batch.auto_reset(step, lambda _: other)
    key = jax.random.key(0)
    running = play(start, jnp.int32(0), key)
    assert running.round == 2
    assert not running.terminated
    ended = play(running, jnp.int32(7), key)
    assert ended.terminated
    assert ended.rewards.tolist() == ends.tolist()
    assert ended.round == 1
    assert np.array_equal(ended.pile, other.pile)
    assert np.array_equal(ended.legal_action_mask, other.legal_action_mask)
    assert play(ended, jnp.int32(0), key).round == 2


@jax.jit
def act_randomly(key: Any, mask: Any) -> Any:
    """The one of pgx takes only batches, but its test of single games calls it too."""
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)


@pytest.fixture
def api_test(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The test of pgx, which knows by name the games of pgx alone, and draws the last state."""
    pytest.importorskip("pgx", reason="pgx is not installed: pip install pgx")
    from pgx._src import api_test  # type: ignore[import-not-found]  # noqa: PLC0415

    ids = ("classic", "recharged", "cardgame", "outpost")
    monkeypatch.setattr(api_test, "get_args", lambda _: [f"highvoltage_{name}" for name in ids])
    drawn = lambda state, file: None  # noqa: E731, ARG005
    monkeypatch.setattr(batch.ObservedState, "save_svg", drawn, raising=False)
    monkeypatch.setattr(api_test, "act_randomly", act_randomly)
    found: ModuleType = api_test
    return found


@pytest.mark.long
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("use_key", [True, False])
def test_pgx_accepts_the_environment(
    either: Checker, api_test: ModuleType, *, use_key: bool
) -> None:
    env = batch.Observed(either.env)
    api_test.api_test_single(env, 1, use_key)
    if use_key:
        api_test.api_test_batch(env, 1, use_key)


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_new_games_come_as_with_the_wrapper_of_pgx(classic: Checker) -> None:
    wrappers = pytest.importorskip(
        "pgx.experimental.wrappers", reason="pgx is not installed: pip install pgx"
    )
    env = classic.env
    ours = jit_fast(batch.auto_reset(env.step, env.init))
    theirs = jit_fast(wrappers.auto_reset(lambda s, a, _: env.step(s, a), env.init))
    rng, ends = np.random.default_rng(4), 0
    state = row_of(starts(classic), 0)
    for at in range(900):
        key = jax.random.key(at)
        action = np.int32(rng.choice(np.flatnonzero(state.legal_action_mask)))
        if at % 100 == 50:
            action = np.int32(np.flatnonzero(~np.asarray(state.legal_action_mask))[0])
        expected = theirs(state, action, key)
        state = ours(state, action, jax.random.split(key)[1])
        assert all(jax.tree.leaves(jax.tree.map(np.array_equal, expected, state)))
        ends += bool(state.terminated)
    assert ends >= 9
    assert "pgx" in sys.modules
