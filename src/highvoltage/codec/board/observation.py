"""The observation of the board games: a view as arrays, the viewer's rows first.

Counts are collected as integers and scaled together; parts that rarely change are cached.
"""

from collections.abc import Mapping
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

from highvoltage.codec.board.actions import STORED_PREFIX
from highvoltage.codec.board.areas import UNREACHABLE
from highvoltage.codec.board.features import AreaFeatureCache, AreaFeatures
from highvoltage.codec.board.layout import (
    CARD,
    CARDS,
    CITIES,
    CITY,
    FUELS,
    MARKET,
    OFFERED,
    PLAYER,
    SCALARS,
    SEATS,
    SLOTS,
    Extras,
)
from highvoltage.codec.board.rows import (
    CARD_FACTORS,
    CLOSED_COST,
    COLUMN,
    FUEL_FACTORS,
    HOUSES,
    MARKED,
    MOST_NETWORKS,
    MOST_POWERED,
    NEARNESS,
    PLAYER_FACTORS,
    SCALAR_FACTORS,
    SLOT_PRICE,
    START,
    START_PRICE,
    Owner,
    card_places,
    count_row,
    fuel,
    plant_row,
    viewer_first,
)
from highvoltage.codec.observation import PartCache, Places, PlantTable
from highvoltage.codec.rows import clockwise
from highvoltage.codec.spec import Array, Observation, View

HANDS = ("plants", "mines")
MANY_MINES = 5  # of a player; more count as so many
MANY_HOUSES = 24  # built in a round; more count as so many

SCALAR_SCALE: Array = np.array(SCALAR_FACTORS, np.float32)
PLAYER_SCALE: Array = np.array(PLAYER_FACTORS, np.float32)
CARD_SCALE: Array = np.array(CARD_FACTORS, np.float32)
FUEL_SCALE: Array = np.array(FUEL_FACTORS, np.float32)
COUNT_SCALE: Array = np.concatenate(
    [SCALAR_SCALE, np.tile(PLAYER_SCALE, SEATS), np.tile(FUEL_SCALE, len(FUELS))]
)
COUNTS = Struct(f"{len(COUNT_SCALE)}h")
FIRST, SECOND = len(SCALARS), len(SCALARS) + SEATS * len(PLAYER)

Houses = dict[str, list[int]]


