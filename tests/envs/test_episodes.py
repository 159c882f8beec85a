"""An episode that has not begun."""

import pytest

from highvoltage.envs.episodes import EnvError, Episodes


def test_a_step_before_the_first_reset_says_what_to_do() -> None:
    episodes = Episodes.__new__(Episodes)
    episodes.game = None
    with pytest.raises(EnvError, match=r"call reset\(\) first"):
        episodes.step(0)
