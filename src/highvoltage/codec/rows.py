"""What the observations of all games share, as plain numbers."""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from highvoltage.codec.spec import CodecError, View

SEATS = 6
ORDER = [[int(place == i) for i in range(SEATS)] for place in range(SEATS)]
"""The columns for each place in the turn order."""

Row = list[float]
Numbers: TypeAlias = "memoryview[float]"


def numbers(memory: bytearray) -> Numbers:
    """A piece of memory as numbers; writing one here is faster than in an array."""
    return memoryview(memory).cast("f")


def rounded(number: float) -> float:
    """A number as an observation holds it: with the precision of float32."""
    return array("f", [number])[0]


class SeatColumns(NamedTuple):
    """Where the row of a seat tells the turn order, the auction and who is to move."""

    place: int
    may_buy: int
    bids: int
    leads: int
    to_move: int

    @classmethod
    def of(cls, columns: Sequence[str]) -> "SeatColumns":
        names = ("order_0", "may_buy", "bids", "leads", "to_move")
        return cls(*map(columns.index, names))


def factors(columns: Sequence[str], **by: float) -> Row:
    """The factor for each column, by default 1, with the precision of float32."""
    return [rounded(1 / by.get(name, 1)) for name in columns]


def clockwise(view: View) -> list[dict[str, Any]]:
    """The players, the viewer first."""
    seat, players = view["seat"], view["players"]
    if seat is None:
        raise CodecError("a spectator has no observation: take the view of a seat")
    return [*players[seat:], *players[:seat]]


def demolition(view: View) -> Row:
    stack = view.get("demolition")
    if stack is None:
        return [0, 0, 0, 0]
    return [1, *stack["stack"][0], stack["paid"]]
