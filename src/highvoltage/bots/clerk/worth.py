"""What it is worth to be able to supply more cities."""

from collections.abc import Sequence
from typing import NamedTuple

PAYBACK_ROUNDS = 3  # rounds in which a plant should pay for itself
LAST_CITY_WORTH = 8  # what supplying one more city at the end is worth
LEADER_PACE = 2  # cities that the leader connects in a round


class Standing(NamedTuple):
    """Where a player stands, and what a city costs in this game, roughly."""

    cities: int
    powers: int  # cities that the plants could supply
    leader: int  # most cities of anybody
    end: int
    pays: Sequence[int]  # by cities supplied
    city: int

    def pay(self, cities: int) -> int:
        return self.pays[min(cities, len(self.pays) - 1)]

    @property
    def rounds(self) -> int:
        """In how many rounds a plant has to pay for itself: not many, and not after the end."""
        return max(1, min(PAYBACK_ROUNDS, (self.end - self.leader) // LEADER_PACE))

    def worth(self, more: int, cost: int) -> int:
        """What it brings to supply so many more, at so much more each round."""
        powers, both = self.powers, self.powers + more
        growth = 1 + self.pay(self.cities) // (2 * self.city)  # half of the income builds cities
        worth = LAST_CITY_WORTH * (min(self.end, both) - min(self.end, powers))
        for later in range(1, self.rounds + 1):
            cities = min(self.end, self.cities + growth * later)
            gain = self.pay(min(cities, both)) - self.pay(min(cities, powers))
            worth += max(0, gain - cost) if gain > 0 else 0
        return worth
