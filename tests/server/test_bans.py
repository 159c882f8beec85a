"""Whoever the operator bans may look, and do nothing else, until the ban ends."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import time

import psycopg
import pytest
from typer.testing import CliRunner

from highvoltage.cli import app
from highvoltage.server.guard import sessions
from serving import ME, OPEN, Person, Server, eventually

Admin = Callable[..., str]
PASSWORD = "correct horse battery"
HOME, ELSEWHERE, CAFE = "203.0.113.1", "203.0.113.2", "203.0.113.3"
BODY = {"rulebook": "classic", "seats": [ME, OPEN]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "CACHE_SECONDS", 0.1)  # seconds until a ban is heard of
        running = Server(tmp_path_factory.mktemp("bans"))
        yield running
        assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture
def admin(server: Server) -> Admin:
    return operator("--data", str(server.folder))


def operator(*where: str) -> Admin:
    def command(*words: object) -> str:
        result = CliRunner().invoke(app, ["admin", *where, *map(str, words)])
        assert result.exit_code == 0, result.output
        return result.output

    return command


@pytest.fixture
def eve(server: Server) -> Iterator[Person]:
    with Person(server, "Eve", forwarded=HOME) as person:
        yield person


def register(person: Person, login: str) -> None:
    sent = {"login": login, "password": PASSWORD}
    person.post("/api/account", json=sent).raise_for_status()


def may_act(person: Person) -> bool:
    answer = person.post("/api/tables", json=BODY)
    if answer.status_code == 201:
        return True
    assert (answer.status_code, answer.json()["code"]) == (403, "banned")
    return False


def becomes_banned(person: Person) -> None:
    eventually(lambda: not may_act(person))


def becomes_free(person: Person) -> None:
    eventually(lambda: may_act(person))


def test_a_ban_is_no_logout(admin: Admin, eve: Person) -> None:
    register(eve, "eve1")
    admin("ban", "eve1")
    becomes_banned(eve)
    assert eve.get("/api/me").json()["account"] == "eve1"
    for path in ("/api/logout", "/api/logout-everywhere", "/api/login", "/api/account"):
        sent = {"login": "eve_again", "password": PASSWORD}
        assert eve.post(path, json=sent).json()["code"] == "banned"
    assert eve.get("/api/me").json()["account"] == "eve1"
    assert eve.get("/api/tables").status_code == 200
    admin("pardon", "eve1")
    becomes_free(eve)


def test_an_identity_that_looks_like_an_option_can_be_pardoned(server: Server) -> None:
    given = ["admin", "--data", str(server.folder), "pardon", "-SU9o413r-YxlqhG"]
    result = CliRunner().invoke(app, given)
    assert "No such option" not in result.output
    assert "-SU9o413r-YxlqhG" in result.output


def test_a_banned_browser_whose_logins_ended_stays_banned(admin: Admin, eve: Person) -> None:
    register(eve, "eve2")
    admin("ban", "eve2")
    admin("reset-password", "eve2")  # which ends all logins
    becomes_banned(eve)
    assert eve.get("/api/me").json()["account"] is None
    assert not may_act(eve)
    admin("pardon", "eve2")
    becomes_free(eve)


def ban_by_login(eve: Person, _: Person) -> list[str]:
    register(eve, "eve3")
    return ["eve3"]


def ban_by_seat(eve: Person, host: Person) -> list[str]:
    table = host.table([ME, OPEN, OPEN])["id"]
    eve.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    return ["--seat", f"{table}:2"]


def ban_by_line(eve: Person, host: Person) -> list[str]:
    table = host.table([ME, OPEN])["id"]
    with eve.live(table) as live:
        live.next("state")
        live.send("chat", text="rude words")
        line = live.next("chat")["lines"][0]["n"]
    return ["--line", f"{table}:{line}"]


def kept_text(server: Server) -> bytes:
    return b"".join(file.read_bytes() for file in server.folder.glob("highvoltage.db*"))


@pytest.mark.parametrize("named", [ban_by_login, ban_by_seat, ban_by_line])
def test_where_the_address_is_banned_a_new_cookie_is_worth_nothing(
    admin: Admin, server: Server, eve: Person, named: Callable[..., list[str]]
) -> None:
    with Person(server, forwarded=ELSEWHERE) as host, Person(server, forwarded=HOME) as nobody:
        whom = named(eve, host)
        admin("ban", *whom, "--address", "--days", 7)
        becomes_banned(nobody)
        eve.cookies.clear()
        assert not may_act(eve)
        assert eve.get("/api/tables").status_code == 200
        assert may_act(host)
        admin("pardon", admin("banned").split("\t")[0])
        becomes_free(nobody)
    assert HOME.encode() not in kept_text(server)


def test_without_the_address_only_the_person_is_banned(
    admin: Admin, server: Server, eve: Person
) -> None:
    with Person(server, forwarded=ELSEWHERE) as host, Person(server, forwarded=HOME) as neighbour:
        admin("ban", *ban_by_seat(eve, host))
        becomes_banned(eve)
        assert may_act(neighbour)
        admin("pardon", admin("banned").split("\t")[0])


def test_the_author_of_a_line_is_banned_with_it(admin: Admin, server: Server, eve: Person) -> None:
    with Person(server, forwarded=ELSEWHERE) as host:
        table, _, line = ban_by_line(eve, host)[1].partition(":")
        host.post(f"/api/tables/{table}/chat/report", json={"n": int(line)}).raise_for_status()
        assert f"{table}:{line}\tEve\trude words" in admin("reports")
        admin("ban", "--line", f"{table}:{line}", "--reason", "rude words")
        becomes_banned(eve)
        with host.live(table) as live:
            while live.next("chat")["lines"][0]["text"]:
                pass
        admin("pardon", admin("banned").split("\t")[0])


def test_who_is_banned_watches_and_says_nothing(admin: Admin, server: Server, eve: Person) -> None:
    register(eve, "eve4")
    with Person(server, forwarded=ELSEWHERE) as host:
        table = host.table([ME, OPEN])["id"]
        admin("ban", "eve4")
        becomes_banned(eve)
        with eve.live(table) as live:
            live.next("state")
            live.send("ping")
            live.next("pong")
            live.send("chat", text="rude words")
            assert live.next("error", "chat")["code"] == "banned"
            host.post(f"/api/tables/{table}/start", json={"bot": "random"}).raise_for_status()
            live.until(lambda s: s["table"]["status"] == "running")
    admin("pardon", "eve4")


def test_an_open_line_from_a_banned_address_is_no_way_in(
    admin: Admin, server: Server, eve: Person
) -> None:
    register(eve, "eve5")
    with Person(server) as neighbour:  # both at the address of this machine
        eve.come_from("127.0.0.1")
        eve.post("/api/login", json={"login": "eve5", "password": PASSWORD}).raise_for_status()
        table = neighbour.table([ME, ME])["id"]
        with neighbour.live(table) as live:
            live.until(lambda s: s["legal"])
            admin("ban", "eve5", "--address", "--days", 1)
            becomes_banned(neighbour)
            live.move(live.state["legal"][0]["move"])
            assert live.next("error", "state")["code"] == "banned"
            admin("pardon", "eve5")
            becomes_free(neighbour)
            live.move(live.state["legal"][0]["move"])
            live.until(lambda s: s["seq"] == 1)


def test_an_address_where_a_banned_person_tries_again_is_banned_too(
    admin: Admin, server: Server, eve: Person
) -> None:
    register(eve, "eve6")
    admin("ban", "eve6", "--address", "--days", 7)
    becomes_banned(eve)
    with Person(server, forwarded=CAFE) as guest:
        assert may_act(guest)
        eve.come_from(CAFE)
        assert eve.get("/api/tables").status_code == 200
        assert may_act(guest)
        assert not may_act(eve)
        becomes_banned(guest)
        admin("pardon", "eve6")
        becomes_free(guest)


def test_a_ban_ends_by_itself(admin: Admin, server: Server, eve: Person) -> None:
    register(eve, "eve7")
    admin("ban", "eve7", "--address", "--days", 7)
    becomes_banned(eve)
    with Person(server, forwarded=HOME) as neighbour:
        assert not may_act(neighbour)
        with closing(sqlite3.connect(server.folder / "highvoltage.db")) as store, store:
            store.execute("UPDATE outcasts SET until = ?", (time() - 1,))
        becomes_free(eve)
        becomes_free(neighbour)
    assert admin("banned") == ""
    admin("purge", "--older", 1000)
    with closing(sqlite3.connect(server.folder / "highvoltage.db")) as store:
        assert store.execute("SELECT * FROM outcasts").fetchall() == []
        assert store.execute("SELECT * FROM banned_origins").fetchall() == []


def test_bans_are_listed_with_their_reason(admin: Admin, eve: Person) -> None:
    register(eve, "eve8")
    admin("ban", "eve8", "--reason", "rude words")
    who, since, until, address, reason = admin("banned").strip().split("\t")
    assert (who, until, address, reason) == ("eve8", "until pardoned", "", "rude words")
    assert since.startswith("since 20")
    admin("ban", "eve8", "--address", "--days", 30)  # another ban takes its place
    who, _, until, address, reason = admin("banned").strip("\n").split("\t")
    assert (who, address, reason) == ("eve8", "1 address", "")
    assert until.startswith("until 20")
    admin("pardon", "eve8")
    assert admin("banned") == ""


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["eve", "--address"], "for how long"),
        (["eve", "--days", "0"], "0"),
        (["--line", "x"], "is no table and line"),
        (["--line", "x:1"], "There is no line 1"),
        (["eve", "--line", "x:1"], "Name a login"),
    ],
)
def test_what_makes_no_ban_is_said(server: Server, words: list[str], why: str) -> None:
    result = CliRunner().invoke(app, ["admin", "--data", str(server.folder), "ban", *words])
    assert result.exit_code != 0
    assert why in result.output


def test_bans_bind_in_postgresql(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE bans")
    database = postgres.replace("/postgres?", "/bans?")
    monkeypatch.setattr(sessions, "CACHE_SECONDS", 0.1)
    server, admin = Server(tmp_path, database), operator("--database", database)
    with Person(server, forwarded=HOME) as eve, Person(server, forwarded=HOME) as neighbour:
        register(eve, "eve")
        admin("ban", "eve", "--address", "--days", 7)
        becomes_banned(eve)
        assert not may_act(neighbour)
        eve.come_from(CAFE)
        assert not may_act(eve)
        neighbour.come_from(CAFE)
        becomes_banned(neighbour)
        admin("pardon", "eve")
        becomes_free(eve)
        assert may_act(neighbour)
    assert server.stop() == 0
    assert server.errors() == []
