"""What is said at the terminal may change only where a diff shows it."""

import pytest

from golden.dialogues import DIALOGUES, HELD, dialogue


@pytest.mark.parametrize("name", HELD)
def test_the_terminal_still_says_the_same(name: str) -> None:
    known = (DIALOGUES / f"{name}.txt").read_text("utf-8")
    assert dialogue(name) == known, "see what changed with `make golden`"
