"""Failures stay contained: to one table, one message from another process, one task."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from sqlite3 import connect

import psycopg
import pytest

from highvoltage.rooms import supervisor
from highvoltage.rooms.supervisor import TaskSupervisor
from serving import BOT, ME, OPEN, Person, Server, eventually

BREAKS = {
    "journal": "UPDATE entries SET text = 'nonsense' WHERE game = ? AND seq = 0",
    "rulebook": "UPDATE games SET rulebook = 'martian' WHERE id = ?",
    "version": "UPDATE games SET opening = replace(opening, '\"version\":', '\"version\":99') "
    "WHERE id = ?",
    "setup": "UPDATE games SET setup = '[' WHERE id = ?",
}


def test_a_table_that_cannot_be_loaded_stops_no_other(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with Person(server, "Ann") as ann:
        broken = {name: ann.table([ME, BOT], public=True)["id"] for name in BREAKS}
        good = ann.table([ME, ME], seed=1, pace={"kind": "move", "seconds": 1}, public=True)["id"]
        for table in broken.values():
            with ann.live(table, "?brief=true") as live:
                live.until(lambda s: s["legal"])
                live.move(live.state["legal"][0]["move"])
                live.until(lambda s: s["seq"] >= 1)
    assert server.stop() == 0
    with connect(tmp_path / "highvoltage.db") as store:
        for name, table in broken.items():
            assert store.execute(BREAKS[name], (table,)).rowcount == 1
            store.execute("UPDATE games SET due = 0 WHERE id = ?", (table,))  # before the good one
        store.execute("UPDATE games SET due = 1, started = 1 WHERE id = ?", (good,))
    server.start()
    with Person(server, "Eve") as eve:
        with eve.live(good) as live:
            assert live.next("state")["table"]["status"] == "running"
        due = "SELECT due FROM games WHERE id = ?"  # the sweep postpones what cannot be loaded
        eventually(lambda: store.execute(due, (broken["setup"],)).fetchone()[0] > 1_000)
        assert eve.get("/healthz").status_code == 200
        assert good in [table["id"] for table in eve.get("/api/tables").json()]
        for name, table in broken.items():
            code = "no_rulebook" if name == "rulebook" else "unreadable"
            answer = eve.get(f"/api/tables/{table}")
            assert (answer.status_code, answer.json()["code"]) == (409, code), answer.text
            with eve.live(table) as live:
                assert live.next("error")["code"] == code
        message = eve.get(f"/api/tables/{broken['version']}").json()["message"]
        assert "version 99" in message
    assert server.stop() == 0
    assert server.errors() == []


def test_a_finished_game_of_rules_that_are_gone_can_still_be_read(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with Person(server, "Ann") as ann:
        table = ann.table([ME, BOT], rulebook="cardgame")["id"]
        with ann.live(table, "?brief=true") as live:
            ann.post(f"/api/tables/{table}/stand-in", json={"seat": 0, "bot": "random"})
            live.until(lambda s: s["table"]["status"] == "finished")
        record = ann.get(f"/api/tables/{table}/record").text
        log = ann.get(f"/api/tables/{table}/log").json()
        assert log["unread"] == ""
        moves = [row["move"] for row in log["rows"]]
        server.stop()
        with connect(tmp_path / "highvoltage.db") as store:
            for column in ("opening", "record"):
                store.execute(
                    f"UPDATE games SET {column} ="
                    f" replace({column}, '\"version\":', '\"version\":99')"
                )
        server.start()
    with Person(server, "Eve") as eve:
        assert eve.get(f"/api/tables/{table}").json()["table"]["status"] == "finished"
        served = eve.get(f"/api/tables/{table}/record").text
        assert served.splitlines()[3:] == record.splitlines()[3:]
        log = eve.get(f"/api/tables/{table}/log").json()  # as far as our rules can read it
        assert [row["move"] for row in log["rows"]] == moves
        assert "version 99" in log["unread"]
        assert eve.get(f"/api/tables/{table}/at/3").json()["moves"] == len(moves)
    server.stop()
    assert server.errors() == []


def test_an_unreadable_notification_does_not_stop_the_listener(
    postgres: str, tmp_path: Path
) -> None:
    here, there = Server(tmp_path, postgres), Server(tmp_path, postgres)
    with Person(here, "Ann") as ann, Person(there, "Bob") as bob:
        table = ann.table([ME, OPEN])["id"]
        with ann.live(table) as live, psycopg.connect(postgres, autocommit=True) as elsewhere:
            live.next("state")
            for note in ("", "x", "a b c d", "a b 1 {", "a b 1 []", json.dumps([1] * 9)):
                elsewhere.execute("SELECT pg_notify('highvoltage', %s)", (note,))
            bob.post(f"/api/tables/{table}/join", json={})
            live.until(lambda s: s["table"]["status"] == "running")
    for server in (here, there):
        assert server.stop() == 0
        assert server.errors() == []


def test_a_supervised_task_is_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RESTART_SECONDS", 0)
    begun = 0

    async def run() -> None:
        enough = asyncio.Event()

        async def fail() -> None:
            nonlocal begun
            begun += 1
            if begun == 3:
                enough.set()
            raise RuntimeError

        async with TaskSupervisor().running(fail=fail):
            await enough.wait()

    asyncio.run(run())
    assert begun >= 3


def test_health_is_bad_when_a_task_shows_no_heartbeat(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Person(server) as ann:
        assert ann.get("/healthz").status_code == 200
        monkeypatch.setattr(supervisor, "TASK_STALE_SECONDS", -1)
        ill = ann.get("/healthz")
        assert (ill.status_code, ill.json()["code"]) == (503, "not_well")
        assert "sweep" in ill.json()["message"]


@pytest.mark.long
def test_tables_can_be_loaded_all_at_once_after_a_start() -> None:
    """The first to read something is interrupted at every call, so that all threads are."""
    script = """
import sys, threading, time
import highvoltage as hv
from highvoltage.games import metas, rulebook
from highvoltage.server.app import prepare
from highvoltage.rooms.restore import RECORD_DECODER
from highvoltage.rooms.messages import SETUP_DECODER
prepare()
record = hv.new("classic", players=2, seed=1).record().json()
def interrupted(*_):
    time.sleep(0.0005)
def load():
    sys.setprofile(interrupted)
    RECORD_DECODER.decode(record)
    SETUP_DECODER.decode('{"rulebook": "classic"}')
    sys.setprofile(None)
    for name, about in metas().items():
        rulebook(name, max(about.players), None, {})
threads = [threading.Thread(target=load) for _ in range(30)]
for thread in threads:
    thread.start()
    time.sleep(0.002)
for thread in threads:
    thread.join()
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
