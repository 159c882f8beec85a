"""What the judge says of known games may change only where a diff shows it."""

import pytest

from golden.judgements import JUDGEMENTS, judgements
from golden.known import GOLDEN
from spread import some


@pytest.mark.parametrize(
    "name",
    some("classic-germany-3", "recharged-usa-2", "cardgame-3", "outpost-planet-3", of=GOLDEN),
)
def test_the_judge_and_the_coach_still_say_the_same(name: str) -> None:
    known = (JUDGEMENTS / f"{name}.txt").read_text("utf-8")
    assert judgements(name) == known, "see what changed with `make golden`"


def test_nothing_is_kept_of_games_that_are_gone() -> None:
    assert {file.stem for file in JUDGEMENTS.glob("*.txt")} == {*GOLDEN}
