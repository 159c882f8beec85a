"""Identifies a WebSocket client that sent neither a cookie nor a header, by its first message."""

import asyncio

import msgspec

from highvoltage.rooms.problems import bad_token
from highvoltage.rooms.socket_messages import AuthMessage
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import WebSocketConnection

decoder: msgspec.json.Decoder[AuthMessage] = msgspec.json.Decoder(AuthMessage)


class Introduction:
    """Listens to a WebSocket until its client is identified; keeps the messages after that."""

    def __init__(self, socket: WebSocketConnection) -> None:
        self.messages: list[bytes] = []
        self._socket = socket
        self._received = asyncio.Event()
        socket.attach(self)

    def on_message(self, message: bytes) -> None:
        self._socket.pause()
        self.messages.append(message)
        self._received.set()

    def on_writable(self) -> None:
        """Nothing is sent before that."""

    def on_close(self) -> None:
        self._received.set()

    async def visitor(self, identities: Identities, logins: Sessions, seconds: float) -> Visitor:
        """The visitor of the token in the first message; RequestRefused if none arrives in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._received.wait()
            visitor = identities.read(decoder.decode(self.messages.pop(0)).token)
        except (TimeoutError, IndexError, msgspec.MsgspecError, RecursionError, UnicodeError):
            raise bad_token() from None
        if visitor is None or not await logins.is_valid(visitor):
            raise bad_token()
        return visitor
