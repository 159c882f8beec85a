"""One running game: seats, journal, undo, redaction, clocks. Every transport talks to it."""

from highvoltage.table.clock import Pace
from highvoltage.table.sight import EventData, LogRow, Offer, Sight, moves_of, offers
from highvoltage.table.table import By, Entry, Refused, Seat, Step, Table, Wish

__all__ = [
    "By",
    "Entry",
    "EventData",
    "LogRow",
    "Offer",
    "Pace",
    "Refused",
    "Seat",
    "Sight",
    "Step",
    "Table",
    "Wish",
    "moves_of",
    "offers",
]
