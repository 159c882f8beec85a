"""The view of Outpost for readers of a few parts, which are shared while they stay the same."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import label
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import Planet
from highvoltage.games.outpost.pieces import pieces_left
from highvoltage.games.outpost.state import (
    HABITAT,
    PLANT,
    STAGES,
    Company,
    OutpostState,
    OutpostTerms,
)
from highvoltage.games.outpost.view import (
    NOTE,
    cities_view,
    company_view,
    connect_view,
    faces,
    labour_view,
    links_view,
    market_view,
    view,
)
from highvoltage.games.view import LazyView, SharedParts, auction_view
from highvoltage.views.outpost import (
    CardView,
    CityView,
    CompanyView,
    LabourView,
    MarketView,
    OutpostView,
    PlayerView,
)

FIELDS: frozenset[str] = OutpostView.__required_keys__
companies: SharedParts[LazyView] = SharedParts()
markets: SharedParts[MarketView] = SharedParts()
cities: SharedParts[dict[str, CityView]] = SharedParts()
connections: SharedParts[dict[str, dict[str, int]]] = SharedParts()
labours: SharedParts[LabourView] = SharedParts()


def lazy_view(s: OutpostState, seat: int) -> LazyView:
    """The view of a seat, computed part by part."""
    known = fixed_fields(s.rules).copy()
    known["seat"] = seat
    known["round"] = s.round
    known["phase"] = s.phase_name
    known["to_move"] = s.actor
    known["order"] = [*s.order]
    known["stage"] = STAGES[s.stage]
    known["replaced"] = [*map(label, s.replaced)]
    known["step"] = s.step
    known["robots"] = s.robots
    known["forced"] = s.rules.must_buy(s)
    known["choices"] = [s.planet.cities[city] for city in s.choices]
    return LazyView.of(s, seat, known, FIELDS, PARTS, view)


@lru_cache(maxsize=64)
def fixed_fields(rules: OutpostTerms) -> dict[str, Any]:
    """What stays the same in a whole game; copy before use."""
    reconstructed = rules.deck.reconstructed or rules.map.reconstructed
    return {
        "family": "outpost",
        "rulebook": rules.name,
        "map": rules.map.id,
        "step_2_cities": rules.step_2_cities,
        "end_cities": rules.end_cities,
        "payment": [*tables.PAYMENT],
        "station_prices": [*tables.STATION_PRICES],
        "board_spaces": tables.SPACES,
        "canvas": [*rules.map.canvas],
        "own_cards": rules.options["cards"] is not None,
        "reconstructed": reconstructed,
        "note": NOTE if reconstructed else "",
    }


@lru_cache(maxsize=4096)
def lazy_cards(rules: OutpostTerms, cards: tuple[int, ...]) -> list[CardView]:
    known = faces(rules)
    return [known[card] for card in cards]


def lazy_players(s: OutpostState, seat: int) -> list[LazyView]:
    hides = s.rules.options["money"] == "hidden" and s.outcome is None
    return [
        lazy_company(s, owner, other, hides=hides and other != seat)
        for other, owner in enumerate(s.players)
    ]


def lazy_company(
    s: OutpostState, owner: Company, seat: int | None, *, hides: bool = False
) -> LazyView:
    """A player's company, or the Syndicate's, which has no seat."""
    key = (
        *(s.rules, s.planet, seat, None if hides else owner.money, owner.cards, owner.cities),
        *(owner.network, owner.open, owner.board, owner.colonies, owner.humans),
        *(owner.robots, owner.busy, owner.powered),
    )

    return companies.find(
        -1 if seat is None else seat, key, lambda *_: make_company(s, owner, seat, hides=hides)
    )


def make_company(s: OutpostState, owner: Company, seat: int | None, *, hides: bool) -> LazyView:
    rules = s.rules
    beds, need = rules.beds_and_need(owner)
    known = {
        "money": None if hides else owner.money,
        "network": owner.network,
        "stations": pieces_left(owner, tables.STATION),
        "spaces": dict(zip(tables.KINDS, owner.open, strict=True)),
        "plants": lazy_cards(rules, owner.board[PLANT]),
        "habitats": lazy_cards(rules, owner.board[HABITAT]),
        "pool": lazy_cards(rules, owner.pool),
        "beds": beds,
        "need": need,
        "humans": owner.humans,
        "robots": owner.robots,
        "busy": owner.busy,
        "energy": rules.most_energy(owner),
        "powered": owner.powered,
    }
    if seat is not None:
        known["seat"] = seat
    then = owner.copy()  # the company itself goes on
    fields = CompanyView.__required_keys__ if seat is None else PlayerView.__required_keys__
    planet = s.planet
    return LazyView(known, fields, lambda part: company_part(rules, planet, then, part))


def company_part(rules: OutpostTerms, planet: Planet, owner: Company, part: str) -> Any:
    return company_view(rules, planet, owner)[part]  # type: ignore[literal-required]


def lazy_market(s: OutpostState, _: int) -> MarketView:
    market = s.market
    key = (
        *(s.rules, market.row, len(market.deck), s.rules.top(s)),
        *(*market.cards, None, *market.slid, None, *market.removed, None),
        *(*market.below.items(), None, *market.tokens.items()),
    )
    return markets.find(0, key, lambda *_: market_view(s.rules, s, lazy_cards))


def lazy_cities(s: OutpostState, _: int) -> dict[str, CityView]:
    return cities.find(0, (s.planet, *s.stations, *s.specials), lambda *_: cities_view(s))


def lazy_connect(s: OutpostState, seat: int) -> dict[str, dict[str, int]]:
    viewer = s.players[seat]
    key = (
        *(s.planet, viewer.structure, viewer.cities, viewer.network, viewer.open),
        *(*s.slots, *s.specials),
    )
    return connections.find(seat, key, lambda *_: connect_view(s, viewer))


def lazy_labour(s: OutpostState, seat: int) -> LabourView:
    viewer = s.players[seat]
    key = s.rules.labour_ladder(viewer), s.labour
    return labours.find(seat, key, lambda *_: labour_view(s.rules, s, viewer))


lazy_links = lru_cache(maxsize=64)(links_view)

PARTS: dict[str, Callable[[OutpostState, int], Any]] = {
    "players": lazy_players,
    "syndicate": lambda s, _: lazy_company(s, s.syndicate, None) if s.syndicate else None,
    "market": lazy_market,
    "auction": lambda s, _: auction_view(s.bidding),
    "labour": lazy_labour,
    "cities": lazy_cities,
    "connections": lambda s, _: lazy_links(s.planet),
    "connect": lazy_connect,
}
"""What is read often; the rest is taken from a full view."""
