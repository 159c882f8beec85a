"""`highvoltage map`: list, show, check, lay out, make and judge maps."""

import os
from pathlib import Path
from typing import Annotated

import typer

from highvoltage.cli.app import terminal

maps = typer.Typer(
    help="Maps: list, show, check, lay out, make, judge.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@maps.command("list")
def map_list() -> None:
    """List the maps that are installed."""
    from highvoltage.cli import listing

    listing.show_maps(terminal())


@maps.command("show")
def map_show(name: Annotated[str, typer.Argument(help="A map by name, or a map file.")]) -> None:
    """Show the cities of a map and what their connections cost."""
    from highvoltage.cli import listing

    listing.show_map(name, terminal())


@maps.command("export")
def map_export(
    name: Annotated[str, typer.Argument(help="A map by name.")],
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
) -> None:
    """Write the file of a map, to correct it and play it with --map."""
    from highvoltage.cli import listing

    if not listing.export_file(name, file, terminal()):
        raise typer.Exit(1)


@maps.command("check")
def map_check(file: Annotated[Path, typer.Argument(help="A map file (.json).")]) -> None:
    """Check a map file: list everything that is wrong with it, or what it changes."""
    from highvoltage.cli import listing
    from highvoltage.cli.ruleset import show_changes

    if not listing.check_file(file, terminal()):
        raise typer.Exit(1)
    show_changes(file, terminal())


@maps.command("layout")
def map_layout(file: Annotated[Path, typer.Argument(help="A map file (.json).")]) -> None:
    """Lay out the cities of a map file for drawing.

    It starts from their longitudes and latitudes, takes some seconds and writes the positions
    into the file.
    """
    from highvoltage.cli import listing

    if not listing.lay_out_file(file, terminal()):
        raise typer.Exit(1)


@maps.command("make")
def map_make(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same map.")] = "1",
    cities: Annotated[int, typer.Option(help="How many cities.")] = 42,
    regions: Annotated[int, typer.Option(help="How many regions, 5 to 7.")] = 6,
    like: Annotated[str, typer.Option(help="The map whose costs it takes over.")] = "germany",
    language: Annotated[str, typer.Option(help="Of the names: en, pl, cs, sr, de.")] = "en",
    mend: Annotated[
        bool, typer.Option(help="Change costs until it plays like an official board: a minute.")
    ] = True,
) -> None:
    """Draw a new map, and mend it by the games that bots play on it."""
    from highvoltage.cli import making
    from highvoltage.mapmaker import make_map

    board = make_map(seed, cities, regions, like, language)
    making.write_made(board, file, mended=mend, console=terminal())


@maps.command("judge")
def map_judge(
    name: Annotated[str, typer.Argument(help="A map by name, or a map file.")],
    games: Annotated[int, typer.Option("--games", "-g", min=20, help="How many games.")] = 1500,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; else one per core."),
    ] = None,
) -> None:
    """Say whether a map is a good one, by games of clerks and engineers.

    Each figure stands beside the span of the official boards. Ctrl+C judges by the games played
    so far.
    """
    from highvoltage.cli import making

    found = making.judge_map(name, games, jobs or os.cpu_count() or 1, terminal(stderr=True))
    making.show_verdict(found, name, terminal())
