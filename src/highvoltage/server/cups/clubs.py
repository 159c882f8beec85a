"""Clubs, over HTTP: private groups with chat, cups and a ladder. A link invites to one."""

from math import ceil
from time import time

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody

from highvoltage.rooms.problems import malformed, not_found, not_now, not_yours, too_many
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import new_id
from highvoltage.rooms.tables import once
from highvoltage.server.cups.messages import (
    ClubBrief,
    ClubInfo,
    ClubLineInfo,
    ClubLineRef,
    ClubWords,
    LadderLine,
    MemberRef,
    NewClub,
)
from highvoltage.server.cups.requests import cup_brief
from highvoltage.server.cups.rounds import cup_standings
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import SqlStore
from highvoltage.server.store.clubs import ClubFound, ClubMember, ClubRow

MOST_MEMBERS = 200
CLUBS_OF_HOST, CLUBS_OF_ADDRESS = 5, 20


class Clubs(Controller):
    """Clubs."""

    path = "/api/clubs"
    tags: tuple[str] = ("cups",)

    @get("")
    async def my_clubs(self, visitor: Given[Visitor], store: Given[SqlStore]) -> list[ClubBrief]:
        """The clubs that you are in."""
        rows = await store.clubs.mine(visitor.who)
        return [ClubBrief(row.id, row.name, row.host == visitor.who) for row in rows]

    @post("")
    async def make_club(
        self,
        data: JSONBody[NewClub],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Make a club; its link invites others."""
        if mark is not None and (made := await store.result_of(mark)):
            return await _shown(store, made.value, visitor)
        if not data.name.strip():
            raise malformed("malformed", "A club needs a name.")
        made_here, nearby = await store.clubs.count_of(visitor.who, visitor.origin)
        if made_here >= CLUBS_OF_HOST or nearby >= CLUBS_OF_ADDRESS:
            raise too_many("many_clubs")
        row = ClubRow(new_id(), visitor.who, visitor.origin, data.name.strip(), time())
        return await _shown(store, await store.clubs.create(row, visitor.name, mark), visitor)

    @get("/{club:str}")
    async def club(
        self, club: FromPath[str], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> ClubInfo:
        """A club: its ladder, chat and cups for members, for others its name."""
        return await _shown(store, club, visitor)

    @delete("/{club:str}")
    async def delete_club(
        self,
        club: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> None:
        """Delete a club that you made; its cups go on without it."""
        async with once(rooms, mark):
            _check_host(await _find(store, club), visitor)
            await store.clubs.delete(club, mark)

    @post("/{club:str}/join")
    async def join_club(
        self,
        club: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Become a member of a club whose link you have."""
        async with once(rooms, mark):
            await _find(store, club)
            became = await store.clubs.join(club, visitor.who, visitor.name, MOST_MEMBERS, mark)
            if became == "removed":
                raise not_yours("sent_away", "The host has removed you from this club.")
            if became == "full":
                raise not_now("club_full")
        return await _shown(store, club, visitor)

    @post("/{club:str}/leave")
    async def leave_club(
        self,
        club: FromPath[str],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Leave a club; its host cannot, but may delete it."""
        async with once(rooms, mark):
            found = await _find(store, club)
            if found.row.host == visitor.who:
                raise not_now("not_now", "The host of a club can delete it.")
            await store.clubs.set_status(club, _own(found, visitor).n, "out", mark)
        return await _shown(store, club, visitor)

    @post("/{club:str}/remove")
    async def remove_member(
        self,
        club: FromPath[str],
        data: JSONBody[MemberRef],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Remove a member from your club, who cannot come back."""
        async with once(rooms, mark):
            found = await _find(store, club)
            _check_host(found, visitor)
            wanted = next((each for each in found.members if each.n == data.member), None)
            if wanted is None or wanted.who == visitor.who:
                raise not_found("member")
            await store.clubs.set_status(club, wanted.n, "removed", mark)
        return await _shown(store, club, visitor)

    @post("/{club:str}/chat")
    async def club_chat(
        self,
        club: FromPath[str],
        data: JSONBody[ClubWords],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Say something to the members of your club."""
        async with once(rooms, mark):
            mine = _own(await _find(store, club), visitor)
            limit = rooms.context.chat_limits.of(visitor.network)
            if limit.exceeded():
                raise too_many("much_talk", retry_after=ceil(limit.retry_after(1)))
            await store.clubs.add_line(club, mine.n, data.text, time(), mark)
        return await _shown(store, club, visitor)

    @post("/{club:str}/chat/remove")
    async def remove_club_line(
        self,
        club: FromPath[str],
        data: JSONBody[ClubLineRef],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> ClubInfo:
        """Remove a line of your own, or any from the chat of your club."""
        async with once(rooms, mark):
            found = await _find(store, club)
            mine = _own(found, visitor)
            line = next((each for each in found.lines if each.n == data.n), None)
            if line is None:
                raise not_found("line")
            if line.member != mine.n:
                _check_host(found, visitor)
            await store.clubs.remove_line(club, line.n, mark)
        return await _shown(store, club, visitor)


async def _find(store: SqlStore, club: str) -> ClubFound:
    found = None if "\0" in club else await store.clubs.find(club)
    if found is None:
        raise not_found("club")
    return found


def _check_host(found: ClubFound, visitor: Visitor) -> None:
    if found.row.host != visitor.who:
        raise not_yours("host_only")


def _member_of(found: ClubFound, visitor: Visitor) -> ClubMember | None:
    mine = (each for each in found.members if each.who == visitor.who and each.status == "in")
    return next(mine, None)


def _own(found: ClubFound, visitor: Visitor) -> ClubMember:
    mine = _member_of(found, visitor)
    if mine is None:
        raise not_yours("club_members")
    return mine


async def _shown(store: SqlStore, club: str, visitor: Visitor) -> ClubInfo:
    found = await _find(store, club)
    row, names = found.row, {member.n: member.name for member in found.members}
    mine = _member_of(found, visitor)
    info = ClubInfo(row.id, row.name, row.host == visitor.who, mine is not None, [], [], [])
    if mine is None:
        return info
    info.ladder = await _ladder(store, found, visitor)
    info.lines = [
        ClubLineInfo(line.n, names[line.member], line.member == mine.n, line.text, line.at)
        for line in found.lines
    ]
    info.cups = [cup_brief(each, visitor) for each in found.cups]
    return info


async def _ladder(store: SqlStore, found: ClubFound, visitor: Visitor) -> list[LadderLine]:
    """The members by their points in the cups of the club, then by wins."""
    members = [member for member in found.members if member.status == "in"]
    lines = {
        member.who: LadderLine(member.n, member.name, member.who == visitor.who, 0.0, 0, 0)
        for member in members
    }
    for row in found.cups:
        if (cup := await store.cups.find(row.id)) is None:
            continue
        who = {player.n: player.who for player in cup.players}
        for standing in cup_standings(cup):
            if standing.games and (line := lines.get(who[standing.player])):
                line.points += standing.points
                line.wins += standing.wins
                line.cups += 1
    return sorted(lines.values(), key=lambda line: (-line.points, -line.wins, line.member))
