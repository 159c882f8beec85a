"""Where messages come from: the files of this folder, and of other packages. Read on first use."""

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from highvoltage.entrypoints import entry_points

GROUP = "highvoltage.words"
HERE = Path(__file__).parent


@cache
def own(language: str) -> dict[str, Any]:
    """Our messages in a language; those only for the terminal are in a separate folder."""
    return read(HERE, language) | read(HERE / "terminal", language)


@cache
def of_others(language: str) -> dict[str, Any]:
    """The messages of other packages in a language. They cannot override our ids."""
    found: dict[str, Any] = {}
    for entry in sorted(entry_points(GROUP), key=lambda each: each.name):
        try:
            for place in getattr(entry.load(), "__path__", ()):
                found = read(Path(place), language) | found
        except Exception as error:  # noqa: BLE001  # other packages may fail in any way
            warnings.warn(f"The words '{entry.name}' are left out: {error!r}", stacklevel=2)
    return found


def read(folder: Path, language: str) -> dict[str, Any]:
    """The messages of a folder in a language; empty if it has no file for the language."""
    file = folder / f"{language}.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any]) if file.exists() else {}
