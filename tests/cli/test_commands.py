import io
import json
import os
import pty
import re
import select
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import highvoltage as hv
from highvoltage import bots
from highvoltage.analysis import JudgedDecision
from highvoltage.bots.tycoon.evaluation import NETWORKS
from highvoltage.cli import bench, export, simulate
from highvoltage.cli.analyse import mistakes_table
from highvoltage.cli.app import app
from highvoltage.cli.bench import tycoon_time
from highvoltage.cli.game_spec import usual_players
from highvoltage.cli.series import GameCounts, Series
from highvoltage.data import DataSet
from highvoltage.data.card import Counts
from highvoltage.games import meta as about
from highvoltage.games import rulebook as rulebook_of
from highvoltage.text.narration import Narrator
from highvoltage.words import spoken
from ours import BOTS


def run(*words: object, typed: str = "") -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=typed)


def json_of(*words: object) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    run("simulate", "classic", "--games", 1, "--jobs", 1, "--players", 3, "--records", tmp_path)
    (tmp_path / "000000.txt").rename(file)
    return file


# Reading


def test_version() -> None:
    assert run("--version").stdout == f"highvoltage {hv.__version__}\n"


def test_games_lists_every_rulebook_with_maps_and_options() -> None:
    shown = run("games").stdout
    listed = json_of("games")
    for name, meta in hv.games().items():
        assert meta.title in shown
        assert listed[name]["title"] == meta.title
        for word in [*meta.maps, *(option.name for option in meta.options)]:
            assert word in shown


@pytest.mark.parametrize(
    ("words", "players"),
    [
        (["--bots", "clerk,clerk,random"], 4),
        (["--bots", "engineer"], 4),
        (["--you", "Ann", "--bots", "clerk,clerk"], 3),
        (["--you", "Ann", "--you", "Bob"], 2),
    ],
)
def test_there_are_as_many_players_as_names(tmp_path: Path, words: list[str], players: int) -> None:
    file = tmp_path / "game.txt"
    run("play", "classic", *words, "--save", file, typed="quit\n")
    assert len(hv.replay(file.read_text()).names) == players


def test_maps_are_listed_shown_and_checked(tmp_path: Path) -> None:
    assert "central_europe" in run("map", "list").stdout
    shown = run("map", "show", "germany").stdout
    assert "Kiel" in shown
    assert "Flensburg 4, Lübeck 4, Hamburg 8" in shown
    fine = Path(hv.__file__).parent / "maps" / "usa.json"
    result = run("map", "check", fine)
    assert result.exit_code == 0
    assert "42 cities" in result.stdout
    broken = tmp_path / "broken.json"
    broken.write_text(
        fine.read_text("utf-8").replace('["seattle", "portland", 3]', '["seattle", "x", 3]')
    )
    result = run("map", "check", broken)
    assert result.exit_code == 1
    shown = " ".join(result.output.split())
    assert "cannot be played:" in shown
    assert "connection seattle-x: there is no city x" in shown


def squeezed(shown: str) -> list[str]:
    """The lines of the output, with one space between words."""
    return [" ".join(line.split()) for line in shown.splitlines()]


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_a_rulebook_is_shown_as_every_value_with_its_origin_and_rule(rulebook: str) -> None:
    arguments = ("games", rulebook, "--players", 3, "--option", "money=hidden")
    ruleset = rulebook_of(rulebook, 3, None, {"money": "hidden"}).ruleset
    found = json_of(*arguments)
    assert found["rulebook"] == rulebook
    assert found["players"] == 3
    assert [line["name"] for line in found["lines"]] == [line.name for line in ruleset.lines()]
    assert found["lines"] == json.loads(json.dumps([line._asdict() for line in ruleset.lines()]))
    shown = squeezed(run(*arguments).stdout)
    assert "Money hidden chosen at set-up" in " | ".join(shown)
    assert len(shown) > len(found["lines"])  # a heading, and entries of more than one line


