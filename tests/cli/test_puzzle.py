"""Puzzles at the terminal."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from cli.typing_players import Typed
from highvoltage import puzzles
from highvoltage.cli.app import app
from highvoltage.cli.solving import TerminalPuzzle, show_list
from highvoltage.engine.errors import OptionError
from highvoltage.puzzles import Puzzle, making
from highvoltage.text.narration import percent
from highvoltage.words import say


def test_a_puzzle_is_tried_and_solved() -> None:
    puzzle = puzzles.shipped()[0]
    wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
    console = Typed(iter(["help", "dance", wrong, "hint", puzzle.answers[0], "never read"]))
    assert TerminalPuzzle(puzzle, console).run()
    shown = console.text
    assert "Not this" in shown.partition("Right!")[0]
    assert "“hint” is no move" in shown  # nobody helps here
    assert f"{puzzle.tried[0].chance:.0%} to win" in shown.replace("\n", " ").partition("Right!")[2]
    assert next(console.lines) == "never read"


@pytest.mark.parametrize("judge", ["exact", "search"])
def test_an_answer_says_how_much_better_it_is_than_the_next_best_move(judge: str) -> None:
    puzzle = next(
        each for each in puzzles.shipped() if (each.judge == "exact") == (judge == "exact")
    )
    console = Typed(iter(["answer"]))
    assert TerminalPuzzle(puzzle, console).run()
    best = puzzle.tried[0].chance
    numbers = {"best": percent(best), "next": percent(best - puzzle.margin)}
    doubt = {"margin": percent(puzzle.margin), "error": percent(puzzle.error)}
    said = (
        say("puzzle_exact", **numbers)
        if judge == "exact"
        else say("puzzle_margin", **numbers, **doubt, worlds=puzzle.worlds)
    )
    assert said in " ".join(console.text.split())
    others = [each.chance for each in puzzle.tried if each.move not in puzzle.answers]
    assert best - puzzle.margin == pytest.approx(max(others), abs=0.01)


def test_an_answer_can_be_looked_up_or_skipped() -> None:
    puzzle = puzzles.shipped()[-1]
    console = Typed(iter(["answer"]))
    assert TerminalPuzzle(puzzle, console).run()
    assert "The answer:" in console.text
    console = Typed(iter(["quit"]))
    assert not TerminalPuzzle(puzzle, console).run()
    assert "The answer:" not in console.text


def test_puzzles_are_listed_by_game_and_theme() -> None:
    console = Typed(iter(()))
    show_list("cardgame", "auction", console)
    heads, *rows = [line.split() for line in console.text.splitlines()]
    columns = ("terminal_column_puzzle", "puzzle_theme", "map", "players")
    assert heads == [*map(say, columns), say("terminal_column_round")]
    wanted = [each for each in puzzles.shipped() if each.rulebook == "cardgame"]
    auctions = [each for each in wanted if each.theme == "auction"]
    assert [row[0] for row in rows] == [each.name for each in auctions]
    assert [row[-2:] for row in rows] == [[str(each.players), str(each.round)] for each in auctions]
    with pytest.raises(OptionError, match="no theme 'love'"):
        show_list(None, "love", console)
    with pytest.raises(OptionError, match="no rulebook 'chess'"):
        show_list("chess", None, console)


def test_puzzles_are_made_as_was_asked_and_counted_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []
    found = [*puzzles.shipped()[:2]]

    def make(folder: Path, seed: str, jobs: int, minutes: float, say: Any, book: Any) -> Any:
        asked.append((folder, seed, jobs, minutes, book))
        say("one more")
        return found

    monkeypatch.setattr(making, "make", make)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    folder = tmp_path / ("puzzles" * 20)
    done = CliRunner().invoke(app, ["puzzle", "make", str(folder)])
    assert (done.exit_code, done.stdout) == (0, f"2 new puzzles: {folder}\n")
    assert done.stderr == "one more\n"
    found.pop()
    words = ["--seed", "x", "--jobs", "2", "--minutes", "1.5", "-r", "cardgame"]
    done = CliRunner().invoke(app, ["puzzle", "make", str(folder), *words])
    assert done.stdout == f"1 new puzzle: {folder}\n"
    assert asked == [(folder, "1", 3, 60, None), (folder, "x", 2, 1.5, "cardgame")]
    done = CliRunner().invoke(app, ["puzzle", "make", str(folder), "-r", "chess"])
    assert (done.exit_code, len(asked)) == (2, 2)


def test_some_puzzles_are_audited_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *others = puzzles.shipped()

    def audit(puzzle: Puzzle, *, difficulty: bool) -> tuple[Puzzle, str]:
        return replace(puzzle, worlds=99), "" if puzzle == first and difficulty else "it is faulty"

    monkeypatch.setattr(making, "audit", audit)
    words = ["puzzle", "audit", first.name, second.name, "--difficulty", "--write", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{first.name}: sound",
        f"{second.name}: it is faulty",
        "1 puzzle sound, 1 faulty",
    ]
    written = msgspec.json.decode((tmp_path / puzzles.INDEX).read_bytes(), type=list[Puzzle])
    assert written == [replace(first, worlds=99), *others]
