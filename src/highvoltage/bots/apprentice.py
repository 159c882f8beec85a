"""The apprentice: a clerk that hesitates, an opponent for a player's first games."""

from random import Random

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.protocol import Choice, Needs, Reason
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Pass
from highvoltage.views import View

MISS_ONE_IN = 7  # it misses one chance in so many
MISSED_CHANCE_MOVES = (Pass(), Done())


class Apprentice:
    """Follows the clerk's rules of thumb, and misses a chance now and then."""

    level = 1
    needs: Needs = "parts"

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._clerk = Clerk(rng)

    def choose(self, view: View, legal: Moves) -> Choice:
        choice = self._clerk.choose(view, legal)
        if self._rng.randrange(MISS_ONE_IN):
            return choice
        cautious = next((move for move in MISSED_CHANCE_MOVES if move in legal), None)
        return Choice(cautious, Reason("hesitates")) if cautious else choice
