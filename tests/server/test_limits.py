"""Limits that hold for everybody: by address, by account, by time, by size."""

import asyncio
import json
import re
import socket
import sqlite3
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Any

import msgspec
import psycopg
import pytest
from httpx import TransportError

import highvoltage as hv
from finishing import ALMOST_OVER
from highvoltage.games import meta
from highvoltage.rooms import audience, files, rate_limit
from highvoltage.rooms import room as room_module
from highvoltage.rooms import rooms as rooms_module
from highvoltage.rooms.audience import Audience
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.context import CHAT_BURST, RoomContext
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import RequestRefused
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.scheduler import TurnScheduler
from highvoltage.rooms.thinking import ChooseRequest
from highvoltage.rooms.watcher import Watcher
from highvoltage.server.bots import pool
from highvoltage.server.bots.pool import FairQueue, Pools
from highvoltage.server.config import Limits
from highvoltage.server.guard import passwords as password_module
from highvoltage.server.guard.http import MAX_HEAD_BYTES
from highvoltage.server.guard.turns import AddressTurns
from highvoltage.server.store import SqlStore, StoreInUse
from highvoltage.server.threads import WorkThreads
from highvoltage.table import offers
from serving import COMMAND, ME, OPEN, PATIENCE, Person, Process, Server, eventually, new_store

BODY = {"rulebook": "classic", "seats": [ME, OPEN]}
SETUP = '{"rulebook":"classic"}'


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("strict")
    (folder / "server.toml").write_text(
        "[limits]\nprocessor_ms = 100000\nprocessor_ms_of_address = 100000\n"
        "tables_of_address = 3\nlogins = 4\nhttp_connections = 8\nchat_per_minute = 1\n"
        "head_seconds = 1000\nimports = 1\nimports_of_address = 2\n"
    )
    running = Server(folder)
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Server]:
    """A server with short timeouts, for those who do not mean to finish."""
    (tmp_path / "server.toml").write_text("[limits]\nhead_seconds = 0.5\nbody_seconds = 0.5\n")
    running = Server(tmp_path)
    yield running
    assert running.stop() == 0
    assert running.errors() == []


def test_a_connection_that_never_authenticates_is_closed(hasty: Server) -> None:
    with Person(hasty) as eve, eve.live(eve.table([ME, OPEN])["id"], "?auth=message") as live:
        assert live.next()["code"] == "bad_token"
        with pytest.raises(ConnectionError):
            live.next()
        assert live.socket.close_code == 4401


# By address


def test_tables_are_limited_by_address_because_identities_are_free(strict: Server) -> None:
    codes = []
    for _ in range(5):
        with Person(strict) as anybody:
            codes.append(anybody.post("/api/tables", json=BODY))
    assert [answer.status_code for answer in codes] == [201, 201, 201, 429, 429]
    assert codes[3].json()["code"] == "many_tables_nearby"


def test_imports_are_limited_by_person_and_by_address(strict: Server) -> None:
    def finish_a_game(person: Person) -> None:
        table = person.table([ME, OPEN])["id"]
        with sqlite3.connect(strict.folder / "highvoltage.db") as store:
            store.execute("UPDATE games SET status = 'finished' WHERE id = ?", (table,))

    here = "127.0.0.5"
    with Person(strict, "Ann", here) as ann, Person(strict, "Bob", here) as bob:
        finish_a_game(ann)
        refused = ann.post("/api/import", content=b"any record")
        assert (refused.status_code, refused.json()["code"]) == (429, "many_imports")
        with Person(strict, "Cyd", here) as cyd:
            finish_a_game(cyd)
        assert bob.post("/api/import", content=b"any record").json()["code"] == "many_imports"


def test_budgets_are_limited(ann: Person) -> None:
    for bot in ("director:999999s", "director:6s", "director:501"):
        seats = [ME, {"kind": "bot", "bot": bot}]
        refused = ann.post("/api/tables", json={"rulebook": "classic", "seats": seats})
        assert (refused.status_code, refused.json()["code"]) == (400, "no_bot")
        assert "5 s or 500 playouts" in refused.json()["message"]
    table = ann.table([ME, {"kind": "bot", "bot": "director:5"}])["id"]
    with ann.live(table) as live:
        live.next("state")
        live.send("hint", bot="director:999999s")
        assert live.next("error", "refused")["code"] in {"no_bot", "not_your_turn"}
        live.send("hint", bot="director:soon")
        assert live.next("error")["code"] == "no_bot"


