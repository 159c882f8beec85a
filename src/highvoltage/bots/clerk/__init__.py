"""The clerk: a short, sensible player who can account for every move."""

from random import Random
from typing import Any

from highvoltage.bots.clerk.board import BoardClerk
from highvoltage.bots.clerk.cards import CardClerk
from highvoltage.bots.clerk.outpost import OutpostClerk
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.moves import Moves


class Clerk:
    """Reckons what a plant, a token or a city brings in, and buys what pays.

    There is one clerk for each family of games; the view shows which of them it is.
    """

    def __init__(self, rng: Random) -> None:
        self._board = BoardClerk(rng)
        self._cards = CardClerk(rng)
        self._outpost = OutpostClerk(rng)

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        return self._clerk(view).choose(view, legal)

    def _clerk(self, view: dict[str, Any]) -> BoardClerk | CardClerk | OutpostClerk:
        if "labour" in view:
            return self._outpost
        return self._board if "connect" in view else self._cards
