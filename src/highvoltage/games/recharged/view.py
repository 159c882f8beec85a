"""What a seat may know of a game by the 2018 edition, as plain data (R-14.1)."""

from typing import Any

from highvoltage.games.classic import view as classic
from highvoltage.games.recharged.state import Cartel, RechargedState
from highvoltage.views.board import CartelView


def view(s: RechargedState, seat: int | None) -> dict[str, Any]:
    seen = classic.view(s, seat)
    if s.cartel:
        seen["cartel"] = cartel_view(s, s.cartel)
    return seen


def cartel_view(s: RechargedState, cartel: Cartel) -> CartelView:
    return {
        "plants": classic.plant_views(s, cartel.cards),
        "fuel": classic.by_fuel(cartel.fuel),
        "reserve": cartel.reserve,
    }
