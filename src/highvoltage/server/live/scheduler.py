"""What happens at a table by itself: bots move, clocks run out, chat programs are told."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic, time
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from highvoltage import bots
from highvoltage.server.bots.service import SUBSTITUTE, minimal_move
from highvoltage.server.bots.worker import ChooseReply, ChooseRequest
from highvoltage.server.live.room import Room
from highvoltage.server.tasks import begin
from highvoltage.table import DecidedBy, Refused, Table, offers

if TYPE_CHECKING:
    from highvoltage.server.live.context import ServerContext

KEEP_LOADED_IF_DUE_SECONDS = 60.0
RECHECK_SECONDS = 0.1

log: logging.Logger = logging.getLogger(__name__)


class TimingEqualizer:
    """Lets every answer take as long as the slowest so far: with hidden money haste would tell.

    >>> pace = TimingEqualizer()
    >>> pace.extra_delay(2.5), pace.extra_delay(0.5)
    (0.0, 2.0)
    """

    def __init__(self) -> None:
        self._slowest = 0.0

    def extra_delay(self, took: float) -> float:
        """How long to wait with an answer that took so many seconds."""
        self._slowest = max(self._slowest, took)
        return self._slowest - took


class TurnScheduler:
    """The bots and the clock of a room."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.context: ServerContext = room.context
        self._even = TimingEqualizer()
        self._bot: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        room.changed = self.changed

    def changed(self) -> None:
        """Somebody has decided."""
        self.context.webhooks.on_change(self.room.row, self.room.places, self.room.setup)
        self.schedule()

    def schedule(self) -> None:
        """Wake the bot, or set the alarm, of the seat to move."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        table = self.room.table
        if table is None or self.context.closing or not self._running:
            return
        if table.bot_to_move is not None:
            if not self._busy:
                self._begin(self._let_bots_play)
        elif table.deadline is not None:
            wait = max(0.0, self.context.extend_deadline(table.deadline) - time())
            self._set_alarm(wait, table.seq)

    def _set_alarm(self, wait: float, seq: int) -> None:
        self._alarm = asyncio.get_running_loop().call_later(wait, self._time_is_up, seq)

    def _begin(self, play: Callable[..., Awaitable[None]], *given: int) -> None:
        """Play by itself; nobody waits for it, so what fails is reported to all at the table."""

        async def work() -> None:
            with suppress(Refused):
                async with self.room.reporting():
                    await play(*given)

        self._bot = begin(work(), "play")

    async def _let_bots_play(self) -> None:
        # The table may be read anew while a bot thinks.
        while self._running and (bot := (table := self.room.playing()).bot_to_move) is not None:
            seat, seq = table.game.to_move, table.seq
            assert seat is not None
            asked = monotonic()
            answer = await ask_bot(self.room, bot, seat, lasting=True)
            if table.game.rules.asks_everybody:
                await asyncio.sleep(self._even.extra_delay(monotonic() - asked))
            try:
                await self.room.move(seat, seq, answer.move, self._by(seat))
            except Refused as refusal:
                await self._refused(refusal)
            except SQLAlchemyError:
                log.error("move not written", extra={"game": self.room.row.id})  # noqa: TRY400  # the store has told why
                await asyncio.sleep(1)

    def _by(self, seat: int) -> DecidedBy:
        """A bot that plays because a person's time has run out costs that person the time."""
        table = self.room.playing()
        late = table.seats[seat].kind == "person" and table.has_run_out(time())
        return "clock" if late else "bot"

    def _time_is_up(self, seq: int) -> None:
        if self._busy:  # it is about to end; another one beside it would be forgotten
            self._set_alarm(RECHECK_SECONDS, seq)
        else:
            self._begin(self._play_for_absent, seq)

    async def _play_for_absent(self, seq: int) -> None:
        room = self.room
        table = room.playing()
        seat = table.game.to_move
        if seat is None or table.seq != seq:
            return
        if room.setup.timeout == "bot":
            await room.stand_in(seat, SUBSTITUTE)
        else:
            await self._move_for_absent(table, seat, seq)
        await self._let_bots_play()  # they were not woken while this was under way

    async def _move_for_absent(self, table: Table, seat: int, seq: int) -> None:
        move = minimal_move(offers(table.game))
        move = move or (await ask_bot(self.room, SUBSTITUTE, seat)).move
        try:
            await self.room.move(seat, seq, move, "clock")
        except Refused as refusal:
            await self._refused(refusal)

    async def _refused(self, refusal: Refused) -> None:
        """Somebody was faster; any other refusal of what was offered is a failure of the game."""
        if refusal.code not in {"stale", "game_failed"}:
            await self.room.fail(refusal)

    async def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        if self._bot is not None:
            self._bot.cancel()
            await asyncio.gather(self._bot, return_exceptions=True)

    @property
    def idle(self) -> bool:
        """Nobody is in the room and nothing is about to happen."""
        return not (self.room.watchers or self._soon or self._busy or self.room.lock.locked())

    @property
    def _running(self) -> bool:
        return self.room.row.status == "running"

    @property
    def _busy(self) -> bool:
        return self._bot is not None and not self._bot.done()

    @property
    def _soon(self) -> bool:
        """Whether an alarm is near; for one that is far the sweep loads the table again."""
        if self._alarm is None:
            return False
        return self._alarm.when() < asyncio.get_running_loop().time() + KEEP_LOADED_IF_DUE_SECONDS

    def release(self) -> None:
        """The table is forgotten here; the store knows when it has to be taken up again."""
        if self._alarm is not None:
            self._alarm.cancel()


async def ask_bot(room: Room, bot: str, seat: int, *, lasting: bool = False) -> ChooseReply:
    """What a bot would do in this seat, which is to move; `lasting` if the seat is its own."""
    table = room.playing()
    needs = bots.needs(bot)
    view = {} if needs == "nothing" else table.game.view(seat, history=needs == "history")
    own = f"{room.row.id}/{room.row.seed}/{seat}"
    question = ChooseRequest(
        bot,
        own if lasting else f"{room.row.id}/{seat}/{table.seq}",
        room.row.rulebook,
        view,
        offers(table.game),
        keep_bot=lasting,
    )
    return await room.context.bot_service.choose(question, room.row.id)
