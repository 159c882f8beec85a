"""Puzzles at the terminal."""

import pytest

from cli.typing_players import Typed
from highvoltage import puzzles
from highvoltage.cli.solving import TerminalPuzzle, show_list
from highvoltage.engine.errors import OptionError


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
    rows = [line.split()[0] for line in console.text.splitlines()[1:]]
    wanted = [each for each in puzzles.shipped() if each.rulebook == "cardgame"]
    assert rows == [each.name for each in wanted if each.theme == "auction"]
    with pytest.raises(OptionError, match="no theme 'love'"):
        show_list(None, "love", console)
    with pytest.raises(OptionError, match="no rulebook 'chess'"):
        show_list("chess", None, console)
