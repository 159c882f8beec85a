"""Those who watch a table: who they are, what was sent to them, and how they hear of news."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from highvoltage.rooms.messages import Problem
    from highvoltage.rooms.watcher import Watcher

MAX_CACHED_STATES = 20


class Audience:
    """The watchers of a table, in this process."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self._states: dict[object, bytes] = {}  # cached for spectators until something changes

    @property
    def present(self) -> set[str | None]:
        """Who is at the table."""
        return {watcher.who for watcher in self.watchers}

    def forget_infos(self) -> None:
        """Forget what was said of the table: who sits there may have changed."""
        self._states.clear()
        for watcher in self.watchers:
            watcher.info = watcher.outside = None

    def forget_sent(self) -> None:
        """Send everything anew."""
        for watcher in self.watchers:
            watcher.seq, watcher.chat = None, 0

    def encoded_for_all(self, key: object, encode: "Callable[[], bytes]") -> bytes:
        """The state that every spectator with this key is sent, encoded once."""
        if key not in self._states:
            if len(self._states) >= MAX_CACHED_STATES:
                self._states.clear()
            self._states[key] = encode()
        return self._states[key]

    def notify(self, who: str | None, to_move: int | None, owner: str | None) -> None:
        """Notify everybody, or one person, of a new state.

        Programs are notified when they have to decide, and of start, failure and end.
        """
        for watcher in self.watchers:
            if who is not None and watcher.who != who:
                continue
            if not watcher.brief or to_move is None or watcher.who == owner:
                watcher.notify()

    def notify_all(self) -> None:
        """Notify everybody of a new state, programs too."""
        for watcher in self.watchers:
            watcher.notify()

    def notify_chat(self) -> None:
        """Notify everybody of new chat."""
        for watcher in self.watchers:
            watcher.notify_chat()

    def notify_problem(self, problem: "Problem") -> None:
        """Notify everybody that something at the table cannot be done."""
        for watcher in self.watchers:
            watcher.notify_problem(problem)
