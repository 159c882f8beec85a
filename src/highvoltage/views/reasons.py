"""Bots' reasons for their moves: the messages `hint_CODE` of the catalogue."""

from collections.abc import Mapping

from highvoltage import words

UNTAUGHT, NO_NETWORK, RUNNER_UP = "untaught", "no_network", "runner_up"
"""Values that add a sentence before, and one after that names the second-best move."""
SEES_CHANCES, ENDS_SOON, FUEL_SHORT = "sees_chances", "ends_soon", "fuel_short"
"""Values that add what the tycoon sees in the position."""
TO_WIN, TOO_CLOSE, WIN_ALONE = "to_win", "too_close", "win_alone"
"""Values that add the chance of winning at the end."""
SOLD_TO, BUILT_BY = "sold_to", "built_by"
"""Values that add what happened in the game that is analysed."""


def sentence(code: str, values: Mapping[str, int | str], rulebook: str = "") -> str:
    """The sentence for a code; a code without a message is shown as words."""
    sees = (SEES_CHANCES, ENDS_SOON, FUEL_SHORT)
    numbers = (TO_WIN, TOO_CLOSE, WIN_ALONE)
    whole = (UNTAUGHT, NO_NETWORK, code, RUNNER_UP, *sees, SOLD_TO, BUILT_BY, *numbers)
    parts = [part for part in dict.fromkeys(whole) if part == code or part in values]
    return " ".join(words.sentence(f"hint_{part}", part, values, rulebook) for part in parts)
