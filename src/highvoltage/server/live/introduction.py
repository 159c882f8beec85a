"""The first message of a WebSocket that was opened without a cookie or a header: who it is."""

import asyncio

import msgspec

from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import WebSocketConnection
from highvoltage.server.messages import AuthMessage
from highvoltage.server.problems import bad_token, not_yours

decoder: msgspec.json.Decoder[AuthMessage] = msgspec.json.Decoder(AuthMessage)


class Introduction:
    """Listens to a line until it is known who is there; keeps what comes after that."""

    def __init__(self, wire: WebSocketConnection) -> None:
        self.messages: list[bytes] = []
        self._wire = wire
        self._heard = asyncio.Event()
        wire.attach(self)

    def on_message(self, message: bytes) -> None:
        self._wire.pause()
        self.messages.append(message)
        self._heard.set()

    def on_writable(self) -> None:
        """Nothing is said before."""

    def on_close(self) -> None:
        self._heard.set()

    async def visitor(self, identities: Identities, logins: Sessions, seconds: float) -> Visitor:
        """Whoever the token in the first message stands for; Sorry if none comes in time."""
        try:
            async with asyncio.timeout(seconds):
                await self._heard.wait()
            visitor = identities.read(decoder.decode(self.messages.pop(0)).token)
        except (TimeoutError, IndexError, msgspec.MsgspecError, RecursionError, UnicodeError):
            raise bad_token() from None
        if visitor is None or not await logins.hold(visitor):
            raise bad_token()
        if await logins.is_banned(visitor.who):
            raise not_yours("The operator of this server has banned you.", "banned")
        return visitor
