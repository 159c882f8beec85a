"""What a seat may know of a board game, as plain data (C-13)."""

from collections.abc import Iterable, Sequence
from typing import Any

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.games.classic import tables
from highvoltage.games.classic.state import CLOSED, BoardPlayer, BoardState
from highvoltage.games.view import auction_view, demolition_view, outcome_view
from highvoltage.views.board import BoardView, FuelView, MarketView, PlantView, PlayerView

PLANTS: dict[int, PlantView] = {
    card: {
        "card": label(card),
        "number": plant.number,
        "fuels": [tables.FUELS[kind] for kind in plant.fuels],
        "need": plant.need,
        "powers": plant.powers,
    }
    for card, plant in tables.PLANTS.items()
}


def view(s: BoardState, seat: int | None) -> dict[str, Any]:
    rules = s.rules
    viewer = None if seat is None else s.players[seat]
    hides = rules.options["money"] == "hidden" and s.outcome is None
    seen: BoardView = {
        "family": "board",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": list(s.order),
        "outcome": outcome_view(s.outcome),
        "seq": 0,  # this and the names are told by the game
        "names": [],
        "map": rules.map.id,
        "step": s.step,
        "regions": list(s.regions),
        "market": market_view(s),
        "fuel": {fuel: fuel_view(s, kind, viewer) for kind, fuel in enumerate(tables.FUELS)},
        "auction": auction_view(s.bidding),
        "players": [
            player_view(s, player, other, hides=hides and other != seat)
            for other, player in enumerate(s.players)
        ],
        "houses": {
            s.area.cities[city]: list(houses) for city, houses in enumerate(s.houses) if houses
        },
        "connect": connect_view(s, viewer),
        "plant_limit": rules.plant_limit,
        "step_2_cities": rules.step_2_cities,
        "end_cities": rules.end_cities,
        "payment": list(tables.PAYMENT),
        "house_prices": list(tables.HOUSE_PRICES),
    }
    if rules.demolition:
        seen["demolition"] = demolition_view(s, reconstructed=True)
    return seen  # type: ignore[return-value]  # a TypedDict is a dict


def plant_views(cards: Iterable[int]) -> list[PlantView]:
    """Plants; whoever has a view may change it, so nothing in it is shared."""
    plants = [PLANTS[card].copy() for card in cards]
    for plant in plants:
        plant["fuels"] = plant["fuels"].copy()
    return plants


def by_fuel(counts: Sequence[int]) -> dict[str, int]:
    """Counts of each kind by its name.

    >>> by_fuel((3, 0, 1, 0)) == dict(zip(tables.FUELS, (3, 0, 1, 0)))
    True
    """
    coal, oil, garbage, uranium = counts
    return {"coal": coal, "oil": oil, "garbage": garbage, "uranium": uranium}


def market_view(s: BoardState) -> MarketView:
    market = s.market
    return {
        "current": plant_views(market.offer),
        "future": plant_views(card for card in market.future if card != LAST_CARD),
        "step3": LAST_CARD in market.cards,
        "deck": len(market.deck),
        "slid": list(market.slid),
        "removed": [card for card in market.removed if card != LAST_CARD],
    }


def fuel_view(s: BoardState, kind: int, viewer: BoardPlayer | None) -> FuelView:
    rules = s.rules
    stock = s.stock[kind]
    ladder = tables.LADDERS[kind] if viewer is None else rules.ladder(s, viewer, kind)
    beyond = [rules.storage_prices[kind]] * (rules.for_sale(s, kind) - stock)
    return {
        "stock": stock,
        "supply": s.supply[kind],
        "prices": [*ladder.prices[ladder.size - stock :], *beyond],
        "ladder": list(ladder.prices),
        "refill": rules.refill(s)[kind],
    }


def player_view(s: BoardState, player: BoardPlayer, seat: int, *, hides: bool) -> PlayerView:
    return {
        "seat": seat,
        "money": None if hides else player.money,
        "plants": plant_views(player.cards),
        "fuel": by_fuel(player.fuel),
        "room": by_fuel(tables.FUEL_RULES.rooms(player.cards, player.fuel)),
        "cities": [s.area.cities[city] for city in player.cities],
        "supplied": player.supplied,
    }


def connect_view(s: BoardState, viewer: BoardPlayer | None) -> dict[str, int]:
    if viewer is None:
        return {}
    if viewer.reach is None:
        cities = s.rules.starts(s)
    else:
        free = enumerate(s.slots)
        cities = [city for city, slot in free if slot < CLOSED and not viewer.mask >> city & 1]
    return {s.area.cities[city]: s.rules.build_cost(s, viewer, city) for city in cities}
