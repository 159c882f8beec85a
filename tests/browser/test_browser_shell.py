"""The tables of a browser: nothing that was shown is lost, and what cannot be stored is said.

That they play like those of a server is tested with these: tests/server/test_tables.py and others.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from highvoltage.browser import App, NewerFormat, StorageRefused, app, open_app
from highvoltage.browser.storage import Batch
from highvoltage.browser.store import BrowserStore
from highvoltage.browser.thinking import answer
from highvoltage.browser.transaction import FORMAT
from highvoltage.engine.chance import Seeded
from highvoltage.engine.game import Game
from highvoltage.games import meta, rulebook
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow
from highvoltage.table import Entry, Seat, Table
from shells import Disk

CORPUS = Path(__file__).parents[1] / "corpus"
PATIENCE = 60
BOT = {"kind": "bot", "bot": "random"}
ME = {"kind": "me"}
MOST_WRITES = 14
"""At each of which the browser is killed once, before and after it."""


class Gone(Exception):
    """The browser was closed."""


LAST_GASP = 0.03
"""Seconds in which what is not yet written might be shown."""


class MortalDisk(Disk):
    """A storage that lives longer than the tables: they are killed at one of its writes."""

    def __init__(self, texts: dict[str, str], lives: int, *, after: bool) -> None:
        super().__init__()
        self.texts = texts
        self._lives = lives
        self._after = after  # it was written, and nobody heard of it
        self.dead = asyncio.Event()

    async def write(self, batch: Batch) -> None:
        if self.writes < self._lives:
            await super().write(batch)
            return
        if self._after:
            await super().write(batch)
        self.dead.set()
        await asyncio.Event().wait()


class Thinker:
    """Thinks at once, or never."""

    def __init__(self, *, sleeps: bool = False) -> None:
        self.sleeps = sleeps
        self.restarts = 0

    async def ready(self) -> None:
        """It always is."""

    async def think(self, task: str) -> str:
        await asyncio.sleep(0)
        if self.sleeps:
            await asyncio.Event().wait()
        return answer(task)

    def restart(self) -> None:
        self.restarts += 1
        self.sleeps = False


class Page:
    """The page of a browser: it has the messages that it was sent."""

    def __init__(self, disk: Disk, thinker: Thinker | None = None) -> None:
        self.disk = disk
        self.thinker = thinker or Thinker()
        self.state: dict[str, Any] = {"seq": -1, "legal": []}
        self.log: list[Any] = []
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()

    async def open(self) -> None:
        self.app: App = await open_app(
            self.disk, self.thinker, lambda _, text: self._inbox.put_nowait(text)
        )

    async def ask(self, method: str, path: str, data: Any = None) -> tuple[int, Any]:
        body = None if data is None else json.dumps(data)
        found = await self.app.request(method, path, body)
        return found.status, json.loads(found.text)

    async def table(self, seats: list[Any], **setup: Any) -> str:
        wanted = {"rulebook": "classic", "seed": 1, "seats": seats, **setup}
        status, made = await self.ask("POST", "/api/tables", wanted)
        assert status == 201, made
        assert made["id"].startswith("here-")
        return str(made["id"])

    async def watch(self, table: str) -> None:
        assert await self.app.connect(1, f"/api/tables/{table}/live") == 0

    async def next(self, *kinds: str) -> dict[str, Any]:
        while True:
            async with asyncio.timeout(PATIENCE):
                text = await self._inbox.get()
            assert text is not None
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "state":
                self.state = message
                self.log[message["log_from"] :] = message["log"]
            if message["type"] in kinds:
                return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not wanted(self.state):
            await self.next("state")
        return self.state

    async def turn(self) -> dict[str, Any]:
        """Wait until it is the turn of the person at the page."""
        return await self.until(lambda s: bool(s["legal"]))

    async def after(self, seq: int) -> dict[str, Any]:
        """Wait for a later state."""
        return await self.until(lambda s: bool(s["seq"] > seq))

    def send(self, kind: str, **fields: Any) -> None:
        self.app.receive(1, json.dumps({"type": kind, **fields}))

    def move(self, rng: Random) -> None:
        legal = self.state["legal"]
        self.send("move", seq=self.state["seq"], move=rng.choice(legal)["move"])

    async def play(self, rng: Random, moves: int) -> None:
        for _ in range(moves):
            seq = (await self.turn())["seq"]
            self.move(rng)
            await self.after(seq)


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run this, and end all that it has left running, as a browser does that is closed."""
    asyncio.run(work())  # type: ignore[arg-type]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("lives", range(MOST_WRITES))
