"""Golden playthroughs: the result of the same moves may change only where a diff shows it."""

import pytest

from golden.briefs import BRIEFS, NAMES, briefs
from golden.known import FURTHER, played
from golden.playthrough import FOLDER, GAMES, moves_of, path_of, playthrough
from golden.reports import REPORTED, REPORTS, reports
from golden.screens import SCREENS, SHOWN, screens
from highvoltage.testing import Setting
from ours import RULEBOOKS


@pytest.mark.parametrize("setting", GAMES, ids=str)
def test_a_game_still_gives_the_same_text(setting: Setting) -> None:
    text = path_of(setting).read_text("utf-8")
    again = playthrough(setting, moves_of(text))
    assert again == text, "see what changed with `make golden` and `git diff tests/golden`"


def test_every_playthrough_is_played() -> None:
    assert {*FOLDER.glob("*.txt")} == {path_of(setting) for setting in GAMES}


@pytest.mark.parametrize("name", SHOWN)
def test_the_terminal_still_shows_the_same(name: str) -> None:
    shown = (SCREENS / f"{name}.txt").read_text("utf-8")
    assert screens(name) == shown, "see what changed with `make golden`"


@pytest.mark.parametrize("name", NAMES)
def test_a_language_model_is_still_told_the_same(name: str) -> None:
    told = (BRIEFS / f"{name}.txt").read_text("utf-8")
    assert briefs(name) == told, "see what changed with `make golden`"


@pytest.mark.parametrize("name", REPORTED)
def test_a_tournament_is_still_summed_up_the_same(name: str) -> None:
    reported = (REPORTS / f"{name}.txt").read_text("utf-8")
    assert reports(name) == reported, "see what changed with `make golden`"


def test_every_family_and_map_is_shown() -> None:
    assert {file.stem for file in SCREENS.glob("*.txt")} == {*SHOWN}
    assert {file.stem for file in BRIEFS.glob("*.txt")} == {*NAMES}
    assert {played(name).rules.ruleset.rulebook for name in SHOWN} == {*RULEBOOKS}
    assert len(FURTHER) > 30
