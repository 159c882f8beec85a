"""What bots say about their moves: the messages `hint_CODE` of the catalogue."""

from collections.abc import Mapping

from highvoltage import words

UNTAUGHT, RUNNER_UP = "untaught", "runner_up"
"""Values that bring a sentence before, and one behind: what the move is compared with."""


def sentence(code: str, values: Mapping[str, int | str], rulebook: str = "") -> str:
    """The sentence for a code; one of which there is no message is read as words."""
    parts = [part for part in (UNTAUGHT, code, RUNNER_UP) if part == code or part in values]
    return " ".join(words.sentence(f"hint_{part}", part, values, rulebook) for part in parts)
