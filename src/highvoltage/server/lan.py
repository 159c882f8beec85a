"""Lets the local network in through a second listening socket, and shuts it out again."""

import asyncio
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from socket import AF_INET, create_server, socket
from typing import Any

from litestar import Request, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.messages import ServerAddress
from highvoltage.rooms.problems import not_now, not_yours
from highvoltage.server import network
from highvoltage.server.config import Config
from highvoltage.server.messages import LanChoice

Listener = Callable[[socket], Awaitable[asyncio.Server]]
Disconnect = Callable[[str], None]


class LanGate:
    """The way in from the local network, for a server that otherwise only this machine reaches."""

    def __init__(self, config: Config) -> None:
        self.allowed: bool = config.lan_switch and network.is_local(config.host)
        self.address: str | None = None  # of this machine, while others are let in
        self.port: int = 0
        self.listen: Listener | None = None  # set by the server that runs the application
        self.disconnect: Disconnect | None = None
        self._server: asyncio.Server | None = None

    @property
    def origin(self) -> str | None:
        return f"http://{self.address}:{self.port}" if self.address else None

    async def open(self, port: int) -> None:
        """Listen at this machine's address in its network, at the same port if it is free."""
        if self.address is not None:
            return
        found = network.lan_address()
        if found is None or self.listen is None:
            raise not_now("no_lan")
        self.address = found
        try:
            try:
                there = create_server((found, port), family=AF_INET)
            except OSError:
                there = create_server((found, 0), family=AF_INET)
            self._server = await self.listen(there)
        except OSError:
            self.address = None
            raise not_now("no_lan") from None
        self.port = there.getsockname()[1]

    def shut(self) -> None:
        """Stop listening there, and disconnect who came that way."""
        if self._server is None or self.address is None:
            return
        self._server.close()
        if self.disconnect is not None:
            self.disconnect(self.address)
        self._server = self.address = None


def _is_here(request: Request[Any, Any, Any]) -> bool:
    """Whether a request comes from a browser on this machine, by a name of this machine alone."""
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    client = request.client
    try:
        loopback = client is not None and ip_address(client.host).is_loopback
    except ValueError:
        return False
    return loopback and network.is_local(host)


def _here(request: Request[Any, Any, Any], config: Config, gate: LanGate) -> ServerAddress:
    _, port = request.scope["server"] or ("", config.port)
    found = None if network.is_local(config.host) else network.lan_address()
    may_switch = gate.allowed and _is_here(request)
    return ServerAddress(
        gate.origin or (found and f"http://{found}:{port}"),
        config.lan_command,
        gate.address is not None if may_switch else None,
    )


@get("/api/here", tags=["server"])
async def server_address(
    request: Request[Any, Any, Any], config: Given[Config], lan_gate: Given[LanGate]
) -> ServerAddress:
    """The address of this server for others, for a page opened on the server's own machine."""
    return _here(request, config, lan_gate)


@post("/api/here/lan", tags=["server"], status_code=200)
async def switch_lan(
    request: Request[Any, Any, Any],
    data: JSONBody[LanChoice],
    config: Given[Config],
    lan_gate: Given[LanGate],
) -> ServerAddress:
    """Let the local network in, or shut it out; only from the machine that serves."""
    if not lan_gate.allowed or not _is_here(request):
        raise not_yours("not_this_machine")
    if data.open:
        _, port = request.scope["server"] or ("", config.port)
        await lan_gate.open(port or config.port)
    else:
        lan_gate.shut()
    return _here(request, config, lan_gate)
