"""The observation of the board games: a view as arrays, the viewer's rows first.

What was made of a part of a view is kept until that part changes.
"""

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from highvoltage.codec.board.areas import Areas, region_rows
from highvoltage.codec.board.cities import city_rows
from highvoltage.codec.board.layout import (
    CARD,
    CARDS,
    CITIES,
    CITY,
    FUEL,
    FUELS,
    MARKET,
    OFFERED,
    PLAYER,
    SCALARS,
    SEATS,
    SLOTS,
    Extras,
    parts_of,
)
from highvoltage.codec.board.rows import (
    CARD_FACTORS,
    FUEL_FACTORS,
    MANY_TOKENS,
    PLAYER_FACTORS,
    SCALAR_FACTORS,
    SEAT_COLUMNS,
    Owner,
    cartel_row,
    owned_places,
    owner_row,
    plant_row,
    quick_scalars,
    shelf_counts,
    shelf_row,
    shown_places,
    slow_scalars,
    viewer_first,
)
from highvoltage.codec.board.some_maps import parts_of_some_maps
from highvoltage.codec.observation import (
    Layout,
    PartCache,
    Places,
    PlantTable,
    RowPacker,
    mark_seats,
)
from highvoltage.codec.rows import Numbers, Row, clockwise, demolition, numbers
from highvoltage.codec.spec import Array, Observation, View

CARD_SCALE: Array = np.array(CARD_FACTORS, np.float32)
SCALAR_ROW, PLAYER_ROW, SHELF_ROW = map(RowPacker, (SCALAR_FACTORS, PLAYER_FACTORS, FUEL_FACTORS))
ON_OFFER, LOT, DISCOUNT = (OFFERED.index(name) for name in ("on_offer", "lot", "discount"))
NEW = len(CARD)  # in the rows of plants
HELD, ROOM = FUEL.index("held"), FUEL.index("room")
TOKEN_SHARES = [count * SHELF_ROW.factor(HELD) for count in range(MANY_TOKENS)]
# What comes after so many players: empty rows and hands.
NO_PLAYERS = [bytes(4 * len(PLAYER) * (SEATS - count)) for count in range(SEATS + 1)]
NO_HANDS = [bytes(4 * SLOTS * (len(CARD) + 1) * (SEATS - count)) for count in range(SEATS + 1)]

Houses = dict[str, list[int]]


