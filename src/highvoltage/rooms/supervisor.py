"""Tasks that must not die: restarted when they fail, and reported when they hang."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

from highvoltage.rooms.counters import FAILED_TASKS
from highvoltage.rooms.tasks import begin

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TASK_STALE_SECONDS = 60.0
"""A task without a sign of life for this long counts as dead."""
IMPATIENCE = {"hear": 25.0}
"""Fewer seconds, for what asks the store every few of them."""
RESTART_SECONDS = 1.0

log: logging.Logger = logging.getLogger(__name__)


class TaskSupervisor:
    """Keeps tasks running, and knows which have given no sign of life for too long."""

    def __init__(self) -> None:
        self._signs: dict[str, float] = {}

    @asynccontextmanager
    async def running(self, **works: Callable[[], Awaitable[None]]) -> "AsyncIterator[None]":
        """Keep these tasks running inside this context."""
        tasks = [begin(self._keep(name, work), name) for name, work in works.items()]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        self.report_alive(name)
        while True:
            try:
                await work()
            except Exception:
                FAILED_TASKS[name] += 1
                log.exception("begun again", extra={"task": name})
            await asyncio.sleep(RESTART_SECONDS)

    def report_alive(self, name: str) -> None:
        """Record a sign of life of a task."""
        self._signs[name] = monotonic()

    def stale_tasks(self, patience: float | None = None) -> list[str]:
        """The tasks that have given no sign of life for too long."""
        now = monotonic()
        return [
            name
            for name, at in self._signs.items()
            if at < now - (patience or IMPATIENCE.get(name, TASK_STALE_SECONDS))
        ]
