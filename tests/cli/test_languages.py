"""The terminal in each language: nothing of ours is left in English."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import highvoltage as hv
from cli.typing_players import Typed, any_entry, sit, type_lines
from highvoltage import puzzles, words
from highvoltage.analysis import Analysis, JudgedDecision
from highvoltage.cli.analyse import mistake_line
from highvoltage.cli.analyse import show as show_analysis
from highvoltage.cli.app import app
from highvoltage.cli.game_spec import ask_game_spec, ask_resume, new_table
from highvoltage.cli.play import TerminalGame
from highvoltage.cli.solving import TerminalPuzzle, show_list
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import known_maps
from highvoltage.games import editions
from highvoltage.puzzles import Puzzle
from highvoltage.text.show import narrator_for
from highvoltage.views import Reason
from highvoltage.words import catalogue
from highvoltage.words.check import texts_of
from ours import RULEBOOKS
from spread import some

OTHERS = [language for language in words.LANGUAGES if language != "en"]
ASKED = [
    "help",
    "legal",
    "map",
    "log",
    "why",
    "nonsense",
    "99",
    "max",
    "max 99 5",
    "rules Q-1",
    "game",
]
NOTATION = (  # what is typed is the same in every language
    *ASKED,
    *("answer", "returning"),
    *("hint", "ok", "table", "rules", "undo", "save", "file", "quit", "words", "exact"),
    *("from", "for", "nothing", "human", "station", "plant", "habitat", "city", "free"),
    *("coal", "oil", "gas", "garbage", "uranium", "classic", "recharged", "cardgame", "outpost"),
    *("random", "apprentice", "clerk", "engineer", "director", "tycoon", "eco"),
    *(kind.verb for name in RULEBOOKS for kind in editions()[name].rules.moves),
)


def _words(text: str) -> set[str]:
    """The words of a text, in small letters and without the values that are put in."""
    return {*re.findall(r"[^\W\d_]{2,}", re.sub(r"{\w+}", "", text).casefold())}


@cache
def _vocabulary(language: str) -> set[str]:
    return {
        word
        for message in catalogue.own(language).values()
        for text in texts_of(message)
        for word in _words(text)
    }


@cache
def _names() -> set[str]:
    """The words of all names on maps, which no language changes."""
    files = Path(hv.__file__).parent.rglob("*.json")
    return {
        word
        for file in files
        for name in re.findall(r'"name": *"([^"]+)"', file.read_text())
        for word in _words(name)
    }


def _left_in_english(shown: str, language: str) -> set[str]:
    """The English words in what was shown, apart from names and what is typed."""
    english = _vocabulary("en") - _vocabulary(language) - {*NOTATION} - _names()
    return _words(shown) & english


def test_english_is_noticed() -> None:
    shown = "Ann przyłącza miasto Essen za 10 Ɇ.\n 3  buys three  powers 1 city\n"
    assert _left_in_english(shown, "pl") == {"buys", "three", "powers"}


@pytest.mark.parametrize(
    ("rulebook", "language"),
    some(("outpost", "de"), of=product(RULEBOOKS, OTHERS)),
)
def test_a_whole_game_is_shown_in_the_language(
    rulebook: str, language: str, tmp_path: Path
) -> None:
    """A person, a bot and the party that is neither."""
    game = hv.new(rulebook, players=["Ann", "Clerk Ada"], seed=4)
    kept = sit(game, tmp_path / "game.txt", {1: "clerk"})
    console = Typed(_typed(any_entry(kept, seed=5)))
    with words.speaking(language):
        assert TerminalGame(kept, console).run()
        assert f"{words.say('bot_clerk')} Ada" in console.text
        assert words.say("terminal_column_player") in console.text
    assert _left_in_english(console.text, language) == set()
    assert "Clerk" not in console.text


def _typed(entries: Iterator[str]) -> Iterator[str]:
    """Moves, and in between everything that can be asked."""
    for number, entry in enumerate(entries):
        if number % 60 == 0:
            yield from ASKED
        yield entry


@pytest.mark.parametrize("language", some("cs", of=OTHERS))
@pytest.mark.parametrize(
    "options",
    [
        {"rulebook": "classic", "map": "central_europe", "demolition": True, "money": "hidden"},
        {"rulebook": "recharged", "map": "usa", "standard_starting_cities": True},
        {"rulebook": "classic", "map": "benelux", "regions": "draft"},
        {"rulebook": "cardgame", "demolition": True, "money": "hidden"},
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_options_and_maps_are_shown_in_the_language(
    language: str, options: dict[str, Any], tmp_path: Path
) -> None:
    game = hv.new(players=["Ann", "Bob", "Cem"], seed=4, **options)
    kept = sit(game, tmp_path / "game.txt", dict.fromkeys(range(3), "clerk"))
    while kept.game.state.round < 3:
        kept.play_bot()
    kept.people = [0, 1, 2]
    with words.speaking(language):
        shown = type_lines(kept, "help", "map", "log 500")
    assert _left_in_english(shown, language) == set()


def test_maps_regions_and_bots_have_the_names_of_the_language(tmp_path: Path) -> None:
    regions = ["czechia", "slovakia", "austria"]
    names = ["Ann", "Clerk Ada"]
    game = hv.new("classic", map="central_europe", players=names, seed=1, regions=regions)
    kept = sit(game, tmp_path / "game.txt", {1: "clerk"})
    with words.speaking("pl"):
        shown = type_lines(kept, "map")
    assert "Europa Środkowa" in shown
    assert "Czechy" in shown
    assert "Urzędnik Ada" in shown
    assert "Clerk Ada" in kept.file.read_text()


# Puzzles


def _kinds_of_puzzles() -> list[Puzzle]:
    """One for each rulebook and theme."""
    return [*{(each.rulebook, each.theme): each for each in puzzles.shipped()}.values()]


@pytest.mark.parametrize("language", some("cs", of=OTHERS))
def test_puzzles_are_set_and_solved_in_the_language(language: str) -> None:
    for puzzle in _kinds_of_puzzles():
        wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
        console = Typed(iter(["help", wrong, puzzle.answers[0]]))
        with words.speaking(language):
            assert TerminalPuzzle(puzzle, console).run()
            assert words.say("puzzle_right") in console.text
        assert _left_in_english(console.text, language) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_puzzles_are_listed_in_the_language(language: str) -> None:
    console = Typed(iter(()))
    with words.speaking(language):
        show_list(None, None, console)
        assert words.say("puzzle_theme_last_round") in console.text
        with pytest.raises(OptionError) as refused:
            show_list(None, "love", console)
        assert words.say("puzzle_none") in _run(language, "puzzle", "solve", "chess-1")
    assert _left_in_english(console.text, language) == set()
    said = str(refused.value).replace(", ".join(puzzles.THEMES), "")
    assert _left_in_english(said, language) == set()


# After the game


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game between a person, who plays badly, and a bot."""
    game = hv.new("cardgame", players=["Ann", "Clerk Ada"], seed=4)
    kept = sit(game, tmp_path_factory.mktemp("record") / "game.txt", {1: "clerk"})
    assert TerminalGame(kept, Typed(any_entry(kept, seed=5))).run()
    return kept.file


