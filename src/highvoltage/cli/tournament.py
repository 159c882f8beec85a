"""`highvoltage tournament`: progress, stop and resume, the standings, the report."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table as Grid

from highvoltage.tournament import (
    Result,
    ResultFile,
    Standings,
    Tournament,
    play,
    play_on_ray,
    report,
    standings,
)


def hold(
    cup: Tournament, *, jobs: int, ray: str | None, file: Path | None, console: Console
) -> Standings:
    """Play the remaining games; Ctrl+C ends it early, and the file keeps the results so far."""
    cup.check()
    saved = ResultFile(file, cup) if file else None
    results: list[Result] = saved.results if saved else []
    done = {result.number for result in results}
    games = play_on_ray(cup, ray, done) if ray else play(cup, jobs, done)
    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=cup.games, completed=len(done))
        try:
            for result in _until_stopped(games):
                (saved.add if saved else results.append)(result)
                bar.advance(task)
        except KeyboardInterrupt:
            console.print("Stopped." + (" The same command goes on." if saved else ""))
    return standings(cup, results)


def _until_stopped(games: Iterator[Result]) -> Iterator[Result]:
    try:
        yield from games
    finally:
        games.close()  # type: ignore[attr-defined]  # both are generators


def write_report(table: Standings, path: Path) -> None:
    path.write_text(report(table, shlex.join(["highvoltage", *sys.argv[1:]])), "utf-8")


def show(table: Standings, console: Console) -> None:
    console.print(
        f"{table.games} games, {table.finished} finished, {table.rounds:.1f} rounds on average"
    )
    grid = Grid(box=None, pad_edge=False)
    for head in ("bot", "won", "95 %", "par", "rating", "95 %", "place", "ms", "median"):
        grid.add_column(head, justify="left" if head == "bot" else "right", no_wrap=True)
    for row in table.rows:
        grid.add_row(
            row.bot,
            f"{row.share:.1%}",
            f"{100 * row.low:.1f}-{100 * row.high:.1f}",
            f"{row.par:.0%}",
            f"{row.rating:.1f}",
            f"{row.rating_low:.1f}-{row.rating_high:.1f}",
            f"{row.place:.2f}",
            f"{1000 * row.seconds:.2f}",
            f"{1000 * row.median:.2f}",
        )
    console.print(grid)
    for row in table.rows:
        if row.replaced:
            console.print(
                f"A clerk moved {row.replaced} times for {row.bot}: the first time {row.fault}.",
                markup=False,
            )


def as_json(table: Standings) -> str:
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode()
