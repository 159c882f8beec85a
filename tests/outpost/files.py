"""Data files of Outpost, changed for a test."""

import copy
import json
from collections.abc import Mapping
from typing import Any

from highvoltage.games.outpost import tables

CARDS: dict[str, Any] = json.loads((tables.DATA / "cards.json").read_bytes())
MAP: dict[str, Any] = json.loads((tables.DATA / "map.json").read_bytes())
TABLES: dict[str, Any] = json.loads((tables.DATA / "tables.json").read_bytes())


def card_file() -> dict[str, Any]:
    return copy.deepcopy(CARDS)


def map_file() -> dict[str, Any]:
    return copy.deepcopy(MAP)


def card_in(data: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(card for card in data["cards"] if card["id"] == name)
    return found


def city_in(data: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(city for city in data["cities"] if city["id"] == name)
    return found


def with_numbers(numbers: Mapping[str, int]) -> dict[str, Any]:
    """The shipped cards with other numbers on some."""
    data = card_file()
    for name, number in numbers.items():
        card_in(data, name)["number"] = number
    return data
