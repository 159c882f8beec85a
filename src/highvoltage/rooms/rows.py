"""The rows of the store, and its notifications."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from secrets import token_urlsafe
from typing import Any, NamedTuple

from msgspec import Struct

from highvoltage.table import Entry

UNFINISHED = ("open", "running", "failed")
"""The statuses before a game is over; a failed one may go on, or be ended by its host."""


RENEWED, SENT_AWAY, DELETED = -2, -3, -4
"""Sent to other processes instead of a `seq`: reload a game, disconnect a person, a game is
deleted."""


def new_id() -> str:
    """An unguessable id for a table; without a leading dash, which would look like an option."""
    while (made := token_urlsafe(9)).startswith("-"):
        pass
    return made


def write_mark(who: str, ref: str) -> str:
    """What the store keeps of a write: it names whoever asked for it, without revealing who."""
    return urlsafe_b64encode(hashlib.sha256(f"{who} {ref}".encode()).digest())[:24].decode()


class GameRow(Struct):
    """A table as it is stored."""

    id: str
    status: str
    rulebook: str
    setup: str
    seed: str
    public: bool
    host: str
    created: float
    started: float | None = None
    opening: str | None = None
    turn: int | None = None
    due: float | None = None
    moves: int = 0
    record: str | None = None
    rematch: str | None = None
    origin: str = ""
    told: str = ""
    listed: str | None = None
    library: str | None = None  # the map of the library that it is played on


class SeatRow(Struct):
    """A seat as it is stored."""

    game: str
    seat: int
    kind: str
    name: str = ""
    owner: str | None = None
    bot: str | None = None
    key: str | None = None
    left_by: str | None = None
    origin: str = ""
    would_end: bool = False  # whoever plays here would end the game without a winner


class AnalysisRow(Struct, frozen=True):
    """An analysis of a finished game: running, or done."""

    at: float
    done: float
    found: str | None


class JournalWrite(NamedTuple):
    """Entries for the journal of a game, and what they change in its row."""

    game: str
    seq: int
    entries: Sequence[Entry]
    changes: dict[str, Any]  # turn, due, moves
    status: str | None = None  # if it changes
    record: str | None = None  # of a game that is now over
    forgets_seat: int | None = None  # the seat whose maximum bids are deleted
    mark: str | None = None  # by which whoever asked for it may repeat it


class StoreChange(NamedTuple):
    """A notification from another process: new entries at `seq` of a journal, or another change.

    A `seq` below 0 means another change. Entries too long to send are left out, to be read.
    """

    game: str
    seq: int
    entries: list[Entry]
