"""The arena, with models that are a stub endpoint of ours or a scripted client of MCP."""

import asyncio
import json
import re
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from socket import socket
from threading import Event
from threading import enumerate as enumerate_threads
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import uvicorn
from msgspec.structs import replace
from typer.testing import CliRunner

from highvoltage import arena, bots, brief
from highvoltage.arena import endpoint as endpoints
from highvoltage.arena import ranking, runs
from highvoltage.arena.endpoint import EndpointFailed, summary
from highvoltage.arena.file import ArenaFile, Decision, JudgedLine, MoveLine, UsageLine
from highvoltage.arena.mcp_player import ArenaTables, guarded, play_mcp
from highvoltage.arena.ranking import _result, cells, finished_game
from highvoltage.cli import app
from highvoltage.engine.errors import HighVoltageError
from highvoltage.table import Refused
from serving import PATIENCE
from stub_endpoint import KEY, Endpoint, completion, never_plays, plays_badly, plays_well, serving

SCRIPT = Path(__file__).parent / "scripted_player.py"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """No test waits; the pauses that would have been made."""
    made: list[float] = []
    monkeypatch.setattr(endpoints.Endpoint.complete, "__defaults__", (made.append,))
    return made


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with serving(plays_well) as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield found


def run(*words: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["arena", *words], catch_exceptions=False)
    assert found.exit_code == code, found.output
    return found.output


def small(path: Path, *words: str, rulebook: str = "cardgame", code: int = 0) -> str:
    """A contest of one deal of a short game, which is not judged."""
    given = ["--rulebook", rulebook, "--deals", "1", "--file", str(path), "--judge", ""]
    return run("--player", "small=openai:stub-1", *given, *words, code=code)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def row(text: str, name: str) -> list[str]:
    (found,) = [line for line in text.splitlines() if line.startswith(f"| {name} ")]
    return [cell.strip() for cell in found.strip("|").split("|")]


def test_a_model_plays_and_is_ranked(stub: Endpoint, tmp_path: Path) -> None:
    file, table = tmp_path / "a.jsonl", tmp_path / "table.md"
    said = small(file, "--deals", "2", "--price", "small=2,10", "--table", str(table))
    own = row(table.read_text(), "small")
    assert table.read_text().strip() in said
    asked = len(stub.requests)
    assert own[1] == "2"
    assert own[6:8] == ["0.0", "0.0"]
    assert own[8:10] == [f"{asked * 1000 / 2:,.0f}", f"{asked * 50 / 2:,.0f}"]
    assert own[10] == f"{(asked * 1000 * 2 + asked * 50 * 10) / 1_000_000 / 2:.2f}"
    assert {row(said, name)[1] for name in arena.OPPONENTS} == {"2"}
    shares = [float(row(said, name)[4].rstrip("%")) for name in ("small", *arena.OPPONENTS)]
    assert sum(shares) == pytest.approx(100, abs=0.2)


