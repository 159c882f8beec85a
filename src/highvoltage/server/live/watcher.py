"""Whoever looks at a table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from highvoltage.server.messages import TableInfo


SPECTATOR = -1  # in the place of a seat, for what is said from none


def noop() -> None:
    """For a watcher who only looks once."""


class Watcher:
    """Somebody who looks at a room: what he has been told, and bells for what is new."""

    def __init__(self, who: str | None, name: str = "", *, brief: bool = False) -> None:
        self.who = who
        self.name = name
        self.brief = brief
        self.notify: Callable[[], None] = noop  # there is a state to tell
        self.notify_chat: Callable[[], None] = noop  # something was said
        self.leave: Callable[[], None] = noop  # he is not who he was
        self.seq: int | None = None
        self.chat = 0
        self.info: TableInfo | None = None  # as it was told, until somebody comes or goes
        self.outside: bool | None = None  # neither host nor in a seat; None until it is looked up
