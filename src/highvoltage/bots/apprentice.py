"""The apprentice: a clerk who hesitates, for those who play their first games."""

from random import Random

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.moves import Done, Moves, Pass
from highvoltage.views import View

MISS_ONE_IN = 7  # it lets one of so many pass by
MISSED_CHANCE_MOVES = (Pass(), Done())


class Apprentice:
    """Goes by the clerk's rules of thumb, and lets a chance pass by now and then."""

    level = 1

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._clerk = Clerk(rng)

    def choose(self, view: View, legal: Moves) -> Choice:
        choice = self._clerk.choose(view, legal)
        if self._rng.randrange(MISS_ONE_IN):
            return choice
        cautious = next((move for move in MISSED_CHANCE_MOVES if move in legal), None)
        return Choice(cautious, Reason("hesitates")) if cautious else choice
