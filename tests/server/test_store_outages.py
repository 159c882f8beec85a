"""A store falls silent without a line being cut: that is noticed, and afterwards all goes on."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, select

from faults import CommitProxy, faulty_sqlite
from highvoltage.server.store import SqlStore, database
from highvoltage.server.store.schema import writes
from highvoltage.server.store.writing import MOST_SETTLED
from serving import BOT, ME, OPEN, Person, Server, eventually

COMPLAINTS = {"not written", "move not written", "store failed", "begun again"}


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a server waits, but not for as long."""
    monkeypatch.setattr(database, "ANSWER_SECONDS", 2.0)
    monkeypatch.setattr(database, "SETTLE_SECONDS", 4.0)
    monkeypatch.setattr(database, "LISTEN_SECONDS", 1.0)


@pytest.fixture
def postgres(postgres_server: Any) -> str:
    """A store of its own: where all tests store, games wait whose moves could set off a fault."""
    name = f"outage_{token_hex(4)}"
    postgres_server.psql(f"CREATE DATABASE {name}")
    uri: str = postgres_server.get_uri(name)
    return uri


@pytest.fixture
def proxy(postgres: str) -> Iterator[CommitProxy]:
    made = CommitProxy(postgres)
    yield made
    made.close()


def count(postgres: str, sql: str, *values: object) -> int:
    with psycopg.connect(postgres) as store:
        row: Any = store.execute(sql, values).fetchone()
        return int(row[0])


def entries(postgres: str, table: str) -> int:
    return count(postgres, "SELECT count(*) FROM entries WHERE game = %s", table)


def test_a_store_that_falls_silent(postgres: str, proxy: CommitProxy, tmp_path: Path) -> None:
    server = Server(tmp_path, proxy.url, "bot_seconds = 2")
    with Person(server, "Ann") as ann:
        bots = ann.table([ME, BOT, BOT])["id"]
        ann.post(f"/api/tables/{bots}/stand-in", json={"bot": "random"}).raise_for_status()
        absent = ann.table([ME, ME], pace={"kind": "move", "seconds": 10})["id"]
        proxy.silence()
        eventually(lambda: ann.get("/healthz").status_code == 503)
        eventually(lambda: absent in (tmp_path / "log").read_text())  # its time was up
        before = entries(postgres, bots)
        proxy.speak()
        eventually(lambda: entries(postgres, bots) > before)
        eventually(lambda: entries(postgres, absent) > 0)
        eventually(lambda: ann.get("/healthz").status_code == 200)
    assert server.stop() == 0
    assert {line["what"] for line in server.errors()} <= COMPLAINTS


def test_nothing_is_shown_that_is_in_doubt(
    postgres: str, proxy: CommitProxy, tmp_path: Path
) -> None:
    """The store keeps a move and falls silent: it is shown as soon as that can be read."""
    server = Server(tmp_path, proxy.url)
    with Person(server, "Ann") as ann:
        table = ann.table([ME, ME], auto=False)["id"]
        with ann.live(table) as live:
            live.until(lambda s: s["legal"])
            proxy.arm("silence", "INSERT INTO entries")
            move = {"seq": 0, "move": "nominate 3 @3", "ref": "a-move-of-ann"}
            live.send("move", **move)
            error = live.next("error")
            assert (error["code"], error["ref"]) == ("not_known", "a-move-of-ann")
            eventually(lambda: entries(postgres, table) == 1)
            before = len(live.received)
            live.send("ping")
            live.next("pong")
            assert not [text for text in live.received[before:] if '"seq":1' in text]
            proxy.speak()
            live.until(lambda s: s["seq"] == 1)
            live.send("move", **move)
            assert live.next("done", "error", "refused") == {"type": "done", "ref": move["ref"]}
            assert entries(postgres, table) == 1
    assert server.stop() == 0
    assert {line["what"] for line in server.errors()} <= COMPLAINTS