def test_killed_at_any_write_nothing_that_was_shown_is_lost(lives: int, *, after: bool) -> None:
    texts: dict[str, str] = {}
    page: list[Page] = []

    async def first() -> None:
        disk = MortalDisk(texts, lives, after=after)
        page.append(Page(disk))
        await page[0].open()

        async def play() -> None:
            await page[0].watch(await page[0].table([ME, BOT]))
            await page[0].play(Random(lives), 100)

        playing = asyncio.create_task(play())
        await disk.dead.wait()
        await asyncio.sleep(LAST_GASP)
        playing.cancel()

    async def second() -> None:
        again = Page(Disk())
        again.disk.texts = texts
        await again.open()
        _, mine = await again.ask("GET", "/api/tables/mine")
        shown = page[0].state
        assert len(mine) <= 1
        if not mine:
            assert shown["seq"] == -1  # not even the table was shown
            return
        assert mine[0]["host"]
        await again.watch(mine[0]["id"])
        await again.turn()
        assert again.state["seq"] >= shown["seq"]
        assert again.log[: len(page[0].log)] == page[0].log
        await again.play(Random(1), 3)

    run(first)
    run(second)


@pytest.mark.parametrize("full", [True, False], ids=["full", "refused"])
def test_what_cannot_be_stored_is_said_and_not_shown(*, full: bool) -> None:
    async def work() -> None:
        page = Page(Disk())
        await page.open()
        table = await page.table([ME, ME])
        await page.watch(table)
        await page.turn()
        quota = type("QuotaExceededError", (Exception,), {})
        page.disk.fault = quota("no room") if full else StorageRefused("not here")
        code = "storage_full" if full else "storage_refused"
        page.move(Random(1))
        said = await page.next("error")
        assert said["code"] == code
        assert "Nothing was changed" in said["message"]
        assert (await page.next("state"))["seq"] == 0
        assert (await page.ask("PATCH", "/api/me", {"name": "Ann"}))[0] == 503
        status, problem = await page.ask("POST", f"/api/tables/{table}/stand-in", {"bot": "clerk"})
        assert (status, problem["code"]) == (503, code)
        record = await page.app.request("GET", f"/api/tables/{table}/record", None)
        assert (record.status, record.text[:12]) == (200, "High Voltage")
        page.disk.fault = None  # the same move, once there is room
        page.move(Random(1))
        await page.after(0)

    run(work)


def test_a_full_storage_still_lets_games_be_deleted() -> None:
    class FullDisk(Disk):
        full = False

        async def write(self, batch: Batch) -> None:
            if self.full and any(text is not None for _, text in batch):
                raise type("QuotaExceededError", (Exception,), {})("no room")
            await super().write(batch)

    async def work() -> None:
        disk = FullDisk()
        page = Page(disk)
        await page.open()
        table = await page.table([ME, ME])
        disk.full = True
        status, problem = await page.ask("POST", f"/api/tables/{table}/stand-in", {"bot": "clerk"})
        assert (status, problem["code"]) == (503, "storage_full")
        answer = await page.app.request(
            "DELETE", f"/api/tables/{table}?ref=aaaaaaaaaaaaaaaaaaaaaaaa", None
        )
        assert answer.status == 204
        assert not any(table in key for key in page.disk.texts)
        assert (await page.ask("GET", f"/api/tables/{table}"))[0] == 404

    run(work)


