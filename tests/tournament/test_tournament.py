"""Tournaments: fair, reproducible, resumable, and honest about uncertainty."""

import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import psutil  # type: ignore[import-untyped]  # it brings none
import pytest
from rich.console import Console
from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import bots
from highvoltage.cli import app
from highvoltage.cli.tournament import hold, show
from highvoltage.engine.errors import HighVoltageError, OptionError
from highvoltage.table import offers
from highvoltage.threads import THREADS
from highvoltage.tournament import (
    Result,
    ResultFile,
    Tournament,
    entrants,
    games,
    play,
    play_on_ray,
    report,
    runs,
    standings,
)
from highvoltage.tournament.processes import (
    MAX_FAULTS,
    BotFault,
    Choose,
    Chosen,
    Limits,
    NewGame,
    SeatedBot,
)
from highvoltage.tournament.runs import workers
from highvoltage.tournament.worker import Worker, answer, shown, write

CUP = Tournament("cardgame", ("clerk", "random", "random"), players=3, games=6, seed="7")


def result(number: int, seats: tuple[int, ...], places: tuple[int, ...]) -> Result:
    seconds = (0.5,) * len(seats)
    return Result(number, seats, True, 9, places, (10,) * len(seats), seconds, (0.04,) * len(seats))


def timeless(results: list[Result]) -> list[Result]:
    return [msgspec.structs.replace(each, seconds=(), medians=()) for each in results]


def test_every_bot_sits_in_every_seat_of_every_deal() -> None:
    cup = Tournament("classic", ("a", "b", "c", "d"), players=4)
    rotations = [cup.seats(number) for number in range(4)]
    assert all(
        sorted(seats) == [0, 1, 2, 3] for seats in [*rotations, *zip(*rotations, strict=True)]
    )
    assert len({cup.game_seed(number) for number in range(4)}) == 1
    assert cup.game_seed(4) != cup.game_seed(3)


def test_more_bots_than_seats_all_meet() -> None:
    cup = Tournament("classic", ("a", "b", "c", "d"), players=2)
    met = {frozenset(cup.seats(number)) for number in range(12)}
    assert len(met) == 6
    assert len({cup.game_seed(number) for number in range(12)}) == 1


def test_a_line_up_is_written_short() -> None:
    assert entrants("director:500ms,clerk*2") == ["director:500ms", "clerk", "clerk"]
    assert entrants(" clerk*1, ,random") == ["clerk", "random"]
    for bad in ("clerk*many", "clerk*0", "clerk*-1", "clerk*"):
        with pytest.raises(OptionError, match="BOT\\*COUNT"):
            entrants(bad)


@pytest.mark.long
def test_the_same_seed_gives_the_same_results_in_any_number_of_processes() -> None:
    alone = timeless(list(play(CUP)))
    together = timeless(sorted(play(CUP, jobs=2), key=lambda each: each.number))
    assert alone == together
    assert [each.number for each in alone] == list(range(6))


def test_a_tournament_resumes_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    first = ResultFile(path, CUP)
    games = play(CUP)
    for _ in range(4):
        first.add(next(games))
    path.write_bytes(path.read_bytes()[:-20])  # the machine went down in the middle of a line
    second = ResultFile(path, CUP)
    assert second.done == {0, 1, 2}
    for each in play(CUP, done=second.done):
        second.add(each)
    assert timeless(ResultFile(path, CUP).results) == timeless(list(play(CUP)))


