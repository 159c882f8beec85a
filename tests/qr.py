"""Reads a QR code as a phone does, without error correction: for tests of the codes we draw.

Only what a link needs: bytes, in codes of one block (versions 2 to 5 at the lowest level).
"""

import re
from collections.abc import Iterator

FORMAT = 0b101010000010010
TIMING = 6
BYTES = 4


def read_qr(path: str, size: int, border: int) -> str:
    """The text in a code that is drawn as a path of unit squares."""
    squares = {(int(x) - border, int(y) - border) for x, y in re.findall(r"M(\d+) (\d+)h1", path)}
    side = size - 2 * border
    assert 25 <= side <= 37, side
    format_bits = 0
    for x in (0, 1, 2, 3, 4, 5, 7, 8):
        format_bits = format_bits << 1 | ((x, 8) in squares)
    mask = (format_bits ^ FORMAT >> 7) >> 3 & 7
    bits = [((x, y) in squares) ^ _is_masked(mask, x, y) for x, y in _data_modules(side)]
    assert _number(bits[:4]) == BYTES
    length = _number(bits[4:12])
    data = bits[12 : 12 + 8 * length]
    return bytes(_number(data[i : i + 8]) for i in range(0, len(data), 8)).decode()


def _is_masked(mask: int, x: int, y: int) -> bool:
    product = y * x % 2 + y * x % 3
    return not (
        (y + x) % 2,
        y % 2,
        x % 3,
        (y + x) % 3,
        (y // 2 + x // 3) % 2,
        product,
        product % 2,
        ((y + x) % 2 + y * x % 3) % 2,
    )[mask]


def _number(bits: list[bool]) -> int:
    return int("".join("01"[bit] for bit in bits), 2)


def _data_modules(side: int) -> Iterator[tuple[int, int]]:
    """The modules that hold data, up and down in columns of two, from the right."""
    up = True
    for right in range(side - 1, 0, -2):
        column = right if right > TIMING else right - 1
        rows = range(side - 1, -1, -1) if up else range(side)
        for y in rows:
            for x in (column, column - 1):
                if not _is_pattern(x, y, side):
                    yield x, y
        up = not up


def _is_pattern(x: int, y: int, side: int) -> bool:
    """Finders with the format next to them, timing, and the single alignment pattern."""
    finder = (x < 9 and y < 9) or (x >= side - 8 and y < 9) or (x < 9 and y >= side - 8)
    mark = side - 7
    return finder or TIMING in {x, y} or (abs(x - mark) <= 2 and abs(y - mark) <= 2)
