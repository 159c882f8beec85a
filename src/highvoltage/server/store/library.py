"""The library of maps that people publish."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)

from highvoltage.rooms.store import Conflict
from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import games, library, likes, map_reports, seats

Order = Literal["new", "liked", "played"]
PAGE = 24  # maps in an answer
SIZES = {"small": (0, 30), "medium": (31, 45), "large": (46, 10_000)}  # by cities


class PublishedMap(Struct):
    """A map of the library as it is stored."""

    id: str
    who: str
    origin: str
    author: str
    name: str
    licence: str
    version: int
    at: float
    map: str
    picture: str
    words: str
    cities: int
    regions: int
    ruled: bool
    played: int = 0


class ListedMap(Struct):
    """A map of the library as somebody sees it in a list."""

    id: str
    who: str
    author: str
    name: str
    licence: str
    version: int
    at: float
    picture: str
    cities: int
    regions: int
    ruled: bool
    played: int
    likes: int
    liked: bool
    finished: bool  # that person has finished a game on it


class MapSearch(Struct):
    """What somebody looks for in the library."""

    words: str = ""
    size: str = ""
    ruled: bool | None = None
    mine: bool = False
    order: Order = "new"
    page: int = 0


class Library:
    """The maps that people have published in a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def publish(self, published: PublishedMap, mark: str | None) -> str:
        """Store a new map; returns its id, or that of the one stored under this mark before."""

        def work(connection: Connection) -> str:
            connection.execute(insert(library).values(msgspec.structs.asdict(published)))
            return published.id

        return await self.database.write(work, mark)

    async def replace(self, published: PublishedMap, mark: str | None) -> str | None:
        """Store another version of a map; None if its author has no such map."""
        changes = msgspec.structs.asdict(published)
        for kept in ("id", "who", "played"):
            del changes[kept]
        changes["version"] = library.c.version + 1
        own = library.c.id == published.id, library.c.who == published.who
        query = update(library).where(*own).values(changes)

        def work(connection: Connection) -> str | None:
            return published.id if connection.execute(query).rowcount == 1 else None

        return await self.database.write(work, mark)

    async def map(self, map_id: str) -> dict[str, Any] | None:
        """The content of a map."""
        rows = await self.database.rows(select(library.c.map).where(library.c.id == map_id))
        found: dict[str, Any] | None = msgspec.json.decode(rows[0].map) if rows else None
        return found

    async def author(self, map_id: str) -> str | None:
        """The identity that published a map."""
        rows = await self.database.rows(select(library.c.who).where(library.c.id == map_id))
        return rows[0].who if rows else None

    async def listed(self, map_id: str, who: str) -> ListedMap | None:
        """A map as this person sees it."""
        rows = await self.database.rows(_seen_by(who).where(library.c.id == map_id))
        return next((_listed(row) for row in rows), None)

    async def find(self, wanted: MapSearch, who: str) -> tuple[list[ListedMap], int]:
        """A page of the maps that somebody looks for, and how many there are."""
        met = [*_conditions(wanted, who)]
        order = {
            "new": library.c.at,
            "liked": _like_count(),
            "played": library.c.played,
        }[wanted.order]
        query = _seen_by(who).where(*met).order_by(order.desc(), library.c.at.desc(), library.c.id)
        query = query.limit(PAGE).offset(PAGE * wanted.page)
        total = select(func.count()).select_from(library).where(*met)

        def work(connection: Connection) -> tuple[list[ListedMap], int]:
            found = [_listed(row) for row in connection.execute(query)]
            return found, int(connection.execute(total).scalar_one())

        return await self.database.read(work)

    async def count_of(self, who: str, origin: str) -> tuple[int, int]:
        """How many maps a person has published, and how many came from their network."""
        counts = [
            select(func.count()).select_from(library).where(made).scalar_subquery()
            for made in (library.c.who == who, library.c.origin == origin)
        ]
        rows = await self.database.rows(select(*counts))
        return int(rows[0][0]), int(rows[0][1])

    async def like(self, map_id: str, who: str, at: float, *, liked: bool) -> None:
        """Like a map, or like it no more."""

        def work(connection: Connection) -> None:
            connection.execute(delete(likes).where(likes.c.map == map_id, likes.c.who == who))
            if liked:
                connection.execute(insert(likes).values(map=map_id, who=who, at=at))

        await self.database.write(work)

    async def report(self, map_id: str, by: str, text: str, at: float) -> bool:
        """Store a report; False if the same person has reported this map before."""
        query = insert(map_reports).values(map=map_id, by=by, text=text, at=at)
        try:
            await self.database.write(lambda connection: connection.execute(query))
        except Conflict:
            return False
        return True

    async def reports(self) -> Sequence[Any]:
        """The reports with the name and the author of the map, the latest first."""
        query = select(map_reports, library.c.name, library.c.author)
        query = query.join(library, library.c.id == map_reports.c.map)
        return await self.database.rows(query.order_by(map_reports.c.at.desc()))

    async def remove(self, map_id: str, who: str | None = None) -> bool:
        """Remove a map, of this author if one is named; returns whether there was one."""
        own = [library.c.id == map_id, *([] if who is None else [library.c.who == who])]
        return await self.database.write(lambda connection: remove_maps(connection, *own) == 1)


def remove_maps(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    """Remove maps with their likes and reports; returns how many there were."""
    chosen = select(library.c.id).where(*conditions)
    for table in (likes, map_reports):
        connection.execute(delete(table).where(table.c.map.in_(chosen)))
    return connection.execute(delete(library).where(*conditions)).rowcount


def count_game(connection: Connection, game: str) -> None:
    """A game is over: if it was played on a map of the library, that was played once more."""
    played_on = select(games.c.library).where(games.c.id == game).scalar_subquery()
    more = update(library).where(library.c.id == played_on).values(played=library.c.played + 1)
    connection.execute(more)


def _like_count() -> ColumnElement[int]:
    return (
        select(func.count())
        .select_from(likes)
        .where(likes.c.map == library.c.id)
        .correlate(library)
        .scalar_subquery()
    )


def _seen_by(who: str) -> Select[Any]:
    finished = (
        exists()
        .where(seats.c.owner == who, seats.c.game == games.c.id, games.c.status == "finished")
        .where(games.c.library == library.c.id)
        .correlate(library)
    )
    liked = exists().where(likes.c.map == library.c.id, likes.c.who == who).correlate(library)
    columns = [library.c[name] for name in ListedMap.__struct_fields__ if name in library.c]
    return select(
        *columns,
        _like_count().label("likes"),
        liked.label("liked"),
        finished.label("finished"),
    )


def _listed(row: Any) -> ListedMap:
    return ListedMap(**row._mapping)  # noqa: SLF001  # its public name for a mapping


def _conditions(wanted: MapSearch, who: str) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [literal(True)]  # a value, not a switch
    found += [
        library.c.words.contains(word, autoescape=True) for word in wanted.words.casefold().split()
    ]
    if wanted.size:
        least, most = SIZES[wanted.size]
        found.append(library.c.cities.between(least, most))
    if wanted.ruled is not None:
        found.append(library.c.ruled == wanted.ruled)
    if wanted.mine:
        found.append(library.c.who == who)
    return found
