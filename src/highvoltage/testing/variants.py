"""Moves that resemble legal ones: most of them illegal, all of them well-formed."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, get_origin

import msgspec

from highvoltage.engine.moves import Move

FAR = 9_999
NOWHERE = "nowhere"


class MoveMutator:
    """Collects the moves of a game and varies them: a field changed, or in a later phase."""

    def __init__(self, kinds: Iterable[type[Move]], rng: Random) -> None:
        self._rng = rng
        self._known: dict[type[Move], list[Move]] = {kind: [blank_move(kind)] for kind in kinds}

    def remember(self, moves: Iterable[Move]) -> None:
        """Keep a sample of moves that were legal at some time."""
        for move in moves:
            known = self._known[type(move)]
            if len(known) < 20:
                known.append(move)
            else:
                known[self._rng.randrange(20)] = move

    def sample(self, near: Iterable[Move]) -> Iterator[Move]:
        """For every verb a move and a changed one, and a changed one for each move in `near`."""
        for known in self._known.values():
            move = self._rng.choice(known)
            yield move
            yield self.changed(move)
        for move in near:
            yield self.changed(move)

    def changed(self, move: Move) -> Move:
        fields = msgspec.structs.fields(type(move))
        if not fields:
            return move
        name = self._rng.choice(fields).name
        other = getattr(self._rng.choice(self._known[type(move)]), name)
        return msgspec.structs.replace(move, **{name: self._vary(getattr(move, name), other)})

    def _vary(self, value: Any, other: Any) -> Any:
        """A value of the same type, near this one or near another from the same field."""
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
        if len({*map(type, value)}) > 1:  # a pair of different types, not a list
            return (*value[:at], self._vary(value[at], other[at]), *value[at + 1 :])
        part = self._vary(value[at], pick(other or value))
        fewer = value[:at] + value[at + 1 :]
        return pick([other, fewer, value + value, value[::-1], (*fewer, part), (part, *fewer)])


def blank_move(kind: type[Move]) -> Move:
    """A placeholder move of this kind."""
    values = {int: 1, str: NOWHERE, tuple: (), bool: False}
    return kind(
        **{
            field.name: values.get(get_origin(field.type) or field.type)
            for field in msgspec.structs.fields(kind)
            if field.required
        }
    )