class BoardObserver:
    """Observes games on one map."""

    def __init__(self, grounds: AreaFeatureCache, extras: Extras) -> None:
        self.grounds = grounds
        self.extras = extras
        self._cities = PartCache(self.city_rows, city_labels)
        self._cards = PartCache(self.card_rows, card_labels)
        fuels = grounds.ruleset.fuels
        self._plants = PlantTable(lambda plant: plant_row(plant, fuels), CARD_SCALE)

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        third = [view["cartel"]] if "cartel" in view else []
        scalar, player, fuel = counts(view, owners, third)
        plants, market, cards = self.cards(view, view["players"] + third)
        rows, columns = permutations(view["seat"], len(owners))
        cities = self.cities(view)
        observation = {
            "scalars": scalar,
            "players": player,
            "plants": plants[rows],
            "market": market[:MARKET].copy(),
            "fuel": fuel,
            "cities": cities[:CITIES, columns],
            "cards": cards.copy(),
            "regions": self.regions(view),
        }
        if self.extras.markets:
            observation["markets"] = self.markets(view)
        if self.extras.storage:
            observation["stored"] = shelves(
                view,
                {
                    kind: view["fuel"].get(STORED_PREFIX + kind)
                    for kind in self.grounds.ruleset.fuels
                },
            )
        if self.extras.starts:
            observation["starts"] = self.starts(view)
            observation["networks"] = networks(owners)
        if self.extras.more_plants:
            observation["more_market"] = market[MARKET:].copy()
        if self.extras.mines:
            observation |= mines(view, owners)
        if self.extras.outage:
            observation["outage"] = outage(view["outage"])
        if self.extras.more_cities:
            observation["more_cities"] = cities[CITIES:, columns]
        return observation

    # Fuel, where there is more than one market

    def markets(self, view: View) -> Array:
        chosen = view["trade"]
        return np.stack(
            [
                np.insert(shelves(view, view["markets"][name]), 0, name == chosen, axis=1)
                for name in self.extras.markets
            ]
        )

    # Cards

    def cards(self, view: View, owners: list[Owner]) -> tuple[Array, Array, Array]:
        """Plants of the players by seat, of the market, and by number; the latest are cached."""
        auction = view["auction"]
        hands = [owner[place] for owner in owners for place in HANDS if place in owner]
        values = auction["card"], auction["scrapping"]
        return self._cards.of(view, values, view["market"], *hands)

    def card_rows(self, view: View, *_: Any) -> tuple[Array, Array, Array]:
        owners = view["players"] + ([view["cartel"]] if "cartel" in view else [])
        return self.plants(view, owners), self.market(view), cards(view, owners)

    def plants(self, view: View, owners: list[Owner]) -> Array:
        found: Array = np.zeros((SEATS, SLOTS, len(CARD) + 1), np.float32)
        new = view["auction"]["card"] if view["auction"]["scrapping"] is not None else None
        for at, owner in enumerate(owners):
            hand = owner["plants"]
            if hand:
                found[at, : len(hand), :-1] = self._plants.of(hand)
                found[at, : len(hand), -1] = [plant["card"] == new for plant in hand]
        return found

    def market(self, view: View) -> Array:
        found: Array = np.zeros((MARKET + self.extras.more_plants, len(OFFERED)), np.float32)
        shown = view["market"]
        plants = shown["current"] + shown["future"]
        found[: len(plants), :-3] = self._plants.of(plants)
        found[: len(shown["current"]), -3] = 1
        lot, discount = view["auction"]["card"], shown.get("discount")
        for at, plant in enumerate(plants):
            found[at, -2:] = (plant["card"] == lot, plant["card"] == discount)
        return found

    # The map

    def cities(self, view: View) -> Array:
        """Owners by seat. Houses rarely change, so the latest maps are cached."""
        if view["phase"] == "regions":
            return np.zeros((self.grounds.rows, len(CITY)), np.float32)
        blocked = tuple(view.get("blocked", ()))
        values = view["step"], tuple(view["regions"]), blocked
        return self._cities.of(view, values, view["houses"])

    def city_rows(self, view: View, _: Houses) -> Array:
        return city_rows(self.grounds.of(view["regions"]), view)

    def starts(self, view: View) -> Array:
        """What further networks cost the viewer, scaled as in `cities`."""
        found: Array = np.zeros((self.grounds.rows, 1), np.float32)
        if costs := view.get("start", {}):
            row = self.grounds.of(view["regions"]).row
            for city, cost in costs.items():
                found[row[city], 0] = max(0, 1 - cost / CLOSED_COST)
        return found

    def regions(self, view: View) -> Array:
        found: Array = self.grounds.regions.copy()
        chosen = view["regions"]
        for at, region in enumerate(self.grounds.board.regions):
            if region in chosen:
                found[at, 1] = 1
        return found


def mines(view: View, owners: list[Owner]) -> Observation:
    """The market of the mines, who has how many, and where they are on offer."""
    shown, size = view["mines"], max(1, len(view["mines"]["ladder"]))
    owned: Array = np.zeros((SEATS, 2), np.float32)
    for at, owner in enumerate(owners):
        cities = sum(plant["mine"] for plant in owner["mines"])
        owned[at] = len(owner["mines"]) / MANY_MINES, min(1, cities / MANY_HOUSES)
    offered: Array = np.zeros((MARKET, 1), np.float32)
    plants = view["market"]["current"] + view["market"]["future"]
    for at, plant in enumerate(plants[:MARKET]):
        offered[at] = min(1, plant.get("mine", 0) / MOST_POWERED)
    counts = shown["stock"] / size, (shown["price"] or 0) / 10, shown["used"] / size
    return {
        "mine_market": np.minimum(1, np.array(counts, np.float32)),
        "mines": np.minimum(1, owned),
        "market_mines": offered,
    }


def outage(shown: Mapping[str, int]) -> Array:
    """Houses built in this round, the most without an outage, and whether there are more."""
    built, most = shown["built"], shown["most"]
    return np.array(
        [min(1, built / MANY_HOUSES), min(1, most / MANY_HOUSES), built > most], np.float32
    )


