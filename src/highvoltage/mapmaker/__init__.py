"""Maps that nobody has printed: drawn by a seed, and judged by the games that bots play on them."""

from typing import Any

import msgspec

from highvoltage.mapmaker.generator import GENERATOR_VERSION, make_map

__all__ = ["GENERATOR_VERSION", "RANDOM", "make_map", "random_map"]

RANDOM = "random"
"""In place of the name of a map: a new one for this game."""


def random_map(seed: str) -> dict[str, Any]:
    """The content of a map of the usual size, which nobody has judged.

    >>> random_map("1")["edition"]
    'made by generator 1 from seed 1'
    """
    made: dict[str, Any] = msgspec.to_builtins(make_map(seed), str_keys=True)
    return made
