"""A browser's worker has no threads: what takes a while is done between two messages."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, TypeVar

from highvoltage.rooms.person import Asker

T = TypeVar("T")


class InPlace:
    """Does the work of threads in turn with all else."""

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        await asyncio.sleep(0)
        return work(*given)

    async def replay(self, work: Callable[..., T], *given: Any) -> T:
        return await self.compute(work, *given)

    def preview_turn(self, asker: Asker) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def preview(self, work: Callable[[], T]) -> T:
        return await self.compute(work)
