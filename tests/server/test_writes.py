"""What is said of a write is true, wherever the store fails.

For every kind of write a transaction fails at its COMMIT (`faults.py`), and the client repeats the
write under the same `ref` until it knows what became of it. Then: acknowledged means present, once;
refused means absent. `make kill` does so with hundreds of faults at random writes; without KILLS in
the environment they are few.
"""

import asyncio
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count, product
from pathlib import Path
from queue import Empty
from random import Random
from secrets import token_hex, token_urlsafe
from threading import Event
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from httpx import HTTPError
from websockets.exceptions import WebSocketException

from faults import POSTGRES_FAULTS, SQLITE_FAULTS, CommitProxy, Faults, faulty_sqlite
from highvoltage.server.store import SqlStore, database
from pieces import piece, sizes
from serving import BOT, ME, OPEN, PATIENCE, Person, Server, eventually
from spread import some

FAULTS = int(os.environ.get("KILLS", "12")) // 2
ROUND = 25
STORES = ("sqlite", "postgresql")
COMPLAINTS = {"not written", "move not written", "store failed", "begun again"}
SETTLED = {"no_store", "refused"}
GOES_ON = 10.0  # seconds after the return of the store


def new_ref() -> str:
    return token_urlsafe(12)


class Site:
    """Servers on a store that fails when it is asked to, and a direct look into that store."""

    def __init__(
        self, servers: list[Server], faults: Faults, look: Callable[..., list[Any]]
    ) -> None:
        self.servers = servers
        self.faults = faults
        self.look = look  # executes SQL, with ? for values

    def number(self, sql: str, *values: object) -> int:
        return int(self.look(sql, *values)[0][0])


@contextmanager
def sqlite_site(folder: Path) -> Iterator[Site]:
    with faulty_sqlite() as faults:
        server = Server(folder, settings="bot_seconds = 2")

        def look(sql: str, *values: object) -> list[Any]:
            with closing(sqlite3.connect(folder / "highvoltage.db", timeout=30)) as store:
                return store.execute(sql, values).fetchall()

        yield Site([server], faults, look)
        assert server.stop() == 0


@contextmanager
def postgres_site(folder: Path, postgres_server: Any) -> Iterator[Site]:
    postgres_server.psql("CREATE DATABASE writes")  # where all tests store, games wait
    uri = postgres_server.get_uri("writes")
    proxy = CommitProxy(uri)
    servers = [Server(folder / "first", proxy.url, "bot_seconds = 2")]
    (folder / "second").mkdir()
    (folder / "second" / "secret").write_bytes((folder / "first" / "secret").read_bytes())
    servers.append(Server(folder / "second", proxy.url, "bot_seconds = 2"))

    def look(sql: str, *values: object) -> list[Any]:
        with psycopg.connect(uri) as store:
            return store.execute(sql.replace("?", "%s"), values).fetchall()

    yield Site(servers, proxy, look)
    assert [server.stop() for server in servers] == [0, 0]
    proxy.close()