def test_a_board_is_shown_as_what_it_changes() -> None:
    shown = squeezed(run("games", "--map", "south_africa", "--players", 3).stdout)
    assert shown[0] == "Power Grid (2004), South Africa, Players: 3"
    assert "Money at the start 50 rulebook C-2.2" in shown
    assert "Houses of a city, in Steps 10/15/20 rulebook C-1.4.1" in shown
    assert "Burned fuel for sale again, coal 8 this board A-ZAF" in shown
    assert "Cities with other houses zimbabwe: cost 0, from Step this board A-ZAF" in shown
    assert run("games", "classic", "--map", "uk_ireland", "--option", "map_rules=off").exit_code


def test_a_valid_map_is_shown_as_what_it_changes_in_each_rulebook() -> None:
    maps = Path(hv.__file__).parent / "maps"
    russia = squeezed(run("map", "check", maps / "russia.json").stdout)
    of_classic = russia.index("What it changes of classic:")
    of_recharged = russia.index("What it changes of recharged:")
    assert of_classic < russia.index("mixed in below: cards 10/11,") < of_recharged
    assert of_recharged < russia.index("plug cards first: yes")
    assert "rulebook" not in " ".join(russia)
    by_players = [line for line in russia[:of_recharged] if re.search(r"[2-6] players: coal", line)]
    assert len(by_players) == 5
    assert "2 players: coal 2/2/4, oil" in by_players[0]
    usa = run("map", "check", maps / "usa.json").stdout
    assert "is fine" in usa
    assert "changes" not in usa


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["classic", "--language", "en"], "Power Grid (2004): how to play"),
        (["classic", "--language", "sr-Latn"], "Visoki napon (2004): kako se igra"),
        (["classic", "--language", "en"], "(C-4.3.1, C-4.3.2)"),
        (["classic", "--exact"], "Power Grid, classic edition (2004): the rules"),
        (["atlas"], "A-JPN-4"),  # has no player's rulebook
        (["c-4.5.2", "--language", "en"], "You may own 3 plants, with two players 4."),
        (["C-4.5.2", "--language", "de"], "Du darfst 3 Kraftwerke besitzen"),
        (["C-4.5.2"], "highvoltage rules C-4.5.2 --exact shows C-4.5.2 itself."),
        (["c-4.5.2", "--exact"], "C-4.5.2 If the winner now owns more plants"),
        (["CV-20"], "No player's rulebook goes into CV-20; this is the specification."),
        (["CV-20"], "Exchange of plants"),
        ([], "recharged"),
        (["Vienna", "garbage", "--language", "en"], "Whoever has Vienna pays 1 Elektro less"),
        (["--search", "Wien Müll", "--language", "de"], "classic, Karten mit eigenen Regeln"),
        (["Vienna", "garbage", "--exact"], "C-12.3.6"),
        (["Vienna", "garbage", "--language", "pl"], "C-12.3.6"),  # has other words in Polish
        (["outpost", "--summary", "--language", "de"], "Kurz gefasst"),
    ],
)
def test_rules_can_be_read(words: list[str], expected: str) -> None:
    result = run("rules", *words)
    assert result.exit_code == 0
    assert expected in result.stdout


@pytest.mark.parametrize(
    ("before", "variables", "expected"),
    [
        (["--lang", "de"], {"HIGHVOLTAGE_LANG": "pl"}, "Gebiete im Spiel"),
        ([], {"HIGHVOLTAGE_LANG": "pl", "LC_ALL": "de_DE.UTF-8"}, "Obszary w grze"),
        ([], {"HIGHVOLTAGE_LANG": "", "LC_ALL": "cs_CZ.UTF-8"}, "Oblasti ve hře"),
        ([], {"HIGHVOLTAGE_LANG": "", "LC_ALL": "C.UTF-8"}, "Regions in play"),
    ],
)
def test_the_terminal_speaks_the_chosen_language(
    before: list[str], variables: dict[str, str], expected: str
) -> None:
    result = CliRunner().invoke(app, [*before, "games"], env=variables)
    assert expected in result.stdout
    assert spoken() == "en"  # and only while the command runs


def test_an_unknown_language_is_refused() -> None:
    result = run("--lang", "fr", "games")
    assert result.exit_code == 2
    assert "there is no language 'fr'; choose from en, pl" in result.output


