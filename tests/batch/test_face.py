"""The interface known from pgx, and what its own api_test requires of an environment."""

import json
import subprocess
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest

from highvoltage import batch, codec
from highvoltage.batch import tables
from highvoltage.batch.lockstep import Checker
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import GameState
from highvoltage.engine.errors import OptionError
from highvoltage.games.cardgame.cards import shipped
from highvoltage.games.outpost.cards import shipped_cards
from twins import starts

REGIONS = ("west", "middle", "east")

MAPS = Path(batch.__file__).parents[1] / "maps"


def play(checker: Checker) -> list[GameState]:
    """The states of some random games, until all are over."""
    rng = np.random.default_rng(1)
    states = [starts(checker)]
    while not states[-1].terminated.all():
        masks = np.asarray(states[-1].legal_action_mask)
        actions = [rng.choice(np.flatnonzero(mask)) for mask in masks]
        states.append(checker.step(states[-1], np.array(actions, np.int32)))
    return states


def test_a_new_game_has_a_legal_action_and_no_reward(either: Checker) -> None:
    start, env = starts(either), either.env
    assert start.legal_action_mask.shape == (either.batch, env.num_actions)
    assert start.legal_action_mask.dtype == jnp.bool_
    assert start.legal_action_mask.any(axis=1).all()
    assert start.env_id == env.id
    assert start.current_player.dtype == jnp.int32
    assert start.terminated.dtype == jnp.bool_
    assert start.rewards.dtype == jnp.float32
    assert not start.rewards.any()
    assert not start.terminated.any()
    assert not start.truncated.any()
    assert not start._step_count.any()
    assert ((start.current_player >= 0) & (start.current_player < env.num_players)).all()


def test_the_code_is_that_of_the_codec(either: Checker) -> None:
    setting = either.setting
    spec = codec.spec(setting.rulebook, setting.map, setting.players)
    assert either.env.num_actions == spec.num_actions
    seen = either.observe(starts(either))
    assert either.env.observation_shape == {part.name: part.shape for part in spec.parts}
    assert either.env.observation_shape == {name: part.shape[1:] for name, part in seen.items()}


@pytest.mark.long
def test_games_end_with_rewards_and_stay_as_they_are(either: Checker) -> None:
    states = play(either)
    for before, after in pairwise(states):
        running = ~np.asarray(before.terminated)
        assert (after._step_count - before._step_count == running).all()
        ends = running & np.asarray(after.terminated)
        assert np.allclose(after.rewards.sum(axis=1), ends)
    end = states[-1]
    assert end.legal_action_mask.all()
    later = either.step(end, np.full(either.batch, 5, np.int32))
    assert not later.rewards.any()
    again = later.replace(rewards=end.rewards)
    assert all(jax.tree.leaves(jax.tree.map(lambda a, b: bool((a == b).all()), end, again)))


def test_a_step_keeps_every_shape_and_type_so_that_it_can_be_scanned(either: Checker) -> None:
    def one(state: GameState, action: Any) -> tuple[GameState, jax.Array]:
        return either.env.step(state, action), state.current_player

    start = jax.eval_shape(either.env.init, jax.random.key(0))
    end, seats = jax.eval_shape(lambda s, a: jax.lax.scan(one, s, a), start, jnp.zeros(7, jnp.int8))
    assert jax.tree.leaves(end) == jax.tree.leaves(start)
    assert seats.shape == (7,)


@pytest.mark.long
def test_reset_starts_a_new_game_where_one_is_over(classic: Checker) -> None:
    state = starts(classic).replace(round=jnp.full(4, 9, jnp.int16))
    over = jnp.array([True, False, False, True])
    reset = jit_fast(partial(batch.reset, classic.env))
    fresh = reset(state.replace(terminated=over), jax.random.key(5))
    assert fresh.round.tolist() == [1, 9, 9, 1]
    assert not fresh.terminated.any()


def test_what_is_not_covered_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"'chess'. Batched are: classic, recharged, cardgame, o"):
        batch.make("chess")
    with pytest.raises(OptionError, match="has no option 'demolish'"):
        batch.make("classic", demolish=True)
    board = json.loads((MAPS / "middle_east.json").read_text("utf-8"))
    board["rules"]["deck"] = {"below_step_3": 2}
    with pytest.raises(OptionError, match=r"'plant_market.steps_by_deck' and 'deck.below_step_3'"):
        batch.make("classic", map=board)
    monkeypatch.setattr(tables, "COVERED_RULES", tables.COVERED_RULES - {"blocked"})
    with pytest.raises(OptionError, match=r"Manhattan has the rule 'blocked', which batched games"):
        batch.make("classic", map="manhattan")
    with pytest.raises(OptionError, match="has no option 'regions'"):
        batch.make("cardgame", regions="draft")
    with pytest.raises(OptionError, match="has no map"):
        batch.make("cardgame", map="germany")
    with pytest.raises(OptionError, match="Batched games lack the option 'cards'; play it with"):
        batch.make("cardgame", cards=shipped().data())
    with pytest.raises(OptionError, match="Batched games lack the option 'cards'; play it with"):
        batch.make("outpost", cards={"cards": [*msgspec.to_builtins(shipped_cards().cards)]})
    with pytest.raises(OptionError, match="has no option 'regions'"):
        batch.make("outpost", regions="draft")


def row_of_cities(cities: int, cost: int = 5, **rules: Any) -> dict[str, Any]:
    """A map with its cities in a row, in three regions."""
    names = [f"c{n}" for n in range(cities)]
    return {
        "id": "row",
        "name": "Row",
        "regions": list(REGIONS),
        "cities": [
            {"id": name, "name": name, "region": REGIONS[n * 3 // cities], "lon": n, "lat": 50}
            for n, name in enumerate(names)
        ],
        "connections": [[*pair, cost] for pair in pairwise(names)],
        "rules": rules,
    }


def test_a_map_that_is_too_large_is_refused() -> None:
    for cities in (49, 51):
        assert batch.make("classic", map=row_of_cities(cities), players=3).tables.cities == cities
    with pytest.raises(OptionError, match="Row has a way of cost 14400; at most 9999"):
        batch.make("classic", map=row_of_cities(49, 300), players=3)
    cheap = [{"city": f"c{n}", "fuel": "oil", "amount": 1} for n in range(7)]
    with pytest.raises(OptionError, match="Row has 7 'discounts'; batched games have room for 6"):
        batch.make("classic", map=row_of_cities(30, discounts=cheap), players=3)


def test_jax_loads_only_on_demand() -> None:
    code = "import sys, highvoltage as hv; assert 'jax' not in sys.modules; hv.batch.make"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.long
def test_debug_refuses_what_is_not_legal(classic: Checker) -> None:
    start = jax.tree.map(lambda leaf: leaf[0], starts(classic))
    env = batch.make("classic", map="central_europe", players=3, demolition=True, debug=True)
    refused = {
        377: "there is no action 377: they are 0 to 376",
        -1: "there is no action -1",
        0: f"action 0 is not legal for seat {start.current_player}; see legal_action_mask",
    }
    for action, why in refused.items():
        with pytest.raises(ValueError, match=why):
            env.step(start, jnp.asarray(action))
    with pytest.raises(ValueError, match="there is no seat 3: they are 0 to 2"):
        env.observe(start, jnp.asarray(3))


def test_debug_is_part_of_a_compiled_step() -> None:
    env = batch.make("classic", map="germany", players=3, debug=True)
    traced = jax.make_jaxpr(env.step)(jax.eval_shape(env.init, jax.random.key(0)), 5)
    assert "debug_callback" in str(traced)
