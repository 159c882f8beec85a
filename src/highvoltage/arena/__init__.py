"""A ranking of language models: each plays the same deals against the same bots.

A player is a model behind an OpenAI-compatible endpoint, or a command that speaks MCP.
"""

from highvoltage.arena.contest import DEALS, OPPONENTS, ArenaGame, Contest
from highvoltage.arena.file import ArenaFile
from highvoltage.arena.ranking import Price, Row, judge, markdown, rank
from highvoltage.arena.runs import LimitReached, Limits, Player, play_all, player_of

__all__ = [
    "DEALS",
    "OPPONENTS",
    "ArenaFile",
    "ArenaGame",
    "Contest",
    "LimitReached",
    "Limits",
    "Player",
    "Price",
    "Row",
    "judge",
    "markdown",
    "play_all",
    "player_of",
    "rank",
]
