"""The observation of the board games: a view as arrays, the viewer's own things first."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from highvoltage.codec.board.ground import Ground, Grounds
from highvoltage.codec.board.layout import (
    CARD,
    CARDS,
    CITY,
    FIRST_CARD,
    FUELS,
    MARKET,
    PLAYER,
    PRICES,
    SEATS,
    SLOTS,
)
from highvoltage.codec.spec import Array, CodecError, Observation, View

CARTEL, MARK = -1, -2  # in the houses of a city
START_PRICE = 10
NEAR = 80  # a city that costs so much is as good as closed
HOUSES, SLOT_PRICE, START, MARKED, OF_CARTEL = (
    CITY.index(name) for name in ("houses", "slot_price", "start", "marked", "cartel")
)
OWNER, NEARNESS = CITY.index("owner_0"), CITY.index("near_0")
SET_UP = ("regions", "cartel", "marks")
TURNS = ("fuel", "building", "bureaucracy")
NO_PLANT = [0.0] * len(CARD)


def observe(grounds: Grounds, view: View) -> Observation:
    seat = view["seat"]
    if seat is None:
        raise CodecError("a spectator has no observation: take the view of a seat")
    count = len(view["players"])
    seats = [(seat + i) % count for i in range(count)]
    return {
        "scalars": scalars(view),
        "players": players(view, seats),
        "plants": plants(view, seats),
        "market": market(view),
        "fuel": fuel(view),
        "cities": cities(grounds, view, seats),
        "cards": cards(view),
        "regions": regions(grounds, view),
    }


def scalars(view: View) -> Array:
    auction, market = view["auction"], view["market"]
    bid = auction["bid"] if auction["card"] is not None else 0
    above = view["players"][view["seat"]]["money"] - bid
    count = len(view["players"])
    return np.array(
        [
            min(1, view["round"] / 20),
            *(view["step"] == step for step in (1, 2, 3)),
            *decision(view),
            min(1, market["deck"] / 40),
            market["step3"],
            market.get("back") == "plug",
            market.get("back") == "socket",
            auction["sold"] / SEATS,
            min(1, bid / 100),
            min(1, max(0, above / 100)),
            min(1, max(len(player["cities"]) for player in view["players"]) / 21),
            min(1, view["step_2_cities"] / 21),
            min(1, view["end_cities"] / 21),
            *(count == players for players in (2, 3, 4, 5, 6)),
            *demolition(view),
        ],
        np.float32,
    )


def decision(view: View) -> list[bool]:
    """One of nine kinds of decision; none when the game is over."""
    phase, auction = view["phase"], view["auction"]
    waits = view["to_move"] is not None
    selling = waits and phase == "auction"
    scraps = selling and auction["scrapping"] is not None
    bids = selling and not scraps and auction["card"] is not None
    return [
        *(waits and phase == name for name in SET_UP),
        selling and not scraps and not bids,
        bids,
        scraps,
        *(waits and phase == name for name in TURNS),
    ]


def demolition(view: View) -> list[float]:
    told = view.get("demolition")
    if told is None:
        return [0, 0, 0, 0]
    first, later = told["stack"][0]
    return [1, min(1, first / 20), min(1, later / 20), told["paid"]]


def plant_row(plant: dict[str, Any]) -> list[float]:
    fuels = plant["fuels"]
    return [
        1,
        min(1, plant["number"] / 50),
        plant["need"] / 3,
        min(1, plant["powers"] / 7),
        *(fuel in fuels for fuel in FUELS),
        not fuels,
    ]


def players(view: View, seats: Sequence[int]) -> Array:
    found: Array = np.zeros((SEATS, len(PLAYER)), np.float32)
    auction = view["auction"]
    leader = auction["leader"]
    rows = []
    for seat in seats:
        player = view["players"][seat]
        money = player["money"]
        place = view["order"].index(seat)
        rows.append(
            [
                1,
                0,
                money is not None,
                min(1, (money or 0) / 50),
                min(1, (money or 0) / 250),
                *(place == i for i in range(SEATS)),
                min(1, len(player["cities"]) / 21),
                min(1, sum([plant["powers"] for plant in player["plants"]]) / 21),
                min(1, player["supplied"] / 21),
                *(player["fuel"][fuel] / 24 for fuel in FUELS),
                seat in auction["eligible"],
                seat in auction["bidders"],
                seat == leader,
                seat == view["to_move"],
                0,
            ]
        )
    if "cartel" in view:
        rows.append(cartel_row(view["cartel"]))
    found[: len(rows)] = rows
    return found


def cartel_row(cartel: dict[str, Any]) -> list[float]:
    powers = sum(plant["powers"] for plant in cartel["plants"])
    row = [0.0] * len(PLAYER)
    row[1] = 1
    row[PLAYER.index("powers")] = min(1, powers / 21)
    first = PLAYER.index(FUELS[0])
    row[first : first + len(FUELS)] = [cartel["fuel"][fuel] / 24 for fuel in FUELS]
    row[-1] = cartel["reserve"] / 16
    return row


def plants(view: View, seats: Sequence[int]) -> Array:
    found: Array = np.zeros((SEATS, SLOTS, len(CARD) + 1), np.float32)
    owners = [view["players"][seat]["plants"] for seat in seats]
    if "cartel" in view:
        owners.append(view["cartel"]["plants"])
    new = view["auction"]["card"] if view["auction"]["scrapping"] is not None else None
    for at, owned in enumerate(owners):
        if owned:
            rows = [[*plant_row(plant), plant["card"] == new] for plant in owned]
            found[at, : len(rows)] = rows
    return found


def market(view: View) -> Array:
    found: Array = np.zeros((MARKET, len(CARD) + 3), np.float32)
    shown = view["market"]
    lot, discount = view["auction"]["card"], shown.get("discount")
    rows = [
        [*plant_row(plant), on_offer, plant["card"] == lot, plant["card"] == discount]
        for on_offer, row in ((1, shown["current"]), (0, shown["future"]))
        for plant in row
    ]
    if rows:
        found[: len(rows)] = rows
    return found


def fuel(view: View) -> Array:
    viewer = view["players"][view["seat"]]
    rows = []
    for kind in FUELS:
        shelf = view["fuel"][kind]
        rows.append(
            [
                shelf["stock"] / 24,
                min(1, shelf["supply"] / 24),
                min(1, shelf["refill"] / 12),
                viewer["fuel"][kind] / 24,
                min(1, max(0, viewer["room"][kind] / 24)),
                *prices_together(shelf["prices"]),
            ]
        )
    return np.array(rows, np.float32)


def prices_together(prices: list[int]) -> list[float]:
    """What one token costs, two together, and so on; 1 where there are not so many."""
    found: list[float] = [1] * PRICES
    total = 0
    for at, price in enumerate(prices[:PRICES]):
        total += price
        found[at] = min(1, total / 100)
    return found


def cities(grounds: Grounds, view: View, seats: Sequence[int]) -> Array:
    if view["phase"] == "regions":
        return grounds.nowhere.copy()
    ground = grounds.of(view["regions"])
    found: Array = ground.blank.copy()
    count = len(ground.cities)
    columns = {seat: OWNER + at for at, seat in enumerate(seats)}
    columns |= {CARTEL: OF_CARTEL, MARK: MARKED}
    houses = np.zeros(count, np.int64)
    at_rows: list[int] = []
    at_columns: list[int] = []
    for city, owners in view["houses"].items():
        row = ground.row[city]
        houses[row] = len(owners)
        at_rows += [row] * len(owners)
        at_columns += [columns[owner] for owner in owners]
    found[at_rows, at_columns] = 1
    found[:count, HOUSES] = houses / 3
    prices = np.array([*view["house_prices"], 0], np.float32)
    slot = prices[np.where(houses < view["step"], houses, -1)]
    found[:count, SLOT_PRICE] = slot / 20
    marked = found[:count, MARKED]
    start = marked if marked.any() else houses == 0
    found[:count, START] = start
    for at, seat in enumerate(seats):
        found[:count, NEARNESS + at] = nearness(
            ground, view["players"][seat]["cities"], slot, start
        )
    return found


def nearness(ground: Ground, own: list[str], slot: Array, start: Array) -> Array:
    """1 less the price of each city for a seat, in eighties; 0 where it may not build."""
    if not own:
        return start * np.float32(1 - START_PRICE / NEAR)
    rows = [ground.row[city] for city in own]
    price = slot + ground.distance[rows].min(axis=0)
    near: Array = np.where(slot > 0, np.maximum(0, 1 - price / NEAR), 0)
    near[rows] = 0
    return near


def cards(view: View) -> Array:
    found: Array = np.zeros((CARDS, 4), np.float32)
    shown = view["market"]
    owners = [*view["players"], view["cartel"]] if "cartel" in view else view["players"]
    for column, numbers in enumerate(
        (
            [plant["number"] for plant in (*shown["current"], *shown["future"])],
            [plant["number"] for owner in owners for plant in owner["plants"]],
            shown["removed"],
            shown["slid"],
        )
    ):
        found[[number - FIRST_CARD for number in numbers], column] = 1
    return found


def regions(grounds: Grounds, view: View) -> Array:
    found: Array = grounds.regions.copy()
    chosen = set(view["regions"])
    for at, region in enumerate(grounds.board.regions):
        found[at, 1] = region in chosen
    return found
