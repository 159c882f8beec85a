"""Clubs: private groups with their members, chat and cups."""

from typing import NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, delete, func, insert, select, update

from highvoltage.rooms.names import distinct_name
from highvoltage.rooms.store import CHAT_KEPT
from highvoltage.server.store.cups import CupRow
from highvoltage.server.store.database import Database
from highvoltage.server.store.schema import club_lines, club_members, clubs, cups

LISTED = 20
"""Clubs of a person, and cups of a club."""


class ClubRow(Struct, frozen=True):
    """A club as it is stored."""

    id: str
    host: str
    origin: str
    name: str
    created: float


class ClubMember(Struct, frozen=True):
    """Somebody in a club; `removed` cannot come back."""

    club: str
    n: int
    who: str | None
    name: str
    status: str  # in, out, removed


class ClubLine(Struct, frozen=True):
    """A line of the chat of a club."""

    club: str
    n: int
    member: int
    text: str
    at: float


class ClubFound(NamedTuple):
    """A club and all that belongs to it, the latest cups first."""

    row: ClubRow
    members: list[ClubMember]
    lines: list[ClubLine]
    cups: list[CupRow]


class Clubs:
    """The clubs of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, club: str) -> ClubFound | None:
        of_club = select(cups).where(cups.c.club == club)

        def work(connection: Connection) -> ClubFound | None:
            row = connection.execute(select(clubs).where(clubs.c.id == club)).one_or_none()
            if row is None:
                return None
            lines = select(club_lines).where(club_lines.c.club == club).order_by(club_lines.c.n)
            played = of_club.order_by(cups.c.created.desc()).limit(LISTED)
            return ClubFound(
                ClubRow(*row),
                _members(connection, club),
                [ClubLine(*each) for each in connection.execute(lines)],
                [CupRow(*each) for each in connection.execute(played)],
            )

        return await self.database.read(work)

    async def mine(self, who: str) -> list[ClubRow]:
        """The clubs that somebody is in."""
        held = club_members.c.who == who, club_members.c.status == "in"
        query = select(clubs).where(clubs.c.id.in_(select(club_members.c.club).where(*held)))
        rows = await self.database.rows(query.order_by(clubs.c.created.desc()).limit(LISTED))
        return [ClubRow(*row) for row in rows]

    async def has_member(self, club: str, who: str) -> bool:
        here = club_members.c.club == club, club_members.c.who == who
        query = select(club_members.c.n).where(*here, club_members.c.status == "in")
        return bool(await self.database.rows(query))

    async def count_of(self, who: str, origin: str) -> tuple[int, int]:
        """How many clubs a person has made, and how many were made from their network."""
        counts = [
            select(func.count()).where(made).scalar_subquery()
            for made in (clubs.c.host == who, clubs.c.origin == origin)
        ]
        [(made, nearby)] = await self.database.rows(select(*counts))
        return int(made), int(nearby)

    async def create(self, row: ClubRow, host_name: str, mark: str | None) -> str:
        """Keep a new club, whose host is in it; returns its id, or that made under this mark."""
        first = ClubMember(row.id, 1, row.host, host_name, "in")

        def work(connection: Connection) -> str:
            connection.execute(insert(clubs).values(msgspec.structs.asdict(row)))
            connection.execute(insert(club_members).values(msgspec.structs.asdict(first)))
            return row.id

        return await self.database.write(work, mark)

    async def delete(self, club: str, mark: str | None) -> None:
        """Delete a club; its cups stay, and are nobody's but their players'."""

        def work(connection: Connection) -> None:
            forget_club(connection, club)

        await self.database.write(work, mark)

    async def join(self, club: str, who: str, name: str, most: int, mark: str | None) -> str:
        """Let somebody in; returns what became of it: in, full, removed, or gone like the club."""

        def work(connection: Connection) -> str:
            there = select(clubs.c.id).where(clubs.c.id == club).with_for_update()
            known = connection.execute(there).one_or_none()
            members = _members(connection, club)
            mine = next((member for member in members if member.who == who), None)
            refusal = ""
            if known is None:
                refusal = "gone"
            elif mine is not None and mine.status == "removed":
                refusal = "removed"
            elif mine is None and len(members) >= most:
                refusal = "full"
            if refusal:
                connection.rollback()
                return refusal
            if mine is not None:
                _set_status(connection, club, mine.n, "in")
            else:
                number = max((member.n for member in members), default=0) + 1
                distinct = distinct_name(name, [member.name for member in members])
                new = ClubMember(club, number, who, distinct, "in")
                connection.execute(insert(club_members).values(msgspec.structs.asdict(new)))
            return "in"

        return await self.database.write(work, mark)

    async def set_status(self, club: str, n: int, status: str, mark: str | None) -> None:
        """Let a member leave, or remove one."""
        await self.database.write(lambda connection: _set_status(connection, club, n, status), mark)

    async def add_line(
        self, club: str, member: int, text: str, at: float, mark: str | None
    ) -> None:
        """Add a line to the chat, and drop the oldest beyond CHAT_KEPT."""
        mine = club_lines.c.club == club

        def work(connection: Connection) -> None:
            connection.execute(select(clubs.c.id).where(clubs.c.id == club).with_for_update())
            last = connection.execute(select(func.max(club_lines.c.n)).where(mine)).scalar() or 0
            new = ClubLine(club, last + 1, member, text, at)
            connection.execute(insert(club_lines).values(msgspec.structs.asdict(new)))
            old = club_lines.c.n <= last + 1 - CHAT_KEPT
            connection.execute(delete(club_lines).where(mine, old))

        await self.database.write(work, mark)

    async def remove_line(self, club: str, n: int, mark: str | None) -> None:
        query = delete(club_lines).where(club_lines.c.club == club, club_lines.c.n == n)
        await self.database.write(lambda connection: _done(connection.execute(query)), mark)


def _done(_: object) -> None:
    """What is repeated has nothing to say."""


def _members(connection: Connection, club: str) -> list[ClubMember]:
    query = select(club_members).where(club_members.c.club == club).order_by(club_members.c.n)
    return [ClubMember(*row) for row in connection.execute(query)]


def _set_status(connection: Connection, club: str, n: int, status: str) -> None:
    here = club_members.c.club == club, club_members.c.n == n
    stays = club_members.c.status == "removed"
    connection.execute(update(club_members).where(*here, ~stays).values(status=status))


def forget_club(connection: Connection, club: str) -> None:
    connection.execute(update(cups).where(cups.c.club == club).values(club=None))
    for table in (club_lines, club_members):
        connection.execute(delete(table).where(table.c.club == club))
    connection.execute(delete(clubs).where(clubs.c.id == club))


def said_in_clubs(who: str) -> Select[tuple[str, str, float]]:
    """What a person has written in the chats of clubs."""
    own = (club_members.c.club == club_lines.c.club) & (club_members.c.n == club_lines.c.member)
    lines = select(club_lines.c.club, club_lines.c.text, club_lines.c.at)
    return lines.join(club_members, own).where(club_members.c.who == who)


def forget_club_member(connection: Connection, who: str) -> None:
    """A deleted person's words go, and so do the clubs they have made."""
    mine = select(club_members.c.club, club_members.c.n).where(club_members.c.who == who)
    for club, n in connection.execute(mine).all():
        said = club_lines.c.club == club, club_lines.c.member == n
        connection.execute(delete(club_lines).where(*said))
        here = club_members.c.club == club, club_members.c.n == n
        nameless = {"who": None, "status": "out", "name": f"Gone {n}"}
        connection.execute(update(club_members).where(*here).values(nameless))
    made = select(clubs.c.id).where(clubs.c.host == who)
    for club in connection.execute(made).scalars().all():
        forget_club(connection, club)
