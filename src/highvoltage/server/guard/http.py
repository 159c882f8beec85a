"""HTTP connections with limits: how many per address, and how long a request may take.

A request that is never finished would keep its socket forever, and sockets are limited.
"""

from typing import TYPE_CHECKING, Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from highvoltage.server.config import Config, Limits
from highvoltage.server.guard.budget import Budgets
from highvoltage.server.guard.chunked_reader import ChunkedReader
from highvoltage.server.guard.origin import network_of

if TYPE_CHECKING:
    import asyncio

MAX_HEAD_BYTES = 32_768
MAX_PIPELINED = 10  # requests sent before the first is answered
TOO_MANY_KEY = "highvoltage.too_many_connections"
"""In the ASGI scope of a request whose client has too many connections."""
PIPELINE_REFUSAL = "Too many requests ahead of their answers."


class HttpConnection(ChunkedReader, HttpToolsProtocol):
    """One HTTP connection, aborted if it exceeds the limits.

    A client is counted for as long as it is connected. A proxy is counted for nobody: each of its
    requests is counted for the client that it reports, from the head to the answer.
    """

    limits: Limits
    budgets: Budgets
    proxies: Any

    @classmethod
    def of(cls, config: Config, budgets: Budgets) -> type["HttpConnection"]:
        """The class for the connections of one server, with its own limits and counts."""
        proxies = ProxyHeadersMiddleware(_nothing, list(config.proxies)).trusted_hosts
        own = {"limits": config.limits, "budgets": budgets, "proxies": proxies}
        return type("HttpConnection", (cls,), own)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = (self.client or ("",))[0]
        self._peer: str = peer
        self._network: str | None = None  # that it counts for
        self._ended = False
        self._head: int | None = 0  # bytes so far; None once it is complete
        self._timeout: asyncio.TimerHandle | None = None
        if peer not in self.proxies and not self._count(peer):
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
        within = self._peer not in self.proxies or self._count(self._reported_client())
        super().on_headers_complete()
        if not within:
            self.scope[TOO_MANY_KEY] = True  # type: ignore[literal-required]  # read by the guard

    def on_message_complete(self) -> None:
        self._wait(self.limits.answer_seconds)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if not self.cycle.more_body:  # answered early, the request may still be incomplete
            self._wait(None)  # uvicorn closes an idle connection
            if self._peer in self.proxies and not self.pipeline:
                self._uncount()
        super().on_response_complete()

    def _wait(self, seconds: float | None) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
        self._timeout = None
        if seconds is not None and not self._ended:
            self._timeout = self.loop.call_later(seconds, self.transport.abort)

    def _reported_client(self) -> str:
        """The client for which a proxy asks; without a report, the proxy itself."""
        reports = [value for name, value in self.headers if name == b"x-forwarded-for"]
        chain = b", ".join(reports).decode("latin-1")
        client: str = self.proxies.get_trusted_client_address(chain)[0]
        return client or self._peer

    def _count(self, address: str) -> bool:
        """Count the connection for this address only; False if it has too many."""
        self._uncount()
        self._network = network_of(address)
        return self.budgets.open_http(self._network)

    def _uncount(self) -> None:
        if self._network is not None:
            self.budgets.close_http(self._network)
        self._network = None

    def _leave(self) -> None:
        self._uncount()
        self._ended = True
        self._wait(None)


async def _nothing(*_: object) -> None:
    """Stands for an application where only the proxies are of interest."""
