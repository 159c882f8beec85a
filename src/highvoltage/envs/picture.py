"""The table to look at: as text, or as the page shows it."""

import io
from typing import Any

from rich.console import Console

import highvoltage as hv
from highvoltage.cli.replaying import show_position
from highvoltage.envs.episodes import EnvError

MODES = ("ansi", "human", "rgb_array")
WIDTH = 100  # columns of text


class Picture:
    """Shows games in one way."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise EnvError(f"There is no render mode '{mode}'. Modes: {', '.join(MODES)}.")
        self.mode = mode
        self._page: Any = None

    def of(self, game: hv.Game) -> Any:
        if self.mode is None:
            raise EnvError(f"Say how to render when the environment is made: {', '.join(MODES)}.")
        if self.mode == "rgb_array":
            return self.page.picture(game)
        text = as_text(game)
        if self.mode == "ansi":
            return text
        Console().file.write(text)
        return None

    @property
    def page(self) -> Any:
        if self._page is None:
            from highvoltage.envs.page import Page  # noqa: PLC0415  # a browser is an extra

            self._page = Page()
        return self._page

    def close(self) -> None:
        if self._page is not None:
            self._page.close()
            self._page = None


def as_text(game: hv.Game) -> str:
    """What everybody sees."""
    console = Console(file=io.StringIO(), width=WIDTH)
    show_position(game, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
