"""A watcher of a table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from highvoltage.rooms.messages import Problem, TableInfo


SPECTATOR = -1  # the seat of a chat line from somebody without a seat


def noop() -> None:
    """For a watcher that reads the state only once."""


def ignore(_: "Problem") -> None:
    """For the same."""


class Watcher:
    """Somebody who watches a room: what they have received, and callbacks for news."""

    def __init__(self, who: str | None, name: str = "", *, brief: bool = False) -> None:
        self.who = who
        self.name = name
        self.brief = brief
        self.notify: Callable[[], None] = noop  # there is a new state
        self.notify_chat: Callable[[], None] = noop  # there is new chat
        self.notify_problem: Callable[[Problem], None] = ignore  # something cannot be done
        self.leave: Callable[[], None] = noop  # their login has ended
        self.seq: int | None = None
        self.chat = 0
        self.info: TableInfo | None = None  # cached until somebody comes or goes
        self.outside: bool | None = None  # neither host nor in a seat; None if not yet known
