"""Rate limits: token buckets."""

from collections import OrderedDict
from time import monotonic

MAX_VISITORS = 10_000


class RateLimit:
    """So many per second, and a burst of some more at once."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = monotonic()

    def exceeded(self) -> bool:
        """Take one; True if there was none left."""
        self._refill()
        if self._left < 1:
            return True
        self._left -= 1
        return False

    def spend(self, amount: float) -> None:
        """Take what has been used, even if less was left; at most a burst is owed."""
        self._left -= amount

    def retry_after(self, amount: float = 0) -> float:
        """Seconds until so much is left; by default, until nothing is owed any more.

        >>> limit = RateLimit(rate=2, burst=3)
        >>> limit.retry_after(), limit.spend(5), round(limit.retry_after(), 1)
        (0.0, None, 1.0)
        """
        self._refill()
        return (amount - self._left) / self._rate if self._left < amount else 0.0

    def _refill(self) -> None:
        now = monotonic()
        left = max(self._left, -self._burst) + (now - self._at) * self._rate
        self._left = min(self._burst, left)
        self._at = now


class RateLimits:
    """A rate limit for each name, such as an address; the least recently used are forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._known: OrderedDict[str, RateLimit] = OrderedDict()

    def of(self, name: str) -> RateLimit:
        """The limit of a name."""
        limit = self._known.setdefault(name, RateLimit(self._rate, self._burst))
        self._known.move_to_end(name)
        if len(self._known) > MAX_VISITORS:
            self._known.popitem(last=False)
        return limit

    def exceeded(self, name: str) -> bool:
        """Take one from the limit of a name; True if there was none left.

        >>> logins = RateLimits(rate=0.1, burst=2)
        >>> [logins.exceeded(name) for name in ("ann", "ann", "ann", "bob")]
        [False, False, True, False]
        """
        return self.of(name).exceeded()
