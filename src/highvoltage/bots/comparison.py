"""Moves compared by the director's search: how likely each one wins, and why.

All of them are tried in the same worlds, equally often. The outcome of every trial is recorded;
reasons are made from these records.
"""

from collections.abc import Iterable
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import highvoltage as hv
from highvoltage.bots.director import PLAYOUTS_PER_PLAN, ROUND_SECONDS, Budget, Deadline, Search
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.bots.protocol import Reason, Values
from highvoltage.bots.tycoon import policy_move
from highvoltage.engine.moves import Bid, Move, Moves, Pass
from highvoltage.views import View

CITY_WORTH = 15  # money worth as much as one more city some rounds later
INCOME_WORTH = 3  # in the card game, money worth as much as 1 more income
MIN_DIFFERENCE = 0.5  # cities; a smaller difference is no reason
EARLY_STOP_WORLDS = 8  # worlds after which a comparison may end early
CERTAIN_SIGMA = 3.0  # standard errors beyond which one move is certainly better


class SeatStanding(NamedTuple):
    """The position of a seat some rounds later, and the size of its largest rival.

    A company's size is its number of cities; in the card game, the income of its plants.
    """

    money: float
    size: float
    rival: float


class MoveComparison(Search):
    """A search that records where each plan has led."""

    def __init__(self, view: View, budget: Budget, rng: Random) -> None:
        engineer = Engineer(rng)
        super().__init__(view, engineer, rng, Deadline(budget), budget.effort(ROUND_SECONDS))
        self._ends: dict[Move, list[SeatStanding]] = {}

    def on_playout_end(self, plan: Move, world: hv.Game) -> None:
        self._ends.setdefault(plan, []).append(standing(world.view(self.seat)))

    def mean_standing(self, plan: Move) -> SeatStanding:
        """Where a plan leads, on average."""
        return SeatStanding(*map(fmean, zip(*self._ends[plan], strict=True)))

    def try_all(self, plans: Iterable[Move], enough: int | None = None) -> None:
        """Try the plans in as many worlds as the budget allows, or in `enough` of them."""
        plans = [*plans]
        self.values = {plan: [] for plan in plans}
        while len(self.values[plans[0]]) != enough and self.try_plans(plans):
            pass

    def in_doubt(self, played: Move) -> bool:
        """Whether another plan does better, but not certainly."""
        best = max(self.values, key=self.mean)
        return self.mean(best) > self.mean(played) and not self.better(best, played, CERTAIN_SIGMA)

    def reason(self, plan: Move, than: Move) -> Reason:
        """What a plan gains over another: the largest of the differences."""
        earns = self.view["family"] == "cardgame"
        mine, other = (SeatStanding(*map(round, self.mean_standing(each))) for each in (plan, than))
        grown = mine.size - other.size
        richer = (mine.money - other.money) / (INCOME_WORTH if earns else CITY_WORTH)
        held_back = other.rival - mine.rival
        values: Values = {"than": str(than)}
        if max(grown, richer, held_back) < MIN_DIFFERENCE:
            values |= {"chance": self._chance(plan), "next": self._chance(than)}
            return Reason("wins_more", values | {"playouts": len(self.values[plan])})
        if held_back > max(grown, richer):
            values |= {"rival": int(mine.rival), "other_rival": int(other.rival)}
            return Reason("holds_back_income" if earns else "holds_back_cities", values)
        values |= {"size": int(mine.size), "money": int(mine.money)}
        values |= {"other_size": int(other.size), "other_money": int(other.money)}
        return Reason("leads_to_income" if earns else "leads_to_cities", values)


def standing(view: View) -> SeatStanding:
    """The standing of the viewer of a position."""
    sizes = [size_of(player) for player in view["players"]]
    mine = sizes.pop(view["seat"])
    return SeatStanding(view["players"][view["seat"]]["money"], mine, max(sizes))


def size_of(player: dict[str, Any]) -> int:
    cities = player.get("cities")
    if cities is None:
        return sum(plant.get("income", 0) for plant in player.get("plants", ()))
    return len(cities)


def compare_moves(
    view: View, legal: Moves, played: Move, budget: Budget, rng: Random
) -> MoveComparison | None:
    """Try a move that was played in the same worlds as the plausible alternatives.

    The move is tried alone and only once if there is no alternative, or if the tycoon would have
    played it. Trials go on while it is in doubt which is best. None if there was no choice, or too
    little time.
    """
    if len(legal) == 1:
        return None
    search = MoveComparison(view, budget, rng)
    advised = search.engineer.choose(view, legal)
    plans = search.plans(legal, advised)[: max(2, search.effort.playouts // PLAYOUTS_PER_PLAN)]
    if isinstance(legal.choices[-1], Bid) and len(plans) > 1:
        search.least = limit_of(advised)
        plans = [Pass(), played if isinstance(played, Bid) else legal.choices[-1]]
    if played not in plans:
        plans = [*plans[:-1], played] if len(plans) > 1 else [*plans, played]
    if played == policy_move(view, legal):
        plans = [played]
    search.try_all(plans, 1 if plans == [played] else EARLY_STOP_WORLDS)
    if not all(search.values.values()):
        return None
    while search.in_doubt(played) and search.try_plans(plans):
        pass
    return search
