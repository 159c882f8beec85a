"""The parts of learning that can be held against examples made by hand."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import highvoltage as hv
from highvoltage import codec
from highvoltage.bots.tycoon.mind import mind_of
from highvoltage.bots.tycoon.network import forward, shapes
from learn import evaluate
from learn.keeping import load_resume, save_resume, save_weights
from learn.ppo import Effect, advantages, optimiser, turned
from learn.train import untaught

CORPUS = Path(__file__).parents[1] / "corpus"


def test_what_begins_with_the_seat_to_move_is_turned_to_seats_and_back() -> None:
    seen = jnp.array([[0.1, 0.2, 0.3, 0.4]])
    seat = jnp.array([2])
    by_seat = turned(seen, seat)
    assert by_seat.tolist() == jnp.array([[0.3, 0.4, 0.1, 0.2]]).tolist()
    assert turned(by_seat, seat, back=True).tolist() == seen.tolist()


def test_advantages_follow_one_line_of_time_and_stop_where_a_game_ends() -> None:
    worth = jnp.array([[[0.5, 0.5]], [[0.6, 0.4]], [[0.5, 0.5]]])
    reward = jnp.array([[[0.0, 0.0]], [[1.0, 0.0]], [[0.0, 0.0]]])
    over = jnp.array([[False], [True], [False]])
    last = jnp.array([[0.7, 0.3]])
    gains = advantages(worth, Effect(reward, over, over), last, 0.5)
    # The last game has just begun: only the value it leads to counts.
    np.testing.assert_allclose(gains[2, 0], [0.2, -0.2], atol=1e-6)
    # The game that ended: the reward against what was expected, nothing of what came later.
    np.testing.assert_allclose(gains[1, 0], [0.4, -0.4], atol=1e-6)
    np.testing.assert_allclose(gains[0, 0], [0.1 + 0.5 * 0.4, -0.1 - 0.5 * 0.4], atol=1e-6)


def test_learning_goes_on_from_its_file_with_the_moments(tmp_path: Path) -> None:
    begun = jax.eval_shape(untaught, jax.random.key(0))  # to draw them takes longer than the rest
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=each.shape).astype(each.dtype) for name, each in begun.items()}
    rule = optimiser()
    slopes = jax.tree.map(lambda array: np.full_like(array, 1e-3), weights)
    _, moments = jax.jit(lambda each: rule.update(each, rule.init(weights)))(slopes)
    save_resume(tmp_path / "classic.safetensors", weights, moments[1], {"rulebook": "classic"})
    assert (tmp_path / "classic.safetensors").stat().st_size < 12_000_000
    loaded, kept = load_resume(tmp_path / "classic.safetensors", moments[1])
    assert int(kept.count) == 1
    for name, array in weights.items():
        np.testing.assert_array_equal(loaded[name], array)
        np.testing.assert_allclose(kept.mu[name], moments[1].mu[name], rtol=2e-3)
        np.testing.assert_allclose(kept.nu[name], moments[1].nu[name], rtol=4e-3)


def test_numpy_and_jax_run_the_same_network() -> None:
    mind = mind_of("classic")
    assert mind is not None
    assert {name: array.shape for name, array in mind.weights.items()} == shapes()
    game = hv.replay(CORPUS / "classic-4-players.txt").after(60)
    seen = codec.observe(game.view(game.to_move))
    ours = forward(mind.weights, seen, 3)
    theirs = forward(mind.weights, {name: jnp.asarray(part) for name, part in seen.items()}, 3, jnp)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-3, atol=1e-3)


def test_other_weights_can_be_played_against(tmp_path: Path) -> None:
    """Who sits there thinks with the file: with weights that are all nothing it never wins."""
    shipped = mind_of("classic")
    assert shipped is not None
    nothing = {name: np.zeros_like(array) for name, array in shipped.weights.items()}
    taught = '{"players": [2], "rules": []}'
    save_weights(tmp_path / "none.safetensors", nothing, {"taught": taught, "codec": "1"})
    given = ["classic", "--players", "2", "--games", "1", "--seed", "against"]
    args = evaluate.read_arguments([*given, "--against", str(tmp_path / "none.safetensors")])
    assert [*evaluate.shares(args)] == [1.0]
    args = evaluate.read_arguments([*given, "--weights", str(tmp_path / "none.safetensors")])
    assert [*evaluate.shares(args)] == [0.0]
