"""`highvoltage map make` and `highvoltage map judge`."""

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from highvoltage.cli.series import in_order
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Map
from highvoltage.mapmaker.judge import Sample, Verdict, play_sample, tally, verdict
from highvoltage.mapmaker.layout import write_map
from highvoltage.mapmaker.mending import mend

FIGURES = {  # what each says, and how it is written
    "rounds": ("rounds of a game", "{:.1f}"),
    "first_region": ("wins differ by first region", "{:.1%}"),
    "first_city": ("wins differ by first city", "{:.1%}"),
    "seat": ("wins differ by seat", "{:.1%}"),
    "turn_order": ("wins differ by first turn order", "{:.1%}"),
    "loneliest_region": ("games in which the loneliest region has a house", "{:.0%}"),
    "unused_connections": ("connections that are hardly ever used", "{:.0%}"),
    "opened_with": ("games that begin in the same city", "{:.0%}"),
    "leader_wins": ("games won by who led at half time", "{:.0%}"),
    "sold_out": ("games in which a fuel sells out", "{:.0%}"),
}


def write_made(board: Map, file: Path, *, mended: bool, console: Console) -> None:
    """Write a new map, mended or as it was drawn; an existing file is not overwritten."""
    with file.open("x", encoding="utf-8"):
        pass
    try:
        write_map(
            file, mend(board, on_try=lambda found: _report(found, console)) if mended else board
        )
    except BaseException:
        file.unlink()
        raise
    console.print(
        f"{file}: {board.name}, {len(board.cities)} cities in {len(board.regions)} regions,"
        f" {len(board.connections)} connections. Play it with --map {file}.",
        soft_wrap=True,
    )


def _report(found: Verdict, console: Console) -> None:
    odd = [FIGURES[figure.name][0] for figure in found.figures if not figure.usual]
    console.print(
        Text(f"{found.games} games: " + ("; ".join(odd) or "as an official board"), "dim")
    )


def judge_map(source: str, games: int, jobs: int, console: Console) -> Verdict:
    """Let bots play on a map, with a progress bar; Ctrl+C judges by the games played so far."""
    board = load_map(source)
    samples: list[Sample] = []
    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not console.is_terminal
    try:
        with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
            task = bar.add_task("", total=games)
            for sample in in_order(play_sample, source, games, jobs):
                samples.append(sample)
                bar.advance(task)
    except KeyboardInterrupt:
        if not samples:
            raise
    return verdict(tally(samples, board), board)


def show_verdict(found: Verdict, source: str, console: Console) -> None:
    board = load_map(source)
    names = {city.id: city.name for city in board.cities}
    console.print(Text(f"{board.name} after {found.games} games", "bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row("", "", Text("official boards", "dim"), "")
    for figure in found.figures:
        label, form = FIGURES[figure.name]
        span = f"{form.format(figure.low)} to {form.format(figure.high)}"
        where = names.get(figure.where, figure.where)
        style = "" if figure.usual else "bold red"
        table.add_row(label, Text(form.format(figure.value), style), Text(span, "dim"), where)
    console.print(table)
    if found.unused:
        links = ", ".join(f"{names[a]}-{names[b]}" for a, b in found.unused)
        console.print(Text(f"Hardly ever used: {links}", "dim"))
    odd = [FIGURES[figure.name][0] for figure in found.figures if not figure.usual]
    if odd:
        console.print(f"Unlike every official board in: {'; '.join(odd)}.")
    else:
        console.print("It plays like an official board in every respect that was measured.")
