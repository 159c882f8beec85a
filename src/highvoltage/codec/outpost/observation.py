"""The observation of Outpost."""

from itertools import accumulate
from typing import Any

import numpy as np

from highvoltage.codec.observation import PlantTable, scale
from highvoltage.codec.outpost.actions import max_bid
from highvoltage.codec.outpost.layout import (
    CARD,
    CITIES,
    CITY,
    COMPANY,
    DECK,
    KINDS,
    MARKET,
    PRICES,
    SCALARS,
    SPACES,
    WHERE,
)
from highvoltage.codec.rows import ORDER, SEATS, Row, clockwise
from highvoltage.codec.spec import Array, Observation, View
from highvoltage.games.outpost import tables

SYNDICATE = -1  # among the owners of buildings
CLOSED_COST = 60  # a building that costs this much counts as closed
MISSING_PRICE = 100  # what workers cost where there are none
OWNER, BEHALF = CITY.index("owner_0"), CITY.index("syndicate")
STATION, OTHER, LINKS = (CITY.index(name) for name in ("near_station", "near_other", "links"))
ON_BOARD, OF_SEAT = len(CARD) + WHERE.index("on_board"), len(CARD) + WHERE.index("owner_0")
STAGES = ("building", "board", "hired")

CARD_SCALE = scale(CARD, number=50, workers=7, energy=8, beds=6)
SCALAR_SCALE = scale(
    SCALARS,
    round=20,
    deck=45,
    sold=SEATS,
    standing_bid=100,
    means_above_bid=100,
    **dict.fromkeys(("most_cities", "step_2_cities", "end_cities"), tables.STATIONS),
    labour=50,
    robots=tables.ROBOTS,
    **{f"workers_{count}": MISSING_PRICE for count in range(1, PRICES + 1)},
)
COMPANY_SCALE = scale(
    COMPANY,
    money_small=50,
    money_large=250,
    **dict.fromkeys(("cities", "stations", "powered"), tables.STATIONS),
    **dict.fromkeys(("plant_spaces", "habitat_spaces"), SPACES),
    **dict.fromkeys(("beds", "need", "humans", "energy"), 25),
    robots=tables.ROBOTS,
)
CITY_SCALE = scale(CITY, stations=3, links=6)

Company = dict[str, Any]


class OutpostObserver:
    """Observes games with one deck."""

    def __init__(self, cards: list[dict[str, Any]]) -> None:
        self._table = PlantTable(card_row, CARD_SCALE)
        self._rank = {card["card"]: at for at, card in enumerate(cards)}
        self._deck: Array = np.zeros((DECK, len(CARD) + len(WHERE)), np.float32)
        self._deck[:, : len(CARD)] = self._table.of(cards)

    def observe(self, view: View) -> Observation:
        owners: list[Company] = [*clockwise(view)]
        third = [view["syndicate"]] if view["syndicate"] else []
        return {
            "scalars": scalars(view),
            "players": companies(view, owners, third),
            "boards": self.boards(owners + third),
            "market": self.market(view),
            "cities": cities(view, owners),
            "cards": self.cards(view, owners + third),
        }

    def boards(self, owners: list[Company]) -> Array:
        found: Array = np.zeros((SEATS, 2 * SPACES, len(CARD)), np.float32)
        for at, owner in enumerate(owners):
            for first, cards in ((0, owner["plants"]), (SPACES, owner["habitats"])):
                if cards:
                    found[at, first : first + len(cards)] = self._table.of(cards)
        return found

    def market(self, view: View) -> Array:
        found: Array = np.zeros((MARKET, len(CARD) + 5), np.float32)
        shown = view["market"]
        places = shown["current"] + shown["future"]
        on_offer, lot = len(shown["current"]), view["auction"]["card"]
        if places:
            found[: len(places), : len(CARD)] = self._table.of([place["card"] for place in places])
        for at, place in enumerate(places):
            found[at, len(CARD) :] = (
                at < on_offer,
                place["card"]["card"] == lot,
                min(1, place["minimum"] / 50),
                min(1, sum(place["tokens"]) / 15),
                min(1, len(place["below"]) / 3),
            )
        return found

    def cards(self, view: View, owners: list[Company]) -> Array:
        found: Array = self._deck.copy()
        shown, rank = view["market"], self._rank
        first = len(CARD)
        rows = []
        for column, places in enumerate((shown["current"], shown["future"])):
            rows += [(rank[place["card"]["card"]], first + column) for place in places]
            rows += [(rank[card["card"]], first + 2) for place in places for card in place["below"]]
        rows += [(rank[card], first + 3) for card in shown["removed"]]
        rows += [(rank[card], first + 4) for card in shown["slid"]]
        for at, owner in enumerate(owners):
            for cards in (owner["plants"], owner["habitats"]):
                rows += [(rank[card["card"]], ON_BOARD) for card in cards]
            for cards in (owner["plants"], owner["habitats"], owner["pool"]):
                rows += [(rank[card["card"]], OF_SEAT + at) for card in cards]
        if rows:
            at_rows, columns = zip(*rows, strict=True)
            found[at_rows, columns] = 1
        return found


