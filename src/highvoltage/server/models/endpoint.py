"""The address `/mcp`: each request is complete in itself, so any process can answer it."""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec

from highvoltage.rooms.messages import Problem
from highvoltage.rooms.problems import bad_token
from highvoltage.rooms.rooms import Rooms
from highvoltage.server.guard.budget import at_own_expense, to_thread

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from highvoltage.mcp.tools import Tool
    from highvoltage.server.guard.identity import Visitor


def is_installed() -> bool:
    """Whether the extra `mcp` is here."""
    return find_spec("mcp") is not None


class ModelEndpoint:
    """Answers requests of models. What it needs is loaded with the first of them."""

    def __init__(self, rooms: Rooms, *, chat: bool, body_bytes: int) -> None:
        self._rooms = rooms
        self._chat = chat
        self._body_bytes = body_bytes
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._closing = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        visitor: Visitor = scope["highvoltage"]
        if not visitor.bearer:
            await _answer(send, 401, bad_token().problem, (b"www-authenticate", b"Bearer"))
        elif scope["method"] != "POST":
            problem = Problem("bad_request", "Send MCP requests by POST.", {})
            await _answer(send, 405, problem, (b"allow", b"POST"))
        else:
            if self._running is None:
                self._running = asyncio.create_task(self._run())
            await self._ready.wait()
            from highvoltage.server.models.tables import visiting  # noqa: PLC0415  # an extra

            assert self._manager is not None
            token = visiting.set(visitor)
            try:
                await self._manager.handle_request(scope, receive, send)
            finally:
                visiting.reset(token)

    async def _run(self) -> None:
        self._manager = await asyncio.to_thread(self._make)
        async with self._manager.run():
            self._ready.set()
            await self._closing.wait()

    def _make(self) -> "StreamableHTTPSessionManager":
        from mcp.server.transport_security import (  # noqa: PLC0415  # an extra, slow to load
            TransportSecuritySettings,
        )

        from highvoltage.mcp import Tools, model_server  # noqa: PLC0415
        from highvoltage.server.models.tables import ServerTables  # noqa: PLC0415

        tables = ServerTables(self._rooms)
        more: list[Tool[...]] = [tables.tables, tables.join, tables.wait]
        if self._chat:
            more += [tables.say, tables.chat]
        tools = Tools(tables, to_thread)
        server = model_server(tools, *more, carry_out=at_own_expense)
        server.streamable_http_app(
            json_response=True,
            stateless_http=True,
            transport_security=TransportSecuritySettings(  # the guard has checked the host
                enable_dns_rebinding_protection=False
            ),
            max_request_body_size=self._body_bytes,
        )
        return server.session_manager

    async def close(self) -> None:
        self._closing.set()
        if self._running is not None:
            await self._running


async def _answer(send: Any, status: int, problem: Problem, header: tuple[bytes, bytes]) -> None:
    body = msgspec.json.encode(problem)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        header,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