def _run(language: str, *arguments: object, typed: str = "") -> str:
    """What a command prints, on both channels."""
    words_typed = ["--lang", language, *map(str, arguments)]
    return CliRunner().invoke(app, words_typed, input=typed).output


@pytest.mark.parametrize("language", some("sr-Latn", of=OTHERS))
def test_a_record_is_replayed_in_the_language(language: str, record: Path) -> None:
    whole = _run(language, "replay", record)
    steps = _run(language, "replay", record, "--step", typed="\n\nb\n9\n1000\nq\n")
    nowhere = _run(language, "replay", record, "--at", 1000)
    with words.speaking(language):
        moves = len(hv.replay(record).log)
        assert words.say("terminal_record_valid", count=moves) in whole
        assert f"{words.say('replay_move')} {moves} / {moves}" in steps
        assert words.say("terminal_no_position", count=moves, position=1000) in nowhere
    for shown in (whole, steps, nowhere):
        assert _left_in_english(shown, language) == set()
        assert "Clerk" not in shown


@pytest.mark.parametrize("language", OTHERS)
def test_an_analysis_is_shown_in_the_language(language: str, record: Path) -> None:
    game = hv.replay(record)
    why = Reason("wins_more", {"than": "pass", "chance": 70, "next": 40, "playouts": 48})
    worse = JudgedDecision(9, 2, "auction", 1, "pass", 0.4, "bid 13", 0.7, 0.05, why)
    for decisions in ([worse], []):
        console = Typed(iter(()))
        with words.speaking(language):
            console.print(mistake_line(worse, narrator_for(game), "cardgame"))
            analysis = Analysis(game.names, decisions, [[0.5], [0.5]], [], ("director",), 1)
            show_analysis(analysis, game, 12, console)
            assert words.say("analysis_better", move="bid 13") in console.text
            assert (words.say("analysis_none") in console.text) == (not decisions)
        assert _left_in_english(console.text, language) == set()
        assert "Clerk" not in console.text