def card_row(card: dict[str, Any]) -> Row:
    kinds = [card["kind"] == kind for kind in (*KINDS, "technology")]
    return [1, card["number"], *kinds, card["workers"], card["energy"], card["places"]]


def scalars(view: View) -> Array:
    auction, market, step = view["auction"], view["market"], view["step"]
    bid = auction["bid"] if auction["card"] is not None else 0
    prices = [*accumulate(view["labour"]["prices"][:PRICES])]
    count = len(view["players"])
    row: Row = [
        *(view["round"], step == 1, step == 2, step == 3),
        *decision(view),
        view["forced"],
        *(market["deck"], market["step3"]),
        *(market["back"] == tables.PLUG, market["back"] == tables.SOCKET),
        *(auction["sold"], bid, max(0, max_bid(view) - bid)),
        max([player["network"] for player in view["players"]]),
        *(view["step_2_cities"], view["end_cities"]),
        *(view["labour"]["workers"], view["robots"]),
        *prices,
        *[MISSING_PRICE] * (PRICES - len(prices)),
        *(count == 2, count == 3, count == 4, count == 5, count == 6),
    ]
    found: Array = np.minimum(1, np.array(row, np.float32) * SCALAR_SCALE)
    return found


def decision(view: View) -> list[bool]:
    """One of eight kinds of decision; none when the game is over."""
    phase = view["phase"]
    waits = view["to_move"] is not None
    selling = waits and phase == "auction"
    bids = selling and view["auction"]["card"] is not None
    company = waits and phase == "company"
    chooses = company and bool(view["choices"])
    return [
        waits and phase == "syndicate",
        chooses,
        selling and not bids,
        bids,
        *[company and not chooses and view["stage"] == stage for stage in STAGES],
        waits and phase == "bureaucracy",
    ]


def companies(view: View, owners: list[Company], third: list[Company]) -> Array:
    found: Array = np.zeros((SEATS, len(COMPANY)), np.float32)
    auction, order = view["auction"], view["order"]
    rows: list[Row] = []
    for owner in owners + third:
        seat, money = owner.get("seat", SYNDICATE), owner["money"]
        known = money or 0
        player = seat != SYNDICATE
        technologies = {card["technology"] for card in owner["pool"]}
        technologies |= {card["technology"] for card in owner["plants"] + owner["habitats"]}
        rows.append(
            [
                *(player, not player, player and money is not None, known, known),
                *(ORDER[order.index(seat)] if player else [0] * SEATS),
                *(owner["network"], owner["stations"]),
                *(owner["spaces"][kind] for kind in KINDS),
                *(owner["beds"], owner["need"], owner["humans"], owner["robots"]),
                *(bool(owner["busy"]), owner["energy"], owner["powered"]),
                *(seat in auction["eligible"], seat in auction["bidders"]),
                *(player and seat == auction["leader"], player and seat == view["to_move"]),
                *(name in technologies for name in tables.TECHNOLOGIES),
            ]
        )
    found[: len(rows)] = np.minimum(1, np.array(rows, np.float32) * COMPANY_SCALE)
    return found


def cities(view: View, owners: list[Company]) -> Array:
    found: Array = np.zeros((CITIES, len(CITY)), np.float32)
    column = {owner["seat"]: OWNER + at for at, owner in enumerate(owners)} | {SYNDICATE: BEHALF}
    links = links_of(view)
    connect, choices, viewer = view["connect"], view["choices"], view["seat"]
    for at, (name, city) in enumerate(view["cities"].items()):
        row = found[at]
        building, slot = city["building"], city["slot"]
        row[:7] = (
            *(1, len(city["stations"]), slot == KINDS[0], slot == KINDS[1]),
            *(building is None, building == viewer, name in choices),
        )
        for seat in city["stations"]:
            row[column[seat]] = 1
        costs = connect.get(name, {})
        row[STATION] = nearness(costs.get(tables.STATION))
        row[OTHER] = nearness(costs.get(slot))
        costs_of_links = links.get(name, ())
        row[LINKS] = len(costs_of_links)
        row[LINKS + 1] = sum(1 / (1 + cost) for cost in costs_of_links)
    scaled: Array = np.minimum(1, found * CITY_SCALE)
    return scaled


def nearness(cost: int | None) -> float:
    return 0 if cost is None else max(0, 1 - cost / CLOSED_COST)


def links_of(view: View) -> dict[str, list[int]]:
    """The costs of the connections of each city."""
    found: dict[str, list[int]] = {}
    for link in view["connections"]:
        for city in (link["a"], link["b"]):
            found.setdefault(city, []).append(link["cost"])
    return found