def test_what_sqlite_has_kept_is_shown_as_soon_as_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No news comes from SQLite: only the room itself can find out."""
    monkeypatch.setattr(database, "SETTLE_SECONDS", 0.5)
    with faulty_sqlite() as faults:
        server = Server(tmp_path)
        with Person(server, "Ann") as ann:
            table = ann.table([ME, ME], auto=False)["id"]
            with ann.live(table) as live:
                live.until(lambda s: s["legal"])
                faults.arm("blind", "INSERT INTO entries")
                live.send("move", seq=0, move="nominate 3 @3", ref="a-move-of-ann")
                assert live.next("error")["code"] == "not_known"
                faults.blind = False
                live.until(lambda s: s["seq"] == 1)
        assert server.stop() == 0
    assert {line["what"] for line in server.errors()} <= COMPLAINTS


@pytest.mark.long
def test_a_line_that_brings_no_more_news(postgres: str, proxy: CommitProxy, tmp_path: Path) -> None:
    """The rest of the store answers, so that only a question over the same line finds it out."""
    first = Server(tmp_path / "first", postgres)
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "secret").write_bytes((tmp_path / "first" / "secret").read_bytes())
    second = Server(tmp_path / "second", proxy.url)
    with Person(first, "Ann") as ann:
        table = ann.table([ME, ME], auto=False)["id"]
        with ann.live(table) as here, ann.live(table, server=second) as there:
            here.until(lambda s: s["legal"])
            there.until(lambda s: s["legal"])
            proxy.silence_listeners()
            here.move("nominate 3 @3")
            there.until(lambda s: s["seq"] == 1)
    assert [first.stop(), second.stop()] == [0, 0]
    assert first.errors() == second.errors() == []


def test_marks_that_nobody_will_look_for_are_deleted(tmp_path: Path) -> None:
    async def kept() -> list[int]:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        marks: list[int] = []
        for _ in range(2 * MOST_SETTLED + 2):
            await store.write(lambda _: None)
            (row,) = await store.rows(select(func.count()).select_from(writes))
            marks.append(row[0])
        await store.close()
        return marks

    marks = asyncio.run(kept())
    assert max(marks) == MOST_SETTLED
    assert marks[-1] == 2


def test_a_write_is_carried_out_once_at_whichever_server(postgres: str, tmp_path: Path) -> None:
    first = Server(tmp_path / "first", postgres)
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "secret").write_bytes((tmp_path / "first" / "secret").read_bytes())
    second = Server(tmp_path / "second", postgres)
    with Person(first, "Ann") as ann, Person(first, "Bob") as bob:
        setup = {"rulebook": "classic", "seats": [ME, OPEN, ME], "seed": 1, "auto": False}
        made = [
            ann.post(f"{server.url}/api/tables", params={"ref": "one-table"}, json=setup).json()
            for server in (first, second, second)
        ]
        table = made[0]["id"]
        assert [each["id"] for each in made] == [table] * 3
        for server in (first, second, second):
            url = f"{server.url}/api/tables/{table}/join"
            answer = bob.post(url, params={"ref": "one-seat"}, json={})
            assert answer.status_code == 201
            assert [seat["mine"] for seat in answer.json()["seats"]] == [False, True, False]
        writes: list[tuple[str, dict[str, Any]]] = [
            ("chat", {"text": "hello", "ref": "one-line"}),
            ("max_bid", {"card": "5", "limit": 9, "ref": "one-limit"}),
            ("move", {"seq": 0, "move": "nominate 3 @3", "ref": "one-move"}),
        ]
        with ann.live(table) as here, ann.live(table, server=second) as there:
            for live in (here, there):
                assert live.until(lambda s: s["view"])["table"]["to_move"] != 1
            for kind, fields in writes:
                for live in (here, there, here):
                    live.send(kind, **fields)
                    answered = live.next("done", "error", "refused")
                    assert answered == {"type": "done", "ref": fields["ref"]}
                    if kind == "max_bid":  # another one is not overwritten by a late repeat
                        live.send("max_bid", card="5", limit=12, ref="another-limit")
                        assert live.next("done", "error", "refused")["type"] == "done"
        assert count(postgres, "SELECT count(*) FROM chat WHERE game = %s", table) == 1
        assert count(postgres, 'SELECT "limit" FROM wishes WHERE game = %s', table) == 12
        assert entries(postgres, table) == 1
    assert [first.stop(), second.stop()] == [0, 0]
