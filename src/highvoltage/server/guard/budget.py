"""What a visitor may use of the server: processor time and connections.

A visitor is an identity within an address. Identities cost nothing, so each has a budget of its own
within a wider one of its address, and nobody can use up the budget of another address. What
something costs is measured while it runs, and budgets are refilled by time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Executor
from contextvars import ContextVar
from time import thread_time
from typing import Any, Generic, TypeVar

from highvoltage.rooms.rate_limit import RateLimit, RateLimits
from highvoltage.server.config import Limits
from highvoltage.server.guard.origin import NetworkCounts

T = TypeVar("T")


class Budget:
    """The processor time of one visitor, in seconds: of the identity, and of its address."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: RateLimit) -> None:
        self._parts = parts

    def spend(self, seconds: float) -> None:
        for part in self._parts:
            part.spend(seconds)

    def retry_after(self) -> float:
        """Seconds until the visitor may ask again; 0 if that is now."""
        return max([part.retry_after() for part in self._parts])

    def pay_for(self, work: Callable[[], None]) -> None:
        """Do something; the visitor pays for it."""
        began = thread_time()
        try:
            work()
        finally:
            self.spend(thread_time() - began)

    async def charge(self, work: Awaitable[T]) -> T:
        """Run a coroutine; the visitor pays for its steps, and for its work in threads."""
        token = _paying.set(self)
        try:
            return await _Measured(work, self)
        finally:
            _paying.reset(token)


class _Measured(Generic[T]):
    """Measures every step of a coroutine: in between, the thread works for others."""

    def __init__(self, work: Awaitable[T], budget: Budget) -> None:
        self._work = work
        self._budget = budget

    def __await__(self) -> Generator[Any, Any, T]:
        steps: Any = self._work.__await__()
        spend = self._budget.spend
        value: Any = None
        error: BaseException | None = None
        while True:
            began = thread_time()
            try:
                awaited = steps.send(value) if error is None else steps.throw(error)
            except StopIteration as end:
                found: T = end.value
                return found
            finally:
                spend(thread_time() - began)
                value = error = None
            try:
                value = yield awaited
            except BaseException as thrown:  # noqa: BLE001  # a cancellation, too, is the coroutine's
                error = thrown


_paying: ContextVar[Budget | None] = ContextVar("paying", default=None)
"""The budget of the visitor whose request is being handled."""


async def at_own_expense(work: Awaitable[T]) -> T:
    """Run this in another task than the request it is for; the same visitor pays for it."""
    budget = _paying.get()
    return await (work if budget is None else budget.charge(work))


async def to_thread(work: Callable[..., T], *given: Any, executor: Executor | None = None) -> T:
    """Run this in a thread; the visitor whose request it is for pays for it."""
    budget, took = _paying.get(), 0.0

    def run() -> T:
        nonlocal took
        began = thread_time()
        try:
            return work(*given)
        finally:
            took = thread_time() - began

    try:
        return await asyncio.get_running_loop().run_in_executor(executor, run)
    finally:
        if budget is not None:
            budget.spend(took)


class Budgets:
    """The budgets of all visitors."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._own = _per_second(limits.processor_ms, limits.processor_burst)
        self._shared = _per_second(limits.processor_ms_of_address, limits.processor_burst)
        self._http = NetworkCounts()
        self._websockets = NetworkCounts()

    def of(self, network: str, who: str | None) -> Budget:
        """The budget of an identity, or of somebody without one, at an address."""
        shared = self._shared.of(network)
        return Budget(shared) if who is None else Budget(self._own.of(f"{network} {who}"), shared)

    def open_http(self, network: str) -> bool:
        """Count an HTTP connection; False if the address has too many."""
        self._http.enter(network)
        return self._http[network] <= self._limits.http_connections

    def close_http(self, network: str) -> None:
        self._http.leave(network)

    def open_websocket(self, network: str, who: str | None) -> Callable[[], None] | None:
        """Count a WebSocket; what to call when it closes, or None if there are too many."""
        own = f"{network} {who}"
        limits, count = self._limits, self._websockets
        if count[network] >= limits.connections_of_address:
            return None
        if who is not None and count[own] >= limits.connections:
            return None
        names = [network] if who is None else [network, own]
        for name in names:
            count.enter(name)

        def close() -> None:
            for name in names:
                count.leave(name)

        return close


def _per_second(milliseconds: float, burst: float) -> RateLimits:
    return RateLimits(milliseconds / 1000, milliseconds / 1000 * burst)
