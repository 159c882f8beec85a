"""Whether an environment can show the page."""

from pathlib import Path

import pytest

from highvoltage.envs import page


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
