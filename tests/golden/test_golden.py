"""Golden playthroughs: the result of the same moves may change only where a diff shows it."""

import pytest

from golden import screens
from golden.playthrough import FOLDER, GAMES, moves_of, path_of, playthrough
from highvoltage.testing import Setting
from ours import RULEBOOKS


@pytest.mark.parametrize("setting", GAMES, ids=str)
def test_a_game_still_gives_the_same_text(setting: Setting) -> None:
    text = path_of(setting).read_text("utf-8")
    again = playthrough(setting, moves_of(text))
    assert again == text, "see what changed with `make golden` and `git diff tests/golden`"


def test_every_playthrough_is_played() -> None:
    assert {*FOLDER.glob("*.txt")} == {path_of(setting) for setting in GAMES}


@pytest.mark.parametrize("setting", screens.SHOWN, ids=str)
def test_the_terminal_still_shows_the_same(setting: Setting) -> None:
    shown = screens.path_of_screens(setting).read_text("utf-8")
    assert screens.screens(setting) == shown, "see what changed with `make golden`"


def test_every_family_is_shown() -> None:
    assert {*screens.SCREENS.glob("*.txt")} == {*map(screens.path_of_screens, screens.SHOWN)}
    assert {setting.rulebook for setting in screens.SHOWN} == {*RULEBOOKS}
