"""Positions on the expansion boards."""

from typing import Any

from msgspec import structs

import highvoltage as hv
from highvoltage import rules
from highvoltage.engine.parts.board import load_map, region_sets
from highvoltage.engine.parts.mapform import Map
from highvoltage.games import game_of
from positions import board, position

BOARDS = (
    *("france", "italy", "benelux", "brazil", "spain_portugal", "quebec", "northern_europe"),
    *("baden_wuerttemberg", "korea", "russia", "japan", "uk_ireland", "south_africa"),
    *("north_america", "europe", "bremen", "china", "middle_east", "india", "australia"),
    "manhattan",
)
BOOKS = ("classic", "recharged")
PLAYERS = (2, 3, 4, 5, 6)
FUELS = ("coal", "oil", "garbage", "uranium")


def new(
    map_: str, book: str = "classic", players: int = 4, seed: int = 1, **fields: Any
) -> hv.Game:
    return hv.new(book, map=map_, players=players, seed=seed, **fields)


def at(
    map_: str,
    book: str = "classic",
    players: int = 3,
    *,
    regions: Any = "random",
    chance: hv.Chance | None = None,
    version: int | None = None,
    **fields: Any,
) -> hv.Game:
    """A position on a board, as `positions.position` describes it."""
    game = hv.new(book, map=map_, players=players, seed=1, regions=regions, chance=chance)
    if version is not None:
        game = game_of(structs.replace(game.record(), version=version), seed=1)
    return position(game, **fields)


def japan(round_: int = 1, book: str = "classic", **fields: Any) -> hv.Game:
    """Seat 0 is to build in Japan, where it may start in four cities."""
    known: dict[str, Any] = {
        "regions": ("kanto", "chubu", "inland_sea"),
        "plants": {0: [28], 1: [29], 2: [34]},
        "money": 100,
        "phase": "building",
        "order": [2, 1, 0],
        "round": round_,
    }
    return at("japan", book, 3, **{**known, **fields})


def regions_with(map_: str, players: int, *wanted: str) -> tuple[str, ...]:
    """Regions for this many players, including the given ones."""
    chart = load_map(map_)
    choices = region_sets(chart, chart.region_count(players))
    return next(regions for regions in choices if {*wanted} <= {*regions})


def start(map_: str, book: str = "classic") -> dict[str, int]:
    """The fuel on the market at the start."""
    s = board(new(map_, book))
    return dict(zip(FUELS, s.stock, strict=True))


def prices(map_: str, fuel: str) -> list[int]:
    found: list[int] = new(map_).view(0)["fuel"][fuel]["prices"]
    return found


def printed_refill(rule: str) -> dict[int, dict[str, tuple[int, ...]]]:
    """The refill table in the text of a rule."""
    lines = [line for line in rules.rule(rule).text.splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {
        int(row[0]): {
            name: tuple(map(int, cell.split()))
            for name, cell in zip(head[1:], row[1:], strict=True)
        }
        for row in rows
    }


def refills(map_: str, book: str, players: int) -> dict[str, tuple[int, ...]]:
    """What the market is refilled with in the three Steps."""
    game = new(map_, book, players)
    by_step = board(game).rules.fuel_market.refills
    return dict(zip(FUELS, zip(*by_step, strict=True), strict=True))


def cost(map_: str | Map, a: str, b: str) -> int | None:
    chart = load_map(map_) if isinstance(map_, str) else map_
    return next((link.cost for link in chart.connections if {link.a, link.b} == {a, b}), None)
