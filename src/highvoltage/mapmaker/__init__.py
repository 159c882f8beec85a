"""Maps that nobody has printed: drawn by a seed, and judged by the games that bots play on them."""

from highvoltage.mapmaker.generator import GENERATOR_VERSION, make_map

__all__ = ["GENERATOR_VERSION", "make_map"]
