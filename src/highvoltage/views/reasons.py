"""Bots' reasons for their moves: the messages `hint_CODE` of the catalogue."""

from collections.abc import Mapping

from highvoltage import words

UNTAUGHT, RUNNER_UP = "untaught", "runner_up"
"""Values that add a sentence before, and one after that names the second-best move."""


def sentence(code: str, values: Mapping[str, int | str], rulebook: str = "") -> str:
    """The sentence for a code; a code without a message is shown as words."""
    parts = [part for part in (UNTAUGHT, code, RUNNER_UP) if part == code or part in values]
    return " ".join(words.sentence(f"hint_{part}", part, values, rulebook) for part in parts)
