"""What learners observe in known games, part by part as checksums: they may not change unseen.

What the columns mean is tested in tests/codec; here a version of the codec keeps its word.
"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from golden.known import FURTHER, GOLDEN, decisions, write
from golden.playthrough import FOLDER
from highvoltage import codec

OBSERVATIONS = FOLDER / "observations"
NAMES = [*GOLDEN, *FURTHER]
EVERY = 16


def observations(name: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(name))


def lines_of(name: str) -> Iterator[str]:
    for move, game in decisions(name, EVERY):
        view = game.view(game.to_move)
        parts = {**codec.observe(view), "mask": codec.mask(view, game.legal_moves)}
        sums = [
            f"{part}={crc32(np.ascontiguousarray(part_of).tobytes()):08x}"
            for part, part_of in parts.items()
        ]
        yield f"{move} {' '.join(sums)}"


if __name__ == "__main__":
    for name in NAMES:
        write(OBSERVATIONS, name, observations(name))
