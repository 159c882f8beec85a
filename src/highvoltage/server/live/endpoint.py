"""The WebSocket of a table."""

from functools import partial
from http import HTTPStatus
from typing import Any, Literal

from litestar import WebSocket, websocket
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.rooms.connection import CLOSED, Connection, frame_of
from highvoltage.rooms.problems import RequestRefused
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.socket_messages import ErrorMessage
from highvoltage.rooms.watcher import Watcher
from highvoltage.server.bots.pool import Asker
from highvoltage.server.config import Config
from highvoltage.server.guard.budget import Budgets
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import CONNECTION_KEY, WebSocketConnection
from highvoltage.server.live.introduction import Introduction

UNREADABLE, TRY_LATER = 4409, 1013
CODES = {HTTPStatus.NOT_FOUND: 4404, HTTPStatus.UNAUTHORIZED: CLOSED, HTTPStatus.FORBIDDEN: CLOSED}


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
    raw: WebSocketConnection = socket.scope[CONNECTION_KEY]  # type: ignore[literal-required]  # set by the connection
    introduction = None if auth is None else Introduction(raw)
    network, origin = visitor.network, visitor.origin
    try:
        if introduction is not None:
            seconds = config.limits.head_seconds
            visitor = await introduction.visitor(identities, logins, seconds)
            visitor.network, visitor.origin = network, origin
        room = await rooms.get(table)
    except RequestRefused as refused:
        raw.write(frame_of(ErrorMessage.of(refused.problem)))
        await raw.close_with(CODES.get(refused.status, UNREADABLE))
        return
    except SQLAlchemyError:
        await raw.close_with(TRY_LATER)
        return
    if not room.has_place_for(visitor.who, config.limits.watchers):
        await raw.close_with(TRY_LATER)
        return
    watcher = Watcher(visitor.who, visitor.name, brief=brief)
    budget = budgets.of(network, visitor.who)
    asker = Asker(origin, visitor.who, table)
    is_banned = partial(logins.is_banned, visitor)
    connection = Connection(raw, room, watcher, network, budget, asker, origin, is_banned)
    connection.begin()
    for message in introduction.messages if introduction is not None else ():
        connection.on_message(message)
