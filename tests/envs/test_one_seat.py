"""The environment for one seat among bots, by Gymnasium's own checker and ours."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

from highvoltage import bots, envs
from highvoltage.envs.one_seat import LegalActions
from highvoltage.envs.picture import as_text


@pytest.mark.parametrize("rulebook", ["Classic", "Recharged", "Cardgame", "Outpost"])
def test_gymnasiums_checker_passes(rulebook: str) -> None:
    env = gymnasium.make(f"highvoltage.envs:highvoltage/{rulebook}-v0", players=2, bots="random")
    check_env(env.unwrapped, skip_render_check=True)


CHECKED = """
import gymnasium
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("highvoltage.envs:highvoltage/Cardgame-v0", players=2, bots="random")
check_env(env.unwrapped)
print(env.metadata["render_modes"])
"""


def test_gymnasiums_checker_passes_without_a_browser(tmp_path: Path) -> None:
    """All of it: every render mode that the environment names is tried."""
    hidden = {"PATH": "", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    remaining = {
        key: value for key, value in os.environ.items() if not key.startswith("PLAYWRIGHT")
    }
    words = [sys.executable, "-W", "error", "-c", CHECKED]
    ended = subprocess.run(
        words, env=remaining | hidden, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert ended.stdout.splitlines()[-1] == "['ansi', 'human']"


@pytest.mark.long
def test_gymnasiums_checker_passes_with_a_browser() -> None:
    words = [sys.executable, "-W", "error", "-c", CHECKED]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert ended.stdout.splitlines()[-1] == "['ansi', 'human', 'rgb_array']"


def test_a_whole_game_among_bots() -> None:
    env = envs.HighVoltageEnv("classic", players=3, bots=["clerk", "random"], seat=1)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=4)
    over, total = False, 0.0
    while not over:
        assert env.episodes.running.to_move == 1 == info["seat"]
        assert (env.action_masks() == info["action_mask"]).all()
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, reward, terminated, truncated, info = env.step(action)
        total, over = total + reward, terminated or truncated
    outcome = env.episodes.running.outcome
    assert outcome is not None
    assert total == (1 in outcome.winners) / len(outcome.winners)
    with pytest.raises(envs.EnvError, match="The game is over"):
        env.step(0)


def test_a_person_sees_the_table_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = envs.HighVoltageEnv("cardgame", players=2, bots="clerk", render_mode="human")
    _, info = env.reset(seed=1)
    capsys.readouterr()
    for _ in range(2):
        info = env.step(int(info["action_mask"].argmax()))[-1]
        shown = capsys.readouterr().out
        assert shown == as_text(env.episodes.running)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(
    ("reward", "worth"), [("win", (1.0, 0.0, 0.0)), ("place", (1.0, 0.5, 0.0))]
)
def test_the_reward_is_that_of_the_own_seat(
    seat: int, reward: str, worth: tuple[float, ...]
) -> None:
    env = envs.HighVoltageEnv("cardgame", players=3, bots="random", seat=seat, reward=reward)
    _, info = env.reset(seed=1)
    clerk = bots.make("clerk", 1)
    rewards, over = [], False
    while not over:
        game = env.episodes.running
        action = env.episodes.code.index(game.view(seat), bots.ask(clerk, game).move)
        assert info["action_mask"][action] == 1
        _, got, over, truncated, info = env.step(action)
        rewards.append(got)
    outcome = game.outcome
    assert outcome is not None
    assert not truncated
    assert len(outcome.ranking) == 3  # nobody is tied: every place is worth something else
    assert rewards == [*[0.0] * (len(rewards) - 1), worth[outcome.ranking.index((seat,))]]


def test_a_long_game_is_cut_off_without_a_reward() -> None:
    env = envs.HighVoltageEnv("cardgame", players=3, bots="clerk", seat=1, rounds=2)
    _, info = env.reset(seed=2)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, over, truncated, info = env.step(action)
        assert (reward, over) == (0.0, False)
        over = truncated
    assert env.episodes.running.state.round == 3


def test_an_illegal_action_loses_the_game_and_says_why() -> None:
    env = envs.HighVoltageEnv("classic", players=3, bots="random", seat=0)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated) == (-1, True)
    assert "is not legal now" in info["error"]
    with pytest.raises(envs.EnvError, match="There is no action 377"):
        env.step(377)


def test_a_sample_is_legal_unless_somebody_says_what_to_draw_from() -> None:
    actions = LegalActions(5)
    actions.legal = np.array([0, 0, 1, 0, 0], np.int8)
    assert {actions.sample() for _ in range(20)} == {2}
    assert actions.sample(np.array([0, 0, 0, 0, 1], np.int8)) == 4
    assert actions.sample(probability=np.array([0.0, 1.0, 0.0, 0.0, 0.0])) == 1


def test_the_same_seed_gives_the_same_game() -> None:
    env = envs.HighVoltageEnv("cardgame", players=4, bots="clerk")
    logs = []
    for _ in range(2):
        env.reset(seed=9)
        env.action_space.seed(1)
        for _ in range(10):
            env.step(env.action_space.sample())
        logs.append([str(row.move) for row in env.episodes.running.log])
    assert logs[0] == logs[1]


def test_environments_side_by_side_in_processes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about forks, from JAX where it is loaded
        games = envs.vector(2, "cardgame", players=2, bots="random")
        assert isinstance(games, AsyncVectorEnv)
        observations, info = games.reset(seed=1)
        assert observations["cards"].shape == (2, 51, 4)
        ended = 0
        while not ended:
            actions = info["action_mask"].argmax(axis=1)
            observations, rewards, terminated, truncated, info = games.step(actions)
            ended += int(terminated.sum())
            assert not truncated.any()
            assert rewards.shape == (2,)
        games.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bots": ["clerk"]}, "4 players need 3 bots, not 1"),
        ({"seat": 4}, "There is no seat 4: seats are 0 to 3"),
    ],
)
def test_what_cannot_be_made_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(envs.EnvError, match=message):
        envs.HighVoltageEnv("classic", players=4, **settings)  # type: ignore[arg-type]


def test_an_unknown_bot_is_refused_at_once() -> None:
    with pytest.raises(Exception, match="There is no bot 'rnadom'"):
        envs.HighVoltageEnv("classic", bots="rnadom")
