"""What bots choose in the positions of known games may change only where a diff shows it."""

import pytest

from golden.choices import CASES, CHOICES, choices


@pytest.mark.parametrize(("name", "bot"), CASES)
def test_bots_still_choose_the_same_for_the_same_reasons(name: str, bot: str) -> None:
    known = CHOICES / bot.partition(":")[0] / f"{name}.txt"
    assert choices(name, bot) == known.read_text("utf-8"), "see what changed with `make golden`"


def test_no_choices_are_kept_of_games_that_are_gone() -> None:
    kept = {(file.stem, file.parent.name) for file in CHOICES.glob("*/*.txt")}
    assert kept == {(name, bot.partition(":")[0]) for name, bot in CASES}
