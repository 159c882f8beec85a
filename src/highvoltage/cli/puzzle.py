"""`highvoltage puzzle`: positions in which one move is best."""

import os
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from highvoltage.cli.app import terminal
from highvoltage.cli.language import many

puzzle = typer.Typer(help="Puzzles: one move is clearly best. Find it.", rich_markup_mode=None)


@puzzle.callback(invoke_without_command=True)
def today(ctx: typer.Context) -> None:
    """Puzzles: one move is clearly best. Find it. Without a command: the puzzle of the day."""
    if ctx.invoked_subcommand is None:
        solve(None)


@puzzle.command()
def solve(
    name: Annotated[
        str | None, typer.Argument(help="A puzzle by name; else the puzzle of the day.")
    ] = None,
) -> None:
    """Solve a puzzle: see the position, type a move, learn whether it is the best."""
    from highvoltage import puzzles
    from highvoltage.cli.solving import TerminalPuzzle

    found = puzzles.get_puzzle(name) if name else puzzles.daily(date.today())  # noqa: DTZ011  # local date
    TerminalPuzzle(found, terminal()).run()


@puzzle.command("list")
def list_(
    rulebook: Annotated[
        str | None, typer.Option("--rulebook", "-r", help="Only those of this one.")
    ] = None,
    theme: Annotated[
        str | None,
        typer.Option("--theme", help="Only these: auction, bidding, fuel, building or last_round."),
    ] = None,
) -> None:
    """List the puzzles, by game and theme."""
    from highvoltage.cli import solving

    solving.show_list(rulebook, theme, terminal())


@puzzle.command()
def make(
    folder: Annotated[Path, typer.Argument(help="Where they are: records, and their index.")],
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same games.")] = "1",
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; one for each core.")
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", help="Stop then, with what has been found.")
    ] = 60,
    rulebook: Annotated[
        str | None, typer.Option("--rulebook", "-r", help="Only for this one.")
    ] = None,
) -> None:
    """Make puzzles from games between the strongest bots: those that a folder still lacks."""
    from highvoltage.games import meta
    from highvoltage.puzzles import making

    if rulebook is not None:
        meta(rulebook)  # refuses an unknown one
    console = terminal(stderr=True)
    jobs = jobs or os.cpu_count() or 1
    found = making.make(folder, seed, jobs, minutes, console.print, rulebook)
    terminal().print(f"{many(len(found), 'new puzzle', 'new puzzles')}: {folder}", soft_wrap=True)


@puzzle.command()
def audit(
    names: Annotated[
        list[str] | None, typer.Argument(help="Only these, by name; else every puzzle.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--write", help="Write the index anew into this folder: without the faulty."),
    ] = None,
    difficulty: Annotated[
        bool,
        typer.Option("--difficulty", help="Measure how often bots find the answers, too: minutes."),
    ] = False,
) -> None:
    """Judge puzzles anew, and name those whose answer is not better beyond doubt.

    Exits with 1 if one fails. Those that are not judged keep their place in the index.
    """
    from highvoltage import puzzles
    from highvoltage.puzzles import making

    console, failed = terminal(), 0
    index = {each.name: each for each in puzzles.shipped()}
    for each in [puzzles.get_puzzle(name) for name in names or index]:
        index[each.name], fault = making.audit(each, difficulty=difficulty)
        console.print(f"{each.name}: {fault or 'sound'}", soft_wrap=True)
        if fault:
            failed += 1
            del index[each.name]
    if folder is not None:
        making.write_index(folder, [*index.values()])
    sound = len(names or puzzles.shipped()) - failed
    console.print(f"{many(sound, 'puzzle', 'puzzles')} sound, {failed} faulty")
    raise typer.Exit(int(failed > 0))
