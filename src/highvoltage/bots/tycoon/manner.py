"""Levels and tempers of the tycoon: how it departs from the move that its network likes best.

At a level below its best it leaves a share of its decisions to the clerk's rules of thumb, as a
person does who does not think everything through; no move is drawn blindly. A temper likes one
kind of move more than the network does.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from highvoltage.bots.tycoon.evaluation import Candidate


class Manner(NamedTuple):
    """How a move is chosen from those that the network considers."""

    clerk: float = 0.0  # the share of decisions that is left to the clerk
    likes: Mapping[str, float] = {}  # by verb: how many times likelier such a move becomes

    def choose(self, candidates: Sequence[Candidate]) -> Candidate:
        """One of the candidates, of which the likeliest comes first."""
        floor = LEAST * candidates[0].probability
        considered = [each for each in candidates if each.probability >= floor]
        return max(
            considered, key=lambda each: each.probability * self.likes.get(each.move.verb, 1)
        )


LEAST = 0.02  # a move less likely than this share of the likeliest is out of the question
FULL = Manner()
MANNERS = {
    "easy": Manner(clerk=0.95),
    "medium": Manner(clerk=0.7),
    "hard": Manner(clerk=0.3),
    "bold": Manner(likes={"bid": 50, "nominate": 50}),
    "hoarder": Manner(likes={"buy": 50}),
    "miser": Manner(likes={"pass": 50}),
    "builder": Manner(likes={"build": 50, "start": 50}),
}
