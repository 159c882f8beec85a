"""Own maps: the form of their files, their faults, how they play, new ones drawn by a seed."""

from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec

from highvoltage.engine.parts.mapform import RULES, Map
from highvoltage.rooms.messages import (
    MapDraft,
    MapFaults,
    MapForm,
    MapTrial,
    MapVerdict,
    MapWish,
)
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import too_fast
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import Routes

BOARD_RULES = {  # behind fields of the board itself
    "regions_in_play": "A-GEN-3",
    "islands": "A-UKI-4",
    "loose_regions": "A-AUS-1",
    "transit_cost": "A-MAN-2",
}

routes = Routes("/api/maker", "maker")


@routes.get("/form")
def form() -> MapForm:
    """The fields of a map file as a JSON Schema, and the rule behind each that changes one."""
    return MapForm(_schema(), BOARD_RULES | RULES)


@routes.post("/check", HTTPStatus.OK)
async def check(data: MapDraft, rooms: Rooms, person: Person) -> MapFaults:
    """Every fault of a map, as `highvoltage map check` lists them; no table is made."""
    context = rooms.context
    asker = Asker(person.network, person.who)
    found = await context.bot_service.map_faults(data.map, context.limits.own_bytes, asker)
    return MapFaults(found)


@routes.post("/make", HTTPStatus.OK)
async def make(data: MapWish, rooms: Rooms, person: Person) -> dict[str, Any]:
    """A new map; the same seed and size, the same map."""
    asker = Asker(person.network, person.who)
    return await rooms.context.bot_service.make_map(data, asker)


@routes.post("/judge", HTTPStatus.OK)
async def judge(data: MapTrial, rooms: Rooms, person: Person) -> MapVerdict:
    """Let bots play some games on a map, besides those so far, and say what all of them show."""
    context = rooms.context
    limit = context.judged_games.of(person.network)
    if wait := limit.retry_after():
        raise too_fast(wait)
    asker = Asker(person.network, person.who)
    found = await context.bot_service.judge_map(data, context.limits.own_bytes, asker)
    limit.spend(found.games - data.so_far.games)
    return found


@routes.post("/mend", HTTPStatus.OK)
async def mend(data: MapTrial, rooms: Rooms, person: Person) -> dict[str, Any]:
    """The map with other costs where its games are unlike those on every official board."""
    context = rooms.context
    asker = Asker(person.network, person.who)
    return await context.bot_service.mend_map(data, context.limits.own_bytes, asker)


@cache
def _schema() -> dict[str, Any]:
    return msgspec.json.schema(Map)
