"""The tycoon: a player that taught itself by self-play on the batched simulator."""

from random import Random

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.director import read_budget
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import Choice, Needs, Reason
from highvoltage.bots.tycoon.manner import FULL, MANNERS
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.views import View
from highvoltage.views.reasons import NO_NETWORK, UNTAUGHT


def policy_move(view: View, legal: Moves) -> Move | None:
    """The tycoon's preferred move, without a search; None for games it was not trained on."""
    from highvoltage.bots.tycoon.choosing import policy_for  # noqa: PLC0415  # brings NumPy

    policy = policy_for(view)
    return policy.evaluate(view, legal, 1).candidates[0].move if policy else None


class Tycoon:
    """Chooses by a network, and with a budget (`1s`, `200`) searches ahead with it.

    `easy`, `medium` or `hard` makes it weaker; `bold`, `hoarder`, `miser` or `builder` gives it a
    temper. In games it was not trained on, and where its network cannot be used, it plays as the
    engineer.
    """

    needs: Needs = "history"
    level = 5

    def __init__(self, rng: Random, option: str = "") -> None:
        self._rng = rng
        self._clerk = Clerk(rng)
        self._engineer = Engineer(rng)
        self._manner = MANNERS.get(option, FULL)
        self._budget = read_budget(option, MANNERS) if option and option not in MANNERS else None

    def choose(self, view: View, legal: Moves) -> Choice:
        # Imported here, so that listing the bots loads neither NumPy nor the weights.
        from highvoltage.bots.tycoon.choosing import choose_move, lacks_network  # noqa: PLC0415

        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        if self._rng.random() < self._manner.clerk:
            return self._clerk.choose(view, legal)
        found = choose_move(view, legal, self._budget, self._manner, self._rng)
        if found is None:
            advised = self._engineer.choose(view, legal)
            note = NO_NETWORK if lacks_network(view["rulebook"]) else UNTAUGHT
            why = Reason(advised.why.code, {**advised.why.values, note: 1})
            return Choice(advised.move, why, advised.limit)
        return found