def test_of_a_longer_tournament_only_the_games_that_are_wanted_count(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    longer = ResultFile(path, CUP)
    for number in (3, 0, 2):
        longer.add(result(number, (0, 1, 2), (1, 2, 3)))
    shorter = ResultFile(path, msgspec.structs.replace(CUP, games=3))
    assert shorter.done == {0, 2}
    assert ResultFile(path, CUP).done == {0, 2, 3}  # the others are kept


def test_a_file_of_another_tournament_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    ResultFile(path, CUP)
    with pytest.raises(HighVoltageError, match="another tournament"):
        ResultFile(path, msgspec.structs.replace(CUP, seed="8"))
    ResultFile(path, msgspec.structs.replace(CUP, games=99))  # more of the same may be played
    path.write_text("nothing\n", "utf-8")
    with pytest.raises(HighVoltageError, match="no file of a tournament"):
        ResultFile(path, CUP)


def test_shares_places_and_ratings_are_summed_by_bot() -> None:
    cup = Tournament("classic", ("good", "bad", "bad"), players=3, games=3)
    table = standings(
        cup,
        [
            result(2, (2, 0, 1), (2, 1, 3)),
            result(0, (0, 1, 2), (1, 2, 3)),
            result(1, (1, 2, 0), (1, 3, 1)),
        ],
    )
    good, bad = table.rows
    assert (good.bot, good.wins, good.seats, bad.wins, bad.seats) == ("good", 2.5, 3, 0.5, 6)
    assert good.low < good.share < good.high
    assert (good.par, bad.par) == pytest.approx((1 / 3, 2 / 3))
    assert good.rating_low < good.rating < good.rating_high
    assert good.rating > bad.rating
    assert (good.place, good.seconds, good.median) == pytest.approx((1.0, 0.05, 0.04))
    assert table.course["good"] == [1.0, 0.75, 0.8333]
    assert sum(table.by_seat) == pytest.approx(1.0)


def test_the_table_is_shown_with_its_figures() -> None:
    cup = Tournament("classic", ("good", "bad", "bad"), players=3, games=3)
    games = [
        result(0, (0, 1, 2), (1, 2, 3)),
        msgspec.structs.replace(
            result(1, (1, 2, 0), (1, 3, 1)), replaced=(2, 0, 0), faults=("late", "", "")
        ),
        msgspec.structs.replace(result(2, (2, 0, 1), (3, 3, 3)), finished=False),
    ]
    show(standings(cup, games), Console(width=120, file=(table := StringIO())))
    head, columns, *rows, told = (" ".join(line.split()) for line in table.getvalue().splitlines())
    assert head == "3 games, 2 finished, 9.0 rounds on average"
    assert columns == "bot won 95 % par rating 95 % place ms median"
    won = [(line.split()[0], line.split()[1], line.split()[3], *line.split()[6:]) for line in rows]
    assert won == [
        ("good", "75.0%", "33%", "1.00", "50.00", "40.00"),
        ("bad", "25.0%", "67%", "2.25", "50.00", "40.00"),
    ]
    assert told == "A clerk moved 2 times for bad: the first time late."


def test_many_games_narrow_the_intervals() -> None:
    cup = Tournament("classic", ("a", "b"), players=2, games=200)
    results = [result(n, cup.seats(n), (1, 2) if n % 3 else (2, 1)) for n in range(200)]
    few, many = standings(cup, results[:20]).rows[0], standings(cup, results).rows[0]
    assert many.high - many.low < few.high - few.low
    assert many.rating_high - many.rating_low < few.rating_high - few.rating_low


def test_the_report_is_self_contained_and_trusts_no_name() -> None:
    cup = Tournament("classic", ("a<b>.py:C", "random"), players=2, games=1)
    page = report(standings(cup, [result(0, (0, 1), (1, 2))]), "highvoltage tournament <x>")
    assert "a&lt;b&gt;.py:C" in page
    assert "<b>" not in page
    assert "classic, first map, 2 players, seed" in page
    assert page.count("<svg") == 4
    assert not re.search(r"(src|href)=", page)


def test_a_bot_that_fails_is_replaced_and_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "class Broken:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, view, legal): return 1 / 0\n",
        "utf-8",
    )
    cup = Tournament("classic", (f"{path}:Broken", "random"), players=2, games=1)
    cup.check()
    (played,) = play(cup)
    assert (played.replaced[0] > 0, played.replaced[1]) == (True, 0)
    assert played.faults == ("ZeroDivisionError: division by zero", "")


def test_too_few_bots_are_refused() -> None:
    with pytest.raises(OptionError, match="1 bots for 4 seats"):
        Tournament("classic", ("clerk",)).check()


def test_the_command_plays_reports_and_resumes(tmp_path: Path) -> None:
    command = ["tournament", "cardgame", "-b", "clerk,random*2", "-g", "3", "-j", "1"]
    files = ["--file", str(tmp_path / "cup"), "--report", str(tmp_path / "cup.html"), "--json"]
    invoked = CliRunner().invoke(app, [*command, *files])
    assert invoked.exit_code == 0, invoked.output
    table = json.loads(invoked.stdout)
    assert table["games"] == table["finished"] == 3
    assert {row["bot"] for row in table["rows"]} == {"clerk", "random"}
    assert "<svg" in (tmp_path / "cup.html").read_text("utf-8")
    before = (tmp_path / "cup").read_bytes()
    again = CliRunner().invoke(app, [*command, "--file", str(tmp_path / "cup")])
    assert "3 games, 3 finished" in again.stdout
    assert (tmp_path / "cup").read_bytes() == before