def test_how_to_play_is_shown_in_the_language_of_the_system() -> None:
    spoken = {
        "HIGHVOLTAGE_LANG": "",
        "LC_ALL": "",
        "LC_MESSAGES": "pl_PL.UTF-8",
        "LANG": "de_DE.UTF-8",
    }
    result = CliRunner().invoke(app, ["rules", "classic"], env=spoken)
    assert "Wysokie napięcie (2004): jak grać" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["rules", "classic", "--language", "fr"], 2, "choose from en, pl"),
        (["rules", "atlas", "--summary"], 2, "atlas has no player's rulebook"),
        (["rules", "atlis", "--summary"], 1, "did you mean atlas?"),
        (["rules", "C-99.1"], 1, "there is no C-99.1"),
        (["rules", "xyzzy"], 1, "No rule has all of these words"),
        (["play", "nogame"], 2, "There is no rulebook 'nogame'"),
        (["play", "classic", "--map", "atlantis"], 1, "atlantis"),
        (["play", "classic", "--players", "9"], 2, "2 to 6 players"),
        (["play", "classic", "--you", "Clerk"], 2, "is how the bot 'clerk' is called"),
        (["play", "classic", "--option", "money=none"], 2, "Option 'money'"),
        (["play", "classic", "--option", "money"], 2, "NAME=VALUE"),
        (
            ["play", "classic", "-p", "2", "-b", "clerk,clerk"],
            2,
            "More bots than seats for them (1): ",
        ),
        (["play", "--resume", "nofile.txt"], 1, "nofile.txt"),
        (["simulate", "classic", "--bots", "nobot", "-g", "1"], 1, "There is no bot 'nobot'"),
        (["simulate", "classic", "--regions", "west", "-g", "1"], 2, "different regions"),
        (["replay", "nofile.txt"], 1, "nofile.txt"),
        (["map", "show", "atlantis"], 1, "atlantis"),
        (["map", "export", "atlantis", "nowhere/mine.json"], 1, "there is no map of this name"),
        (["bench", "--rulebook", "nogame"], 2, "nogame"),
    ],
)
def test_what_a_user_can_fix_ends_with_one_message(
    words: list[str], code: int, expected: str
) -> None:
    result = run(*words)
    assert result.exit_code == code
    assert expected in result.output
    assert "Traceback" not in result.output
    assert not result.exception or isinstance(result.exception, SystemExit)


def test_help_names_every_bot() -> None:
    assert all(name in run("play", "--help").output for name in BOTS)


# Playing


def test_a_game_is_played_saved_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    begun = run(
        "play", "cardgame", "-p", 3, "-y", "Ann", "-s", 4, "--save", file, typed="ok\nok\nquit\n"
    )
    assert begun.exit_code == 0
    assert f"highvoltage play --resume {file}" in begun.stdout.replace("\n", "")
    assert hv.replay(file).names == ("Ann", "Clerk Ada", "Clerk Ben")
    moves = len(hv.replay(file).log)
    assert run("play", "--resume", file, typed="ok\n" * 4).exit_code == 0
    assert len(hv.replay(file).log) > moves


def test_hot_seat_puts_people_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "classic", "-p", 3, "-y", "Ann", "-y", "Bob", "--hotseat", "--save", file)
    assert hv.replay(file).names == ("Ann", "Bob", "Player 3")
    again = run("play", "--resume", file, "-y", "Ann", typed="quit\n")
    assert again.exit_code == 0


