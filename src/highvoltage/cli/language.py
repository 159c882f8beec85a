"""The language of the terminal."""

import os

from highvoltage import words
from highvoltage.engine.errors import OptionError


def chosen_language(requested: str | None) -> str:
    """The requested language, or the current one."""
    if requested is None:
        return words.spoken()
    if requested not in words.LANGUAGES:
        known = ", ".join(words.LANGUAGES)
        raise OptionError(f"there is no language '{requested}'; choose from {known}")
    return requested


def system_language() -> str:
    """The language of the user by the usual environment variables; the first one set counts."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return words.language_of(next(filter(None, named), ""))


def many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {more}"
