"""A hint by the judge: the best move, why in the words of the game, then the number.

At first sight, where nothing was played on, why is only said of the move that engineers would make.

A move is never recommended with a lower number than its alternative. Where it is in doubt which is
better, there is only one number, and the hint says that it is too close to call.
"""

from collections.abc import Sequence

from highvoltage.bots.director import Budget
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.legal import Moves
from highvoltage.judge.evaluating import EXACT_WORLDS, make_judgement
from highvoltage.views import View
from highvoltage.views.reasons import TO_WIN, TOO_CLOSE, WIN_ALONE

HINT_BUDGET = Budget(seconds=5, playouts=40)


def advise(
    view: View,
    legal: Moves,
    *,
    players: Sequence[str | None] = (),
    budget: str | Budget | None = HINT_BUDGET,
    seed: str = "1",
) -> Choice:
    """What the judge recommends to the viewer, who is to move; without a budget, at first sight.

    >>> import highvoltage as hv
    >>> game = hv.new("classic", players=2, seed=1)
    >>> choice = advise(game.view(game.to_move, history=True), game.legal_moves, budget="8")
    >>> choice.move in game.legal_moves, "Chance of winning" in str(choice.why)
    (True, True)
    """
    if len(legal) == 1:
        return Choice(legal[0], Reason("forced"))
    judgement = make_judgement(view, budget, players=players, seed=seed)
    said = judgement.evaluate(())
    best, other = said.moves[0], said.alternative
    move = next(each for each in legal if str(each) == best.move)
    numbers: Values = {"win": percent(best.chances[said.seat])}
    code = WIN_ALONE
    if other:
        numbers["second"] = other.move
        code = TO_WIN if other.is_worse else TOO_CLOSE
    if other and code == TO_WIN:
        numbers["behind"] = percent(other.chances[said.seat])
    reason = None
    if best.move == str(judgement.advised.move):
        reason = judgement.advised.why
    elif other:
        if said.judge == "exact" and budget is not None:
            judgement.play_on([best.move, other.move], EXACT_WORLDS)
        reason = judgement.comparison(best.move, than=other.move)
    if reason is None:  # at first sight there is only the number
        return Choice(move, Reason(code, numbers))
    return Choice(move, Reason(reason.code, {**reason.values, **numbers, code: 1}))


def percent(chance: float) -> int:
    return round(100 * chance)
