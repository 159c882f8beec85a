"""Reading what comes in a little at a time.

A quarter of a megabyte, which is what comes in at once, may hold thousands of tiny requests or
empty frames.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

CHUNK_BYTES = 4_096


class ChunkedReader(ABC):
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
    def is_busy(self) -> bool:
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
        self.read(bytes(self._waiting[:CHUNK_BYTES]))
        del self._waiting[:CHUNK_BYTES]
        if self._waiting:
            self._stopped = True
            self.transport.pause_reading()
            self.loop.call_soon(self._sip)
        elif self._stopped and not self.transport.is_closing():
            self._stopped = False
            if not self.is_busy():
                self.transport.resume_reading()