def test_pressing_enter_throughout_on_a_terminal_plays_a_good_game(tmp_path: Path) -> None:
    """Driven in a real terminal, because only there are questions asked."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"HOME": str(tmp_path), "USER": "eve", "TERM": "dumb", "COLUMNS": "80"}
        os.execv(
            sys.executable, [sys.executable, "-c", "from highvoltage.cli import app; app()", "play"]
        )
    shown = ""
    for expected in ("rulebook?", "map?", "players, 2 to 6?", "name?", "bots?"):
        shown += _until(terminal, expected)
        os.write(terminal, b"\n")
    shown += _until(terminal, "\n> ")
    os.write(terminal, b"\x04")  # the end of input
    shown += _until(terminal, "--resume")
    _until(terminal, None)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert "Power Grid (2004), Germany" in shown
    assert "Eve, " in shown
    assert all(f" {name}  " in shown for name in bots.names())
    assert [shown.count(f"Apprentice {name} ") > 0 for name in ("Ada", "Ben", "Cleo")] == [True] * 3


def _until(terminal: int, expected: str | None, seconds: float = 120) -> str:
    """What the terminal shows until `expected` appears, or until it closes."""
    shown = b""
    end = time.monotonic() + seconds
    while expected is None or expected.encode() not in shown.replace(b"\r", b""):
        assert time.monotonic() < end, shown.decode(errors="replace")
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # how Linux reports that the other side is gone
                break
    return shown.decode(errors="replace").replace("\r", "")


# Simulating


def test_simulate_prints_the_requested_figures() -> None:
    found = json_of(
        "simulate", "classic", "-m", "usa", "-p", 3, "-b", "clerk,random", "-g", 4, "-j", 1
    )
    assert found["bots"] == ["clerk", "random", "clerk"]
    assert found["games"] == found["finished"] == 4
    assert sum(found["wins"].values()) == 4
    assert set(found["wins"]) == {"clerk", "random"}
    assert found["rounds"]["min"] <= found["rounds"]["mean"] <= found["rounds"]["max"]
    for key in ("decisions", "seconds", "decisions_per_second", "games_per_second"):
        assert found[key] > 0


PLAYED = [
    GameCounts(True, 100, 9, (0,)),
    GameCounts(True, 300, 12, (1, 2)),
    GameCounts(False, 100, 7, ()),
]


def test_games_are_summed_up_and_who_ties_shares_a_win() -> None:
    series = Series("classic", None, ("clerk", "random", "clerk"), {}, "1", None)
    found = simulate.summary(series, PLAYED, 2.5)
    figures = ("games", "finished", "decisions", "decisions_per_second", "games_per_second")
    assert [found[name] for name in figures] == [3, 2, 500, 200.0, 1.2]
    assert found["rounds"] == {"min": 9, "mean": 10.5, "max": 12}
    assert found["wins"] == {"clerk": 1.5, "random": 0.5}
    simulate.show_summary(found, Console(width=100, file=(shown := io.StringIO())))
    assert squeezed(shown.getvalue()) == [
        "games 3, finished 2",
        "rounds 9 to 12, on average 10.5",
        "speed 200.0 decisions/s, 1.2 games/s",
        "won by clerk 1.5 (75.0%, with 2 of 3 seats)",
        "won by random 0.5 (25.0%, with 1 of 3 seats)",
    ]


def test_without_a_game_that_ended_nobody_has_won() -> None:
    found = simulate.summary(Series("classic", None, ("a", "b"), {}, "1", None), PLAYED[2:], 1)
    assert (found["finished"], found["wins"]) == (0, {"a": 0, "b": 0})
    assert found["rounds"] == {"min": 0, "mean": 0, "max": 0}
    simulate.show_summary(found, Console(width=100, file=(shown := io.StringIO())))
    assert squeezed(shown.getvalue())[-1] == "won by b 0 (0.0%, with 1 of 2 seats)"


def test_progress_is_shown_beside_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """The results may go to another program."""
    monkeypatch.setattr(Console, "is_terminal", True)
    words = ("simulate", "cardgame", "-b", "random", "-p", 2, "-g", 2, "-j", 1)
    shown = run(*words, "--json")
    assert json.loads(shown.stdout)["games"] == 2
    assert "2/2" in shown.stderr


def test_simulate_plays_with_the_owners_cards(tmp_path: Path) -> None:
    shipped = Path(hv.__file__).parent / "games" / "cardgame" / "data" / "cards.json"
    own = tmp_path / "own.json"
    own.write_text(shipped.read_text("utf-8").replace('"reconstructed"', '"printed"'), "utf-8")
    words = ("simulate", "cardgame", "--games", 1, "--jobs", 1, "--records", tmp_path)
    assert json_of(*words, "--cards", own)["finished"] == 1
    assert "printed" in (tmp_path / "000000.txt").read_text("utf-8")


def test_the_same_seed_gives_the_same_games_with_any_number_of_processes(tmp_path: Path) -> None:
    results = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        words = ["-b", "random", "-p", 2, "-g", 6, "-s", "x", "-j", jobs, "--records", folder]
        found = json_of("simulate", "classic", *words)
        counted = {key: found[key] for key in ("finished", "decisions", "rounds", "wins")}
        results.append((counted, [file.read_text("utf-8") for file in sorted(folder.iterdir())]))
    assert results[0] == results[1]
    assert len(results[0][1]) == 6


def test_seats_rotate_with_the_game(tmp_path: Path) -> None:
    run(
        "simulate",
        "classic",
        "-b",
        "clerk,random",
        "-p",
        2,
        "-g",
        2,
        "-j",
        1,
        "--records",
        tmp_path,
    )
    names = [hv.replay(file).names for file in sorted(tmp_path.iterdir())]
    assert names == [("Clerk 1", "Random 2"), ("Random 2", "Clerk 1")]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_raises_is_reported(tmp_path: Path, jobs: int) -> None:
    own = tmp_path / "mine.py"
    own.write_text(
        "class Broken:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, view, legal): return 1 / 0\n"
    )
    result = run("simulate", "classic", "-b", f"{own}:Broken", "-g", 3, "-j", jobs)
    assert result.exit_code == 1
    assert "Broken' failed in game 0 (move 1, round 1, auction): ZeroDivisionError" in result.output
    assert "mine.py:3" in result.output


def test_times_of_queries_are_in_microseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "time_of", lambda _: 12.5e-6)
    found = bench.query_figures("cardgame", [hv.new("cardgame", players=3, seed=1)], 1)
    for name in ("new_us", "view_us", "history_us", "undo_us", "resample_us", "tycoon_us"):
        assert found[name] == 12.5


def test_bench_measures_every_rulebook() -> None:
    found = json_of("bench", "--games", 1, "--repeats", 1)
    assert [each["rulebook"] for each in found["results"]] == list(hv.games())
    assert found["results"][0]["ratio"] == 1
    assert found["machine"]["python"]
    build = "compiled" if "compiled" in run("--version").stdout else "pure"
    assert found["machine"]["build"] == build
    taught = {each["rulebook"] for each in found["results"] if each["tycoon_us"]}
    assert taught == NETWORKS.keys()
    for each in found["results"]:
        speeds = ("decisions_per_second", "games_per_second", "simulate")
        times = ("copy", "legal_moves", "new", "view", "history", "undo", "resample")
        for key in (*speeds, *(f"{what}_us" for what in times)):
            assert each[key] > 0
    shown = run("bench", "-r", "classic", "-g", 1, "--repeats", 1).stdout
    assert "decisions/s" in shown
    assert "view with history" in shown
    assert f", {build}, one core" in " ".join(shown.split())  # a long name may fill the line
    assert re.search(r"^tycoon +[\d,]+ \(\d", shown, re.MULTILINE)


def test_a_decision_without_a_network_is_not_timed() -> None:
    preparing = hv.new("classic", regions="draft")
    assert tycoon_time([preparing], 1) is None


# Replaying


def test_replay_prints_the_game_and_its_end(record: Path) -> None:
    shown = run("replay", record).stdout
    moves = len(hv.replay(record).log)
    assert "Round 1: Auction" in shown
    assert " nominates plant " in shown
    assert re.search(r"has won!\n +Player +Powered +Money +Cities", shown)
    assert f"according to the rules: {moves} moves." in shown


def test_replay_shows_any_position(record: Path) -> None:
    shown = run("replay", record, "--at", 0).stdout
    assert "Round 1 · Auction" in shown
    assert "is to move" in shown
    found = json_of("replay", record, "--at", 7)
    assert found["moves"] == found["view"]["seq"] == 7
    assert found["outcome"] is None
    assert json_of("replay", record)["outcome"]["reason"] == "cities"
    last = json_of("replay", record)["moves"]
    assert json_of("replay", record, "--at", last)["view"]["seq"] == last
    for at in (last + 1, -1):
        assert run("replay", record, "--at", at).exit_code == 2


def test_replay_goes_step_by_step(record: Path) -> None:
    shown = run("replay", record, "--step", typed="\n\nb\n40\nq\n").stdout
    assert [shown.count(f"Move {n} /") for n in (0, 1, 2, 40, 41)] == [1, 2, 1, 1, 0]
    last = len(hv.replay(record).log)
    shown = run("replay", record, "--step", typed="back\n99999\n\nb\nq\n").stdout
    moves = [int(n) for n in re.findall(rf"Move (\d+) / {last}", shown)]
    assert moves == [0, 0, last, last, last - 1]


def test_a_damaged_record_is_refused_with_line_and_reason(record: Path) -> None:
    text = record.read_text("utf-8")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if ": bid" in each)
    lines = text.splitlines()
    lines[line - 1] = lines[line - 1].replace("bid", "bid 1")
    record.write_text("\n".join(lines), "utf-8")
    result = run("replay", record)
    assert result.exit_code == 1
    assert f"{record}, line {line}:" in result.output.replace("\n", "")


def test_a_record_by_unknown_rules_is_shown_as_far_as_ours_can_read_it(record: Path) -> None:
    text, shown = record.read_text("utf-8"), run("replay", record).stdout
    newer = hv.games()["classic"].versions[-1] + 1
    record.write_text(re.sub("rulebook: classic .*", f"rulebook: classic {newer}", text), "utf-8")
    result = run("replay", record)
    assert result.exit_code == 1
    assert result.output.startswith(shown[: shown.index("The record is according to the rules")])
    output = " ".join(result.output.split())
    moves = text.count("\n  ")
    assert f"played by version {newer} of the rules of classic" in output
    assert f"can be read up to move {moves} of {moves}" in output


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "game.pgn"
    foreign.write_bytes(b'[Event "F/S Return Match"]\n\xff\xfe')
    result = run("replay", foreign)
    assert result.exit_code == 1
    assert "line 1: a record starts with 'High Voltage record 1'" in result.output.replace(
        "\n", " "
    )


def test_what_cannot_be_simulated_is_refused_before_the_first_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(simulate, "simulate", lambda series, *_: begun.append(series.rulebook))
    result = run("simulate", "classic", "--map", "atlantis", "-g", 1, "-j", 1)
    assert isinstance(result.exception, SystemExit)
    assert "atlantis" in result.output
    assert begun == []


def test_a_damaged_record_is_not_shown_where_json_is_asked_for(record: Path) -> None:
    record.write_text(record.read_text("utf-8").replace(": done", ": dne", 1), "utf-8")
    assert "Germany: Clerk 1, Clerk 2, Clerk 3" in run("replay", record).stdout
    assert run("replay", record, "--json").stdout == ""


def test_a_data_set_is_without_observations_unless_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def made(about: DataSet, _folder: Path, _jobs: int, console: Console) -> Counts:
        assert console.stderr  # the progress is told beside the result
        asked.append(about.observations)
        part = ("classic", "train")
        return Counts(Counter({part: 2}), Counter({part: 1_234}), Counter(), Counter())

    monkeypatch.setattr(export, "make_dataset", made)
    folder = tmp_path / ("set" * 30)  # on one line, however long it is
    for words in ([], ["--observations"]):
        done = run("dataset", folder, "--games", 2, *words)
        assert (done.exit_code, done.stdout) == (0, f"2 games, 1,234 decisions: {folder}\n")
    assert asked == [False, True]


def test_help_names_what_is_usual() -> None:
    shown = " ".join(run("analyse", "--help").output.split())
    for word, usual in (("budget", "8"), ("most", "12"), ("seed", "1")):
        assert re.search(rf"--{word} .*?\[default: {usual}[;\]]", shown), word
    assert usual_players(about("classic")) == 4
    assert usual_players(msgspec.structs.replace(about("classic"), players=(2, 3))) == 3


def test_a_costly_move_is_a_line_of_the_table() -> None:
    worse = JudgedDecision(9, 2, "auction", 1, "pass", 0.4, "bid 13", 0.7, 0.05)
    console = Console(width=100, file=(shown := io.StringIO()))
    console.print(mistakes_table([worse], Narrator(["Ann", "Bob"], {})))
    assert shown.getvalue().splitlines() == [
        "     Loss  Move  Round  Player  Played   %  Better   %",
        "20 to 40%     9      2  Bob     pass    40  bid 13  70",
    ]
