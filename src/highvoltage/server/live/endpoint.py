"""The WebSocket of a table."""

from functools import partial
from typing import Any, Literal

from litestar import WebSocket, websocket
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery

from highvoltage.rooms.connection import TRY_LATER, connect, refuse
from highvoltage.rooms.problems import RequestRefused
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.store import StoreError
from highvoltage.server.config import Config
from highvoltage.server.guard.budget import Budgets
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import CONNECTION_KEY, WebSocketConnection
from highvoltage.server.live.introduction import Introduction


@websocket("/api/tables/{table:str}/live")
async def live(
    socket: "WebSocket[Any, Any, Any]",
    table: FromPath[str],
    rooms: Given[Rooms],
    config: Given[Config],
    visitor: Given[Visitor],
    identities: Given[Identities],
    logins: Given[Sessions],
    budgets: Given[Budgets],
    brief: FromQuery[bool] = False,
    auth: FromQuery[Literal["message"] | None] = None,
) -> None:
    """Watch a table and play at it."""
    await socket.accept()
    line: WebSocketConnection = socket.scope[CONNECTION_KEY]  # type: ignore[literal-required]  # set by the connection
    early: list[bytes] = []
    if auth is not None:
        introduction = Introduction(line)
        early = introduction.messages
        network, origin = visitor.network, visitor.origin
        try:
            visitor = await introduction.visitor(identities, logins, config.limits.head_seconds)
        except RequestRefused as refused:
            await refuse(line, refused)
            return
        except StoreError:
            await line.close_with(TRY_LATER)
            return
        visitor.network, visitor.origin = network, origin
    budget = budgets.of(visitor.network, visitor.who)
    is_banned = partial(logins.is_banned, visitor)
    connection = await connect(rooms, table, line, visitor, budget, is_banned, brief=brief)
    if connection is not None:
        for message in early:
            connection.on_message(message)
