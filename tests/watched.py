"""`highvoltage serve` with a watchdog: whatever blocks the event loop is an error in the log.

What counts is the thread's processor time in our own code: what the kernel spends on its behalf, to
find memory for example, depends on the load of the machine. Even our own time grows when other
programs evict the caches, so the limit of docs/server.md applies only on request; what really
blocks the loop takes several times as long. Time spent on garbage collection is listed separately.
"""

import gc
import logging
import os
import resource
import sys
from asyncio import Handle
from typing import Any

THREAD = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)  # only Linux has times of threads
LONGEST = 0.020 if "FUZZ" in os.environ else 0.200
sys.modules["uvloop"] = None  # type: ignore[assignment]  # its callbacks cannot be watched

log = logging.getLogger("watchdog")
plain_run: Any = Handle._run


cleaning: dict[str, float] = {"since": 0.0, "took": 0.0}


def spent() -> float:
    return resource.getrusage(THREAD).ru_utime


def watched_run(handle: Any) -> None:
    cleaning["took"] = 0.0
    begun = spent()
    plain_run(handle)
    took = spent() - begun
    if took > LONGEST:
        ms = {"ms": round(took * 1000), "garbage_ms": round(cleaning["took"] * 1000)}
        log.error("slow callback", extra={**ms, "callback": described(handle)})


def watch_cleaning(phase: str, _: object) -> None:
    if phase == "start":
        cleaning["since"] = spent()
    else:
        cleaning["took"] += spent() - cleaning["since"]


def described(handle: Any) -> str:
    """What ran: for a task, where it is now."""
    task = getattr(handle._callback, "__self__", None)
    stack: list[Any] = getattr(task, "get_stack", list)()
    where = [f"{frame.f_code.co_qualname}:{frame.f_lineno}" for frame in stack]
    return f"{getattr(task, 'get_coro', lambda: handle)()!r} {where}"


if __name__ == "__main__":
    from highvoltage.cli import app
    from highvoltage.server.run import Server

    plain_opened, plain_shutdown = Server.on_ready, Server.shutdown

    def opened(server: Server) -> None:
        """From now on somebody might wait."""
        Handle._run = watched_run  # type: ignore[method-assign,assignment]
        plain_opened(server)
        gc.callbacks.append(watch_cleaning)

    async def shutdown(server: Server, sockets: Any = None) -> None:
        """From now on nobody waits."""
        Handle._run = plain_run  # type: ignore[method-assign]
        await plain_shutdown(server, sockets)

    Server.on_ready = opened  # type: ignore[method-assign,assignment]
    Server.shutdown = shutdown  # type: ignore[method-assign,assignment]
    app()
