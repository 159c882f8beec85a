"""Where games come from: records in a folder, a tournament, the tables of a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from highvoltage.data.rows import SourceGame
from highvoltage.engine.errors import HighVoltageError, RecordError
from highvoltage.engine.record import Record, read_record
from highvoltage.extras import extra
from highvoltage.tournament.file import read_results
from highvoltage.tournament.games import Result, Tournament, places, play_out

if TYPE_CHECKING:
    from sqlalchemy import Engine

RECORDS = (".txt", ".json")


class Source(NamedTuple):
    """An iterator of games, and their number."""

    size: int
    games: Iterator[SourceGame]


def records(where: Path) -> Source:
    """The records in a folder and its subfolders, or in one file."""
    if where.is_file():
        return Source(1, _read(where, [where]))
    files = sorted(file for file in where.rglob("*") if file.suffix in RECORDS)
    return Source(len(files), _read(where, files))


def _read(where: Path, files: list[Path]) -> Iterator[SourceGame]:
    for file in files:
        try:
            record, _ = read_record(file.read_text("utf-8", errors="replace"))
        except RecordError as error:
            line = f", line {error.line}" if error.line else ""
            raise RecordError(f"{file}{line}: {error.reason}") from None
        name = file.stem if file == where else str(file.relative_to(where).with_suffix(""))
        yield SourceGame(name, record)


def tournament_games(file: Path) -> Source:
    """The games of a tournament file, played again: the file holds results, not moves."""
    cup, results = read_results(file)
    return Source(len(results), _play(file, cup, results))


def _play(file: Path, cup: Tournament, results: list[Result]) -> Iterator[SourceGame]:
    for result in sorted(results, key=lambda result: result.number):
        game, _, _ = play_out(cup, result.number)
        ranking = game.outcome.ranking if game.outcome else ()
        if places(ranking, cup.players) != result.places:
            raise HighVoltageError(
                f"{file}: game {result.number} comes out differently when it is played again;"
                " its bots think by the clock, or have changed since"
            )
        names = tuple(cup.bots[bot] for bot in result.seats)
        yield SourceGame(str(result.number), game.record(), names)


def server_games(database: str) -> Source:
    """The finished tables of a server; bots are named, people are not."""
    with extra("server"):
        from sqlalchemy import create_engine, func, select  # noqa: PLC0415
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

        from highvoltage.server.store.schema import games  # noqa: PLC0415
    with extra("postgres"):  # the driver is loaded here
        engine = create_engine(database)
    try:
        with engine.connect() as connection:
            finished = select(func.count()).where(games.c.status == "finished")
            count = connection.execute(finished).scalar_one()
    except SQLAlchemyError as error:
        raise HighVoltageError(f"{database} is no database of a server: {error}") from None
    return Source(count, _finished(engine))


def _finished(engine: "Engine") -> Iterator[SourceGame]:
    from sqlalchemy import select  # noqa: PLC0415

    from highvoltage.server.store.schema import games, seats  # noqa: PLC0415

    finished = select(games.c.id, games.c.record).where(games.c.status == "finished")
    who = select(seats.c.game, seats.c.seat, seats.c.bot)
    with engine.connect() as connection:
        bots = {(game, seat): bot or "" for game, seat, bot in connection.execute(who)}
        for table, text in connection.execute(finished.order_by(games.c.created)):
            record = msgspec.json.decode(text, type=Record)
            names = tuple(bots.get((table, seat), "") for seat in range(len(record.names)))
            yield SourceGame(table, record, names)
    engine.dispose()
