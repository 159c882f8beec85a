"""A store of any age is migrated to the current schema, or stays as it is: never in between.

`schemas` holds a store with one game in it for every schema that the store has had.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import create_engine, event

from highvoltage.server.store import SqlStore
from highvoltage.server.store import schema as newest
from highvoltage.server.store.database import migrate
from pieces import piece
from serving import Person, Server
from spread import sizes, some

FORMS = {file.stem: file.read_text() for file in Path(__file__).parent.glob("schemas/*.sql")}
ALL = [None, *sorted(FORMS)]
ENDS = [None, min(FORMS), max(FORMS)]  # the migration from the first schema has every statement
KILLED = 9
MIGRATIONS = Path(newest.__file__).parent / "migrations"


def restore(file: Path, form: str | None) -> None:
    """A store as a version of the server left it; none at all before the first start."""
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()
    with closing(sqlite3.connect(file)) as store:
        store.executescript(FORMS[form] if form else "")


def tables(file: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(file)) as store:
        names = [row[0] for row in store.execute("SELECT name FROM sqlite_master ORDER BY name")]
        return {
            name: [str(row) for row in store.execute(f"PRAGMA table_info({name})")]
            for name in names
        }


def upgrade(file: Path, watch: Callable[[], None]) -> None:
    """Migrate a store; `watch` is called before every statement and the commit."""
    store = SqlStore(f"sqlite:///{file}")
    for moment in ("before_cursor_execute", "commit"):
        event.listen(store.engine, moment, lambda *_: watch())
    with store.engine.begin() as connection:
        migrate(connection)
    store.engine.dispose()


def killed_at(file: Path, statement: int) -> bool:
    """Whether the migration got far enough to be killed there, without any clean-up."""
    child = os.fork()
    if child == 0:
        left = statement

        def watch() -> None:
            nonlocal left
            if left == 0:
                os._exit(KILLED)
            left -= 1

        try:
            upgrade(file, watch)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


@pytest.mark.parametrize("apart", [1] if "KILLS" in os.environ else sizes(15, 1))
@pytest.mark.parametrize("form", ALL if "KILLS" in os.environ else some(*ENDS, of=ALL))
def test_a_migration_killed_at_any_statement_can_be_repeated(
    tmp_path: Path, form: str | None, apart: int
) -> None:
    with piece("kill", f"migration from {form or 'nothing'}") as results:
        results["migrations"] = kill_at_statements(tmp_path / "highvoltage.db", form, apart)


def kill_at_statements(file: Path, form: str | None, apart: int) -> int:
    """At every statement, or at every `apart`-th; return how often."""
    restore(file, form)
    upgrade(file, lambda: None)
    done = tables(file)
    kills = 0
    restore(file, form)
    before = tables(file)
    while killed_at(file, kills * apart):
        assert tables(file) == before, "half of it was done"
        kills += 1
    assert kills > (0 if form == max(FORMS) else 5 // apart)
    assert tables(file) == done
    upgrade(file, lambda: None)  # and a second run does nothing
    assert tables(file) == done
    assert {*newest.metadata.tables} <= {*done}
    return kills


def test_a_migrated_store_has_the_columns_of_a_new_one(tmp_path: Path) -> None:
    upgrade(tmp_path / "migrated.db", lambda: None)
    made = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    newest.metadata.create_all(made)
    made.dispose()
    found, wanted = (columns(tmp_path / name) for name in ("migrated.db", "made.db"))
    assert {name: found[name] for name in wanted} == wanted


def columns(file: Path) -> dict[str, dict[str, tuple[bool, int]]]:
    """Of each table the columns, whether they may not be NULL, and their place in the key."""
    with closing(sqlite3.connect(file)) as store:
        names = store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: {row[1]: (row[3], row[5]) for row in store.execute(f"PRAGMA table_info({name})")}
            for (name,) in names
        }


def migrated(url: str, version: str, left: int = -1) -> None:
    """Bring a store to a version in a process of its own, killed after so many statements."""
    child = os.fork()
    if child == 0:
        try:
            store = SqlStore(url)

            def watch(*_: object) -> None:
                nonlocal left
                if left == 0:
                    os._exit(KILLED)
                left -= 1

            for moment in ("before_cursor_execute", "commit"):
                event.listen(store.engine, moment, watch)
            config = AlembicConfig()
            config.set_main_option("script_location", str(MIGRATIONS))
            with store.engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, version)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


@pytest.mark.long
@pytest.mark.parametrize("apart", sizes(10, 1))
def test_killed_on_postgresql_it_starts_again(postgres: str, apart: int) -> None:
    """The latest migrations, with a full table that was never dealt and a game that is over."""
    with psycopg.connect(postgres, autocommit=True) as store:
        store.execute("DROP DATABASE IF EXISTS migrated")
        store.execute("CREATE DATABASE migrated")
    url = postgres.replace("/postgres?", "/migrated?")
    driver = url.replace("postgresql://", "postgresql+psycopg://")
    migrated(driver, "0010")
    with psycopg.connect(url) as store:
        store.execute(
            "INSERT INTO games (id, status, rulebook, setup, seed, public, host, created, moves,"
            " origin, told) VALUES ('full', 'open', 'classic', '{}', '1', false, '', 0, 0, '', '')"
        )
        store.execute("INSERT INTO seats (game, seat, kind, name) VALUES ('full', 0, 'bot', 'x')")
        store.execute(
            "INSERT INTO games (id, status, rulebook, setup, seed, public, host, created, moves,"
            " origin, told, opening) VALUES"
            " ('over', 'finished', 'classic', '{}', '1', false, '', 0, 0, '', '', '{}')"
        )

    def found() -> tuple[Any, Any]:
        with psycopg.connect(url) as store:
            columns = "SELECT table_name, column_name FROM information_schema.columns"
            tables = f"{columns} WHERE table_schema = 'public' ORDER BY 1, 2"
            return store.execute(tables).fetchall(), store.execute(
                "SELECT due FROM games WHERE id = 'full'"
            ).fetchone()

    old = found()
    for statement in count(step=apart):
        migrated(driver, "head", statement)
        if found() != old:
            break
    assert statement > 5
    assert found()[1] == (0.0,)  # whoever sweeps deals it
    assert ("writes", "result") in found()[0]
    with psycopg.connect(url) as store:
        assert store.execute("SELECT game FROM uncounted").fetchall() == [("over",)]


@pytest.mark.parametrize("form", some(*sorted(FORMS)[::8], max(FORMS), of=sorted(FORMS)))
def test_a_game_of_any_age_continues(tmp_path: Path, form: str) -> None:
    restore(tmp_path / "highvoltage.db", form)
    server = Server(tmp_path)
    with Person(server) as eve:
        state: dict[str, Any] = eve.get("/api/tables/kept").json()
        assert state["seq"] == 3
        assert [seat["name"] for seat in state["table"]["seats"]] == ["Ann", "Bob"]
    assert server.stop() == 0
    assert server.errors() == []


def test_words_from_a_seat_become_those_of_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "highvoltage.db"
    restore(file, "0008")
    upgrade(file, lambda: None)
    with closing(sqlite3.connect(file)) as store:
        assert store.execute("SELECT name, who FROM chat").fetchall() == [("Ann", "owner0")]


def test_the_newest_schema_is_stored_too() -> None:
    versions = sorted(file.stem[:4] for file in (MIGRATIONS / "versions").glob("0*.py"))
    assert sorted(FORMS) == versions
