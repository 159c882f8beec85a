"""What an observation has on some maps only, as plain numbers by the name of their part."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from highvoltage.codec.board.actions import STORED_PREFIX
from highvoltage.codec.board.areas import Areas
from highvoltage.codec.board.layout import MARKET, SEATS, Extras
from highvoltage.codec.board.rows import (
    CLOSED_COST,
    FUEL_FACTORS,
    MOST_NETWORKS,
    MOST_POWERED,
    Owner,
    scaled,
    shelf_counts,
    shelf_row,
)
from highvoltage.codec.rows import Row
from highvoltage.codec.spec import View

MANY_MINES = 5  # of a player; more count as so many
MANY_HOUSES = 24  # built in a round; more count as so many


def parts_of_some_maps(
    view: View, owners: list[Owner], grounds: Areas, extras: Extras
) -> dict[str, Row]:
    """All of them but the further rows of the market and of the cities."""
    found: dict[str, Row] = {}
    if extras.markets:
        found["markets"] = markets(view, extras.markets)
    if extras.storage:
        stored = {fuel: view["fuel"].get(STORED_PREFIX + fuel) for fuel in grounds.ruleset.fuels}
        found["stored"] = [*chain(*fuel_rows(view, stored))]
    if extras.starts:
        found["starts"] = starts(view, grounds)
        found["networks"] = by_owner([[len(owner["starts"]) / MOST_NETWORKS] for owner in owners])
    if extras.mines:
        found |= mines(view, owners)
    if extras.outage:
        found["outage"] = outage(view["outage"])
    return found


def markets(view: View, names: tuple[str, ...]) -> Row:
    found: Row = []
    for name in names:
        for row in fuel_rows(view, view["markets"][name]):
            found += [name == view["trade"], *row]
    return found


def fuel_rows(view: View, shelves: Mapping[str, Any]) -> list[Row]:
    viewer = view["players"][view["seat"]]
    return [
        scaled(
            shelf_row(*shelf_counts(shelf, viewer["fuel"][kind], viewer["room"][kind])),
            FUEL_FACTORS,
        )
        for kind, shelf in shelves.items()
    ]


def starts(view: View, grounds: Areas) -> Row:
    """What further networks cost the viewer, scaled as in `cities`."""
    found: Row = [0] * grounds.rows
    if costs := view.get("start", {}):
        row = grounds.of(view["regions"]).row
        for city, cost in costs.items():
            found[row[city]] = max(0, 1 - cost / CLOSED_COST)
    return found


def mines(view: View, owners: list[Owner]) -> dict[str, Row]:
    """The market of the mines, who has how many, and where they are on offer."""
    shown, size = view["mines"], max(1, len(view["mines"]["ladder"]))
    counts = shown["stock"] / size, (shown["price"] or 0) / 10, shown["used"] / size
    owned = [
        [
            len(owner["mines"]) / MANY_MINES,
            sum(plant["mine"] for plant in owner["mines"]) / MANY_HOUSES,
        ]
        for owner in owners
    ]
    plants = [*view["market"]["current"], *view["market"]["future"]][:MARKET]
    offered = [min(1, plant.get("mine", 0) / MOST_POWERED) for plant in plants]
    return {
        "mine_market": [min(1, count) for count in counts],
        "mines": by_owner(owned),
        "market_mines": offered + [0] * (MARKET - len(offered)),
    }


def outage(shown: Mapping[str, int]) -> Row:
    """Houses built in this round, the most without an outage, and whether there are more."""
    built, most = shown["built"], shown["most"]
    return [min(1, built / MANY_HOUSES), min(1, most / MANY_HOUSES), built > most]


def by_owner(rows: list[Row]) -> Row:
    """At most 1 each, and rows of zeros for the seats that nobody has."""
    found = [min(1, count) for row in rows for count in row]
    return found + [0] * (len(rows[0]) * (SEATS - len(rows)))
