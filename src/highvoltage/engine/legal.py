"""The legal moves of a position: a sequence that stores long runs of bids as spans."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from highvoltage.engine.moves import Move, Span

if TYPE_CHECKING:
    from random import Random


class Moves:
    """The legal moves of a position.

    >>> from random import Random
    >>> from highvoltage.engine.moves import Bid, Pass
    >>> moves = Moves([Pass()], [Span(Bid(15), 20)])
    >>> len(moves), Bid(20) in moves, Bid(21) in moves
    (7, True, False)
    >>> [str(move) for move in moves.choices]
    ['pass', 'bid 15']
    >>> str(moves.nth(6)), str(moves.random(Random(1)))
    ('bid 20', 'pass')

    Neither builds a list. `plain` holds moves that were made before the game, so that listing them
    costs no more than counting them.
    """

    __slots__ = ("plain", "spans")

    def __init__(self, plain: Sequence[Move], spans: Sequence[Span] = ()) -> None:
        self.plain: tuple[Move, ...] = tuple(plain)
        self.spans: tuple[Span, ...] = tuple(spans)

    @property
    def choices(self) -> tuple[Move, ...]:
        """The legal moves with every bid at its lowest: the distinct choices, ignoring prices."""
        if not self.spans:
            return self.plain
        return (*self.plain, *[span.lowest for span in self.spans])

    def nth(self, index: int) -> Move:
        """The move at an index."""
        plain = self.plain
        if 0 <= index < len(plain):
            return plain[index]
        at = index + len(self) if index < 0 else index
        if 0 <= at < len(plain):
            return plain[at]
        at -= len(plain)
        for span in self.spans:
            if 0 <= at < len(span):
                return span.lowest.at(span.lowest.bid + at)
            at -= len(span)
        raise IndexError(index)

    def random(self, rng: "Random") -> Move:
        """One of the choices, each as likely as the next: the same as `rng.choice(choices)`."""
        count = len(self.plain)
        at = rng.randrange(count + len(self.spans))
        return self.plain[at] if at < count else self.spans[at - count].lowest

    def index(self, move: object) -> int:
        """The first place of a move; ValueError if it is not legal."""
        for at, each in enumerate(self):
            if each == move:
                return at
        raise ValueError(f"{move} is not one of the legal moves")

    def count(self, move: object) -> int:
        """How often a move is listed: once or not at all."""
        return int(move in self)

    def __len__(self) -> int:
        return len(self.plain) + sum([len(span) for span in self.spans])

    def __iter__(self) -> Iterator[Move]:
        yield from self.plain
        for span in self.spans:
            yield from map(span.lowest.at, range(span.lowest.bid, span.high + 1))

    def __contains__(self, move: object) -> bool:
        return move in self.plain or any(move in span for span in self.spans)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return list(self)[index]
        return self.nth(index)

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {', '.join(map(str, self.choices[:8]))}…>"


Sequence.register(Moves)
