"""The cities of the area as numbers; there are so few that this is faster than with arrays."""

from typing import Any

from highvoltage.codec.board.areas import UNREACHABLE, AreaRows
from highvoltage.codec.board.layout import CITY
from highvoltage.codec.board.rows import (
    CLOSED_COST,
    COLUMN,
    HOUSES,
    MARK,
    NEARNESS,
    SLOT_PRICE,
    START,
    START_PRICE,
)
from highvoltage.codec.rows import Numbers, numbers, rounded
from highvoltage.codec.spec import View

THIRD, TWENTIETH = rounded(1 / 3), rounded(1 / 20)
NEAR = [1 - rounded(cost * rounded(1 / CLOSED_COST)) for cost in range(CLOSED_COST)]
"""How near a city is, by what a house there costs."""
WIDTH = len(CITY)


def city_rows(ground: AreaRows, view: View) -> bytearray:
    """The rows of the cities, owners by seat."""
    memory = bytearray(ground.blank)
    found = numbers(memory)
    prices = house_prices(ground, view)
    starts = start_cities(ground, view)
    for city, seats in view["houses"].items():
        first = WIDTH * ground.row[city]
        found[first + HOUSES] = len(seats) * THIRD
        for seat in seats:
            found[first + COLUMN[seat]] = 1
    for row in starts:
        found[WIDTH * row + START] = 1
    for row, price in enumerate(prices):
        if price < UNREACHABLE:
            found[WIDTH * row + SLOT_PRICE] = min(price * TWENTIETH, 1)
    for column, owner in enumerate(view["players"], NEARNESS):
        if owner["cities"]:
            mark_near(prices, ground.reach(tuple(owner["cities"])), found, column)
        else:
            for row in starts:
                found[WIDTH * row + column] = NEAR[START_PRICE]
    return memory


def mark_near(prices: list[int], paths: list[int], found: Numbers, column: int) -> None:
    at = column
    for price, path in zip(prices, paths, strict=True):
        if (cost := price + path) < CLOSED_COST:
            found[at] = NEAR[cost]
        at += WIDTH


def house_prices(ground: AreaRows, view: View) -> list[int]:
    """What the next house costs in each city, without connections."""
    step, prices, houses = view["step"], view["house_prices"], view["houses"]
    opened = [*prices[:step], *[UNREACHABLE] * (len(prices) + 1 - step)]
    found: list[int] = [opened[0]] * len(ground.cities)
    for city, seats in houses.items():
        found[ground.row[city]] = opened[len(seats)]
    slots: dict[str, list[dict[str, Any]]] = view.get("slots", {})
    for city, own in slots.items():
        if (row := ground.row.get(city)) is not None:
            built = len(houses.get(city, ()))
            free = own[built] if built < len(own) else None
            found[row] = free["cost"] if free and free["step"] <= step else UNREACHABLE
    for city in view.get("blocked", ()):
        found[ground.row[city]] = UNREACHABLE
    return found


def start_cities(ground: AreaRows, view: View) -> list[int]:
    """Where a network may begin: in marked cities if there are any, else where no house is."""
    houses, blocked = view["houses"], view.get("blocked", ())
    marked = [city for city, seats in houses.items() if MARK in seats]
    if marked:
        return [ground.row[city] for city in marked if city not in blocked]
    return [
        row for row, city in enumerate(ground.cities) if city not in houses and city not in blocked
    ]
