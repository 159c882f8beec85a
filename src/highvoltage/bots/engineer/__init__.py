"""The engineer: plans the economy until the likely end of the game."""

from random import Random

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.bots.engineer.board import BoardEngineer
from highvoltage.bots.engineer.cards import CardEngineer
from highvoltage.bots.engineer.outpost import OutpostEngineer
from highvoltage.engine.moves import Moves
from highvoltage.views import View, known_view


class Engineer(Clerk):
    """Values what is on offer by what it brings until the end of the game."""

    level = 3

    _board: BoardEngineer
    _cards: CardEngineer
    _outpost: OutpostEngineer

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._board = BoardEngineer(rng)
        self._cards = CardEngineer(rng)
        self._outpost = OutpostEngineer(rng)

    def limit(self, view: View, legal: Moves) -> int:
        """How far the viewer would bid; 0 will do if that is no more than has been bid."""
        seen = known_view(view)
        if seen is not None and seen["family"] == "board":
            return self._board.limit(seen, legal)
        return limit_of(self.choose(view, legal))

    def expected_score(self, view: View) -> float:
        """What the viewer's company comes to by the end, in the unit that decides the game."""
        seen = known_view(view)
        if seen is None:
            return 0.0
        if seen["family"] == "board":
            return self._board.expected_score(seen)
        if seen["family"] == "cardgame":
            return self._cards.expected_score(seen)
        return self._outpost.expected_score(seen)
