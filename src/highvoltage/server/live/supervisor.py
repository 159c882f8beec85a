"""Tasks that must live: begun again when they fail, and missed when they do not come back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

from highvoltage.server.metrics import FAILED_TASKS
from highvoltage.server.tasks import begin

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STALE_SECONDS = 60.0
"""Seconds without a sign of life after which a task counts as dead."""
RESTART_SECONDS = 1.0

log: logging.Logger = logging.getLogger(__name__)


class TaskSupervisor:
    """Keeps tasks alive, and knows which have given no sign of life for too long."""

    def __init__(self) -> None:
        self._signs: dict[str, float] = {}

    @asynccontextmanager
    async def running(self, **works: Callable[[], Awaitable[None]]) -> "AsyncIterator[None]":
        """Keep these going for as long as this lasts."""
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
                FAILED_TASKS.labels(name).inc()
                log.exception("begun again", extra={"task": name})
            await asyncio.sleep(RESTART_SECONDS)

    def report_alive(self, name: str) -> None:
        """The task has just done what it is there for."""
        self._signs[name] = monotonic()

    def stale_tasks(self, patience: float | None = None) -> list[str]:
        """Those that have given no sign of life for too long."""
        late = monotonic() - (STALE_SECONDS if patience is None else patience)
        return [name for name, at in self._signs.items() if at < late]
