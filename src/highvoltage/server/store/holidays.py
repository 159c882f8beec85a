"""When people are away: the clocks of games over days stand still for them meanwhile."""

from collections.abc import Callable, Collection

from sqlalchemy import Connection, delete, exists, insert, select, update

from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import games, holidays, seats
from highvoltage.table.clock import Span


class Holidays:
    """The holidays of a store. What has passed of one stays: clocks were reckoned by it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, people: Collection[str]) -> dict[str, list[Span]]:
        """The holidays of those of these people who have any, in their order."""
        if not people:
            return {}
        query = select(holidays).where(holidays.c.who.in_(people)).order_by(holidays.c.begins)
        found: dict[str, list[Span]] = {}
        for row in await self.database.rows(query):
            found.setdefault(row.who, []).append((row.begins, row.ends))
        return found

    async def add(
        self, who: str, added: Span, check: Callable[[list[Span]], None], mark: str | None
    ) -> list[list[str]]:
        """Add a holiday, unless `check` of the others raises.

        Returns the games to refresh, and those that wait for this person.
        """
        others = select(holidays.c.begins, holidays.c.ends).where(holidays.c.who == who)
        row = insert(holidays).values(who=who, begins=added[0], ends=added[1])

        def work(connection: Connection) -> list[list[str]]:
            check([(begins, ends) for begins, ends in connection.execute(others)])
            connection.execute(row)
            return self._reckon_again(connection, who)

        return await self.database.write(work, mark)

    async def end(self, who: str, begins: float, now: float, mark: str | None) -> list[list[str]]:
        """End a holiday now, or delete one that has not begun; returns the same."""
        this = holidays.c.who == who, holidays.c.begins == begins
        future = delete(holidays).where(*this, holidays.c.begins > now)
        present = update(holidays).where(*this, holidays.c.ends > now).values(ends=now)

        def work(connection: Connection) -> list[list[str]]:
            for statement in (future, present):
                connection.execute(statement)
            return self._reckon_again(connection, who)

        return await self.database.write(work, mark)

    def _reckon_again(self, connection: Connection, who: str) -> list[list[str]]:
        """Let the games that wait for somebody be looked at, at the latest by the sweep."""
        held = select(seats.c.game).where(seats.c.owner == who)
        running = games.c.id.in_(held), games.c.status == "running"
        found = list(connection.execute(select(games.c.id).where(*running)).scalars())
        of_theirs = seats.c.game == games.c.id, seats.c.owner == who, seats.c.bot.is_(None)
        awaited = exists().where(*of_theirs, seats.c.seat == games.c.turn)
        waiting = select(games.c.id).where(*running, games.c.due.is_not(None), awaited)
        waiting_ids = list(connection.execute(waiting).scalars())
        connection.execute(update(games).where(games.c.id.in_(waiting_ids)).values(due=0.0))
        self.database.notify(connection, *(f"{game} -1 []" for game in found))
        return [found, waiting_ids]
