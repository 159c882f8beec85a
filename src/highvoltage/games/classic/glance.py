"""The view of a board game for bots that play on in worlds of their own."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import label
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.games.classic import tables
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.view import by_fuel, connect_view, faces, fuel_views, shelf_view
from highvoltage.games.view import Glance, auction_view
from highvoltage.views.board import PlantView

PAYMENT = [*tables.PAYMENT]


def glance(s: BoardState, seat: int, whole: Callable[[Any, int], dict[str, Any]]) -> Glance:
    """The view of a seat, part by part; `whole` makes the view itself."""
    rules = s.rules
    known = {
        "family": "board",
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "order": [*s.order],
        "plant_limit": rules.plant_limit,
        "end_cities": rules.end_at(s),
        "payment": PAYMENT,
    }
    return Glance.of(s, seat, known, PARTS, whole)


@lru_cache(maxsize=4096)
def plants_seen(plants: FuelRules, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(plants)
    return [known[card] for card in cards]


@lru_cache(maxsize=4096)
def player_seen(
    plants: FuelRules,
    seat: int,
    money: int | None,
    cards: tuple[int, ...],
    fuel: Held,
    cities: tuple[int, ...],
) -> dict[str, Any]:
    return {
        "seat": seat,
        "money": money,
        "plants": plants_seen(plants, cards),
        "fuel": by_fuel(fuel),
        "room": by_fuel(plants.rooms(cards, fuel)),
        "cities": [*cities],
    }


def players_seen(s: BoardState, seat: int) -> list[dict[str, Any]]:
    hides = s.rules.options["money"] == "hidden" and s.outcome is None
    plants = s.plants
    return [
        player_seen(
            plants,
            other,
            None if hides and other != seat else player.money,
            player.cards,
            player.fuel,
            player.cities,
        )
        for other, player in enumerate(s.players)
    ]


def market_seen(s: BoardState, _: int) -> dict[str, Any]:
    market = s.market
    return {
        "current": plants_seen(s.plants, tuple(market.offer)),
        "future": plants_seen(s.plants, tuple(market.plants[market.reach :])),
        "discount": None if market.discount is None else label(market.discount),
    }


shelf_seen = lru_cache(maxsize=4096)(shelf_view)

PARTS: dict[str, Callable[[BoardState, int], Any]] = {
    "players": players_seen,
    "market": market_seen,
    "fuel": lambda s, seat: fuel_views(s, s.players[seat], shelf_seen),
    "auction": lambda s, _: auction_view(s.bidding),
    "connect": lambda s, seat: connect_view(s, s.players[seat]),
}
"""What bots ask for often; the rest comes from a whole view."""