def served(*askers: Asker) -> list[Asker]:
    """The order in which those get their turn who all come at once, after the first has begun."""
    order: list[Asker] = []

    async def ask(turns: FairQueue, asker: Asker) -> None:
        async with turns.slot(asker):
            order.append(asker)
            await asyncio.sleep(0.001)

    async def run() -> None:
        turns = FairQueue(1)
        await asyncio.gather(*(ask(turns, asker) for asker in askers))

    asyncio.run(run())
    return order


def test_visitors_take_turns() -> None:
    """Whoever asks ten times, as whoever and for however many tables, holds up nobody else."""
    greedy = [Asker("1.1.1.1", f"guest {n}", f"table {n}") for n in range(10)]
    modest = Asker("2.2.2.2", "ann", "her own")
    assert served(*greedy, modest)[1] == modest


def test_identities_and_tables_take_turns() -> None:
    greedy = [Asker("1.1.1.1", "eve", f"table {n}") for n in range(10)]
    assert served(*greedy, Asker("1.1.1.1", "ann", "hers"))[1].who == "ann"
    one, other = greedy[:2]
    assert served(one, one, one, other)[1] == other


def test_tables_without_people_wait_for_those_with_people() -> None:
    alone = [Asker(f"1.1.1.{n}", "eve", f"table {n}", people=False) for n in range(10)]
    played = Asker("2.2.2.2", "ann", "hers")
    order = served(alone[0], *[played] * 3, *alone[1:])
    assert order[1:4] == [played] * 3


def test_who_is_being_served_comes_after_who_is_not() -> None:
    order: list[str] = []

    async def run() -> None:
        turns, long, short = FairQueue(2), asyncio.Event(), asyncio.Event()

        async def ask(who: str, until: asyncio.Event) -> None:
            async with turns.slot(Asker(who, who)):
                order.append(who)
                await until.wait()

        asked = [
            asyncio.create_task(ask(who, until)) for who, until in (("ann", long), ("cyd", short))
        ]
        await asyncio.sleep(0.01)  # which Ann has had by now, and will have
        asked += [asyncio.create_task(ask(who, short)) for who in ("ann", "bob")]
        await asyncio.sleep(0)
        short.set()
        await asyncio.wait(asked[1:])
        long.set()
        await asyncio.gather(*asked)

    asyncio.run(run())
    assert order == ["ann", "cyd", "bob", "ann"]


def turns_of_bots() -> Any:
    queue = FairQueue(1)
    return lambda who: queue.slot(Asker("", who))


def turns_of_passwords() -> Any:
    return AddressTurns().turn


@pytest.mark.parametrize("turns", [turns_of_bots, turns_of_passwords])
def test_who_gives_up_when_their_turn_has_come_leaves_it_to_the_next(turns: Any) -> None:
    order: list[str] = []

    async def run() -> None:
        turn = turns()

        async def ask(who: str) -> None:
            async with turn(who):
                order.append(who)

        async with turn("first"):
            second, third = (asyncio.create_task(ask(who)) for who in ("second", "third"))
            await asyncio.sleep(0)
        second.cancel()  # who does not know yet that their turn has come
        async with asyncio.timeout(10):
            await asyncio.gather(second, third, return_exceptions=True)

    asyncio.run(run())
    assert order == ["third"]


def test_the_time_that_somebody_has_had_is_forgotten_by_and_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "MAX_REMEMBERED", 6)  # two people, each with address and table
    turns = FairQueue(1)
    for who in ("ann", "bob", "ann", "cyd"):
        turns._charge(Asker(who, who, who), 8.0)
    assert [name for name, *more in turns._used if not more] == ["ann", "cyd"]
    for key, (used, at) in turns._used.items():
        assert turns._used_by(key, at + 60) == pytest.approx(used / 2)
    assert turns._used_by(("bob",), 0.0) == 0.0


