"""What an operator does with the store, whether a server runs on it or not.

A running server is notified: by PostgreSQL, or within two seconds by a note in its SQLite file.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from secrets import token_urlsafe
from time import time

from msgspec.structs import replace
from sqlalchemy import ColumnElement, select

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.messages import SETUP_DECODER
from highvoltage.rooms.restore import restore
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.guard.passwords import hasher
from highvoltage.server.people.counting import counted
from highvoltage.server.people.rating import rate_game
from highvoltage.server.private_files import create_private
from highvoltage.server.store import Account, Ban, SqlStore
from highvoltage.server.store.library import ListedMap, MapSearch
from highvoltage.server.store.schema import games, reports
from highvoltage.table import Seat

DAY = 86_400.0


class NotFound(HighVoltageError):
    """Nothing has that name."""


class Operator:
    """The commands of an operator."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store

    # Tables

    async def tables(
        self, status: str | None, older: float, limit: int
    ) -> list[tuple[GameRow, list[SeatRow]]]:
        """Tables made at least so many days ago, the latest first."""
        return await self.store.games_with(*_made(status, older), limit=limit)

    async def purge(self, status: str | None, older: float, *, dry_run: bool) -> dict[str, int]:
        """Delete such tables and data that belongs to none; returns how many rows of each kind."""
        before = time() - older * DAY
        return await self.store.purge(*_made(status, older), before=before, dry_run=dry_run)

    async def table(self, table: str) -> tuple[GameRow, list[SeatRow]]:
        found = await self.store.game(table)
        if found is None:
            raise NotFound(f"There is no table {table}; `highvoltage admin list` shows them.")
        return found

    async def record(self, table: str) -> str:
        """The record of a game; a running game's record so far."""
        row, places = await self.table(table)
        if row.record is not None:
            return row.record
        if row.opening is None:
            raise NotFound(f"The game at {table} has not begun.")
        seats = [Seat(place.kind, place.name, place.bot) for place in places]  # type: ignore[arg-type]  # stored as the table named it
        setup = SETUP_DECODER.decode(row.setup)
        return restore(row, seats, setup, await self.store.journal(table)).record().json()

    async def delete(self, *tables: str) -> None:
        """Delete tables; none of them if one does not exist."""
        for table in tables:
            await self.table(table)
        await self.store.delete(*tables)

    # People

    async def account(self, login: str) -> Account:
        found = await self.store.people.account(login=login)
        if found is None:
            raise NotFound(
                f"Nobody has the login {login}; `highvoltage admin accounts` shows them."
            )
        return found

    async def owner(self, table: str, seat: int) -> str:
        """The identity of the person in a seat, with or without an account."""
        _, places = await self.table(table)
        owner = next((place.owner for place in places if place.seat == seat), None)
        if owner is None:
            raise NotFound(f"Nobody holds seat {seat + 1} of {table}.")
        return owner

    async def author(self, table: str, line: int) -> str:
        """The identity of the person who wrote a chat line, or one that was reported."""
        reported = select(reports.c.author).where(reports.c.game == table, reports.c.n == line)
        found = [row.author for row in await self.store.rows(reported)]
        author = await self.store.author(table, line) or next(iter(found), None)
        if author is None:
            raise NotFound(f"There is no line {line} of {table} whose author is known.")
        return author

    async def ban(self, who: str, days: float | None, *, address: bool, reason: str) -> list[str]:
        """Let a person only watch; returns the tables where a bot plays on or words are gone."""
        now = time()
        until = None if days is None else now + days * DAY
        return await self.store.people.ban_everywhere(Ban(who, now, until, address, reason))

    async def pardon(self, who: str) -> None:
        """Let an account, or an identity as returned by `banned`, act again."""
        account = await self.store.people.account(login=who)
        if not await self.store.people.pardon(account.who if account else who):
            raise NotFound(f"{who} is not banned.")

    async def banned(self) -> list[tuple[Ban, int]]:
        """The bans, and how many addresses each of them holds for.

        A ban names the login of a person, or their identity if they have none.
        """
        known = {account.who: account.login for account in await self.store.people.accounts()}
        bans = await self.store.people.banned_everywhere()
        found = [
            (
                replace(ban, who=known.get(ban.who, ban.who)),
                sum(ban in others for others in bans.origins.values()),
            )
            for ban in bans.people.values()
            if ban.is_active(time())
        ]
        return sorted(found, key=lambda each: each[0].who)

    async def reset_password(self, login: str) -> str:
        """Set and return a new password; all logins of the account end."""
        account = await self.account(login)
        password = token_urlsafe(12)
        await self.store.people.change_password(account.who, hasher.hash(password), None)
        return password

    async def reports(self) -> list[tuple[float, str, str, str]]:
        """Reported chat lines, the latest first: time, table and line, author, text."""
        query = select(reports).order_by(reports.c.at.desc())
        found = await self.store.rows(query)
        return [(row.at, f"{row.game}:{row.n}", row.name, row.text) for row in found]

    # The library

    async def maps(self, words: str, page: int) -> tuple[list[ListedMap], int]:
        """A page of the published maps, the latest first, and how many there are."""
        return await self.store.library.find(MapSearch(words, page=page), "")

    async def map_author(self, map_id: str) -> str:
        """The identity of the person who published a map."""
        author = await self.store.library.author(map_id)
        if author is None:
            raise _no_map(map_id)
        return author

    async def remove_maps(self, *ids: str) -> None:
        """Remove published maps, none of them if one does not exist; games on them go on."""
        for map_id in ids:
            await self.map_author(map_id)
        for map_id in ids:
            await self.store.library.remove(map_id)

    async def map_reports(self) -> list[tuple[float, str, str, str]]:
        """Reported maps, the latest first: time, map, author and name, reason."""
        found = await self.store.library.reports()
        return [(row.at, row.map, f"{row.author}: {row.name}", row.text) for row in found]

    # The store

    async def recount(self) -> int:
        """Make the results of all finished games again, and the ratings that come from them.

        Returns how many games were counted here.
        """
        await self.store.results.queue_all()
        games = 0
        async for _ in counted(self.store, asyncio.to_thread):
            games += 1
        while await self.store.ratings.rate_some(rate_game):
            pass
        return games

    async def vacuum(self) -> None:
        """Free the space of deleted rows."""
        with closing(self.store.engine.raw_connection()) as raw:
            if self.store.shared:  # SQLite connections are in autocommit mode already
                raw.driver_connection.autocommit = True  # type: ignore[union-attr]  # psycopg's
            raw.detach()  # not returned to the pool: it has no transactions any more
            raw.cursor().execute("VACUUM")

    def backup(self, file: Path) -> None:
        """Copy a consistent snapshot of an SQLite store while games go on."""
        if self.store.shared:
            raise HighVoltageError(
                "PostgreSQL is backed up by its own tool: pg_dump --format=custom --file"
                f" {file} ADDRESS. See docs/operating.md."
            )
        try:
            create_private(file)
        except FileExistsError:
            raise HighVoltageError(f"{file} is there already; name another file.") from None
        with (
            closing(sqlite3.connect(self.store.engine.url.database or "")) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)


def _no_map(map_id: str) -> NotFound:
    return NotFound(f"There is no map {map_id}; `highvoltage admin maps` shows them.")


def _made(status: str | None, older: float) -> list[ColumnElement[bool]]:
    """The conditions for tables made at least so many days ago, of this status if given."""
    known = [] if status is None else [games.c.status == status]
    return [games.c.created <= time() - older * DAY, *known]


def _check_exists(store: SqlStore) -> None:
    file = store.engine.url.database
    if not store.shared and file and not Path(file).exists():
        raise NotFound(
            f"There is no store at {file}. `highvoltage serve` creates it; --data or --database"
            " name another."
        )


@asynccontextmanager
async def operator(database: str) -> AsyncIterator[Operator]:
    """Open a store for an operator; only a server creates one, as the user that it runs as."""
    store = SqlStore(database)
    _check_exists(store)
    await store.open()
    try:
        yield Operator(store)
    finally:
        await store.close()
