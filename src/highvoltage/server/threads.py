"""Threads for work that would hold up the event loop; the visitor it is for pays for it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from highvoltage.rooms.person import Asker
from highvoltage.server.bots.pool import FairQueue
from highvoltage.server.guard.budget import to_thread

T = TypeVar("T")


class WorkThreads:
    """One thread for previews, one for replays of long games, and some for all else."""

    def __init__(self) -> None:
        self._previews = ThreadPoolExecutor(1, "previews")
        self._turns = FairQueue(1)
        self._replays = ThreadPoolExecutor(1, "replay")

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        return await to_thread(work, *given)

    async def replay(self, work: Callable[..., T], *given: Any) -> T:
        return await to_thread(work, *given, executor=self._replays)

    def preview_turn(self, asker: Asker) -> AbstractAsyncContextManager[None]:
        return self._turns.slot(asker)

    async def preview(self, work: Callable[[], T]) -> T:
        return await to_thread(work, executor=self._previews)

    def close(self) -> None:
        for threads in (self._previews, self._replays):
            threads.shutdown(wait=False, cancel_futures=True)
