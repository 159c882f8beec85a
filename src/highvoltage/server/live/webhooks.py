"""Calls the webhook of a table, given by its host, when the turn changes."""

import asyncio
import logging
from collections.abc import Sequence
from http import HTTPStatus

import msgspec

from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.problems import malformed
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.store import StoreError
from highvoltage.rooms.tasks import begin
from highvoltage.server.live.outgoing import ForbiddenAddress, OutgoingHttp, check_address
from highvoltage.server.metrics import WEBHOOKS
from highvoltage.server.store import SqlStore

JSON = {"Content-Type": "application/json"}
TIMEOUT_SECONDS = 10
MAX_QUEUED_WEBHOOKS = 1000
CALLS, CALLS_AT_ONCE = 1, 60
"""Per second, for the tables of one address, so that nobody can be flooded from here."""

log: logging.Logger = logging.getLogger(__name__)


class Webhooks:
    """Calls webhooks once per change of turn, from whichever process is first."""

    def __init__(self, store: SqlStore, outgoing: OutgoingHttp) -> None:
        self.store = store
        self.http = outgoing
        self._calls: set[asyncio.Task[None]] = set()
        self._calling = RateLimits(CALLS, CALLS_AT_ONCE)

    def check(self, url: str) -> None:
        """RequestRefused if this is no address that may be called."""
        try:
            check_address(url, private=self.http.private)
        except ForbiddenAddress as error:
            raise malformed("no_webhook", f"A webhook {error}.") from None

    def on_change(self, row: GameRow, places: Sequence[SeatRow], setup: StoredSetup) -> None:
        """Call the webhook if the turn has changed or the game is over."""
        if setup.webhook is None or row.opening is None:
            return
        news = f"{row.status} {row.turn}"
        if row.told == news:
            return
        row.told = news
        if len(self._calls) < MAX_QUEUED_WEBHOOKS:
            message = None
            person = row.turn is None or places[row.turn].bot is None or row.status == "failed"
            if person and not self._calling.exceeded(row.origin or row.id):
                message = news_of(row, places, setup)
            call = begin(self._call(row.id, news, setup.webhook, message), "webhook")
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call(
        self, game: str, news: str, url: str, message: dict[str, object] | None
    ) -> None:
        """Call, unless another process has; a bot's turn is only recorded in the store."""
        try:
            if not await self.store.claim_notice(game, news) or message is None:
                return
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status = await self.http.post(url, msgspec.json.encode(message), JSON)
            result = "ok" if status < HTTPStatus.BAD_REQUEST else "refused"
        except (OSError, ValueError, TimeoutError, EOFError, StoreError) as error:
            result = "failed"
            log.warning("webhook failed", extra={"error": type(error).__name__})
        WEBHOOKS.labels(result).inc()

    async def close(self) -> None:
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)


def news_of(row: GameRow, places: Sequence[SeatRow], setup: StoredSetup) -> dict[str, object]:
    """The message of a webhook about a table."""
    turn = row.turn
    title = setup.title or row.rulebook
    if row.status == "failed":
        event, text = "game_failed", f"{title}: the program cannot go on with the game."
    elif turn is None:
        event, text = "game_over", f"{title}: the game is over."
    else:
        event, text = "your_turn", f"{title}: {places[turn].name}, it is your turn."
    # the usual chat programs read `text` or `content`
    return {"event": event, "table": row.id, "seat": turn, "text": text, "content": text}