@pytest.fixture(scope="module", params=STORES)
def site(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    if request.param == "sqlite":
        with sqlite_site(folder) as made:
            yield made
    else:
        with postgres_site(folder, request.getfixturevalue("postgres_server")) as made:
            yield made
    check_complaints(made)


def check_complaints(site: Site) -> None:
    assert {line["what"] for server in site.servers for line in server.errors()} <= COMPLAINTS


class Client(Person):
    """Somebody who repeats a write at any server, sometimes before the first has answered."""

    def __init__(self, site: Site, name: str, rng: Random | None = None) -> None:
        super().__init__(site.servers[0], name)
        self.servers = site.servers
        self.rng = rng  # None: waits for every answer

    def turn(self) -> tuple[Server, float]:
        """Where to go now, and for how many seconds to wait there."""
        if self.rng is None:
            return self.servers[0], PATIENCE
        return self.rng.choice(self.servers), self.rng.choice([0.5, 2.0, PATIENCE])


@pytest.fixture
def ann(site: Site) -> Iterator[Client]:
    with Client(site, "Ann") as person:
        yield person


@pytest.fixture
def bob(site: Site) -> Iterator[Client]:
    with Client(site, "Bob") as person:
        yield person


# Clients that repeat a write until it is settled


def say(person: Client, table: str, kind: str, **fields: Any) -> str:
    """What became of a message over the WebSocket: `done`, or the code of a refusal."""
    ref = new_ref()
    until = monotonic() + PATIENCE
    while monotonic() < until:
        server, patience = person.turn()
        try:
            with person.live(table, server=server) as live:
                live.send(kind, ref=ref, **fields)
                while True:
                    answer = live.next("done", "refused", "error", timeout=patience)
                    assert answer["ref"] == ref
                    if answer["type"] == "done":
                        return "done"
                    if answer["code"] != "not_known":
                        return str(answer["code"])
                    sleep(0.3)
                    live.send(kind, ref=ref, **fields)
        except (ConnectionError, WebSocketException, OSError, Empty):
            sleep(0.3)
    raise AssertionError("it was never settled")


def until_done(person: Client, table: str, kind: str, **fields: Any) -> None:
    while (said := say(person, table, kind, **fields)) != "done":
        assert said == "no_store", said


def ask(person: Client, method: str, path: str, **given: Any) -> tuple[int, Any]:
    """The answer to a request that is repeated until it is settled."""
    ref = new_ref()
    until = monotonic() + PATIENCE
    while monotonic() < until:
        server, patience = person.turn()
        try:
            answer = person.request(
                method, server.url + path, params={"ref": ref}, timeout=patience, **given
            )
        except HTTPError:
            sleep(0.3)
            continue
        content: Any = answer.json() if answer.content else None
        if answer.is_success:
            return answer.status_code, content
        if content.get("ref") == ref and content["code"] != "not_known":
            return answer.status_code, content
        sleep(0.3)
    raise AssertionError("it was never settled")


def must(person: Client, method: str, path: str, **given: Any) -> Any:
    """The answer to a request that is made again until it is granted."""
    while not 200 <= (answer := ask(person, method, path, **given))[0] < 300:
        assert answer[1]["code"] == "no_store", answer
    return answer[1]


def new_table(person: Client, *seats: dict[str, str], **setup: Any) -> str:
    wish = {"rulebook": "classic", "seats": seats, "seed": 1, **setup}
    table = str(must(person, "POST", "/api/tables", json=wish)["id"])
    if OPEN not in seats:  # should the deal have failed, it comes later
        eventually(lambda: must(person, "GET", f"/api/tables/{table}")["view"] is not None)
    return table


class Tried:
    """What was said of a write, and whether the store has it."""

    def __init__(self, said: bool, present: int) -> None:
        self.said = said
        self.present = present

    def check(self) -> None:
        assert self.present == int(self.said), ("said", self.said, "present", self.present)


# The kinds of writes: each is tried once, with a fault in the transaction that contains its words


def try_move(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, ME, auto=False)
    arm("INSERT INTO entries")
    said = say(ann, table, "move", seq=0, move="nominate 3 @3")
    rows = site.number("SELECT count(*) FROM entries WHERE game = ?", table)
    with ann.live(table) as live:
        assert live.until(lambda s: s["view"])["seq"] == rows
    return Tried(said == "done", rows)


def try_undo(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, ME, auto=False)
    until_done(ann, table, "move", seq=0, move="nominate 3 @3")
    arm("INSERT INTO entries")
    said = say(ann, table, "undo", seq=1)
    kept = site.number("SELECT count(*) FROM entries WHERE game = ? AND text = 'undo 0'", table)
    return Tried(said == "done", kept)


def try_max_bid(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, ME, auto=False)
    arm("INSERT INTO wishes")
    said = say(ann, table, "max_bid", card="5", limit=9)
    kept = site.number("SELECT count(*) FROM wishes WHERE game = ? AND card = 5", table)
    with ann.live(table) as live:
        assert live.until(lambda s: s["view"])["max_bids"] == ({"5": 9} if kept else {})
    return Tried(said == "done", kept)


def try_pass_on(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, ME, auto=False)
    arm("INSERT INTO wishes")
    said = say(ann, table, "pass_on", card="5")
    return Tried(said == "done", site.number("SELECT count(*) FROM wishes WHERE game = ?", table))


def try_chat(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    arm("INSERT INTO chat")
    said = say(ann, table, "chat", text="hello")
    return Tried(said == "done", site.number("SELECT count(*) FROM chat WHERE game = ?", table))


def try_create(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    title = new_ref()
    arm("INSERT INTO games")
    setup = {"rulebook": "classic", "seats": [ME, OPEN], "title": title}
    status, content = ask(ann, "POST", "/api/tables", json=setup)
    found = site.look("SELECT id FROM games WHERE setup LIKE ?", f"%{title}%")
    assert status != 201 or [(content["id"],)] == found
    return Tried(status == 201, len(found))


def try_create_full(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    """The table is dealt at once, and the deal fails."""
    title = new_ref()
    arm("UPDATE games SET status=")
    setup = {"rulebook": "classic", "seats": [ME, BOT], "title": title}
    status, _ = ask(ann, "POST", "/api/tables", json=setup)
    query = "SELECT id, status FROM games WHERE setup LIKE ?"
    found = site.look(query, f"%{title}%")
    eventually(lambda: all(row[1] == "running" for row in site.look(query, f"%{title}%")))
    return Tried(status == 201, len(found))


def try_import(_: Site, ann: Client, __: Client, arm: Callable[[str], None]) -> Tried:
    record = Path("tests/corpus/classic-3-players.txt").read_text()

    def imported() -> int:
        own = must(ann, "GET", "/api/tables/mine")
        return len([table for table in own if table["status"] == "finished"])

    before = imported()
    arm("INSERT INTO games")
    status, _ = ask(ann, "POST", "/api/import", content=record)
    return Tried(status == 201, imported() - before)


def try_join(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN, OPEN)
    arm("UPDATE seats")
    status, _ = ask(bob, "POST", f"/api/tables/{table}/join", json={})
    query = "SELECT count(*) FROM seats WHERE game = ? AND name = 'Bob'"
    return Tried(status == 201, site.number(query, table))


def try_join_last(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    """Bob takes the last seat, and the deal fails."""
    table = new_table(ann, ME, OPEN)
    arm("UPDATE games SET status=")
    status, _ = ask(bob, "POST", f"/api/tables/{table}/join", json={})
    dealt = "SELECT count(*) FROM games WHERE id = ? AND status = 'running'"
    if status == 201:
        eventually(lambda: site.number(dealt, table) == 1)
    query = "SELECT count(*) FROM seats WHERE game = ? AND name = 'Bob'"
    return Tried(status == 201, site.number(query, table))


def try_leave(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN, OPEN)
    must(bob, "POST", f"/api/tables/{table}/join", json={})
    arm("UPDATE seats")
    status, _ = ask(bob, "POST", f"/api/tables/{table}/leave", json={})
    query = "SELECT count(*) FROM seats WHERE game = ? AND kind = 'open'"
    return Tried(status == 201, site.number(query, table) - 1)


def try_delete(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    arm("DELETE FROM games")
    status, _ = ask(ann, "DELETE", f"/api/tables/{table}")
    gone = 1 - site.number("SELECT count(*) FROM games WHERE id = ?", table)
    return Tried(status == 204, gone)


def try_start(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN, OPEN)
    arm("UPDATE seats")
    status, _ = ask(ann, "POST", f"/api/tables/{table}/start", json={"bot": "random"})
    bots = site.number("SELECT count(*) FROM seats WHERE game = ? AND bot IS NOT NULL", table)
    return Tried(status == 201, bots - 1 if bots else 0)


def try_key(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    arm("UPDATE seats")
    status, content = ask(ann, "POST", f"/api/tables/{table}/key", json={"seat": 0})
    kept = site.number("SELECT count(*) FROM seats WHERE game = ? AND key IS NOT NULL", table)
    if status == 201:  # and it is the one that opens
        must(bob, "POST", f"/api/tables/{table}/claim", json=content)
    return Tried(status == 201, kept)


def try_claim(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    key = must(ann, "POST", f"/api/tables/{table}/key", json={"seat": 0})
    arm("UPDATE seats")
    status, _ = ask(bob, "POST", f"/api/tables/{table}/claim", json=key)
    query = "SELECT count(*) FROM seats WHERE game = ? AND name = 'Bob'"
    return Tried(status == 201, site.number(query, table))


def try_remove(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN, OPEN)
    must(bob, "POST", f"/api/tables/{table}/join", json={})
    arm("UPDATE seats")
    status, _ = ask(ann, "POST", f"/api/tables/{table}/remove", json={"seat": 1})
    gone = 1 - site.number("SELECT count(*) FROM seats WHERE game = ? AND name = 'Bob'", table)
    banned = site.number("SELECT count(*) FROM bans WHERE game = ?", table)
    assert gone == banned
    return Tried(status == 201, gone)


def try_stand_in(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, ME)
    arm("UPDATE seats")
    wish = {"seat": 1, "bot": "random"}
    status, _ = ask(ann, "POST", f"/api/tables/{table}/stand-in", json=wish)
    query = "SELECT count(*) FROM seats WHERE game = ? AND bot IS NOT NULL"
    return Tried(status == 201, site.number(query, table))


def try_remove_line(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    until_done(ann, table, "chat", text="hello")
    arm("UPDATE chat")
    status, _ = ask(ann, "POST", f"/api/tables/{table}/chat/remove", json={"n": 1})
    query = "SELECT count(*) FROM chat WHERE game = ? AND text = ''"
    return Tried(status == 201, site.number(query, table))


def try_report(site: Site, ann: Client, bob: Client, arm: Callable[[str], None]) -> Tried:
    table = new_table(ann, ME, OPEN)
    until_done(bob, table, "chat", text="hello")
    arm("INSERT INTO reports")
    status, _ = ask(ann, "POST", f"/api/tables/{table}/chat/report", json={"n": 1})
    return Tried(status == 201, site.number("SELECT count(*) FROM reports WHERE game = ?", table))


def try_account(site: Site, ann: Client, _: Client, arm: Callable[[str], None]) -> Tried:
    login = f"cem_{token_hex(6)}"
    wish = {"login": login, "password": "correct horse"}
    with Client(site, "Cem", ann.rng) as cem:
        arm("INSERT INTO accounts")
        status, _ = ask(cem, "POST", "/api/account", json=wish)
        assert must(cem, "GET", "/api/me")["account"] == (login if status == 201 else None)
    kept = site.number("SELECT count(*) FROM accounts WHERE login = ?", login)
    return Tried(status == 201, kept)


KINDS = {
    name.removeprefix("try_"): found
    for name, found in list(globals().items())
    if name.startswith("try_")
}


@pytest.mark.parametrize("kind", some(*[*KINDS][::4], of=KINDS))
def test_lost_answers(site: Site, ann: Client, bob: Client, kind: str) -> None:
    """The transaction is committed and its answer lost: it stands, and is said to."""
    tried = KINDS[kind](site, ann, bob, lambda words: site.faults.arm("drop", words))
    assert not site.faults.disarm(), "no transaction was such"
    tried.check()
    assert tried.said


@pytest.mark.parametrize("kind", some("move", "max_bid", "create", "join_last", of=KINDS))
def test_lost_questions(site: Site, ann: Client, bob: Client, kind: str) -> None:
    """COMMIT never arrives: the same write is repeated."""
    tried = KINDS[kind](site, ann, bob, lambda words: site.faults.arm("cut", words))
    assert not site.faults.disarm(), "no transaction was such"
    tried.check()
    assert tried.said


def test_lost_answers_of_several_tables_at_once(site: Site, ann: Client) -> None:
    """Their decisions are written together; none of them is said to have come too late."""
    tables = [new_table(ann, ME, ME, auto=False) for _ in range(6)]
    site.faults.arm("drop", "INSERT INTO entries")
    with ThreadPoolExecutor(6) as threads:

        def move(table: str) -> str:
            return say(ann, table, "move", seq=0, move="nominate 3 @3")

        assert [*threads.map(move, tables)] == ["done"] * 6
    assert not site.faults.disarm()
    for table in tables:
        assert site.number("SELECT count(*) FROM entries WHERE game = ?", table) == 1


@pytest.mark.parametrize(
    ("kind", "fault"),
    some(
        ("move", "mute"),
        ("max_bid", "hang"),
        ("chat", "late"),
        ("create", "slow"),
        ("join", "race"),
        of=[*product(KINDS, POSTGRES_FAULTS[2:])],
    ),
)
@pytest.mark.parametrize("site", ["postgresql"], indirect=True)
def test_lines_that_go_silent(site: Site, ann: Client, bob: Client, kind: str, fault: str) -> None:
    tried = KINDS[kind](site, ann, bob, lambda words: site.faults.arm(fault, words))
    assert not site.faults.disarm(), "no transaction was such"
    tried.check()


def test_what_another_process_did_meanwhile_is_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client whose answer was lost has repeated its write elsewhere, and it came first."""
    monkeypatch.setattr(database, "PAUSE_SECONDS", 2)

    async def run() -> list[str]:
        ours, theirs = (SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}") for _ in range(2))
        await ours.open()

        faults.arm("cut", "INSERT INTO writes")
        first = asyncio.create_task(ours.write(lambda _: "ours", "mark"))
        await asyncio.to_thread(eventually, lambda: faults.happened > 0)
        await theirs.write(lambda _: "theirs", "mark")
        found = [await first, await ours.write(lambda _: "ours again", "mark")]
        for store in (ours, theirs):
            await store.close()
        return found

    with faulty_sqlite() as faults:
        assert asyncio.run(run()) == ["theirs"] * 2


# At random


def clients(site: Site, name: str, rng: Random, over: Event) -> Iterator[tuple[str, Tried]]:
    with Client(site, "Ann", rng) as ann, Client(site, "Bob", rng) as bob:
        for n in count():
            if over.is_set():
                return
            kind = rng.choice([*KINDS])
            yield f"{name} {n} {kind}", KINDS[kind](site, ann, bob, lambda _: None)


@pytest.mark.parametrize(
    ("store", "number", "faults"),
    [(store, *each) for store in STORES for each in sizes(FAULTS // 2, ROUND)],
)
def test_faults_at_random(
    request: Any, tmp_path: Path, store: str, number: int, faults: int
) -> None:
    """Three clients write whatever there is, while transactions fail one after the other.

    On PostgreSQL there are two servers, and a write is repeated at either.
    """
    with piece("kill", f"faults of {store} {number}") as figures:
        made = (
            sqlite_site(tmp_path)
            if store == "sqlite"
            else postgres_site(tmp_path, request.getfixturevalue("postgres_server"))
        )
        rng = Random(f"{store} {number}")
        happened: Counter[str] = Counter()
        with made as site, ThreadPoolExecutor(3) as threads:
            over = Event()

            def work(name: str) -> int:
                tries = 0
                for what, tried in clients(site, name, Random(f"{name} {number}"), over):
                    assert tried.present == int(tried.said), what
                    tries += 1
                return tries

            working = [threads.submit(work, name) for name in ("first", "second", "third")]
            kinds = SQLITE_FAULTS if store == "sqlite" else POSTGRES_FAULTS
            weights = [1 if kind in {"mute", "hang", "late"} else 5 for kind in kinds]
            while site.faults.happened < faults and not any(each.done() for each in working):
                if not site.faults.waits:
                    sleep(rng.random() / 2)
                    fault = rng.choices(kinds, weights)[0]
                    site.faults.arm(fault)
                    happened[fault] += 1
                sleep(0.02)
            over.set()
            tries = sum(each.result(3 * PATIENCE) for each in working)
        check_complaints(site)
        figures.update({f"faults {fault}": n for fault, n in happened.items()})
        figures.update({"faults": site.faults.happened, "writes among faults": tries})
