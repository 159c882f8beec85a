"""An observation of a known position stays what it is, as long as the codec keeps its version."""

import pytest

from golden.observations import NAMES, OBSERVATIONS, observations


@pytest.mark.parametrize("name", NAMES)
def test_what_is_observed_in_a_known_game_stays(name: str) -> None:
    known = (OBSERVATIONS / f"{name}.txt").read_text("utf-8")
    assert observations(name) == known, "is it another version of the codec? then `make golden`"
