"""A table from the record of its game."""

from collections.abc import Sequence

from highvoltage.engine.record import Record
from highvoltage.games import game_of
from highvoltage.table.table import DecidedBy, Seat, Table


def resume_table(record: Record, seats: Sequence[Seat], seed: int | str = 0) -> Table:
    """The table at the end of a valid record. Unseen cards are shuffled anew with `seed`."""
    table = Table(game_of(record, seed), seats)
    for line in record.moves:
        by: DecidedBy = "bot" if seats[line.seat].bot else "person"
        table.commit(table.move(line.seat, table.seq, line.move, 0, by))
    return table
