"""The view of a board game for bots that play on in sampled worlds."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import label
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.games.classic import tables
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.view import (
    blocked_view,
    by_fuel,
    connect_view,
    faces,
    fuel_views,
    houses_view,
    market_view,
    max_price_view,
    mines_view,
    outage_view,
    shelf_view,
    slots_view,
    start_view,
)
from highvoltage.games.view import LazyView, auction_view, demolition_view
from highvoltage.views.board import PlantView

PAYMENT = [*tables.PAYMENT]
HOUSE_PRICES = [*tables.HOUSE_PRICES]


def lazy_view(s: BoardState, seat: int, whole: Callable[[Any, int], dict[str, Any]]) -> LazyView:
    """The view of a seat, computed part by part; `whole` computes the full view."""
    rules = s.rules
    known: dict[str, Any] = {
        "family": "board",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": [*s.order],
        "map": rules.map.id,
        "step": s.step,
        "regions": list(s.regions),
        "plant_limit": rules.plant_limit,
        "step_2_cities": rules.step_2_cities,
        "end_cities": rules.end_at(s),
        "payment": PAYMENT,
        "house_prices": HOUSE_PRICES,
    }
    return LazyView.of(s, seat, known, rules.fields, PARTS, whole)


@lru_cache(maxsize=4096)
def shared_plants(plants: FuelRules, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(plants)
    return [known[card] for card in cards]


def lazy_plants(s: BoardState, cards: Iterable[int]) -> list[PlantView]:
    return shared_plants(s.plants, tuple(cards))


@lru_cache(maxsize=4096)
def lazy_player(
    plants: FuelRules,
    area: Area,
    seat: int,
    money: int | None,
    cards: tuple[int, ...],
    fuel: Held,
    cities: tuple[int, ...],
    starts: tuple[int, ...] | None,
    mines: tuple[int, ...] | None,
    supplied: int,
) -> dict[str, Any]:
    result = {
        "seat": seat,
        "money": money,
        "plants": shared_plants(plants, cards),
        "ready": list(map(label, plants.ready(cards, fuel))),
        "fuel": by_fuel(fuel, plants.kinds),
        "room": by_fuel(plants.rooms(cards, fuel), plants.kinds),
        "cities": [area.cities[city] for city in cities],
        "supplied": supplied,
    }
    if starts is not None:
        result["starts"] = [area.cities[city] for city in starts]
    if mines is not None:
        result["mines"] = shared_plants(plants, mines)
    return result


def lazy_players(s: BoardState, seat: int) -> list[dict[str, Any]]:
    hides = s.rules.hides_money and s.outcome is None
    plants, several = s.plants, s.rules.map_rules.networks is not None
    mining = s.rules.mine_market is not None
    return [
        lazy_player(
            plants,
            s.area,
            other,
            None if hides and other != seat else player.money,
            player.cards,
            player.fuel,
            player.cities,
            player.starts if several else None,
            player.mines if mining else None,
            player.supplied,
        )
        for other, player in enumerate(s.players)
    ]


cached_shelf = lru_cache(maxsize=4096)(shelf_view)

PARTS: dict[str, Callable[[BoardState, int], Any]] = {
    "players": lazy_players,
    "market": lambda s, _: market_view(s, lazy_plants),
    "fuel": lambda s, seat: fuel_views(s, s.players[seat], cached_shelf),
    "auction": lambda s, _: auction_view(s.bidding),
    "houses": lambda s, _: houses_view(s),
    "connect": lambda s, seat: connect_view(s, s.players[seat]),
    "start": lambda s, seat: start_view(s, s.players[seat]),
    "slots": lambda s, _: slots_view(s),
    "connection_at_most": lambda s, _: s.rules.map_rules.connection_at_most,
    "mines": lambda s, seat: mines_view(s, s.players[seat]),
    "max_price": lambda s, _: max_price_view(s),
    "tokens_a_turn": lambda s, _: s.rules.tokens_a_turn,
    "outage": lambda s, _: outage_view(s),
    "blocked": lambda s, _: blocked_view(s),
    "demolition": lambda s, _: demolition_view(s, reconstructed=True),
    "variants": lambda s, _: list(s.rules.options["variants"]),
    "map_rules": lambda *_: False,
}
"""What bots read often; the rest is taken from a full view."""
