"""What a seat may know of Outpost, as plain data, O-0.5."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.games.outpost import pieces, tables
from highvoltage.games.outpost.board import Planet
from highvoltage.games.outpost.files import is_reconstructed
from highvoltage.games.outpost.state import (
    CLOSED,
    FREE,
    HABITAT,
    PLANT,
    STAGES,
    Company,
    OutpostState,
    OutpostTerms,
)
from highvoltage.games.view import auction_view, outcome_view
from highvoltage.views.outpost import (
    CardView,
    CityView,
    CompanyView,
    ConnectionView,
    LabourView,
    MarketView,
    OutpostView,
    PlaceView,
)

Cards = Callable[[OutpostTerms, tuple[int, ...]], list[CardView]]

NOTE = (
    "The rulebook was at hand, the cards and the board were not: most card faces, the map, the"
    " connection tokens, the labour prices and most of the payments are reconstructed to fit it."
    " Owners of the printed game can load their own (options cards and map)."
)


def view(s: OutpostState, seat: int | None) -> dict[str, Any]:
    rules = s.rules
    viewer = None if seat is None else s.players[seat]
    hides = rules.options["money"] == "hidden" and s.outcome is None
    reconstructed = rules.deck.reconstructed or rules.map.reconstructed
    result: OutpostView = {
        "family": "outpost",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": list(s.order),
        "outcome": outcome_view(s.outcome),
        "seq": 0,  # filled in by the game, like the names
        "names": [],
        "map": rules.map.id,
        "stage": STAGES[s.stage],
        "replaced": list(map(label, s.replaced)),
        "step": s.step,
        "areas": list(s.planet.areas),
        "market": market_view(rules, s),
        "auction": auction_view(s.bidding),
        "forced": rules.must_buy(s),
        "labour": labour_view(rules, s, viewer),
        "robots": s.robots,
        "players": [
            {
                "seat": other,
                **company_view(rules, s.planet, player, hides=hides and other != seat),
            }
            for other, player in enumerate(s.players)
        ],
        "syndicate": company_view(rules, s.planet, s.syndicate) if s.syndicate else None,
        "canvas": list(rules.map.canvas),
        "cities": cities_view(s),
        "connections": links_view(s.planet),
        "connect": connect_view(s, viewer),
        "choices": [s.planet.cities[city] for city in s.choices],
        "step_2_cities": rules.step_2_cities,
        "end_cities": rules.end_cities,
        "payment": list(tables.PAYMENT),
        "station_prices": list(tables.STATION_PRICES),
        "board_spaces": tables.SPACES,
        "own_cards": rules.options["cards"] is not None,
        "reconstructed": reconstructed,
        "note": NOTE if reconstructed else "",
    }
    return result  # type: ignore[return-value]  # a TypedDict is a dict


def links_view(planet: Planet) -> list[ConnectionView]:
    return [{"a": a, "b": b, "cost": cost} for a, b, cost in planet.links]


def cities_view(s: OutpostState) -> dict[str, CityView]:
    cities: dict[str, CityView] = {}
    places = zip(s.planet.cities, sites(s.planet), s.stations, s.specials, strict=True)
    for city, site, stations, building in places:
        cities[city] = result = site.copy()
        result["stations"] = [*stations]
        result["building"] = None if building == FREE else building
    return cities


@lru_cache(maxsize=64)
def sites(planet: Planet) -> list[CityView]:
    """The cities before anybody builds; copy before use."""
    return [
        {
            "name": planet.names[city],
            "x": planet.spots[city][0],
            "y": planet.spots[city][1],
            "area": planet.zones[city],
            "slot": planet.kinds[city],
            "stations": [],
            "building": None,
        }
        for city in range(len(planet.cities))
    ]


@lru_cache(maxsize=64)
def faces(rules: OutpostTerms) -> dict[int, CardView]:
    """All cards; copy before use."""
    return {card: face_view(rules, card) for card in rules.faces}


def face_view(rules: OutpostTerms, card: int) -> CardView:
    face = rules.faces[card]
    assert face.number is not None
    return {
        "card": label(card),
        "number": face.number,
        "kind": face.kind,
        "back": rules.card_back(card),
        "workers": face.workers,
        "energy": face.energy,
        "places": face.places,
        "technology": face.technology,
        "spaces": [tables.KINDS[kind] for kind in rules.kinds_of(card)],
        "name": face.name,
        "reconstructed": is_reconstructed(face.source),
    }


def card_views(rules: OutpostTerms, cards: tuple[int, ...]) -> list[CardView]:
    known = faces(rules)
    result = []
    for card in cards:
        face = known[card].copy()
        face["spaces"] = face["spaces"][:]
        result.append(face)
    return result


def market_view(rules: OutpostTerms, s: OutpostState, cards: Cards = card_views) -> MarketView:
    market = s.market
    places: list[PlaceView] = [
        {
            "card": face,
            "below": cards(rules, market.below.get(card, ())),
            "tokens": list(market.tokens.get(card, ())),
            "minimum": market.minimum(card),
        }
        for card, face in zip(market.plants, cards(rules, tuple(market.plants)), strict=True)
    ]
    return {
        "current": places[: market.row],
        "future": places[market.row :],
        "step3": LAST_CARD in market.cards,
        "deck": len(market.deck),
        "back": rules.top(s) or None,
        "slid": list(map(label, market.slid)),
        "removed": [label(card) for card in market.removed if card != LAST_CARD],
    }


def labour_view(rules: OutpostTerms, s: OutpostState, viewer: Company | None) -> LabourView:
    ladder = rules.labour if viewer is None else rules.labour_ladder(viewer)
    return {
        "workers": s.labour,
        "prices": list(ladder.prices[ladder.size - s.labour :]),
        "ladder": list(ladder.prices),
    }


def company_view(
    rules: OutpostTerms, planet: Planet, owner: Company, *, hides: bool = False
) -> CompanyView:
    beds, need = rules.beds_and_need(owner)
    return {
        "money": None if hides else owner.money,
        "network": owner.network,
        "cities": [planet.cities[city] for city in owner.cities],
        "stations": pieces.pieces_left(owner, tables.STATION),
        "spaces": {"plant": owner.open[PLANT], "habitat": owner.open[HABITAT]},
        "plants": card_views(rules, owner.board[PLANT]),
        "habitats": card_views(rules, owner.board[HABITAT]),
        "pool": card_views(rules, owner.pool),
        "colonies": {
            label(card): [piece for at, piece in owner.colonies if at == card]
            for card in rules.colonies
            if card in owner.cards
        },
        "beds": beds,
        "need": need,
        "humans": owner.humans,
        "robots": owner.robots,
        "busy": owner.busy,
        "energy": rules.most_energy(owner),
        "powers": rules.most_powered(owner),
        "saving": rules.saving(owner),
        "powered": owner.powered,
    }


def connect_view(s: OutpostState, viewer: Company | None) -> dict[str, dict[str, int]]:
    """What the viewer would pay for each piece left to them that has a free slot."""
    if viewer is None:
        return {}
    stations = pieces.pieces_left(viewer, tables.STATION) > 0
    specials = {kind for kind in tables.KINDS if pieces.pieces_left(viewer, kind)}
    costs: dict[str, dict[str, int]] = {}
    cities = zip(
        *(s.planet.cities, s.planet.kinds, s.slots, s.specials),
        *(viewer.station_reach, viewer.reach),
        strict=True,
    )
    for name, kind, slot, special, path, reach in cities:
        prices = {}
        if stations and slot + path < CLOSED:
            prices[tables.STATION] = slot + path
        if special == FREE and kind in specials:
            prices[kind] = tables.SPECIAL_PRICE + reach
        if prices:
            costs[name] = prices
    return costs
