"""An action that is not legal ends the game where it stands and costs its seat 1."""

from typing import Any

import jax
import numpy as np

from highvoltage.batch.lockstep import Checker
from highvoltage.batch.state import GameState
from twins import starts

FACE = {"rewards", "terminated", "legal_action_mask", "_step_count"}


def same_position(before: GameState, after: GameState) -> bool:
    face = {name: getattr(before, name) for name in FACE}
    same = jax.tree.map(np.array_equal, before, after.replace(**face))
    return all(jax.tree.leaves(same))


def wrong_actions(rng: np.random.Generator, masks: Any) -> Any:
    """For each game one that its mask bars, or one that does not exist, or looks legal in bits."""
    actions = []
    for at, mask in enumerate(masks):
        barred, legal = rng.choice(np.flatnonzero(~mask)), rng.choice(np.flatnonzero(mask))
        beyond = [len(mask), -1, legal - len(mask), legal + 65_536, 2**31 - 1]
        actions.append(barred if at % 2 else rng.choice(beyond))
    return np.array(actions, np.int32)


def test_an_action_that_is_not_legal_loses_the_game(either: Checker) -> None:
    rng = np.random.default_rng(3)
    state, tried = starts(either), 0
    for at in range(150):
        masks = np.asarray(state.legal_action_mask)
        running = ~np.asarray(state.terminated)
        if at % 5 == 0 and running.all():
            tried += 1
            lost = either.step(state, wrong_actions(rng, masks))
            seats = np.arange(either.env.num_players) == np.asarray(state.current_player)[:, None]
            assert np.array_equal(lost.rewards, np.where(seats, -1.0, 0.0))
            assert lost.terminated.all()
            assert lost.legal_action_mask.all()
            assert (lost._step_count == state._step_count + 1).all()
            assert same_position(state, lost)
            later = either.step(lost, np.zeros(either.batch, np.int32))
            assert not later.rewards.any()
            assert (later._step_count == lost._step_count).all()
            assert later.terminated.all()
            assert same_position(state, later)
        actions = [rng.choice(np.flatnonzero(mask)) for mask in masks]
        state = either.step(state, np.array(actions, np.int32))
    assert tried > 12
