"""The engineer: plans the economy until the likely end of the game."""

from random import Random

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.bots.engineer.board import BoardEngineer
from highvoltage.bots.engineer.cards import CardEngineer
from highvoltage.bots.engineer.outpost import OutpostEngineer
from highvoltage.bots.protocol import Needs
from highvoltage.engine.legal import Moves
from highvoltage.views import View, known_view


class Engineer(Clerk):
    """Values what is on offer by what it brings in until the end of the game."""

    level = 3
    needs: Needs = "parts"

    _board: BoardEngineer
    _cards: CardEngineer
    _outpost: OutpostEngineer

    def __init__(self, rng: Random, temper: str = "") -> None:
        super().__init__(rng, temper)
        self._board = BoardEngineer(rng, temper=self.temper)
        self._cards = CardEngineer(rng)
        self._outpost = OutpostEngineer(rng)

    def limit(self, view: View, legal: Moves) -> int:
        """How far the viewer would bid; may be 0 if that is no more than has been bid."""
        known = known_view(view)
        if known is not None and known["family"] == "board":
            return self._board.limit(known, legal)
        return limit_of(self.choose(view, legal))

    def expected_score(self, view: View) -> float:
        """The expected final score of the viewer, in the unit that decides the game."""
        known = known_view(view)
        if known is None:
            return 0.0
        if known["family"] == "board":
            return self._board.expected_score(known)
        if known["family"] == "cardgame":
            return self._cards.expected_score(known)
        return self._outpost.expected_score(known)