class BoardObserver:
    """Observes games on one map."""

    def __init__(self, grounds: Areas, extras: Extras) -> None:
        self.grounds = grounds
        self.extras = extras
        self.has_extras = any(extras)
        self._shapes = {part.name: part.shape for part in parts_of(extras)}
        self._region_rows: Array = np.array(region_rows(grounds.ruleset), np.float32)
        fuels = grounds.ruleset.fuels
        self._layout = Layout(
            {
                "scalars": (len(SCALARS),),
                "players": (SEATS, len(PLAYER)),
                "plants": (SEATS, SLOTS, len(CARD) + 1),
                "market": (MARKET + extras.more_plants, len(OFFERED)),
                "fuel": (len(FUELS), len(FUEL)),
                "cities": (grounds.rows, len(CITY)),
                "cards": (CARDS, 4),
                "regions": self._region_rows.shape,
            }.items()
        )
        own = grounds.ruleset.map_rules.plants
        self.regions_change_plants: bool = any(card.region for card in own)  # A-NOR-3
        key = face if self.regions_change_plants else itemgetter("card")
        self._plants = PlantTable(lambda plant: plant_row(plant, fuels), CARD_SCALE, key)
        self._scalars = PartCache(scalar_bytes)
        self._player = PartCache(self.player_parts)
        self._fuel = PartCache(self.fuel_bytes)
        self._shelf = PartCache(shelf_bytes)
        self._hand = PartCache(self.hand_row)
        self._market = PartCache(self.market_rows, card_labels)
        self._area = PartCache(self.viewed_area, city_labels)
        self._city_rows = PartCache(self.city_rows, city_labels)
        self._regions: dict[tuple[str, ...], bytes] = {}

    def observe(self, view: View) -> Observation:
        owners = clockwise(view)
        players = self._player.each(view, owners)
        if "cartel" in view:
            players.append(self.owner_parts(cartel_row(view["cartel"]), view, view["cartel"]))
        rows, hands, owned = zip(*players, strict=True)
        shown = view["market"]
        most_cities = max([len(owner["cities"]) for owner in owners])
        values = view["round"], view["step"], most_cities, view["end_cities"], *demolition(view)
        faces = tuple(view["regions"]) if self.regions_change_plants else ()
        market, cards = self._market.of(view, faces, shown)
        cities, regions = self.area(view)
        memory = bytearray().join(
            (
                self._scalars.of(view, values, shown),
                *(*rows, NO_PLAYERS[len(players)], *hands, NO_HANDS[len(players)]),
                *(market, self._fuel.of(view, (), view["fuel"]), cities, cards, regions),
            )
        )
        found = numbers(memory)
        for places in owned:
            for place in places:
                found[place] = 1
        self.mark_moment(view, found)
        mark_fuel(owners[0], found, self._layout.first["fuel"])
        observation = self._layout.split(memory)
        return self.with_extras(view, owners, observation) if self.has_extras else observation

    def mark_moment(self, view: View, found: Numbers) -> None:
        """Enter the kind of decision, the turn order and the auction."""
        SCALAR_ROW.mark(found, quick_scalars(view))  # the first part
        first = self._layout.first
        seats = rows_by_seat(view["seat"], len(view["players"]), first["players"])
        mark_seats(view, seats, SEAT_COLUMNS, found)
        if view["auction"]["card"] is not None:
            mark_lot(view, found, first["plants"], first["market"])

    def with_extras(self, view: View, owners: list[Owner], observation: Observation) -> Observation:
        """With the parts that only some maps have."""
        market, cities = observation["market"], observation["cities"]
        observation |= {"market": market[:MARKET], "cities": cities[:CITIES]}
        for name, row in parts_of_some_maps(view, owners, self.grounds, self.extras).items():
            observation[name] = np.array(row, np.float32).reshape(self._shapes[name])
        if self.extras.more_plants:
            observation["more_market"] = market[MARKET:]
        if self.extras.more_cities:
            observation["more_cities"] = cities[CITIES:]
        return observation

    # Fuel

    def fuel_bytes(self, view: View, shelves: Mapping[str, Any]) -> bytes:
        """What is for sale; the viewer holds nothing."""
        kinds = [*shelves.values()][: len(FUELS)]  # what lies in a storage comes after them
        return b"".join(self._shelf.each(view, kinds))

    # Players and cards

    def player_parts(self, view: View, player: Owner) -> tuple[bytes, bytes, list[int]]:
        return self.owner_parts(owner_row(player), view, player)

    def owner_parts(self, row: Row, view: View, owner: Owner) -> tuple[bytes, bytes, list[int]]:
        """The row of an owner, the plants, and which numbers of the part `cards` are 1 for them."""
        first = self._layout.first["cards"]
        owned = [first + place for place in owned_places(owner)]
        return PLAYER_ROW.pack(row), self._hand.of(view, (), owner["plants"]), owned

    def market_rows(self, _: View, shown: View) -> tuple[bytes, bytes]:
        """The plants of the market, and all by number; none is owned or being sold."""
        market: Array = np.zeros((MARKET + self.extras.more_plants, len(OFFERED)), np.float32)
        offered = shown["current"] + shown["future"]
        market[: len(offered), : len(CARD)] = self._plants.of(offered)
        market[: len(shown["current"]), ON_OFFER] = 1
        discount = shown.get("discount")
        if discount is not None:
            market[: len(offered), DISCOUNT] = [plant["card"] == discount for plant in offered]
        places: Array = np.zeros(CARDS * 4, np.float32)
        places[shown_places(shown)] = 1
        return market.tobytes(), places.tobytes()

    def hand_row(self, _: View, hand: list[Owner]) -> bytes:
        found: Array = np.zeros((SLOTS, len(CARD) + 1), np.float32)
        if hand:
            found[: len(hand), :NEW] = self._plants.of(hand)
        return found.tobytes()

    # The map

    def area(self, view: View) -> tuple[bytes, bytes]:
        """The cities and the regions."""
        values = (
            *(view["seat"], view["step"], view["phase"] == "regions", *view["regions"]),
            *(None, *view.get("blocked", ())),
        )
        return self._area.of(view, values, view["houses"])

    def viewed_area(self, view: View, houses: Houses) -> tuple[bytes, bytes]:
        """The viewer's columns first; what all seats see alike is computed once."""
        regions = self.region_rows(tuple(view["regions"]))
        if view["phase"] == "regions":
            return bytes(4 * self.grounds.rows * len(CITY)), regions
        values = view["step"], tuple(view["regions"]), tuple(view.get("blocked", ()))
        rows = self._city_rows.of(view, values, houses)
        order = city_order(view["seat"], len(view["players"]))
        return rows.take(order, axis=1).tobytes(), regions

    def city_rows(self, view: View, _: Houses) -> Array:
        rows = city_rows(self.grounds.of(view["regions"]), view)
        return np.frombuffer(rows, np.float32).reshape(-1, len(CITY))

    def region_rows(self, chosen: tuple[str, ...]) -> bytes:
        found = self._regions.get(chosen)
        if found is None:
            rows = self._region_rows.copy()
            regions = self.grounds.board.regions
            rows[: len(regions), 1] = [region in chosen for region in regions]
            found = self._regions[chosen] = rows.tobytes()
        return found