def networks(owners: list[Owner]) -> Array:
    found: Array = np.zeros((SEATS, 1), np.float32)
    found[: len(owners), 0] = [min(1, len(owner["starts"]) / MOST_NETWORKS) for owner in owners]
    return found


@cache
def permutations(seat: int, players: int) -> tuple[Places, Places]:
    rows, columns = viewer_first(seat, players)
    return np.array(rows), np.array(columns)


def card_labels(shown: View, *hands: list[Owner]) -> tuple[object, ...]:
    cards = (shown["current"], shown["future"], *hands)
    labels = [tuple([plant["card"] for plant in each]) for each in cards]
    return (*labels, shown.get("discount"), *shown["removed"], None, *shown["slid"])


def city_labels(houses: Houses) -> tuple[object, ...]:
    return (*houses, *map(tuple, houses.values()))


def city_rows(ground: AreaFeatures, view: View) -> Array:
    found: Array = ground.blank.copy()
    rows = found[: len(ground.cities)]
    houses = place_houses(ground, view, rows)
    step, prices = view["step"], view["house_prices"]
    slot = np.array([*prices[:step], *[UNREACHABLE] * (len(prices) + 1 - step)], np.float32)[houses]
    for city, own in view.get("slots", {}).items():
        if (row := ground.row.get(city)) is not None:
            built = int(houses[row])
            opened = built < len(own) and own[built]["step"] <= step
            slot[row] = own[built]["cost"] if opened else UNREACHABLE
    closed = [ground.row[city] for city in view.get("blocked", ())]
    slot[closed] = UNREACHABLE
    rows[:, HOUSES] = houses * np.float32(1 / 3)
    rows[:, SLOT_PRICE] = np.where(slot < UNREACHABLE, slot * np.float32(1 / 20), 0)
    start = rows[:, MARKED] if rows[:, MARKED].any() else houses == 0
    rows[:, START] = start
    rows[closed, START] = 0
    owners = view["players"]
    price = slot + np.array([ground.reach(owner["cities"]) for owner in owners])
    rows[:, NEARNESS : NEARNESS + len(owners)] = np.maximum(
        0, 1 - price * np.float32(1 / CLOSED_COST)
    ).T
    for seat, owner in enumerate(owners):
        if not owner["cities"]:
            rows[:, NEARNESS + seat] = rows[:, START] * np.float32(1 - START_PRICE / CLOSED_COST)
    return found


def place_houses(ground: AreaFeatures, view: View, found: Array) -> Places:
    """Mark the houses of each owner in each city; return their number per city."""
    counts = [0] * len(ground.cities)
    rows: list[int] = []
    columns: list[int] = []
    for city, seats in view["houses"].items():
        row = ground.row[city]
        counts[row] = len(seats)
        rows += [row] * len(seats)
        columns += [COLUMN[seat] for seat in seats]
    found[rows, columns] = 1
    return np.array(counts, np.int64)


def counts(view: View, owners: list[Owner], third: list[Owner]) -> tuple[Array, Array, Array]:
    """Scalars, players and fuel, scaled together."""
    row = count_row(view, owners, third)
    whole = np.frombuffer(COUNTS.pack(*row), np.int16)  # faster than an array of a list
    found: Array = np.minimum(1, whole * COUNT_SCALE)
    scalar, player_rows, fuel_rows = found[:FIRST], found[FIRST:SECOND], found[SECOND:]
    return scalar, player_rows.reshape(SEATS, -1), fuel_rows.reshape(len(FUELS), -1)


def shelves(view: View, market: Mapping[str, Any]) -> Array:
    """A further market, in the rows and columns of the part `fuel`."""
    whole = np.array(fuel(view, market), np.float32).reshape(len(FUELS), -1)
    found: Array = np.minimum(1, whole * FUEL_SCALE)
    return found


def cards(view: View, owners: list[Owner]) -> Array:
    """Where each plant is, by its number."""
    found: Array = np.zeros(CARDS * 4, np.float32)
    found[card_places(view, owners)] = 1
    return found.reshape(CARDS, 4)
