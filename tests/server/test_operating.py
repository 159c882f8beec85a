"""What an operator does while people play."""

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import create_server
from time import sleep, time
from typing import Any

import httpx
import psycopg
import pytest
from typer.testing import CliRunner, Result

import highvoltage as hv
from highvoltage.cli import app
from highvoltage.rooms import rows
from highvoltage.server.config import find_data_folder
from highvoltage.server.guard import sessions
from serving import BOT, ME, OPEN, PATIENCE, Person, Server, eventually

Admin = Callable[..., Result]


def free_port() -> int:
    with create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@pytest.fixture(scope="module")
def watched_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, watched_port: int) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("operated")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "CACHE_SECONDS", 0.1)  # seconds until a ban takes effect
        running = Server(folder, settings=f"operator_port = {watched_port}")
        yield running
    assert running.stop() == 0


@pytest.fixture
def admin(server: Server) -> Admin:
    return lambda *words: CliRunner().invoke(
        app, ["admin", "--data", str(server.folder), *map(str, words)]
    )


def output_of(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.output


def credentials(login: str) -> dict[str, str]:
    return {"login": login, "password": "correct horse battery"}


# Tables


def test_tables_are_listed_shown_and_exported_while_they_are_played(
    admin: Admin, ann: Person, tmp_path: Path
) -> None:
    table = ann.table([ME, BOT, OPEN])["id"]
    assert table in output_of(admin("list", "--status", "open"))
    assert "has not begun" in admin("export", table).output
    running = ann.table([ME, BOT])["id"]
    with ann.live(running) as live:
        live.until(lambda s: s["legal"])
    shown = output_of(admin("show", running))
    assert f"table {running}" in " ".join(shown.split())
    assert "running" in shown
    assert "Random, bot" in shown
    exported = output_of(admin("export", running))
    served = ann.get(f"/api/tables/{running}/record", params={"form": "json"})
    assert json.loads(exported) == served.json()
    hv.replay(exported)
    assert output_of(admin("export", running, "--output", tmp_path / "game.json")) == ""
    assert (tmp_path / "game.json").read_text() == exported


def test_the_latest_tables_come_first_and_no_more_than_wanted(admin: Admin, ann: Person) -> None:
    first, second = (ann.table([ME, OPEN])["id"] for _ in range(2))
    head, *lines = (line.split() for line in output_of(admin("list", "--limit", 2)).splitlines())
    assert head == ["table", "made", "rulebook", "status", "moves", "seats"]
    assert [line[0] for line in lines] == [second, first]
    assert [line[3:] for line in lines] == [["classic", "open", "0", "Ann,", "-"]] * 2
    assert len(output_of(admin("list", "--limit", 1)).splitlines()) == 2
    assert admin("list", "--limit", 0).exit_code == 2


def test_a_table_is_shown_with_its_seats_and_whose_turn_it_is(admin: Admin, ann: Person) -> None:
    ann.patch("/api/me", json={"name": "Ann"}).raise_for_status()
    table = ann.table([ME, BOT, ME], seed=1)["id"]
    to_move = ann.get(f"/api/tables/{table}").json()["table"]["to_move"]
    lines = [line.split() for line in output_of(admin("show", table)).splitlines()]
    shown = [" ".join(line) for line in lines if line[0] != "made"]
    seats = ["Ann, person", "Random, bot", "Ann, person"]
    assert shown == [
        f"table {table}",
        "rulebook classic",
        "status running, 0 moves",
        *(f"seat {n + 1} {seat}" + " (to move)" * (n == to_move) for n, seat in enumerate(seats)),
    ]


def test_an_id_is_not_an_option_and_a_name_is_not_markup(
    admin: Admin, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = iter(["-oops", "fine_id"])
    monkeypatch.setattr(rows, "token_urlsafe", lambda _: next(made))
    ann.patch("/api/me", json={"name": "[/b] Ann"}).raise_for_status()
    assert ann.table([ME, OPEN])["id"] == "fine_id"
    assert "[/b] Ann" in output_of(admin("show", "fine_id"))
    assert "[/b] Ann" in output_of(admin("list"))


def test_a_deleted_table_is_gone_for_those_connected(admin: Admin, ann: Person) -> None:
    table, other = (ann.table([ME, ME])["id"] for _ in range(2))
    with ann.live(table) as live:
        live.next("state")
        assert table in output_of(admin("delete", table))
        with pytest.raises(ConnectionError):
            live.next("nothing more")
    assert ann.get(f"/api/tables/{table}").status_code == 404
    assert ann.get(f"/api/tables/{other}").status_code == 200
    assert table not in output_of(admin("list"))


def test_old_tables_and_orphaned_data_are_purged(admin: Admin, ann: Person, server: Server) -> None:
    old, new = (ann.table([ME, OPEN])["id"] for _ in range(2))
    long_ago = time() - 40 * 86_400
    with closing(sqlite3.connect(server.folder / "highvoltage.db")) as store, store:
        store.execute("UPDATE games SET created = ? WHERE id = ?", (long_ago, old))
        store.execute("UPDATE seats SET owner = 'bob' WHERE game = ? AND seat = 1", (old,))
        store.execute("UPDATE seats SET owner = 'cem' WHERE game = ? AND seat = 1", (new,))
        browsers = [("bob", long_ago), ("cem", long_ago), ("dan", time())]
        store.executemany("INSERT INTO subscriptions VALUES (?1, ?1, '', '', '', ?2)", browsers)
        store.execute("INSERT INTO logins VALUES ('login', 'nobody', ?, '')", (time(),))
        store.execute(
            "INSERT INTO chat (game, n, seat, name, text, at)"
            " VALUES ('nowhere', 1, 0, 'Ann', 'hello', 1.0)"
        )
    counts = "1 tables, 1 chat of no table, 1 subscriptions, 1 logins."
    assert f"Would delete: {counts}" in output_of(admin("purge", "--older", 30, "--dry-run"))
    assert old in (shown := output_of(admin("list", "--older", 30)))
    assert new not in shown
    assert f"Deleted: {counts}" in output_of(admin("purge", "--older", 30))
    remaining = output_of(admin("list"))
    assert old not in remaining
    assert new in remaining
    assert "Deleted: nothing." in output_of(admin("purge", "--older", 30))
    with closing(sqlite3.connect(server.folder / "highvoltage.db")) as store:
        left = store.execute("SELECT who FROM subscriptions ORDER BY who").fetchall()
        assert left == [("cem",), ("dan",)]


# People


def test_a_banned_person_may_only_watch(admin: Admin, server: Server) -> None:
    with Person(server) as eve, Person(server) as ann:
        eve.post("/api/account", json=credentials("eve")).raise_for_status()
        table = eve.table([ME, OPEN])["id"]
        ann.post(f"/api/tables/{table}/join", json={}).raise_for_status()
        assert "eve" in output_of(admin("accounts"))
        with eve.live(table) as live:
            live.next("state")
            assert "1 table changed" in output_of(admin("ban", "eve"))
            with pytest.raises(ConnectionError):
                live.next("nothing more")
        with ann.live(table) as live:
            live.until(lambda s: s["table"]["seats"][0]["bot"])
            live.until(lambda s: s["legal"])
        answer = settled(lambda: eve.post("/api/tables", json=table_of(ME, OPEN)), 403)
        assert answer.json()["code"] == "banned"
        assert eve.get("/api/tables").status_code == 200
        assert output_of(admin("banned")).split("\t")[0] == "eve"
        output_of(admin("pardon", "eve"))
        settled(lambda: eve.post("/api/tables", json=table_of(ME, OPEN)), 201)


def test_a_guest_is_banned_by_seat(admin: Admin, server: Server, ann: Person) -> None:
    with Person(server) as guest:
        table = ann.table([ME, OPEN, OPEN])["id"]
        guest.post(f"/api/tables/{table}/join", json={}).raise_for_status()
        output_of(admin("ban", "--seat", f"{table}:2"))
        settled(lambda: guest.patch("/api/me", json={"name": "Eve"}), 403)
        output_of(admin("pardon", output_of(admin("banned")).split("\t")[0]))
    assert "Nobody holds seat 3" in admin("ban", "--seat", f"{table}:3").output


def table_of(*seats: dict[str, str]) -> dict[str, Any]:
    return {"rulebook": "classic", "seats": seats}


def settled(ask: Callable[[], httpx.Response], status: int) -> httpx.Response:
    """The answer, once the change has taken effect on the server."""
    until = time() + PATIENCE
    while (answer := ask()).status_code != status and time() < until:
        sleep(0.1)
    assert answer.status_code == status
    return answer


def test_a_lost_password_is_replaced(admin: Admin, server: Server) -> None:
    with Person(server) as ann, Person(server) as phone:
        ann.post("/api/account", json=credentials("forgetful")).raise_for_status()
        password = output_of(admin("reset-password", "forgetful")).split()[-1]
        old = phone.post("/api/login", json=credentials("forgetful"))
        assert old.json()["code"] == "wrong_password"
        new = phone.post("/api/login", json={"login": "forgetful", "password": password})
        assert new.json()["account"] == "forgetful"


def test_reports_are_read(admin: Admin, ann: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as live:
        live.send("chat", text="something rude")
        live.next("chat")
    ann.post(f"/api/tables/{table}/chat/report", json={"n": 1}).raise_for_status()
    assert f"{table}:1\tAnn\tsomething rude" in output_of(admin("reports"))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["show", "nowhere"], "There is no table nowhere"),
        (["delete", "nowhere"], "There is no table nowhere"),
        (["export", "nowhere"], "There is no table nowhere"),
        (["list", "--status", "odd"], "there are open, running, failed, finished, broken"),
        (["ban"], "Name a login"),
        (["ban", "--seat", "2"], "is no table and seat"),
        (["ban", "nobody"], "Nobody has the login nobody"),
        (["pardon", "nobody"], "nobody is not banned"),
        (["reset-password", "nobody"], "Nobody has the login nobody"),
    ],
)
def test_what_does_not_exist_is_reported(admin: Admin, words: list[str], why: str) -> None:
    result = admin(*words)
    assert result.exit_code != 0
    assert why in result.output


