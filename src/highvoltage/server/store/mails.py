"""Addresses for e-mail, and what is to be sent there.

What is to be sent is a row with a moment at which it is due. Whoever sends it first moves that
moment into the future, and clears it afterwards: so one process sends it, and if that is killed
meanwhile, another one does when the moment has come again.
"""

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from highvoltage.rooms.store import Conflict
from highvoltage.server.store.database import INSERTS, Database
from highvoltage.server.store.schema import addresses, entries, games, seats, turn_mails


class AddressRow(Struct, frozen=True):
    """Where somebody is sent word of their turns, once it is confirmed."""

    who: str
    address: str
    mailbox: str
    language: str
    digest: bool
    key: str
    asked: float
    proof: str | None
    confirmed: float | None = None
    due: float | None = None
    tries: int = 0


class Turn(Struct, frozen=True):
    """The turn of somebody with a confirmed address, by the decision that it followed."""

    game: str
    who: str
    turn: int
    since: float


class TurnMail(Struct, frozen=True):
    """A turn of which word is to be sent."""

    game: str
    who: str
    turn: int
    due: float
    tries: int


class Mails:
    """The addresses of a store, and its queue of mails."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Addresses

    async def address(self, who: str) -> AddressRow | None:
        rows = await self.database.rows(select(addresses).where(addresses.c.who == who))
        return next((AddressRow(*row) for row in rows), None)

    async def give(self, row: AddressRow, most: int, since: float, mark: str | None = None) -> bool:
        """Replace the address of a person; False if too many gave the same one since then."""
        same = select(func.count()).where(
            addresses.c.mailbox == row.mailbox,
            addresses.c.asked > since,
            addresses.c.who != row.who,
        )

        def work(connection: Connection) -> bool:
            if connection.execute(same).scalar_one() >= most:
                return False
            forget_address(connection, row.who)
            connection.execute(insert(addresses).values(msgspec.structs.asdict(row)))
            return True

        try:
            return await self.database.write(work, mark)
        except Conflict:
            return True  # the same person has given one at another process

    async def choose(self, who: str, **changes: Any) -> None:
        query = update(addresses).where(addresses.c.who == who).values(**changes)
        await self.database.write(lambda connection: connection.execute(query))

    async def confirm(self, proof: str, at: float, since: float, mark: str | None) -> bool:
        """Confirm an address that was given since then; False if nothing waits for this proof."""
        meant = addresses.c.proof == proof, addresses.c.asked > since
        confirmed = update(addresses).where(*meant)
        confirmed = confirmed.values(confirmed=at, proof=None, due=None, tries=0)
        return await self.database.write(
            lambda connection: connection.execute(confirmed).rowcount == 1, mark
        )

    async def end(self, **known: str) -> None:
        """Forget an address, by its owner or its key."""
        owner = select(addresses.c.who).filter_by(**known)

        def work(connection: Connection) -> None:
            for who in connection.execute(owner).scalars().all():
                forget_address(connection, who)

        await self.database.write(work)

    async def forget_unconfirmed(self, before: float) -> None:
        """Forget addresses that nobody has confirmed."""
        late = addresses.c.confirmed.is_(None), addresses.c.asked < before
        if await self.database.rows(select(addresses.c.who).where(*late).limit(1)):
            query = delete(addresses).where(*late)
            await self.database.write(lambda connection: connection.execute(query))

    # Turns

    async def turns(self, *, who: str | None = None, new: bool = False) -> list[Turn]:
        """The turns of a person, or of all who have confirmed an address.

        New ones have begun since then, and have not been noted.
        """
        others = select(entries.c.seq, entries.c.at)
        others = others.where(entries.c.game == games.c.id, entries.c.seat != seats.c.seat)
        last = others.order_by(entries.c.seq.desc()).limit(1)
        turn = func.coalesce(last.with_only_columns(entries.c.seq).scalar_subquery(), -1)
        since = func.coalesce(
            last.with_only_columns(entries.c.at).scalar_subquery(), games.c.started, 0.0
        )
        noted = and_(turn_mails.c.game == games.c.id, turn_mails.c.who == addresses.c.who)
        query = select(games.c.id, addresses.c.who, turn, since)
        query = query.join(seats, and_(seats.c.game == games.c.id, seats.c.seat == games.c.turn))
        query = query.join(addresses, addresses.c.who == seats.c.owner)
        query = query.outerjoin(turn_mails, noted)
        query = query.where(games.c.status == "running", addresses.c.confirmed.is_not(None))
        if who is not None:
            query = query.where(addresses.c.who == who)
        if new:
            unnoted = or_(turn_mails.c.turn.is_(None), turn_mails.c.turn != turn)
            query = query.where(unnoted, since > addresses.c.confirmed)
        rows = await self.database.rows(query.order_by(games.c.id))
        return [Turn(row[0], row[1], int(row[2]), float(row[3])) for row in rows]

    async def note(self, turn: Turn, due: float | None, digest_due: float | None = None) -> bool:
        """Note a turn: when word of it is due, if at all; False if that was done before.

        A digest becomes due with the first turn that is in it.
        """
        row = {"turn": turn.turn, "due": due, "tries": 0}
        mine = addresses.c.who == turn.who

        def work(connection: Connection) -> bool:
            new = INSERTS[connection.dialect.name](turn_mails)
            new = new.values(game=turn.game, who=turn.who, **row)
            key = [turn_mails.c.game, turn_mails.c.who]
            unnoted = turn_mails.c.turn != turn.turn
            noted = new.on_conflict_do_update(index_elements=key, set_=row, where=unnoted)
            if connection.execute(noted).rowcount != 1:
                return False
            if digest_due is not None:
                first = update(addresses).where(mine, addresses.c.due.is_(None))
                connection.execute(first.values(due=digest_due, tries=0))
            return True

        try:
            return await self.database.write(work)
        except Conflict:  # the game was deleted meanwhile
            return False

    # The queue

    async def due_addresses(self, before: float, limit: int) -> list[AddressRow]:
        """Those who are to be asked to confirm, and those whose digest is due."""
        query = select(addresses).where(addresses.c.due <= before)
        rows = await self.database.rows(query.order_by(addresses.c.due).limit(limit))
        return [AddressRow(*row) for row in rows]

    async def due_turns(self, before: float, limit: int) -> list[TurnMail]:
        query = select(turn_mails).where(turn_mails.c.due <= before)
        rows = await self.database.rows(query.order_by(turn_mails.c.due).limit(limit))
        return [TurnMail(*row) for row in rows]

    async def postpone(
        self, mail: AddressRow | TurnMail, due: float | None, tries: int | None = None
    ) -> bool:
        """Let a mail be due at another time, or never; False if it has changed meanwhile."""
        table = turn_mails if isinstance(mail, TurnMail) else addresses
        values = {"due": due, "tries": mail.tries if tries is None else tries}
        query = update(table).where(*_same(mail)).values(**values)
        return await self.database.write(lambda connection: connection.execute(query).rowcount == 1)


def _same(mail: AddressRow | TurnMail) -> list[ColumnElement[bool]]:
    """The row of a mail, if it is as it was read."""
    if isinstance(mail, TurnMail):
        names = ["game", "who", "turn", "due"]
        return [turn_mails.c[name] == getattr(mail, name) for name in names]
    return [addresses.c[name] == getattr(mail, name) for name in ("who", "key", "due")]


def forget_address(connection: Connection, who: str) -> None:
    """Delete the address of a person, and what is to be sent there."""
    for column in (addresses.c.who, turn_mails.c.who):
        connection.execute(delete(column.table).where(column == who))