def test_a_bots_move_that_cannot_be_stored_is_said_once_and_tried_again() -> None:
    async def work() -> None:
        page = Page(Disk())
        await page.open()
        await page.watch(await page.table([ME, BOT]))
        await page.turn()
        real = page.disk.write
        left = [1]

        async def write(batch: Batch) -> None:
            if not left[0]:
                raise StorageRefused("not here")
            left[0] -= 1
            await real(batch)

        page.disk.write = write  # type: ignore[method-assign]
        seq = page.state["seq"]
        page.move(Random(2))
        assert (await page.next("error"))["code"] == "storage_refused"
        assert page.state["seq"] == seq + 1  # Ann's move; the bot's was not shown
        left[0] = 100
        await page.after(seq + 1)

    run(work)


def test_a_message_that_comes_before_its_table_is_read_is_answered() -> None:
    async def work() -> None:
        first = Page(Disk())
        await first.open()
        table = await first.table([ME, ME])
        page = Page(first.disk)  # another tab leads now
        await page.open()
        connecting = asyncio.ensure_future(page.watch(table))
        await asyncio.sleep(0)
        page.app.receive(1, json.dumps({"type": "ping"}))
        await connecting
        await page.next("pong")

    run(work)


def test_a_bot_that_thinks_too_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "BOT_SECONDS", 0.1)

    async def work() -> None:
        thinker = Thinker(sleeps=True)
        page = Page(Disk(), thinker)
        await page.open()
        await page.watch(await page.table([BOT, ME]))
        await page.turn()
        while not thinker.restarts:
            seq = page.state["seq"]
            page.move(Random(1))
            await page.after(seq)
            await page.turn()
        assert thinker.restarts == 1

    run(work)


def test_a_file_is_given_up_after_the_time_that_browsers_have_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "FILE_SECONDS", 0.1)

    async def work() -> None:
        page = Page(Disk(), Thinker(sleeps=True))
        await page.open()
        record = (CORPUS / "cardgame-3-players.txt").read_text()
        answer = await page.app.request("POST", "/api/import", record)
        assert (answer.status, json.loads(answer.text)["code"]) == (400, "too_long")
        assert (await page.app.request("POST", "/api/import", record)).status == 201

    run(work)


def test_the_bots_of_a_closed_browser_go_on_when_it_is_opened() -> None:
    disk = Disk()
    table: list[str] = []

    async def first() -> None:
        page = Page(disk, Thinker(sleeps=True))
        await page.open()
        table.append(await page.table([BOT, BOT]))

    async def second() -> None:
        page = Page(disk)
        await page.open()
        await page.watch(table[0])
        await page.after(0)

    run(first)
    run(second)


def test_a_clock_of_two_months_does_not_go_off_at_once() -> None:
    """As a timer of a browser would that is set for longer than 24 days."""

    async def work() -> None:
        page = Page(Disk())
        await page.open()
        pace = {"kind": "move", "seconds": 60 * 86_400}
        table = await page.table([ME, ME], pace=pace, timeout="minimal")
        await page.watch(table)
        await page.turn()
        scheduler = page.app.rooms._schedulers[table]
        assert scheduler._alarm is not None
        assert scheduler._alarm.when() <= asyncio.get_running_loop().time() + 86_400
        scheduler._alarm._run()  # a day later, nobody has moved
        await asyncio.sleep(0.01)
        _, state = await page.ask("GET", f"/api/tables/{table}")
        assert state["seq"] == 0

    run(work)


def test_a_write_that_is_repeated_is_done_once() -> None:
    async def work() -> None:
        page = Page(Disk())
        await page.open()
        wanted = {"rulebook": "classic", "seats": [ME, BOT]}
        made = [await page.ask("POST", "/api/tables?ref=ours-1234", wanted) for _ in range(2)]
        assert made[0][1]["id"] == made[1][1]["id"]
        assert len((await page.ask("GET", "/api/tables/mine"))[1]) == 1
        await page.watch(made[0][1]["id"])
        await page.turn()
        seq, move = page.state["seq"], page.state["legal"][0]["move"]
        for _ in range(2):
            page.send("move", seq=seq, move=move, ref="ours-5678")
            assert (await page.next("done"))["ref"] == "ours-5678"

    run(work)


