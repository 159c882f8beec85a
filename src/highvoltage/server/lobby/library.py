"""The library of maps that people publish, over HTTP."""

import logging
from math import ceil
from time import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter

from highvoltage.engine.errors import MapError
from highvoltage.engine.parts.board import read_map
from highvoltage.engine.parts.mapform import Map
from highvoltage.rooms.info import clean_line
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import malformed, not_found, not_yours, too_many
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import new_id
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.messages import LibraryMap, LibraryMaps, Like, MapReport, NewLibraryMap
from highvoltage.server.store import SqlStore
from highvoltage.server.store.library import ListedMap, MapSearch, Order, PublishedMap

PUBLICATIONS_PER_HOUR = 20  # from one address
MAX_WORDS = 4_000  # letters of names by which a map is found
MAX_LAND = 4_000  # letters of an outline in a thumbnail

log: logging.Logger = logging.getLogger(__name__)


def publication_limits() -> RateLimits:
    return RateLimits(PUBLICATIONS_PER_HOUR / 3_600, PUBLICATIONS_PER_HOUR)


class MapLibrary(Controller):
    """The library of maps."""

    path = "/api/library"
    tags: tuple[str] = ("library",)

    @get("")
    async def find(
        self,
        store: Given[SqlStore],
        visitor: Given[Visitor],
        words: Annotated[str, QueryParameter(max_length=80)] = "",
        size: Annotated[Literal["", "small", "medium", "large"], QueryParameter()] = "",
        ruled: Annotated[bool | None, QueryParameter()] = None,
        mine: Annotated[bool, QueryParameter()] = False,
        order: Annotated[Order, QueryParameter()] = "new",
        page: Annotated[int, QueryParameter(ge=0, le=10_000)] = 0,
    ) -> LibraryMaps:
        """Published maps: by words in their names, by size, with or without special rules."""
        wanted = MapSearch(words, size, ruled, mine, order, page)
        found, total = await store.library.find(wanted, visitor.who)
        return LibraryMaps([_shown(each, visitor) for each in found], total)

    @get("/{map_id:str}")
    async def content(self, map_id: FromPath[str], store: Given[SqlStore]) -> dict[str, Any]:
        """The content of a map, as a map file."""
        found = await store.library.map(map_id)
        if found is None:
            raise not_found("map")
        return found

    @post("")
    async def publish(
        self,
        data: JSONBody[NewLibraryMap],
        rooms: Given[Rooms],
        store: Given[SqlStore],
        visitor: Given[Visitor],
        publications: Given[RateLimits],
        mark: Given[str | None],
    ) -> LibraryMap:
        """Publish a map, or another version of one of yours, for everybody on this server."""
        if mark is not None and (made := await store.result_of(mark)):
            return await _found(store, made.value, visitor)
        limit = publications.of(visitor.network)
        if limit.exceeded():
            raise too_many("many_publications", retry_after=ceil(limit.retry_after(1)))
        limits = rooms.context.limits
        asker = Asker(visitor.network, visitor.who)
        faults = await rooms.context.bot_service.map_faults(data.map, limits.own_bytes, asker)
        if faults:
            raise MapError(str(data.map.get("name", "")), faults)
        published = await rooms.context.threads.compute(_published, data, visitor)
        if data.id is not None:
            kept = await store.library.replace(published, mark)
            if kept is None:
                raise not_yours("not_your_map")
            return await _found(store, kept, visitor)
        own, nearby = await store.library.count_of(visitor.who, visitor.origin)
        if own >= limits.library_maps or nearby >= limits.library_maps_of_address:
            raise too_many("many_maps")
        return await _found(store, await store.library.publish(published, mark), visitor)

    @post("/{map_id:str}/like")
    async def like(
        self,
        map_id: FromPath[str],
        data: JSONBody[Like],
        store: Given[SqlStore],
        visitor: Given[Visitor],
    ) -> LibraryMap:
        """Like a map on which you have finished a game, or like it no more."""
        found = await _found(store, map_id, visitor)
        if data.liked and not found.may_like:
            raise not_yours("not_finished")
        await store.library.like(map_id, visitor.who, time(), liked=data.liked)
        return await _found(store, map_id, visitor)

    @post("/{map_id:str}/report")
    async def report(
        self,
        map_id: FromPath[str],
        data: JSONBody[MapReport],
        store: Given[SqlStore],
        reports: Given[RateLimits],
        visitor: Given[Visitor],
    ) -> LibraryMap:
        """Report a map to the operator of this server."""
        found = await _found(store, map_id, visitor)
        limit = reports.of(visitor.network)
        if limit.exceeded():
            raise too_many("many_reports", retry_after=ceil(limit.retry_after(1)))
        if await store.library.report(map_id, visitor.who, data.reason, time()):
            log.warning("reported", extra={"map": map_id})
        return found

    @delete("/{map_id:str}")
    async def withdraw(
        self, map_id: FromPath[str], store: Given[SqlStore], visitor: Given[Visitor]
    ) -> None:
        """Withdraw a map of yours; games that are played on it go on."""
        if not await store.library.remove(map_id, visitor.who):
            raise not_yours("not_your_map")


async def _found(store: SqlStore, map_id: str, visitor: Visitor) -> LibraryMap:
    found = await store.library.listed(map_id, visitor.who)
    if found is None:
        raise not_found("map")
    return _shown(found, visitor)


def _shown(found: ListedMap, visitor: Visitor) -> LibraryMap:
    return LibraryMap(
        id=found.id,
        name=found.name,
        author=found.author,
        licence=found.licence,
        version=found.version,
        at=found.at,
        cities=found.cities,
        regions=found.regions,
        ruled=found.ruled,
        played=found.played,
        likes=found.likes,
        liked=found.liked,
        may_like=found.finished,
        mine=found.who == visitor.who,
        picture=msgspec.json.decode(found.picture),
    )


def _published(data: NewLibraryMap, visitor: Visitor) -> PublishedMap:
    board = read_map(data.map)
    name = clean_line(board.name)
    words = " ".join([name, visitor.name, *(city.name for city in board.cities)])
    return PublishedMap(
        id=data.id or new_id(),
        who=visitor.who,
        origin=visitor.origin,
        author=visitor.name,
        name=name,
        licence=data.licence,
        version=1,
        at=time(),
        map=msgspec.json.encode(data.map).decode(),
        picture=msgspec.json.encode(_picture(board)).decode(),
        words=words.casefold()[:MAX_WORDS],
        cities=len(board.cities),
        regions=len(board.regions),
        ruled=bool(board.rules.changed_fields()),
    )


def _picture(board: Map) -> dict[str, Any]:
    """The thumbnail of a map, as the page draws it."""
    layout = board.layout
    if layout is None:
        raise malformed(
            "malformed", "A published map needs a layout: `highvoltage map layout FILE` makes one."
        )
    at = layout.cities
    ends = [(*at[link.a], *at[link.b]) for link in board.connections]
    return {
        "canvas": layout.canvas,
        "land": layout.outline if len(layout.outline) <= MAX_LAND else "",
        "wires": "".join(f"M{x} {y}L{to_x} {to_y}" for x, y, to_x, to_y in ends),
        "dots": [*at.values()],
    }
