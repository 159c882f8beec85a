"""What a seat may know of a board game, as plain data (C-13)."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.plant import Plant
from highvoltage.games.classic import tables
from highvoltage.games.classic.fuelmarket import STORED_PREFIX
from highvoltage.games.classic.position import CLOSED, NO_MARKET, BoardPlayer
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.steps import most_supplied
from highvoltage.games.view import auction_view, demolition_view, outcome_view
from highvoltage.views.board import (
    BoardView,
    FuelView,
    MarketView,
    MinesView,
    OutageView,
    PlantView,
    PlayerView,
    Shelves,
    SlotView,
)

Shelf = Callable[[Ladder, int, int, int, int], FuelView]
Plants = Callable[[BoardState, Iterable[int]], list[PlantView]]


def unfuelled(s: BoardState) -> list[int]:
    """The cities of each player that only fuel was missing for."""
    return [
        min(len(player.cities), s.plants.full_yield(player.cards)) - most_supplied(s, player)
        for player in s.players
    ]


@cache
def faces(plants: FuelRules) -> dict[int, PlantView]:
    return {card: face(card, plant, plants.kinds) for card, plant in plants.plants.items()}


def face(card: int, plant: Plant, kinds: tuple[str, ...]) -> PlantView:
    shown: PlantView = {
        "card": label(card),
        "number": plant.number,
        "fuels": [kinds[kind] for kind in plant.fuels],
        "need": plant.need,
        "powers": plant.powers,
    }
    if plant.own_store is not None:
        shown["store"] = plant.store
    if plant.mined:
        shown["mine"] = plant.mined
    return shown


def view(s: BoardState, seat: int | None) -> dict[str, Any]:
    rules = s.rules
    viewer = None if seat is None else s.players[seat]
    hides = rules.hides_money and s.outcome is None
    result: BoardView = {
        "family": "board",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": list(s.order),
        "outcome": outcome_view(s.outcome, None if s.outcome is None else unfuelled(s)),
        "seq": 0,  # filled in by the game, like the names
        "names": [],
        "map": rules.map.id,
        "step": s.step,
        "regions": list(s.regions),
        "market": market_view(s),
        "fuel": fuel_views(s, viewer),
        "auction": auction_view(s.bidding),
        "players": [
            player_view(s, player, other, hides=hides and other != seat)
            for other, player in enumerate(s.players)
        ],
        "houses": houses_view(s),
        "connect": connect_view(s, viewer),
        "plant_limit": rules.plant_limit,
        "step_2_cities": rules.step_2_cities,
        "end_cities": rules.end_at(s),
        "payment": list(tables.PAYMENT),
        "house_prices": list(tables.HOUSE_PRICES),
    }
    if rules.extras:
        add_extras(s, viewer, result)
    return result  # type: ignore[return-value]  # a TypedDict is a dict


def add_extras(s: BoardState, viewer: BoardPlayer | None, result: BoardView) -> None:
    """Add the fields that only some boards and options have."""
    rules, extras = s.rules, s.rules.extras
    if "markets" in extras:
        result["markets"] = markets_view(s, viewer)
        result["trade"] = rules.fuel_market.name_in_use(s)
    if "starts" in extras:
        for player, shown in zip(s.players, result["players"], strict=True):
            shown["starts"] = [s.area.cities[city] for city in player.starts]
    if "start" in extras:
        result["start"] = start_view(s, viewer)
    if "map_rules" in extras:
        result["map_rules"] = False
    if "demolition" in extras:
        result["demolition"] = demolition_view(s, reconstructed=True)
    if "mines" in extras:
        result["mines"] = mines_view(s, viewer)
        for player, shown in zip(s.players, result["players"], strict=True):
            shown["mines"] = plant_views(s, player.mines)
    add_board(s, result)
    add_limits(s, result)


def add_board(s: BoardState, result: BoardView) -> None:
    """Add what some boards have of their own: slots, blocked cities, variants."""
    rules, extras = s.rules, s.rules.extras
    if "slots" in extras:
        result["slots"] = slots_view(s)
    if "blocked" in extras:
        result["blocked"] = blocked_view(s)
    if "variants" in extras:
        result["variants"] = list(rules.options["variants"])


def add_limits(s: BoardState, result: BoardView) -> None:
    """Add the limits on buying fuel and on building that only some boards have."""
    rules, extras = s.rules, s.rules.extras
    if rules.map_rules.connection_at_most is not None:
        result["connection_at_most"] = rules.map_rules.connection_at_most
    if "max_price" in extras:
        result["max_price"] = max_price_view(s)
    if "tokens_a_turn" in extras:
        result["tokens_a_turn"] = rules.tokens_a_turn
    if "outage" in extras:
        result["outage"] = outage_view(s)


def plant_views(s: BoardState, cards: Iterable[int]) -> list[PlantView]:
    """Plants; callers may modify a view, so nothing in it is shared."""
    known = faces(s.plants)
    plants = []
    for card in cards:
        plant = known[card].copy()
        plant["fuels"] = plant["fuels"][:]
        plants.append(plant)
    return plants


def by_fuel(counts: Sequence[int], kinds: tuple[str, ...] = tables.FUELS) -> dict[str, int]:
    """Counts of each kind by its name.

    >>> by_fuel((3, 0, 1, 0)) == dict(zip(tables.FUELS, (3, 0, 1, 0)))
    True
    """
    if kinds != tables.FUELS:
        return dict(zip(kinds, counts, strict=True))
    coal, oil, garbage, uranium = counts
    return {"coal": coal, "oil": oil, "garbage": garbage, "uranium": uranium}


def market_view(s: BoardState, plants: Plants = plant_views) -> MarketView:
    market = s.market
    result: MarketView = {
        "current": plants(s, market.offer),
        "future": plants(s, market.plants[market.offer_size :]),
        "step3": LAST_CARD in market.cards,
        "deck": len(market.deck),
        "slid": list(map(label, market.slid)),
        "removed": [label(card) for card in market.removed if card != LAST_CARD],
    }
    if market.waiting:
        result["waiting"] = plants(s, market.waiting)
    if s.rules.plant_market.three_stages:
        result["stage"] = market.stage
        result["pile"] = list(map(label, market.pile))
    if s.rules.backs:
        result["discount"] = None if market.discount is None else label(market.discount)
        result["back"] = s.rules.top(s) or None
    return result


def shelf_view(ladder: Ladder, stock: int, beyond: int, supply: int, refill: int) -> FuelView:
    """One kind on one market; `beyond` is what the supply costs when the market is sold out."""
    prices = [*ladder.prices[ladder.size - stock :]]
    if beyond:
        prices += [beyond] * supply
    return {
        "stock": stock,
        "supply": supply,
        "prices": prices,
        "ladder": [*ladder.prices],
        "refill": refill,
    }


def fuel_views(
    s: BoardState,
    viewer: BoardPlayer | None,
    shelf: Shelf = shelf_view,
) -> Shelves:
    """The fuel market; if there are several, the one in use, or all of them combined."""
    market = s.rules.fuel_market
    if not market.names:
        shelves = market_shelves(s, 0, viewer, shelf)
    elif s.trade != NO_MARKET and s.actor is not None and s.players[s.actor] is viewer:
        shelves = market_shelves(s, s.trade, viewer, shelf)
    else:
        kinds = s.plants.kinds
        starts = range(0, len(s.stock), len(kinds))
        markets = [market_shelves(s, start, viewer, shelf) for start in starts]
        shelves = {fuel: combine_shelves([each[fuel] for each in markets]) for fuel in kinds}
    for kind, price in enumerate(market.stored_prices):
        if price:
            shelves[STORED_PREFIX + s.plants.kinds[kind]] = stored_view(s.storage[kind], price)
    return shelves


def market_shelves(
    s: BoardState,
    start: int,
    viewer: BoardPlayer | None,
    shelf: Shelf = shelf_view,
) -> Shelves:
    """The four kinds on one market, at the prices of the viewer."""
    market = s.rules.fuel_market
    refill = market.coming(s)
    shelves: Shelves = {}
    for kind, fuel in enumerate(s.plants.kinds):
        at = start + kind
        ladder = market.ladder_now(s, at) if viewer is None else market.ladder(s, viewer, at)
        beyond = market.beyond[kind]
        shown = shelf(ladder, s.stock[at], beyond, s.supply[kind], refill[at])
        if market.max_price:  # some tokens may not be for sale
            shown = {**shown, "prices": shown["prices"][: market.for_sale(s, at)]}
        shelves[fuel] = shown
    return shelves


def stored_view(stock: int, price: int) -> FuelView:
    prices = [price] * stock
    return {"stock": stock, "supply": 0, "prices": prices, "ladder": prices[:], "refill": 0}


def combine_shelves(shelves: Sequence[FuelView]) -> FuelView:
    """One fuel on several markets, as if they were one."""
    return {
        "stock": sum(shelf["stock"] for shelf in shelves),
        "supply": shelves[0]["supply"],
        "prices": sorted(price for shelf in shelves for price in shelf["prices"]),
        "ladder": sorted(price for shelf in shelves for price in shelf["ladder"]),
        "refill": sum(shelf["refill"] for shelf in shelves),
    }


def markets_view(s: BoardState, viewer: BoardPlayer | None) -> dict[str, Shelves]:
    kinds, names = len(tables.FUELS), s.rules.fuel_market.names
    return {name: market_shelves(s, kinds * at, viewer) for at, name in enumerate(names)}


def player_view(s: BoardState, player: BoardPlayer, seat: int, *, hides: bool) -> PlayerView:
    cities = s.area.cities
    return {
        "seat": seat,
        "money": None if hides else player.money,
        "plants": plant_views(s, player.cards),
        "ready": list(map(label, s.plants.ready(player.cards, player.fuel))),
        "fuel": by_fuel(player.fuel, s.plants.kinds),
        "room": by_fuel(s.plants.rooms(player.cards, player.fuel), s.plants.kinds),
        "cities": [cities[city] for city in player.cities],
        "supplied": player.supplied,
    }


def houses_view(s: BoardState) -> dict[str, list[int]]:
    there = zip(s.area.cities, s.houses, strict=True)
    return {city: [*houses] for city, houses in there if houses}


def slots_view(s: BoardState) -> dict[str, list[SlotView]]:
    return {
        city: [{"cost": slot.cost, "step": slot.step} for slot in s.rules.sites.slots_of(city)]
        for city in s.rules.map_rules.slots
        if city in s.area.index
    }


def mines_view(s: BoardState, viewer: BoardPlayer | None) -> MinesView:
    market = s.rules.mine_market
    assert market is not None
    return {
        "stock": s.mine_stock,
        "ladder": [*market.ladder.prices],
        "price": market.price(s),
        "pays": 0 if viewer is None else market.income(s, viewer),
        "used": market.used[s.step - 1],
        "selling": s.phase_name == "bureaucracy" and s.turn >= len(s.order),
    }


def max_price_view(s: BoardState) -> int:
    prices = s.rules.fuel_market.max_price
    assert prices is not None
    return prices[s.step - 1]


def outage_view(s: BoardState) -> OutageView:
    own = s.rules.outage
    assert own is not None
    return {"built": s.built, "most": own.houses * s.rules.players, "loss": own.loss}


def blocked_view(s: BoardState) -> list[str]:
    return [city.id for city in s.rules.map.cities if city.id in s.blocked]


def start_view(s: BoardState, viewer: BoardPlayer | None) -> dict[str, int]:
    """What a further network costs the viewer, by the city where it starts."""
    if viewer is None or viewer.reach is None:
        return {}
    sites = s.rules.sites
    starts = sites.later_starts(s, viewer)
    return {s.area.cities[city]: sites.later_start_cost(s, city) for city in starts}


def connect_view(s: BoardState, viewer: BoardPlayer | None) -> dict[str, int]:
    if viewer is None:
        return {}
    cities, sites = s.area.cities, s.rules.sites
    if viewer.reach is None:
        return {cities[city]: sites.start_cost(s, city) for city in sites.starts(s)}
    costs = zip(cities, s.slots, sites.connection_costs(s, viewer), strict=True)
    return {city: cost for city, slot, path in costs if (cost := slot + path) < CLOSED}
