"""Renders the table: as text, or as the web page shows it."""

import io
from typing import Any

from rich.console import Console

import highvoltage as hv
from highvoltage.envs.episodes import EnvError
from highvoltage.envs.page import PageRenderer, can_render_page
from highvoltage.text.position import show_position

MODES = ("ansi", "human", "rgb_array")
RENDER_MODES = list(MODES if can_render_page() else MODES[:-1])
"""The modes that work with what is installed."""
WIDTH = 100  # columns of text


class Renderer:
    """Renders games in one mode."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise EnvError(f"There is no render mode '{mode}'. Modes: {', '.join(MODES)}.")
        self.mode = mode
        self._page: PageRenderer | None = None

    def render(self, game: hv.Game) -> Any:
        if self.mode is None:
            raise EnvError(f"Say how to render when the environment is made: {', '.join(MODES)}.")
        if self.mode == "rgb_array":
            self._page = self._page or PageRenderer()
            return self._page.screenshot(game)
        text = as_text(game)
        if self.mode == "ansi":
            return text
        Console().file.write(text)
        return None

    def close(self) -> None:
        if self._page is not None:
            self._page.close()
            self._page = None


def as_text(game: hv.Game) -> str:
    """The table as a spectator sees it."""
    console = Console(file=io.StringIO(), width=WIDTH)
    show_position(game, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
