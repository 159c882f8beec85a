"""A table from the record of its game."""

from collections.abc import Sequence

from highvoltage.engine.record import Record
from highvoltage.games import game_of
from highvoltage.table.table import DecidedBy, Entry, Seat, Table


def resume_table(record: Record, seats: Sequence[Seat], seed: int | str = 0) -> Table:
    """The table at the end of a valid record. Unseen cards are shuffled anew with `seed`."""
    return _play(record, seats, seed)[0]


def journal_of(record: Record, seats: Sequence[Seat]) -> list[Entry]:
    """The journal of a table that has played a valid record."""
    return _play(record, seats, 0)[1]


def _play(record: Record, seats: Sequence[Seat], seed: int | str) -> tuple[Table, list[Entry]]:
    table = Table(game_of(record, seed), seats)
    journal: list[Entry] = []
    for line in record.moves:
        by: DecidedBy = "bot" if seats[line.seat].bot else "person"
        advance = table.move(line.seat, table.seq, line.move, 0, by)
        journal += advance.entries
        table.commit(advance)
    return table, journal
