"""Whom people follow and block, and invitations to tables."""

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import bans, contacts, games, invitations, profiles, seats

FOLLOWED, BLOCKED = "followed", "blocked"


class ContactRow(Struct, frozen=True):
    """Somebody who is followed or blocked; `shown` says whether they let the follower see them."""

    other: str
    handle: str
    kind: str
    shown: bool


class InvitationRow(Struct, frozen=True):
    """An invitation to a table; the inviter never learns whether it was declined."""

    game: str
    who: str
    by: str
    at: float
    declined: bool = False


class Contacts:
    """The contacts and invitations of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, who: str) -> list[ContactRow]:
        """All whom somebody follows or blocks."""
        theirs = contacts.alias()
        blocks = exists().where(
            theirs.c.who == contacts.c.other, theirs.c.other == who, theirs.c.kind == BLOCKED
        )
        shown = and_(contacts.c.kind == FOLLOWED, profiles.c.public, ~blocks)
        query = select(contacts.c.other, profiles.c.handle, contacts.c.kind, shown)
        query = query.join(profiles, profiles.c.who == contacts.c.other)
        rows = await self.database.rows(
            query.where(contacts.c.who == who).order_by(profiles.c.handle)
        )
        return [ContactRow(row[0], row[1], row[2], bool(row[3])) for row in rows]

    async def set(
        self, who: str, other: str, kind: str | None, most: int, mark: str | None
    ) -> bool:
        """Follow or block somebody, or neither; False if there are too many already."""
        mine = contacts.c.who == who, contacts.c.other == other
        count = select(func.count()).where(contacts.c.who == who)
        received = invitations.c.who == who, invitations.c.by == other

        def work(connection: Connection) -> bool:
            connection.execute(delete(contacts).where(*mine))
            if kind is None:
                return True
            if connection.execute(count).scalar_one() >= most:
                connection.rollback()
                return False
            connection.execute(insert(contacts).values(who=who, other=other, kind=kind))
            if kind == BLOCKED:
                connection.execute(update(invitations).where(*received).values(declined=True))
            return True

        return await self.database.write(work, mark)

    async def invite(self, row: InvitationRow, most: int, mark: str | None) -> bool:
        """Keep an invitation; returns whether the invited person is to be notified of it.

        One that they would not see is kept as if they had declined it: the inviter sees no
        difference.
        """
        same = [invitations.c[name] == getattr(row, name) for name in ("game", "who", "by")]
        blocked = select(contacts.c.who).where(
            contacts.c.who == row.who, contacts.c.other == row.by, contacts.c.kind == BLOCKED
        )
        waiting = select(func.count()).where(invitations.c.who == row.who, _is_open())

        def work(connection: Connection) -> bool:
            if connection.execute(select(invitations.c.game).where(*same)).first():
                return False
            refused = connection.execute(blocked).first() is not None
            refused = refused or connection.execute(waiting).scalar_one() >= most
            kept = msgspec.structs.replace(row, declined=refused)
            connection.execute(insert(invitations).values(msgspec.structs.asdict(kept)))
            return not refused

        return await self.database.write(work, mark)

    async def received(self, who: str) -> list[tuple[str, str, float]]:
        """Tables to which somebody is invited, by whose handle and when, the latest first."""
        query = select(invitations.c.game, profiles.c.handle, invitations.c.at)
        query = query.join(profiles, profiles.c.who == invitations.c.by)
        query = query.where(invitations.c.who == who, _is_open())
        rows = await self.database.rows(query.order_by(invitations.c.at.desc()))
        return [(row[0], row[1], row[2]) for row in rows]

    async def decline(self, who: str, game: str, mark: str | None) -> None:
        """Decline all invitations to a table."""
        mine = invitations.c.who == who, invitations.c.game == game
        query = update(invitations).where(*mine).values(declined=True)
        await self.database.write(lambda connection: connection.execute(query).rowcount, mark)


def _is_open() -> ColumnElement[bool]:
    """Whether an invitation can still be accepted."""
    here = invitations.c.game
    banned = exists().where(bans.c.game == here, bans.c.who == invitations.c.who)
    seated = exists().where(seats.c.game == here, seats.c.owner == invitations.c.who)
    free = exists().where(seats.c.game == here, seats.c.kind == "open")
    awaited = exists().where(games.c.id == here, games.c.status == "open")
    return and_(~invitations.c.declined, awaited, free, ~seated, ~banned)


def handles_of(who: str) -> Select[tuple[str, str]]:
    """By their handles, whom a person follows and blocks."""
    known = select(profiles.c.handle, contacts.c.kind).where(contacts.c.who == who)
    return known.join(profiles, profiles.c.who == contacts.c.other).order_by(profiles.c.handle)


def forget_contacts(connection: Connection, who: str) -> None:
    """Delete all that ties a person to others."""
    for column in (contacts.c.who, contacts.c.other, invitations.c.who, invitations.c.by):
        connection.execute(delete(column.table).where(column == who))
