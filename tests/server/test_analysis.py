"""Analysis of finished games by the director."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import connect
from time import time
from types import SimpleNamespace
from typing import Any

import pytest

import highvoltage as hv
from finishing import ALMOST_OVER
from highvoltage import bots
from highvoltage.analysis import (
    VERSION,
    JudgedRound,
    JudgeTask,
    judge_decision,
    round_starts,
    round_task,
)
from highvoltage.rooms import analysing, game_line
from highvoltage.rooms.game_line import GameLines
from highvoltage.rooms.person import Asker
from highvoltage.rooms.rows import AnalysisRow
from highvoltage.server.store import SqlStore
from serving import BOT, ME, Person, Server, eventually, new_store
from shells import Shell
from spread import some

MOVES = 12


@pytest.fixture(scope="module", params=some("server", of=["server", "browser"]))
def quick(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server, or a browser, whose director thinks only briefly."""
    running: Server
    if request.param == "server":
        settings = 'analysis_budget = "2"\nbot_seconds = 60'
        running = Server(tmp_path_factory.mktemp("analyst"), settings=settings)
    else:
        running = Shell(analysis_budget="2")
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture
def eve(quick: Server) -> Iterator[Person]:
    with Person(quick, "Eve") as person:
        yield person


def short_game(seed: int) -> hv.Game:
    """The first moves of a game."""
    game = hv.new("cardgame", players=3, seed=seed)
    seats = [bots.make(name, seed) for name in ("random", "clerk", "random")]
    while len(game.log) < MOVES:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


def imported(person: Person, game: hv.Game) -> str:
    answer = person.post("/api/import", content=str(game.record()))
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['id']}/analysis"


def finished(person: Person, address: str) -> dict[str, Any]:
    """The analysis when it is complete; until then progress increases."""
    infos: list[dict[str, Any]] = []

    def ready() -> bool:
        infos.append(person.get(address).json())
        return bool(infos[-1]["status"] == "done")

    eventually(ready)
    *running, last = infos
    assert all(info["status"] == "running" for info in running)
    came = [info["done"] for info in infos]
    assert came == sorted(came)
    assert all(done < 1 for done in came[:-1])
    found: dict[str, Any] = last["found"]
    for info in running:  # what was certain then still is
        partial = info["found"] or {"decisions": []}
        assert all(judged in found["decisions"] for judged in partial["decisions"])
    return found


def test_a_game_is_analysed_once_for_everybody(quick: Server, eve: Person) -> None:
    game = short_game(1)
    address = imported(eve, game)
    assert eve.get(address).json() == {"status": "none", "done": 0.0, "found": None}
    assert eve.post(address).json()["status"] == "running"
    with Person(quick) as other:  # the second request finds it started
        assert other.post(address).json()["status"] in {"running", "done"}
        found = finished(other, address)
        assert other.post(address).json() == {"status": "done", "done": 1.0, "found": found}
    assert found["names"] == list(game.names)
    assert [len(curve) for curve in found["curves"]] == [max(row.round for row in game.log)] * 3
    for column in zip(*found["curves"], strict=True):
        assert sum(column) == pytest.approx(1, abs=1e-3)
    assert found["judges"] == ["network"]
    assert all(
        each["best_chance"] - each["chance"] > 2 * each["error"] for each in found["decisions"]
    )
    for judged in found["decisions"]:
        row = game.log[judged["move"] - 1]
        move = row.round, row.phase, row.seat, str(row.move)
        assert move == tuple(judged[field] for field in ("round", "phase", "seat", "played"))
        assert judged["why"]
        assert judged["best"] != judged["played"]


def test_a_running_game_is_not_analysed(eve: Person) -> None:
    table = eve.table([ME, BOT])["id"]
    refused = eve.post(f"/api/tables/{table}/analysis")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
    assert refused.json()["message"] == "A game can be analysed when it is over."
    assert eve.get(f"/api/tables/{table}/analysis").json()["status"] == "none"
    assert eve.post("/api/tables/nowhere/analysis").status_code == 404
    before = imported(eve, hv.new("classic", players=2, seed=1))
    assert eve.post(before).json()["message"] == "A game of 0 moves cannot be analysed."


