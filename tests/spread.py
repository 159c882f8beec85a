"""What is played in every test run, and what only by `make test-long`."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from highvoltage.testing import Setting

WIDE = ("australia", "europe", "india", "japan", "korea", "south_africa", "manhattan")
"""Boards with parts of observations that only some maps have: between them, all there are."""


def spread(settings: Iterable[Setting], one_in: int = 1) -> list[Any]:
    """Every setting as a parameter, most of them marked `long`.

    The unmarked ones are as many as it takes to cover every number of players, every choice of an
    option with the fewest or the most players that it allows, in turn, each time on the map that
    was used least; and every map, in one of the rulebooks that know it. A test that needs fewer
    takes one in so many of these.
    """
    known = list(settings)
    covering = _chosen(known)
    chosen = {str(each) for each in [each for each in known if str(each) in covering][::one_in]}
    return [
        pytest.param(each, id=str(each), marks=() if str(each) in chosen else pytest.mark.long)
        for each in known
    ]


def sizes(few: int, full: int) -> list[Any]:
    """How many games in every run; and the full number, marked `long`."""
    return [few, pytest.param(full, marks=pytest.mark.long)]


def some(*chosen: Any, of: Iterable[Any]) -> list[Any]:
    """All of them as parameters, those that were not chosen marked `long`."""
    return [
        each
        if each in chosen
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.long)
        for each in of
    ]


def _chosen(known: list[Setting]) -> set[str]:
    pairs: dict[tuple[str, int, str], list[Setting]] = {}
    for each in known:
        pairs.setdefault((each.rulebook, each.players, str(each.options)), []).append(each)
    came: Counter[tuple[str, str | None]] = Counter()
    chosen = set()
    choices = list(dict.fromkeys((book, options) for book, _, options in pairs))
    for (rulebook, players, options), same in pairs.items():
        numbers = [at for book, at, choice in pairs if (book, choice) == (rulebook, options)]
        turn = (min, max)[choices.index((rulebook, options)) % 2]
        if same[0].options and players != turn(numbers):
            continue
        least = min(same, key=lambda each: came[each.rulebook, each.map])
        came[least.rulebook, least.map] += 1
        chosen.add(str(least))
    for each in known:  # the plainest setting of a map comes first, and has all its rules
        if each.map not in {board for _, board in came}:
            came[each.rulebook, each.map] += 1
            chosen.add(str(each))
    return chosen
