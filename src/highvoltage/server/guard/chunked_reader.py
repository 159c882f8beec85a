"""Reads incoming data in small chunks.

A socket delivers up to a quarter of a megabyte at once, which may hold thousands of tiny requests
or empty frames.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

CHUNK_BYTES = 4_096


class ChunkedReader(ABC):
    """Reads incoming data in small chunks; between two chunks other connections have their turn."""

    transport: Any
    loop: "asyncio.AbstractEventLoop"

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waiting = bytearray()
        self._stopped = False

    @abstractmethod
    def read(self, data: bytes) -> None:
        """Process one chunk."""

    @abstractmethod
    def is_busy(self) -> bool:
        """Whether to read no more for now."""

    def data_received(self, data: bytes) -> None:
        idle = not self._waiting
        if idle and len(data) <= CHUNK_BYTES:  # as nearly always
            if not self.transport.is_closing():
                self.read(data)
            return
        self._waiting += data
        if idle:
            self._read_chunk()

    def _read_chunk(self) -> None:
        if self.transport.is_closing():
            self._waiting.clear()
            return
        self.read(bytes(self._waiting[:CHUNK_BYTES]))
        del self._waiting[:CHUNK_BYTES]
        if self._waiting:
            self._stopped = True
            self.transport.pause_reading()
            self.loop.call_soon(self._read_chunk)
        elif self._stopped and not self.transport.is_closing():
            self._stopped = False
            if not self.is_busy():
                self.transport.resume_reading()
