"""The last round searched to its end: what every move is worth if all play as well as they can.

Each seat takes the move that gives it the largest share of the victory, then the best score: max^n.
Moves that are equally good for it are averaged, because nobody can know which it takes.
"""

from statistics import fmean
from typing import Any, NamedTuple

import highvoltage as hv
from highvoltage.engine.moves import Move
from highvoltage.engine.state import State
from highvoltage.judge.evaluation import Chances

IGNORED = {"rules", "chance", "events", "area", "plants", "reach", "deck", "aside"}
"""Fields that are the same in all positions of one world, or follow from others."""
MAX_DEPTH = 100  # decisions; more of them in one round go in circles
UNORDERED = {"cities"}  # in the order they were connected, which makes no difference


class Worth(NamedTuple):
    """A position's worth to all seats: their shares of the victory, and their scores."""

    shares: tuple[float, ...]
    scores: tuple[tuple[float, ...], ...]


class TooLarge(Exception):
    """The game may go on after this round, or there are too many positions."""


class ExactSearch:
    """Searches one world; positions that are reached in several ways are searched once."""

    def __init__(self, world: hv.Game, most_positions: int) -> None:
        self.rules = world.rules
        self.state: Any = world.state
        self.left = most_positions
        self._round: int = world.state.round
        self._depth = 0
        self._known: dict[Any, Worth] = {}

    def moves(self) -> dict[Move, Chances]:
        """Everybody's share after each legal move; TooLarge if it cannot be searched."""
        return {move: worth.shares for move, worth in self._after_moves(self.state).items()}

    def position(self) -> Chances:
        """Everybody's share if the seat to move does what is best for it."""
        return self._worth(self.state).shares

    def _after_moves(self, s: Any) -> dict[Move, Worth]:
        found = {}
        for move in self.rules.phases[s.phase].legal(s, s.actor):
            after = s.copy()
            self.rules.play(after, s.actor, move)
            found[move] = self._worth(after)
        return found

    def _worth(self, s: Any) -> Worth:
        if s.outcome is not None:
            return final_worth(s)
        if s.round != self._round:
            raise TooLarge
        key = position_key(s)
        if key not in self._known:
            self.left -= 1
            self._depth += 1
            if self.left < 0 or self._depth > MAX_DEPTH:
                raise TooLarge
            self._known[key] = best_for(s.actor, [*self._after_moves(s).values()])
            self._depth -= 1
        return self._known[key]


def final_worth(s: State) -> Worth:
    """The worth of a finished game."""
    over = s.outcome
    assert over is not None
    shares = tuple((seat in over.winners) / len(over.winners) for seat in range(len(over.scores)))
    return Worth(shares, tuple(tuple(map(float, score.values())) for score in over.scores))


def best_for(seat: int, found: list[Worth]) -> Worth:
    """The worth of what a seat would choose: of several equally good for it, the average."""
    best = max((each.shares[seat], each.scores[seat]) for each in found)
    chosen = [each for each in found if (each.shares[seat], each.scores[seat]) == best]
    if len(chosen) == 1:
        return chosen[0]
    shares = tuple(fmean(each) for each in zip(*(one.shares for one in chosen), strict=True))
    scores = tuple(
        tuple(fmean(each) for each in zip(*some, strict=True))
        for some in zip(*(one.scores for one in chosen), strict=True)
    )
    return Worth(shares, scores)


def position_key(value: Any) -> Any:
    """A position as a hashable value, without what cannot matter before the end of the round."""
    if isinstance(value, list | tuple):
        return tuple(map(position_key, value))
    if isinstance(value, dict):
        return tuple(sorted((key, position_key(each)) for key, each in value.items()))
    names = slot_names(type(value))
    if not names:
        return value
    return tuple(
        frozenset(getattr(value, name))
        if name in UNORDERED
        else position_key(getattr(value, name, None))
        for name in names
    )


def slot_names(kind: type) -> tuple[str, ...]:
    """The fields of a class of states; none for a plain value."""
    if kind not in _slot_names:
        found = [name for each in kind.__mro__ for name in each.__dict__.get("__slots__", ())]
        plain = kind.__module__ == "builtins"
        _slot_names[kind] = () if plain else tuple(sorted({*found} - IGNORED))
    return _slot_names[kind]


_slot_names: dict[type, tuple[str, ...]] = {}
