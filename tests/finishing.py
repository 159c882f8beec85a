"""Games that are over after one more move, and finished ones."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import psycopg
import pytest

import highvoltage as hv
from highvoltage.server.people import counting
from serving import BOT, ME, Person, Server

ALMOST_OVER = (Path(__file__).parent / "corpus" / "classic-3-players.txt").read_text()
"""Ann, who has seat 0, ends this game by her next move and is last; Cyd, in seat 2, wins."""


def before_the_end(person: Person, *others: Person, alone: bool = False) -> str:
    """A game before its last move, the person's; others have the next seats, `alone` none."""
    seats = [ME, *(ME if alone or n < len(others) else BOT for n in range(2))]
    moves = len(hv.replay(ALMOST_OVER).log) - 1
    body = {"record": ALMOST_OVER, "seats": seats, "moves": moves}
    table: str = person.post("/api/resume", json=body).json()["id"]
    for n, other in enumerate(others, 1):
        key = person.post(f"/api/tables/{table}/key", json={"seat": n}).json()
        assert other.post(f"/api/tables/{table}/claim", json=key).status_code == 201
    return table


def finish(person: Person, table: str) -> None:
    with person.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move("done")
        live.until(lambda s: s["table"]["status"] == "finished")


def in_store(server: Server, *statements: str) -> list[Any]:
    """Carry out statements in the database of a server, and return the rows of the last one."""
    if server.database:
        with psycopg.connect(server.database) as connection:
            cursors = [connection.execute(statement) for statement in statements]
            return cursors[-1].fetchall() if cursors[-1].description else []
    with closing(connect(server.folder / "highvoltage.db", timeout=60)) as file, file:
        return [file.execute(statement) for statement in statements][-1].fetchall()


def make_rated(server: Server, table: str) -> None:
    """As if a table had been made for a rated game with clerks: one that goes on is never rated."""
    rated = "UPDATE games SET setup = replace(setup, '\"rated\":false', '\"rated\":true')"
    clerks = "UPDATE seats SET bot = 'clerk'"
    of_bots = f"game = '{table}' AND kind = 'bot'"
    in_store(server, f"{rated} WHERE id = '{table}'", f"{clerks} WHERE {of_bots}")


def counting_server(request: pytest.FixtureRequest, folder: Path) -> Iterator[Server]:
    """A server that soon counts what is finished, in the database that the parameter names."""
    url = None
    if request.param == "postgresql":
        postgres = request.getfixturevalue("postgres")
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {folder.name}")
        url = postgres.replace("/postgres?", f"/{folder.name}?")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "LOOK_SECONDS", 0.05)
        running = Server(folder, url)
        yield running
    assert running.stop() == 0
    assert running.errors() == []
