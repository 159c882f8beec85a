"""Games with rules that fail: everybody is notified, and nothing that was played is lost.

The rulebook belongs to another package, as a third-party rulebook would.
"""

import asyncio
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from prometheus_client import REGISTRY

import highvoltage as hv
from browsing import complaints, leave, open_page
from highvoltage import registry
from highvoltage.rooms import room as room_module
from highvoltage.rooms import tasks
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.room import Room
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.live.webhooks import news_of
from highvoltage.server.store import SqlStore
from serving import BOT, ME, Person, Server
from shells import Shell
from spread import some

BRITTLE = '''
"""The 2004 edition with faults; a test chooses which."""

from highvoltage.games.classic import EDITION as CLASSIC
from highvoltage.games.classic.phases import PlantAuction
from highvoltage.games.classic.rulebook import Classic

FAULTS = set()


class BrittleAuction(PlantAuction):
    """Fails at a pass, or at whatever the second seat does."""

    def apply(self, s, seat, move):
        if ("pass" in FAULTS and str(move) == "pass") or ("second" in FAULTS and seat == 1):
            raise IndexError("pop from empty list")
        super().apply(s, seat, move)


class Brittle(Classic):
    """Fails to deal, in the auction, or to show what a seat sees."""

    name = "brittle"

    def start(self, chance):
        if "start" in FAULTS:
            raise KeyError("no such token")
        return super().start(chance)

    def round_phases(self):
        phases = super().round_phases()
        return tuple(BrittleAuction() if type(p) is PlantAuction else p for p in phases)

    def view(self, s, seat):
        if "view" in FAULTS and seat is not None:
            raise ValueError("nothing to see")
        return super().view(s, seat)


EDITION = CLASSIC.variant(Brittle)
'''

FIRST = 1  # the seed of a deal in which the first seat begins


def reload_rulebooks() -> None:
    for read in (registry.entries, registry._unloadable):  # nothing else clears the cache
        read.cache_clear()


