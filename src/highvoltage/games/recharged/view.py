"""What a seat may know of a game by the 2018 edition, as plain data (R-14.1)."""

from typing import Any

from highvoltage.games.classic import view as classic
from highvoltage.games.recharged.state import Cartel, RechargedState
from highvoltage.views.board import CartelView


def view(s: RechargedState, seat: int | None) -> dict[str, Any]:
    result = classic.view(s, seat)
    if s.cartel:
        result["cartel"] = cartel_view(s, s.cartel)
    return result


def cartel_view(
    s: RechargedState, cartel: Cartel, plants: classic.Plants = classic.plant_views
) -> CartelView:
    return {
        "plants": plants(s, cartel.cards),
        "fuel": classic.by_fuel(cartel.fuel),
        "reserve": cartel.reserve,
    }
