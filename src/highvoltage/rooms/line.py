"""What carries the messages of one client, and what that client may use."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Listener(Protocol):
    """Receives the events of a line."""

    def on_message(self, message: bytes) -> None:
        """A message has come in."""

    def on_writable(self) -> None:
        """The send buffer has room again."""

    def on_close(self) -> None:
        """The line is closed."""


class Line(Protocol):
    """The messages of one client, such as a WebSocket."""

    has_room: bool
    """Whether more can be written without waiting for a slow client."""

    def attach(self, listener: Listener) -> None:
        """Deliver all messages to this listener from now on."""

    def write(self, text: bytes) -> None:
        """Send a message."""

    def pause(self) -> None:
        """Deliver no messages for now."""

    def resume(self) -> None:
        """Deliver messages again."""

    def abort(self) -> None:
        """Close at once."""

    async def close_with(self, code: int) -> None:
        """Close, and say why by a code."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that is completed before the program ends."""


class Budget(Protocol):
    """What the person at the other end may use of the processor."""

    def retry_after(self) -> float:
        """Seconds until they may ask again; 0 if that is now."""

    def pay_for(self, work: Callable[[], None]) -> None:
        """Do this at their expense."""

    async def charge(self, work: Awaitable[T]) -> T:
        """Run a coroutine at their expense."""
