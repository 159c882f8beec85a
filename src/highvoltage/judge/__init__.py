"""The judge: everybody's chance to win a position, and after each move that is worth a thought.

All numbers that people see come from here. The judge reads what one seat may know, never the game.
The chances of all seats come from the same worlds and sum to 1, each with its standard error; a
shared victory is split.

>>> import highvoltage as hv
>>> game = hv.new("classic", players=3, seed=1)
>>> found = evaluate(game, "4")
>>> found.judge, round(sum(found.chances), 6), found.moves[0].move in map(str, game.legal_moves)
('network_ahead', 1.0, True)
"""

from highvoltage.judge.advice import advise
from highvoltage.judge.evaluating import evaluate, make_judgement
from highvoltage.judge.evaluation import Evaluation, Judge, MoveEvaluation

__all__ = ["Evaluation", "Judge", "MoveEvaluation", "advise", "evaluate", "make_judgement"]
