"""Clocks at a real server, and bots that fail."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import Any, TypeVar

import msgspec
import psutil  # type: ignore[import-untyped]  # it brings none
import pytest

import highvoltage as hv
from highvoltage.analysis import JudgeTask
from highvoltage.bots.director import Budget
from highvoltage.bots.pace import MAX_SECONDS, pace_of, remaining
from highvoltage.rooms import bot_service as service
from highvoltage.rooms import thinking as worker
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.person import Asker
from highvoltage.rooms.restore import restore
from highvoltage.rooms.rows import GameRow
from highvoltage.rooms.thinking import BOT_CACHE_SIZE, ChooseReply, ChooseRequest
from highvoltage.server.bots.pool import Pools
from highvoltage.table import Entry, Seat, Table, offers
from serving import BOT, ME, OPEN, PATIENCE, Person, Server
from shells import Shell, in_the_browser_too  # noqa: F401  # the fixture `server`
from work import max_calls

EVE = Asker("127.0.0.1", "eve")
MOVE_CLOCK = {"kind": "move", "seconds": 1}


@pytest.fixture(scope="module", params=["server", "browser"])
def patient(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server where only the clock wakes bots: the sweep for late ones runs much later."""
    running: Server
    if request.param == "server":
        running = Server(tmp_path_factory.mktemp("patient"), settings="bot_seconds = 1000")
    else:
        running = Shell()
    yield running
    assert running.stop() == 0
    assert running.errors() == []


def test_a_bot_takes_the_seat_of_a_player_whose_time_ran_out_until_they_are_back(
    patient: Server,
) -> None:
    with Person(patient, "Ann") as ann:
        table = ann.table([ME, BOT], pace=MOVE_CLOCK, timeout="bot", auto=False)["id"]
        with ann.live(table) as live:
            state = live.until(lambda s: s["table"]["seats"][0]["bot"])
            assert state["table"]["seats"][0]["bot"] == "clerk"
            while not any(row["seat"] == 0 for row in live.log):
                live.next("state")
            first = next(row for row in live.log if row["seat"] == 0)
            assert first["by"] == "clock"
            ann.post(f"/api/tables/{table}/stand-in", json={"bot": None})
            assert live.until(lambda s: s["legal"] or s["table"]["status"] == "finished")


def test_a_bot_continues_after_a_move_of_the_clock(patient: Server) -> None:
    with Person(patient, "Ann") as ann:
        table = ann.table([ME, BOT], pace=MOVE_CLOCK, timeout="minimal", auto=False)["id"]
        with ann.live(table) as live:
            while not any(
                (before["by"], after["by"]) == ("clock", "bot")
                for before, after in pairwise(live.log)
            ):
                live.next("state")


