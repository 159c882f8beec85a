"""The tycoon: a player that taught itself, by playing against itself on the twin."""

from random import Random

from highvoltage.bots.director import read_budget
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import Choice, Needs, Reason
from highvoltage.engine.moves import Move, Moves
from highvoltage.views import View
from highvoltage.views.reasons import UNTAUGHT


def policy_move(view: View, legal: Moves) -> Move | None:
    """The move that the tycoon wants most, without looking ahead; None where it was not taught."""
    from highvoltage.bots.tycoon.choosing import policy_for  # noqa: PLC0415  # brings NumPy

    mind = policy_for(view)
    return mind.evaluate(view, legal, 1).candidates[0].move if mind else None


class Tycoon:
    """Chooses by a network, and with a budget (`1s`, `200`) looks ahead with it.

    Where it was not taught it plays as the engineer.
    """

    needs: Needs = "history"
    level = 5

    def __init__(self, rng: Random, budget: str = "") -> None:
        self._rng = rng
        self._engineer = Engineer(rng)
        self._budget = read_budget(budget) if budget else None

    def choose(self, view: View, legal: Moves) -> Choice:
        # Whoever only lists the bots waits for no NumPy and no weights.
        from highvoltage.bots.tycoon.choosing import choose_move  # noqa: PLC0415  # brings NumPy

        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        found = choose_move(view, legal, self._budget, self._rng)
        if found is None:
            asked = self._engineer.choose(view, legal)
            why = Reason(asked.why.code, {**asked.why.values, UNTAUGHT: 1})
            return Choice(asked.move, why, asked.limit)
        return found
