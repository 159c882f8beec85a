"""How often somebody may ask."""

from time import monotonic

KNOWN_VISITORS = 10_000


class Bucket:
    """So much per second, and a little more at once."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = monotonic()

    def empty(self) -> bool:
        """Take one; True if there was none left."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return True
        self._left -= 1
        return False
