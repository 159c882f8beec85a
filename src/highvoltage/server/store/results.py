"""The results of finished games, a row for each seat, and the games that are still to be counted.

A game is queued in the transaction that ends it or changes its seats. Its rows are made from the
game later, beside the moves of others.
"""

from collections.abc import Sequence
from time import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, case, delete, exists, func, insert, select, update

from highvoltage.rooms.rows import SeatRow
from highvoltage.server.store.cups import keep_places
from highvoltage.server.store.database import INSERTS, Database
from highvoltage.server.store.ratings import forget_player, queue_rating
from highvoltage.server.store.rows import ResultRow
from highvoltage.server.store.schema import entries, games, results, seats, uncounted

_WON = func.sum(case((results.c.place == 1, 1), else_=0))


class NamedResult(NamedTuple):
    """A result, and the name that the seat has at the table."""

    name: str
    row: ResultRow


class Results:
    """The finished games of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Counting

    async def waiting(self, limit: int) -> list[str]:
        """Games that are to be counted."""
        query = select(uncounted.c.game).order_by(uncounted.c.game).limit(limit)
        return [row.game for row in await self.database.rows(query)]

    async def queue_all(self) -> None:
        """Have all finished games counted again."""
        await self.database.write(queue_counting)

    async def ended(self, game: str) -> float:
        """When the last move of a game was made."""
        rows = await self.database.rows(select(func.max(entries.c.at)).filter_by(game=game))
        return float(rows[0][0] or 0.0)

    async def keep(self, game: str, places: Sequence[SeatRow], found: Sequence[ResultRow]) -> bool:
        """Replace the results of a game, made from these seats.

        False if the seats have changed since, another process was faster, or it is deleted.
        """
        held = select(seats).where(seats.c.game == game).order_by(seats.c.seat).with_for_update()

        def work(connection: Connection) -> bool:
            now = [SeatRow(**row) for row in connection.execute(held).mappings()]
            taken = delete(uncounted).where(uncounted.c.game == game)
            if now != places or connection.execute(taken).rowcount != 1:
                connection.rollback()
                return False
            old = select(results).where(results.c.game == game)
            known = {row.seat: ResultRow(*row) for row in connection.execute(old)}
            connection.execute(delete(results).where(results.c.game == game))
            kept = [_as_rated(row, known.get(row.seat)) for row in found]
            if kept:
                connection.execute(insert(results), [msgspec.structs.asdict(row) for row in kept])
            rated = [row for row in [*known.values(), *kept] if row.rated_as is not None]
            queue_rating(connection, [(row.rulebook, row.at, row.game) for row in rated])
            keep_places(connection, game, kept, time())
            return True

        return await self.database.write(work)

    # Reading

    async def page(self, *conditions: ColumnElement[bool], limit: int) -> list[ResultRow]:
        """Results that meet the conditions, the latest first."""
        query = select(results).where(*conditions)
        query = query.order_by(results.c.at.desc(), results.c.game.desc()).limit(limit)
        return [ResultRow(*row) for row in await self.database.rows(query)]

    async def count(self, *conditions: ColumnElement[bool]) -> int:
        rows = await self.database.rows(
            select(func.count()).select_from(results).where(*conditions)
        )
        return int(rows[0][0])

    async def counts(self, by: Sequence[str], *conditions: ColumnElement[bool]) -> Sequence[Any]:
        """These columns, games and wins of all that meet the conditions."""
        group = [results.c[name] for name in by]
        query = select(*group, func.count(), _WON).where(*conditions)
        return await self.database.rows(query.group_by(*group).order_by(*group))

    async def rounds(self, *conditions: ColumnElement[bool], limit: int) -> Sequence[Any]:
        """Game and rounds of those that meet the conditions, the latest first."""
        query = select(results.c.game, results.c.rounds)
        query = query.where(*conditions, results.c.rounds.is_not(None))
        latest = results.c.at.desc(), results.c.game.desc()
        return await self.database.rows(query.order_by(*latest).limit(limit))

    async def extremes(
        self, *conditions: ColumnElement[bool]
    ) -> tuple[ResultRow | None, ResultRow | None]:
        """The latest game that was won by most, and the latest that was won or lost by least."""
        query = select(results).where(*conditions, results.c.margin.is_not(None)).limit(1)
        margins = results.c.margin, results.c.tie_margin
        most = query.where(results.c.place == 1).order_by(*(each.desc() for each in margins))
        least = query.order_by(*margins)
        latest = results.c.at.desc(), results.c.game.desc()
        found = [await self.database.rows(each.order_by(*latest)) for each in (most, least)]
        best, narrowest = (next((ResultRow(*row) for row in rows), None) for rows in found)
        return best, narrowest

    async def seats_of(self, found: Sequence[str]) -> dict[str, list[NamedResult]]:
        """The results of all seats of these games with their names, the best first."""
        here = (seats.c.game == results.c.game) & (seats.c.seat == results.c.seat)
        query = select(results, seats.c.name).join(seats, here).where(results.c.game.in_(found))
        by_game: dict[str, list[NamedResult]] = {game: [] for game in found}
        for *row, name in await self.database.rows(query.order_by(results.c.place, results.c.seat)):
            by_game[row[0]].append(NamedResult(name, ResultRow(*row)))
        return by_game

    async def setups_of(self, found: Sequence[str]) -> dict[str, str]:
        """What the tables of these games were made with, without custom files."""
        brief = func.coalesce(games.c.listed, games.c.setup)
        rows = await self.database.rows(select(games.c.id, brief).where(games.c.id.in_(found)))
        return dict(rows)

    async def records_of(self, found: Sequence[str]) -> dict[str, str]:
        rows = await self.database.rows(
            select(games.c.id, games.c.record).where(games.c.id.in_(found))
        )
        return dict(rows)


def _as_rated(row: ResultRow, known: ResultRow | None) -> ResultRow:
    """A seat of somebody who is deleted goes on to count for others as it did."""
    if known is None or row.who is not None or row.bot is not None:
        return row
    return msgspec.structs.replace(row, rated_as=known.rated_as)


def at_public_tables() -> ColumnElement[bool]:
    """The condition that anybody could find and watch a game."""
    return exists().where(games.c.id == results.c.game, games.c.public)


def queue_counting(connection: Connection, *conditions: ColumnElement[bool]) -> None:
    """Have those of these games counted that were played to their end here."""
    over = games.c.status == "finished", games.c.opening.is_not(None)
    found = select(games.c.id).where(*conditions, *over)
    queued = INSERTS[connection.dialect.name](uncounted).from_select(["game"], found)
    connection.execute(queued.on_conflict_do_nothing())


def forget_person(connection: Connection, who: str) -> None:
    """Make the seats of a person nameless; their games are counted again by the names left."""
    played = select(results.c.game).where(results.c.who == who)
    queue_counting(connection, games.c.id.in_(played))
    connection.execute(update(results).where(results.c.game.in_(played)).values(words=""))
    connection.execute(update(results).where(results.c.who == who).values(who=None))
    forget_player(connection, who)
