"""The entry points that installed packages register for us.

They are what `importlib.metadata` finds in the folders on the path. It is not used because loading
it takes longer than setting up a game.
"""

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

GROUPS = "[highvoltage."
"""How the groups begin that concern us."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An object that a package provides: `name = package.module:object`."""

    group: str
    name: str
    value: str
    package: str

    def load(self) -> Any:
        return resolve_name(self.value)


def entry_points(group: str) -> list[EntryPoint]:
    """What installed packages register in a group, in the order of the path.

    >>> [each.name for each in entry_points("highvoltage.maps") if each.package == "highvoltage"]
    ['highvoltage']
    """
    return [each for each in _installed(tuple(sys.path)) if each.group == group]


@cache
def _installed(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    packages: dict[str, list[EntryPoint]] = {}
    for folder in path:
        for place in _descriptions(folder or "."):
            package = place.name.partition("-")[0]
            if package not in packages:  # the first on the path is the one that is imported
                packages[package] = _read(place, package)
    return tuple(each for found in packages.values() for each in found)


def _descriptions(folder: str) -> list[Path]:
    """The folders in which an installer describes the packages of a folder."""
    try:
        with os.scandir(folder) as places:
            return [Path(each.path) for each in places if each.name.endswith(".dist-info")]
    except OSError:  # a zip file, or nothing
        return []


def _read(place: Path, package: str) -> list[EntryPoint]:
    try:
        text = (place / "entry_points.txt").read_text("utf-8")
    except (OSError, UnicodeDecodeError):  # most packages register nothing
        return []
    if GROUPS not in text:
        return []
    found, group = [], ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            found.append(EntryPoint(group, name.strip(), value.partition("[")[0].strip(), package))
    return found
