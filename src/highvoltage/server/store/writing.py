"""A write that is carried out once, though the answer to it may be lost.

Its transaction leaves a mark in `writes`. Whoever repeats it marks its own transaction with the
same and so waits for the first: if that was committed, nothing is done again.
"""

import sqlite3
from collections.abc import Callable
from secrets import token_hex
from time import time
from typing import Generic, TypeVar

import msgspec
from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)

from highvoltage.rooms.store import NotWritten, StoreError, WriteInDoubt
from highvoltage.server.store import direct
from highvoltage.server.store.schema import writes

T = TypeVar("T")

MOST_SETTLED = 100
"""Marks that are left behind before they are deleted together."""
UNREACHABLE = ("08", "57", "40", "25P03", "53300", "55P03")
"""How the codes begin with which PostgreSQL ends a line or gives up on a transaction."""
NOT_COMMITTED = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR_WRITE,
}
"""With which SQLite says of a COMMIT that it wrote nothing."""


class Marks:
    """How a database marks transactions, and the marks that nobody will look for any more."""

    def __init__(self, statement: str, *, shared: bool) -> None:
        self._statement = statement  # as the driver takes it
        self.shared = shared  # with processes that may be about to carry out the same
        self.settled: list[str] = []

    def make(self, connection: Connection, mark: str) -> None:
        """IntegrityError if there is one already; waits for a transaction that makes the same."""
        row = {"id": mark, "at": time(), "result": None}
        direct.execute(connection, self._statement, row)


class Writing(Generic[T]):
    """One write, however often it takes."""

    def __init__(
        self,
        marks: Marks,
        work: Callable[[Connection], T],
        mark: str | None,
        *,
        repeatable: bool,
    ) -> None:
        self.mark: str = mark or token_hex(12)
        self.in_doubt = False  # COMMIT was sent, and not answered
        self._marks = marks
        self._work = work
        self._named = mark is not None
        self._repeatable = repeatable  # by somebody who does not know what became of it
        self.claimed = False  # nobody else has carried it out before
        self._results: list[T] = []  # of the time before the answer was lost

    def carry_out(self, connection: Connection) -> T:
        """Do it in a transaction, unless that was done before."""
        marks = self._marks
        try:
            marks.make(connection, self.mark)
        except IntegrityError:
            connection.rollback()
            return self._found(connection)
        self.in_doubt = False  # what was tried before has come to nothing
        self.claimed = self._named
        result = self._work(connection)
        if self._named:
            kept = msgspec.json.encode(result).decode()
            connection.execute(update(writes).where(writes.c.id == self.mark).values(result=kept))
        settled = marks.settled[:] if len(marks.settled) >= MOST_SETTLED else []
        if settled:
            connection.execute(delete(writes).where(writes.c.id.in_(settled)))
        self.claimed = True
        self._results = [result]
        self._commit(connection)
        del marks.settled[: len(settled)]
        self._leave()
        return result

    def _commit(self, connection: Connection) -> None:
        self.in_doubt = True
        try:
            connection.commit()
        except DBAPIError as error:
            self.in_doubt = _is_answer_lost(error)
            connection.invalidate()  # SQLite may have left the transaction open
            raise
        self.in_doubt = False

    def _found(self, connection: Connection) -> T:
        """What came of it when it was carried out."""
        self.in_doubt = False
        if not self._named:
            self._leave()
            return self._results[0]
        query = select(writes.c.result).where(writes.c.id == self.mark)
        found: T = msgspec.json.decode(connection.execute(query).scalar_one())
        return found

    def _leave(self) -> None:
        """Nobody else knows the mark that this write made for itself."""
        if not self._named:
            self._marks.settled.append(self.mark)

    def verdict(self) -> StoreError:
        """What is to be said after an error."""
        if self.in_doubt:
            return WriteInDoubt("The store has not said whether this was kept.")
        if not self._repeatable or (self.claimed and not self._marks.shared):
            return NotWritten("This was not kept.")
        return StoreError("The store cannot be written.")


def is_unreachable(error: SQLAlchemyError) -> bool:
    """Whether a line was cut or never came to be, so that another one may be better."""
    cause = getattr(error, "orig", None)
    if cause is None or isinstance(cause, sqlite3.Error):
        return False
    state = getattr(cause, "sqlstate", None)
    if state is None:
        return isinstance(error, OperationalError | InterfaceError)
    return str(state).startswith(UNREACHABLE)


def _is_answer_lost(error: DBAPIError) -> bool:
    """Whether an error says nothing of what became of a COMMIT."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", None) not in NOT_COMMITTED
    state = getattr(cause, "sqlstate", None)
    return state is None or str(state).startswith(("08", "57", "40003"))
