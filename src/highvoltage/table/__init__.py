"""One running game: seats, journal, undo, redaction, clocks. Every transport talks to it."""

from highvoltage.table.clock import Pace
from highvoltage.table.preview import Foreseen, Preview, Refusal
from highvoltage.table.resuming import resumed
from highvoltage.table.sight import LogRow, Offer, Sight, moves_of, offers
from highvoltage.table.table import Advance, By, Entry, MaxBid, Refused, Seat, Table

__all__ = [
    "Advance",
    "By",
    "Entry",
    "Foreseen",
    "LogRow",
    "MaxBid",
    "Offer",
    "Pace",
    "Preview",
    "Refusal",
    "Refused",
    "Seat",
    "Sight",
    "Table",
    "moves_of",
    "offers",
    "resumed",
]
