"""HTTP connections with limits: how many per address, and how long a request may take.

A request that is never finished would keep its socket forever, and sockets are limited.
"""

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from highvoltage.server.config import Limits
from highvoltage.server.guard.chunked_reader import ChunkedReader
from highvoltage.server.guard.origin import NetworkCounts, network_of

if TYPE_CHECKING:
    import asyncio

MAX_HEAD_BYTES = 32_768
MAX_PIPELINED = 10  # requests sent before the first is answered
PIPELINE_REFUSAL = "Too many requests ahead of their answers."


class HttpConnection(ChunkedReader, HttpToolsProtocol):
    """One HTTP connection, aborted if it exceeds the limits."""

    limits: Limits = Limits()
    open_connections: NetworkCounts = NetworkCounts()

    @classmethod
    def of(cls, limits: Limits) -> type["HttpConnection"]:
        """The class for the connections of one server, with its own limits and counts."""
        own = {"limits": limits, "open_connections": NetworkCounts()}
        return type("HttpConnection", (cls,), own)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._network: str | None = network_of((self.client or ("",))[0])
        self._head: int | None = 0  # bytes so far; None once it is complete
        self._timeout: asyncio.TimerHandle | None = None
        self.open_connections.enter(self._network)
        if self.open_connections[self._network] > self.limits.http_connections:
            transport.abort()
        else:
            self._wait(self.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._leave()  # from now on it counts as a WebSocket
        self._waiting.clear()
        super().handle_websocket_upgrade()

    def is_busy(self) -> bool:
        return bool(self.flow.read_paused)

    def read(self, data: bytes) -> None:
        HttpToolsProtocol.data_received(self, data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD_BYTES:
                self.transport.abort()

    def on_message_begin(self) -> None:
        self._head = 0
        self._wait(self.limits.head_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        self._wait(self.limits.body_seconds)
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError(PIPELINE_REFUSAL)  # the parser then ends the connection
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait(self.limits.answer_seconds)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if not self.cycle.more_body:  # answered early, the request may still be incomplete
            self._wait(None)  # uvicorn closes an idle connection
        super().on_response_complete()

    def _wait(self, seconds: float | None) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
        self._timeout = None
        if seconds is not None and self._network is not None:
            self._timeout = self.loop.call_later(seconds, self.transport.abort)

    def _leave(self) -> None:
        if self._network is not None:
            self.open_connections.leave(self._network)
        self._network = None
        self._wait(None)
