"""The bot that draws lots: the measure of every other."""

from random import Random
from typing import Any

from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.moves import Moves


class RandomBot:
    """Any move, each as likely as the next; whoever bids, bids as little as possible."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        choices = legal.choices
        return Choice(self._rng.choice(choices), Reason("random", {"moves": len(choices)}))
