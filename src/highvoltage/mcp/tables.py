"""What the tools need of the tables that a model plays at."""

from typing import Any, Protocol

from msgspec import Struct

from highvoltage.table import Snapshot


class Glance(Struct, frozen=True):
    """A table as one seat sees it. `board` is the map as data, None where there is none."""

    table: str
    snapshot: Snapshot
    board: dict[str, Any] | None = None


class Tables(Protocol):
    """Tables that one model may play at. A table is named by its id; an empty one is the latest.

    Every method raises a `HighVoltageError` with a message for the model if it cannot be done.
    """

    async def new_game(
        self, rulebook: str, players: int, board: str, opponents: str, options: dict[str, Any]
    ) -> str:
        """Start a game against bots and return the id of its table."""

    async def glance(self, table: str) -> Glance:
        """The table as the model's seat sees it now."""

    async def play(self, table: str, move: str) -> Glance:
        """Play a move and return the table when it is the model's turn again, or somebody waits.

        The log of the snapshot has what happened since, beginning with the move.
        """

    async def refusal(self, table: str, move: str) -> str:
        """Why the rules refuse a move now; empty if they allow it. Nothing is changed."""
