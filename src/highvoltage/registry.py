"""Rulebooks, maps and bots, from this package and from others.

A package registers what it provides in its entry points, in three groups:

    [project.entry-points."highvoltage.rulebooks"]
    classic = "highvoltage.games.classic:EDITION"

    [project.entry-points."highvoltage.maps"]
    highvoltage = "highvoltage.maps"

    [project.entry-points."highvoltage.bots"]
    clerk = "highvoltage.bots.clerk:Clerk"

They are read on first use. An entry of another package that fails to load is skipped with a
warning; one of ours raises an error.
"""

from functools import cache
from typing import Any

from highvoltage.engine.errors import HighVoltageError
from highvoltage.entrypoints import EntryPoint, entry_points

OWN_PACKAGE = "highvoltage"
RULEBOOKS = "highvoltage.rulebooks"
MAPS = "highvoltage.maps"
BOTS = "highvoltage.bots"


class RegistryError(HighVoltageError):
    """A registered entry that cannot be used."""


class RegistryWarning(UserWarning):
    """A rulebook, map or bot of another package that cannot be used."""


def warn_skipped(what: str, why: object) -> None:
    import warnings  # noqa: PLC0415  # seldom needed

    warnings.warn(f"{what} is left out: {why}", RegistryWarning, stacklevel=3)


def is_ours(entry: EntryPoint) -> bool:
    return entry.package == OWN_PACKAGE


@cache
def entries(group: str) -> dict[str, EntryPoint]:
    """What is registered in a group, ours first; nothing is loaded.

    >>> "classic" in entries(RULEBOOKS)
    True
    """
    found = entry_points(group)
    if not any(map(is_ours, found)):
        raise RegistryError(
            "highvoltage is not installed as it is here: run make setup, or pip install it again."
        )
    named: dict[str, EntryPoint] = {}
    for entry in sorted(found, key=lambda each: (not is_ours(each), each.name)):
        if entry.name in named:
            warn_skipped(_describe(entry), f"{named[entry.name].package} has one of this name.")
        else:
            named[entry.name] = entry
    return named


def load(group: str, name: str) -> Any:
    """An entry by its name; RegistryError if it cannot be loaded, KeyError if there is none."""
    return _load(entries(group)[name])


def loaded(group: str) -> dict[str, Any]:
    """Everything in a group that can be loaded."""
    return {
        name: _load(entry)
        for name, entry in entries(group).items()
        if name not in _unloadable(group)
    }


@cache
def _unloadable(group: str) -> frozenset[str]:
    """The names in a group that cannot be loaded; warns once about each."""
    bad = set()
    for name, entry in entries(group).items():
        try:
            _load(entry)
        except RegistryError as error:
            warn_skipped(_describe(entry), error)
            bad.add(name)
    return frozenset(bad)


@cache
def _load(entry: EntryPoint) -> Any:
    if is_ours(entry):
        return entry.load()
    try:
        return entry.load()
    except Exception as error:
        raise RegistryError(f"{entry.value} cannot be loaded: {error!r}") from error


def _describe(entry: EntryPoint) -> str:
    kind = entry.group.rpartition(".")[2].removesuffix("s")
    return f"The {kind} '{entry.name}' of {entry.package}"
