"""People at the terminal, for tests: what they type, and what they read."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

import highvoltage as hv
from highvoltage.cli.play import TerminalGame
from highvoltage.cli.saved_table import SavedTable
from highvoltage.table import Seat, Table
from highvoltage.text.show import renderer_for, scene_of

WIDTH = 80


class Typed(Console):
    """A terminal of 80 columns with scripted input; after the last line the input ends."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__(
            file=StringIO(), width=WIDTH, markup=False, highlight=False, force_terminal=False
        )
        self.lines = lines

    def input(self, prompt: Any = "", **_: Any) -> str:
        self.print(prompt, end="")
        try:
            line = next(self.lines)
        except StopIteration:
            raise EOFError from None
        self.print(line)
        return line

    @property
    def text(self) -> str:
        assert isinstance(self.file, StringIO)
        return self.file.getvalue()


def sit(game: hv.Game, file: Path, bots: dict[int, str] | None = None) -> SavedTable:
    kinds = bots or {}
    seats = [
        Seat("bot", name, kinds[n]) if n in kinds else Seat("person", name)
        for n, name in enumerate(game.names)
    ]
    return SavedTable(Table(game, seats), file, seed=1)


def type_lines(saved: SavedTable, *lines: str) -> str:
    """What the terminal shows when these lines are typed."""
    console = Typed(iter(lines))
    TerminalGame(saved, console).run()
    return console.text


def any_entry(saved: SavedTable, seed: int) -> Iterator[str]:
    """Random keys from the menu."""
    draw = Random(seed)
    while True:
        scene = scene_of(saved.game, saved.game.to_move)
        yield draw.choice(renderer_for(scene.view).menu(scene).entries).key
