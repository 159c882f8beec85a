"""Whether an environment can show the page, and when it is closed."""

from pathlib import Path
from threading import Event, get_ident
from typing import Any

import pytest

from highvoltage import envs
from highvoltage.envs import page, picture
from highvoltage.envs.page import PageRenderer


def test_a_browser_of_the_system_or_of_playwright_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(page, "which", lambda _: None)
    assert not page.can_render_page()
    monkeypatch.setattr(page, "which", lambda name: f"/usr/bin/{name}")
    assert page.can_render_page()
    monkeypatch.setattr(page, "which", lambda _: None)
    (tmp_path / "chromium-1200").mkdir()
    assert page.can_render_page()


@pytest.mark.parametrize("missing", ["playwright", "litestar"])
def test_so_are_playwright_and_the_server(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(page, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(page, "find_spec", lambda name: None if name == missing else name)
    assert not page.can_render_page()


class Stub(PageRenderer):
    """Without a server and a browser: its picture is what it was told."""

    def _open(self) -> None:
        self.closed = 0

    def _take(self, record: str, moves: int) -> Any:
        return record, moves

    def _end(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("kind", [envs.HighVoltageEnv, envs.aec])
def test_a_page_is_opened_once_and_closed_with_its_environment(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Stub] = []

    def make() -> Stub:
        made.append(Stub())
        return made[-1]

    monkeypatch.setattr(picture, "PageRenderer", make)
    env = kind("cardgame", players=2, render_mode="rgb_array")
    env.reset(seed=1)
    game = env.episodes.running
    for _ in range(2):
        assert env.render() == (str(game.record()), len(game.log))
    for _ in range(2):
        env.close()
    assert [each.closed for each in made] == [1]
    env.render()
    env.close()
    assert [each.closed for each in made] == [1, 1]


def test_a_page_is_used_in_one_thread() -> None:
    """As Playwright asks, however many want a picture at once."""
    executor, go_on = Stub()._executor, Event()

    def take() -> int:
        assert go_on.wait(60)
        return get_ident()

    waiting = [executor.submit(take) for _ in range(2)]
    go_on.set()
    assert len(executor._threads) == 1
    assert len({each.result() for each in waiting}) == 1
    executor.shutdown()