def face(plant: dict[str, Any]) -> tuple[object, ...]:
    """What is printed on a plant."""
    return plant["card"], plant["need"], plant["powers"], *plant["fuels"]


@cache
def rows_by_seat(viewer: int, players: int, first: int) -> dict[int, int]:
    """Where the row of each seat begins."""
    return {seat: first + len(PLAYER) * ((seat - viewer) % players) for seat in range(players)}


def mark_fuel(viewer: Owner, found: Numbers, first: int) -> None:
    """Enter what the viewer holds and has room for; `first` is where the part begins."""
    rooms = viewer["room"]
    for kind, held in viewer["fuel"].items():
        if held:
            found[first + HELD] = TOKEN_SHARES[held] if held < MANY_TOKENS else 1
        if (room := rooms[kind]) > 0:
            found[first + ROOM] = TOKEN_SHARES[room] if room < MANY_TOKENS else 1
        first += len(FUEL)


def mark_lot(view: View, found: Numbers, plants: int, market: int) -> None:
    """Mark the plant that is being sold, in the market or with its new owner.

    `plants` and `market` are where these parts begin.
    """
    lot, buyer, owners = view["auction"]["card"], view["auction"]["scrapping"], view["players"]
    if buyer is not None:
        slot = [plant["card"] for plant in owners[buyer]["plants"]].index(lot)
        row = SLOTS * ((buyer - view["seat"]) % len(owners)) + slot
        found[plants + (len(CARD) + 1) * row + NEW] = 1
    shown = view["market"]
    for at, plant in enumerate(shown["current"] + shown["future"]):
        if plant["card"] == lot:
            found[market + len(OFFERED) * at + LOT] = 1


@cache
def city_order(seat: int, players: int) -> Places:
    """A permutation of the columns of cities, from seat order to viewer first."""
    columns = viewer_first(seat, players)[1]
    return np.array(columns)


def card_labels(shown: View) -> tuple[object, ...]:
    labels = [
        tuple([plant["card"] for plant in plants]) for plants in (shown["current"], shown["future"])
    ]
    return (*labels, shown.get("discount"), *shown["removed"], None, *shown["slid"])


def city_labels(houses: Houses) -> tuple[object, ...]:
    return (*houses, *map(tuple, houses.values()))


def shelf_bytes(_: View, shelf: Mapping[str, Any] | None) -> bytes:
    """What is for sale of a fuel; the viewer holds nothing."""
    return SHELF_ROW.pack(shelf_row(*shelf_counts(shelf, 0, 0)))


def scalar_bytes(view: View, _: View) -> bytes:
    return SCALAR_ROW.pack(slow_scalars(view))
