"""What bots choose in the positions of known games may change only where a diff shows it."""

import pytest

from golden.choices import CHOICES, cases, choices, path_of_choices


@pytest.mark.parametrize(("name", "bot"), [*cases()])
def test_bots_still_choose_the_same_for_the_same_reasons(name: str, bot: str) -> None:
    known = path_of_choices(name, bot).read_text("utf-8")
    assert choices(name, bot) == known, "see what changed with `make golden`"


def test_no_choices_are_kept_of_games_that_are_gone() -> None:
    assert {*CHOICES.glob("*/*.txt")} == {path_of_choices(*case) for case in cases()}
