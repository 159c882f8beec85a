"""A coach, for a person who plays against bots: what to weigh, what a decision cost, what changed.

All by the judge, and all from the view of one seat: positions are judged in which it is to move.

>>> import highvoltage as hv
>>> game = hv.new("classic", players=2, seed=1)
>>> [str(line)[:16] for line in weigh(game.view(game.to_move, history=True))]
['Weigh two things']
>>> review(game, 0)
[]
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from highvoltage.analysis import JudgedDecision, JudgeTask, judge_decision
from highvoltage.bots.director import Budget
from highvoltage.engine.game import Game
from highvoltage.judge import make_judgement
from highvoltage.judge.advice import percent
from highvoltage.views import Reason, View

if TYPE_CHECKING:
    from highvoltage.bots.protocol import Values

WEIGH_BUDGET = Budget(seconds=4, playouts=16)
REVIEW_BUDGET = Budget(seconds=6, playouts=64)
MIN_CHANGE = 2  # percentage points of somebody else's chance that are worth a line


def weigh(view: View, players: Sequence[str | None] = (), seed: str = "1") -> list[Reason]:
    """The two moves to weigh, and where each leads; nothing if there is no choice."""
    judgement = make_judgement(view, WEIGH_BUDGET, players=players, seed=seed)
    if len(judgement.legal) == 1:
        return []
    said = judgement.evaluate(())
    if said.alternative is None:
        return []
    moves = said.moves[0].move, said.alternative.move
    first, other = map(judgement.end_of, moves)
    if first is None or other is None:
        return [Reason("weigh", {"second": moves[0], "third": moves[1]})]
    values: Values = {
        "second": moves[0],
        "size": round(first.size),
        "money": round(first.money),
        "third": moves[1],
        "other_size": round(other.size),
        "other_money": round(other.money),
    }
    return [Reason("weigh_income" if view["family"] == "cardgame" else "weigh_cities", values)]


def review(
    game: Game, seat: int, players: Sequence[str | None] = (), seed: str = "1"
) -> list[Reason]:
    """What the latest decision of a seat cost; at its first in a round, what the last one changed.

    Of a decision that was as good as any, nothing is said.
    """
    mine = [number for number, row in enumerate(game.log, 1) if row.seat == seat]
    if not mine:
        return []
    seats = tuple(players)
    lines = []
    judged = judge_decision(game, JudgeTask(mine[-1], REVIEW_BUDGET, seed, 0.0, "recheck", seats))
    if isinstance(judged, JudgedDecision):
        low, high = map(percent, judged.cost)
        values: Values = {"than": judged.played, "low": low, "high": high, "second": judged.best}
        lines.append(Reason("cost", values))
    last = game.log[mine[-1] - 1].round
    if game.to_move == seat and game.state.round > last:
        first = next(number for number in mine if game.log[number - 1].round == last)
        lines += changes(game, seat, first, seats)
    return lines


def changes(game: Game, seat: int, since: int, players: tuple[str | None, ...]) -> list[Reason]:
    """How the chances changed since a move, now that the seat is to move again."""
    then, now = game.after(since - 1), game
    before, after = (_chances(each, players) for each in (then, now))
    values: Values = {"round": then.state.round}
    values |= {"before": percent(before[seat]), "after": percent(after[seat])}
    found = [Reason("changed", values)]
    others = [each for each in range(len(before)) if each != seat]
    who = max(others, key=lambda each: abs(after[each] - before[each]))
    old_chance, new_chance = percent(before[who]), percent(after[who])
    moved: Values = {"name": game.names[who], "before": old_chance, "after": new_chance}
    if abs(new_chance - old_chance) >= MIN_CHANGE:
        old, new = (each.view(seat)["players"][who] for each in (then, now))
        grown = len(new.get("cities", ())) - len(old.get("cities", ()))
        owned = {plant["card"] for plant in old["plants"]}
        bought = [plant["card"] for plant in new["plants"] if plant["card"] not in owned]
        if grown > 0:
            found.append(Reason("gained_cities", {**moved, "count": grown}))
        elif bought:
            found.append(Reason("gained_plant", {**moved, "card": bought[-1]}))
    return found


def _chances(game: Game, players: tuple[str | None, ...]) -> tuple[float, ...]:
    return make_judgement(game, players=players).evaluate(()).chances
