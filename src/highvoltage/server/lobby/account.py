"""Who you are, and an account for those who want to be it on several devices."""

import asyncio
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from litestar import Controller, get, patch, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.messages import Credentials, Me, Rename
from highvoltage.server.problems import malformed, not_now
from highvoltage.server.store import Account, Store

hasher = PasswordHasher()


@cache
def nobody() -> str:
    """Makes unknown logins take as long as known ones."""
    return hasher.hash("nobody has this password")


class Accounts(Controller):
    """Your identity."""

    path = "/api"
    tags = ("me",)

    @get("/me")
    async def me(self, visitor: Given[Visitor]) -> Me:
        """Who you are; the cookie that comes with it keeps it so."""
        visitor.fresh = True
        return Me(visitor.name, visitor.account)

    @patch("/me")
    async def rename(
        self, data: JSONBody[Rename], visitor: Given[Visitor], store: Given[Store]
    ) -> Me:
        """Another display name."""
        visitor.name = data.name
        visitor.fresh = True
        if visitor.account:
            await store.rename_account(visitor.who, data.name)
        return Me(visitor.name, visitor.account)

    @post("/account")
    async def make_account(
        self, data: JSONBody[Credentials], visitor: Given[Visitor], store: Given[Store]
    ) -> Me:
        """Give this identity a login and a password."""
        if visitor.account:
            raise not_now("You have an account already.")
        password = await asyncio.to_thread(hasher.hash, data.password)
        if not await store.add_account(Account(data.login, visitor.who, visitor.name, password)):
            raise not_now("That login is taken.")
        visitor.account = data.login
        visitor.fresh = True
        return Me(visitor.name, visitor.account)

    @post("/login")
    async def login(
        self, data: JSONBody[Credentials], visitor: Given[Visitor], store: Given[Store]
    ) -> Me:
        """Take up the identity of an account."""
        account = await store.account(login=data.login)
        try:
            known = account.password if account else nobody()
            await asyncio.to_thread(hasher.verify, known, data.password)
        except VerifyMismatchError:
            account = None
        if account is None:
            raise malformed("Login and password do not go together.", "wrong_password")
        visitor.who, visitor.name, visitor.account = account.who, account.name, account.login
        visitor.fresh = True
        return Me(visitor.name, visitor.account)

    @post("/logout")
    async def logout(self, visitor: Given[Visitor], identities: Given[Identities]) -> Me:
        """Become somebody new."""
        new = identities.new()
        visitor.who, visitor.name, visitor.account = new.who, new.name, None
        visitor.fresh = True
        return Me(visitor.name, None)
