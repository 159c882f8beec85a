"""Reads and writes of typed values in a storage, all or nothing."""

import asyncio
from collections.abc import Callable, Iterator
from time import time
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from highvoltage.browser.storage import NewerFormat, Storage, StorageFull, failure_of
from highvoltage.rooms.store import Result

FORMAT = 1
"""How games are stored; a program that finds a higher number is too old to read them."""
REPEATED_SECONDS = 86_400.0
"""For which it is known of a write whether it was carried out."""

T = TypeVar("T")


class Written(Struct):
    """A write that was carried out, and what came of it."""

    at: float
    result: Any


class Transaction:
    """What is stored, and what is about to be."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts
        self.changes: dict[str, str | None] = {}

    def get(self, key: str, kind: type[T]) -> T | None:
        text = self.changes[key] if key in self.changes else self._texts.get(key)
        return None if text is None else msgspec.json.decode(text, type=kind)

    def put(self, key: str, value: object) -> None:
        self.changes[key] = msgspec.json.encode(value).decode()

    def delete(self, key: str) -> bool:
        """Whether there was such a key."""
        found = key in self._texts
        if found:
            self.changes[key] = None
        return found

    def keys(self, start: str) -> Iterator[str]:
        return (key for key in self._texts if key.startswith(start))


class Transactions:
    """A copy of all that is stored, changed only after the storage has been."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._texts: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._also: dict[str, object] = {"format": FORMAT}

    async def open(self) -> None:
        """Read everything; NewerFormat if this program is too old for it."""
        self._texts = dict(await self._storage.load())
        stored = self.read.get("format", int)
        if stored is not None and stored > FORMAT:
            raise NewerFormat(
                "These games were stored by a newer version of the program. Reload it to go on."
            )

    @property
    def read(self) -> Transaction:
        """What is stored, to be read only."""
        return Transaction(self._texts)

    def also_write(self, key: str, value: object) -> None:
        """Store this with the first write, unless there is such a key by then."""
        self._also[key] = value

    async def write(self, work: Callable[[Transaction], T], mark: str | None = None) -> T:
        """Do this once for all who name the same `mark`; NotWritten if nothing was changed.

        Whoever asked for it may be gone by the time it is done: the copy follows the storage.
        """
        return await asyncio.shield(self._write(work, mark))

    async def _write(self, work: Callable[[Transaction], T], mark: str | None) -> T:
        async with self._lock:
            if mark is not None and (before := self.result_of(mark)) is not None:
                found: T = before.value
                return found
            transaction = Transaction(self._texts)
            result = work(transaction)
            if not transaction.changes:
                return result
            makes_room = all(text is None for text in transaction.changes.values())
            if mark is not None:
                transaction.put(f"write/{mark}", Written(time(), result))
            for key, value in self._also.items():
                if key not in {*self._texts, *transaction.changes}:
                    transaction.put(key, value)
            try:
                await self._store(transaction.changes)
            except StorageFull:
                if not makes_room:
                    raise
                gone = [key for key, text in transaction.changes.items() if text is None]
                await self._store(dict.fromkeys(gone))  # without room even to remember it
            return result

    async def _store(self, changes: dict[str, str | None]) -> None:
        try:
            await self._storage.write([*changes.items()])
        except Exception as error:
            raise failure_of(error) from error
        for key, text in changes.items():
            if text is None:
                self._texts.pop(key, None)
            else:
                self._texts[key] = text

    def result_of(self, mark: str) -> Result | None:
        found = self.read.get(f"write/{mark}", Written)
        return None if found is None else Result(found.result)

    async def forget_writes(self) -> None:
        """Forget writes that nobody repeats any more."""
        since = time() - REPEATED_SECONDS

        def work(transaction: Transaction) -> None:
            for key in transaction.keys("write/"):
                found = transaction.get(key, Written)
                if found is not None and found.at < since:
                    transaction.delete(key)

        await self.write(work)
