"""The description of a codec: the heads of the action code and the parts of the observation."""

from math import prod
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move

if TYPE_CHECKING:  # in a browser there is no NumPy
    import numpy as np

VERSION = 1
"""The codec version; it rises when an index or a number changes its meaning."""

Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"
Observation: TypeAlias = "dict[str, np.ndarray[Any, np.dtype[np.float32]]]"
View = dict[str, Any]


class CodecError(HighVoltageError):
    """An index, a view or a version that this codec cannot read."""


class Head(Struct, frozen=True):
    """Indexes `first` to `first + size - 1`: decisions of one kind."""

    name: str
    first: int
    size: int
    meaning: str

    @property
    def end(self) -> int:
        return self.first + self.size


class Part(Struct, frozen=True):
    """A named array of the observation, of float32 between 0 and 1; `columns` is its last axis."""

    name: str
    shape: tuple[int, ...]
    columns: tuple[str, ...]
    meaning: str
    low: float = 0.0
    high: float = 1.0


class Spec(Struct, frozen=True):
    """The action code and the observation for one rulebook, map and number of players."""

    rulebook: str
    map: str | None
    players: int
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]
    some_maps: frozenset[str] = frozenset()
    """Names of the heads and parts that only some maps have, this one among them."""
    version: int = VERSION

    @property
    def num_actions(self) -> int:
        """The number of indexes."""
        return self.heads[-1].end

    @property
    def observation_size(self) -> int:
        """The number of values in an observation, over all parts."""
        return sum(prod(part.shape) for part in self.parts)

    def head(self, name: str) -> Head:
        return next(head for head in self.heads if head.name == name)

    def check_version(self, version: int) -> None:
        """Refuse data made for another version of the codec."""
        check_version(version, self.version)


def check_version(version: int, known: int = VERSION) -> None:
    """Refuse data made for another version of the codec."""
    if version != known:
        raise CodecError(
            f"this was made for version {version} of the codec; this program has version"
            f" {known}: make it anew, or install the program it was made with"
        )


class Codec(Protocol):
    """Converts between a game and numbers, using only what a seat may know."""

    spec: Spec

    def mask(self, view: View, legal: Moves) -> Mask:
        """For every index, whether it is a legal move."""

    def index(self, view: View, move: Move) -> int:
        """The index of a legal move; a bid between two steps has the index of the lower one."""

    def move(self, view: View, index: int) -> Move:
        """The move that an index names."""

    def observe(self, view: View) -> Observation:
        """What the seat may know, part by part, its own rows first."""


def heads(*sizes: tuple[str, int, str]) -> tuple[Head, ...]:
    """Heads with consecutive index ranges."""
    found: list[Head] = []
    for name, size, meaning in sizes:
        found.append(Head(name, found[-1].end if found else 0, size, meaning))
    return tuple(found)


def part(name: str, rows: tuple[int, ...], columns: tuple[str, ...], meaning: str) -> Part:
    return Part(name, (*rows, len(columns)), columns, meaning)


def seat_to_move(view: View) -> int:
    """The seat of the view, which must be the seat to move; else CodecError."""
    seat = view["seat"]
    if seat is None or seat != view["to_move"]:
        whose = "a spectator" if seat is None else f"seat {seat}"
        raise CodecError(
            f"this is the view of {whose}, and seat {view['to_move']} is to move;"
            " take the view of the seat to move, anew for every decision"
        )
    assert isinstance(seat, int)
    return seat
