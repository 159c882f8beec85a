"""A bot that is seldom idle."""

from random import Random
from typing import Any

from highvoltage.bots import Choice, Reason
from highvoltage.engine.legal import Moves


class Busy:
    """Never outbids anybody, and seldom ends a turn while there is anything to do."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng  # the only source of chance a bot may use
        self.decisions = 0

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        self.decisions += 1
        moves = [move for move in legal.choices if move.verb != "bid"]
        busy = [move for move in moves if move.verb not in {"pass", "done"}]
        if busy and self.rng.random() < 0.9:
            moves = busy
        return Choice(self.rng.choice(moves), Reason("keeps_busy", {"decisions": self.decisions}))