def test_a_game_may_be_too_long_and_a_server_too_busy(
    eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = imported(eve, short_game(5))
    monkeypatch.setattr(analysing, "MAX_CONCURRENT", 0)
    monkeypatch.setattr(analysing, "MAX_MOVES", MOVES)
    busy = eve.post(address)
    assert (busy.status_code, busy.json()["code"]) == (429, "analyses_busy")
    assert busy.json()["values"] == {"retry_after": 60}
    monkeypatch.setattr(analysing, "MAX_MOVES", MOVES - 1)
    too_long = eve.post(address)
    assert (too_long.status_code, too_long.json()["code"]) == (409, "not_now")
    assert too_long.json()["message"] == f"A game of {MOVES} moves cannot be analysed."


def test_a_game_just_finished_is_analysed(eve: Person) -> None:
    clerk = {"kind": "bot", "bot": "clerk"}
    table = eve.table([clerk, clerk], rulebook="cardgame")["id"]
    with eve.live(table) as live:
        live.until(lambda state: state["table"]["status"] == "finished")
    begun = eve.post(f"/api/tables/{table}/analysis")
    assert (begun.status_code, begun.json()["status"]) == (201, "running")


def complete_line(person: Person, table: str) -> dict[str, Any]:
    """The line when every round has been judged; until then it only grows."""
    found: list[dict[str, Any]] = []

    def complete() -> bool:
        answer = person.get(f"/api/tables/{table}/line")
        assert answer.status_code == 200, answer.text
        found.append(answer.json())
        return bool(found[-1]["complete"])

    eventually(complete)
    last = found[-1]
    for earlier in found:
        for curve, whole in zip(earlier["curves"], last["curves"], strict=True):
            assert curve == whole[: len(curve)]
    return last


@pytest.mark.long
def test_the_line_of_a_finished_game_is_there_without_an_analysis(eve: Person) -> None:
    clerk = {"kind": "bot", "bot": "clerk"}
    table = eve.table([clerk, BOT, clerk], rulebook="cardgame")["id"]
    with eve.live(table) as live:
        live.until(lambda state: state["table"]["status"] == "finished")
    game = hv.replay(eve.get(f"/api/tables/{table}/record").text)
    line = complete_line(eve, table)
    assert line["names"] == list(game.names)
    for column in zip(*line["curves"], strict=True):
        assert sum(column) == pytest.approx(1, abs=1e-3)
    starts = round_starts(game)
    assert [len(curve) for curve in line["curves"]] == [len(starts) + 1] * 3
    judged = judge_decision(game, round_task(starts[-1], ("clerk", "random", "clerk")))
    assert isinstance(judged, JudgedRound)
    assert [curve[-2] for curve in line["curves"]] == [round(each, 4) for each in judged.chances]
    assert game.outcome
    won = [(seat in game.outcome.winners) / len(game.outcome.winners) for seat in range(3)]
    assert [curve[-1] for curve in line["curves"]] == won
    for turn in line["turns"]:
        curve = line["curves"][turn["seat"]]
        assert [turn["before"], turn["after"]] == curve[turn["round"] - 1 : turn["round"] + 1]
    assert eve.get(f"/api/tables/{table}/analysis").json()["status"] == "none"


def test_some_rounds_are_kept_as_they_were_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were shown last."""
    monkeypatch.setattr(game_line, "MAX_JUDGED_ROUNDS", 2)
    asked: list[int] = []

    async def judge(_record: str, task: JudgeTask, _asker: Asker) -> JudgedRound:
        asked.append(task.move)
        return JudgedRound(task.move, (1.0,), "network", (0.0,))

    async def compute(work: Any) -> Any:
        return work()

    service, threads = SimpleNamespace(judge=judge), SimpleNamespace(compute=compute)
    context: Any = SimpleNamespace(bot_service=service, threads=threads)
    game = hv.replay(ALMOST_OVER)
    starts = round_starts(game)[:3]
    short = game.after(starts[2])

    async def run() -> None:
        lines, asker = GameLines(context), Asker("", "ann")
        for _ in range(2):
            found = await lines._judge("x", short, (None, None, None), asker)
            assert [each.round for each in found] == starts
        await lines._judge("y", game.after(1), (None, None, None), asker)

    asyncio.run(run())
    assert asked == [*starts, starts[0], starts[0]]


def test_only_a_game_of_bots_has_a_line_while_it_runs(eve: Person) -> None:
    """It is what the judge makes of the record, which everybody may read."""
    searching = {"kind": "bot", "bot": "director:1s"}  # so that the game does not end meanwhile
    table = eve.table([searching, searching], options={"money": "hidden"})["id"]
    line = complete_line(eve, table)
    assert eve.get(f"/api/tables/{table}").json()["table"]["status"] == "running"
    public = hv.replay(eve.get(f"/api/tables/{table}/record").text).after(0)
    judged = judge_decision(public, round_task(1, ("director:1s", "director:1s")))
    assert isinstance(judged, JudgedRound)
    assert line["curves"] == [[round(chance, 4)] for chance in judged.chances]
    assert eve.delete(f"/api/tables/{table}").is_success  # or they would play on all the while
    for seats in ([ME, searching], [ME, ME]):
        running = eve.table(seats)["id"]
        refused = eve.get(f"/api/tables/{running}/line")
        assert (refused.status_code, refused.json()["code"]) == (409, "not_over")


def test_nobody_makes_the_server_think_without_end(tmp_path: Path) -> None:
    server = Server(tmp_path, settings='analysis_budget = "2"', analyses=2)
    with Person(server) as eager, Person(server) as other:
        people = (eager, other, other)  # another identity from the same address makes no difference
        answers = [
            person.post(imported(person, short_game(seed))) for seed, person in enumerate(people)
        ]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert answers[2].json()["code"] == "many_analyses"
    server.stop()  # in the middle of it
    assert server.errors() == []


def test_one_process_makes_an_analysis_until_it_is_done_or_given_up(tmp_path: Path) -> None:
    (tmp_path / "highvoltage.db").write_bytes(new_store())

    async def run() -> None:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        try:
            assert await store.claim_analysis("x", 10.0, given_up=0.0)
            assert not await store.claim_analysis("x", 20.0, given_up=10.0)
            assert await store.change_analysis("x", at=12.0, done=0.5, found="half")
            assert not await store.claim_analysis("x", 20.0, given_up=11.0)
            assert await store.claim_analysis("x", 20.0, given_up=13.0)
            assert await store.analysis("x") == AnalysisRow(20.0, 0.0, None)
            assert await store.change_analysis("x", at=21.0, done=1.0, found="all")
            assert not await store.claim_analysis("x", 90.0, given_up=80.0)
            assert await store.claim_analysis("y", 90.0, given_up=80.0)
            assert await store.analysis("x") == AnalysisRow(21.0, 1.0, "all")
            await store.drop_analysis("x")
            assert await store.analysis("x") is None
            assert not await store.change_analysis("x", at=22.0, done=1.0, found="all")
            assert await store.analysis("y") == AnalysisRow(90.0, 0.0, None)
        finally:
            await store.close()

    asyncio.run(run())


@pytest.mark.long
def test_what_a_server_left_unfinished_is_restarted(tmp_path: Path) -> None:
    server = Server(tmp_path, settings='analysis_budget = "500"')  # it takes too long to finish
    with Person(server) as eve:
        address = imported(eve, short_game(1))
        assert eve.post(address).json()["status"] == "running"
    server.stop()
    server.start()
    with Person(server) as eve:
        assert eve.get(address).json()["status"] == "none"
        found = {"names": ["A", "B"], "decisions": [], "curves": [[0.5], [0.5]], "turns": []}
        found |= {"judges": [], "version": VERSION}
        with connect(tmp_path / "highvoltage.db") as store:  # as if somebody else had claimed it
            row = address.split("/")[3], time() + 3_600, 0.5, json.dumps(found)
            store.execute("INSERT INTO analyses (game, at, done, found) VALUES (?, ?, ?, ?)", row)
        assert eve.get(address).json() == {"status": "running", "done": 0.5, "found": found}
        with connect(tmp_path / "highvoltage.db") as store:  # as if an older judge had finished it
            older = json.dumps(found | {"version": VERSION - 1})
            store.execute("UPDATE analyses SET done = 1, found = ?", (older,))
        assert eve.get(address).json()["status"] == "none"
        with connect(tmp_path / "highvoltage.db") as store:
            store.execute("INSERT INTO analyses (game, at, done, found) VALUES (?, ?, ?, ?)", row)
        with connect(tmp_path / "highvoltage.db") as store:  # as if that server had died long ago
            store.execute("UPDATE analyses SET at = ?", (time() - 3_600,))
        assert eve.get(address).json()["status"] == "none"
        assert eve.post(address).json()["status"] == "running"
    server.stop()
    assert server.errors() == []
