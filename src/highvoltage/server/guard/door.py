"""The door: how many may stand in it, and for how long without saying what they want.

A request that is never finished would keep its socket for ever, and there are only so many. And a
quarter of a megabyte, which is what comes in at once, may hold thousands of tiny requests or empty
frames: so it is read sip by sip.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from highvoltage.server.config import Limits
from highvoltage.server.guard.bucket import Bucket
from highvoltage.server.guard.origin import Counts, network_of

if TYPE_CHECKING:
    import asyncio

    from websockets.frames import Frame

LONGEST_HEAD = 32_768
SIP = 4_096
MOST_AHEAD = 10  # requests that are sent before the first is answered
MOST_UNREAD = 1_000_000  # bytes that wait for somebody who goes on asking
FRAMES, FRAMES_AT_ONCE = 10, 200  # a second, of those that are no message
PIPELINED = "Too many requests ahead of their answers."


class Sips(ABC):
    """Reads what has come in a little at a time; between two sips it is somebody else's turn."""

    transport: Any
    loop: "asyncio.AbstractEventLoop"

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waiting = bytearray()
        self._stopped = False

    @abstractmethod
    def read(self, data: bytes) -> None:
        """Take a sip."""

    @abstractmethod
    def full(self) -> bool:
        """Whether there is enough to do without reading on."""

    def data_received(self, data: bytes) -> None:
        idle = not self._waiting
        self._waiting += data
        if idle:
            self._sip()

    def _sip(self) -> None:
        if self.transport.is_closing():
            self._waiting.clear()
            return
        self.read(bytes(self._waiting[:SIP]))
        del self._waiting[:SIP]
        if self._waiting:
            self._stopped = True
            self.transport.pause_reading()
            self.loop.call_soon(self._sip)
        elif self._stopped and not self.transport.is_closing():
            self._stopped = False
            if not self.full():
                self.transport.resume_reading()


class Wire(Sips, WebSocketsSansIOProtocol):
    """One WebSocket, over which nothing but messages comes in numbers."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames = Bucket(FRAMES, FRAMES_AT_ONCE)

    def read(self, data: bytes) -> None:
        WebSocketsSansIOProtocol.data_received(self, data)

    def full(self) -> bool:
        return self.read_paused

    def handle_ping(self) -> None:
        if self._bears_it():
            super().handle_ping()

    def handle_pong(self, event: "Frame") -> None:
        if self._bears_it():
            super().handle_pong(event)

    def handle_cont(self, event: "Frame") -> None:
        if self._bears_it():
            super().handle_cont(event)

    def _bears_it(self) -> bool:
        unread = self.transport.get_write_buffer_size()
        if self._frames.empty() or unread > MOST_UNREAD:
            self.transport.abort()
        return not self.transport.is_closing()


class Door(Sips, HttpToolsProtocol):
    """One HTTP connection, which has to come to an end."""

    limits: Limits = Limits()
    inside: Counts = Counts()

    @classmethod
    def of(cls, limits: Limits) -> type["Door"]:
        """The doors of one server."""
        return type("Door", (cls,), {"limits": limits, "inside": Counts()})

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._network: str | None = network_of((self.client or ("",))[0])
        self._head: int | None = 0  # bytes, as long as it is not complete
        self._patience: asyncio.TimerHandle | None = None
        self.inside.enter(self._network)
        if self.inside[self._network] > self.limits.http_connections:
            transport.abort()
        else:
            self._wait(self.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()  # from here on it counts as a WebSocket
        self._waiting.clear()
        super().handle_websocket_upgrade()

    def full(self) -> bool:
        return bool(self.flow.read_paused)

    def read(self, data: bytes) -> None:
        HttpToolsProtocol.data_received(self, data)
        if self._head is not None:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.transport.abort()

    def on_message_begin(self) -> None:
        self._head = 0
        self._wait(self.limits.head_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        self._wait(self.limits.body_seconds)
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError(PIPELINED)  # to the parser, which ends the connection
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait(self.limits.answer_seconds)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if not self.cycle.more_body:  # answered early, it is still to be sent to its end
            self._wait(None)  # uvicorn closes a connection that stays quiet
        super().on_response_complete()

    def _wait(self, seconds: float | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._patience = None
        if seconds is not None and self._network is not None:
            self._patience = self.loop.call_later(seconds, self.transport.abort)

    def _leave(self) -> None:
        if self._network is not None:
            self.inside.leave(self._network)
        self._network = None
        self._wait(None)
