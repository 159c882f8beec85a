"""What observations of all games have in common, computed from the view by docs/machines.md."""

from typing import Any

import numpy as np

View = dict[str, Any]


def one_of(wanted: object, *known: object) -> list[float]:
    return [float(wanted == each) for each in known]


def in_turn(view: View) -> list[View]:
    """The players from the viewer on, clockwise."""
    count, seat = len(view["players"]), view["seat"]
    return [view["players"][(seat + at) % count] for at in range(count)]


def to_bid_above(view: View, means: int) -> list[float]:
    """The standing bid, and how much more there is."""
    bid = view["auction"]["bid"] if view["auction"]["card"] else 0
    return [bid, max(0, means - bid)]


def in_the_auction(view: View, seat: int) -> list[float]:
    auction = view["auction"]
    return [
        float(seat in auction["eligible"]),
        float(seat in auction["bidders"]),
        float(seat == auction["leader"]),
        float(seat == view["to_move"]),
    ]


def differences(part: str, found: Any, expected: Any, columns: tuple[str, ...]) -> list[str]:
    """Where they differ; rows that are not given must be 0."""
    whole = np.zeros_like(found)
    for at, row in enumerate(expected):
        if np.ndim(found) == 1:
            whole[at] = row
        elif row:
            whole[at][: len(row)] = row
    wrong = np.argwhere(~np.isclose(found, np.minimum(whole, 1), atol=1e-6))
    return [f"{part} {at.tolist()}: {columns[at[-1]]} {found[tuple(at)]}" for at in wrong]