def test_a_request_is_as_the_protocol_says(stub: Endpoint, tmp_path: Path) -> None:
    small(tmp_path / "a.jsonl")
    first = stub.requests[0]
    assert first["model"] == "stub-1"
    system, user = first["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert summary("cardgame") in system["content"]
    assert len(summary("cardgame")) > 500
    game = arena.Contest("cardgame", 2).new(0)
    assert "Your legal moves:\n" in user["content"]
    assert brief.position(game.view(0)).splitlines()[2] in user["content"]  # the plants on offer


def test_a_run_that_is_over_asks_nothing(stub: Endpoint, tmp_path: Path) -> None:
    first = small(tmp_path / "a.jsonl")
    asked = len(stub.requests)
    again = small(tmp_path / "a.jsonl")
    assert len(stub.requests) == asked
    assert again.partition("\n\n")[2] == first.partition("\n\n")[2]


def test_an_interrupted_run_goes_on_in_the_middle_of_a_game(stub: Endpoint, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    small(whole)
    asked = len(stub.requests)
    fail_at = 12

    def fails(request: dict[str, Any]) -> tuple[int, Any]:
        failed = len(stub.requests) > asked + fail_at
        return (400, {"error": "no"}) if failed else plays_well(request)

    stub.answer = fails
    said = small(broken, code=1)
    assert "small: stopped in deal 0: http" in said
    stub.answer = plays_well
    with broken.open("a") as file:
        file.write('{"type":"move","pl')  # cut off by the interruption
    before = len(stub.requests)
    small(broken)
    assert len(stub.requests) == before + asked - fail_at  # nothing was paid twice
    assert broken.read_text() == whole.read_text()


def test_bad_answers_are_counted_and_told(stub: Endpoint, tmp_path: Path) -> None:
    stub.answer = plays_badly
    said = small(tmp_path / "a.jsonl")
    decisions = [line["decision"] for line in lines(tmp_path / "a.jsonl") if "decision" in line]
    assert float(row(said, "small")[6]) == 2 * len(decisions)
    assert {each["illegal"] for each in decisions} == {2}
    refusals = [request["messages"][-1]["content"] for request in stub.requests]
    assert "Your answer has no line MOVE: with a move." in refusals[1]
    assert refusals[2].startswith("The next bid is at least 2. (KR-07)\n")


def test_a_clerk_decides_for_a_model_that_cannot(stub: Endpoint, tmp_path: Path) -> None:
    stub.answer = never_plays
    said = small(tmp_path / "a.jsonl")
    decisions = [line["decision"] for line in lines(tmp_path / "a.jsonl") if "decision" in line]
    assert all(each["stand_in"] and each["illegal"] == 3 for each in decisions)
    assert float(row(said, "small")[7]) == len(decisions)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (["--max-tokens", "5000"], "small has used 5,250 of 5,000 tokens."),
        (["--max-money", "0.02", "--price", "small=2,10"], "small has used 0.02 of 0.02 money."),
    ],
)
def test_limits_stop_a_player(
    limit: list[str], message: str, stub: Endpoint, tmp_path: Path
) -> None:
    said = small(tmp_path / "a.jsonl", *limit, code=1)
    assert message in said
    assert len(stub.requests) < 12
    asked = len(stub.requests)
    small(tmp_path / "a.jsonl", *limit, code=1)
    assert len(stub.requests) == asked  # what was used counts in the next run, too


def test_what_was_paid_for_nothing_counts(stub: Endpoint, tmp_path: Path) -> None:
    stub.answer = never_plays
    small(tmp_path / "a.jsonl", "--max-tokens", "1", code=1)
    (usage,) = [line for line in lines(tmp_path / "a.jsonl") if line["type"] == "usage"]
    assert (usage["read"], usage["written"]) == (1000, 50)


def test_an_address_that_does_not_answer_is_asked_for_some_minutes(pauses: list[float]) -> None:
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(EndpointFailed, match="does not answer"):
            endpoints.Endpoint(url, KEY, "m").complete([])
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0]


def test_an_endpoint_need_not_count_tokens(stub: Endpoint) -> None:
    status, answer = completion("MOVE: pass")
    stub.answer = lambda _: (status, answer | {"usage": {}})
    assert endpoints.Endpoint(stub.url, KEY, "m").complete([]) == ("MOVE: pass", 0, 0)


def test_a_busy_endpoint_is_asked_again(
    stub: Endpoint, tmp_path: Path, pauses: list[float]
) -> None:
    def busy(request: dict[str, Any]) -> tuple[int, Any]:
        asked = len(stub.requests)
        return (429 if asked == 1 else 503, {}) if asked < 4 else plays_well(request)

    stub.answer = busy
    small(tmp_path / "a.jsonl")
    assert pauses == [7.0, 14.0, 28.0]  # as long as it asks for, then twice as long


