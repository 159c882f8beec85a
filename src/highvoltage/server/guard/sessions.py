"""Logins of accounts, stored so that they can be ended."""

import hashlib
import secrets
from contextlib import suppress
from time import monotonic, time

from highvoltage.rooms.store import StoreError
from highvoltage.server.guard.devices import Devices
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import MAX_ADDRESSES, Account, Ban, BanList, Login, SqlStore
from highvoltage.server.store.passkeys import PasskeyRow

CACHE_SECONDS = 10.0
"""How long a login is cached; one ended in another process may live that long."""
MAX_CACHED = 10_000


class Sessions:
    """Finds the account of the login id in a cookie."""

    def __init__(self, store: SqlStore, devices: Devices) -> None:
        self.store = store
        self.devices = devices
        self._known: dict[str, tuple[float, Account]] = {}
        self._bans: BanList = BanList({}, {})
        self._bans_read: float | None = None  # when; never yet

    async def begin(self, visitor: Visitor, account: Account, *, repeatable: bool = False) -> None:
        """Log a visitor in to an account, with a new login id."""
        secret, login = _new_login(visitor, account)
        replaced = None if visitor.login is None else _id(visitor.login)
        await self.store.people.add_login(login, replaced, repeatable=repeatable)
        self._enter(visitor, account, secret)

    async def register(
        self,
        visitor: Visitor,
        account: Account,
        mark: str | None,
        passkey: PasskeyRow | None = None,
    ) -> list[str] | None:
        """Turn a guest into an account and log them in; see `People.add_account`."""
        secret, login = _new_login(visitor, account)
        found = await self.store.people.add_account(account, login, visitor.who, mark, passkey)
        if found is not None and found[0] == account.who:
            self._enter(visitor, account, secret)
        return found

    async def change_password(self, visitor: Visitor, account: Account) -> None:
        """Store a new password, and end all logins but a new one of this visitor."""
        secret, login = _new_login(visitor, account)
        await self.store.people.change_password(account.who, account.password, login)
        self.forget(account.who)
        self._enter(visitor, account, secret)

    def _enter(self, visitor: Visitor, account: Account, secret: str) -> None:
        """Hand a visitor the login that was stored, never one that was not."""
        if visitor.login is not None:
            self._known.pop(_id(visitor.login), None)
        visitor.login = secret
        visitor.who, visitor.name, visitor.account = account.who, account.name, account.login
        visitor.fresh = True
        visitor.device = self.devices.remember(visitor.device, account)
        visitor.new_device = True

    async def is_valid(self, visitor: Visitor) -> bool:
        """Whether the login of a visitor is still valid; a guest always is."""
        return visitor.login is None or await self.recognise(visitor)

    async def recognise(self, visitor: Visitor) -> bool:
        """Whether the login still exists; if so, the visitor gets its account."""
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

    async def is_banned(self, visitor: Visitor) -> bool:
        """Whether the operator has banned a visitor who is about to act, or their address.

        An address where somebody tries who is banned with their addresses is banned from then on.
        """
        ban = await self._own_ban(visitor)
        origins = self._bans.origins
        here = origins.get(visitor.origin, [])
        if ban is None:
            return any(other.is_active(time()) for other in here)
        known = sum(ban in others for others in origins.values())
        if ban.address and ban not in here and known < MAX_ADDRESSES:
            origins[visitor.origin] = [*here, ban]
            with suppress(StoreError):
                await self.store.people.ban_origin(ban.who, visitor.origin)
        return True

    async def is_named_in_ban(self, visitor: Visitor) -> bool:
        """Whether the operator has banned the identity of a visitor, wherever they are."""
        return await self._own_ban(visitor) is not None

    async def _own_ban(self, visitor: Visitor) -> Ban | None:
        now = monotonic()
        if self._bans_read is None or self._bans_read < now - CACHE_SECONDS:
            if self._bans_read is not None:
                self._bans_read = now  # meanwhile, others go by the cached list
            with suppress(StoreError):  # without a store, the cached list still applies
                self._bans = await self.store.people.banned_everywhere()
                self._bans_read = now
        ban = self._bans.people.get(visitor.who)
        return ban if ban is not None and ban.is_active(time()) else None

    async def end(self, visitor: Visitor) -> None:
        """End the login of a visitor."""
        if visitor.login is not None:
            await self.store.people.end_login(_id(visitor.login))
            self._known.pop(_id(visitor.login), None)
            visitor.login = None

    async def end_all(self, who: str) -> None:
        """End all logins of an account."""
        await self.store.people.end_logins(who)
        self.forget(who)

    def forget(self, who: str) -> None:
        """Drop an account from the cache because it has changed."""
        self._known = {login: found for login, found in self._known.items() if found[1].who != who}


def _new_login(visitor: Visitor, account: Account) -> tuple[str, Login]:
    """What a cookie holds, and what is stored of it."""
    secret = secrets.token_urlsafe(18)
    return secret, Login(_id(secret), account.who, time(), visitor.origin)


def _id(login: str) -> str:
    return hashlib.sha256(login.encode(errors="surrogatepass")).hexdigest()