@pytest.fixture(scope="module")
def brittle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[set[str]]:
    """What the rulebook `brittle` is to fail at; its package exists during these tests."""
    package = tmp_path_factory.mktemp("package")
    about = package / "brittle-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brittle\nVersion: 1.0\n")
    entry = "[highvoltage.rulebooks]\nbrittle = brittle:EDITION\n"
    (about / "entry_points.txt").write_text(entry)
    (package / "brittle.py").write_text(BRITTLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(package)
        patch.setenv("PYTHONPATH", str(package))  # for the worker processes of the bots
        reload_rulebooks()
        yield import_module("brittle").FAULTS
    del sys.modules["brittle"]
    reload_rulebooks()


@pytest.fixture(
    scope="module", params=some("postgresql", "browser", of=["sqlite", "postgresql", "browser"])
)
def server(
    request: pytest.FixtureRequest, brittle: set[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    assert not brittle
    running: Server
    if request.param == "browser":
        running = Shell()
    else:
        database = request.getfixturevalue("postgres") if request.param == "postgresql" else None
        running = Server(tmp_path_factory.mktemp("data"), database)
    yield running
    assert running.stop() == 0
    assert {line["what"] for line in running.errors()} == {"game failed"}  # and no task died


@pytest.fixture
def faults(brittle: set[str]) -> Iterator[set[str]]:
    yield brittle
    brittle.clear()


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"highvoltage_{name}_total", labels) or 0.0


def failed(state: dict[str, Any]) -> bool:
    return bool(state["table"]["status"] == "failed")


def causes(server: Server, table: str) -> list[str]:
    """Why a game failed, according to the log."""
    found = [line for line in server.errors() if line["game"] == table]
    return [line["error"].splitlines()[-1] for line in found]


def test_a_bots_turn_that_fails_is_reported_to_all_and_the_host_ends_the_game(
    server: Server, faults: set[str], ann: Person, bob: Person
) -> None:
    faults.add("second")
    before = counted("failed_games")
    table = ann.table([ME, BOT], rulebook="brittle", public=True, seed=FIRST)["id"]
    with (
        ann.live(table) as player,
        bob.live(table) as spectator,
        ann.live(table, "?brief=true") as program,
    ):
        player.until(lambda s: s["legal"])
        player.move("nominate 3 @3")
        player.until(failed)
        program.until(failed)
        assert spectator.until(failed)["view"]["family"] == "board"
        assert causes(server, table) == ["IndexError: pop from empty list"]
        assert counted("failed_games") == before + 1
        (listed,) = [each for each in bob.get("/api/tables").json() if each["id"] == table]
        assert listed["status"] == "failed"
        played = hv.replay(ann.get(f"/api/tables/{table}/record").text)
        assert len(played.log) == player.state["table"]["moves"] == 1

        assert bob.post(f"/api/tables/{table}/end").json()["code"] == "host_only"
        assert ann.post(f"/api/tables/{table}/end").json()["status"] == "broken"
        ended = player.until(lambda s: s["table"]["status"] == "broken")
        assert (ended["legal"], ended["undo_to"], ended["table"]["to_move"]) == ([], None, None)
        assert ended["view"] == player.state["view"] is not None
        player.move("pass")
        assert player.next("refused")["code"] == "not_running"
    assert ann.post(f"/api/tables/{table}/end").json()["code"] == "not_now"

    assert server.stop() == 0
    server.start()
    for person in (ann, bob):
        person.base_url = server.url
    served = ann.get(f"/api/tables/{table}/record").text
    assert hv.replay(served).log == played.log
    at = bob.get(f"/api/tables/{table}/at/{len(played.log)}")
    assert at.json()["view"] == played.view(None)


def test_a_preview_or_move_that_fails_changes_nothing_and_another_move_works(
    server: Server, faults: set[str], ann: Person
) -> None:
    table = ann.table([ME, ME], rulebook="brittle", seed=FIRST, auto=False)["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move("nominate 3 @3")
        before = live.until(lambda s: s["seq"] == 1 and s["legal"])
        faults.add("pass")
        for kind, fields in (("preview", {"moves": ["pass"]}), ("move", {"move": "pass"})):
            live.send(kind, seq=1, ref=7, **fields)
            refused = live.next("refused")
            assert (refused["code"], refused["rule"], refused["ref"]) == ("game_failed", None, 7)
            state = live.until(failed)
            assert (state["seq"], state["view"]) == (1, before["view"])
        live.move("bid 4")
        live.until(lambda s: s["seq"] == 2)
        assert live.state["table"]["status"] == "running"
        assert ann.get("/api/tables/mine").json()[0]["status"] == "running"
        live.move("pass")
        live.until(failed)
        live.send("undo", seq=2)
        assert live.until(lambda s: s["seq"] == 3)["table"]["status"] == "running"
    assert causes(server, table) == ["IndexError: pop from empty list"] * 3


def test_a_clocks_turn_that_fails_is_reported(
    server: Server, faults: set[str], ann: Person
) -> None:
    faults.add("pass")
    pace = {"kind": "move", "seconds": 1}
    setup = {"pace": pace, "timeout": "minimal", "auto": False}
    table = ann.table([ME, ME], rulebook="brittle", seed=FIRST, **setup)["id"]
    with ann.live(table) as live:
        live.until(failed)
    assert set(causes(server, table)) == {"IndexError: pop from empty list"}


def test_a_hint_that_fails_is_reported(server: Server, faults: set[str], ann: Person) -> None:
    table = ann.table([ME, ME], rulebook="brittle", seed=FIRST)["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        faults.add("view")
        live.send("hint", bot="clerk")
        assert live.next("refused")["code"] == "game_failed"
        live.until(failed)
    assert "ValueError: nothing to see" in causes(server, table)


def test_a_view_that_fails_is_reported(
    server: Server, faults: set[str], ann: Person, bob: Person
) -> None:
    table = ann.table([ME, ME], rulebook="brittle", seed=FIRST)["id"]
    with ann.live(table) as player, bob.live(table) as spectator:
        player.until(lambda s: s["legal"])
        faults.add("view")
        player.move("nominate 3 @3")
        assert player.until(failed)["view"] is None
        assert spectator.until(failed)["view"]["seq"] == 1
        assert ann.get(f"/api/tables/{table}").json()["view"] is None
    assert ann.post(f"/api/tables/{table}/end").json()["status"] == "broken"
    assert len(hv.replay(ann.get(f"/api/tables/{table}/record").text).log) == 1
    assert set(causes(server, table)) == {"ValueError: nothing to see"}


def test_a_game_that_cannot_be_set_up_fails_and_ending_it_removes_its_table(
    server: Server, faults: set[str], ann: Person
) -> None:
    faults.add("start")
    table = ann.table([ME, ME], rulebook="brittle", seed=2)
    assert table["status"] == "failed"
    assert causes(server, table["id"]) == ["KeyError: 'no such token'"]
    assert ann.post(f"/api/tables/{table['id']}/end").status_code == 201
    assert ann.get(f"/api/tables/{table['id']}").status_code == 404


def test_bots_that_never_finish_are_stopped_and_reported(
    server: Server, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_module, "MAX_ENTRIES", 3)
    table = ann.table([BOT, BOT])["id"]
    with ann.live(table) as live:
        live.until(failed)
    assert "gone on for too long" in causes(server, table)[0]


@pytest.mark.parametrize(("status", "event"), [("running", "your_turn"), ("failed", "game_failed")])
def test_a_chat_program_is_notified(status: str, event: str) -> None:
    row = GameRow("t", status, "classic", "{}", "1", public=False, host="", created=0, turn=0)
    news = news_of(row, [SeatRow("t", 0, "person", "Ann")], StoredSetup(rulebook="classic"))
    assert news["event"] == event


def test_an_error_of_the_program_is_said_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise LookupError("x")

    before = counted("failed_tasks", task="connection")
    running = Server(tmp_path)
    with Person(running, "Ann") as ann:
        table = ann.table([ME, ME])["id"]
        with ann.live(table) as live:
            live.next("state")
            with monkeypatch.context() as patch:
                patch.setattr(Room, "add_chat", fail)
                patch.setattr(SqlStore, "public", fail)
                live.send("chat", text="Hello", ref="a-line-of-mine")
                said = live.next("error")
                answer = ann.get("/api/tables")
            assert (said["code"], said["ref"]) == ("internal_error", "a-line-of-mine")
            assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
            live.send("chat", text="Hello")
            assert live.next("chat")["lines"][0]["text"] == "Hello"
    assert running.stop() == 0
    assert [error["what"] for error in running.errors()] == ["message failed", "request failed"]
    assert counted("failed_tasks", task="connection") == before + 1


def test_a_failure_of_a_task_that_nobody_awaits_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    async def run() -> None:
        tasks.report_strays(asyncio.get_running_loop())
        await asyncio.wait([tasks.begin(fail(), "test")])
        asyncio.get_running_loop().call_soon([].pop)
        await asyncio.sleep(0)

    before = counted("failed_tasks", task="test"), counted("failed_tasks", task="stray")
    asyncio.run(run())
    after = counted("failed_tasks", task="test"), counted("failed_tasks", task="stray")
    assert after == (before[0] + 1, before[1] + 1)
    assert [record.message.partition(" ")[0] for record in caplog.records] == ["task", "Exception"]


@pytest.mark.long
@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
def test_the_page_shows_it_to_host_and_guest(
    server: Server, faults: set[str], ann: Person, browser: Browser
) -> None:
    host, guest = (open_page(browser, server.url, language=each) for each in ("en", "de"))
    (cookie,) = ann.cookies.jar
    host.context.add_cookies(
        [{"name": cookie.name, "value": cookie.value or "", "url": server.url}]
    )
    table = ann.table([ME, BOT], rulebook="brittle", seed=FIRST, public=True)["id"]
    for page in (host, guest):
        page.goto(f"/table/{table}")
    faults.add("second")
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move("nominate 3 @3")
    expect(host.get_by_role("alert")).to_contain_text("A program error has stopped")
    alert = guest.get_by_role("alert")
    expect(alert).to_contain_text("Ein Fehler im Programm hat dieses Spiel gestoppt")
    expect(alert.get_by_role("button")).to_have_count(0)
    guest.goto("/")
    expect(guest.locator(".status.failed")).to_have_text("durch einen Fehler gestoppt")

    host.get_by_role("button", name="End the game").click()
    expect(host.locator(".bar .say")).to_have_text("This game was ended early")
    host.get_by_role("link", name="Replay").click()
    expect(host.get_by_role("slider")).to_have_attribute("max", "1")
    for page in (host, guest):
        assert complaints(page) == []
        leave(page)
