"""The environment for all seats, by PettingZoo's own tests and ours."""

import asyncio
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (  # type: ignore[import-untyped]
    api_test,
    performance_benchmark,
    render_test,
    seed_test,
)

from highvoltage import envs
from highvoltage.envs import page
from highvoltage.envs.picture import as_text

SETTINGS = [("classic", 4), ("recharged", 2), ("cardgame", 3), ("outpost", 2)]


@pytest.fixture
def _dicts_are_meant() -> Iterator[None]:
    """PettingZoo recommends arrays, but accepts dicts with a mask from its own games silently."""
    with warnings.catch_warnings():
        for warning in ("Observation is not a NumPy array", "Observation space for each agent"):
            warnings.filterwarnings("ignore", warning)
        yield


@pytest.mark.usefixtures("_dicts_are_meant")
@pytest.mark.parametrize(("rulebook", "players"), SETTINGS)
def test_pettingzoos_api_test_passes(rulebook: str, players: int) -> None:
    api_test(envs.aec(rulebook, players=players), num_cycles=50)


def test_four_play_unless_somebody_says_otherwise() -> None:
    assert len(envs.aec().possible_agents) == 4
    assert len(envs.aec(players=3).possible_agents) == 3


def test_pettingzoos_seed_test_passes() -> None:
    seed_test(lambda: envs.aec("classic", map="usa", players=3), num_cycles=50)


def test_pettingzoos_render_test_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For text; it would take five screenshots of the page, of which one is taken below."""
    monkeypatch.setitem(envs.HighVoltageAEC.metadata, "render_modes", ["ansi", "human"])
    render_test(lambda render_mode: envs.aec("classic", players=3, render_mode=render_mode))


@pytest.mark.long
def test_the_pages_table_as_pixels() -> None:
    """Also where an event loop runs, as it does in a notebook."""
    env = envs.aec("classic", players=3, render_mode="rgb_array")

    async def render() -> Any:
        env.reset(seed=1)
        picture = env.render()
        env.close()
        return picture

    before = threading.active_count()
    picture = asyncio.run(render())
    assert threading.active_count() == before  # the server of the page has ended
    assert (picture.shape, picture.dtype) == ((800, 1280, 3), np.uint8)
    assert len(np.unique(picture @ np.array([65536, 256, 1]))) > 100  # colours: not an empty page


@pytest.mark.parametrize("name", page.BROWSERS)
def test_any_installed_chromium_will_do(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert page.find_browser() is None
    (tmp_path / name).touch(mode=0o755)
    assert page.find_browser() == str(tmp_path / name)


def test_pettingzoos_benchmark_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(1_000))  # it takes five seconds of wall time; here they pass at once
    monkeypatch.setattr("time.time", lambda: 3.0 * next(clock))
    performance_benchmark(envs.aec("cardgame", players=2))
    assert "Finished performance benchmark" in capsys.readouterr().out


def finish(env: envs.HighVoltageAEC, seed: int) -> dict[str, float]:
    """Play at random to the end; what each agent got."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        got[agent] += reward
        ended = termination or truncation
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return got


def test_a_person_sees_the_table_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = envs.aec("cardgame", players=2, render_mode="human")
    env.reset(seed=1)
    capsys.readouterr()
    for _ in range(2):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        assert capsys.readouterr().out == as_text(env.episodes.running)


def test_nobody_else_is_shown_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    env = envs.aec("cardgame", players=2, render_mode="ansi")
    env.reset(seed=1)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert capsys.readouterr().out == ""


def test_the_winner_gets_one() -> None:
    env = envs.aec("cardgame", players=3)
    got = finish(env, seed=1)
    outcome = env.episodes.running.outcome
    assert outcome is not None
    assert sum(got.values()) == pytest.approx(1)
    assert got[f"player_{outcome.winners[0]}"] == 1 / len(outcome.winners)


def test_places_are_worth_even_steps() -> None:
    env = envs.aec("cardgame", players=3, reward="place")
    assert sorted(finish(env, seed=1).values()) == [0, 0.5, 1]


def test_a_long_game_is_cut_off_without_a_reward() -> None:
    env = envs.aec("classic", players=2, rounds=2)
    assert set(finish(env, seed=1).values()) == {0.0}
    assert env.episodes.is_truncated


def test_only_the_seat_to_move_has_legal_actions() -> None:
    env = envs.aec("classic", players=4)
    env.reset(seed=3)
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = envs.aec("classic", players=4, render_mode="ansi")
    with pytest.raises(envs.EnvError, match="call reset"):
        env.render()
    env.reset(seed=3)
    with pytest.raises(envs.EnvError, match=r"Action 0 \(done 0\) is not legal now"):
        env.step(0)
    with pytest.raises(envs.EnvError, match="There is no action 377: they are 0 to 376"):
        env.step(377)
    assert not env.episodes.running.log


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "money"}, "no reward 'money'. Rewards: win, place"),
        ({"rounds": 0}, "at least 1 round, not 0"),
        ({"render_mode": "gif"}, "no render mode 'gif'. Modes: ansi, human, rgb_array"),
    ],
)
def test_what_cannot_be_made_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(envs.EnvError, match=message):
        envs.aec("classic", **settings)  # type: ignore[arg-type]


def test_rendering_without_a_mode_is_refused() -> None:
    env = envs.aec("classic")
    env.reset(seed=1)
    with pytest.raises(envs.EnvError, match="Say how to render when the environment is made"):
        env.render()


def test_without_playwright_pixels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "playwright.sync_api", None)
    env = envs.aec("classic", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(envs.EnvError, match="needs Playwright with a browser: pip install"):
        env.render()
