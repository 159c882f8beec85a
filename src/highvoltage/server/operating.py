"""What an operator does with the store, whether a server runs on it or not.

A server that runs hears of it: by PostgreSQL, or within two seconds by a note in its file.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from secrets import token_urlsafe
from time import time

from sqlalchemy import ColumnElement, select

from highvoltage.engine.errors import HighVoltageError
from highvoltage.server.guard.passwords import hasher
from highvoltage.server.live.restore import restore
from highvoltage.server.messages import SETUP_DECODER
from highvoltage.server.store import Account, GameRow, SeatRow, Store
from highvoltage.server.store.schema import games, reports
from highvoltage.table import Seat

DAY = 86_400.0


class NotFound(HighVoltageError):
    """Nothing here has that name."""


class Operator:
    """Somebody who answers for a server."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Tables

    async def tables(
        self, status: str | None, older: float, limit: int
    ) -> list[tuple[GameRow, list[SeatRow]]]:
        """Tables, the latest first, made so many days ago or earlier."""
        return await self.store.games_with(*_made(status, older), limit=limit)

    async def purge(self, status: str | None, older: float, *, dry_run: bool) -> dict[str, int]:
        """Forget such tables, and what is of no use to anybody since then; how many of each."""
        before = time() - older * DAY
        return await self.store.purge(*_made(status, older), before=before, dry_run=dry_run)

    async def table(self, table: str) -> tuple[GameRow, list[SeatRow]]:
        found = await self.store.game(table)
        if found is None:
            raise NotFound(f"There is no table {table}; `highvoltage admin list` shows them.")
        return found

    async def record(self, table: str) -> str:
        """What was written down of a game; of one that runs, so far."""
        row, places = await self.table(table)
        if row.record is not None:
            return row.record
        if row.opening is None:
            raise NotFound(f"The game at {table} has not begun.")
        seats = [Seat(place.kind, place.name, place.bot) for place in places]  # type: ignore[arg-type]  # the store keeps what the table named
        setup = SETUP_DECODER.decode(row.setup)
        return restore(row, seats, setup, await self.store.journal(table)).game.record().json()

    async def delete(self, *tables: str) -> None:
        """Forget tables; none of them, if one is not there."""
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

    async def ban(self, login: str) -> list[str]:
        """Let an account only look; the tables where a bot plays on."""
        return await self.store.people.ban_everywhere((await self.account(login)).who, time())

    async def ban_seat(self, table: str, seat: int) -> list[str]:
        """The same for whoever holds a seat, with an account or without."""
        _, places = await self.table(table)
        owner = next((place.owner for place in places if place.seat == seat), None)
        if owner is None:
            raise NotFound(f"Nobody holds seat {seat + 1} of {table}.")
        return await self.store.people.ban_everywhere(owner, time())

    async def pardon(self, who: str) -> None:
        """Let an account, or an identity as `banned` tells it, act again."""
        account = await self.store.people.account(login=who)
        if not await self.store.people.pardon(account.who if account else who):
            raise NotFound(f"{who} is not banned.")

    async def banned(self) -> list[str]:
        """Logins of those who are banned; the identities of those without one."""
        known = {account.who: account.login for account in await self.store.people.accounts()}
        return sorted(known.get(who, who) for who in await self.store.people.banned_everywhere())

    async def reset_password(self, login: str) -> str:
        """A new password; whoever is logged in is no longer."""
        account = await self.account(login)
        password = token_urlsafe(12)
        await self.store.people.change_account(account.who, password=hasher.hash(password))
        await self.store.people.end_logins(account.who)
        return password

    async def reports(self) -> list[tuple[float, str, str, str]]:
        """What people complained of, the latest first: when, where, who said it, and what."""
        query = select(reports.c.at, reports.c.game, reports.c.name, reports.c.text)
        found = await self.store.rows(query.order_by(reports.c.at.desc()))
        return [(row.at, row.game, row.name, row.text) for row in found]

    # The store

    async def vacuum(self) -> None:
        """Give back the room of what was deleted."""
        with closing(self.store.engine.raw_connection()) as raw:
            if self.store.shared:  # SQLite is so already
                raw.driver_connection.autocommit = True  # type: ignore[union-attr]  # psycopg's
            raw.detach()  # it is not given back, for it does without transactions
            raw.cursor().execute("VACUUM")

    def backup(self, file: Path) -> None:
        """Copy an SQLite store as it is at one moment, while games go on."""
        if self.store.shared:
            raise HighVoltageError(
                "PostgreSQL is backed up by its own tool: pg_dump --format=custom --file"
                f" {file} ADDRESS. See docs/operating.md."
            )
        if file.exists():
            raise HighVoltageError(f"{file} is there already; name another file.")
        with (
            closing(sqlite3.connect(self.store.engine.url.database or "")) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)


def _made(status: str | None, older: float) -> list[ColumnElement[bool]]:
    """Of this status, if one is named, and made so many days ago or earlier."""
    known = [] if status is None else [games.c.status == status]
    return [games.c.created <= time() - older * DAY, *known]


@asynccontextmanager
async def operator(database: str) -> AsyncIterator[Operator]:
    """Somebody to work on a store."""
    store = Store(database)
    await store.open()
    try:
        yield Operator(store)
    finally:
        await store.close()
