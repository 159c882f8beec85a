"""Logins of accounts: kept in the store, so that they can be ended."""

import hashlib
import secrets
from contextlib import suppress
from time import monotonic, time

from sqlalchemy.exc import SQLAlchemyError

from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import Account, Store

CACHE_SECONDS = 10.0
"""Seconds for which a login is not looked up again; one ended in another process lives so long."""
MAX_CACHED = 10_000


class Sessions:
    """Who is behind the mark of a login in a cookie."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, tuple[float, Account]] = {}
        self._outcasts: tuple[float, frozenset[str]] = (0.0, frozenset())

    async def begin(self, visitor: Visitor, account: Account) -> None:
        """From now on the visitor is this account, by a mark that nobody had before."""
        await self.end(visitor)
        visitor.login = secrets.token_urlsafe(18)
        visitor.who, visitor.name, visitor.account = account.who, account.name, account.login
        visitor.fresh = True
        await self.store.people.add_login(_id(visitor.login), account.who, time())

    async def hold(self, visitor: Visitor) -> bool:
        """Whether what a visitor brought is still worth something; a guest's always is."""
        return visitor.login is None or await self.recognise(visitor)

    async def recognise(self, visitor: Visitor) -> bool:
        """Whether the mark in the cookie still stands for an account; the visitor becomes it."""
        assert visitor.login is not None
        known = _id(visitor.login)
        at, account = self._known.get(known, (0.0, None))
        if account is None or at < monotonic() - CACHE_SECONDS:
            account = await self.store.people.account_of_login(known)
            if account is None:
                self._known.pop(known, None)
                return False
            if len(self._known) >= MAX_CACHED:
                self._known.clear()
            self._known[known] = monotonic(), account
        visitor.who, visitor.name, visitor.account = account.who, account.name, account.login
        return True

    async def is_banned(self, who: str) -> bool:
        """Whether the operator has banned somebody."""
        if self._outcasts[0] < monotonic() - CACHE_SECONDS:
            with suppress(SQLAlchemyError):  # without a store, as it was
                self._outcasts = monotonic(), await self.store.people.banned_everywhere()
        return who in self._outcasts[1]

    async def end(self, visitor: Visitor) -> None:
        """This login is worth nothing any more."""
        if visitor.login is not None:
            await self.store.people.end_login(_id(visitor.login))
            self._known.pop(_id(visitor.login), None)
            visitor.login = None

    async def end_all(self, who: str) -> None:
        """Somebody is logged in nowhere any more."""
        await self.store.people.end_logins(who)
        self.forget(who)

    def forget(self, who: str) -> None:
        """Look it up again: something about an account has changed."""
        self._known = {mark: found for mark, found in self._known.items() if found[1].who != who}


def _id(login: str) -> str:
    return hashlib.sha256(login.encode(errors="surrogatepass")).hexdigest()
