"""Passwords: hashed off the event loop, one at a time, by turns, with fewer and fewer attempts."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import ceil
from time import monotonic
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from highvoltage.rooms.problems import RequestRefused, too_many
from highvoltage.rooms.rate_limit import MAX_VISITORS, RateLimits
from highvoltage.server.config import Limits
from highvoltage.server.guard.origin import NetworkCounts
from highvoltage.server.guard.turns import AddressTurns

NEW_PER_SECOND = 1 / 30
"""New passwords per second from one address, once the initial allowance is used up."""
WIDER = 10
"""How many times the attempts of one address at one account all addresses have at it together."""
MAX_QUEUED, MAX_QUEUED_OF_ADDRESS = 200, 20

hasher: PasswordHasher = PasswordHasher()


@cache
def dummy_hash() -> str:
    """Makes unknown logins take as long as known ones."""
    return hasher.hash("nobody has this password")


class Backoff:
    """Attempts by name: some are free, and each one after those doubles the wait for the next.

    Without new ones, attempts are forgiven one by one.
    """

    def __init__(
        self, free: int, *, first_wait: float, longest_wait: float, forgiven_after: float
    ) -> None:
        self._free = free
        self._first_wait = first_wait
        self._longest_wait = longest_wait
        self._forgiven_after = forgiven_after
        self._made: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and when last

    def wait(self, name: str) -> float:
        """Seconds until the next attempt is allowed."""
        made, at = self._left(name)
        if made < self._free:
            return 0.0
        factor = 2.0 ** min(made - self._free, 30)
        wait = min(self._longest_wait, self._first_wait * factor)
        return max(0.0, at + wait - monotonic())

    def add(self, name: str) -> None:
        """Count an attempt before it is known whether it succeeds: many may be under way."""
        made, _ = self._left(name)
        self._made[name] = made + 1, monotonic()
        self._made.move_to_end(name)
        if len(self._made) > MAX_VISITORS:
            self._made.popitem(last=False)

    def remove(self, name: str) -> None:
        """Take an attempt back: it succeeded."""
        made, at = self._made.get(name, (0, 0.0))
        if made > 1:
            self._made[name] = made - 1, at
        else:
            self._made.pop(name, None)

    def _left(self, name: str) -> tuple[int, float]:
        """The attempts that are not forgiven, and when the last one was made."""
        made, at = self._made.get(name, (0, 0.0))
        return max(0, made - int((monotonic() - at) / self._forgiven_after)), at

    def clear(self, name: str) -> None:
        """Forget all attempts of a name."""
        self._made.pop(name, None)


class Passwords:
    """Hashes and compares; each takes a quarter of a second and 64 MiB, so one runs at a time.

    Whoever guesses slows down themselves: an address at one account soon, an address at all
    accounts or all addresses at one account much later. A device that has logged in to the account
    before is not affected by what others try.
    """

    def __init__(self, limits: Limits) -> None:
        self._thread = ThreadPoolExecutor(1, "passwords")
        self._thread.submit(dummy_hash)
        self._turns = AddressTurns()
        self._queued = NetworkCounts()
        self._new = RateLimits(NEW_PER_SECOND, limits.logins)
        self._narrow = Backoff(limits.logins, first_wait=30, longest_wait=900, forgiven_after=600)
        self._wide = Backoff(
            limits.logins * WIDER, first_wait=1, longest_wait=60, forgiven_after=60
        )

    def take_new(self, network: str) -> None:
        """RequestRefused if too many accounts and passwords were made from this address."""
        if self._new.exceeded(network):
            raise _many_tries(1 / NEW_PER_SECOND)

    async def hash(self, password: str, network: str) -> str:
        self._check_queue(network)
        self.take_new(network)
        hashed: str = await self._work(network, hasher.hash, password)
        return hashed

    async def matches(
        self, stored: str | None, password: str, login: str, network: str, device: str | None = None
    ) -> bool:
        """Whether a password matches the stored hash; equally slow if there is none, or "".

        `device` is the id of a device that is known for this account.
        """
        narrow = f"at {network} for {login}" if device is None else f"on {device} for {login}"
        wide = [f"for {login}", f"at {network}"] if device is None else []
        wait = max(self._narrow.wait(narrow), *map(self._wide.wait, wide), 0.0)
        if wait > 0:
            raise _many_tries(wait)
        self._check_queue(network)
        self._narrow.add(narrow)
        for name in wide:
            self._wide.add(name)
        fits: bool = await self._work(network, _fits, stored or dummy_hash(), password)
        if not fits or not stored:
            return False
        self._narrow.clear(narrow)
        for name in wide:
            self._wide.remove(name)
        return True

    def _check_queue(self, network: str) -> None:
        total = sum(self._queued.values())
        if self._queued[network] >= MAX_QUEUED_OF_ADDRESS or total >= MAX_QUEUED:
            raise too_many("many_logins")

    async def _work(self, network: str, work: Any, *given: str) -> Any:
        self._queued.enter(network)
        try:
            async with self._turns.turn(network):
                return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)
        finally:
            self._queued.leave(network)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _many_tries(wait: float) -> RequestRefused:
    return too_many("many_tries", minutes=ceil(wait / 60), retry_after=ceil(wait))


def _fits(stored: str, password: str) -> bool:
    try:
        return hasher.verify(stored, password)
    except (VerifyMismatchError, InvalidHashError):
        return False
