"""The passkeys of accounts."""

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select, update

from highvoltage.rooms.store import Conflict
from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import accounts, passkeys


class PasskeyRow(Struct, frozen=True):
    """A credential that proves an account; both id and public key are in base64url."""

    id: str
    who: str
    name: str
    key: str
    signs: int
    made: float
    used: float | None = None


class PasskeyStore:
    """The passkeys of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, who: str) -> list[PasskeyRow]:
        query = select(passkeys).where(passkeys.c.who == who).order_by(passkeys.c.made)
        return [PasskeyRow(*row) for row in await self.database.rows(query)]

    async def find(self, known: str) -> PasskeyRow | None:
        rows = await self.database.rows(select(passkeys).where(passkeys.c.id == known))
        return next((PasskeyRow(*row) for row in rows), None)

    async def add(self, row: PasskeyRow, most: int) -> bool:
        """Add a passkey; False if the account has as many already, or it is known."""
        mine = select(func.count()).where(passkeys.c.who == row.who)

        def work(connection: Connection) -> bool:
            if connection.execute(mine).scalar_one() >= most:
                return False
            add_passkey(connection, row)
            return True

        try:
            return await self.database.write(work)
        except Conflict:
            return False

    async def rename(self, who: str, known: str, name: str) -> bool:
        mine = passkeys.c.who == who, passkeys.c.id == known
        query = update(passkeys).where(*mine).values(name=name)
        return await self.database.write(lambda connection: connection.execute(query).rowcount == 1)

    async def remove(self, who: str, known: str) -> bool:
        """Remove a passkey, unless nothing else would be left to log in with."""
        account = select(accounts.c.password).where(accounts.c.who == who).with_for_update()
        others = select(func.count()).where(passkeys.c.who == who, passkeys.c.id != known)
        query = delete(passkeys).where(passkeys.c.who == who, passkeys.c.id == known)

        def work(connection: Connection) -> bool:
            password = connection.execute(account).scalar()
            if not password and not connection.execute(others).scalar_one():
                return False
            connection.execute(query)
            return True

        return await self.database.write(work)

    async def use(self, row: PasskeyRow, signs: int, at: float) -> bool:
        """Note that a passkey was used; False if it was used elsewhere meanwhile."""
        same = passkeys.c.id == row.id, passkeys.c.signs == row.signs
        query = update(passkeys).where(*same).values(signs=signs, used=at)
        return await self.database.write(lambda connection: connection.execute(query).rowcount == 1)


def add_passkey(connection: Connection, row: PasskeyRow) -> None:
    connection.execute(insert(passkeys).values(msgspec.structs.asdict(row)))
