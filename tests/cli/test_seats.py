"""Who sits at the terminal, and what is left on it."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from highvoltage.cli.play import TerminalGame
from highvoltage.cli.seats import default_name


@pytest.mark.parametrize(
    ("user", "name"),
    [("zofia", "Zofia"), ("root", "Ann"), ("", "Ann"), ("x", "Ann"), ("build-7", "Ann")],
)
def test_a_player_is_called_as_they_are_logged_in(
    monkeypatch: pytest.MonkeyPatch, user: str, name: str
) -> None:
    monkeypatch.setenv("USER", user)
    assert default_name() == name


@pytest.mark.parametrize("terminal", [True, False])
def test_before_the_next_player_the_scrollback_is_wiped_too(terminal: bool) -> None:
    shown = StringIO()
    player: Any = SimpleNamespace(console=Console(file=shown, force_terminal=terminal))
    TerminalGame.wipe(player)
    assert ("\x1b[3J" in shown.getvalue()) == terminal
