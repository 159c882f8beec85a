"""`highvoltage export`: games as a data set."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from highvoltage import data
from highvoltage.data import Source, SourceGame, WriteCounts
from highvoltage.data.card import Counts
from highvoltage.engine.errors import OptionError
from highvoltage.server.config import database_url, load_config


def sources(paths: list[Path], tournament: Path | None, server: str | None) -> list[Source]:
    """All games to export."""
    if not (paths or tournament or server):
        raise OptionError("Name records or folders of them, or a --tournament, or a --server.")
    for path in (*paths, *filter(None, [tournament])):
        if not path.exists():
            raise OptionError(f"There is no {path}.")
    found = [data.records(path) for path in paths]
    if tournament:
        found.append(data.tournament_games(tournament))
    if server:
        found.append(data.server_games(_database(server)))
    return found


def _database(server: str) -> str:
    """The address of a database, or the one in the data folder of a server."""
    if "://" in server:
        return database_url(server)
    if not Path(server).is_dir():
        raise OptionError(f"{server} is neither a server's data folder nor an address.")
    return load_config(Path(server)).database


def write(
    found: list[Source], rulebook: str | None, file: Path, *, observations: bool, console: Console
) -> WriteCounts:
    """Write the games with a progress bar."""
    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[decisions]:,} decisions"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("export", total=sum(source.size for source in found), decisions=0)

        def games() -> Iterator[SourceGame]:
            for source in found:
                for game in source.games:
                    if rulebook in {None, game.record.rulebook}:
                        yield game
                    bar.advance(task)

        def progress(counts: WriteCounts) -> None:
            bar.update(task, decisions=counts.decisions)

        return data.export(games(), file, observations=observations, progress=progress)


def make_dataset(about: data.DataSet, folder: Path, jobs: int, console: Console) -> Counts:
    """Make a data set with a progress bar."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("dataset", total=about.games)
        return data.make_dataset(about, folder, jobs, lambda done: bar.update(task, completed=done))
