"""Background tasks: the log and the metrics report it if one fails."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.counters import FAILED_TASKS

T = TypeVar("T")

log: logging.Logger = logging.getLogger(__name__)


def begin(work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
    """Start a task whose failure is reported, whether somebody awaits it or not."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(report)
    return task


def report(task: asyncio.Task[Any]) -> None:
    """Log and count a task that has failed."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(
        error, HighVoltageError
    ):  # those are answers to a client
        FAILED_TASKS[task.get_name()] += 1
        log.error("task failed", exc_info=error, extra={"task": task.get_name()})


def report_strays(loop: asyncio.AbstractEventLoop) -> None:
    """Count all other uncaught errors of a loop; asyncio logs them."""

    def count(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        FAILED_TASKS["stray"] += 1
        loop.default_exception_handler(context)

    loop.set_exception_handler(count)