def test_or_the_table_makes_the_smallest_move(ann: Person) -> None:
    table = ann.table([ME, ME], pace=MOVE_CLOCK, timeout="minimal", auto=False)["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["seq"] >= 2)
        assert {row["by"] for row in live.log} == {"clock"}
        assert [row["move"] for row in live.log][1] == "pass"
        assert all(seat["bot"] is None for seat in live.state["table"]["seats"])


def test_clocks_are_sent_and_moves_in_time_stop_them(ann: Person, bob: Person) -> None:
    pace = {"kind": "bank", "seconds": 10_000, "increment": 10_000}
    table = ann.table([ME, OPEN], pace=pace)["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    with ann.live(table) as first, bob.live(table) as second:
        state = first.until(lambda s: s["clocks"])
        mover = state["clocks"]["running"]
        live = (first, second)[mover]
        live.until(lambda s: s["legal"])
        live.move(live.state["legal"][0]["move"])
        after = live.until(lambda s: s["seq"] > 0)
        assert 10_000 < after["clocks"]["left"][mover] < 20_000
        assert after["clocks"]["running"] == 1 - mover


def test_a_long_game_is_loaded_with_little_work() -> None:
    """The journal of 500 moves is replayed: nothing but the journal needs to be stored.

    Replaying takes about 50 calls and 30 microseconds a move.
    """
    game = hv.new("classic", players=6, seed=1)
    rng = Random(2)
    table = Table(game, [Seat("person") for _ in range(6)])
    journal: list[Entry] = []
    while len(journal) < 500 and table.game.to_move is not None:
        move = str(rng.choice(table.game.legal_moves.choices))
        step = table.move(table.game.to_move, table.seq, move, 0)
        table.commit(step)
        journal += step.entries
    assert len(journal) == 500
    row = GameRow("x", "running", "classic", "", "1", False, "", 0, opening=game.record().json())
    setup = StoredSetup(rulebook="classic", auto=False)
    with max_calls(40_000):
        again = restore(row, table.seats, setup, journal)
    assert again.snapshot(0) == table.snapshot(0)


# Bots


def test_with_hidden_money_a_bot_keeps_its_pace_after_a_restart_too(tmp_path: Path) -> None:
    """It would answer much sooner, and by how much would give away its money."""
    for start in range(2):
        server = Server(tmp_path)
        with Person(server, "Ann") as ann:
            if start == 0:
                first = ann.cookies["hv"]
                options = {"money": "hidden"}
                table = ann.table([BOT, ME], rulebook="cardgame", options=options, seed=5)["id"]
            else:
                ann.cookies.clear()
                ann.cookies.set("hv", first, domain="127.0.0.1")
            with ann.live(table) as live:
                live.play(Random(1), 6)
                live.until(lambda s: s["legal"])  # and nobody thinks any more
        assert server.stop() == 0
    with closing(connect(tmp_path / "highvoltage.db")) as store:
        entries = "SELECT seat, at FROM entries WHERE game = ? ORDER BY seq"
        made = store.execute(entries, (table,)).fetchall()
    gaps = [at - before for (_, before), (seat, at) in pairwise(made) if seat == 0]
    assert len(gaps) >= 4
    assert min(gaps) >= pace_of("random")


def test_one_slow_answer_slows_down_no_other() -> None:
    before = remaining("clerk", 0.1)
    remaining("clerk", 3.0)
    assert remaining("clerk", 0.1) == before == pytest.approx(pace_of("clerk") - 0.1)
    for bot in ("clerk", "director:2s", "director:9999s"):
        for took in (0.0, 0.001, 1.0, 99.9):
            held = took + remaining(bot, took)
            assert held / pace_of(bot) == pytest.approx(round(held / pace_of(bot)))
    assert pace_of("director:9999s") == MAX_SECONDS


T = TypeVar("T")


def think(test: Callable[[BotService], Coroutine[Any, Any, T]], workers: int = 1) -> T:
    async def run() -> T:
        pools = Pools(workers)
        try:
            return await test(BotService(pools, PATIENCE, 5))
        finally:
            await pools.close()

    return asyncio.run(run())


def question(bot: str) -> ChooseRequest:
    game = hv.new("classic", players=3, seed=1)
    assert game.to_move is not None
    return ChooseRequest(bot, "1", game.rules.name, game.view(game.to_move), offers(game))


REMEMBERS = """
from highvoltage.bots import Choice, Reason

class Remembers:
    needs = "nothing"

    def __init__(self, rng):
        self.asked = 0

    def choose(self, view, legal):
        self.asked += 1
        if self.asked == 4:
            raise RuntimeError("it is too much")
        return Choice(legal[0], Reason("asked_again", {"times": self.asked}))
"""


def test_a_bot_lives_as_long_as_its_seat_and_hints_do_not_affect_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(REMEMBERS)
    hint = question(f"{file}:Remembers")
    north = msgspec.structs.replace(hint, seed="north", keep_bot=True)
    south = msgspec.structs.replace(hint, seed="south", keep_bot=True)

    async def ask(bot_service: BotService) -> list[Any]:
        # Two at once, so that both processes exist; the bot of a seat must be found again.
        await asyncio.gather(bot_service.choose(north, EVE), bot_service.choose(south, EVE))
        rest = [
            await bot_service.choose(each, EVE) for each in (south, hint, north, north, hint, north)
        ]
        return [answer.values.get("times") for answer in rest]

    times = think(ask, workers=2)
    assert times[:5] == [2, 1, 2, 3, 1]
    assert times[5] is None  # it failed, and the substitute moved


def test_a_bot_that_was_dropped_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(REMEMBERS)
    seat = msgspec.structs.replace(question(f"{file}:Remembers"), keep_bot=True)
    for number in range(BOT_CACHE_SIZE + 1):
        other = msgspec.structs.replace(seat, seed=str(number))
        assert worker.choose(other).values == {"times": 1}
    assert worker.choose(msgspec.structs.replace(seat, seed="0")).values == {"times": 1}
    assert worker.choose(msgspec.structs.replace(seat, seed=str(BOT_CACHE_SIZE))).values == {
        "times": 2
    }


@pytest.mark.parametrize(
    ("name", "body"),
    [
        pytest.param("Raises", "raise RuntimeError('no idea')", marks=pytest.mark.long),
        ("Exits", "import os; os._exit(3)"),
        pytest.param("Sleeps", "import time; time.sleep(1_000_000)", marks=pytest.mark.long),
        (
            "Cheats",
            "from highvoltage.bots import Choice, Reason; return Choice(Bid(1), Reason('x'))",
        ),
        ("Babbles", "print('x' * 100000, flush=True); raise KeyError(1)"),
    ],
)
def test_a_bot_that_fails_is_replaced_and_the_next_question_is_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, body: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from highvoltage.bots import Choice, Reason\n"
        "from highvoltage.engine.moves import Bid\n"
        f"class {name}:\n"
        "    def __init__(self, rng): pass\n"
        f"    def choose(self, view, legal): {body}\n"
    )

    async def ask(bot_service: BotService) -> ChooseReply:
        def relent(_: logging.LogRecord) -> bool:
            bot_service.seconds = PATIENCE  # for the substitute, however busy the machine is
            return True

        if name == "Sleeps":
            bot_service.seconds = 0.5
        service.log.addFilter(relent)
        first = await bot_service.choose(question(f"{file}:{name}"), EVE)
        service.log.removeFilter(relent)
        second = await bot_service.choose(question("random"), EVE)
        assert first.move
        assert not first.error
        return second

    with caplog.at_level(logging.WARNING):
        assert think(ask).code == "random"
    ours = [record for record in caplog.records if record.name.startswith("highvoltage")]
    assert [record.getMessage() for record in ours] == ["bot replaced"]


def test_neither_bots_nor_hints_wait_behind_an_analysis() -> None:
    game = hv.new("classic", players=3, seed=1)
    view = game.view(game.to_move, history=True)
    game.play(game.legal_moves[0])
    record = str(game.record())

    async def ask(bot_service: BotService) -> bool:
        tasks = [JudgeTask(1, Budget(playouts=200), str(seed), 0.0) for seed in range(50)]
        studies = asyncio.gather(*(bot_service.judge(record, task, EVE) for task in tasks))
        for bot in ("clerk", "director:2"):
            request = msgspec.structs.replace(question(bot), view=view)
            assert not (await bot_service.choose(request, EVE)).error
        unfinished = studies.cancel()
        with suppress(asyncio.CancelledError):
            await studies
        return unfinished

    assert think(ask)


def workers() -> list[int]:
    return [each.pid for each in psutil.Process().children()]


@pytest.mark.parametrize("cancelled", [True, False])
@pytest.mark.parametrize("warm", [True, False])
def test_it_shuts_down_during_a_request(warm: bool, cancelled: bool) -> None:
    """Whether the process thinks or still starts, and whether the caller knows that it is over."""
    game = hv.new("classic", players=3, seed=1)
    view = game.view(game.to_move, history=True)
    first, request = (
        msgspec.structs.replace(question(bot), view=view) for bot in ("director:1", "director:999s")
    )
    before = workers()

    async def run() -> None:
        pools = Pools(1)
        bot_service = BotService(pools, PATIENCE, PATIENCE)
        if warm:
            await bot_service.choose(first, EVE)
        asking = asyncio.create_task(bot_service.choose(request, EVE))
        await asyncio.sleep(0)
        while workers() == before:  # noqa: ASYNC110  # there is no signal that a process has started
            await asyncio.sleep(0)
        if cancelled:
            asking.cancel()
        await pools.close()
        assert workers() == before
        await asyncio.gather(asking, return_exceptions=True)
        assert asking.cancelled()

    asyncio.run(run())


def test_if_everything_fails_there_is_still_a_legal_move() -> None:
    async def ask(bot_service: BotService) -> ChooseReply:
        bot_service.seconds = 0
        return await bot_service.choose(question("random"), EVE)

    assert think(ask).move in {offer.move for offer in question("random").legal}
