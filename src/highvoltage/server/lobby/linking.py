"""Your identity on another device, all that is stored about you, and a guest's end."""

import secrets
from time import time
from typing import Any

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.messages import Key, Me
from highvoltage.rooms.problems import malformed, not_now
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import write_mark
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.lobby.account import describe_me
from highvoltage.server.store import SqlStore

LINK_SECONDS = 900.0
"""How long a link to another device works."""


class Linking(Controller):
    """Your identity on several devices."""

    path = "/api"
    tags: tuple[str] = ("me",)

    @post("/link")
    async def make_link(self, visitor: Given[Visitor], identities: Given[Identities]) -> Key:
        """A secret that carries your identity to another device; it works once, for a while."""
        return Key(identities.link(visitor, time() + LINK_SECONDS))

    @post("/link/claim")
    async def claim_link(
        self,
        data: JSONBody[Key],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        identities: Given[Identities],
        logins: Given[Sessions],
        config: Given[Config],
    ) -> Me:
        """Take the identity of this secret."""
        owner = identities.read_link(data.key, time())
        claim = secrets.token_hex(8)
        if owner is None or claim != await store.write(
            lambda _: claim, write_mark(owner.who, f"link {data.key}")
        ):
            raise malformed("bad_link")
        account = await store.people.account(who=owner.who)
        if account is not None:
            await logins.begin(visitor, account)
        else:
            await logins.end(visitor)
            visitor.who, visitor.name, visitor.account = owner.who, owner.name, None
            visitor.fresh = True
        return describe_me(visitor, config, identities)

    @get(
        "/me/export",
        response_headers={"content-disposition": 'attachment; filename="highvoltage-me.json"'},
    )
    async def export_me(self, visitor: Given[Visitor], store: Given[SqlStore]) -> dict[str, Any]:
        """All that is stored about you, by the tables of the store, without secrets."""
        return {"name": visitor.name, **await store.people.all_about(visitor.who)}

    @post("/me/delete")
    async def delete_me(
        self,
        visitor: Given[Visitor],
        store: Given[SqlStore],
        identities: Given[Identities],
        rooms: Given[Rooms],
        config: Given[Config],
    ) -> Me:
        """Delete all that is stored about a guest; an account is deleted with its password."""
        if visitor.account:
            raise not_now("has_account")
        tables = await store.people.erase(visitor.who)
        rooms.disconnect(visitor.who)
        await rooms.reload(tables)
        identities.renew(visitor)
        return describe_me(visitor, config, identities)
