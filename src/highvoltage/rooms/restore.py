"""Restores a table from the store."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from highvoltage.engine.chance import Seeded
from highvoltage.engine.errors import HighVoltageError, RecordError
from highvoltage.engine.game import Game
from highvoltage.engine.record import RECORD_DECODER, Line, RecordedChance
from highvoltage.games import meta, rulebook
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow
from highvoltage.table import Entry, Seat, Table
from highvoltage.table.clock import Span


def restore(
    row: GameRow,
    seats: list[Seat],
    setup: StoredSetup,
    journal: list[Entry],
    away: Sequence[Sequence[Span]] | None = None,
) -> Table:
    """The table of a journal: from its seed, or, if that deals differently now, from its record."""
    assert row.opening is not None
    opening = RECORD_DECODER.decode(row.opening)
    options = dict(opening.options)
    board = options.pop("map", None)
    if isinstance(board, str):  # by its name in the rulebook, so that tables share one map
        maps = meta(row.rulebook).maps
        board = next((name for name, file in maps.items() if file == board), board)
    rules = rulebook(row.rulebook, len(seats), board, options, opening.version)
    lines = tuple(Line(0, "", entry.seat, entry.text, entry.turned) for entry in journal)
    top = journal[-1].top if journal else opening.top
    so_far = msgspec.structs.replace(opening, moves=lines, top=top)
    recorded = RecordedChance(so_far, row.seed, rules)
    for chance in (Seeded(row.seed), recorded):
        game = Game(rules, chance, opening.names)
        at = row.started or 0
        table = Table(game, seats, pace=setup.pace, auto=setup.auto, at=at, away=away)
        dealt = game.record()
        if (dealt.drawn, dealt.turned) == (opening.drawn, opening.turned):
            with suppress(HighVoltageError):
                table.follow(journal)
                return table
    raise RecordError("The journal of this game cannot be followed.")
