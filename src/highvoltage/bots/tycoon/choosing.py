"""How the tycoon comes from what its network thinks to a choice; None where nobody was taught."""

from random import Random

from highvoltage import codec
from highvoltage.bots.director import Budget
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.bots.tycoon.policy import SETUP_PHASES, Evaluation, Policy, load_policy
from highvoltage.bots.tycoon.search import MAX_MOVES, look_ahead
from highvoltage.codec.board import BoardCodec
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.moves import Moves
from highvoltage.views import View


def choose_move(view: View, legal: Moves, budget: Budget | None, rng: Random) -> Choice | None:
    mind = policy_for(view)
    if mind is None:
        return None
    thought = mind.evaluate(view, legal, MAX_MOVES)
    ahead = look_ahead(mind, view, thought, budget, rng) if budget else None
    return ahead or to_choice(view, thought)


def policy_for(view: View) -> Policy | None:
    """The mind for such a game; None where nobody was taught."""
    mind = load_policy(view["rulebook"])
    if mind is None or view["phase"] in SETUP_PHASES:
        return None
    try:
        code = codec.of(view)
    except HighVoltageError:  # a map of somebody's own
        return None
    return mind if isinstance(code, BoardCodec) and mind.taught.covers(view, code) else None


def to_choice(view: View, thought: Evaluation) -> Choice:
    """The move it wants most, with the chance it sees and what else it thought of."""
    best, *others = thought.candidates
    told: dict[str, int | str] = {"chance": percent(thought.win_chances[view["seat"]])}
    if not others or not (less := percent(others[0].probability)):
        return Choice(best.move, Reason("tycoon_sure", told))
    told |= {"share": percent(best.probability), "second": str(others[0].move), "less": less}
    return Choice(best.move, Reason("tycoon", told))


def percent(share: float) -> int:
    return round(100 * share)
