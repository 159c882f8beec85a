"""`highvoltage serve` with a watchdog: whatever holds up the loop is an error in the log.

What counts is the processor time of the thread, so that a busy machine changes nothing.
"""

import logging
import sys
from asyncio import Handle
from time import thread_time
from typing import Any

LONGEST = 0.020
sys.modules["uvloop"] = None  # type: ignore[assignment]  # its callbacks cannot be watched

log = logging.getLogger("watchdog")
plain_run: Any = Handle._run


def watched_run(handle: Any) -> None:
    begun = thread_time()
    plain_run(handle)
    took = thread_time() - begun
    if took > LONGEST:
        log.error("slow callback", extra={"ms": round(took * 1000), "callback": told(handle)})


def told(handle: Any) -> str:
    """What was run: for a task, where it stands now."""
    task = getattr(handle._callback, "__self__", None)
    stack: list[Any] = getattr(task, "get_stack", list)()
    where = [f"{frame.f_code.co_qualname}:{frame.f_lineno}" for frame in stack]
    return f"{getattr(task, 'get_coro', lambda: handle)()!r} {where}"


if __name__ == "__main__":
    from highvoltage.cli import app
    from highvoltage.server.run import Server

    plain_opened = Server.opened

    def opened(server: Server) -> None:
        """From now on somebody might wait."""
        Handle._run = watched_run  # type: ignore[method-assign,assignment]
        plain_opened(server)

    Server.opened = opened  # type: ignore[method-assign,assignment]
    app()
