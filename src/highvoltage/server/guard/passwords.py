"""Passwords: hashed off the event loop, one at a time, with limited attempts."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from highvoltage.server.config import Limits
from highvoltage.server.guard.rate_limit import RateLimits
from highvoltage.server.problems import too_many

TRIES_PER_SECOND = 1 / 30
"""Attempts per second, once the initial allowance is used up."""
MAX_QUEUED = 20

hasher: PasswordHasher = PasswordHasher()


@cache
def dummy_hash() -> str:
    """Makes unknown logins take as long as known ones."""
    return hasher.hash("nobody has this password")


class Passwords:
    """Hashes and compares; each takes a quarter of a second and 64 MiB, so one runs at a time."""

    def __init__(self, limits: Limits) -> None:
        self._thread = ThreadPoolExecutor(1, "passwords")
        self._thread.submit(dummy_hash)
        self._waiting = 0
        self._accounts = RateLimits(TRIES_PER_SECOND, limits.logins)
        self._networks = RateLimits(TRIES_PER_SECOND, limits.logins)

    async def hash(self, password: str, network: str) -> str:
        if self._networks.exceeded(network):
            raise too_many("many_tries")
        hashed: str = await self._work(hasher.hash, password)
        return hashed

    async def matches(self, stored: str | None, password: str, login: str, network: str) -> bool:
        """Whether a password matches the stored hash; equally slow if there is none."""
        tried = self._networks.exceeded(network), self._accounts.exceeded(login)
        if any(tried):
            raise too_many("many_tries")
        fits: bool = await self._work(_fits, stored or dummy_hash(), password)
        return fits and stored is not None

    async def _work(self, work: Any, *given: str) -> Any:
        if self._waiting >= MAX_QUEUED:
            raise too_many("many_logins")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _fits(stored: str, password: str) -> bool:
    try:
        return hasher.verify(stored, password)
    except (VerifyMismatchError, InvalidHashError):
        return False
