"""A price ladder: tokens are bought from its cheap end and refilled from its expensive end.

So the tokens always fill the most expensive spaces without a gap, and one count describes a market.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


class Ladder:
    """The spaces of one kind, cheapest first; the count of tokens lives in the state.

    >>> uranium = Ladder([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16])
    >>> uranium.price(2), uranium.cost(5, 2)
    (14, 18)
    """

    __slots__ = ("_sums", "prices", "size")

    def __init__(self, prices: Sequence[int]) -> None:
        self.prices: tuple[int, ...] = tuple(prices)
        self.size: int = len(self.prices)
        self._sums = (0, *accumulate(self.prices))

    def price(self, count: int) -> int | None:
        """What the next token costs while `count` are left; None when sold out."""
        return self.prices[self.size - count] if count else None

    def cost(self, count: int, bought: int) -> int:
        """What the next `bought` tokens cost together."""
        first = self.size - count
        return self._sums[first + bought] - self._sums[first]

    def affordable(self, count: int, money: int) -> int:
        """How many of the `count` tokens `money` buys."""
        first = self.size - count
        return bisect_right(self._sums, self._sums[first] + money, first) - first - 1

    def with_discount(self, amount: int) -> "Ladder":
        """The same ladder for somebody who pays `amount` less for each token, never below 0."""
        return Ladder([max(0, price - amount) for price in self.prices])