def test_a_game_of_an_older_version_goes_on_by_its_rules() -> None:
    version = meta("classic").version - 1
    game = Game(rulebook("classic", 2, None, {}, version), Seeded("1"), ["Ann", "Bob"])
    row = GameRow(
        id="here-old",
        status="running",
        rulebook="classic",
        setup=msgspec.json.encode(StoredSetup(rulebook="classic")).decode(),
        seed="1",
        public=False,
        host="ann",
        created=0,
        started=0,
        opening=game.record().json(),
    )
    table = Table(game, [Seat("person", "Ann"), Seat("person", "Bob")])
    journal: list[Entry] = []
    for _ in range(6):
        assert game.to_move is not None
        step = table.move(game.to_move, table.seq, str(game.legal_moves[0]), 0)
        table.commit(step)
        journal += step.entries
    row.turn = game.to_move

    async def work() -> None:
        disk = Disk()
        store = BrowserStore(disk)
        seats = [SeatRow(row.id, seat, "person", name, "ann") for seat, name in enumerate("AB")]
        await store.create(row, seats)
        await store.append(JournalWrite(row.id, 0, journal, {"moves": len(journal)}))
        disk.texts["me"] = '{"who": "ann", "name": "Ann"}'
        page = Page(disk)
        await page.open()
        status, ruleset = await page.ask("GET", f"/api/tables/{row.id}/ruleset")
        assert (status, ruleset["version"]) == (200, version)
        await page.watch(row.id)
        await page.play(Random(1), 5)
        record = await page.app.request("GET", f"/api/tables/{row.id}/record", None)
        assert record.text.splitlines()[1] == f"rulebook: classic {version}"

    run(work)


def test_games_of_a_newer_version_are_left_alone() -> None:
    async def work() -> None:
        disk = Disk()
        disk.texts = {"format": str(FORMAT + 1), "game/x": "unknown"}
        with pytest.raises(NewerFormat, match="newer version"):
            await open_app(disk, Thinker(), lambda _, __: None)
        assert disk.writes == 0

    run(work)


def test_what_needs_a_server_is_refused_and_bad_requests_are_answered() -> None:
    async def work() -> None:
        page = Page(Disk())
        await page.open()
        for method, path in (
            ("POST", "/api/account"),
            ("POST", "/api/push"),
            ("POST", "/api/tables/x/chat/report"),
            ("GET", "/api/nothing"),
        ):
            status, problem = await page.ask(method, path, {})
            assert (status, problem["code"]) == (404, "server_only"), path
        rated = {"rulebook": "classic", "seats": [ME, {"kind": "open"}], "rated": True}
        status, problem = await page.ask("POST", "/api/tables", rated)
        assert (status, problem["code"]) == (404, "server_only")  # there is nobody to compare with
        assert await page.ask("GET", "/api/push") == (200, {"key": None})
        bad: list[Any] = [{"rulebook": "classic"}, {"rulebook": "classic", "seats": [ME]}, [], 9]
        for data in bad:
            status, problem = await page.ask("POST", "/api/tables", data)
            assert (status, problem["code"]) == (400, "bad_request")
            assert problem["values"]["fields"][0]["source"] == "body"
        hooked = {"rulebook": "classic", "seats": [ME, BOT], "webhook": "https://example.org"}
        assert (await page.ask("POST", "/api/tables", hooked))[1]["code"] == "no_webhook"
        assert await page.app.connect(1, "/api/tables/nowhere/live") == 4404
        assert await page.app.connect(1, "/api/elsewhere") == 4409

    run(work)


def test_only_msgspec_is_needed() -> None:
    script = (
        "import sys, highvoltage.browser;"
        "ours = {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names;"
        "print(*sorted(name for name in ours if not name.startswith('_')))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert {*found.stdout.decode().split()} <= {"highvoltage", "msgspec", "typing_extensions"}
