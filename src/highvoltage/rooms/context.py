"""What all tables of this process share."""

from time import time
from typing import TYPE_CHECKING

from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.server.config import Limits
from highvoltage.server.live.previews import PreviewThread
from highvoltage.server.live.webhooks import Webhooks
from highvoltage.server.store import Store

if TYPE_CHECKING:  # needs an extra
    from highvoltage.server.live.push import Push

GRACE_SECONDS = 30.0
REPORTS_PER_HOUR = 20  # from one address in an hour
CHAT_BURST = 20  # lines at once


class ServerContext:
    """The store, the bots, outgoing notifications and rate limits of a process."""

    def __init__(
        self,
        store: Store,
        bot_service: BotService,
        webhooks: Webhooks,
        push: "Push | None",
        limits: Limits,
    ) -> None:
        self.store = store
        self.bot_service = bot_service
        self.webhooks = webhooks
        self.push = push
        self.previews: PreviewThread = PreviewThread()
        self.grace: float = 1.5 * bot_service.seconds  # then another process plays a bot's move
        self.since: float = time()
        self.closing = False
        self.reports: RateLimits = RateLimits(REPORTS_PER_HOUR / 3_600, REPORTS_PER_HOUR)
        self.chat_limits: RateLimits = RateLimits(limits.chat_per_minute / 60, CHAT_BURST)

    def extend_deadline(self, deadline: float) -> float:
        """A deadline that passed while no server ran is extended by a grace period."""
        return deadline if deadline > self.since else self.since + GRACE_SECONDS
