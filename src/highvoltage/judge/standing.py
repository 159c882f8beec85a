"""Where a move leads: what its seat has some rounds later, as a reason in the words of the game."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from highvoltage.bots.protocol import Reason, Values
from highvoltage.views import View

CITY_WORTH = 15  # money worth as much as one more city some rounds later
INCOME_WORTH = 3  # in the card game, money worth as much as 1 more income
MIN_DIFFERENCE = 0.5  # cities; a smaller difference is no reason


class SeatStanding(NamedTuple):
    """The position of a seat some rounds later, and the size of its largest rival.

    A company's size is its number of cities; in the card game, the income of its plants.
    """

    money: float
    size: float
    rival: float


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


def mean_standing(ends: Sequence[SeatStanding]) -> SeatStanding:
    return SeatStanding(*map(fmean, zip(*ends, strict=True)))


def difference(family: str, mine: SeatStanding, other: SeatStanding, than: str) -> Reason | None:
    """What a move gains over another: the largest of the differences, if it is one."""
    earns = family == "cardgame"
    mine, other = (SeatStanding(*map(round, each)) for each in (mine, other))
    grown = mine.size - other.size
    richer = (mine.money - other.money) / (INCOME_WORTH if earns else CITY_WORTH)
    held_back = other.rival - mine.rival
    if max(grown, richer, held_back) < MIN_DIFFERENCE:
        return None
    if held_back > max(grown, richer):
        values: Values = {"than": than}
        values |= {"rival": int(mine.rival), "other_rival": int(other.rival)}
        return Reason("holds_back_income" if earns else "holds_back_cities", values)
    return outlook(family, mine, other, than)


def outlook(family: str, mine: SeatStanding, other: SeatStanding, than: str) -> Reason:
    """Where a move leads, and where another does."""
    values: Values = {"than": than}
    values |= {"size": round(mine.size), "money": round(mine.money)}
    values |= {"other_size": round(other.size), "other_money": round(other.money)}
    return Reason("leads_to_income" if family == "cardgame" else "leads_to_cities", values)
