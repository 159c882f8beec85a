"""Passkeys: signing in without a password."""

import secrets

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.messages import Me
from highvoltage.rooms.problems import malformed, not_found, not_now, not_yours, too_many
from highvoltage.rooms.rooms import Rooms
from highvoltage.server import messages
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.origin import Site
from highvoltage.server.guard.passkeys import Passkeys
from highvoltage.server.guard.passwords import Passwords
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.lobby.account import describe_me, own_login, verified_account
from highvoltage.server.messages import (
    NewPasskey,
    PasskeyAccount,
    PasskeyAnswer,
    PasskeyInfo,
    PasskeyOptions,
    PasskeyRef,
    PasskeyRename,
    PasskeyWish,
)
from highvoltage.server.store import Account, SqlStore

MOST_PASSKEYS = 20


class PasskeyController(Controller):
    """Your passkeys."""

    path = "/api/passkeys"
    tags: tuple[str] = ("me",)

    @get("")
    async def list_passkeys(
        self, visitor: Given[Visitor], store: Given[SqlStore]
    ) -> messages.Passkeys:
        """Whether your account has a password, and its passkeys."""
        return await _passkeys(visitor, store)

    @post("/options")
    async def passkey_options(
        self,
        data: JSONBody[PasskeyWish],
        visitor: Given[Visitor],
        passkeys: Given[Passkeys],
        site: Given[Site],
    ) -> PasskeyOptions:
        """What to ask your browser for; its answer is accepted once, from you, for five minutes."""
        if data.kind == "get":
            return await passkeys.ask_to_use(visitor, site)
        login = visitor.account or data.login
        if login is None:
            raise malformed("malformed", "A new account needs a login.")
        return await passkeys.ask_to_create(visitor, site, login)

    @post("")
    async def add_passkey(
        self,
        data: JSONBody[NewPasskey],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        passkeys: Given[Passkeys],
        site: Given[Site],
    ) -> messages.Passkeys:
        """Add a passkey to your account."""
        account = await verified_account(
            visitor, data.password, data.passkey, logins, passwords, passkeys, site
        )
        row = await passkeys.created(visitor, site, data.answer, account.who, data.name)
        if not await logins.store.passkeys.add(row, MOST_PASSKEYS):
            raise too_many("many_passkeys")
        return await _passkeys(visitor, logins.store)

    @post("/account")
    async def make_passkey_account(
        self,
        data: JSONBody[PasskeyAccount],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        passkeys: Given[Passkeys],
        site: Given[Site],
        rooms: Given[Rooms],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Create an account with a login and a passkey; you keep your tables."""
        if not config.registration:
            raise not_yours("closed")
        if visitor.account:
            raise not_now("has_account")
        passwords.take_new(visitor.network)
        account = Account(data.login, secrets.token_urlsafe(12), visitor.name, "")
        row = await passkeys.created(visitor, site, data.answer, account.who, data.name)
        found = await logins.register(visitor, account, None, row)
        if found is None:
            raise not_now("login_taken")
        await rooms.refresh(found[1:])
        return describe_me(visitor, config, identities)

    @post("/login")
    async def log_in_with_passkey(
        self,
        data: JSONBody[PasskeyAnswer],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passkeys: Given[Passkeys],
        site: Given[Site],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Log in to the account of a passkey."""
        account = await logins.store.people.account(who=await passkeys.used(visitor, site, data))
        if account is None:
            raise malformed("bad_passkey")
        await logins.begin(visitor, account)
        return describe_me(visitor, config, identities)

    @post("/rename")
    async def rename_passkey(
        self, data: JSONBody[PasskeyRename], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> messages.Passkeys:
        """Give one of your passkeys another name."""
        if not await store.passkeys.rename(visitor.who, data.id, data.name):
            raise not_found("passkey")
        return await _passkeys(visitor, store)

    @post("/remove")
    async def remove_passkey(
        self, data: JSONBody[PasskeyRef], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> messages.Passkeys:
        """Remove one of your passkeys, unless it is your only way to log in."""
        own_login(visitor)
        if data.id not in {row.id for row in await store.passkeys.of(visitor.who)}:
            raise not_found("passkey")
        if not await store.passkeys.remove(visitor.who, data.id):
            raise not_now("last_passkey")
        return await _passkeys(visitor, store)


async def _passkeys(visitor: Visitor, store: SqlStore) -> messages.Passkeys:
    account = await store.people.account(who=visitor.who)
    found = await store.passkeys.of(visitor.who)
    return messages.Passkeys(
        account is not None and account.password != "",
        [PasskeyInfo(row.id, row.name, row.made, row.used) for row in found],
    )
