"""What the tools need of the tables that a model plays at."""

from typing import Any, Protocol

from msgspec import Struct

from highvoltage import bots
from highvoltage.engine.errors import OptionError
from highvoltage.games import meta as about
from highvoltage.games import wrong_players
from highvoltage.table import Snapshot
from highvoltage.views import View


class Glance(Struct, frozen=True):
    """A table as one seat sees it. `board` is the map as data, None where there is none."""

    table: str
    snapshot: Snapshot
    board: dict[str, Any] | None = None

    @property
    def view(self) -> View:
        assert self.snapshot.view is not None  # only briefer snapshots have none
        return self.snapshot.view


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


def check_choices(
    rulebook: str, players: int, board: str, opponents: str, options: dict[str, Any]
) -> tuple[str, ...]:
    """Refuse what a model may not choose; returns the bots, one for each other seat.

    A model chooses by names; it cannot have files read, nor bots in files run.
    """
    meta = about(rulebook)
    if players not in meta.players:
        raise wrong_players(meta, players)
    if board and board not in meta.maps:
        maps = ", ".join(meta.maps) or "it has none"
        raise OptionError(f"There is no map '{board}' for {rulebook}. Maps: {maps}.")
    known = [option.name for option in meta.options if not option.takes_file]
    for name in options:
        if name not in known:
            raise OptionError(f"There is no option '{name}' here. Options: {', '.join(known)}.")
    kinds = [kind.strip() for kind in opponents.split(",") if kind.strip()]
    if not 1 <= len(kinds) < players:
        raise OptionError("Name one bot for all other seats, such as clerk, or one for each.")
    for kind in kinds:
        if kind.partition(":")[0] not in bots.names():
            raise OptionError(f"There is no bot '{kind}'. Bots: {', '.join(bots.names())}.")
    return tuple(kinds[n % len(kinds)] for n in range(players - 1))
