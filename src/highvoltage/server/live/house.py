"""What all tables of this process share."""

from time import time
from typing import TYPE_CHECKING

from highvoltage.server.bots.thinking import Thinkers
from highvoltage.server.config import Limits
from highvoltage.server.guard.bucket import Buckets
from highvoltage.server.live.webhooks import Webhooks
from highvoltage.server.store import Store

if TYPE_CHECKING:  # of an extra
    from highvoltage.server.live.push import Push

COMING_BACK = 30.0
REPORTS = 20  # from one address in an hour
MOST_SAID = 20  # lines at once


class House:
    """The store, the bots and the calls that go out; and since when they are there."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        webhooks: Webhooks,
        push: "Push | None",
        limits: Limits,
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.webhooks = webhooks
        self.push = push
        self.grace: float = 1.5 * thinkers.seconds  # then another process takes over a bot's move
        self.since: float = time()
        self.closing = False
        self.reports: Buckets = Buckets(REPORTS / 3_600, REPORTS)
        self.saying: Buckets = Buckets(limits.chat_per_minute / 60, MOST_SAID)

    def extended(self, deadline: float) -> float:
        """Time that ran out while there was no server: people get a moment to come back."""
        return deadline if deadline > self.since else self.since + COMING_BACK
