"""What rooms need of a store: the contract of the server's databases and of a browser's storage.

What is written stays written once the call returns, and nothing is shown before that. A `mark`
names a write that somebody may repeat: what was carried out under it before is not done again, and
the result is that of the first time.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from highvoltage.rooms.messages import Problem
from highvoltage.rooms.problems import problem_for
from highvoltage.rooms.rows import AnalysisRow, GameRow, JournalWrite, SeatRow, StoreChange
from highvoltage.rooms.socket_messages import ChatLine
from highvoltage.table import Entry, MaxBid
from highvoltage.table.clock import Span

CHAT_KEPT = 200
"""Lines of the chat of a table."""
Found = tuple[GameRow, list[SeatRow]]
Where = Mapping[str, object]
"""Fields of a row with the value that each must have; or, as a tuple, one of several."""


class StoreError(Exception):
    """The store cannot be read or written. `code` is that of the problem for people."""

    code = "no_store"


class NotWritten(StoreError):
    """It is certain that a write was not kept."""


class WriteInDoubt(StoreError):
    """It is not known yet whether a write was kept."""


class Conflict(StoreError):
    """Somebody else was faster: what was to be added exists."""


def problem_of_failure(error: StoreError, *, may_be_kept: bool) -> Problem:
    """What to say; `may_be_kept` if somebody may have had the same carried out before."""
    unknown = isinstance(error, WriteInDoubt) or may_be_kept
    certain = isinstance(error, NotWritten) or not unknown
    return problem_for(error.code if certain else "not_known")


class Result(NamedTuple):
    """What became of a write."""

    value: Any


class Store(Protocol):
    """The tables, and all that belongs to them."""

    shared: bool
    """Whether other processes write to it, so that what is in memory may be behind."""

    # The journal

    async def append(self, write: JournalWrite) -> bool:
        """Append entries to the journal of a game; False if another process was faster."""

    async def journal(self, game: str, since: int = 0) -> list[Entry]:
        """The entries from this one on."""

    async def is_decided(self, game: str, mark: str) -> bool:
        """Whether the journal of a game has what was to be written under this mark."""

    # Writes

    async def result_of(self, mark: str) -> Result | None:
        """What became of a write that was carried out; None if none was, or long ago."""

    async def forget_writes(self) -> None:
        """Forget writes that nobody repeats any more."""

    async def settle(self) -> None:
        """Wait until no write is under way any more that was in doubt."""

    def listen(self) -> AsyncIterator[StoreChange | None]:
        """What other processes did; None when something may have been missed."""

    # Games and seats

    async def library_map(self, map_id: str) -> dict[str, Any] | None:
        """The content of a map that somebody has published here."""

    async def create(
        self,
        game: GameRow,
        places: Sequence[SeatRow],
        mark: str | None = None,
        *,
        rematch_of: str | None = None,
    ) -> str:
        """Store a new table; returns its id, or that of the one made under this mark before.

        Conflict if there is a table with this id.
        """

    async def game(self, game: str) -> Found | None:
        """A table and its seats."""

    async def public(self) -> list[Found]:
        """Public tables that are not over, the latest first, without secrets and records."""

    async def mine(self, who: str) -> list[Found]:
        """Tables that somebody made or has a seat at, the latest first, in the same way."""

    async def count_of(
        self, who: str, origin: str, statuses: Sequence[str], *, public: bool = False
    ) -> tuple[int, int]:
        """How many tables a person has made, and how many were made from their network."""

    async def holidays_of(self, people: Collection[str]) -> dict[str, list[Span]]:
        """The holidays of those of these people who have any, in their order."""

    async def due(self, before: float) -> list[str]:
        """Games in which a bot or the clock has to act before this moment."""

    async def change_game(
        self, game: str, where: Where | None = None, *, mark: str | None = None, **changes: Any
    ) -> bool:
        """Change a game if it is so; returns whether it was."""

    async def delete(self, *ids: str, mark: str | None = None) -> int:
        """Delete tables with all that belongs to them; returns how many there were."""

    async def change_seat(
        self,
        game: str,
        seat: int,
        where: Where | None = None,
        *,
        mark: str | None = None,
        due: float | None = None,
        ban: str | None = None,
        **changes: Any,
    ) -> bool:
        """Change a seat if it is so; returns whether it was.

        `due` is when a bot has to move if it is the turn of this seat; `ban` is who may not come
        back.
        """

    async def take_seat(
        self,
        game: str,
        names: dict[int, str],
        owner: str,
        origin: str,
        due: float,
        mark: str | None,
    ) -> int | None:
        """Take the first of these seats that is open, by the name for it; None if none is.

        If nobody has dealt by the time it is `due`, the sweep checks whether all seats are taken.
        """

    async def fill_seats(
        self, game: str, bot: str, name: str, due: float, mark: str | None
    ) -> None:
        """Let a bot take all seats that are open."""

    async def is_banned(self, game: str, who: str) -> bool:
        """Whether the host has banned somebody from a table."""

    # Maximum bids and chat

    async def max_bids(self, game: str) -> list[MaxBid]:
        """The maximum bids of all seats."""

    async def save_max_bids(
        self, game: str, seat: int, kept: Sequence[MaxBid], mark: str | None = None
    ) -> None:
        """Replace the maximum bids of a seat."""

    async def add_chat(
        self,
        game: str,
        seat: int,
        name: str,
        words: str,
        at: float,
        *,
        who: str | None,
        origin: str,
        mark: str | None = None,
    ) -> None:
        """Add a line to the chat, and drop the oldest beyond CHAT_KEPT."""

    async def chat(self, game: str, since: int) -> list[ChatLine]:
        """The lines after this one."""

    async def author(self, game: str, n: int) -> str | None:
        """The identity that wrote a chat line."""

    async def remove_chat(self, game: str, n: int, mark: str | None = None) -> bool:
        """Clear the text of a chat line; returns whether there was one."""

    # Analyses

    async def analysis(self, game: str) -> AnalysisRow | None:
        """The analysis of a game, as far as it has come."""

    async def claim_analysis(self, game: str, at: float, given_up: float) -> bool:
        """Claim an analysis; False if it is done, or another process works on it."""

    async def change_analysis(self, game: str, at: float, done: float, found: str) -> bool:
        """Store the progress of an analysis; False if it was dropped."""

    async def drop_analysis(self, game: str) -> None:
        """Delete an analysis, so that it can be started again."""