def test_who_gives_up_waiting_takes_no_turn() -> None:
    order: list[str] = []

    async def ask(turns: FairQueue, who: str) -> None:
        async with turns.slot(Asker("", who)):
            order.append(who)
            await asyncio.sleep(0)

    async def run() -> None:
        turns = FairQueue(1)
        tasks = [asyncio.create_task(ask(turns, str(n))) for n in range(10)]
        await asyncio.sleep(0)
        tasks[4].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await ask(turns, "later")

    asyncio.run(run())
    assert len(order) == 10
    assert order[-1] == "later"
    assert "4" not in order


def test_a_quick_bot_does_not_wait_for_those_that_search() -> None:
    def question(bot: str) -> ChooseRequest:
        game = hv.new("classic", players=3, seed=1)
        assert game.to_move is not None
        view = game.view(game.to_move, history=True)
        return ChooseRequest(bot, "1", "classic", view, offers(game))

    async def run() -> None:
        pools = Pools(1)
        service = BotService(pools, 999, 999)
        slow = [
            asyncio.create_task(service.choose(question("director:999s"), Asker("", str(n))))
            for n in range(8)
        ]
        try:
            await service.choose(question("clerk"), Asker("", "honest"))
            assert not any(task.done() for task in slow)
        finally:
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
            await pools.close()

    asyncio.run(run())


# By account


