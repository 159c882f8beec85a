"""The bot that plays at random: the baseline for every other."""

from random import Random

from highvoltage.bots.protocol import Choice, Needs, Reason
from highvoltage.engine.legal import Moves
from highvoltage.views import View


class RandomBot:
    """Any move, each as likely as the next; of all bids only the lowest counts as a move."""

    needs: Needs = "nothing"
    level = 0

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View, legal: Moves) -> Choice:
        return random_choice(legal, self._rng)


def random_choice(legal: Moves, rng: Random) -> Choice:
    moves = len(legal.plain) + len(legal.spans)
    return Choice(legal.random(rng), Reason("random", {"moves": moves}))
