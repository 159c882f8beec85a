"""Whoever looks at a table."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highvoltage.server.messages import TableInfo


class Watcher:
    """Somebody who looks at a room: what he has been told, and a bell for what is new."""

    def __init__(self, who: str | None, ring: Callable[[], None], *, brief: bool = False) -> None:
        self.who = who
        self.ring = ring
        self.brief = brief
        self.seq: int | None = None
        self.chat = 0
        self.info: TableInfo | None = None  # as it was told, until somebody comes or goes
