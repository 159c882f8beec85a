"""Moves that are near the legal ones: most of them illegal, all of them well formed."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, get_origin

import msgspec

from highvoltage.engine.moves import Move

FAR = 9_999
NOWHERE = "nowhere"


class MoveMutator:
    """Remembers the moves of a game and makes others of them: a field changed, a phase too late."""

    def __init__(self, kinds: Iterable[type[Move]], rng: Random) -> None:
        self._rng = rng
        self._seen: dict[type[Move], list[Move]] = {kind: [blank_move(kind)] for kind in kinds}

    def remember(self, moves: Iterable[Move]) -> None:
        """Keep some of the moves that were legal at some time."""
        for move in moves:
            seen = self._seen[type(move)]
            if len(seen) < 20:
                seen.append(move)
            else:
                seen[self._rng.randrange(20)] = move

    def sample(self, near: Iterable[Move]) -> Iterator[Move]:
        """A move of every verb and a changed one, and a changed one for each of those given."""
        for seen in self._seen.values():
            move = self._rng.choice(seen)
            yield move
            yield self.changed(move)
        for move in near:
            yield self.changed(move)

    def changed(self, move: Move) -> Move:
        fields = msgspec.structs.fields(type(move))
        if not fields:
            return move
        name = self._rng.choice(fields).name
        other = getattr(self._rng.choice(self._seen[type(move)]), name)
        return msgspec.structs.replace(move, **{name: self._vary(getattr(move, name), other)})

    def _vary(self, value: Any, other: Any) -> Any:
        """A value of the same type, near this one or near another that was seen there."""
        pick = self._rng.choice
        if isinstance(value, bool) or not isinstance(value, int | str | tuple):
            return other
        if isinstance(value, int):
            return pick([other, value - 1, value + 1, value + 100, 0, -1, FAR])
        if isinstance(value, str):
            return pick([other, other, value[:-1], NOWHERE])
        if not value:
            return other
        at = self._rng.randrange(len(value))
        if len({*map(type, value)}) > 1:  # a pair of things that differ, not a list of likes
            return (*value[:at], self._vary(value[at], other[at]), *value[at + 1 :])
        part = self._vary(value[at], pick(other or value))
        fewer = value[:at] + value[at + 1 :]
        return pick([other, fewer, value + value, value[::-1], (*fewer, part), (part, *fewer)])


def blank_move(kind: type[Move]) -> Move:
    """A move of this kind that means nothing in particular."""
    values = {int: 1, str: NOWHERE, tuple: (), bool: False}
    return kind(
        **{
            field.name: values.get(get_origin(field.type) or field.type)
            for field in msgspec.structs.fields(kind)
            if field.required
        }
    )
