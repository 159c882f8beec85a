"""Tournaments between bots: who is stronger, and how sure that is.

>>> cup = Tournament("classic", ("clerk", "random"), players=2, games=2, seed="1")
>>> table = standings(cup, play(cup))
>>> [row.bot for row in table.rows], table.games
(['clerk', 'random'], 2)
"""

from highvoltage.tournament.file import ResultFile
from highvoltage.tournament.games import Result, Tournament, entrants, play_one
from highvoltage.tournament.processes import Limits
from highvoltage.tournament.report import report
from highvoltage.tournament.runs import play, play_on_ray
from highvoltage.tournament.table import Standing, Standings, standings

__all__ = [
    "Limits",
    "Result",
    "ResultFile",
    "Standing",
    "Standings",
    "Tournament",
    "entrants",
    "play",
    "play_on_ray",
    "play_one",
    "report",
    "standings",
]
