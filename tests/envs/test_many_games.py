"""The vector environment on the batched games."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gymnasium.utils.passive_env_checker import (
    check_action_space,
    check_observation_space,
)
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from highvoltage import codec
from highvoltage.batch.lockstep import row_of
from highvoltage.envs import EnvError
from highvoltage.envs.episodes import REWARDS
from highvoltage.envs.many_games import (
    BatchedGames,
    choose_at_random,
    choose_rows,
    place_rewards,
)

ID = "highvoltage.envs:highvoltage/ClassicBatch-v0"


def make(num_envs: int = 3, **settings: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs, players=2, map="germany", **settings)


def test_it_has_the_spaces_of_the_codec() -> None:
    env = make()
    spec = codec.spec("classic", "germany", 2)
    check_observation_space(env.single_observation_space)
    check_action_space(env.single_action_space)
    assert env.single_action_space.n == spec.num_actions
    assert env.observation_space["cities"].shape == (3, 49, 22)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(EnvError, match="There is no reward 'glory'"):
        BatchedGames(reward="glory")
    with pytest.raises(EnvError, match="The others are 'self', 'random' or a policy, not 'clerk'"):
        BatchedGames(others="clerk")
    with pytest.raises(EnvError, match="There is no seat 4 of the learner among others"):
        BatchedGames(others="random", seat=4)
    with pytest.raises(EnvError, match="There is no seat 1 of the learner among others"):
        BatchedGames(seat=1)
    assert BatchedGames().num_envs == 1
    with pytest.raises(EnvError, match="call reset"):
        BatchedGames(2).step(np.zeros(2))


def test_who_sits_there_and_what_is_paid_is_as_was_asked() -> None:
    usual = BatchedGames(players=3)
    assert (usual.others, usual.by_place, usual.fixed_seat, usual.rounds) == (None, False, None, 60)
    among = BatchedGames(players=3, others="random", seat=2, reward="place")
    assert (among.others, among.by_place, among.fixed_seat) == (choose_at_random, True, 2)
    first = BatchedGames(players=3, others=first_legal, seat=0)
    assert (first.others, first.fixed_seat) == (first_legal, 0)
    assert first.states is None


def test_only_what_is_legal_is_chosen_at_random() -> None:
    masks = jnp.array([[False, True, False], [True, False, True]] * 20)
    chosen = choose_at_random({}, masks, jax.random.key(1)).tolist()
    assert {*chosen[::2]} == {1}
    assert {*chosen[1::2]} == {0, 2}


def legal(rng: np.random.Generator, info: dict[str, Any]) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])


@pytest.mark.long
def test_with_itself_it_pays_what_the_engine_says() -> None:
    """Every game is played in the engine too, from the same start; rewards come at the end."""
    env = make(4, reward="place")
    code = codec.make("classic", "germany", 2)
    rng, ends = np.random.default_rng(1), 0
    seen, info = env.reset(seed=5)
    assert seen in env.observation_space
    start = [env.unwrapped.env.to_game(row_of(env.unwrapped.states, at)) for at in range(4)]
    games, begins = list(start), np.zeros(4, bool)
    for _ in range(900):
        actions, decides = legal(rng, info), info["seat"]
        for at, game in enumerate(games):
            if begins[at]:
                continue
            assert game.to_move == decides[at]
            game.play(code.move(game.view(game.to_move), int(actions[at])))
        seen, reward, terminated, truncated, info = env.step(actions)
        assert not truncated.any()
        for at, game in enumerate(games):
            if begins[at]:  # the action was not played: this is the first position of a new game
                assert not terminated[at]
                assert reward[at] == 0
                games[at] = env.unwrapped.env.to_game(row_of(env.unwrapped.states, at))
                assert games[at].state.round == 1
                continue
            assert terminated[at] == (game.outcome is not None)
            expected = np.zeros(2) if game.outcome is None else REWARDS["place"](game.outcome, 2)
            assert np.allclose(info["rewards"][at], expected)
            assert reward[at] == info["rewards"][at][decides[at]]
            ends += bool(terminated[at]) and max(expected) == 1
            viewer = int(info["seat"][at])
            for name, part in code.observe(game.view(viewer)).items():
                assert np.allclose(part, seen[name][at], atol=1e-6)
        begins = terminated | truncated
    assert ends > 3


@pytest.mark.long
def test_among_others_a_step_lasts_until_the_next_turn() -> None:
    rng = np.random.default_rng(1)
    env = RecordEpisodeStatistics(make(16, others="random"))
    seen, info = env.reset(seed=3)
    again, told = make(16, others="random").reset(seed=3)
    assert all(np.array_equal(seen[name], again[name]) for name in seen)
    assert np.array_equal(info["seat"], told["seat"])
    assert {0, 1} == {*info["seat"]}
    results: list[float] = []
    begins = np.zeros(16, bool)
    for _ in range(700):
        states, before = env.unwrapped.states, info["seat"]
        running = ~np.asarray(states.terminated)
        assert (np.asarray(states.current_player) == before)[running].all()
        seen, reward, terminated, truncated, info = env.step(legal(rng, info))
        assert (info["seat"] == before)[~begins].all()
        assert not reward[~terminated].any()
        at = np.arange(16)
        assert (info["rewards"][at, info["seat"]] == reward).all()
        assert np.allclose(info["rewards"][terminated].sum(axis=1), 1)
        results += reward[terminated].tolist()
        if terminated.any():
            episodes = info["episode"]["r"][terminated]
            assert np.allclose(episodes, reward[terminated])
        begins = terminated | truncated
    assert {0.0, 1.0} <= {*results}
    assert 0.2 < np.mean(results) < 0.8


def first_legal(seen: Any, masks: Any, key: Any) -> Any:  # noqa: ARG001
    return masks.argmax(axis=1)


@pytest.mark.long
def test_an_action_that_is_not_legal_loses_and_long_games_are_truncated() -> None:
    env = make(2, others=first_legal, seat=1, rounds=1)
    _, info = env.reset(seed=1)
    wrong = np.array([np.flatnonzero(~mask.astype(bool))[0] for mask in info["action_mask"]])
    _, reward, terminated, _, info = env.step(wrong)
    assert reward.tolist() == [-1, -1]
    assert terminated.all()
    assert info["rewards"].tolist() == [[0, -1], [0, -1]]
    assert info["action_mask"].all()
    _, reward, terminated, truncated, info = env.step(wrong)
    assert not np.concatenate([reward, terminated, truncated]).any()
    rng = np.random.default_rng(0)
    for _ in range(200):
        _, reward, terminated, truncated, info = env.step(legal(rng, info))
        if truncated.any():
            break
    assert truncated.any()
    assert not reward.any()
    assert not terminated.any()


def test_rows_of_any_shape_are_chosen_by_game() -> None:
    mask: Any = np.array([True, False, True])
    for shape in ((3,), (3, 2), (3, 2, 4)):
        new, old = np.ones(shape), np.zeros(shape)
        chosen = choose_rows(mask, {"a": new}, {"a": old})["a"]
        assert (np.asarray(chosen) == [mask[at] * new[at] for at in range(3)]).all()


@pytest.mark.parametrize(
    ("place", "rewards", "paid"),
    [
        ([1, 0, 2], [0, 1, 0], [0.5, 1, 0]),
        ([0, 0, 2], [0.5, 0.5, 0], [0.75, 0.75, 0]),
        ([0, 1, 1, 3], [1, 0, 0, 0], [1, 0.5, 0.5, 0]),
        ([0, 0, 0], [0, 0, 0], [0, 0, 0]),  # it goes on
        ([0, 0, 0], [0, -1, 0], [0, -1, 0]),  # lost by an illegal action
    ],
)
def test_places_pay_in_even_steps(
    place: list[int], rewards: list[float], paid: list[float]
) -> None:
    state: Any = SimpleNamespace(place=np.array(place, np.int8), rewards=np.array(rewards))
    assert np.asarray(place_rewards(state)).tolist() == paid


def test_a_seed_deals_the_same_games_again() -> None:
    env: Any = BatchedGames(2)
    keys: list[list[int]] = []

    def begin(key: Any) -> Any:
        keys.append(jax.random.key_data(key).tolist())
        return (None, None), ({}, 0, 0, 0, {})

    env._begin = begin
    for seed in (5, 6, 5, None):
        env.reset(seed=seed)
    assert keys[0] == keys[2] == [0, 2881021352]  # in every version
    assert len({*map(tuple, keys)}) == 3


@pytest.mark.parametrize("seat", [None, 1])
def test_the_seat_of_the_learner_is_drawn_or_the_one_that_was_named(seat: int | None) -> None:
    env: Any = BatchedGames.__new__(BatchedGames)
    env.env = SimpleNamespace(init=jax.random.key_data, num_players=3)
    env.num_envs, env.fixed_seat = 24, seat
    deals, seats = env._deal(jax.random.key(1))
    assert len({*map(tuple, deals.tolist())}) == 24
    assert {*seats.tolist()} == ({0, 1, 2} if seat is None else {seat})


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Turn:
    """A game in which three seats take turns, a round each."""

    current_player: Any
    round: Any
    terminated: Any
    truncated: Any
    legal_action_mask: Any
    rewards: Any = None

    def replace(self, **fields: Any) -> "Turn":
        return replace(self, **fields)


def test_the_others_play_until_the_learner_is_to_move_or_the_game_is_too_long() -> None:
    def step(state: Turn, _action: Any) -> Turn:
        last = state.current_player == 2
        return state.replace(
            current_player=(state.current_player + 1) % 3, round=state.round + last
        )

    env: Any = BatchedGames.__new__(BatchedGames)
    env.env = SimpleNamespace(step=step, observe=lambda state: state.round)
    env.others, env.rounds = lambda _seen, mask, _key: mask[:, 0], 4
    no = jnp.zeros(4, bool)
    begun = Turn(
        jnp.zeros(4, int), jnp.ones(4, int), no.at[3].set(True), no, jnp.zeros((4, 1), int)
    )
    played = env._play_others(begun, jnp.array([0, 2, 7, 1]), jax.random.key(1))
    assert played.current_player.tolist() == [0, 2, 0, 0]
    assert played.round.tolist() == [1, 1, 5, 1]
    assert played.truncated.tolist() == [False, False, True, False]


def three_in_turn(others: Any) -> Any:
    """Games of three seats, without the rules of any; the action 9 wins."""

    def step(state: Turn, action: Any) -> Turn:
        seat = state.current_player
        return state.replace(
            current_player=(seat + 1) % 3,
            round=state.round + (seat == 2),
            terminated=action == 9,
            rewards=jnp.where(action == 9, jnp.arange(3) == seat, 0.0),
        )

    def init(_key: Any) -> Turn:
        no = jnp.array(False)
        return Turn(jnp.array(1), jnp.array(1), no, no, jnp.ones(10, bool), jnp.zeros(3))

    env: Any = BatchedGames.__new__(BatchedGames)
    env.env = SimpleNamespace(
        init=init, step=step, num_players=3, observe=lambda state, *seat: (state.round, *seat)
    )
    env.others, env.rounds, env.num_envs, env.fixed_seat = others, 4, 5, 2
    env.by_place = False
    return env


def five_games(rewards: Any = None) -> Turn:
    """At the decisions of several seats; the last two are over."""
    no = jnp.zeros(5, bool)
    return Turn(
        jnp.array([0, 1, 2, 0, 0]),
        jnp.array([2, 2, 4, 3, 5]),
        no.at[3].set(True),
        no.at[4].set(True),
        jnp.ones((5, 10), bool),
        jnp.zeros((5, 3)) if rewards is None else rewards,
    )


def test_a_turn_goes_to_whoever_is_to_move_and_what_is_over_begins_anew() -> None:
    env = three_in_turn(None)
    ended = five_games(jnp.zeros((5, 3)).at[3].set(jnp.array([0, 1, 0])))
    (states, seats), told = env._play_turn(
        ended, jnp.zeros(5, int), jnp.array([1, 9, 1, 9, 9]), jax.random.key(1)
    )
    seen, own, terminated, truncated, info = told
    assert own.tolist() == [0, 1, 0, 0, 0]
    assert info["rewards"].tolist() == [[0, 0, 0], [0, 1, 0], *[[0, 0, 0]] * 3]
    assert terminated.tolist() == [False, True, False, False, False]
    assert truncated.tolist() == [False, False, True, False, False]
    assert info["seat"].tolist() == states.current_player.tolist() == [1, 2, 0, 1, 1]
    assert states.round.tolist() == [2, 2, 5, 1, 1]
    assert [each.tolist() for each in seen] == [states.round.tolist(), info["seat"].tolist()]
    assert (info["action_mask"] == 1).all()
    assert info["action_mask"].dtype == np.int8
    assert seats.tolist() == [0, 0, 0, 2, 2]  # where the learner sits in what was dealt


def test_among_others_a_turn_goes_to_the_learner() -> None:
    env = three_in_turn(lambda _seen, mask, _key: mask[:, 0].astype(int))
    learners = jnp.array([0, 1, 2, 0, 0])
    (states, seats), told = env._play_turn(
        five_games(), learners, jnp.array([1, 9, 1, 9, 9]), jax.random.key(1)
    )
    _, own, terminated, truncated, info = told
    assert seats.tolist() == info["seat"].tolist() == [0, 1, 2, 2, 2]
    assert states.current_player.tolist() == [0, 2, 0, 2, 2]
    assert own.tolist() == [0, 1, 0, 0, 0]
    assert terminated.tolist() == [False, True, False, False, False]
    assert truncated.tolist() == [False, False, True, False, False]
    (begun, again), told = env._begin_games(jax.random.key(1))
    assert begun.current_player.tolist() == again.tolist() == [2] * 5
    assert told[1].tolist() == [0] * 5


def test_every_game_needs_one_action() -> None:
    env = BatchedGames(2)
    env._now = SimpleNamespace(), jnp.zeros(2)
    with pytest.raises(EnvError, match=r"2 games need one action each, not \(3,\)"):
        env.step([0, 0, 0])
