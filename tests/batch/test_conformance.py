"""The twin agrees with the engine at every decision; docs/batch.md keeps what longer runs gave."""

from typing import Any

import numpy as np
import pytest

from highvoltage.batch import check
from highvoltage.batch.lockstep import Checker, Difference
from highvoltage.testing import Setting


def agrees(checker: Checker, games: int) -> None:
    tally = checker.run(games)
    assert tally.games == games
    assert tally.decisions > 100 * games
    assert tally.observations > 0
    assert tally.events["step 3"] > 0
    assert tally.events["scrap"] > 0


def test_classic_agrees_with_the_engine(classic: Checker) -> None:
    agrees(classic, 5)


def test_recharged_agrees_with_the_engine() -> None:
    marks = {"standard_starting_cities": True}
    agrees(Checker(Setting("recharged", "usa", 2, marks), batch=5), 5)


@pytest.mark.long
@pytest.mark.parametrize("setting", check.every(), ids=str)
def test_every_setting_agrees_with_the_engine(setting: Setting) -> None:
    agrees(Checker(setting), 20)


def test_a_difference_names_the_move_the_field_and_the_rule(
    classic: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = classic.step

    def generous(state: Any, actions: Any) -> Any:
        after = step(state, actions)
        return after.replace(money=after.money + (np.asarray(after.supplied) > 0))

    monkeypatch.setattr(classic, "step", generous)
    with pytest.raises(Difference, match=r"money \(C-1.7.1\): the engine has .* the twin") as told:
        classic.run(4)
    assert "run " in str(told.value)