# The store


def test_a_backup_taken_during_a_game_is_a_whole_store(
    admin: Admin, ann: Person, tmp_path: Path
) -> None:
    table = ann.table([ME, ME])["id"]
    copy = tmp_path / "restored" / "highvoltage.db"
    copy.parent.mkdir()
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move(live.state["legal"][0]["move"])
        state = live.until(lambda s: s["seq"] == 1)
        output_of(admin("backup", copy))
        assert "is there already" in admin("backup", copy).output
    output_of(admin("vacuum"))
    (copy.parent / "secret").write_bytes((ann.server.folder / "secret").read_bytes())
    restored = Server(copy.parent)
    ann.base_url = restored.url
    with ann.live(table, server=restored) as again:
        assert again.next("state")["view"] == state["view"]
    assert restored.stop() == 0


def test_postgresql_is_dumped_restored_and_operated_during_a_game(
    postgres_server: Any, tmp_path: Path
) -> None:
    uri = postgres_server.get_uri()
    names = ("before", "after")
    with psycopg.connect(uri, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name}")
    before, after = (uri.replace("/postgres?", f"/{name}?") for name in names)

    def pg(tool: str, *words: object) -> None:
        subprocess.run([postgres_server.bin_path / tool, *map(str, words)], check=True)

    server = Server(tmp_path / "a", before)
    with Person(server) as ann:
        table, deleted = (ann.table([ME, ME])["id"] for _ in range(2))
        with ann.live(deleted) as gone, ann.live(table) as live:
            live.until(lambda s: s["legal"])
            live.move(live.state["legal"][0]["move"])
            state = live.until(lambda s: s["seq"] == 1)
            dump = tmp_path / "dump"
            pg("pg_dump", "--format=custom", "--file", dump, before)
            gone.next("state")
            output_of(CliRunner().invoke(app, ["admin", "--database", before, "delete", deleted]))
            with pytest.raises(ConnectionError):
                gone.next("nothing more")
            output_of(CliRunner().invoke(app, ["admin", "--database", before, "vacuum"]))
        assert server.stop() == 0
        pg("pg_restore", "--dbname", after, dump)
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "secret").write_bytes((tmp_path / "a" / "secret").read_bytes())
        restored = Server(tmp_path / "b", after)
        with ann.live(table, server=restored) as again:
            assert again.next("state")["view"] == state["view"]
        assert restored.stop() == 0


