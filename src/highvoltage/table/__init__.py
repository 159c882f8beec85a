"""One running game: seats, journal, undo, redaction, clocks. All transports use it."""

from highvoltage.table.clock import Pace
from highvoltage.table.preview import Preview, PreviewedMove, Refusal
from highvoltage.table.resume import journal_of, resume_table
from highvoltage.table.snapshot import LogRow, Offer, Snapshot, moves_of, offers
from highvoltage.table.table import (
    Advance,
    DecidedBy,
    Entry,
    MaxBid,
    Refused,
    Seat,
    Table,
    remaining_moves,
)

__all__ = [
    "Advance",
    "DecidedBy",
    "Entry",
    "LogRow",
    "MaxBid",
    "Offer",
    "Pace",
    "Preview",
    "PreviewedMove",
    "Refusal",
    "Refused",
    "Seat",
    "Snapshot",
    "Table",
    "journal_of",
    "moves_of",
    "offers",
    "remaining_moves",
    "resume_table",
]
