"""Decides which mails are due, and sends them, beside the moves.

Whose turn it is stands in the store with each move, so no word of it is lost. A mail is noted in
the store before it is sent and cleared afterwards: whoever is killed between the two sends it a
second time, under the same Message-ID.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import EmailMessage
from math import ceil
from time import time
from typing import TypeVar

import msgspec

from highvoltage.rooms import abandoned
from highvoltage.rooms.awaited import absent_player, table_words
from highvoltage.rooms.messages import SETUP_DECODER
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import SeatRow
from highvoltage.server.mail.keys import MailKeys
from highvoltage.server.mail.letters import Letters
from highvoltage.server.mail.smtp import SmtpSender, is_final
from highvoltage.server.metrics import MAILS
from highvoltage.server.store import SqlStore
from highvoltage.server.store.mails import AddressRow, Turn, TurnMail
from highvoltage.table import Pace

DAY = 86_400.0
LOOK_SECONDS = 15.0
"""Between two looks for mails that are due."""
GRACE_SECONDS = 600.0
"""In which a player comes by themselves; every process looks whether they do, so it is longer."""
SEND_SECONDS = 40.0
"""For which the mail server may take; this task is reported as dead after sixty."""
LEASE_SECONDS = 300.0
"""After which another process sends what one was about to send."""
RETRY_SECONDS = (60.0, 300.0, 1_800.0, 7_200.0, 28_800.0)
"""After each failure; then a mail is dropped."""
CONFIRM_SECONDS = DAY
"""For which the link works that confirms an address."""
MAILS_PER_DAY = 30
"""To one mailbox. What is more waits, and is sent if it is true then."""
WAIT_SECONDS = 3_600.0
BATCH = 100

M = TypeVar("M", AddressRow, TurnMail)

log: logging.Logger = logging.getLogger(__name__)


class Mail:
    """Sends word of turns to people who want it."""

    def __init__(
        self, store: SqlStore, rooms: Rooms, keys: MailKeys, letters: Letters, smtp: SmtpSender
    ) -> None:
        self.store = store
        self.keys = keys
        self._rooms = rooms
        self._letters = letters
        self._smtp = smtp
        self._thread = ThreadPoolExecutor(1, "mail")
        self._asked = asyncio.Event()
        self._limits = RateLimits(MAILS_PER_DAY / DAY, MAILS_PER_DAY)

    async def run(self) -> None:
        """Send mails as they are due."""
        while True:
            self._asked.clear()
            await self.look()
            self._rooms.supervisor.report_alive("mail")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), LOOK_SECONDS)

    def look_soon(self) -> None:
        """Somebody waits for a mail."""
        self._asked.set()

    async def look(self) -> None:
        """Send what is due now."""
        await self.store.mails.forget_unconfirmed(time() - CONFIRM_SECONDS)
        await self._note_turns()
        for row in await self.store.mails.due_addresses(time(), BATCH):
            letter = self._confirmation if row.confirmed is None else self._digest
            await self._send(row, row, letter)
        for mail in await self.store.mails.due_turns(time(), BATCH):
            await self._send(mail, await self.store.mails.address(mail.who), self._turn)

    async def _note_turns(self) -> None:
        """Note for each new turn that word of it is due, or that its player has seen it."""
        for turn, _, is_away in await self._over_days(await self.store.mails.turns(new=True)):
            if not is_away:
                await self.store.mails.note(turn, None)
            elif turn.since + GRACE_SECONDS <= time():
                to = await self.store.mails.address(turn.who)
                if to is not None and to.confirmed is not None:
                    digest_due = _next_digest(to.confirmed) if to.digest else None
                    due = None if to.digest else time()
                    await self.store.mails.note(turn, due, digest_due)

    async def _over_days(self, turns: Sequence[Turn]) -> list[tuple[Turn, str, bool]]:
        """The turns at tables over days: the name of the table, and whether the player is away."""
        known = {turn.game: turn for turn in turns}
        found = []
        for row, places in await self.store.tables_with_ids([*known]) if known else ():
            turn = known[row.id]
            with suppress(msgspec.MsgspecError):  # a table that cannot be read
                setup = SETUP_DECODER.decode(row.setup)
                if _is_over_days(setup.pace, places) and row.turn is not None:
                    who = absent_player(row, places, self._rooms.present(row.id))
                    found.append((turn, table_words(row, places, setup), who == turn.who))
        return found

    # What is said

    async def _confirmation(self, _: AddressRow, to: AddressRow) -> EmailMessage | None:
        return self._letters.confirmation(to)

    async def _digest(self, _: AddressRow, to: AddressRow) -> EmailMessage | None:
        waiting = await self._over_days(await self.store.mails.turns(who=to.who))
        tables = [(turn.game, about) for turn, about, is_away in waiting if is_away]
        day = int((time() - (to.confirmed or 0.0)) / DAY)
        return self._letters.digest(to, day, tables) if tables else None

    async def _turn(self, mail: TurnMail, to: AddressRow) -> EmailMessage | None:
        for turn, about, is_away in await self._over_days(await self.store.mails.turns(who=to.who)):
            if is_away and (turn.game, turn.turn) == (mail.game, mail.turn):
                return self._letters.turn(to, turn.game, turn.turn, about)
        return None  # they have moved meanwhile, or are there

    # Sending

    async def _send(
        self,
        mail: M,
        to: AddressRow | None,
        write: Callable[[M, AddressRow], Awaitable[EmailMessage | None]],
    ) -> None:
        """Send a mail that is due, unless another process does, or it is no longer true."""
        assert mail.due is not None
        if to is not None and self._limits.exceeded(to.mailbox):
            await self.store.mails.postpone(mail, time() + WAIT_SECONDS)
            return
        leased = msgspec.structs.replace(mail, due=time() + LEASE_SECONDS)
        if not await self.store.mails.postpone(mail, leased.due):
            return
        self._rooms.supervisor.report_alive("mail")
        letter = None if to is None else await write(mail, to)
        if letter is None:
            await self.store.mails.postpone(leased, None)
            return
        try:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(SEND_SECONDS):
                await loop.run_in_executor(self._thread, self._smtp.send, letter)
        except (OSError, ValueError) as error:
            self._smtp.abort()
            await self._failed(leased, error)
        else:
            MAILS.labels("ok").inc()
            await self.store.mails.postpone(leased, None)

    async def _failed(self, mail: AddressRow | TurnMail, error: OSError | ValueError) -> None:
        final = isinstance(error, OSError) and is_final(error)
        dropped = final or mail.tries >= len(RETRY_SECONDS)
        result = "dropped" if dropped else "failed"
        MAILS.labels(result).inc()
        known = {"error": type(error).__name__, "tries": mail.tries + 1}
        log.warning("mail %s", result, extra=known)
        due = None if dropped else time() + RETRY_SECONDS[mail.tries]
        await self.store.mails.postpone(mail, due, mail.tries + 1)

    def close(self) -> None:
        self._smtp.abort()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _is_over_days(pace: Pace, places: list[SeatRow]) -> bool:
    """Whether a player may take a day for a move, or any time while others wait."""
    return abandoned.is_awaited(places) if pace.kind == "none" else pace.seconds >= DAY


def _next_digest(confirmed: float) -> float:
    """The next time of the day at which the address was confirmed."""
    return confirmed + DAY * ceil((time() - confirmed) / DAY)
