"""Statements that go to the driver fail as those of SQLAlchemy do, and roll back with the rest."""

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from highvoltage.server.store import direct
from highvoltage.server.store.schema import writes

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
