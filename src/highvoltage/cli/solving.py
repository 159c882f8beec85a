"""A puzzle at the terminal: the position as in a game, and one best move to find."""

from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text

from highvoltage import puzzles
from highvoltage.cli.narration import listed, plain
from highvoltage.cli.play import PROMPT, Quit, TerminalGame, table_of
from highvoltage.cli.saved_table import SavedTable
from highvoltage.cli.show import renderer_for, scene_of, title_of
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import Move
from highvoltage.games import metas
from highvoltage.puzzles import THEMES, Puzzle
from highvoltage.views import Reason
from highvoltage.words import say

ABOUT = {
    "auction": "what to put up",
    "bidding": "bid or pass",
    "fuel": "fuel",
    "building": "building",
    "last_round": "the last round",
}
HELP = """\
A move, a number or a key from the list, or the beginning of a word:

{moves}

`answer` shows the answer, `table` the position, `map` the cities, `log` what has happened,
`rules` the rules, `quit` leaves.
"""
PLAYING = ("hint", "ok", "max", "undo", "save")  # commands of a game that goes on


class TerminalPuzzle(TerminalGame):
    """A position in which the player looks for the best move."""

    def __init__(self, puzzle: Puzzle, console: Console) -> None:
        super().__init__(SavedTable(puzzle.table(), Path(), 0), console)
        self.puzzle = puzzle
        self.over: bool = False
        for name in PLAYING:
            del self.commands[name]
        self.commands["answer"] = self.do_answer

    def run(self) -> bool:
        """Ask until the answer is found or shown (True), or the player leaves (False)."""
        puzzle = self.puzzle
        about = f"Puzzle {puzzle.name}, {ABOUT[puzzle.theme]}: {title_of(self.game)}"
        self.console.print(Text(about, "bold"))
        scene = scene_of(self.game, puzzle.seat)
        show = renderer_for(scene.view)
        menu = show.menu(scene)
        self.show_turn(puzzle.seat, scene, show, menu)
        self.console.print(Text("Find the best move; answer shows it.", "bold"))
        try:
            while not self.over:
                self.handle(self.console.input(PROMPT).strip(), scene, menu)
        except (Quit, EOFError, KeyboardInterrupt):
            return False
        return True

    def play(self, move: Move) -> None:
        """Check a move against the answer; it is not played."""
        if self.puzzle.is_solved_by([str(move)]):
            self.console.print(Text("Right!", "green"))
            self.do_answer("")
        else:
            self.console.print(Text(f"Not this: {self.named(str(move))}. Try again.", "red"))

    def named(self, text: str) -> str:
        """A move with the names of its places."""
        return " ".join(self.narrator.places.get(word, word) for word in text.split())

    def do_help(self, _: str) -> None:
        scene = scene_of(self.game, self.puzzle.seat)
        typed, means = say("terminal_help_typed"), say("terminal_help_means")
        moves = table_of(typed, means, renderer_for(scene.view).syntax_help(scene))
        self.console.print(Markdown(HELP.format(moves=moves)))

    def do_answer(self, _: str) -> None:
        self.over = True
        puzzle, best = self.puzzle, self.puzzle.tried[0]
        values = {name: self._readable(value) for name, value in puzzle.why.values.items()}
        self.console.print(Text.assemble("The best move: ", (self.named(best.move), "bold"), "."))
        self.console.print(f"{Reason(puzzle.why.code, values)}")
        self.console.print(
            f"{best.chance:.0%} to win, {100 * puzzle.margin:.0f} points more than the next best,"
            f" give or take {100 * puzzle.error:.0f}, in {puzzle.worlds} games played on from here."
            f" {listed([bot.capitalize() for bot in puzzle.missed_by])} would have missed it.\n"
        )
        grid = Grid(box=None, pad_edge=False)
        size = "income" if self.game.view()["family"] == "cardgame" else "cities"
        grid.add_column("tried")
        for head in ("to win", f"{size} later", "money later"):
            grid.add_column(head, justify="right")
        for each in puzzle.tried:
            style = "green" if each.move in puzzle.answers else ""
            numbers = f"{each.chance:.0%}", str(each.size), str(each.money)
            grid.add_row(self.named(each.move), *numbers, style=style)
        self.console.print(grid)

    def _readable(self, value: int | str) -> int | str:
        return self.named(value) if isinstance(value, str) else value


def show_list(rulebook: str | None, theme: str | None, console: Console) -> None:
    """The puzzles of a rulebook and a theme."""
    if rulebook is not None and rulebook not in metas():
        raise OptionError(f"There is no rulebook '{rulebook}'. Take {', '.join(metas())}.")
    if theme is not None and theme not in THEMES:
        raise OptionError(f"There is no theme '{theme}'. Take {', '.join(THEMES)}.")
    grid = Grid(box=None, pad_edge=False)
    for head in ("puzzle", "about", "map", "players", "round"):
        grid.add_column(head, justify="right" if head in {"players", "round"} else "left")
    for each in puzzles.shipped():
        if rulebook in {None, each.rulebook} and theme in {None, each.theme}:
            grid.add_row(
                each.name,
                ABOUT[each.theme],
                plain(each.map or ""),
                str(each.players),
                str(each.round),
            )
    console.print(grid)
