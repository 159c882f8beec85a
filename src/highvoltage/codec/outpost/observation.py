"""The observation of Outpost."""

from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from highvoltage.codec.observation import (
    PLAYER_COUNT,
    STEP,
    Layout,
    PartCache,
    Places,
    PlantTable,
    RowPacker,
    mark_seats,
    player_order,
    scale,
)
from highvoltage.codec.outpost.actions import max_bid
from highvoltage.codec.outpost.layout import (
    CARD,
    CITIES,
    CITY,
    COMPANY,
    DECISIONS,
    DECK,
    KINDS,
    MARKET,
    PARTS,
    PRICES,
    SCALARS,
    SPACES,
    WHERE,
)
from highvoltage.codec.rows import (
    SEATS,
    Numbers,
    Row,
    SeatColumns,
    clockwise,
    factors,
    numbers,
)
from highvoltage.codec.spec import Array, Observation, View
from highvoltage.games.outpost import tables

SYNDICATE = -1  # among the owners of buildings
CLOSED_COST = 60  # a building that costs this much counts as closed
NEAR: dict[int | None, float] = {cost: 1 - cost / CLOSED_COST for cost in range(CLOSED_COST)}
MISSING_PRICE = 100  # what workers cost where there are none
OWNER, BEHALF = CITY.index("owner_0"), CITY.index("syndicate")
STATION, OTHER, LINKS = (CITY.index(name) for name in ("near_station", "near_other", "links"))
IN_PLAY, STATIONS, SLOT, SLOT_FREE, SLOT_OWN, CHOICE = (
    CITY.index(name)
    for name in ("in_play", "stations", "plant_slot", "slot_free", "slot_own", "choice")
)
ON_BOARD, OF_SEAT = len(CARD) + WHERE.index("on_board"), len(CARD) + WHERE.index("owner_0")
PLACE, LOT = len(CARD) + 5, len(CARD) + 1  # the columns of the market
SEAT_COLUMNS = SeatColumns.of(COMPANY)
DECK_ROW = len(CARD) + len(WHERE)
# What comes after so many companies: empty rows and boards.
NO_COMPANIES = [bytes(4 * len(COMPANY) * (SEATS - count)) for count in range(SEATS + 1)]
NO_BOARDS = [bytes(4 * 2 * SPACES * len(CARD) * (SEATS - count)) for count in range(SEATS + 1)]
DECISION = {kind: SCALARS.index(kind) for kind in DECISIONS}
SOLD, STANDING_BID, ABOVE_BID = (
    SCALARS.index(name) for name in ("sold", "standing_bid", "means_above_bid")
)

