"""Signs of life of a server: how late its event loop is, and whether it is ready."""

import asyncio
from time import monotonic, time

from highvoltage.rooms.problems import unavailable
from highvoltage.rooms.supervisor import TaskSupervisor
from highvoltage.server.metrics import LAG
from highvoltage.server.store import SqlStore

LAG_CHECK_SECONDS = 0.5
MAX_SILENCE_SECONDS = 15.0
"""A ready server has swept, and heard from the store, within this time."""


async def measure_lag(supervisor: TaskSupervisor) -> None:
    """Measure how late the event loop runs its callbacks."""
    while True:
        due = monotonic() + LAG_CHECK_SECONDS
        await asyncio.sleep(LAG_CHECK_SECONDS)
        LAG.observe(max(0.0, monotonic() - due))
        supervisor.report_alive("lag")


async def check_ready(store: SqlStore, supervisor: TaskSupervisor) -> None:
    """Raise RequestRefused unless this server can write and its tasks ran a moment ago."""
    await store.report_alive(time())
    if stale := supervisor.stale_tasks(MAX_SILENCE_SECONDS):
        raise unavailable(f"No sign of life from: {', '.join(stale)}.")
