"""A rulebook, a map and a bot of another package, installed as an installer would do it."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsing import Player, choose, complaints, leave, open_page, open_part
from highvoltage import registry
from serving import Person, Process, Server
from spread import some

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built and installed by pip into its own folder; nothing is downloaded."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    alone = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, *alone, str(HERE)], check=True)
    return target


@pytest.fixture(scope="module")
def run(installed: Path) -> Run:
    """Run Python, or one of our commands, where the package is installed."""
    path = os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])

    def run(*words: object, typed: str = "") -> str:
        ended = subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100"},
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, (ended.stdout + ended.stderr)[-3000:]
        return ended.stdout

    return run


def test_the_variant_takes_at_most_forty_lines() -> None:
    assert len((HERE / "greenfield" / "rules.py").read_text().splitlines()) <= 40


def test_the_terminal_knows_all_three(run: Run, tmp_path: Path) -> None:
    settings = ["greenfield", "--map", "lattice", "--players", "2", "--seed", "1"]
    save = ["--save", tmp_path / "game.txt"]
    shown = run("-m", "highvoltage", "play", *settings, "--bots", "busy", *save, typed="hint\n")
    # one process for the others, which takes less time than one for each
    several = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from highvoltage.cli import app\n"
        "for line in sys.argv[1:]: print(CliRunner().invoke(app, line.split()).output, '=====')\n"
    )
    commands = ["games --json", "map list", "rules G-1.1", "--lang pl games"]
    printed = run("-c", several, *commands).split("=====")
    games = json.loads(printed[0])
    assert games["greenfield"]["maps"] == games["classic"]["maps"]
    assert games["greenfield"]["maps"]["lattice"] == "lattice"
    assert "Lattice" in printed[1]
    assert "Nobody sells uranium" in printed[2]
    assert "Zielone pole" in printed[3]
    assert "Wysokie napięcie bez uranu." in printed[3]
    assert "Lattice" in shown
    assert "Busy Ada" in shown
    assert "on offer" in shown  # the table of the board games, not the plain one


def test_the_terminal_shows_its_ruleset(run: Run) -> None:
    words = ("-m", "highvoltage", "games", "toll", "--map", "lattice", "--players", "2")
    shown = [line.split() for line in run(*words).splitlines()]
    assert shown[0] == ["Toll,", "Lattice,", "Players:", "2"]
    assert ["Border", "toll", "30", "rulebook", "G-1.1"] in shown
    assert ["Money", "at", "the", "start", "50", "rulebook", "C-2.2"] in shown


def test_its_own_refusal_is_shown_with_its_values_and_its_rule(run: Run) -> None:
    output = run(
        "-c",
        "import highvoltage as hv\n"
        "from highvoltage import words\n"
        "game = hv.new('greenfield', players=2, seed=1)\n"
        "while game.phase != 'fuel': game.play(game.legal_moves[0])\n"
        "for language in ('en', 'pl', 'de'):\n"
        "    with words.speaking(language):\n"
        "        try: game.play('buy uranium 7')\n"
        "        except hv.IllegalMove as error: print(error)\n",
    )
    assert output.splitlines() == [
        "Nobody sells uranium, let alone 7 tokens. (G-1.1)",
        "Nikt nie sprzedaje uranu, a już na pewno nie 7 żetonów. (G-1.1)",
        "Nobody sells uranium, let alone 7 tokens. (G-1.1)",  # it brings no German
    ]


def test_rulebook_and_map_pass_the_kit(run: Run) -> None:
    run(
        "-c",
        "from highvoltage.testing import Setting, check_game, check_processes, settings\n"
        "assert Setting('greenfield', 'lattice', 6) in settings('greenfield')\n"
        "for players in (2, 5):\n"
        "    check_game(Setting('greenfield', 'lattice', players), seed=players, close=0.02)\n"
        "check_game(Setting('classic', 'lattice', 3), seed=1, close=0.01)\n"
        "check_processes([(Setting('greenfield', 'lattice', 2), 1)])\n",
    )


def test_the_bot_passes_the_kit_in_every_rulebook(run: Run) -> None:
    run(
        "-c",
        "from greenfield.busy import Busy\n"
        "from highvoltage.games import editions\n"
        "from highvoltage.testing import Setting, check_bot\n"
        "check_bot(Busy, [Setting(name, players=3) for name in editions()])\n",
    )


@pytest.mark.long
def test_bots_of_both_packages_meet_in_a_simulation(run: Run) -> None:
    words = ["--map", "lattice", "--bots", "busy,clerk,engineer,director:2"]
    played = run("-m", "highvoltage", "simulate", "greenfield", *words, "--games", 1, "--jobs", 1)
    assert "busy" in played


# Our own tests

COUNT_ON_WHAT_IS_INSTALLED = (
    *(f"src/highvoltage/{package}/__init__.py" for package in ("bots", "rules")),
    "tests/bots/test_bots.py::test_a_bot_that_cannot_be_loaded_is_refused",
    "tests/cli/test_commands.py::test_help_names_every_bot",
    "tests/corpus/test_corpus.py::test_the_corpus_shows_every_kind_of_end_and_every_route_to_it[classic]",
    "tests/engine/test_record.py::test_a_game_that_cannot_be_set_up",
    "tests/puzzles/test_puzzles.py::test_there_are_fifty_puzzles_of_every_game_and_theme",
    "tests/test_rules_text.py::test_every_rule_is_proved_or_needs_no_proof",
)


@pytest.mark.long
def test_our_own_tests_pass_where_it_is_installed(run: Run) -> None:
    """Those that once failed there."""
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", *COUNT_ON_WHAT_IS_INSTALLED)


def test_none_of_them_iterates_over_what_others_install() -> None:
    """`ours` has the rulebooks and bots to iterate over."""
    everything = re.compile(
        r"^(@pytest.mark.parametrize|\w+ = ).*\b(games|editions|names)\(\)(?!\[)", re.MULTILINE
    )
    made = [
        file.name
        for file in ROOT.glob("tests/**/test_*.py")
        if everything.search(file.read_text("utf-8"))
    ]
    assert made == []


# The server


class Installed(Process):
    """A server with the package installed."""

    def __init__(self, folder: Path, installed: Path) -> None:
        self.environment = {"PYTHONPATH": str(installed)}
        super().__init__(folder)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Iterator[Installed]:
    running = Installed(tmp_path_factory.mktemp("data"), installed)
    yield running
    assert running.stop() == 0


BUSY = {"kind": "bot", "bot": "busy"}


@pytest.mark.skipif(
    "greenfield" in registry.entries(registry.RULEBOOKS), reason="every server here has it"
)
def test_the_server_plays_all_three_and_says_what_it_lacks_without_them(
    server: Installed, tmp_path: Path
) -> None:
    with Person(server, "Ann") as ann:
        offered = ann.get("/api/games").json()
        assert "busy" in offered["bots"]
        (game,) = [each for each in offered["games"] if each["name"] == "greenfield"]
        assert game["family"] == "board"
        assert game["title"] == "Greenfield"
        assert ann.get("/api/words/pl").json()["game_greenfield"] == "Zielone pole"
        assert ann.get("/api/words/de").json()["game_greenfield"] == "Greenfield"
        assert ann.get("/api/words/xx").status_code == 404
        assert ann.get("/api/maps/lattice").json()["name"] == "Lattice"
        assert "G-1.1" in ann.get("/api/rules/greenfield").text
        settings: dict[str, Any] = {"rulebook": "greenfield", "map": "lattice"}
        running = ann.table([{"kind": "me"}, BUSY], **settings)["id"]
        with ann.live(running) as live:
            while not any(row["seat"] == 1 for row in live.log):
                live.until(lambda s: s["legal"])
                live.play(Random(1), 1)
            live.until(lambda s: s["legal"])
            assert live.state["view"]["family"] == "board"
        open_table = ann.table([{"kind": "me"}, {"kind": "open"}], **settings)["id"]
        cookies = ann.cookies

    (tmp_path / "secret").write_bytes((server.folder / "secret").read_bytes())
    with (
        closing(sqlite3.connect(server.folder / "highvoltage.db")) as games,
        closing(sqlite3.connect(tmp_path / "highvoltage.db")) as copy,
    ):
        games.backup(copy)
    plain = Server(tmp_path)
    with Person(plain, "Ann") as ann:
        ann.cookies = cookies
        assert ann.get("/api/words/pl").json() == {}
        for table in (running, open_table):
            answer = ann.get(f"/api/tables/{table}")
            assert answer.status_code == 409
            assert answer.json()["code"] == "no_rulebook"
            assert "Rulebook: greenfield." in answer.json()["message"]
        with ann.live(running) as live:
            assert live.next("error")["code"] == "no_rulebook"
        other = ann.table([{"kind": "me"}, {"kind": "bot", "bot": "random"}])["id"]
        with ann.live(other) as live:
            live.until(lambda s: s["legal"])
    assert plain.stop() == 0
    assert plain.errors() == []


def test_a_family_that_nobody_judges_has_no_line_to_wait_for(server: Installed) -> None:
    with Person(server, "Ann") as ann:
        table = ann.table([BUSY, BUSY], rulebook="bare")["id"]
        line = ann.get(f"/api/tables/{table}/line").json()
    names = ["Busy", "Busy 2"]
    assert line == {"names": names, "curves": [], "turns": [], "complete": True, "over": False}


# The page


@pytest.fixture
def page(server: Installed, browser: Browser) -> Iterator[Page]:
    opened = open_page(browser, server.url)
    yield opened
    assert complaints(opened) == []
    leave(opened)


@pytest.mark.long
def test_the_page_plays_it_and_draws_its_map(page: Page) -> None:
    page.goto("/new")
    choose(page, "Rulebook", "Greenfield")
    open_part(page, "Map")
    expect(page.locator("button[value=lattice]")).to_have_text("Lattice")
    player = Player(page)
    player.sit_down("greenfield", 2, map="lattice", seed=2)
    player.wait()
    expect(page.locator(".land .ground")).to_have_attribute("d", re.compile("^M"))
    assert player.play() == "over"
    assert player.seen >= {"nominate", "fuel", "building", "bureaucracy"}


@pytest.mark.long
def test_the_page_shows_its_refusal_with_its_values_in_polish(
    server: Installed, browser: Browser
) -> None:
    """The page offers only legal moves, so the move is replaced on its way to the server."""
    page = open_page(browser, server.url, language="pl")

    def between(route: WebSocketRoute) -> None:
        line = route.connect_to_server()
        route.on_message(
            lambda message: line.send(str(message).replace('"done"', '"buy uranium 3"'))
        )

    page.route_web_socket("**/live", between)
    player = Player(page)
    page.goto("/new")
    open_part(page, "Zasady gry")
    expect(page.locator("button[value=greenfield]")).to_have_text("Zielone pole")
    player.sit_down("greenfield", 2, map="lattice", seed=2)
    assert player.play("fuel") == "fuel"
    player.button("[data-key=d]").click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("Nikt nie sprzedaje uranu, a już na pewno nie 3 żetony.")
    expect(notice.get_by_role("button", name="G-1.1")).to_be_visible()
    assert complaints(page) == []
    page.context.close()


def test_a_family_that_the_page_does_not_know_gets_the_plain_table(page: Page) -> None:
    player = Player(page)
    player.sit_down("bare", 2, seed=2)
    player.wait()
    expect(page.locator(".facts dt", has_text="Purses")).to_be_visible()
    expect(page.locator(".player .cash")).to_have_text(["", ""])  # not as if it were hidden
    before = player.seq()
    player.play(most=8)
    assert int(player.seq()) >= int(before) + 8


@pytest.mark.long
@pytest.mark.parametrize("board", some("lattice", of=["usa", "lattice"]))
def test_a_rule_that_raises_connection_costs_is_shown_by_a_page_that_does_not_know_it(
    page: Page, board: str
) -> None:
    """The page's build has the one board, the server sends the other."""
    player = Player(page)
    table = player.sit_down("toll", 2, map=board, seed=2)
    player.wait()
    page.locator(".costs text").first.wait_for()
    drawn = [int(cost) for cost in page.locator(".costs text").all_text_contents()]
    printed = page.request.get(f"/api/maps/{board}").json()
    regions = page.request.get(f"/api/tables/{table}").json()["view"]["regions"]
    inside = {city["id"] for city in printed["cities"] if city["region"] in regions}
    costs = [cost for a, b, cost in printed["connections"] if {a, b} <= inside]
    assert sorted(drawn) == sorted(cost + 30 for cost in costs)
    page.get_by_role("button", name="What this table is played by").click()
    line = page.locator("[data-line=border_toll]")
    expect(line.locator(".name")).to_have_text("Border toll")
    expect(line.locator(".value")).to_have_text("30")
    expect(line.get_by_role("button", name="G-1.1")).to_be_visible()
