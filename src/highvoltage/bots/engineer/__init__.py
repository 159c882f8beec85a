"""The engineer: plans the economy until the likely end of the game."""

from random import Random
from typing import Any

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.engineer.board import BoardEngineer
from highvoltage.bots.engineer.cards import CardEngineer
from highvoltage.bots.engineer.outpost import OutpostEngineer


class Engineer(Clerk):
    """Values what is on offer by what it brings until the end of the game."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._board = BoardEngineer(rng)
        self._cards = CardEngineer(rng)
        self._outpost = OutpostEngineer(rng)

    def promise(self, view: dict[str, Any]) -> float:
        """What the viewer's company comes to by the end, in the unit that decides the game."""
        return self._engineer(view).promise(view)

    def _engineer(self, view: dict[str, Any]) -> BoardEngineer | CardEngineer | OutpostEngineer:
        found = self._clerk(view)
        assert isinstance(found, BoardEngineer | CardEngineer | OutpostEngineer)
        return found
