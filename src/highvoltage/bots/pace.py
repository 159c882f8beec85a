"""The pace of a bot where money is hidden: the time it takes must not tell what it has."""

from highvoltage import bots
from highvoltage.bots.director import read_budget
from highvoltage.bots.protocol import BotError

MARGIN_SECONDS = 0.3
"""For all that a bot does besides searching, and for the way there and back."""
MAX_SECONDS = 10.0
PLAYOUTS_PER_SECOND = 100  # that count as one second of budget


def pace_of(name: str) -> float:
    """The seconds after which a bot answers: its budget and a margin, whatever it has to decide.

    >>> pace_of("clerk"), pace_of("director"), pace_of("director:2s"), pace_of("director:200")
    (0.3, 0.8, 2.3, 2.3)
    """
    return min(_budget_seconds(name) + MARGIN_SECONDS, MAX_SECONDS)


def remaining(name: str, took: float) -> float:
    """How long to hold back an answer that took so many seconds.

    One that comes too late waits until the pace has passed once more.

    >>> round(remaining("clerk", 0.1), 3), round(remaining("clerk", 0.4), 3)
    (0.2, 0.2)
    """
    pace = pace_of(name)
    return pace - took % pace


def _budget_seconds(name: str) -> float:
    """The budget that a bot is named with, or else the one it takes by default; none is 0."""
    try:
        budget = read_budget(bots.argument(name))
    except BotError:  # the bot uses this text for something else
        return 0.0
    return budget.seconds or budget.playouts / PLAYOUTS_PER_SECOND
