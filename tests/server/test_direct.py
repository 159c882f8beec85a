"""Statements that go to the driver fail as those of SQLAlchemy do, and roll back with the rest.

So decisions that are written together fail one by one.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow
from highvoltage.rooms.store import Conflict, NotWritten
from highvoltage.server.store import SqlStore, direct
from highvoltage.server.store.schema import writes
from highvoltage.table import Entry
from serving import new_store

MARK = "INSERT INTO writes (id, at) VALUES (:id, :at)"


def marks(connection: Connection) -> list[str]:
    return [row.id for row in connection.execute(select(writes.c.id).order_by(writes.c.id))]


def test_a_row_that_is_there_rolls_the_transaction_back() -> None:
    engine = create_engine("sqlite://")
    writes.create(engine)
    with engine.begin() as connection:
        direct.execute(connection, MARK, {"id": "kept", "at": 0.0})
    rows = [{"id": name, "at": 1.0} for name in ("new", "kept")]
    with engine.connect() as connection:
        connection.execute(insert(writes), [{"id": "before", "at": 1.0}])
        with pytest.raises(IntegrityError):
            direct.execute_many(connection, MARK, rows)
    with pytest.raises(OperationalError), engine.begin() as connection:
        direct.execute(connection, "INSERT INTO nowhere VALUES (:id)", {"id": "lost"})
    with engine.connect() as connection:
        assert marks(connection) == ["kept"]


def test_a_closed_connection_is_noticed() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.begin()
        connection.connection.driver_connection.close()  # type: ignore[union-attr]
        with pytest.raises(ProgrammingError) as closed:
            direct.execute(connection, "SELECT :id", {"id": "x"})
        assert closed.value.connection_invalidated


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqlStore]:
    """A store with two games."""
    (folder / "highvoltage.db").write_bytes(new_store())
    store = SqlStore(f"sqlite:///{folder / 'highvoltage.db'}")
    await store.open()
    try:
        for name in "ab":
            row = GameRow(name, "running", "classic", "{}", "1", False, "ann", created=1.0)
            await store.create(row, [SeatRow(name, 0, "person")])
        yield store
    finally:
        await store.close()


def decision(game: str, seq: int, text: str, turn: object = 0) -> JournalWrite:
    return JournalWrite(game, seq, [Entry(0, text, 1.0)], {"turn": turn, "due": None, "moves": 1})


def test_of_decisions_written_together_only_those_fail_that_cannot_be(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path) as store:
            assert await store.append(decision("a", 0, "first"))
            odd = decision("b", 1, "odd", turn=object())
            together = [decision("a", 0, "late"), decision("b", 0, "new"), odd]
            late, new, failed = await asyncio.gather(
                *map(store.append, together), return_exceptions=True
            )
            assert (late, new) == (False, True)
            assert isinstance(failed, NotWritten)
            assert [each.text for each in await store.journal("a")] == ["first"]
            assert [each.text for each in await store.journal("b")] == ["new"]
            with pytest.raises(NotWritten):
                await store.append(odd)

    asyncio.run(run())


@pytest.mark.parametrize(("conflicts", "said"), [(4, ["Hello"]), (5, [])])
def test_a_line_of_the_chat_is_given_another_number_where_somebody_was_faster(
    conflicts: int, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, tries = SqlStore.write, iter([True] * conflicts)

    async def contested(self: SqlStore, *given: Any, **named: Any) -> Any:
        if next(tries, False):
            raise Conflict("Somebody was faster.")
        return await write(self, *given, **named)

    async def run() -> list[str]:
        async with opened(tmp_path) as store:
            with monkeypatch.context() as patch:
                patch.setattr(SqlStore, "write", contested)
                with nullcontext() if said else pytest.raises(Conflict):
                    await store.add_chat("a", 0, "Ann", "Hello", 1.0, who="ann", origin="")
            return [line.text for line in await store.chat("a", 0)]

    assert asyncio.run(run()) == said
