"""Statements given to the database's driver itself.

SQLAlchemy takes several times as long, and of what every move writes that is the larger part.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


def execute(connection: Connection, statement: str, row: dict[str, Any]) -> None:
    """Run a statement, as part of the transaction of this connection."""
    _run(connection, "execute", statement, row)


def execute_many(connection: Connection, statement: str, rows: Sequence[dict[str, Any]]) -> None:
    """Run a statement once for each row."""
    _run(connection, "executemany", statement, rows)


def _run(connection: Connection, method: str, statement: str, given: object) -> None:
    if not connection.in_transaction():
        connection.begin()
    line, driver = connection.connection, connection.dialect.loaded_dbapi
    try:
        cursor = line.cursor()  # which fails, too, where the line was cut
        try:
            getattr(cursor, method)(statement, given)
        finally:
            cursor.close()
    except driver.Error as error:  # raised as SQLAlchemy would
        lost = connection.dialect.is_disconnect(error, line.dbapi_connection, None)
        if lost:
            connection.invalidate(error)
        raise DBAPIError.instance(
            statement,
            None,
            error,
            driver.Error,
            hide_parameters=True,
            connection_invalidated=lost,
            dialect=connection.dialect,
        ) from error
