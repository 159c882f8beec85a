"""What the observations of all games share, as arrays."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import prod
from operator import itemgetter
from struct import Struct
from typing import Any, Generic, TypeVar

import numpy as np

from highvoltage.codec.rows import SEATS, Numbers, Row, SeatColumns, factors
from highvoltage.codec.spec import Array, Observation, View
from highvoltage.games.view import LazyView

CACHE_SIZE = 512

Places = np.ndarray[Any, np.dtype[np.int64]]
T = TypeVar("T")


def scale(columns: Sequence[str], **by: float) -> Array:
    """The factor for each column, by default 1."""
    return np.array(factors(columns, **by), np.float32)


def one_of(size: int) -> list[list[int]]:
    """Columns of which one is 1, for each place; in the last all are 0."""
    return [[int(place == i) for i in range(size)] for place in range(size + 1)]


PLAYER_COUNT = {count: one_of(5)[count - 2] for count in range(2, SEATS + 1)}
STEP = {step: one_of(3)[step - 1] for step in (1, 2, 3)}


@cache
def player_order(seat: int, players: int) -> Places:
    """A permutation of player rows, from seat order to viewer first."""
    return np.array([*range(seat, players), *range(seat), *range(players, SEATS)])


def mark_seats(view: View, row: Mapping[int, int], columns: SeatColumns, found: Numbers) -> None:
    """Mark the turn order, the auction and who is to move; `row` is where that of a seat begins."""
    auction, order = view["auction"], view["order"]
    place, may_buy, bids, leads, to_move = columns
    for seat in order:
        found[row[seat] + place] = 1
        place += 1
    for seat in auction["eligible"]:
        found[row[seat] + may_buy] = 1
    for seat in auction["bidders"]:
        found[row[seat] + bids] = 1
    if auction["leader"] in order:
        found[row[auction["leader"]] + leads] = 1
    if view["to_move"] is not None:
        found[row[view["to_move"]] + to_move] = 1


class RowPacker:
    """Writes rows of counts as float32 between 0 and 1; most columns need no factor."""

    def __init__(self, factors: Row) -> None:
        self._struct = Struct(f"{len(factors)}f")
        self._all = factors
        self._factors = [(at, factor) for at, factor in enumerate(factors) if factor != 1]

    @classmethod
    def of(cls, columns: Sequence[str], **by: float) -> "RowPacker":
        """The counts in some columns are divided by a number."""
        return cls(factors(columns, **by))

    def pack(self, row: Row) -> bytes:
        for at, factor in self._factors:
            value = row[at] * factor
            row[at] = value if value < 1 else 1  # noqa: FURB136  # faster than `min`
        return self._struct.pack(*row)

    def factor(self, column: int) -> float:
        return self._all[column]

    def mark(self, found: Numbers, counts: Iterable[tuple[int, int]]) -> None:
        """Write some counts, each with its column, into a row at the beginning of `found`."""
        for at, count in counts:
            value = count * self._all[at]
            found[at] = value if value < 1 else 1  # noqa: FURB136  # faster than `min`


class Layout:
    """The parts of an observation in one piece of memory, which is cheaper than one for each."""

    def __init__(self, parts: Iterable[tuple[str, tuple[int, ...]]]) -> None:
        shapes = dict(parts)
        self._type = np.dtype([(name, np.float32, shape) for name, shape in shapes.items()])
        self._names: tuple[str, ...] = tuple(shapes)
        starts = accumulate(map(prod, shapes.values()), initial=0)
        self.first: dict[str, int] = dict(zip(shapes, starts, strict=False))
        """Where each part begins, in numbers."""

    def split(self, memory: bytearray) -> Observation:
        """The named arrays in a piece of memory."""
        whole = np.ndarray((), self._type, memory)
        return {name: whole[name] for name in self._names}


class PlantTable:
    """The rows of cards; each is computed once, as a card never changes."""

    def __init__(
        self,
        row: Callable[[dict[str, Any]], Row],
        scale: Array,
        key: Callable[[dict[str, Any]], Any] = itemgetter("card"),
    ) -> None:
        self._row = row
        self._scale = scale
        self._key = key  # differs between any two different cards
        self._at: dict[Any, int] = {}
        self._rows: Array = np.zeros((0, len(scale)), np.float32)

    def of(self, cards: list[dict[str, Any]]) -> Array:
        try:
            at = [self._at[self._key(card)] for card in cards]
        except KeyError:
            for card in cards:
                if self._key(card) not in self._at:
                    self._at[self._key(card)] = len(self._at)
                    row = np.minimum(1, np.array([self._row(card)], np.float32) * self._scale)
                    self._rows = np.concatenate([self._rows, row])
            return self.of(cards)
        return self._rows[at]


class PartCache(Generic[T]):
    """What was computed from a view, by the values and the parts of the view that it depends on.

    The parts of a lazy view are shared as long as they stay the same, so they are recognised by
    their identity; they are kept, so that no other part can have it. A plain view has its own
    parts, which its owner may change, so they are recognised by their `content`, if at all.
    """

    def __init__(self, make: Callable[..., T], content: Callable[..., Any] | None = None) -> None:
        self._make = make
        self._content = content
        self._known: dict[Any, tuple[object, T]] = {}

    def of(self, view: View, values: tuple[Any, ...], *parts: Any) -> T:
        if isinstance(view, LazyView):
            key = (values, *map(id, parts))
        elif self._content:
            key = (values, self._content(*parts))
        else:
            return self._make(view, *parts)
        found = self._known.get(key)
        if found is None:
            found = self._keep(key, parts, self._make(view, *parts))
        return found[1]

    def each(self, view: View, parts: list[Any]) -> list[T]:
        """What was computed from each of some parts that depend on nothing else."""
        if not isinstance(view, LazyView):
            return [self._make(view, part) for part in parts]
        known = self._known
        return [
            (known.get(id(part)) or self._keep(id(part), part, self._make(view, part)))[1]
            for part in parts
        ]

    def _keep(self, key: object, parts: object, made: T) -> tuple[object, T]:
        if len(self._known) >= CACHE_SIZE:
            self._known.clear()
        found = self._known[key] = parts, made
        return found
