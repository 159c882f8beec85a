"""In which language the terminal speaks."""

import os

from highvoltage import words
from highvoltage.engine.errors import OptionError


def chosen_language(asked: str | None) -> str:
    """The language that is asked for, or else the one that is spoken already."""
    if asked is None:
        return words.spoken()
    if asked not in words.LANGUAGES:
        known = ", ".join(words.LANGUAGES)
        raise OptionError(f"there is no language '{asked}'; choose from {known}")
    return asked


def system_language() -> str:
    """The language of whoever sits here, by the variables that say so, the first one first."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return words.language_of(next(filter(None, named), ""))
