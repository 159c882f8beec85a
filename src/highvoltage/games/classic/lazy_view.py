"""The view of a board game for bots that play on in sampled worlds."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import label
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.games.classic import tables
from highvoltage.games.classic.state import BoardState, BoardTerms
from highvoltage.games.classic.view import (
    blocked_view,
    by_fuel,
    connect_view,
    faces,
    fuel_views,
    market_view,
    max_price_view,
    mines_view,
    outage_view,
    shelf_view,
    slots_view,
    start_view,
)
from highvoltage.games.view import LazyView, SharedParts, auction_view, demolition_view
from highvoltage.views.board import MarketView, PlantView, PlayerView, Shelves

PLAYER_FIELDS: frozenset[str] = PlayerView.__required_keys__


def lazy_view(s: BoardState, seat: int, whole: Callable[[Any, int], dict[str, Any]]) -> LazyView:
    """The view of a seat, computed part by part; `whole` computes the full view."""
    rules = s.rules
    view = LazyView.of(s, seat, fixed_fields(rules), rules.fields, PARTS, whole)
    view["seat"] = seat
    view["round"] = s.round
    view["phase"] = s.phase_name
    view["to_move"] = s.actor
    view["order"] = [*s.order]
    view["step"] = s.step
    view["regions"] = [*s.regions]
    view["end_cities"] = rules.end_at(s)
    for field in rules.extras:  # compiled code asks a dictionary, not this class, for what may lack
        if field in PARTS:
            view[field] = PARTS[field](s, seat)
    return view


@lru_cache(maxsize=64)
def fixed_fields(rules: BoardTerms[Any]) -> dict[str, Any]:
    """What stays the same in a whole game."""
    return {
        "family": "board",
        "rulebook": rules.name,
        "map": rules.map.id,
        "plant_limit": rules.plant_limit,
        "step_2_cities": rules.step_2_cities,
        "payment": [*tables.PAYMENT],
        "house_prices": [*tables.HOUSE_PRICES],
    }


@lru_cache(maxsize=4096)
def shared_plants(plants: FuelRules, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(plants)
    return [known[card] for card in cards]


def lazy_plants(s: BoardState, cards: Iterable[int]) -> list[PlantView]:
    return shared_plants(s.plants, tuple(cards))


@lru_cache(maxsize=4096)
def lazy_rooms(plants: FuelRules, cards: tuple[int, ...], fuel: Held) -> dict[str, int]:
    return by_fuel(plants.rooms(cards, fuel), plants.kinds)


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
) -> LazyView:
    known: dict[str, Any] = {
        "seat": seat,
        "money": money,
        "plants": shared_plants(plants, cards),
        "fuel": by_fuel(fuel, plants.kinds),
        "cities": [area.cities[city] for city in cities],
        "supplied": supplied,
    }
    fields = PLAYER_FIELDS
    if starts is not None:
        known["starts"] = [area.cities[city] for city in starts]
        fields |= {"starts"}
    if mines is not None:
        known["mines"] = shared_plants(plants, mines)
        fields |= {"mines"}

    def later(part: str) -> Any:
        if part == "room":
            return lazy_rooms(plants, cards, fuel)
        return list(map(label, plants.ready(cards, fuel)))

    return LazyView(known, fields, later)


def lazy_players(s: BoardState, seat: int) -> list[LazyView]:
    hides = s.rules.hides_money and s.outcome is None
    plants, area, several = s.plants, s.area, s.rules.map_rules.networks is not None
    mining = s.rules.mine_market is not None
    found = []
    for other, player in enumerate(s.players):
        key = (
            plants,
            area,
            other,
            None if hides and other != seat else player.money,
            player.cards,
            player.fuel,
            player.cities,
            player.starts if several else None,
            player.mines if mining else None,
            player.supplied,
        )
        found.append(players.find(other, key, lazy_player))
    return found


def lazy_market(s: BoardState, _: int) -> MarketView:
    """The plant market, shared while it does not change."""
    market = s.market
    key = (
        *(s.plants, len(market.deck), market.offer_size, market.waiting, market.discount),
        *(market.stage, *market.pile, None, s.rules.backs and s.rules.top(s)),
        *(*market.cards, None, *market.slid, None, *market.removed),
    )
    return markets.find(0, key, lambda *_: market_view(s, lazy_plants))


def lazy_fuel(s: BoardState, seat: int) -> Shelves:
    """The fuel market, shared while it does not change."""
    viewer, market = s.players[seat], s.rules.fuel_market
    several, discounts = bool(market.names), bool(market.discounts)
    key = (
        *(s.rules, s.area, s.plants, s.step, s.phased_out, s.trade, s.storage, s.shifts),
        *(several and s.actor == seat, viewer.mask if discounts else 0),
        *(*s.stock, None, *s.supply),
    )
    viewed_by = seat if several or discounts else 0
    return fuels.find(viewed_by, key, lambda *_: fuel_views(s, viewer, cached_shelf))


def lazy_houses(s: BoardState, _: int) -> dict[str, list[int]]:
    return houses.find(0, (s.area, *s.houses), houses_view)


def houses_view(area: Area, *houses: tuple[int, ...]) -> dict[str, list[int]]:
    there = zip(area.cities, houses, strict=True)
    return {city: [*owners] for city, owners in there if owners}


cached_shelf = lru_cache(maxsize=4096)(shelf_view)
players: SharedParts[LazyView] = SharedParts()
houses: SharedParts[dict[str, list[int]]] = SharedParts()
markets: SharedParts[MarketView] = SharedParts()
fuels: SharedParts[Shelves] = SharedParts()

PARTS: dict[str, Callable[[BoardState, int], Any]] = {
    "players": lazy_players,
    "market": lazy_market,
    "fuel": lazy_fuel,
    "auction": lambda s, _: auction_view(s.bidding),
    "houses": lazy_houses,
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