# Lists


@pytest.mark.parametrize("language", OTHERS)
def test_games_are_listed_in_the_language(language: str) -> None:
    shown = _run(language, "games")
    with words.speaking(language):
        for heading in ("players", "map", "terminal_boards", "opponent_kind"):
            assert words.say(heading) in shown
    assert _left_in_english(_without_typed(shown), language) == set()


def _without_typed(shown: str) -> str:
    """The text without the names of maps, variants, options and choices, the same everywhere."""
    typed = {"on", "off", *known_maps()}
    typed |= {variant for board in known_maps().values() for variant in board.variants}
    for meta in hv.games().values():
        typed |= {*meta.maps, *(option.name for option in meta.options)}
        typed |= {str(choice) for option in meta.options for choice in option.choices}
    for name in sorted(typed, key=len, reverse=True):
        shown = re.sub(rf"\b{name}\b", "", shown)
    return shown


# Setting up


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_is_set_up_in_the_language(language: str) -> None:
    answers = ["x", "classic", "qq", "1", "99", "", "Clerk", "a:b", "Ann", "qq", "clerk"]
    console = Typed(iter(answers))
    with words.speaking(language):
        spec = ask_game_spec(console)
        assert words.say("terminal_ask_bots") in console.text
        assert words.say("terminal_take_one", names="classic, recharged")[:8] in console.text
        assert words.say("bot_tycoon") in console.text
    assert (spec.rulebook, spec.map, spec.people, spec.bots) == (
        "classic",
        "germany",
        ("Ann",),
        ("clerk",),
    )
    assert _left_in_english(console.text, language) == set()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a game in which a move was made."""
    file = tmp_path_factory.mktemp("begun") / "game.txt"
    kept = new_table(ask_game_spec(Typed(iter([""] * 4 + ["Ann", ""]))), file)
    while kept.game.to_move not in kept.people:
        kept.play_bot()
    type_lines(kept, "hint", "ok")
    return file.read_text()


@pytest.mark.parametrize(
    ("language", "answer", "resumed"),
    [
        ("pl", "t", True),
        ("pl", "tak", True),
        ("pl", "", True),
        ("pl", "y", True),
        ("pl", "yes", True),
        ("pl", "n", False),
        ("pl", "nie", False),
        ("de", "Ja", True),
        ("cs", "ano", True),
        ("sr-Latn", "da", True),
        ("en", "y", True),
        ("en", "no", False),
    ],
)
def test_yes_may_be_said_in_the_language_or_in_english(
    language: str, answer: str, resumed: bool, begun: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(begun)
    console = Typed(iter([answer]))
    with words.speaking(language):
        assert (ask_resume(console, file) is not None) == resumed
        assert words.say("terminal_ask_resume") in console.text
    assert (language == "en") == bool(re.search("unfinished game", console.text))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "wrong",
    [
        ["nogame"],
        ["classic", "--players", "9"],
        ["classic", "--map", "atlantis"],
        ["outpost", "--map", "atlantis"],
        ["cardgame", "--map", "germany"],
        ["classic", "--bots", "nobot"],
        ["classic", "--bots", "clerk:2s"],
        ["classic", "--option", "weather=fair"],
        ["classic", "--option", "money=lent"],
    ],
    ids=" ".join,
)
def test_a_game_that_does_not_exist_is_refused_in_the_language(
    language: str, wrong: list[str], tmp_path: Path
) -> None:
    arguments = ("play", *wrong, "--you", "Ann", "--save", tmp_path / "game.txt")
    said, english = _run(language, *arguments), _run("en", *arguments)
    assert said.startswith("highvoltage: ")
    assert said != english
    assert _left_in_english(_without_typed(said).removeprefix("highvoltage: "), language) == set()
