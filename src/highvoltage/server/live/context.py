"""What all tables of this process share."""

from time import time
from typing import TYPE_CHECKING

from highvoltage.server.bots.service import BotService
from highvoltage.server.config import Limits
from highvoltage.server.guard.rate_limit import RateLimits
from highvoltage.server.live.webhooks import Webhooks
from highvoltage.server.store import Store

if TYPE_CHECKING:  # of an extra
    from highvoltage.server.live.push import Push

GRACE_SECONDS = 30.0
REPORTS_PER_HOUR = 20  # from one address in an hour
CHAT_BURST = 20  # lines at once


class ServerContext:
    """The store, the bots and the calls that go out; and since when they are there."""

    def __init__(
        self,
        store: Store,
        thinkers: BotService,
        webhooks: Webhooks,
        push: "Push | None",
        limits: Limits,
    ) -> None:
        self.store = store
        self.bot_service = thinkers
        self.webhooks = webhooks
        self.push = push
        self.grace: float = 1.5 * thinkers.seconds  # then another process takes over a bot's move
        self.since: float = time()
        self.closing = False
        self.reports: RateLimits = RateLimits(REPORTS_PER_HOUR / 3_600, REPORTS_PER_HOUR)
        self.saying: RateLimits = RateLimits(limits.chat_per_minute / 60, CHAT_BURST)

    def extend_deadline(self, deadline: float) -> float:
        """Time that ran out while there was no server: people get a moment to come back."""
        return deadline if deadline > self.since else self.since + GRACE_SECONDS
