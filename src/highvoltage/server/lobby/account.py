"""Your identity, and accounts for using it on several devices."""

import secrets

import msgspec
from litestar import Controller, get, patch, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.messages import Me, Rename
from highvoltage.rooms.problems import malformed, not_now, not_yours
from highvoltage.rooms.rooms import Rooms
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.origin import Site
from highvoltage.server.guard.passkeys import Passkeys
from highvoltage.server.guard.passwords import Passwords
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.messages import Credentials, NewPassword, OldPassword, PasskeyAnswer
from highvoltage.server.store import Account


class Accounts(Controller):
    """Your identity."""

    path = "/api"
    tags: tuple[str] = ("me",)

    @get("/me")
    async def me(
        self,
        visitor: Given[Visitor],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Who you are; the answer sets the cookie that identifies you."""
        visitor.fresh = True
        return describe_me(visitor, config, identities)

    @post("/token")
    async def token(
        self,
        visitor: Given[Visitor],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """A token for programs; it identifies you as the cookie does."""
        visitor.bearer = True
        return describe_me(visitor, config, identities)

    @patch("/me")
    async def rename(
        self,
        data: JSONBody[Rename],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Change your display name."""
        visitor.name = data.name
        visitor.fresh = True
        if visitor.account:
            await logins.store.people.change_account(visitor.who, name=data.name)
            logins.forget(visitor.who)
        return describe_me(visitor, config, identities)

    @post("/account")
    async def make_account(
        self,
        data: JSONBody[Credentials],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        rooms: Given[Rooms],
        identities: Given[Identities],
        config: Given[Config],
        mark: Given[str | None],
    ) -> Me:
        """Create an account with a login and a password; you keep your tables."""
        if not config.registration:
            raise not_yours("closed")
        if visitor.account:
            raise not_now("has_account")
        hashed = await passwords.hash(data.password, visitor.network)
        account = Account(data.login, secrets.token_urlsafe(12), visitor.name, hashed)
        found = await logins.register(visitor, account, mark)
        if found is None:
            raise not_now("login_taken")
        who, *tables = found
        if who != account.who:  # by an earlier request, whose answer was lost
            await _log_in(data, visitor, logins, passwords, repeatable=True)
        await rooms.refresh(tables)
        return describe_me(visitor, config, identities)

    @post("/login")
    async def login(
        self,
        data: JSONBody[Credentials],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Log in to an account."""
        await _log_in(data, visitor, logins, passwords)
        return describe_me(visitor, config, identities)

    @post("/logout")
    async def logout(
        self,
        visitor: Given[Visitor],
        identities: Given[Identities],
        logins: Given[Sessions],
        config: Given[Config],
    ) -> Me:
        """Log out and become a new guest."""
        await logins.end(visitor)
        identities.renew(visitor)
        return describe_me(visitor, config, identities)

    @post("/logout-everywhere")
    async def logout_everywhere(
        self,
        visitor: Given[Visitor],
        identities: Given[Identities],
        logins: Given[Sessions],
        rooms: Given[Rooms],
        config: Given[Config],
    ) -> Me:
        """End all logins of your account, on every device."""
        own_login(visitor)
        await logins.end_all(visitor.who)
        rooms.disconnect(visitor.who)
        identities.renew(visitor)
        return describe_me(visitor, config, identities)

    @post("/password")
    async def change_password(
        self,
        data: JSONBody[NewPassword],
        visitor: Given[Visitor],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        passkeys: Given[Passkeys],
        site: Given[Site],
        rooms: Given[Rooms],
        identities: Given[Identities],
        config: Given[Config],
    ) -> Me:
        """Change your password; all other logins of the account end."""
        account = await verified_account(
            visitor, data.old, data.passkey, logins, passwords, passkeys, site
        )
        hashed = await passwords.hash(data.new, visitor.network)
        await logins.change_password(visitor, msgspec.structs.replace(account, password=hashed))
        rooms.disconnect(account.who)
        return describe_me(visitor, config, identities)

    @post("/account/delete")
    async def delete_account(
        self,
        data: JSONBody[OldPassword],
        visitor: Given[Visitor],
        identities: Given[Identities],
        logins: Given[Sessions],
        passwords: Given[Passwords],
        passkeys: Given[Passkeys],
        site: Given[Site],
        rooms: Given[Rooms],
        config: Given[Config],
    ) -> Me:
        """Delete your account and all your data; bots play on in your seats."""
        account = await verified_account(
            visitor, data.password, data.passkey, logins, passwords, passkeys, site
        )
        tables = await logins.store.people.erase(account.who)
        logins.forget(account.who)
        rooms.disconnect(account.who)
        await rooms.reload(tables)
        identities.renew(visitor)
        return describe_me(visitor, config, identities)


def describe_me(visitor: Visitor, config: Config, identities: Identities) -> Me:
    """What a visitor is answered about themselves."""
    token = identities.token(visitor) if visitor.bearer else None
    return Me(visitor.name, visitor.account, config.registration, token)


def own_login(visitor: Visitor) -> str:
    """The login of a visitor who has an account."""
    if visitor.account is None:
        raise not_now("no_account")
    return visitor.account


async def _log_in(
    data: Credentials,
    visitor: Visitor,
    logins: Sessions,
    passwords: Passwords,
    *,
    repeatable: bool = False,
) -> None:
    account = await logins.store.people.account(login=data.login)
    stored = account.password if account else None
    device = logins.devices.known(visitor.device, account) if account else None
    fits = await passwords.matches(stored, data.password, data.login, visitor.network, device)
    if account is None or not fits:
        raise malformed("wrong_password")
    await logins.begin(visitor, account, repeatable=repeatable)


async def verified_account(
    visitor: Visitor,
    password: str,
    answer: PasskeyAnswer | None,
    logins: Sessions,
    passwords: Passwords,
    passkeys: Passkeys,
    site: Site,
) -> Account:
    """The account of a visitor, after checking its password or one of its passkeys."""
    login = own_login(visitor)
    account = await logins.store.people.account(login=login)
    if answer is not None:
        if account is None or await passkeys.used(visitor, site, answer) != account.who:
            raise malformed("bad_passkey")
        return account
    stored = account.password if account else None
    # Whoever is logged in is known, and guesses on their own account.
    fits = await passwords.matches(stored, password, login, visitor.network, visitor.login)
    if account is None or not fits:
        raise malformed("wrong_password")
    return account
