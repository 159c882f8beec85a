"""The view of a board game for bots that play on in worlds of their own."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import label
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.games.classic import tables
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.view import by_fuel, connect_view, faces, fuel_views
from highvoltage.games.view import Glance, auction_view
from highvoltage.views.board import PlantView


def glance(s: BoardState, seat: int, whole: Callable[[Any, int], dict[str, Any]]) -> Glance:
    """The view of a seat, part by part; `whole` makes the view itself."""
    rules = s.rules
    known = {
        "family": "board",
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "order": s.order,
        "plant_limit": rules.plant_limit,
        "end_cities": rules.end_at(s),
        "payment": tables.PAYMENT,
    }
    return Glance.of(s, seat, known, PARTS, whole)


@lru_cache(maxsize=4096)
def plants_seen(plants: FuelRules, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(plants)
    return [known[card] for card in cards]


def players_seen(s: BoardState, seat: int) -> list[dict[str, Any]]:
    hides = s.rules.options["money"] == "hidden" and s.outcome is None
    return [
        {
            "seat": other,
            "money": None if hides and other != seat else player.money,
            "plants": plants_seen(s.plants, player.cards),
            "fuel": by_fuel(player.fuel),
            "room": by_fuel(s.plants.rooms(player.cards, player.fuel)),
            "cities": player.cities,
        }
        for other, player in enumerate(s.players)
    ]


def market_seen(s: BoardState, _: int) -> dict[str, Any]:
    market = s.market
    return {
        "current": plants_seen(s.plants, tuple(market.offer)),
        "future": plants_seen(s.plants, tuple(market.plants[market.reach :])),
        "discount": None if market.discount is None else label(market.discount),
    }


PARTS: dict[str, Callable[[BoardState, int], Any]] = {
    "players": players_seen,
    "market": market_seen,
    "fuel": lambda s, seat: fuel_views(s, s.players[seat]),
    "auction": lambda s, _: auction_view(s.bidding),
    "connect": lambda s, seat: connect_view(s, s.players[seat]),
}
"""What bots ask for often; the rest comes from a whole view."""
