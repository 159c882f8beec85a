"""What all tables of this process share."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from time import time
from typing import Any, Protocol, TypeVar

from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.limits import RoomLimits
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.person import Asker
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rows import GameRow, SeatRow, new_id
from highvoltage.rooms.store import Store

GRACE_SECONDS = 30.0
HOUR_SECONDS = 3_600
CHAT_BURST = 20  # lines at once
ARENA = "arena"
"""In place of a person: the host of the table at which bots always play."""

T = TypeVar("T")


class Threads(Protocol):
    """Where work is done that would hold up the tables."""

    async def compute(self, work: Callable[..., T], *given: Any) -> T:
        """Do this work."""

    async def replay(self, work: Callable[..., T], *given: Any) -> T:
        """The same, for long games, which only delay each other."""

    def preview_turn(self, asker: Asker) -> AbstractAsyncContextManager[None]:
        """Wait for the place where previews are computed: nobody else uses it in this context."""

    async def preview(self, work: Callable[[], T]) -> T:
        """Compute a preview."""


class Webhooks(Protocol):
    """Calls addresses that hosts have given."""

    def check(self, url: str) -> None:
        """RequestRefused if this is no address that may be called."""

    def on_change(self, row: GameRow, places: Sequence[SeatRow], setup: StoredSetup) -> None:
        """Call the webhook if the turn has changed or the game is over."""


class Push(Protocol):
    """Notifies closed browsers."""

    def notify(
        self, who: str, table: str, about: str, by: str | None = None, number: int | None = None
    ) -> None:
        """It is the turn of somebody who is absent; or somebody has invited them to a table.

        Or a round of a cup begins there, by its `number`.
        """


class RoomContext:
    """The store, the bots, outgoing notifications and limits of a process."""

    def __init__(
        self,
        store: Store,
        bot_service: BotService,
        threads: Threads,
        limits: RoomLimits,
        webhooks: Webhooks | None = None,
        push: Push | None = None,
        id_prefix: str = "",
        *,
        rates_games: bool = False,
        arena_share: float = 0.0,
    ) -> None:
        self.store = store
        self.bot_service = bot_service
        self.threads = threads
        self.limits = limits
        self.webhooks = webhooks
        self.push = push
        self.id_prefix = id_prefix  # of the tables made here
        self.rates_games = rates_games  # there are several people to compare
        self.arena_share = arena_share  # of a processor, for the table at which bots always play
        self.grace: float = 1.5 * bot_service.seconds  # then another process plays a bot's move
        self.since: float = time()
        self.closing = False
        self.chat_limits: RateLimits = RateLimits(limits.chat_per_minute / 60, CHAT_BURST)
        self.judged_games: RateLimits = RateLimits(
            limits.judged_games / HOUR_SECONDS, limits.judged_games
        )

    def new_id(self) -> str:
        """An unguessable id for a table."""
        return self.id_prefix + new_id()

    def extend_deadline(self, deadline: float) -> float:
        """A deadline that passed while nothing ran is extended by a grace period."""
        return deadline if deadline > self.since else self.since + GRACE_SECONDS
