"""The codec of the board games without NumPy, for a browser: the same numbers in rows."""

from array import array
from functools import lru_cache
from itertools import chain
from typing import Any

from highvoltage.codec.board.actions import BoardActions
from highvoltage.codec.board.areas import UNREACHABLE, AreaRows, Areas, extras_of, region_rows
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
)
from highvoltage.codec.board.rows import (
    CARD_FACTORS,
    CLOSED_COST,
    COLUMN,
    FUEL_FACTORS,
    HOUSES,
    MARKED,
    NEARNESS,
    PLAYER_FACTORS,
    SCALAR_FACTORS,
    SLOT_PRICE,
    START,
    START_PRICE,
    Owner,
    count_row,
    owned_places,
    plant_row,
    shown_places,
    viewer_first,
)
from highvoltage.codec.rows import Row, clockwise
from highvoltage.codec.spec import View
from highvoltage.engine.moves import Move, Moves
from highvoltage.games import rulebook
from highvoltage.games.classic.ruleset import BoardRuleset

COUNT_FACTORS = [*SCALAR_FACTORS, *PLAYER_FACTORS * SEATS, *FUEL_FACTORS * len(FUELS)]
FIRST_FUEL = len(COUNT_FACTORS) - len(FUEL_FACTORS) * len(FUELS)


def plain_codec_of(view: View) -> "PlainBoardCodec":
    """The codec for a view of a board game on a map that comes with the package."""
    own_rules = view.get("map_rules", True)
    variants = tuple(view.get("variants", ()))
    return _codec(view["rulebook"], view["map"], len(view["players"]), own_rules, variants)


@lru_cache(maxsize=64)
def _codec(
    name: str, board: str, players: int, own_rules: bool, variants: tuple[str, ...]
) -> "PlainBoardCodec":
    options: dict[str, Any] = {"variants": variants} | ({} if own_rules else {"map_rules": False})
    rules: Any = rulebook(name, players, board, options)
    return PlainBoardCodec(rules.ruleset)


class PlainBoardCodec:
    """For one ruleset; its indexes and numbers are those of `BoardCodec`.

    Of the parts of an observation it has those that every map has.
    """

    def __init__(self, rules: BoardRuleset) -> None:
        self.grounds: Areas[AreaRows] = Areas(rules, AreaRows)
        self.actions: BoardActions = BoardActions(self.grounds, rules.plant_limit, extras_of(rules))
        self._fuels: tuple[str, ...] = rules.fuels
        self._regions: list[Row] = region_rows(rules)

    def legal(self, view: View, legal: Moves) -> list[int]:
        """The indexes of the legal moves."""
        return [index for index, flag in enumerate(self.actions.flags(view, legal)) if flag]

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> tuple["array[float]", "array[float]"]:
        """The observation: all parts but the cities, one after the other, and the cities."""
        owners = clockwise(view)
        third = [view["cartel"]] if "cartel" in view else []
        whole = scaled(count_row(view, owners, third), COUNT_FACTORS)
        places: Row = [0] * (4 * CARDS)
        for place in shown_places(view["market"]):
            places[place] = 1
        for owner in owners + third:
            for place in owned_places(owner):
                places[place] = 1
        others = chain(
            whole[:FIRST_FUEL],
            plants(view, owners + third, self._fuels),
            market(view, self._fuels),
            whole[FIRST_FUEL:],
            places,
            *([row[0], region in view["regions"], *row[2:]] for region, row in self._named()),
        )
        return array("f", others), array("f", self._cities(view))

    def _named(self) -> list[tuple[str, Row]]:
        names = [*self.grounds.board.regions, *[""] * len(self._regions)]
        return list(zip(names, self._regions, strict=False))

    def _cities(self, view: View) -> Row:
        if view["phase"] == "regions":
            return [0] * (CITIES * len(CITY))
        _, columns = viewer_first(view["seat"], len(view["players"]))
        rows = city_rows(self.grounds.of(view["regions"]), view)
        return [row[column] for row in rows[:CITIES] for column in columns]


def scaled(row: Row, factors: Row) -> Row:
    return [min(1, value * factor) for value, factor in zip(row, factors, strict=True)]


def plants(view: View, owners: list[Owner], fuels: tuple[str, ...]) -> Row:
    new = view["auction"]["card"] if view["auction"]["scrapping"] is not None else None
    found: Row = []
    for owner in owners:
        for plant in owner["plants"]:
            found += [*scaled(plant_row(plant, fuels), CARD_FACTORS), plant["card"] == new]
        found += [0] * ((SLOTS - len(owner["plants"])) * (len(CARD) + 1))
    return found + [0] * ((SEATS - len(owners)) * SLOTS * (len(CARD) + 1))


def market(view: View, fuels: tuple[str, ...]) -> Row:
    shown, lot = view["market"], view["auction"]["card"]
    discount, on_offer = shown.get("discount"), len(shown["current"])
    found: Row = []
    for at, plant in enumerate(shown["current"] + shown["future"]):
        found += scaled(plant_row(plant, fuels), CARD_FACTORS)
        found += (at < on_offer, plant["card"] == lot, plant["card"] == discount)
    size = MARKET * len(OFFERED)
    return (found + [0] * size)[:size]


def city_rows(ground: AreaRows, view: View) -> list[Row]:
    """The cities of the area, owners by seat."""
    rows = [row.copy() for row in ground.blank_rows]
    cities = rows[: len(ground.cities)]
    houses = [0] * len(cities)
    for city, seats in view["houses"].items():
        at = ground.row[city]
        houses[at] = len(seats)
        for seat in seats:
            cities[at][COLUMN[seat]] = 1
    slots = slot_prices(ground, view, houses)
    closed = {ground.row[city] for city in view.get("blocked", ())}
    marked = any(row[MARKED] for row in cities)
    owners = view["players"]
    reaches = [reach(ground, owner["cities"]) for owner in owners]
    for at, row in enumerate(cities):
        start = at not in closed and (row[MARKED] if marked else houses[at] == 0)
        row[HOUSES], row[START] = houses[at] / 3, start
        row[SLOT_PRICE] = slots[at] / 20 if slots[at] < UNREACHABLE else 0
        for seat, owner in enumerate(owners):
            row[NEARNESS + seat] = (
                max(0, 1 - (slots[at] + reaches[seat][at]) / CLOSED_COST)
                if owner["cities"]
                else start * (1 - START_PRICE / CLOSED_COST)
            )
    return rows


def slot_prices(ground: AreaRows, view: View, houses: list[int]) -> list[int]:
    """What the next house costs in each city."""
    step, prices = view["step"], view["house_prices"]
    opened = [*prices[:step], *[UNREACHABLE] * (len(prices) + 1 - step)]
    found: list[int] = [opened[built] for built in houses]
    slots: dict[str, list[dict[str, Any]]] = view.get("slots", {})
    for city, own in slots.items():
        if (at := ground.row.get(city)) is not None:
            free = own[houses[at]] if houses[at] < len(own) else None
            found[at] = free["cost"] if free and free["step"] <= step else UNREACHABLE
    for city in view.get("blocked", ()):
        found[ground.row[city]] = UNREACHABLE
    return found


def reach(ground: AreaRows, own: list[str]) -> list[int]:
    """The path cost from a network to each city; UNREACHABLE to its own."""
    distance = ground.area.distance
    rows = [ground.row[city] for city in own]
    found = [min(costs) for costs in zip(*(distance[row] for row in rows), strict=True)]
    for row in rows:
        found[row] = UNREACHABLE
    return found
