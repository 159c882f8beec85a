"""Random games of every rulebook, on every map, with every number of players and every option."""

import pytest

from highvoltage.testing import Setting, check_game, check_processes
from ours import RULEBOOKS, our_settings
from spread import some, spread

SETTINGS = [setting for name in RULEBOOKS for setting in our_settings(name)]


@pytest.mark.rule("CI-01", "CI-02", "CI-03", "CI-04", "CI-05", "CI-06", "CI-07", "CI-08", "CI-09")
@pytest.mark.rule("CI-10", "CI-11", "CI-12", "CI-13", "CI-14", "CI-15", "CI-16", "CI-17", "CI-18")
@pytest.mark.rule("CI-19", "CI-20", "CI-21", "CI-22", "CI-23", "CI-24", "CI-25", "CI-27")
@pytest.mark.rule("OI-01", "OI-02", "OI-03", "OI-04", "OI-05", "OI-06", "OI-07", "OI-08", "OI-09")
@pytest.mark.rule("OI-10", "OI-11", "OI-12", "OI-13", "OI-14", "OI-15", "OI-16", "OI-17", "OI-18")
@pytest.mark.rule("OI-19", "OI-20", "OI-21", "OI-22")
@pytest.mark.parametrize("setting", spread(SETTINGS, one_in=3))
def test_a_random_game_conforms(setting: Setting) -> None:
    game = check_game(setting, seed=1, close=0.01)
    assert game.outcome is not None


@pytest.mark.rule("CI-26", "OI-23")
@pytest.mark.parametrize("rulebook", some("classic", of=RULEBOOKS))
def test_the_same_seed_gives_the_same_game_in_every_process(rulebook: str) -> None:
    first = next(each.map for each in SETTINGS if each.rulebook == rulebook)
    here = [each for each in SETTINGS if (each.rulebook, each.map) == (rulebook, first)]
    check_processes([(setting, 3) for setting in here if setting.players in {2, 5}])