@pytest.mark.parametrize("file", [None, "cup"])
def test_the_command_says_that_it_was_stopped_and_how_to_go_on(
    file: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> Iterator[Result]:
        yield result(0, (0, 1, 2), (0, 1, 2))
        raise KeyboardInterrupt

    monkeypatch.setattr("highvoltage.cli.tournament.play", stopped)
    console = Console(file=StringIO())
    found = hold(CUP, jobs=1, ray=None, file=tmp_path / file if file else None, console=console)
    assert found.games == 1
    said = "Stopped. The same command goes on." if file else "Stopped."
    assert console.file.getvalue().strip() == said  # type: ignore[attr-defined]


@pytest.mark.long  # starting a cluster takes far longer than the games
@pytest.mark.filterwarnings("ignore::Warning")  # Ray's warnings are its own
def test_a_ray_cluster_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "300")  # test machines are busy
    cup = msgspec.structs.replace(CUP, games=3)
    before = {*psutil.Process().children(recursive=True)}
    games = play_on_ray(cup, "local")
    first = next(games)
    cluster = {*psutil.Process().children(recursive=True)} - before
    assert cluster
    together = sorted([first, *games], key=lambda each: each.number)
    assert timeless(together) == timeless(list(play(cup)))
    assert psutil.wait_procs(cluster, timeout=300)[1] == []  # nothing is left running


class Ray:
    """What a cluster does for us, in this process; a node joins after the first result."""

    def __init__(self) -> None:
        self.begun: list[object] = []
        self.given: list[int] = []
        self.waiting: list[int] = []
        self.most: list[int] = []
        self.ended = False

    def init(self, address: str, **settings: object) -> None:
        self.begun = [address, settings]

    def remote(self, **settings: object) -> Any:
        assert settings == {"max_retries": -1}

        def give(_cup: Tournament, number: int) -> int:
            self.given.append(number)
            return number

        return lambda _: SimpleNamespace(remote=give)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0} if self.most else {}

    def wait(self, running: list[int]) -> tuple[list[int], list[int]]:
        self.most.append(len(running))
        return running[:1], running[1:]

    def get(self, ended: list[int]) -> list[int]:
        return ended

    def shutdown(self) -> None:
        self.ended = True


