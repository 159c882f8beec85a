"""How the tycoon comes from what its network thinks to a choice; None where nobody was taught."""

from random import Random

from highvoltage import codec
from highvoltage.bots.director import Budget
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.bots.tycoon.mind import SETTING_UP, Mind, Thought, mind_of
from highvoltage.bots.tycoon.search import WIDTH, look_ahead
from highvoltage.codec.board import BoardCodec
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.moves import Moves
from highvoltage.views import View


def choice_of(view: View, legal: Moves, budget: Budget | None, rng: Random) -> Choice | None:
    mind = taught(view)
    if mind is None:
        return None
    thought = mind.think(view, legal, WIDTH)
    ahead = look_ahead(mind, view, thought, budget, rng) if budget else None
    return ahead or chosen(view, thought)


def taught(view: View) -> Mind | None:
    """The mind for such a game; None where nobody was taught."""
    mind = mind_of(view["rulebook"])
    if mind is None or view["phase"] in SETTING_UP:
        return None
    try:
        code = codec.of(view)
    except HighVoltageError:  # a map of somebody's own
        return None
    return mind if isinstance(code, BoardCodec) and mind.taught.covers(view, code) else None


def chosen(view: View, thought: Thought) -> Choice:
    """The move it wants most, with the chance it sees and what else it thought of."""
    best, *others = thought.wishes
    told: dict[str, int | str] = {"chance": percent(thought.chances[view["seat"]])}
    if not others or not (less := percent(others[0].share)):
        return Choice(best.move, Reason("tycoon_sure", told))
    told |= {"share": percent(best.share), "second": str(others[0].move), "less": less}
    return Choice(best.move, Reason("tycoon", told))


def percent(share: float) -> int:
    return round(100 * share)