# Whose files they are


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


@pytest.fixture
def _open_umask() -> Iterator[None]:
    """Whatever is made without care can be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_open_umask")
def test_what_is_secret_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert find_data_folder(folder) == folder
    assert mode(folder) == 0o700
    (folder / "server.toml").write_text("workers = 1")  # so that it makes its store itself
    server = Server(folder)
    with Person(server) as ann:
        ann.table([ME, OPEN])
        where = ["admin", "--data", str(folder)]
        output_of(CliRunner().invoke(app, [*where, "backup", str(folder / "copy.db")]))
        output_of(CliRunner().invoke(app, [*where, "push-key", "ann@example.org"]))
        kept = {file.name: mode(file) for file in folder.iterdir()}
    assert server.stop() == 0
    assert {name for name, bits in kept.items() if bits == 0o600} == {
        *("secret", "push.toml", "copy.db", "highvoltage.db", "highvoltage.db-wal"),
        *("highvoltage.db-shm", "highvoltage.db.lock"),
    }


@pytest.mark.usefixtures("_open_umask")
def test_a_store_that_everybody_could_read_is_closed_at_the_start(tmp_path: Path) -> None:
    Server(tmp_path).stop()
    file = tmp_path / "highvoltage.db"
    file.chmod(0o644)
    server = Server(tmp_path)
    assert mode(file) == 0o640  # a group is the operator's own choice
    assert mode(tmp_path / "highvoltage.db-wal") == 0o640
    assert server.stop() == 0


def test_before_the_first_start_admin_makes_nothing(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        result = CliRunner().invoke(app, ["admin", "--data", str(folder), "list"])
        assert result.exit_code != 0
        assert "There is no store at" in result.output
    assert [*tmp_path.iterdir()] == []


def test_root_leaves_nothing_in_the_folder_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        os.chown(tmp_path, 65534, 65534)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
    result = CliRunner().invoke(app, ["serve", "--data", str(tmp_path)])
    assert result.exit_code != 0
    assert "runuser -u" in result.output
    assert [*tmp_path.iterdir()] == []
    output_of(
        CliRunner().invoke(app, ["admin", "--data", str(tmp_path), "push-key", "a@example.org"])
    )
    made = (tmp_path / "push.toml").stat()
    assert (made.st_uid, made.st_mode & 0o777) == (tmp_path.stat().st_uid, 0o600)


# Monitoring


def test_numbers_and_readiness_have_a_port_of_their_own(ann: Person, watched_port: int) -> None:
    inside = f"http://127.0.0.1:{watched_port}"
    table = ann.table([ME, BOT])["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move(live.state["legal"][0]["move"])
        live.until(lambda s: s["seq"] > 1)
        numbers = httpx.get(f"{inside}/metrics").text
    assert 'highvoltage_moves_total{by="person"} ' in numbers
    assert "highvoltage_watchers 1.0" in numbers
    eventually(lambda: "highvoltage_watchers 0.0" in httpx.get(f"{inside}/metrics").text)
    for counted in ("failed_writes_total", "waiting_writes", "waiting_bots", "loop_lag_seconds"):
        assert f"highvoltage_{counted}" in numbers
    assert "metrics" not in ann.get("/metrics").text[:100]
    assert httpx.get(f"{inside}/readyz").text.startswith("ready")
    assert httpx.get(f"{inside}/nowhere").status_code == 404


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    port = free_port()
    server = Server(tmp_path, settings=f"operator_port = {port}")
    assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    with closing(sqlite3.connect(tmp_path / "highvoltage.db")) as store:
        store.execute("DROP TABLE servers")
    ill = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE)
    assert ill.status_code == 503
    assert "cannot be written" in ill.text
    assert server.stop() == 0
