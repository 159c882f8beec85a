"""Reports of offensive lines to the operator."""

import logging
from math import ceil
from time import time

from litestar import post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody

from highvoltage.rooms.messages import ChatLineRef, TableInfo
from highvoltage.rooms.problems import too_many
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.tables import chat_line, once
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import SqlStore

REPORTS_PER_HOUR = 20  # from one address in an hour

log: logging.Logger = logging.getLogger(__name__)


def report_limits() -> RateLimits:
    return RateLimits(REPORTS_PER_HOUR / 3_600, REPORTS_PER_HOUR)


@post("/api/tables/{table:str}/chat/report", tags=["tables"])
async def report_line(
    table: FromPath[str],
    data: JSONBody[ChatLineRef],
    rooms: Given[Rooms],
    store: Given[SqlStore],
    reports: Given[RateLimits],
    visitor: Given[Visitor],
    mark: Given[str | None],
) -> TableInfo:
    """Report an offensive line to the operator of this server."""
    async with once(rooms, mark):
        room = await rooms.get(table)
        line = chat_line(room, data.n)
        limit = reports.of(visitor.network)
        if limit.exceeded():
            raise too_many("many_reports", retry_after=ceil(limit.retry_after(1)))
        if await store.people.report(table, line, visitor.who, time(), mark):
            log.warning("reported", extra={"game": table, "line": line.n})
    return (await rooms.get(table)).info(visitor.who)
