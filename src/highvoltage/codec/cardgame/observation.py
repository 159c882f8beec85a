"""The observation of the card game."""

from typing import Any

import numpy as np

from highvoltage.codec.cardgame.layout import (
    CARD,
    CARDS,
    FUEL,
    FUELS,
    MARKET,
    PLAYER,
    SCALARS,
    SLOTS,
    UNITS,
)
from highvoltage.codec.observation import PlantTable, scale
from highvoltage.codec.rows import ORDER, SEATS, Row, clockwise, demolition
from highvoltage.codec.spec import Array, Observation, View
from highvoltage.engine.cards import number_of, parse_card

SCALAR_SCALE = scale(
    SCALARS,
    round=12,
    deck=40,
    above_end=40,
    sold=SEATS,
    pile=40,
    column_size=6,
    standing_bid=40,
    money_above_bid=40,
    reshuffles=3,
    demolition_first=20,
    demolition_later=20,
)
PLAYER_SCALE = scale(
    PLAYER,
    money_small=20,
    money_large=100,
    income=40,
    all_run=40,
    **dict.fromkeys(FUELS, 18),
)
CARD_SCALE = scale(CARD, number=50, need=3, income=15)
FUEL_SCALE = scale(
    FUEL, **(dict.fromkeys(FUEL, 6) | {"held": 18, "room": 18, "in_1": 12, "singles": 12})
)


class CardObserver:
    """Observes games of the card game."""

    def __init__(self) -> None:
        self._plants = PlantTable(plant_row, CARD_SCALE, face)  # decks may have different faces

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        third = [view["bank"]] if "bank" in view else []
        return {
            "scalars": scalars(view),
            "players": player_rows(view, owners, third),
            "plants": self.plants(view, owners + third),
            "market": self.market(view),
            "fuel": fuel(view),
            "cards": cards(view, owners + third),
        }

    def plants(self, view: View, owners: list[dict[str, Any]]) -> Array:
        found: Array = np.zeros((SEATS, SLOTS, len(CARD) + 1), np.float32)
        for at, owner in enumerate(owners):
            if owner["plants"]:
                found[at, : len(owner["plants"]), :-1] = self._plants.of(owner["plants"])
        auction = view["auction"]
        if auction["scrapping"] is not None:
            seats = [owner.get("seat") for owner in owners]
            at = seats.index(auction["scrapping"])
            hand = [plant["card"] for plant in owners[at]["plants"]]
            found[at, hand.index(auction["card"]), -1] = 1
        return found

    def market(self, view: View) -> Array:
        found: Array = np.zeros((MARKET, len(CARD) + 3), np.float32)
        shown = view["market"]
        plants = shown["current"] + shown["future"]
        if plants:
            found[: len(plants), :-3] = self._plants.of(plants)
        found[: len(shown["current"]), -3] = 1
        lot, discount = view["auction"]["card"], shown["discount"]
        for at, plant in enumerate(plants):
            found[at, -2:] = (plant["card"] == lot, plant["card"] == discount)
        return found


def face(plant: dict[str, Any]) -> tuple[Any, ...]:
    return (plant["card"], plant["need"], plant["income"], *plant["fuels"])


def plant_row(plant: dict[str, Any]) -> Row:
    fuels = plant["fuels"]
    burns = [fuel in fuels for fuel in FUELS]
    return [1, plant["number"], plant["need"], plant["income"], *burns, not fuels]


def scalars(view: View) -> Array:
    auction, market, pile = view["auction"], view["market"], view["fuel"]
    players, above = view["players"], market["above_end"]
    bid = auction["bid"] if auction["card"] is not None else 0
    count = len(players)
    row: Row = [
        view["round"],
        view["last"],
        *decision(view),
        *(market["deck"], above or 0, above is not None, market["end"]),
        *(market["back"] == "small", market["back"] == "large"),
        auction["sold"],
        bid,
        max(0, players[view["seat"]]["money"] - bid),
        *(pile["pile"], pile["reshuffles"], pile["column_size"]),
        *(count == 2, count == 3, count == 4, count == 5, count == 6),
        *demolition(view),
    ]
    found: Array = np.minimum(1, np.array(row, np.float32) * SCALAR_SCALE)
    return found


def decision(view: View) -> list[bool]:
    """Nominate, bid, scrap, fuel or bureaucracy; none when the game is over."""
    phase, auction = view["phase"], view["auction"]
    waits = view["to_move"] is not None
    selling = waits and phase == "auction"
    scraps = selling and auction["scrapping"] is not None
    bids = selling and not scraps and auction["card"] is not None
    nominates = selling and not scraps and not bids
    return [nominates, bids, scraps, waits and phase == "fuel", waits and phase == "bureaucracy"]


def player_rows(view: View, owners: list[dict[str, Any]], third: list[dict[str, Any]]) -> Array:
    found: Array = np.zeros((SEATS, len(PLAYER)), np.float32)
    auction, order = view["auction"], view["order"]
    rows: list[Row] = []
    for player in owners:
        seat, money = player["seat"], player["money"]
        known = money or 0
        rows.append(
            [
                *(1, 0, money is not None, known, known),
                *ORDER[order.index(seat)],
                player["income"],
                sum([plant["income"] for plant in player["plants"]]),
                *player["fuel"].values(),
                seat in auction["eligible"],
                seat in auction["bidders"],
                seat == auction["leader"],
                seat == view["to_move"],
            ]
        )
    rows += map(bank_row, third)
    found[: len(rows)] = np.minimum(1, np.array(rows, np.float32) * PLAYER_SCALE)
    return found


def bank_row(bank: dict[str, Any]) -> Row:
    columns = dict.fromkeys(PLAYER, 0) | {"bank": 1}
    columns["all_run"] = sum(plant["income"] for plant in bank["plants"])
    for card in bank["store"]:
        columns[card["fuel"]] += card["units"]
    return list(columns.values())


def fuel(view: View) -> Array:
    """Cards by fuel, column and units; a single is in the first column or in the supply."""
    shown, viewer = view["fuel"], view["players"][view["seat"]]
    found: Array = np.zeros((len(FUELS), len(FUEL)), np.float32)
    found[:, 0] = [*viewer["fuel"].values()]
    found[:, 1] = [max(0, room) for room in viewer["room"].values()]
    found[:, -1] = [*shown["singles"].values()]
    singles, *columns = shown["columns"]
    for card in singles:
        found[FUELS.index(card["fuel"]), 2] += 1
    for at, pile in enumerate([*columns, shown["discard"], shown["waiting"]]):
        for card in pile:
            found[FUELS.index(card["fuel"]), 2 + at * UNITS + card["units"]] += 1
    scaled: Array = np.minimum(1, found * FUEL_SCALE)
    return scaled


def cards(view: View, owners: list[dict[str, Any]]) -> Array:
    """How many plants of each number are face up, owned, gone, under the deck; divided by four."""
    found: Array = np.zeros((CARDS, 4), np.float32)
    shown = view["market"]
    for plant in shown["current"] + shown["future"]:
        found[plant["number"], 0] += 0.25
    for owner in owners:
        for plant in owner["plants"]:
            found[plant["number"], 1] += 0.25
    for column, gone in ((2, shown["removed"]), (3, shown["slid"])):
        for card in gone:
            found[number_of(parse_card(card)), column] += 0.25
    return np.minimum(1, found)
