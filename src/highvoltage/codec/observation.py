"""What the observations of all games share, as arrays."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from highvoltage.codec.rows import Row, factors
from highvoltage.codec.spec import Array


def scale(columns: Sequence[str], **by: float) -> Array:
    """The factor for each column, by default 1."""
    return np.array(factors(columns, **by), np.float32)


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
