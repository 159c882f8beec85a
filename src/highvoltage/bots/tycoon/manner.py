"""Levels and tempers of the tycoon: how it departs from the move that its network likes best.

At a level below its best it draws among the moves that its network considers, so that it plays its
second thoughts; a move that the network thinks little of is never drawn. A temper likes one kind of
move more than the network does.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from highvoltage.bots.tycoon.evaluation import Candidate


class Manner(NamedTuple):
    """How a move is chosen from those that the network considers."""

    temperature: float = 0.0  # 0 takes the likeliest move, 1 draws as the network would, more evens
    least: float = 0.1  # moves less likely than this share of the likeliest are out of the question
    likes: Mapping[str, float] = {}  # by verb: how many times likelier such a move becomes

    def choose(self, candidates: Sequence[Candidate], rng: Random) -> Candidate:
        """One of the candidates, of which the likeliest comes first."""
        floor = self.least * candidates[0].probability
        considered = [each for each in candidates if each.probability >= floor]
        wishes = [each.probability * self.likes.get(each.move.verb, 1) for each in considered]
        if not self.temperature:
            return considered[wishes.index(max(wishes))]
        weights = [(wish / max(wishes)) ** (1 / self.temperature) for wish in wishes]
        return rng.choices(considered, weights)[0]


FULL = Manner()
MANNERS = {
    "easy": Manner(temperature=8, least=0.01),
    "medium": Manner(temperature=4, least=0.02),
    "hard": Manner(temperature=1.5, least=0.05),
    "bold": Manner(likes={"bid": 8, "nominate": 8}),
    "hoarder": Manner(likes={"buy": 8}),
    "miser": Manner(likes={"pass": 8}),
    "builder": Manner(likes={"build": 8, "start": 8}),
}
