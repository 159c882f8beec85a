"""What the capacity to supply more cities is worth."""

from collections.abc import Sequence
from typing import NamedTuple

PAYBACK_ROUNDS = 3  # rounds in which a plant should pay for itself
LAST_CITY_WORTH = 8  # what supplying one more city at the end is worth
LEADER_PACE = 2  # cities that the leader connects in a round


class Standing(NamedTuple):
    """The position of a player, and roughly what a city costs in this game."""

    cities: int
    powers: int  # cities that the plants could supply
    leader: int  # cities of the largest network
    end: int
    pays: Sequence[int]  # by cities supplied
    city: int

    def pay(self, cities: int) -> int:
        return self.pays[min(cities, len(self.pays) - 1)]

    @property
    def rounds(self) -> int:
        """Rounds in which a plant has to pay for itself: few, and none after the end."""
        return max(1, min(PAYBACK_ROUNDS, (self.end - self.leader) // LEADER_PACE))

    def worth(self, more: int, cost: int) -> int:
        """What supplying so many more cities brings, at so much more cost each round."""
        powers, both = self.powers, self.powers + more
        growth = 1 + self.pay(self.cities) // (2 * self.city)  # half of the income builds cities
        worth = LAST_CITY_WORTH * (min(self.end, both) - min(self.end, powers))
        for later in range(1, self.rounds + 1):
            cities = min(self.end, self.cities + growth * later)
            gain = self.pay(min(cities, both)) - self.pay(min(cities, powers))
            worth += max(0, gain - cost) if gain > 0 else 0
        return worth