def test_an_endpoint_that_stays_busy_ends_the_run(
    stub: Endpoint, tmp_path: Path, pauses: list[float]
) -> None:
    stub.answer = lambda _: (503, {"error": "overloaded"})
    said = small(tmp_path / "a.jsonl", code=1)
    assert "answers 503" in said
    assert len(pauses) == endpoints.RETRIES


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _: (200, {"choices": []}), "This is no chat completion"),
        (lambda _: (200, [1]), "This is no chat completion"),
        (lambda _: (404, {"error": "no such model"}), "answers 404"),
    ],
)
def test_an_endpoint_that_answers_otherwise_is_named(
    answer: Any, message: str, stub: Endpoint, tmp_path: Path
) -> None:
    stub.answer = answer
    assert message in small(tmp_path / "a.jsonl", code=1)


def test_a_wrong_key_is_named(
    stub: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert "answers 401" in small(tmp_path / "a.jsonl", code=1)
    assert not stub.requests


def test_each_player_may_have_its_own_endpoint(
    stub: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(plays_well) as other:
        monkeypatch.setenv("BIG_1_BASE_URL", other.url)
        monkeypatch.setenv("BIG_1_API_KEY", KEY)
        said = small(tmp_path / "a.jsonl", "--player", "big-1=openai:stub-2", "--jobs", "2")
        assert {request["model"] for request in other.requests} == {"stub-2"}
    assert {request["model"] for request in stub.requests} == {"stub-1"}
    assert row(said, "big-1")[1] == row(said, "small")[1] == "1"
    assert row(said, "clerk")[1] == "2"


def test_without_an_address_it_says_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    said = small(tmp_path / "a.jsonl", code=1)
    assert "Set OPENAI_BASE_URL or SMALL_BASE_URL for the player small." in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--player", "x"], "'x' is no player. Write NAME=openai:MODEL or NAME=mcp:'COMMAND'."),
        (["--player", "small=openai:x"], "Every player needs a name of its own"),
        (["--player", "clerk=openai:x"], "Every player needs a name of its own"),
        (["--price", "small=1"], "'small=1' is no price. Write NAME=READ,WRITTEN."),
        (["--price", "tall=1,2"], "There is a price, but no player: tall."),
        (["--judge", "often"], "often"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: list[str], message: str, tmp_path: Path, stub: Endpoint
) -> None:
    found = CliRunner().invoke(
        app, ["arena", "-p", "small=openai:m", "-f", str(tmp_path / "a.jsonl"), *words]
    )
    assert found.exit_code != 0
    assert message in found.output
    assert not stub.requests
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.long
@pytest.mark.usefixtures("stub")
def test_the_judge_says_where_it_was_lost(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    said = small(file, "--judge", "1")
    (judged,) = [line for line in lines(file) if line["type"] == "judged"]
    assert {*judged["lost"]} <= {"auction", "fuel", "bureaucracy"}
    worst = max(judged["lost"], key=lambda phase: judged["lost"][phase], default="")
    lost = judged["lost"].get(worst)
    assert row(said, "small")[11] == (f"{worst}, {lost:.1%} a game" if lost else "")


def test_the_worst_phase_is_a_mean_over_games(tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 2)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    for deal in range(2):
        game = arena.ArenaGame(contest, deal, "x", file)
        while not game.is_over:
            game.stand_in(Decision())
    file.add(JudgedLine("x", 0, {"auction": 0.3, "fuel": 0.25}))
    file.add(JudgedLine("x", 1, {"fuel": 0.25}))
    file.add(UsageLine("x", 1, 10, 20))
    over = finished_game(contest, file, "x", 0)
    assert over is not None
    result = _result(0, over, [0, 1, 2, 3])
    assert [len(each) for each in (result.decisions, result.seconds, result.medians)] == [4] * 3
    rows = arena.rank(contest, file, ["x"], {"x": arena.Price(1e6, 0)})
    (own,) = [each for each in rows if each.name == "x"]
    assert (own.worst, own.lost) == ("fuel", 0.25)
    assert (own.read, own.written, own.money) == (5, 10, 5)
    assert [each.standing.rating for each in rows] == sorted(
        (each.standing.rating for each in rows), reverse=True
    )
    sure = replace(own, standing=replace(own.standing, low=0.9, high=1.0))
    assert cells(sure)[5] == "90 to 100"


def test_only_the_decisions_of_the_player_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = arena.Contest("cardgame", 1)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    game = arena.ArenaGame(contest, 0, "x", file)
    for _ in range(8):
        game.stand_in(Decision())
    tasks: list[Any] = []
    monkeypatch.setattr(ranking, "judge_decision", lambda _, task: tasks.append(task))
    ranking.judge(game, file, "1")
    seats = [game.game.log[task.move - 1].seat for task in tasks if task.kind == "decision"]
    assert {*seats} == {game.seat}


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_deals_are_the_same_for_all_and_seats_rotate(rulebook: str) -> None:
    contest = arena.Contest(rulebook)
    assert contest.deals == 40
    seats = [contest.seats(deal) for deal in range(contest.deals)]
    for who in range(4):
        assert [each.index(who) for each in seats].count(0) == 10
    assert contest.new(3).view(0) == contest.new(3).view(0)
    assert contest.new(3).view(0) != contest.new(4).view(0)


def test_a_file_of_another_contest_is_refused(stub: Endpoint, tmp_path: Path) -> None:
    ArenaFile(tmp_path / "a.jsonl", arena.Contest("outpost", 2))
    assert "belongs to another contest" in small(tmp_path / "a.jsonl", code=1)
    assert not stub.requests


def test_a_file_that_does_not_replay_is_refused(tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 1)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    file.add(MoveLine("x", 0, "bid 99"))
    with pytest.raises(HighVoltageError, match=r"Deal 0 of x in .* cannot be replayed at 'bid 99'"):
        arena.ArenaGame(contest, 0, "x", file)
    (tmp_path / "b.jsonl").write_bytes(msgspec.json.encode(contest) + b"\n{}\n")
    with pytest.raises(HighVoltageError, match="no file of an arena"):
        ArenaFile(tmp_path / "b.jsonl", contest)


@pytest.mark.long
def test_a_player_that_speaks_mcp(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    command = f"{sys.executable} {SCRIPT}"
    given = ["--rulebook", "cardgame", "--deals", "1", "--file", str(file), "--judge", ""]
    said = run("--player", f"agent=mcp:{command}", *given)
    own = row(said, "agent")
    assert (own[1], own[6], own[8], own[9]) == ("1", "1.0", "700", "30")
    contest = arena.Contest("cardgame", 1)
    assert finished_game(contest, ArenaFile(file, contest), "agent", 0) is not None


@pytest.mark.parametrize(("given", "status"), [("Bearer t0", 200), ("Bearer t1", 401), ("", 401)])
def test_only_who_has_the_token_comes_to_the_table(given: str, status: int) -> None:
    async def welcome(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", given.encode())] if given else []
    asyncio.run(guarded(welcome, "t0")({"type": "http", "headers": headers}, None, send))
    assert sent[0]["status"] == status


def test_a_player_that_leaves_is_named(tmp_path: Path) -> None:
    given = ["--rulebook", "cardgame", "--deals", "1", "--file", str(tmp_path / "a.jsonl")]
    said = run("--player", f"agent=mcp:{sys.executable} -c pass", *given, code=1)
    assert "ended, or ran out of time, before deal 0 did." in said


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(EndpointFailed, match="no address of an endpoint"):
        endpoints.Endpoint("file:///etc", "k", "m").complete([])


def test_the_last_move_line_counts() -> None:
    text = "MOVE: pass\nNo, rather:\n**MOVE:** `bid 7`."
    assert endpoints.MOVE.findall(text)[-1].strip(" `*\"'.") == "bid 7"
    assert completion(text)[0] == 200


def test_tokens_that_a_model_reports_are_noted(tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 1)
    file = tmp_path / "a.jsonl"
    tables = ArenaTables(arena.ArenaGame(contest, 0, "x", ArenaFile(file, contest)))
    for tokens in [(5, 6), (7, 0), (0, 8), (0, 0)]:
        assert asyncio.run(tables.report_usage(*tokens)) == "Noted."
    noted = [(line["read"], line["written"]) for line in lines(file) if line["type"] == "usage"]
    assert noted == [(5, 6), (7, 0), (0, 8)]


@pytest.mark.parametrize(
    ("tokens", "money", "said"),
    [
        (30, 0.0, "x has used 30 of 30 tokens."),
        (31, 0.0, ""),
        (0, 70.0, "x has used 70.00 of 70.00 money."),
        (0, 70.1, ""),
    ],
)
def test_limits_count_what_was_used_before_and_what_is_used_now(
    tokens: int, money: float, said: str, tmp_path: Path
) -> None:
    file = ArenaFile(tmp_path / "a.jsonl", arena.Contest("cardgame", 1))
    file.add(UsageLine("x", 0, 7, 3))
    now = Decision(read=13, written=7)
    price = arena.Price(2e6, 3e6)  # for a million tokens: 20 read and 10 written cost 70

    def check() -> None:
        runs.check_limits("x", file, runs.Limits(tokens, money), price, now)

    if said:
        with pytest.raises(runs.LimitReached, match=re.escape(said)):
            check()
    else:
        check()


def test_a_player_does_not_wait_for_a_server_that_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def fail(*_: object) -> None:
        raise OSError("no more files")

    monkeypatch.setattr(uvicorn.Server, "serve", fail)
    contest = arena.Contest("cardgame", 1)
    game = arena.ArenaGame(contest, 0, "x", ArenaFile(tmp_path / "a.jsonl", contest))
    waiting = f"{sys.executable} -c 'import time; time.sleep(600)'"
    with pytest.raises(OSError, match="no more files"):
        play_mcp(game, waiting, 600.0)


def test_the_opponents_sit_in_their_order_around_the_player(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: dict[str, str] = {}
    make = bots.make

    def note(bot: str, seed: str) -> Any:
        made[seed.rpartition("/")[2]] = bot
        return make(bot, seed)

    monkeypatch.setattr(bots, "make", note)
    contest = arena.Contest("cardgame", 2)
    arena.ArenaGame(contest, 1, "x", ArenaFile(tmp_path / "a.jsonl", contest))
    assert made == {"0": "tycoon", "2": "clerk", "3": "engineer", "stand-in": "clerk"}


@pytest.mark.parametrize(("budget", "judged"), [("", []), ("1", ["a", "b"])])
def test_games_are_judged_where_that_is_asked_for(
    budget: str, judged: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found: list[str] = []
    monkeypatch.setattr(runs, "play_deal", lambda _c, _d, player, *_: player.name)
    monkeypatch.setattr(runs, "judge", lambda game, _file, _budget: found.append(game))
    contest = arena.Contest("cardgame", 1)
    players: Any = [SimpleNamespace(name=name) for name in ("a", "b")]
    limits: Any = None
    ended = runs.play_all(
        *(contest, players, ArenaFile(tmp_path / "a.jsonl", contest)),
        limits=limits,
        prices={},
        judge_budget=budget,
        jobs=1,
    )
    assert [(player.name, deal, error) for player, deal, error in ended] == [
        ("a", 0, None),
        ("b", 0, None),
    ]
    assert found == judged


def test_a_player_that_fails_plays_no_more_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played: list[tuple[str, int]] = []

    def play_deal(_: object, deal: int, player: runs.Player, *_more: object) -> None:
        played.append((player.name, deal))
        if player.name == "a":
            raise HighVoltageError("no answer")

    monkeypatch.setattr(runs, "play_deal", play_deal)
    contest = arena.Contest("cardgame", 2)
    ended = runs.play_all(
        contest,
        [runs.Player("a", "openai", "m"), runs.Player("b", "openai", "m")],
        ArenaFile(tmp_path / "a.jsonl", contest),
        limits=runs.Limits(),
        prices={},
        judge_budget="",
        jobs=1,
    )
    said = [(player.name, deal, str(error or "over")) for player, deal, error in ended]
    assert sorted(said) == [("a", 0, "no answer"), ("b", 0, "over"), ("b", 1, "over")]
    assert played == [("a", 0), ("b", 0), ("b", 1)]


def test_deals_that_have_not_begun_are_not_played_once_nobody_wants_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun: list[int] = []
    nobody_waits = Event()

    def play_deal(_: object, deal: int, *_more: object) -> None:
        begun.append(deal)
        assert deal == 0 or nobody_waits.wait(PATIENCE)

    monkeypatch.setattr(runs, "play_deal", play_deal)
    contest = arena.Contest("cardgame", 5)
    before = {*enumerate_threads()}
    ended = runs.play_all(
        *(contest, [runs.Player("a", "openai", "m")], ArenaFile(tmp_path / "a.jsonl", contest)),
        limits=runs.Limits(),
        prices={},
        judge_budget="",
        jobs=1,
    )
    assert isinstance(ended, Generator)
    next(ended)
    ended.close()
    nobody_waits.set()
    for thread in {*enumerate_threads()} - before:
        thread.join(PATIENCE)
    assert begun in ([0], [0, 1])


def test_tokens_are_counted_for_a_player_in_all_games_or_in_one(tmp_path: Path) -> None:
    file = ArenaFile(tmp_path / "a.jsonl", arena.Contest("cardgame", 2))
    file.add(MoveLine("x", 0, "pass", Decision("pass", read=1, written=2)))
    file.add(MoveLine("x", 0, "done"))  # by a bot
    file.add(UsageLine("x", 1, 10, 20))
    file.add(UsageLine("y", 1, 100, 200))
    file.add(JudgedLine("x", 1, {"fuel": 0.5}))
    assert [file.tokens("x", deal) for deal in (None, 0, 1, 2)] == [
        (11, 22),
        (1, 2),
        (10, 20),
        (0, 0),
    ]
    assert (file.tokens("y"), file.tokens("z")) == ((100, 200), (0, 0))
    assert [len(file.decisions("x", deal)) for deal in (0, 1)] == [1, 0]


def test_what_is_lost_is_summed_by_phase(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 1)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    losses = [("fuel", 0.25), ("auction", 0.125), ("fuel", 0.5)]
    found = SimpleNamespace(
        decisions=[SimpleNamespace(phase=phase, loss=loss) for phase, loss in losses]
    )
    monkeypatch.setattr(ranking, "run_plan", lambda *_: found)
    ranking.judge(arena.ArenaGame(contest, 0, "x", file), file, "1")
    assert file.judged("x", 0) == JudgedLine("x", 0, {"fuel": 0.75, "auction": 0.125})


def test_an_agent_is_told_what_is_refused_and_its_tries_are_counted(tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 1)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    game = arena.ArenaGame(contest, 0, "x", file)
    tables = ArenaTables(game)

    async def play() -> None:
        for move in ("bid 1", "fly"):
            assert await tables.refusal("arena", move)
            with pytest.raises(Refused):
                await tables.play("arena", move)
        assert "(KR-07)\n" in await tables.refusal("arena", "bid 1")
        for _ in range(2):
            move = str(game.game.legal_moves.choices[0])
            assert await tables.refusal("arena", move) == ""
            seen = await tables.play("arena", move)
            assert seen.snapshot.log[0].move == move
            assert (await tables.glance("arena")).snapshot.seq == seen.snapshot.seq
        while not game.is_over:
            game.stand_in(Decision())
        with pytest.raises(Refused, match="over"):
            await tables.play("arena", "pass")

    asyncio.run(play())
    assert [each.illegal for each in file.decisions("x", 0)[:2]] == [2, 0]


def test_a_game_is_judged_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    contest = arena.Contest("cardgame", 1)
    file = ArenaFile(tmp_path / "a.jsonl", contest)
    game = arena.ArenaGame(contest, 0, "x", file)
    asked: list[object] = []
    monkeypatch.setattr(ranking, "judge_decision", lambda *asked_for: asked.append(asked_for))
    while not game.is_over:
        game.stand_in(Decision())
    ranking.judge(game, file, "1")
    assert (file.judged("x", 0), file.judged("x", 1)) == (JudgedLine("x", 0, {}), None)
    before = len(asked)
    assert before
    ranking.judge(game, file, "1")
    assert len(asked) == before
    assert len([line for line in file.lines if isinstance(line, JudgedLine)]) == 1
