"""A page that watches a table: messages go to it and come from it in the same browser."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from highvoltage.rooms.line import Listener
from highvoltage.rooms.tasks import begin

Send = Callable[[int, str | None], None]
"""Sends a message to one of the connections of the page; None: it is closed."""

T = TypeVar("T")


class PageLine:
    """One connection of the page."""

    has_room = True

    def __init__(self, number: int, send: Send) -> None:
        self._number = number
        self._send = send
        self._tasks: set[asyncio.Task[None]] = set()
        self.listener: Listener | None = None
        self._early: list[bytes] = []  # what came before anybody listened
        self.closed = 0  # the code it was closed with

    def attach(self, listener: Listener) -> None:
        self.listener = listener
        for text in self._early:
            listener.on_message(text)
        self._early.clear()

    def receive(self, text: bytes) -> None:
        """A message of the page; one that comes early waits until its table is read."""
        if self.listener is None:
            self._early.append(text)
        else:
            self.listener.on_message(text)

    def detach(self) -> None:
        """The page has gone, or the line was closed."""
        if self.listener is not None:
            self.listener.on_close()
            self.listener = None

    def write(self, text: bytes) -> None:
        if not self.closed:
            self._send(self._number, text.decode())

    def pause(self) -> None:
        """Messages wait in the inbox of the connection."""

    def resume(self) -> None:
        """They are read from there."""

    def abort(self) -> None:
        self._close(ABORTED)

    async def close_with(self, code: int) -> None:
        self._close(code)

    def _close(self, code: int) -> None:
        if not self.closed:
            self._send(self._number, None)
            self.closed = code
            self.detach()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = begin(work, "connection")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


ABORTED = 1006
"""The code that a page sees of a connection that was cut."""


class NoBudget:
    """Nobody else is kept waiting by whoever plays in this browser."""

    def retry_after(self) -> float:
        return 0.0

    def pay_for(self, work: Callable[[], None]) -> None:
        work()

    async def charge(self, work: Awaitable[T]) -> T:
        return await work