def test_passwords_are_not_guessed(strict: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def fits(stored: str, _: str) -> bool:
        tried.append(stored)
        return False

    monkeypatch.setattr(password_module, "_fits", fits)
    with Person(strict) as eve:
        answers = [
            eve.post("/api/login", json={"login": "nobody", "password": f"guess {n}..."})
            for n in range(6)
        ]
    assert [answer.status_code for answer in answers] == [400] * 4 + [429] * 2
    assert len(tried) == 4  # the same work for a name that nobody has
    assert answers[-1].json()["code"] == "many_tries"


# By time


def test_incomplete_requests_are_dropped(hasty: Server) -> None:
    host, port = hasty.url.removeprefix("http://").split(":")
    halves = (
        b"",
        b"GET /healthz HT",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
        b"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n{",
    )
    with ExitStack() as open_sockets:
        for half in halves:
            connection = open_sockets.enter_context(socket.create_connection((host, int(port))))
            connection.settimeout(PATIENCE)
            connection.sendall(half)
            assert not ended(connection).startswith(b"HTTP/1.1 5")


def test_the_documentation_names_every_limit() -> None:
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    (settings,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert tomllib.loads(settings)["limits"] == msgspec.to_builtins(Limits())


def test_an_endless_header_is_cut_off(strict: Server) -> None:
    host, port = strict.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(PATIENCE)
        head = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        try:
            connection.sendall(head + b"x: y\r\n" * MAX_HEAD_BYTES)
        except OSError:
            return
        assert b" 200 " not in ended(connection)


def ended(connection: socket.socket) -> bytes:
    """Everything received until the server closes."""
    received = b""
    try:
        while part := connection.recv(1000):
            received += part
    except ConnectionResetError:
        pass
    return received


def test_connections_of_an_address_are_limited(strict: Server) -> None:
    host, port = strict.url.removeprefix("http://").split(":")
    with ExitStack() as open_sockets:
        connections = [
            open_sockets.enter_context(
                socket.create_connection((host, int(port)), source_address=("127.0.0.9", 0))
            )
            for _ in range(20)
        ]
        answered = 0
        for connection in connections:
            connection.settimeout(PATIENCE)
            try:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                answered += connection.recv(100).startswith(b"HTTP/1.1 200")
            except OSError:
                continue
        assert 1 <= answered <= 8
    eventually(lambda: welcome(strict))  # as soon as it has noticed that they are gone


def welcome(server: Server) -> bool:
    try:
        with Person(server) as later:
            return later.get("/healthz").status_code == 200
    except TransportError:
        return False


# By size


def test_a_file_of_ones_own_may_be_as_large_as_the_limit() -> None:
    own = {"name": "Föhr", "cities": {}}
    size = len(json.dumps(own, ensure_ascii=False, separators=(",", ":")).encode())
    files.check_data(meta("classic"), own, {}, size)
    with pytest.raises(RequestRefused, match=f"Your own map must not be larger than {size - 1}"):
        files.check_data(meta("classic"), own, {}, size - 1)
    with pytest.raises(RequestRefused, match="Your own cards must not be larger than 1,000 bytes"):
        files.check_data(meta("cardgame"), None, {"cards": {"name": "x" * 1000}}, 1000)


@pytest.mark.parametrize("value", [["north"] * 12, [], "draft", 3, None])
def test_an_option_is_a_word_a_number_or_a_short_list_of_words(value: object) -> None:
    files.check_data(meta("classic"), None, {"regions": value}, 0)


@pytest.mark.parametrize("value", [["north"] * 13, ["north", 3], [["north"]], 1.5, {"north": 1}])
def test_any_other_option_is_refused(value: object) -> None:
    with pytest.raises(RequestRefused, match="Option 'regions' cannot be this"):
        files.check_data(meta("classic"), None, {"regions": value}, 1000)


def test_a_record_has_no_more_moves_than_a_game_may(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = len(hv.replay(ALMOST_OVER).log)
    monkeypatch.setattr(files, "MAX_MOVES", moves)
    assert len(files.read_game(ALMOST_OVER, 0).log) == moves
    monkeypatch.setattr(files, "MAX_MOVES", moves - 1)
    with pytest.raises(hv.RecordError, match="it is too long"):
        files.read_game(ALMOST_OVER, 0)


# Impossible values


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_a_nul_is_refused_everywhere(
    base: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres") if base == "postgres" else None
    server = Server(tmp_path, url)
    with Person(server, "Ann") as ann:
        table = ann.table([ME, ME])["id"]
        for bad in ({"title": "a\0b"}, {"seed": "a\0b"}, {"options": {"money": "a\0b"}}):
            assert ann.post("/api/tables", json={**BODY, **bad}).status_code == 400
        assert ann.patch("/api/me", json={"name": "a\0b"}).status_code == 400
        for path in ("/api/tables/a%00b", "/api/tables/a%00b/log", "/api/rule/a%00b"):
            assert ann.get(path).status_code == 404
        assert ann.post("/api/tables/a%00b/join", json={}).status_code == 404
        with ann.live(table) as live:
            live.next("state")
            for message in (
                {"type": "chat", "text": "a\0b"},
                {"type": "move", "seq": 0, "move": "pass\0"},
                {"type": "max_bid", "card": "\0", "limit": 5},
                {"type": "hint", "bot": "clerk\0"},
            ):
                live.socket.send(json.dumps(message))
                assert live.next("error", "refused")["type"] in {"error", "refused"}
        with ann.live("a%00b") as live:
            assert live.next("error")["code"] == "not_found"
    assert server.stop() == 0
    assert server.errors() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tables", BODY),
        ("tables", {"rulebook": "classic", "seats": [{"kind": "me", "colour": 1}, OPEN]}),
        ("tables", BODY | {"fill": {"bot": "clerk", "after": 9, "colour": 1}}),
        ("tables", BODY | {"pace": {"kind": "none", "colour": 1}}),
        ("resume", {"record": "", "seats": [{"kind": "me"}, {"kind": "me"}]}),
        ("resume", {"record": "", "seats": [{"kind": "me", "colour": 1}, {"kind": "me"}]}),
        ("maker/check", {"map": {}}),
        ("maker/judge", {"map": {}}),
        ("maker/make", {"seed": "1"}),
        ("tonight/find", {"rulebook": "classic"}),
        ("contacts", {"handle": "bob", "kind": "followed"}),
        ("invitations", {"table": "x", "handle": "bob"}),
        ("invitations/decline", {"table": "x"}),
        ("holidays", {"first": "2030-01-01", "last": "2030-01-02"}),
        ("holidays/end", {"first": "2030-01-01"}),
        ("cups", {"title": "Cup", "rulebook": "classic"}),
        ("cups/x/remove", {"player": 1}),
        ("clubs", {"name": "Volt"}),
        ("clubs/x/remove", {"member": 1}),
        ("clubs/x/chat", {"text": "Hello"}),
        ("clubs/x/chat/remove", {"n": 1}),
        ("profile", {"handle": "ann"}),
        ("solved-puzzles", {"puzzle": "x", "moves": []}),
        ("library", {"map": {}, "licence": "CC0-1.0"}),
        ("library/x/like", {"liked": True}),
        ("library/x/report", {"reason": "rude"}),
        ("passkeys/options", {"kind": "get"}),
        ("passkeys/rename", {"id": "x", "name": "Phone"}),
        ("passkeys/remove", {"id": "x"}),
        ("mail", {"address": "ann@example.org", "language": "en"}),
        ("here/lan", {"open": False}),
    ],
)
def test_a_field_that_nobody_knows_is_refused(ann: Person, path: str, body: dict[str, Any]) -> None:
    has_one = '"colour"' in json.dumps(body)
    answer = ann.post(f"/api/{path}", json=body if has_one else body | {"colour": 1})
    assert answer.status_code == 400
    assert "unknown field `colour`" in answer.text


def test_odd_requests_cause_no_server_error(ann: Person) -> None:
    for headers in ({"Host": "["}, {"Host": "[::1"}, {"Host": "a" * 3_000}, {"Host": ""}):
        assert ann.get("/api/me", headers=headers).status_code in {400, 403}
    refused = ann.post("/api/tables", json=BODY, headers={"Origin": "http://["})
    assert refused.status_code == 403
    for path in ("/a%00b", "/" + "x" * 5_000, "/%ff%fe", "/..%5c..%5cx", "/assets/%2e%2e"):
        assert ann.get(path).status_code in {200, 404}, path
    assert ann.get("/api/tables/" + "x" * 5_000).status_code == 404


@pytest.mark.parametrize(
    "name", ["Ann\u202eb", "Ann\u200b", "\u3164", "Ann\u2066", "A\u00adnn", "Ann\ufeff", "a\u200db"]
)
def test_names_hold_no_invisible_characters(ann: Person, name: str) -> None:
    assert ann.patch("/api/me", json={"name": name}).status_code == 400
    assert ann.post("/api/tables", json={**BODY, "title": "\u202etitle"}).status_code == 400


def test_the_name_of_a_custom_map_is_short_in_a_list(ann: Person, bob: Person) -> None:
    board = ann.get("/api/maps/germany").json()
    name = "\u202e" + "x" * 50_000
    table = ann.table([ME, OPEN], map={**board, "name": name}, public=True)
    assert table["map"] == "x" * 60
    listed = bob.get("/api/tables").text
    assert table["id"] in listed
    assert "x" * 61 not in listed
    store = SqlStore(f"sqlite:///{ann.server.folder / 'highvoltage.db'}")
    rows = [row for row, _ in asyncio.run(store.public()) if row.id == table["id"]]
    assert [row.id for row in rows] == [table["id"]]
    assert len(rows[0].setup) < 1_000  # the map is not read for a list either
    store.engine.dispose()


# What is stored


def test_chat_is_sent_alone_and_does_not_grow(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    with ann.live(table) as here, bob.live(table) as there:
        here.until(lambda s: s["view"])
        there.until(lambda s: s["view"])
        for n in range(230):
            here.send("chat", text=f"line {n}")
        before = len(there.received)
        last = 0
        while last < 230:
            last = there.next()["lines"][-1]["n"]  # only chat
        assert sum(map(len, there.received[before:])) < 40_000
    with bob.live(table) as again:
        lines = again.next("chat")["lines"]
        assert [line["n"] for line in lines] == [*range(31, 231)]
    with sqlite3.connect(ann.server.folder / "highvoltage.db") as store:
        count = store.execute("SELECT count(*) FROM chat WHERE game = ?", (table,)).fetchone()
    assert count[0] == 200


def test_nobody_chats_without_limit(strict: Server) -> None:
    with sqlite3.connect(strict.folder / "highvoltage.db") as store:
        store.execute("DELETE FROM games")  # of the address, so that there is room for one
    with Person(strict) as eve:
        made = eve.table([ME, OPEN])["id"]
        for _ in range(CHAT_BURST // 5):  # a new connection does not reset the limit
            with eve.live(made) as live:
                for _ in range(5):
                    live.send("chat", text="again")
                live.send("ping")
                live.next("pong")
        with eve.live(made) as live:
            for _ in range(2):
                live.send("chat", text="again")
            error = live.next("error")
            assert error["code"] == "much_talk"
            assert 1 <= error["values"]["retry_after"] <= 60


def test_a_game_does_not_go_on_forever(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated moves and undos would fill the disk."""
    monkeypatch.setattr(room_module, "MAX_ENTRIES", 6)
    table = ann.table([ME, ME], seed=5, auto=False)["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        for seq in range(0, 6, 2):
            live.move("nominate 3 @3")
            live.until(lambda s, seq=seq: s["seq"] == seq + 1)
            live.send("undo", seq=seq + 1)
            live.until(lambda s, seq=seq: s["seq"] == seq + 2)
        live.move("nominate 3 @3")
        live.until(lambda s: s["seq"] == 7)
        live.send("undo", seq=7)
        assert live.next("refused")["code"] == "too_long"


def test_a_table_with_a_distant_alarm_is_unloaded() -> None:
    async def run() -> tuple[bool, bool]:
        loop = asyncio.get_running_loop()
        store = SqlStore("sqlite://")
        context = RoomContext(store, BotService(Pools(1), 1, 1), WorkThreads(), Limits())
        room = Room.__new__(Room)
        room.context, room.audience, room.lock = context, Audience(), asyncio.Lock()
        room.in_doubt = False
        scheduler = TurnScheduler(room)
        scheduler._alarm = loop.call_later(86_400, lambda: None)
        far = scheduler.idle
        scheduler._alarm = loop.call_later(5, lambda: None)
        return far, scheduler.idle

    assert asyncio.run(run()) == (True, False)


def test_beyond_some_rooms_those_are_released_that_were_loaded_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless somebody is there."""
    monkeypatch.setattr(rooms_module, "MAX_IDLE_ROOMS", 2)
    (tmp_path / "highvoltage.db").write_bytes(new_store())

    async def run() -> list[str]:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        context = RoomContext(store, BotService(Pools(1), 1, 1), WorkThreads(), Limits())
        rooms, kept = Rooms(context), []
        try:
            for name in "abcd":
                row = GameRow(name, "open", "classic", SETUP, "1", False, "ann", created=1.0)
                await store.create(row, [SeatRow(name, seat, "open") for seat in range(2)], None)
                room = await rooms.get(name)
                if name == "a":
                    room.watch(Watcher("ann"))
                rooms._release_idle()
                kept.append("".join(rooms._rooms))
        finally:
            await store.close()
        return kept

    assert asyncio.run(run()) == ["a", "ab", "abc", "acd"]


def test_time_that_ran_out_while_nothing_ran_is_extended() -> None:
    store = SqlStore("sqlite://")
    context = RoomContext(store, BotService(Pools(1), 1, 1), WorkThreads(), Limits())
    context.since = 1000.0
    found = [context.extend_deadline(deadline) for deadline in (10.0, 1000.0, 1001.0)]
    assert found == [1030.0, 1030.0, 1001.0]


def test_two_servers_do_not_share_a_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'highvoltage.db'}"
    first = SqlStore(url)
    first.claim()
    with pytest.raises(StoreInUse, match="PostgreSQL"):
        SqlStore(url).claim()
    asyncio.run(first.close())
    again = SqlStore(url)
    again.claim()
    asyncio.run(again.close())


@pytest.mark.long
def test_logs_hold_no_names_and_report_failed_writes(tmp_path: Path) -> None:
    server = Process(tmp_path)
    with Person(server, "Ann Unusual") as ann:
        table = ann.table([ME, ME])["id"]
        with sqlite3.connect(tmp_path / "highvoltage.db") as store:
            for name in ("entries", "accounts"):
                store.execute(f"ALTER TABLE {name} RENAME TO {name}_gone")
        with ann.live(table) as live:
            live.until(lambda s: s["legal"])
            live.move(live.state["legal"][0]["move"])
            assert live.next("error")["code"] == "no_store"
            account = {"login": "unusual", "password": "correct horse"}
            assert ann.post("/api/account", json=account).status_code == 503
        with sqlite3.connect(tmp_path / "highvoltage.db") as store:
            for name in ("entries", "accounts"):
                store.execute(f"ALTER TABLE {name}_gone RENAME TO {name}")
        with ann.live(table) as live:  # and the game continues
            live.until(lambda s: s["legal"])
            live.move(live.state["legal"][0]["move"])
            live.until(lambda s: s["seq"] == 1)
    server.stop()
    log = (tmp_path / "log").read_text()
    assert "not written" in log
    assert not [word for word in ("Unusual", "unusual", "argon2", "nominate") if word in log]


def test_undo_and_its_limits_are_one_transaction(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with Person(server, "Ann") as ann:
        table = ann.table([ME, ME], seed=5, auto=False)["id"]
        with ann.live(table) as live:
            state = live.until(lambda s: s["legal"])
            live.send("max_bid", card="5", limit=9)
            live.until(lambda s: s["max_bids"])
            live.move("nominate 3 @3")
            live.until(lambda s: s["seq"] == 1)
            with sqlite3.connect(tmp_path / "highvoltage.db") as store:
                store.execute(
                    "CREATE TRIGGER no_undo BEFORE DELETE ON wishes"
                    " BEGIN SELECT RAISE(ABORT, 'not now'); END"
                )
            live.send("undo", seq=1)
            answer = live.next("error", "refused")
            assert answer["type"] in {"error", "refused"}
            stored = ann.get(f"/api/tables/{table}").json()
            assert stored["seq"] == 1
            assert state["you"] == 0
    server.stop()


# Webhooks


def test_a_webhook_is_called_once_by_any_number_of_processes(postgres: str) -> None:
    async def run() -> list[bool]:
        stores = [SqlStore(f"postgresql+psycopg{postgres.removeprefix('postgresql')}")]
        stores.append(SqlStore(stores[0].url))
        for store in stores:
            await store.open()
        with psycopg.connect(postgres, autocommit=True) as direct:
            direct.execute(
                "INSERT INTO games"
                " (id, status, rulebook, setup, seed, public, host, created, moves)"
                " VALUES ('hooked', 'open', 'classic', '', '', false, '', %s, 0)",
                (time(),),
            )
        claimed = [await store.claim_notice("hooked", "running 0") for store in (*stores, *stores)]
        claimed.append(await stores[1].claim_notice("hooked", "running 1"))
        for store in stores:
            await store.close()
        return claimed

    assert asyncio.run(run()) == [True, False, False, False, True]


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    server = Server(tmp_path)
    command = [*COMMAND, "--data", str(tmp_path), "--port", "0"]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "Another server keeps its games" in second.stderr
    assert server.stop() == 0


# In memory


def test_the_least_recent_visitors_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_VISITORS", 2)
    limits = RateLimits(rate=1e-6, burst=1)
    assert [limits.exceeded(name) for name in ("ann", "bob", "ann")] == [False, False, True]
    assert not limits.exceeded("cyd")
    assert limits.exceeded("ann")  # who came again before Cyd did
    assert not limits.exceeded("bob")


def test_states_for_spectators_are_kept_until_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audience, "MAX_CACHED_STATES", 2)
    everybody, encoded = Audience(), []

    def state(key: str) -> bytes:
        def encode() -> bytes:
            encoded.append(key)
            return key.encode()

        return everybody.encoded_for_all(key, encode)

    assert [state(key) for key in "ababcb"] == [b"a", b"b", b"a", b"b", b"c", b"b"]
    assert "".join(encoded) == "abcb"
    everybody.forget_infos()
    assert state("c") == b"c"
    assert "".join(encoded) == "abcbc"
