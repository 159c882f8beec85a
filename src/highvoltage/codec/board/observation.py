"""The observation of the board games: a view as arrays, the viewer's rows first.

What was made of a part of a view is kept until that part changes.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
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
    cartel_row,
    plant_row,
    player_row,
    scalars,
    shelf_counts,
    shelf_row,
    viewer_first,
)
from highvoltage.codec.observation import (
    PartCache,
    Places,
    PlantTable,
    RowPacker,
    joined,
    player_order,
)
from highvoltage.codec.rows import clockwise
from highvoltage.codec.spec import Array, Observation, View

HANDS = ("plants", "mines")
MANY_MINES = 5  # of a player; more count as so many
MANY_HOUSES = 24  # built in a round; more count as so many

CARD_SCALE: Array = np.array(CARD_FACTORS, np.float32)
SCALAR_ROW, PLAYER_ROW, SHELF_ROW = map(RowPacker, (SCALAR_FACTORS, PLAYER_FACTORS, FUEL_FACTORS))
ON_OFFER, LOT, DISCOUNT = (OFFERED.index(name) for name in ("on_offer", "lot", "discount"))
NEW = len(CARD)  # in the rows of plants

Houses = dict[str, list[int]]


class BoardObserver:
    """Observes games on one map."""

    def __init__(self, grounds: AreaFeatureCache, extras: Extras) -> None:
        self.grounds = grounds
        self.extras = extras
        fuels = grounds.ruleset.fuels
        self._plants = PlantTable(lambda plant: plant_row(plant, fuels), CARD_SCALE)
        self._player = PartCache(player_bytes)
        self._cards = PartCache(self.card_rows, card_labels)
        self._cities = PartCache(self.viewed_cities, city_labels)
        self._city_rows = PartCache(self.city_rows, city_labels)
        self._regions: dict[tuple[str, ...], Array] = {}

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        third = [view["cartel"]] if "cartel" in view else []
        plants, market, cards = self.cards(view, view["players"] + third)
        cities = self.cities(view)
        observation = {
            "scalars": np.frombuffer(bytearray(SCALAR_ROW.pack(scalars(view))), np.float32),
            "players": self.players(view, owners, third),
            "plants": plants,
            "market": market[:MARKET],
            "fuel": fuel_rows(view, view["fuel"]),
            "cities": cities[:CITIES].copy(),
            "cards": cards,
            "regions": self.regions(tuple(view["regions"])).copy(),
        }
        if self.extras.markets:
            observation["markets"] = self.markets(view)
        if self.extras.storage:
            stored = {
                kind: view["fuel"].get(STORED_PREFIX + kind) for kind in self.grounds.ruleset.fuels
            }
            observation["stored"] = fuel_rows(view, stored)
        if self.extras.starts:
            observation["starts"] = self.starts(view)
            observation["networks"] = networks(owners)
        if self.extras.more_plants:
            observation["more_market"] = market[MARKET:]
        if self.extras.mines:
            observation |= mine_rows(view, owners)
        if self.extras.outage:
            observation["outage"] = outage(view["outage"])
        if self.extras.more_cities:
            observation["more_cities"] = cities[CITIES:].copy()
        return observation

    # Fuel, where there is more than one market

    def markets(self, view: View) -> Array:
        chosen = view["trade"]
        return np.stack(
            [
                np.insert(fuel_rows(view, view["markets"][name]), 0, name == chosen, axis=1)
                for name in self.extras.markets
            ]
        )

    # Players and cards

    def players(self, view: View, owners: list[Owner], third: list[Owner]) -> Array:
        auction, order, to_move = view["auction"], view["order"], view["to_move"]
        eligible, bidders, leader = auction["eligible"], auction["bidders"], auction["leader"]
        rows = []
        for player in owners:
            seat = player["seat"]
            moment = (order.index(seat), seat in eligible, seat in bidders, seat == leader)
            rows.append(self._player.of(view, (*moment, seat == to_move), player))
        rows += [PLAYER_ROW.pack(cartel_row(cartel)) for cartel in third]
        return joined(rows, SEATS)

    def cards(self, view: View, owners: list[Owner]) -> tuple[Array, Array, Array]:
        """Plants of the players, of the market, and by number."""
        auction, shown = view["auction"], view["market"]
        hands = [owner["plants"] for owner in owners]
        if self.extras.mines:
            hands += [owner["mines"] for owner in owners if "mines" in owner]
        known = self._cards.of(view, (), shown, *hands)
        plants, market, places = known[0], known[1].copy(), known[2].copy()
        plants = plants.take(player_order(view["seat"], len(view["players"])), axis=0)
        lot, buyer = auction["card"], auction["scrapping"]
        if buyer is not None:
            slot = [plant["card"] for plant in hands[buyer]].index(lot)
            plants[(buyer - view["seat"]) % len(view["players"]), slot, NEW] = 1
        if lot is not None:
            offered = shown["current"] + shown["future"]
            market[: len(offered), LOT] = [plant["card"] == lot for plant in offered]
        return plants, market, places

    def card_rows(self, view: View, shown: View, *hands: list[Owner]) -> tuple[Array, Array, Array]:
        """The same, without the plant that is being sold."""
        plants: Array = np.zeros((SEATS, SLOTS, len(CARD) + 1), np.float32)
        count = len(view["players"]) + ("cartel" in view)
        for at, hand in enumerate(hands[:count]):
            if hand:
                plants[at, : len(hand), :NEW] = self._plants.of(hand)
        market: Array = np.zeros((MARKET + self.extras.more_plants, len(OFFERED)), np.float32)
        offered = shown["current"] + shown["future"]
        market[: len(offered), : len(CARD)] = self._plants.of(offered)
        market[: len(shown["current"]), ON_OFFER] = 1
        discount = shown.get("discount")
        if discount is not None:
            market[: len(offered), DISCOUNT] = [plant["card"] == discount for plant in offered]
        places: Array = np.zeros(CARDS * 4, np.float32)
        places[card_places(shown, hands)] = 1
        return plants, market, places.reshape(CARDS, 4)

    # The map

    def cities(self, view: View) -> Array:
        if view["phase"] == "regions":
            return np.zeros((self.grounds.rows, len(CITY)), np.float32)
        values = view["step"], tuple(view["regions"]), tuple(view.get("blocked", ())), view["seat"]
        return self._cities.of(view, values, view["houses"])

    def viewed_cities(self, view: View, houses: Houses) -> Array:
        """The viewer's columns first; what all seats see alike is computed once."""
        values = view["step"], tuple(view["regions"]), tuple(view.get("blocked", ()))
        rows = self._city_rows.of(view, values, houses)
        return rows.take(city_order(view["seat"], len(view["players"])), axis=1)

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

    def regions(self, chosen: tuple[str, ...]) -> Array:
        found = self._regions.get(chosen)
        if found is None:
            found = self._regions[chosen] = self.grounds.regions.copy()
            regions = self.grounds.board.regions
            found[: len(regions), 1] = [region in chosen for region in regions]
        return found


def mine_rows(view: View, owners: list[Owner]) -> Observation:
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
def city_order(seat: int, players: int) -> Places:
    """A permutation of the columns of cities, from seat order to viewer first."""
    columns = viewer_first(seat, players)[1]
    return np.array(columns)


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


def player_bytes(view: View, player: Owner) -> bytes:
    return PLAYER_ROW.pack(player_row(view, player))


def fuel_rows(view: View, shelves: Mapping[str, Any]) -> Array:
    viewer = view["players"][view["seat"]]
    held, rooms = viewer["fuel"], viewer["room"]
    return joined(
        [shelf_bytes(*shelf_counts(shelves[kind], held[kind], rooms[kind])) for kind in held],
        len(FUELS),
    )


@lru_cache(maxsize=4096)
def shelf_bytes(*counts: int) -> bytes:
    return SHELF_ROW.pack(shelf_row(*counts))
