"""The entry points that installed packages register for us.

They are what `importlib.metadata` finds in the folders on the path. It is not used because loading
it takes longer than setting up a game; nor are `dataclasses` and `pkgutil`, for the same reason.
"""

import os
import sys
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any

from msgspec import Struct

GROUPS = "[highvoltage."
"""How the groups begin that concern us."""


def resolve(name: str) -> Any:
    """The object `package.module:object`, or the module if that is all there is.

    >>> resolve("highvoltage.words:LANGUAGES.index")("en"), resolve("highvoltage.words").ENGLISH
    (0, 'en')
    """
    module, _, inner = name.partition(":")
    loaded = import_module(module)
    return attrgetter(inner)(loaded) if inner else loaded


class EntryPoint(Struct, frozen=True):
    """An object that a package provides: `name = package.module:object`."""

    group: str
    name: str
    value: str
    package: str

    def load(self) -> Any:
        return resolve(self.value)


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
        for name in _descriptions(folder or "."):
            package = name.partition("-")[0]
            if package not in packages:  # the first on the path is the one that is imported
                packages[package] = _read(f"{folder or '.'}/{name}/entry_points.txt", package)
    return tuple(each for found in packages.values() for each in found)


def _descriptions(folder: str) -> list[str]:
    """The folders in which an installer describes the packages of a folder, by name."""
    try:
        return [name for name in os.listdir(folder) if name.endswith(".dist-info")]  # noqa: PTH208  # faster
    except OSError:  # a zip file, or nothing
        return []


def _read(file: str, package: str) -> list[EntryPoint]:
    try:
        with open(file, "rb") as opened:  # noqa: PTH123  # faster: there are hundreds of them
            text = opened.read().decode()
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
