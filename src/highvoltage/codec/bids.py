"""Bids in steps: the only place where the code is lossy."""

from bisect import bisect_right
from functools import lru_cache

from highvoltage.codec.spec import CodecError

STEPS = (0, 1, 2, 4, 7, 12, 20, 33)
"""Amounts above the lowest possible bid, so that a raise is by 1, 2, 3, 5, 8, 13, 21 or 34."""

BIDS = len(STEPS) + 1
"""The steps, and last the highest possible bid, unless a step equals it."""


@lru_cache(maxsize=1024)
def bids_mask(width: int) -> bytes:
    """Which bids of the table exist when the highest is `width` above the lowest.

    >>> list(bids_mask(0)), list(bids_mask(3)), list(bids_mask(4))
    ([1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0, 0])
    """
    return bytes([*(step <= width for step in STEPS), width not in STEPS])


def bid_index(bid: int, lowest: int, highest: int) -> int:
    """The index of a bid, or of the nearest lower one in the table.

    >>> bid_index(13, 10, 60), bid_index(59, 10, 60), bid_index(60, 10, 60)
    (2, 7, 8)
    """
    if bid == highest and highest - lowest not in STEPS:
        return len(STEPS)
    return bisect_right(STEPS, bid - lowest) - 1


def bid_amount(index: int, lowest: int, highest: int) -> int:
    """The bid at an index of the table.

    >>> bid_amount(2, 10, 60), bid_amount(8, 10, 60)
    (12, 60)
    """
    if not bids_mask(highest - lowest)[index]:
        raise CodecError(f"bid {index} of the table is not possible from {lowest} to {highest}")
    return highest if index == len(STEPS) else lowest + STEPS[index]
