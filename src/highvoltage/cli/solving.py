"""A puzzle at the terminal: the position as in a game, and one best move to find."""

from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from highvoltage import puzzles
from highvoltage.cli.game_spec import map_title
from highvoltage.cli.play import COMMANDS, PROMPT, Quit, TerminalGame
from highvoltage.cli.saved_table import SavedTable
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import Move
from highvoltage.games import meta
from highvoltage.puzzles import THEMES, Puzzle
from highvoltage.text.narration import percent, percent_sign
from highvoltage.text.show import Renderer, Scene, renderer_for, scene_of, title_of
from highvoltage.words import label, say

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
        name, theme = say("puzzle_of", name=puzzle.name), say(f"puzzle_theme_{puzzle.theme}")
        self.console.print(Text(f"{name} · {theme} · {title_of(self.game)}", "bold"))
        scene = scene_of(self.game, puzzle.seat)
        show = renderer_for(scene.view)
        menu = show.menu(scene)
        self.show_turn(puzzle.seat, scene, show, menu)
        find, answer = say("puzzle_find"), say("terminal_answer")
        self.console.print(Text.assemble((find, "bold"), (f"  {answer}", "dim")))
        try:
            while not self.over:
                self.handle(self.console.input(PROMPT).strip(), scene, menu)
        except (Quit, EOFError, KeyboardInterrupt):
            return False
        return True

    def play(self, move: Move) -> None:
        """Check a move against the answer; it is not played."""
        if self.puzzle.is_solved_by([str(move)]):
            self.console.print(Text(say("puzzle_right"), "green"))
            self.do_answer("")
        else:
            wrong = say("puzzle_wrong", moves=self.narrator.notation(str(move)))
            self.console.print(Text(wrong, "red"))

    def commands_help(self, scene: Scene, show: Renderer) -> list[tuple[str, str]]:
        absent = {COMMANDS[name] for name in (*PLAYING, "quit") if name in COMMANDS}
        others = [row for row in super().commands_help(scene, show) if row[0] not in absent]
        return [
            ("`answer`", say("puzzle_show")),
            *others,
            (COMMANDS["quit"], say("terminal_leave")),
        ]

    def do_answer(self, _: str) -> None:
        self.over = True
        puzzle, best, written = self.puzzle, self.puzzle.tried[0], self.narrator.notation
        answer = Text.assemble(f"{say('puzzle_answer')}: ", (written(best.move), "bold"))
        self.console.print(answer)
        self.console.print(self.narrator.reason(puzzle.why, puzzle.rulebook))
        numbers = {"best": percent(best.chance), "next": percent(best.chance - puzzle.margin)}
        if puzzle.judge == "exact":
            margin = say("puzzle_exact", **numbers)
        else:
            doubt = {"margin": percent(puzzle.margin), "error": percent(puzzle.error)}
            margin = say("puzzle_margin", **numbers, **doubt, worlds=puzzle.worlds)
        names = zip(self.game.names, puzzle.chances, strict=True)
        chances = ", ".join(f"{name} {percent_sign(chance)}" for name, chance in names)
        missed = ", ".join(label(f"bot_{bot}", bot) for bot in puzzle.missed_by)
        self.console.print(f"{margin} {say('puzzle_missed', bots=missed)}")
        self.console.print(f"{say('puzzle_everybody', chances=chances)}\n")
        self.console.print(Text(say("puzzle_tried"), "bold"))
        grid = Grid(box=None, pad_edge=False)
        size = "puzzle_income" if self.game.view()["family"] == "cardgame" else "puzzle_cities"
        grid.add_column(say("puzzle_move"))
        for head in ("puzzle_chance", size, "puzzle_money"):
            grid.add_column(say(head), justify="right")
        for each in puzzle.tried:
            style = "green" if each.move in puzzle.answers else ""
            columns = percent_sign(each.chance), str(each.size), str(each.money)
            grid.add_row(written(each.move), *columns, style=style)
        self.console.print(grid)
        self.console.print(Text(say("puzzle_later"), "dim"))


def show_list(rulebook: str | None, theme: str | None, console: Console) -> None:
    """The puzzles of a rulebook and a theme."""
    if rulebook is not None:
        meta(rulebook)  # refuses an unknown one
    if theme is not None and theme not in THEMES:
        raise OptionError(say("terminal_no_theme", name=theme, names=", ".join(THEMES)))
    grid = Grid(box=None, pad_edge=False)
    for head in ("terminal_column_puzzle", "puzzle_theme", "map"):
        grid.add_column(say(head))
    for head in ("players", "terminal_column_round"):
        grid.add_column(say(head), justify="right")
    for each in puzzles.shipped():
        if rulebook in {None, each.rulebook} and theme in {None, each.theme}:
            grid.add_row(
                each.name,
                say(f"puzzle_theme_{each.theme}"),
                map_title(each.map) if each.map else "",
                str(each.players),
                str(each.round),
            )
    console.print(grid)
