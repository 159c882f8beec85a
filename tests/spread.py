"""Settings for every run of the tests, and those that wait for `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest

from highvoltage.games import meta
from highvoltage.testing import Setting


def spread(settings: Iterable[Setting]) -> list[Any]:
    """Every setting as a parameter: all on the first map of a rulebook, one on each other map.

    The others are marked `long`. Which one comes on a map changes from map to map, so that every
    number of players comes somewhere.
    """
    known = list(settings)
    boards = {(each.rulebook, each.map) for each in known}
    chosen = {_first(known, *board) for board in boards}
    return [
        pytest.param(
            each,
            id=str(each),
            marks=() if _on_first_map(each) or str(each) in chosen else pytest.mark.long,
        )
        for each in known
    ]


def _on_first_map(setting: Setting) -> bool:
    return setting.map is None or setting.map == next(iter(meta(setting.rulebook).maps))


def _first(settings: list[Setting], rulebook: str, map_: str | None) -> str:
    here = [each for each in settings if (each.rulebook, each.map) == (rulebook, map_)]
    maps = [None, *meta(rulebook).maps]
    return str(here[7 * maps.index(map_) % len(here)])
