"""The storage of a browser: keys and texts, written together or not at all."""

from typing import Protocol

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.store import NotWritten

Batch = list[tuple[str, str | None]]
"""What to write in one transaction; None deletes a key."""
QUOTA_ERROR = "QuotaExceededError"
"""The name by which browsers say that there is no room left."""


class Storage(Protocol):
    """IndexedDB in a browser; a file or memory in tests."""

    async def load(self) -> list[tuple[str, str]]:
        """Every key and its text."""

    async def write(self, batch: Batch) -> None:
        """Write all of this, durably, or raise an error and write nothing."""


class StorageFull(NotWritten):
    """There is no room left: nothing was written."""

    code = "storage_full"


class StorageRefused(NotWritten):
    """The browser does not let anything be stored: nothing was written."""

    code = "storage_refused"


class NewerFormat(HighVoltageError):
    """A newer version of the program has stored these games."""


def failure_of(error: Exception) -> NotWritten:
    """What an error of a storage means."""
    if isinstance(error, NotWritten):
        return error
    # Pyodide keeps the name of an error of the browser.
    full = QUOTA_ERROR in {getattr(error, "name", ""), type(error).__name__}
    return StorageFull(str(error)) if full else StorageRefused(str(error))
