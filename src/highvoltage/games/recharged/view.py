"""What a seat may know of a game by the 2018 edition, as plain data (R-14.1)."""

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from highvoltage.engine.cards import label
from highvoltage.games.classic import view as classic
from highvoltage.games.recharged.state import Cartel, RechargedState

if TYPE_CHECKING:
    from highvoltage.games.recharged.rulebook import Recharged


class CartelView(TypedDict):
    """The cartel, always second in the order; `reserve` counts its houses still to come."""

    plants: list[classic.PlantView]
    fuel: dict[str, int]
    reserve: int


class RechargedView(classic.BoardView):
    """In `houses` -1 is the cartel and -2 the mark of a starting city."""

    cartel: NotRequired[CartelView]


def view(rules: "Recharged", s: RechargedState, seat: int | None) -> dict[str, Any]:
    seen = classic.view(rules, s, seat)
    discount = s.market.discount
    seen["market"] |= {
        "discount": None if discount is None else label(discount),
        "back": rules.top(s) or None,
    }
    if s.cartel:
        seen["cartel"] = cartel_view(s.cartel)
    return seen


def cartel_view(cartel: Cartel) -> CartelView:
    return {
        "plants": classic.plant_views(cartel.cards),
        "fuel": classic.by_fuel(cartel.fuel),
        "reserve": cartel.reserve,
    }
