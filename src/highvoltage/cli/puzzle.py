"""`highvoltage puzzle`: positions with one best move, to be found."""

import os
from pathlib import Path
from typing import Annotated

import typer

from highvoltage.cli.app import terminal
from highvoltage.cli.words import many

puzzle = typer.Typer(
    help="Puzzles: one move is clearly best. Find it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@puzzle.command()
def make(
    folder: Annotated[Path, typer.Argument(help="Where to write them: records, and their index.")],
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same games.")] = "1",
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; one for each core.")
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", help="Stop then, with what has been found.")
    ] = 60,
) -> None:
    """Make the puzzles that are shipped, from games played for it by the strongest bots."""
    from highvoltage.puzzles import making

    console = terminal(stderr=True)
    found = making.make(folder, seed, jobs or os.cpu_count() or 1, minutes, console.print)
    terminal().print(f"{many(len(found), 'puzzle', 'puzzles')}: {folder}", soft_wrap=True)
