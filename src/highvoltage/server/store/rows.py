"""What the store keeps and tells, row by row."""

from collections.abc import Sequence
from secrets import token_urlsafe
from typing import Any, NamedTuple

from msgspec import Struct

from highvoltage.table import Entry

UNFINISHED = ("open", "running", "failed")
"""What a table is before its game is over; a failed one may go on, or be ended by its host."""


def new_id() -> str:
    """An id that nobody guesses, for a table; no command takes it for an option."""
    while (made := token_urlsafe(9)).startswith("-"):
        pass
    return made


class GameRow(Struct):
    """A table as it is kept."""

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


class SeatRow(Struct):
    """A seat as it is kept."""

    game: str
    seat: int
    kind: str
    name: str = ""
    owner: str | None = None
    bot: str | None = None
    key: str | None = None
    left_by: str | None = None


class AnalysisRow(Struct, frozen=True):
    """An analysis of a finished game: under way, or found."""

    at: float
    done: float
    found: str | None


class Subscription(Struct, frozen=True):
    """A browser that wants to be told of a turn, and what it takes to write to it."""

    endpoint: str
    who: str
    key: str
    auth: str
    origin: str
    at: float


class Account(Struct, frozen=True):
    """An identity that can be taken up with a password."""

    login: str
    who: str
    name: str
    password: str


class JournalWrite(NamedTuple):
    """Entries for the journal of a game, and what they change in its row."""

    game: str
    seq: int
    entries: Sequence[Entry]
    changes: dict[str, Any]  # turn, due, moves
    status: str | None = None  # where that changes
    record: str | None = None  # of a game that is over now
    forgets_seat: int | None = None  # the seat whose limits for bids this takes back


class StoreChange(NamedTuple):
    """Told by another process: entries at `seq` of a journal, or (-1) something else of a game.

    Entries that are too long to be told are left out, to be read.
    """

    game: str
    seq: int
    entries: list[Entry]
