"""People whom somebody follows or blocks, and invitations to a table by handle.

Nobody learns who follows or blocks them, nor whether an invitation was seen or declined.
"""

from math import ceil
from time import time

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.info import table_infos
from highvoltage.rooms.messages import TableInfo
from highvoltage.rooms.problems import malformed, not_found, not_now, not_yours, too_many
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.tables import once
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.contact_messages import (
    Contact,
    ContactChoice,
    DeclinedInvitation,
    Invitation,
    NewInvitation,
)
from highvoltage.server.people.tonight import LIVELY_SECONDS
from highvoltage.server.store import ProfileRow, SqlStore
from highvoltage.server.store.contacts import InvitationRow

MOST_CONTACTS = 500
MOST_INVITATIONS = 20
"""That somebody sees at once; further ones are as good as declined."""
INVITATIONS_PER_HOUR = 30  # from one address


class InvitationLimits(RateLimits):
    """How often people of one address may invite."""

    def __init__(self) -> None:
        super().__init__(INVITATIONS_PER_HOUR / 3_600, INVITATIONS_PER_HOUR)


class ContactsController(Controller):
    """Whom you follow and block."""

    path = "/api/contacts"
    tags: tuple[str] = ("contacts",)

    @get("")
    async def contacts(self, visitor: Given[Visitor], store: Given[SqlStore]) -> list[Contact]:
        """All whom you follow or block, and where those whom you follow wait or play in public."""
        return await _contacts(visitor, store)

    @post("")
    async def choose_contact(
        self,
        data: JSONBody[ContactChoice],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        mark: Given[str | None],
    ) -> list[Contact]:
        """Follow or block somebody, or neither; they do not learn of it."""
        other = await _somebody_else(store, data.handle, visitor)
        if not await store.contacts.set(visitor.who, other.who, data.kind, MOST_CONTACTS, mark):
            raise too_many("many_contacts")
        return await _contacts(visitor, store)


class InvitationsController(Controller):
    """Invitations to tables."""

    path = "/api/invitations"
    tags: tuple[str] = ("contacts",)

    @get("")
    async def invitations(
        self, visitor: Given[Visitor], store: Given[SqlStore]
    ) -> list[Invitation]:
        """Tables with an open seat to which others have invited you, the latest first."""
        received: dict[str, tuple[str, float]] = {}
        for game, by, at in await store.contacts.received(visitor.who):
            received.setdefault(game, (by, at))
        tables = {table.id: table for table in await _tables(store, visitor, [*received])}
        return [
            Invitation(by, at, tables[game])
            for game, (by, at) in received.items()
            if game in tables
        ]

    @post("")
    async def invite(
        self,
        data: JSONBody[NewInvitation],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        invitation_limits: Given[InvitationLimits],
        mark: Given[str | None],
    ) -> None:
        """Invite somebody to a table at which you sit, or which you made."""
        async with once(rooms, mark):
            room = await rooms.get(data.table)
            if room.row.host != visitor.who and not room.seats_of(visitor.who):
                raise not_yours("not_your_seat")
            room.require("open")
            own = await store.people.profile(who=visitor.who)
            if own is None:
                raise not_now("handle_first")
            other = await _somebody_else(store, data.handle, visitor)
            limit = invitation_limits.of(visitor.network)
            if limit.exceeded():
                raise too_many("many_invitations", retry_after=ceil(limit.retry_after(1)))
            row = InvitationRow(room.row.id, other.who, visitor.who, time())
            is_new = await store.contacts.invite(row, MOST_INVITATIONS, mark)
            push = rooms.context.push
            if is_new and push is not None and not room.seats_of(other.who):
                push.notify(other.who, room.row.id, room.setup.title, by=own.handle)

    @post("/decline")
    async def decline_invitation(
        self,
        data: JSONBody[DeclinedInvitation],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        mark: Given[str | None],
    ) -> None:
        """Decline; whoever has invited you does not learn of it."""
        await store.contacts.decline(visitor.who, data.table, mark)


async def _somebody_else(store: SqlStore, handle: str, visitor: Visitor) -> ProfileRow:
    found = await store.people.profile(handle=handle)
    if found is None:
        raise not_found("profile")
    if found.who == visitor.who:
        raise malformed("malformed", "This is your own handle.")
    return found


async def _contacts(visitor: Visitor, store: SqlStore) -> list[Contact]:
    rows = await store.contacts.of(visitor.who)
    tables: dict[str, TableInfo] = {}
    if shown := [row.other for row in rows if row.shown]:
        waiting = await store.waiting(owners=shown)
        lively = await store.lively(time() - LIVELY_SECONDS, owners=shown)
        for row, places in (*lively, *waiting):  # who waits for others is of more interest
            for info in table_infos([(row, places)], visitor.who):
                tables |= {place.owner: info for place in places if place.owner in shown}
    return [Contact(row.handle, row.kind, tables.get(row.other)) for row in rows]  # type: ignore[arg-type]  # stored as it was chosen


async def _tables(store: SqlStore, visitor: Visitor, ids: list[str]) -> list[TableInfo]:
    found = await store.tables_with_ids(ids)
    return table_infos(found, visitor.who)
