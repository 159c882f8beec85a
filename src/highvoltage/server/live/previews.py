"""Previews, computed in one thread: however many are asked for, the event loop goes on."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from highvoltage.server.bots.pool import Asker, FairQueue
from highvoltage.server.guard.budget import to_thread

T = TypeVar("T")


class PreviewThread:
    """Computes one preview at a time; visitors take turns."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "previews")
        self._turns = FairQueue(1)

    def turn(self, asker: Asker) -> AbstractAsyncContextManager[None]:
        """Wait for the thread: nobody else uses it inside this context."""
        return self._turns.slot(asker)

    async def compute(self, work: Callable[[], T]) -> T:
        return await to_thread(work, executor=self._thread)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
