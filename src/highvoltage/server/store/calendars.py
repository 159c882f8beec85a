"""What is awaited of people and when, and the secret addresses of their calendars."""

from msgspec import Struct
from sqlalchemy import Connection, delete, exists, func, insert, select

from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import calendars, cup_players, cups, games, seats


class AwaitedTurn(Struct, frozen=True):
    """A table at which it is somebody's turn, until it is due."""

    game: str
    rulebook: str
    setup: str
    due: float


class AwaitedRound(Struct, frozen=True):
    """A cup in which somebody plays, and the round that is to begin."""

    cup: str
    setup: str
    number: int
    begins: float


class Calendars:
    """The calendars of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def owner(self, key: str) -> str | None:
        """Whose address has a secret of this hash."""
        rows = await self.database.rows(select(calendars.c.who).where(calendars.c.key == key))
        return next((row.who for row in rows), None)

    async def has_address(self, who: str) -> bool:
        return bool(await self.database.rows(select(calendars).where(calendars.c.who == who)))

    async def set_address(self, who: str, key: str | None) -> None:
        """Give the calendar of a person another address, or none; an older one ends."""

        def work(connection: Connection) -> None:
            connection.execute(delete(calendars).where(calendars.c.who == who))
            if key is not None:
                connection.execute(insert(calendars).values(who=who, key=key))

        await self.database.write(work)

    async def turns(self, who: str) -> list[AwaitedTurn]:
        of_theirs = seats.c.game == games.c.id, seats.c.owner == who, seats.c.bot.is_(None)
        awaited = exists().where(*of_theirs, seats.c.seat == games.c.turn)
        setup = func.coalesce(games.c.listed, games.c.setup)
        query = select(games.c.id, games.c.rulebook, setup, games.c.due)
        held = games.c.id.in_(select(seats.c.game).where(seats.c.owner == who))
        query = query.where(held, games.c.status == "running", games.c.due > 0, awaited)
        return [AwaitedTurn(*row) for row in await self.database.rows(query)]

    async def rounds(self, who: str) -> list[AwaitedRound]:
        query = select(cups.c.id, cups.c.setup, cups.c.round + 1, cups.c.due)
        query = query.join(cup_players, cup_players.c.cup == cups.c.id)
        playing = cup_players.c.who == who, cup_players.c.status == "in"
        waits = cups.c.status != "over", cups.c.played == cups.c.round, cups.c.due.is_not(None)
        rows = await self.database.rows(query.where(*playing, *waits))
        return [AwaitedRound(*row) for row in rows]
