"""The observation of Outpost."""

from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from highvoltage.codec.observation import (
    PLAYER_COUNT,
    STEP,
    Buffer,
    PartCache,
    Places,
    PlantTable,
    RowPacker,
    mark_seats,
    one_of,
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
from highvoltage.codec.rows import SEATS, Row, SeatColumns, clockwise
from highvoltage.codec.spec import Array, Observation, View
from highvoltage.games.outpost import tables

SYNDICATE = -1  # among the owners of buildings
CLOSED_COST = 60  # a building that costs this much counts as closed
NEAR: dict[int | None, float] = {cost: 1 - cost / CLOSED_COST for cost in range(CLOSED_COST)}
NO_COSTS: dict[str, int] = {}  # of a city where the viewer cannot build
MISSING_PRICE = 100  # what workers cost where there are none
OWNER, BEHALF = CITY.index("owner_0"), CITY.index("syndicate")
STATION, OTHER, LINKS = (CITY.index(name) for name in ("near_station", "near_other", "links"))
IN_PLAY, STATIONS, SLOT, SLOT_FREE, SLOT_OWN, CHOICE = (
    CITY.index(name)
    for name in ("in_play", "stations", "plant_slot", "slot_free", "slot_own", "choice")
)
ON_BOARD, OF_SEAT = len(CARD) + WHERE.index("on_board"), len(CARD) + WHERE.index("owner_0")
HANDS = ("plants", "habitats", "pool")
LOT = len(CARD) + 1
SEAT_COLUMNS = SeatColumns.of(COMPANY)
NO_COMPANY, NO_BOARD = bytes(4 * len(COMPANY)), bytes(4 * 2 * SPACES * len(CARD))
*DECISION_ROWS, NO_DECISION = one_of(len(DECISIONS))
DECISION = dict(zip(DECISIONS, DECISION_ROWS, strict=True))

CARD_SCALE = scale(CARD, number=50, workers=7, energy=8, beds=6)
SCALAR_ROW = RowPacker.of(
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
COMPANY_ROW = RowPacker.of(
    COMPANY,
    money_small=50,
    money_large=250,
    **dict.fromkeys(("cities", "stations", "powered"), tables.STATIONS),
    **dict.fromkeys(("plant_spaces", "habitat_spaces"), SPACES),
    **dict.fromkeys(("beds", "need", "humans", "energy"), 25),
    robots=tables.ROBOTS,
)
CITY_SCALE = scale(CITY, stations=3, links=6)

Card = dict[str, Any]
Company = dict[str, Any]


class OutpostObserver:
    """Observes games with one deck."""

    def __init__(self, cards: list[dict[str, Any]]) -> None:
        self._buffer = Buffer((part.name, part.shape) for part in PARTS)
        self._table = PlantTable(card_row, CARD_SCALE)
        self._rank = {card["card"]: at for at, card in enumerate(cards)}
        self._deck: Array = np.zeros((DECK, len(CARD) + len(WHERE)), np.float32)
        self._deck[:, : len(CARD)] = self._table.of(cards)
        self._company = PartCache(company_row)
        self._half = PartCache(self.half_board)
        self._boards = PartCache(self.board_rows)
        self._market = PartCache(self.market_rows)
        self._dealt = PartCache(self.dealt_rows)
        self._cards = PartCache(self.card_rows)
        self._ground = PartCache(city_ground)
        self._built = PartCache(self.built_rows)
        self._cities = PartCache(self.city_rows)

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        third = [view["syndicate"]] if view["syndicate"] else []
        seat, count = view["seat"], len(owners)
        choices = tuple(view["choices"])
        there, connect = view["cities"], view["connect"]
        by_seat = view["players"] + third
        hands = [owner[place] for owner in by_seat for place in HANDS]
        companies = self._company.each(view, owners + third)
        boards = self._boards.of(view, (), *hands)
        observation = self._buffer.split(
            (
                SCALAR_ROW.pack(scalars(view, owners[0])),
                *(*companies, *[NO_COMPANY] * (SEATS - len(companies))),
                *(*boards[seat:count], *boards[:seat], *boards[count:]),
                self._market.of(view, (), view["market"]),
                self._cities.of(view, (seat, choices), there, connect),
                self._cards.of(view, (), view["market"], *hands)
                .take(card_order(seat, count), axis=1)
                .tobytes(),
            )
        )
        seats = rows_by_seat(view["seat"], len(view["players"]))
        mark_seats(view, seats, SEAT_COLUMNS, observation["players"])
        mark_lot(view, observation["market"])
        return observation

    def board_rows(self, view: View, *hands: list[Card]) -> list[bytes]:
        """The boards by seat; of three hands, plants, habitats and pool, the last is on none."""
        size = len(HANDS)
        boards = [
            b"".join(self._half.each(view, [*hands[at : at + size - 1]]))
            for at in range(0, len(hands), size)
        ]
        return boards + [NO_BOARD] * (SEATS - len(boards))

    def half_board(self, _: View, cards: list[Card]) -> bytes:
        found: Array = np.zeros((SPACES, len(CARD)), np.float32)
        if cards:
            found[: len(cards)] = self._table.of(cards)
        return found.tobytes()

    def market_rows(self, _: View, shown: View) -> bytes:
        """The places of the market, without the card up for auction."""
        found: Array = np.zeros((MARKET, len(CARD) + 5), np.float32)
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

    def card_rows(self, view: View, shown: View, *hands: list[Card]) -> Array:
        """All cards; owners by seat."""
        found: Array = self._dealt.of(view, (), shown).copy()
        rank = self._rank
        rows: list[int] = []
        columns: list[int] = []
        for at, cards in enumerate(hands):
            seat, place = divmod(at, len(HANDS))
            owned = [rank[card["card"]] for card in cards]
            rows += owned
            columns += [OF_SEAT + seat] * len(owned)
            if HANDS[place] != "pool":
                rows += owned
                columns += [ON_BOARD] * len(owned)
        found[rows, columns] = 1
        return found

    def dealt_rows(self, _: View, shown: View) -> Array:
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
        return found

    def city_rows(
        self, view: View, there: dict[str, View], connect: dict[str, dict[str, int]]
    ) -> bytes:
        viewer, cities = view["seat"], there.values()
        found: Array = self._built.of(view, (), there).take(
            city_order(viewer, len(view["players"])), axis=1
        )
        rows = found[: len(there)]
        rows[:, SLOT_OWN] = [city["building"] == viewer for city in cities]
        costs = [(city["slot"], connect.get(name, NO_COSTS)) for name, city in there.items()]
        rows[:, STATION] = [NEAR.get(each.get(tables.STATION), 0) for _, each in costs]
        rows[:, OTHER] = [NEAR.get(each.get(slot), 0) for slot, each in costs]
        for city in view["choices"]:
            found[[*there].index(city), CHOICE] = 1
        return found.tobytes()

    def built_rows(self, view: View, there: dict[str, View]) -> Array:
        """The cities as everybody sees them, owners by seat."""
        found: Array = self._ground.of(view, (), view["connections"]).copy()
        rows = found[: len(there)]
        for at, city in enumerate(there.values()):
            for seat in city["stations"]:
                rows[at, BEHALF if seat == SYNDICATE else OWNER + seat] = 1
        rows[:, STATIONS] = [len(city["stations"]) for city in there.values()]
        rows[:, SLOT_FREE] = [city["building"] is None for city in there.values()]
        found *= CITY_SCALE
        return np.minimum(found, 1, out=found)


def mark_lot(view: View, market: Array) -> None:
    """Mark the card up for auction."""
    lot = view["auction"]["card"]
    if lot is not None:
        for at, place in enumerate(view["market"]["current"]):
            if place["card"]["card"] == lot:
                market[at, LOT] = 1


@cache
def rows_by_seat(viewer: int, players: int) -> dict[int, int]:
    """The row of each seat, and of the Syndicate."""
    rows = {seat: (seat - viewer) % players for seat in range(players)}
    return rows | {SYNDICATE: players}


@cache
def card_order(viewer: int, players: int) -> Places:
    """The columns of cards, from seat order to viewer first."""
    columns = np.arange(len(CARD) + len(WHERE))
    columns[OF_SEAT : OF_SEAT + SEATS] = OF_SEAT + player_order(viewer, players)
    return columns


def card_row(card: dict[str, Any]) -> Row:
    kinds = [card["kind"] == kind for kind in (*KINDS, "technology")]
    return [1, card["number"], *kinds, card["workers"], card["energy"], card["places"]]


def scalars(view: View, viewer: Company) -> Row:
    auction, market = view["auction"], view["market"]
    bid = auction["bid"] if auction["card"] is not None else 0
    prices = [*accumulate(view["labour"]["prices"][:PRICES])]
    return [
        view["round"],
        *STEP[view["step"]],
        *DECISION.get(decision(view), NO_DECISION),
        view["forced"],
        *(market["deck"], market["step3"]),
        *(market["back"] == tables.PLUG, market["back"] == tables.SOCKET),
        *(auction["sold"], bid, max(0, max_bid(viewer) - bid)),
        max([player["network"] for player in view["players"]]),
        *(view["step_2_cities"], view["end_cities"]),
        *(view["labour"]["workers"], view["robots"]),
        *prices,
        *[MISSING_PRICE] * (PRICES - len(prices)),
        *PLAYER_COUNT[len(view["players"])],
    ]


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


def company_row(_: View, owner: Company) -> bytes:
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


def city_ground(view: View, links: list[View]) -> Array:
    """What never changes of the cities: the kind of their slot, and their connections."""
    found: Array = np.zeros((CITIES, len(CITY)), np.float32)
    costs: dict[str, list[int]] = {}
    for link in links:
        for city in (link["a"], link["b"]):
            costs.setdefault(city, []).append(link["cost"])
    for at, (name, city) in enumerate(view["cities"].items()):
        found[at, IN_PLAY] = 1
        found[at, SLOT : SLOT + len(KINDS)] = [city["slot"] == kind for kind in KINDS]
        paths = costs.get(name, ())
        found[at, LINKS:] = len(paths), sum(1 / (1 + cost) for cost in paths)
    return found


@cache
def city_order(viewer: int, players: int) -> Places:
    """The columns of cities, from seat order to viewer first."""
    columns = np.arange(len(CITY))
    columns[OWNER : OWNER + SEATS] = OWNER + player_order(viewer, players)
    return columns