@pytest.mark.parametrize(("address", "more"), [("local", {"include_dashboard": False}), ("a", {})])
def test_a_cluster_is_given_some_games_for_each_of_its_processors(
    address: str, more: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    cup = msgspec.structs.replace(CUP, games=15)
    assert [*play_on_ray(cup, address, done={0, 5})] == [*range(1, 5), *range(6, 15)]
    assert ray.begun == [address, {"log_to_driver": False, **more}]
    assert ray.given == [*range(1, 5), *range(6, 15)]
    assert ray.most == [4, *[8] * 5, 7, 6, 5, 4, 3, 2, 1]
    assert ray.ended


def test_processes_are_given_some_games_each(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    class Pool(ThreadPoolExecutor):
        def submit(self, work: Any, /, *more: Any, **named: Any) -> Any:
            given.append(more[1])
            return super().submit(work, *more, **named)

    monkeypatch.setattr(runs, "workers", Pool)
    monkeypatch.setattr(runs, "play_one", lambda _cup, number: number)
    games: Iterator[Any] = play(msgspec.structs.replace(CUP, games=30), jobs=2, done={3})
    found = [next(games)]
    assert given == [*range(3), *range(4, 9)]
    assert sorted([*found, *games]) == [*range(3), *range(4, 30)]
    assert given == [*range(3), *range(4, 30)]
    assert [*play(CUP, jobs=2, done=range(6))] == []


def test_a_process_decides_as_its_bot_would() -> None:
    worker, bot = Worker("engineer"), bots.make("engineer", "7")
    game = hv.new("classic", players=2, seed=1)
    worker.begin(NewGame("classic", None, 2, 0, "7", 10.0))
    for _ in range(30):
        view = game.view(game.to_move)
        chosen = answer(worker, Choose(view, offers(game)))
        assert chosen == Chosen(str(bot.choose(view, game.legal_moves).move))
        game.play(chosen.move)


def test_a_process_answers_line_by_line() -> None:
    sent = BytesIO()
    for move in ("pass", "done"):
        write(sent, Chosen(move))
    lines = sent.getvalue().splitlines(keepends=True)
    assert [json.loads(line)["move"] for line in lines] == ["pass", "done"]
    assert all(line.endswith(b"\n") for line in lines)


def test_a_process_says_what_is_wrong_in_few_words() -> None:
    failed = answer(Worker("clerk"), Choose({}, []))
    assert failed.move == ""
    assert failed.error
    assert shown(ValueError("x" * 400)) == f"ValueError: {'x' * 288}"


def test_a_worker_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy reads this variable when it is loaded, and it is not loaded yet."""
    for name in THREADS:
        monkeypatch.delenv(name, raising=False)
    expression = (
        "__import__('os').environ.get('OPENBLAS_NUM_THREADS'), 'numpy' in __import__('sys').modules"
    )
    with workers(1) as pool:
        assert pool.submit(eval, expression).result() == ("1", False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with workers(1) as pool:
        assert pool.submit(eval, expression).result() == ("2", False)


def test_the_plots_of_the_report_show_the_numbers() -> None:
    """A scale of 390 pixels from 190 for shares, of 592 by 200 from (48, 10) for the course."""
    cup = Tournament("classic", ("good", "bad", "bad"), players=3, games=3)
    games = [
        result(2, (2, 0, 1), (2, 1, 3)),
        result(0, (0, 1, 2), (1, 2, 3)),
        result(1, (1, 2, 0), (1, 3, 1)),
    ]
    table = standings(cup, games)
    won, rating, course, seats = map(ET.fromstring, re.findall("<svg.*?</svg>", report(table)))
    assert won.get("viewBox") == "0 0 640 68"  # a line for each bot
    assert course.get("viewBox") == "0 0 640 240"
    assert [each.get("points") for each in course.iter() if each.tag.endswith("polyline")] == [
        "48.0,10.0 344.0,60.0 640.0,43.3",
        "48.0,210.0 344.0,160.0 640.0,176.7",
    ]
    texts = [(each.text, each.get("x"), each.get("y")) for each in course.iter() if each.text]
    assert texts == [
        *(("0%", "42", "214"), ("25%", "42", "164.0"), ("50%", "42", "114.0")),
        *(("75%", "42", "64.0"), ("100%", "42", "14")),
        *(("good", "56", "234"), ("bad", "196", "234")),
    ]
    for plot, marks in ((won, ["320.0", "450.0"]), (rating, []), (seats, ["320.0"] * 3)):
        lines = [each for each in plot.iter() if each.get("stroke-dasharray")]
        assert [line.get("x1") for line in lines] == marks
        assert [line.get("y1") for line in lines] == [str(34 * n + 5) for n in range(len(marks))]
    dots = [float(each.get("cx", "")) for each in won.iter() if each.tag.endswith("circle")]
    assert dots == [round(190 + 390 * row.share, 1) for row in table.rows]


def test_four_sit_at_a_table_unless_another_number_is_named() -> None:
    assert Tournament("classic", ("clerk",) * 4).players == 4


def test_a_game_that_does_not_end_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_DECISIONS", 3)
    game, _, seconds = games.play_out(CUP, 0)
    assert len(game.log) == sum(map(len, seconds)) == 3
    assert game.outcome is None


def test_a_bot_that_always_fails_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def choose(_: SeatedBot, _game: object, legal: object) -> str:
        asked.append(legal)
        raise BotFault("it sleeps")

    monkeypatch.setattr(SeatedBot, "_choose", choose)
    seated = SeatedBot("clerk", 0, Limits(), NewGame("classic", None, 3, 0, "1", 10.0))
    game = hv.new("classic", players=3, seed=1)
    for _ in range(MAX_FAULTS + 2):
        seated.move(game)
    assert len(asked) == len(seated.faults) == MAX_FAULTS
    assert seated.replaced == MAX_FAULTS + 2


def test_a_forced_move_is_played_without_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def choose(_: SeatedBot, _game: object, legal: list[str]) -> str:
        asked.append(legal)
        return legal[-1]

    monkeypatch.setattr(SeatedBot, "_choose", choose)
    seated: Any = SeatedBot("clerk", 0, Limits(), NewGame("classic", None, 3, 0, "1", 10.0))
    assert seated.move(SimpleNamespace(legal_moves=["done"])) == "done"
    assert seated.move(SimpleNamespace(legal_moves=["pass", "bid 3"])) == "bid 3"
    assert asked == [["pass", "bid 3"]]
    assert seated.replaced == 0


def test_the_result_of_a_game_has_rounded_times_and_the_first_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = hv.new("classic", players=3, seed=1)
    begin = NewGame("classic", None, 3, 0, "1", 10.0)
    seated = [SeatedBot("clerk", bot, Limits(), begin) for bot in range(3)]
    seated[1].faults, seated[1].replaced = ["late", "broken"], 5
    times = [[0.12345678, 0.2, 0.9], [], [1.0]]
    monkeypatch.setattr(games, "play_out", lambda *_: (game, seated, times))
    played = games.play_one(CUP, 1)
    assert played == Result(
        number=1,
        seats=(1, 2, 0),
        finished=False,
        rounds=1,
        places=(3, 3, 3),
        decisions=(3, 0, 1),
        seconds=(1.2235, 0, 1.0),
        medians=(0.2, 0.0, 1.0),
        replaced=(0, 5, 0),
        faults=("", "late", ""),
    )
    times[0] = [0.12345678]
    assert games.play_one(CUP, 1).medians == (0.123457, 0.0, 1.0)
