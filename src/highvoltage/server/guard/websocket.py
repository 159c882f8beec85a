"""A WebSocket that passes messages directly to a listener.

The application decides who may connect. After that, messages go straight to the listener and frames
straight to the socket: no queue, no waiting task, and the request is freed.
"""

import asyncio
import struct
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C if available

from highvoltage.rooms.line import Listener
from highvoltage.rooms.rate_limit import RateLimit
from highvoltage.rooms.tasks import report
from highvoltage.server.guard.chunked_reader import ChunkedReader

if TYPE_CHECKING:
    from websockets.frames import Frame
    from websockets.http11 import Request

MAX_UNSENT_BYTES = 1_000_000  # for a client that does not read but keeps sending pings
FRAMES, FRAMES_AT_ONCE = 10, 200  # control and continuation frames per second
CONNECTION_KEY = "highvoltage.connection"
"""The key of the connection in the ASGI scope."""
TEXT, MASKED = 0x81, 0x80
SHORT, MEDIUM, HEADS = 126, 65_536, 14


def text_frame(text: bytes) -> bytes:
    r"""A message as an unmasked text frame, the same bytes for every client.

    >>> text_frame(b"{}")
    b'\x81\x02{}'
    """
    size = len(text)
    if size < SHORT:
        return struct.pack("!BB", TEXT, size) + text
    if size < MEDIUM:
        return struct.pack("!BBH", TEXT, SHORT, size) + text
    return struct.pack("!BBQ", TEXT, SHORT + 1, size) + text


def frame_bounds(data: bytes, at: int) -> tuple[int, int]:
    """The start and end of the payload of the frame at `at`; zeros if not yet known."""
    if len(data) < at + 2:
        return 0, 0
    size, begin = data[at + 1] & (MASKED - 1), at + 2
    if size >= SHORT:
        more = 2 if size == SHORT else 8
        if len(data) < begin + more:
            return 0, 0
        size, begin = int.from_bytes(data[begin : begin + more]), begin + more
    begin += 4 if data[at + 1] & MASKED else 0
    return begin, begin + size


class _DiscardQueue(asyncio.Queue[Any]):
    """Replaces the queue of incoming events once a listener receives them instead."""

    def put_nowait(self, item: Any) -> None:
        """Discard the event."""


DISCARD_QUEUE = _DiscardQueue()


class WebSocketConnection(ChunkedReader, WebSocketsSansIOProtocol):
    """One WebSocket; control and continuation frames are rate-limited."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._other_frames = RateLimit(FRAMES, FRAMES_AT_ONCE)
        self._listener: Listener | None = None
        self._close_callbacks: list[Callable[[], None]] = []
        self._part = b""  # of a frame
        self.has_room: bool = True  # the send buffer is nearly empty

    # Connecting

    def handle_connect(self, event: "Request") -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope[CONNECTION_KEY] = self  # type: ignore[literal-required]

    async def run_asgi(self) -> None:
        """As in uvicorn, but a connection with a listener outlives the application."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if self._listener is None and self.close_timer is None:
            self.transport.close()
        del self.scope, self.request, self.response

    def attach(self, listener: Listener) -> None:
        """Deliver all messages to this listener, including those already queued."""
        self._listener = listener
        while not self.queue.empty():
            event: Any = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                listener.on_message(event.get("bytes") or event.get("text", "").encode())
        self.queue = DISCARD_QUEUE
        if self.disconnected:
            self._detach()
        else:
            self.conn.parser = self.conn.parse()  # the old one keeps the request in memory
            next(self.conn.parser)
            self.resume()

    def add_close_callback(self, callback: Callable[[], None]) -> None:
        """Call this when the connection is closed."""
        self._close_callbacks.append(callback)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for callback in self._close_callbacks:
            callback()
        self._close_callbacks.clear()
        self._detach()

    def _detach(self) -> None:
        if self._listener is not None:
            self._listener.on_close()
            self._listener = None

    # In

    def read(self, data: bytes) -> None:
        """Pass on whole frames: messages to the listener, all others to the protocol."""
        if not self.handshake_initiated:
            WebSocketsSansIOProtocol.data_received(self, data)
            return
        data, at = self._part + data, 0
        while not self.transport.is_closing():
            begin, end = frame_bounds(data, at)
            most = at + self.config.ws_max_size + HEADS
            if end > most:
                WebSocketsSansIOProtocol.data_received(self, data[at:])  # which refuses it
                return
            if not 0 < end <= len(data):
                break
            if self._is_message(data, at):
                self._deliver(apply_mask(data[begin:end], data[begin - 4 : begin]))
            else:
                WebSocketsSansIOProtocol.data_received(self, data[at:end])
            at = end
        self._part = data[at:]

    def _is_message(self, data: bytes, at: int) -> bool:
        """Whether this frame is a whole message and there is a listener."""
        plain = data[at] == TEXT and data[at + 1] & MASKED and not self.frames
        return bool(plain) and self._listener is not None

    def _deliver(self, message: bytes) -> None:
        if self._listener is not None and not self.close_sent:
            self._listener.on_message(message)

    def send_receive_event_to_app(self) -> None:
        if self._listener is None:
            super().send_receive_event_to_app()
        else:
            message, self.frames = b"".join(self.frames), []
            self._deliver(message)

    def is_busy(self) -> bool:
        return self.read_paused

    def pause(self) -> None:
        """Stop reading for now."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            if not self._waiting:
                self.transport.resume_reading()

    def handle_ping(self) -> None:
        if self._within_limits():
            super().handle_ping()

    def handle_pong(self, event: "Frame") -> None:
        if self._within_limits():
            super().handle_pong(event)

    def handle_cont(self, event: "Frame") -> None:
        if self._within_limits():
            super().handle_cont(event)

    def _within_limits(self) -> bool:
        unsent = self.transport.get_write_buffer_size()
        if self._other_frames.exceeded() or unsent > MAX_UNSENT_BYTES:
            self.transport.abort()
        return not self.transport.is_closing()

    # Out

    def write(self, text: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(text_frame(text))

    def abort(self) -> None:
        self.transport.abort()

    def pause_writing(self) -> None:
        self.has_room = False
        super().pause_writing()

    def resume_writing(self) -> None:
        self.has_room = True
        super().resume_writing()
        if self._listener is not None:
            self._listener.on_writable()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that the server waits for before it shuts down."""
        task = self.loop.create_task(work, name="connection")
        self.tasks.add(task)
        task.add_done_callback(self._task_ended)
        return task

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        report(task)

    async def close_with(self, code: int) -> None:
        """Close the connection with this code."""
        if not (self.close_sent or self.disconnected):
            await self.send({"type": "websocket.close", "code": code, "reason": ""})
