"""What the observations of all games share."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from highvoltage.codec.spec import Array, CodecError, View

SEATS = 6
ORDER = [[int(place == i) for i in range(SEATS)] for place in range(SEATS)]
"""The columns for each place in the turn order."""

Row = list[float]


def scale(columns: Sequence[str], **by: float) -> Array:
    """The factor for each column, by default 1."""
    found: Array = np.array([1 / by.get(name, 1) for name in columns], np.float32)
    return found


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
