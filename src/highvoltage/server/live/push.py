"""Notifies closed browsers of a turn by Web Push, if the operator has set a key."""

import asyncio
import logging
from http import HTTPStatus

import msgspec

from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.store import StoreError
from highvoltage.rooms.tasks import begin
from highvoltage.server.live.outgoing import OutgoingHttp
from highvoltage.server.live.push_encryption import PushRecipient, PushSender
from highvoltage.server.metrics import PUSHES
from highvoltage.server.store import SqlStore, Subscription

GONE_STATUSES = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
TTL_SECONDS = 86_400  # how long a push service keeps a message for an offline browser
TIMEOUT_SECONDS = 10
MAX_QUEUED_PUSHES = 1_000
CALLS, CALLS_AT_ONCE = 1, 60
"""Per second and subscriber address, so that nobody can be flooded from here."""

log: logging.Logger = logging.getLogger(__name__)


class Push:
    """Sends one message per change of turn to each browser of the player to move."""

    def __init__(self, store: SqlStore, outgoing: OutgoingHttp, sender: PushSender) -> None:
        self.store = store
        self.http = outgoing
        self.sender = sender
        self._sent: set[asyncio.Task[None]] = set()
        self._sending = RateLimits(CALLS, CALLS_AT_ONCE)

    def check(self, key: str, auth: str) -> None:
        """Raise ValueError unless these are valid keys of a browser."""
        PushRecipient(key, auth)

    def notify(
        self, who: str, table: str, about: str, by: str | None = None, number: int | None = None
    ) -> None:
        """Notify a player that it is their turn at a table, or by whom they are invited there.

        Or that a round of a cup begins there, by its `number`.
        """
        more = {"by": by, "round": number}
        content: dict[str, str | int] = {"table": table, "about": about}
        content |= {name: value for name, value in more.items() if value is not None}
        if len(self._sent) < MAX_QUEUED_PUSHES:
            sent = begin(self._send_all(who, content), "push")
            self._sent.add(sent)
            sent.add_done_callback(self._sent.discard)

    async def _send_all(self, who: str, content: dict[str, str | int]) -> None:
        table, message = str(content["table"]), msgspec.json.encode(content)
        try:
            for browser in await self.store.people.subscriptions(who):
                if not self._sending.exceeded(browser.origin):
                    PUSHES.labels(await self._send(browser, table, message)).inc()
        except StoreError as error:
            log.warning("push failed", extra={"error": type(error).__name__})

    async def _send(self, browser: Subscription, table: str, message: bytes) -> str:
        headers = {
            "Authorization": self.sender.authorization(browser.endpoint),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL_SECONDS),
            "Topic": table[:32],  # only the latest message of a table is kept
        }
        try:
            sealed = PushRecipient(browser.key, browser.auth).encrypt(message)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status = await self.http.post(browser.endpoint, sealed, headers)
        except (OSError, ValueError, TimeoutError, EOFError) as error:
            log.warning("push failed", extra={"error": type(error).__name__})
            return "failed"
        if status in GONE_STATUSES:
            await self.store.people.unsubscribe(browser.who, browser.endpoint)
            return "gone"
        return "ok" if status < HTTPStatus.BAD_REQUEST else "refused"

    async def close(self) -> None:
        for sent in self._sent:
            sent.cancel()
        await asyncio.gather(*self._sent, return_exceptions=True)