CARD_SCALE = scale(CARD, number=50, workers=7, energy=8, beds=6)
SCALAR_FACTORS = factors(
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
COMPANY_FACTORS = factors(
    COMPANY,
    money_small=50,
    money_large=250,
    **dict.fromkeys(("cities", "stations", "powered"), tables.STATIONS),
    **dict.fromkeys(("plant_spaces", "habitat_spaces"), SPACES),
    **dict.fromkeys(("beds", "need", "humans", "energy"), 25),
    robots=tables.ROBOTS,
)
CITY_FACTORS = factors(CITY, stations=3, links=6)
SCALAR_ROW, COMPANY_ROW, CITY_ROW = map(RowPacker, (SCALAR_FACTORS, COMPANY_FACTORS, CITY_FACTORS))

Card = dict[str, Any]
Company = dict[str, Any]
CompanyParts = tuple[bytes, bytes, list[int], list[int]]
"""The row and the board of a company, and where the rows of its cards begin: on board, in pool."""
Built = tuple[Array, list[tuple[int, int]], dict[str, int]]
"""The cities as everybody sees them, owners by seat; where a building stands, and whose; and where
the row of each city begins."""


class OutpostObserver:
    """Observes games with one deck."""

    def __init__(self, cards: list[dict[str, Any]]) -> None:
        self._layout = Layout((part.name, part.shape) for part in PARTS)
        self._table = PlantTable(card_row, CARD_SCALE)
        self._rank = {card["card"]: at for at, card in enumerate(cards)}
        self._deck: Array = np.zeros((DECK, DECK_ROW), np.float32)
        self._deck[:, : len(CARD)] = self._table.of(cards)
        self._scalars = PartCache(scalar_bytes)
        self._company = PartCache(self.company_parts)
        self._half = PartCache(self.half_board)
        self._market = PartCache(self.market_rows)
        self._dealt = PartCache(self.dealt_rows)
        self._ground = PartCache(city_ground)
        self._built = PartCache(self.built_rows)
        self._cities = PartCache(self.city_rows)

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        third = [view["syndicate"]] if view["syndicate"] else []
        companies = self._company.each(view, owners + third)
        rows, boards, placed, pools = zip(*companies, strict=True)
        shown = view["market"]
        most_cities = max([owner["network"] for owner in owners])
        values = view["round"], view["step"], view["forced"], view["robots"], most_cities
        area = view["seat"], *view["choices"]
        memory = bytearray().join(
            (
                self._scalars.of(view, values, shown, view["labour"]),
                *(*rows, NO_COMPANIES[len(rows)], *boards, NO_BOARDS[len(rows)]),
                self._market.of(view, (), shown),
                self._cities.of(view, area, view["cities"], view["connect"]),
                self._dealt.of(view, (), shown),
            )
        )
        found = numbers(memory)
        mark_owned(placed, pools, found)
        self.mark_moment(view, found)
        return self._layout.split(memory)

    def mark_moment(self, view: View, found: Numbers) -> None:
        """Enter the kind of decision, the turn order and the auction."""
        SCALAR_ROW.mark(found, quick_scalars(view))  # the first part
        first = self._layout.first
        seats = rows_by_seat(view["seat"], len(view["players"]), first["players"])
        mark_seats(view, seats, SEAT_COLUMNS, found)
        mark_lot(view, found, first["market"])

    def company_parts(self, view: View, owner: Company) -> CompanyParts:
        board = b"".join(self._half.each(view, [owner["plants"], owner["habitats"]]))
        placed = self.deck_rows(owner["plants"] + owner["habitats"])
        return company_row(owner), board, placed, self.deck_rows(owner["pool"])

    def deck_rows(self, cards: list[Card]) -> list[int]:
        """Where the rows of some cards begin."""
        first = self._layout.first["cards"]
        return [first + DECK_ROW * self._rank[card["card"]] for card in cards]

    def half_board(self, _: View, cards: list[Card]) -> bytes:
        found: Array = np.zeros((SPACES, len(CARD)), np.float32)
        if cards:
            found[: len(cards)] = self._table.of(cards)
        return found.tobytes()

    def market_rows(self, _: View, shown: View) -> bytes:
        """The places of the market, without the card up for auction."""
        found: Array = np.zeros((MARKET, PLACE), np.float32)
        places = shown["current"] + shown["future"]
        on_offer = len(shown["current"])
        if places:
            found[: len(places), : len(CARD)] = self._table.of([place["card"] for place in places])
        for at, place in enumerate(places):
            found[at, len(CARD) :] = (
                *(at < on_offer, 0),
                min(1, place["minimum"] / 50),
                min(1, sum(place["tokens"]) / 15),
                min(1, len(place["below"]) / 3),
            )
        return found.tobytes()

    def dealt_rows(self, _: View, shown: View) -> bytes:
        """All cards; which of them are in the market, and which have left the game."""
        found: Array = self._deck.copy()
        rank, first = self._rank, len(CARD)
        for column, places in enumerate((shown["current"], shown["future"])):
            for place in places:
                found[rank[place["card"]["card"]], first + column] = 1
                for card in place["below"]:
                    found[rank[card["card"]], first + 2] = 1
        found[[rank[card] for card in shown["removed"]], first + 3] = 1
        found[[rank[card] for card in shown["slid"]], first + 4] = 1
        return found.tobytes()

    def city_rows(
        self, view: View, there: dict[str, View], connect: dict[str, dict[str, int]]
    ) -> bytes:
        viewer = view["seat"]
        built, buildings, first = self._built.of(view, (), there)
        found: Array = built.take(city_order(viewer, len(view["players"])), axis=1)
        memory = bytearray(found.data.cast("B"))
        marks = numbers(memory)
        for row, owner in buildings:
            if owner == viewer:
                marks[row + SLOT_OWN] = 1
        for name, costs in connect.items():
            marks[first[name] + STATION] = NEAR.get(costs.get(tables.STATION), 0)
            marks[first[name] + OTHER] = NEAR.get(costs.get(there[name]["slot"]), 0)
        for choice in view["choices"]:
            marks[first[choice] + CHOICE] = 1
        return bytes(memory)

    def built_rows(self, view: View, there: dict[str, View]) -> Built:
        memory = bytearray(self._ground.of(view, (), view["connections"]))
        found, row = numbers(memory), 0
        buildings: list[tuple[int, int]] = []
        for city in there.values():
            if stations := city["stations"]:
                found[row + STATIONS] = len(stations) * CITY_ROW.factor(STATIONS)
                for seat in stations:
                    found[row + (BEHALF if seat == SYNDICATE else OWNER + seat)] = 1
            if city["building"] is not None:
                found[row + SLOT_FREE] = 0
                buildings.append((row, city["building"]))
            row += len(CITY)
        rows = np.frombuffer(memory, np.float32).reshape(CITIES, len(CITY))
        return rows, buildings, dict(zip(there, range(0, row, len(CITY)), strict=True))


def mark_owned(placed: Iterable[list[int]], pools: Iterable[list[int]], found: Numbers) -> None:
    """Mark the owner of each card, viewer first, and which lie on a company's board."""
    for column, cards in enumerate(placed, OF_SEAT):
        for card in cards:
            found[card + ON_BOARD] = found[card + column] = 1
    for column, cards in enumerate(pools, OF_SEAT):
        for card in cards:
            found[card + column] = 1


def mark_lot(view: View, found: Numbers, market: int) -> None:
    """Mark the card up for auction; `market` is where that part begins."""
    lot = view["auction"]["card"]
    if lot is not None:
        for at, place in enumerate(view["market"]["current"]):
            if place["card"]["card"] == lot:
                found[market + PLACE * at + LOT] = 1


@cache
def rows_by_seat(viewer: int, players: int, first: int) -> dict[int, int]:
    """Where the row of each seat begins, and that of the Syndicate."""
    rows = {seat: (seat - viewer) % players for seat in range(players)} | {SYNDICATE: players}
    return {seat: first + len(COMPANY) * row for seat, row in rows.items()}


def card_row(card: dict[str, Any]) -> Row:
    kinds = [card["kind"] == kind for kind in (*KINDS, "technology")]
    return [1, card["number"], *kinds, card["workers"], card["energy"], card["places"]]


def quick_scalars(view: View) -> list[tuple[int, int]]:
    """What changes with every decision: pairs of a column and a count."""
    auction = view["auction"]
    bid = auction["bid"] if auction["card"] is not None else 0
    means = max_bid(view["players"][view["seat"]])
    found = [(SOLD, auction["sold"]), (STANDING_BID, bid), (ABOVE_BID, max(0, means - bid))]
    if (kind := decision(view)) in DECISION:
        found.append((DECISION[kind], 1))
    return found


def scalar_bytes(view: View, market: View, labour: View) -> bytes:
    """What does not change with every decision."""
    prices = [*accumulate(labour["prices"][:PRICES])]
    row: Row = [
        view["round"],
        *STEP[view["step"]],
        *[0] * len(DECISIONS),
        view["forced"],
        *(market["deck"], market["step3"]),
        *(market["back"] == tables.PLUG, market["back"] == tables.SOCKET),
        *(0, 0, 0),
        max([player["network"] for player in view["players"]]),
        *(view["step_2_cities"], view["end_cities"]),
        *(labour["workers"], view["robots"]),
        *prices,
        *[MISSING_PRICE] * (PRICES - len(prices)),
        *PLAYER_COUNT[len(view["players"])],
    ]
    return SCALAR_ROW.pack(row)


def decision(view: View) -> str:
    """The kind of decision; empty when the game is over."""
    phase: str = view["phase"]
    if view["to_move"] is None:
        return ""
    if phase == "auction":
        return "nominate" if view["auction"]["card"] is None else "bid"
    if phase == "company":
        stage: str = view["stage"]
        return "syndicate" if view["choices"] else stage
    return "set_up" if phase == "syndicate" else phase


def company_row(owner: Company) -> bytes:
    """What does not depend on the moment; the Syndicate has no seat."""
    money = owner["money"]
    known = money or 0
    player = "seat" in owner
    cards = owner["pool"] + owner["plants"] + owner["habitats"]
    technologies = {card["technology"] for card in cards}
    row: Row = [
        *(player, not player, player and money is not None, known, known, 0, 0, 0, 0, 0, 0),
        *(owner["network"], owner["stations"]),
        *(owner["spaces"][kind] for kind in KINDS),
        *(owner["beds"], owner["need"], owner["humans"], owner["robots"]),
        *(bool(owner["busy"]), owner["energy"], owner["powered"], 0, 0, 0, 0),
        *(name in technologies for name in tables.TECHNOLOGIES),
    ]
    return COMPANY_ROW.pack(row)


def city_ground(view: View, links: list[View]) -> bytes:
    """What never changes of the cities: the kind of their slot, and their connections."""
    costs: dict[str, list[int]] = {}
    for link in links:
        for city in (link["a"], link["b"]):
            costs.setdefault(city, []).append(link["cost"])
    rows = []
    for name, city in view["cities"].items():
        row: Row = [0] * len(CITY)
        row[IN_PLAY] = row[SLOT_FREE] = 1
        row[SLOT : SLOT + len(KINDS)] = [city["slot"] == kind for kind in KINDS]
        paths = costs.get(name, ())
        row[LINKS:] = len(paths), min(1, sum(1 / (1 + cost) for cost in paths))
        rows.append(CITY_ROW.pack(row))
    return b"".join(rows).ljust(4 * CITIES * len(CITY), b"\0")


@cache
def city_order(viewer: int, players: int) -> Places:
    """The columns of cities, from seat order to viewer first."""
    columns = np.arange(len(CITY))
    columns[OWNER : OWNER + SEATS] = OWNER + player_order(viewer, players)
    return columns
