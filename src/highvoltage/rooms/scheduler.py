"""What happens at a table by itself: bots move, clocks run out, webhooks are called."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from time import monotonic, time
from typing import TYPE_CHECKING

from highvoltage import bots
from highvoltage.bots import pace
from highvoltage.rooms.bot_service import SUBSTITUTE, minimal_move
from highvoltage.rooms.context import ARENA
from highvoltage.rooms.person import Asker
from highvoltage.rooms.room import Room
from highvoltage.rooms.store import StoreError, problem_of_failure
from highvoltage.rooms.tasks import begin
from highvoltage.rooms.thinking import AdviseRequest, ChooseReply, ChooseRequest, CoachRequest
from highvoltage.table import DecidedBy, Refused, Table, offers
from highvoltage.views import Reason

if TYPE_CHECKING:
    from highvoltage.rooms.context import RoomContext

KEEP_LOADED_IF_DUE_SECONDS = 60.0
RECHECK_SECONDS = 0.1
SHOWN_SECONDS = 2.0
"""A move of the arena is shown at least so long."""
MAX_ALARM_SECONDS = 86_400.0
"""A timer of a browser that is set for a month goes off at once."""

log: logging.Logger = logging.getLogger(__name__)


class TurnScheduler:
    """The bots and the clock of a room."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.context: RoomContext = room.context
        self._bot: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._failing = False  # the store does not take moves
        room.changed = self.changed

    def changed(self) -> None:
        """The table has changed."""
        if self.context.webhooks is not None:
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
            wait = min(self._time_left(table.deadline), MAX_ALARM_SECONDS)
            if (change := table.next_holiday_change(now := time())) is not None:
                wait = min(wait, change - now)
            self._set_alarm(wait, table.seq)

    def _time_left(self, deadline: float) -> float:
        return max(0.0, self.context.extend_deadline(deadline) - time())

    def _set_alarm(self, wait: float, seq: int) -> None:
        self._alarm = asyncio.get_running_loop().call_later(wait, self._time_is_up, seq)

    def _begin(self, play: Callable[..., Awaitable[None]], *given: int) -> None:
        """Play in the background; a failure is reported to everybody at the table."""

        async def work() -> None:
            with suppress(Refused):
                async with self.room.reporting():
                    while not await self._written(play(*given)):  # noqa: ASYNC110  # each tries
                        await asyncio.sleep(1)

        self._bot = begin(work(), "play")

    async def _written(self, play: Awaitable[None]) -> bool:
        """Whether the store took what this comes to; if not, it is to be tried again."""
        try:
            await play
        except StoreError as error:
            log.error("move not written", extra={"game": self.room.row.id})  # noqa: TRY400  # the store has logged why
            if not self._failing:  # once is enough
                self.room.audience.notify_problem(problem_of_failure(error, may_be_kept=False))
            self._failing = True
            return False
        self._failing = False
        return True

    async def _let_bots_play(self) -> None:
        # The table may be reloaded while a bot thinks.
        while self._running and (bot := (table := self.room.playing()).bot_to_move) is not None:
            seat, seq = table.game.to_move, table.seq
            assert seat is not None
            started = monotonic()
            answer = await ask_bot(self.room, bot, seat, lasting=True)
            if table.game.rules.asks_everybody:  # how long it took would tell of its money
                await asyncio.sleep(pace.remaining(bot, monotonic() - started))
            self.room.rest_seconds = self._rest(monotonic() - started)
            try:
                await self.room.move(seat, seq, answer.move, self._by(seat))
            except Refused as refusal:
                await self._refused(refusal)
            if self.room.rest_seconds:
                await asyncio.sleep(self.room.rest_seconds)

    def _rest(self, thought: float) -> float:
        """How long bots rest after a move: in the arena, to keep to its share and be followed."""
        if self.room.row.host != ARENA:
            return 0.0
        share = self.context.arena_share or 1.0  # without an arena, the table is deleted
        return max(SHOWN_SECONDS, thought / share - thought)

    def _by(self, seat: int) -> DecidedBy:
        """Who decides: the clock if a bot plays because a person's time has run out."""
        table = self.room.playing()
        late = table.seats[seat].kind == "person" and table.has_run_out(time())
        return "clock" if late else "bot"

    def _time_is_up(self, seq: int) -> None:
        if self._busy:  # it is about to end; a second task would be lost
            self._set_alarm(RECHECK_SECONDS, seq)
        elif (deadline := self.room.playing().deadline) and self._time_left(deadline):
            self.room.announce()  # it was a distant one, or a holiday begins or ends
        else:
            self._begin(self._play_for_absent, seq)

    async def _play_for_absent(self, seq: int) -> None:
        room = self.room
        table = room.playing()
        seat = table.game.to_move
        if seat is not None and table.seq == seq:
            if room.setup.timeout == "bot":
                await room.stand_in(seat, SUBSTITUTE)
            else:
                await self._move_for_absent(table, seat, seq)
        await self._let_bots_play()  # `schedule` did not start them while this ran

    async def _move_for_absent(self, table: Table, seat: int, seq: int) -> None:
        move = minimal_move(offers(table.game))
        move = move or (await ask_bot(self.room, SUBSTITUTE, seat)).move
        try:
            await self.room.move(seat, seq, move, "clock")
        except Refused as refusal:
            await self._refused(refusal)

    async def _refused(self, refusal: Refused) -> None:
        """Ignore that somebody was faster; any other refusal of an offered move fails the game."""
        if refusal.code not in {"stale", "game_failed", "not_running"}:
            await self.room.fail(refusal)

    async def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        if self._bot is not None:
            self._bot.cancel()
            await asyncio.gather(self._bot, return_exceptions=True)

    @property
    def idle(self) -> bool:
        """Whether nobody is in the room and nothing is about to happen."""
        room = self.room
        waits = room.audience.watchers or room.in_doubt or room.lock.locked()
        return not (waits or self._soon or self._busy)

    @property
    def _running(self) -> bool:
        return self.room.row.status == "running"

    @property
    def _busy(self) -> bool:
        return self._bot is not None and not self._bot.done()

    @property
    def _soon(self) -> bool:
        """Whether the alarm is near; for a distant one the sweep loads the table again."""
        if self._alarm is None:
            return False
        return self._alarm.when() < asyncio.get_running_loop().time() + KEEP_LOADED_IF_DUE_SECONDS

    def release(self) -> None:
        """Release the table from memory; the store knows when it is due again."""
        if self._alarm is not None:
            self._alarm.cancel()


async def ask_judge(room: Room, seat: int, asker: Asker) -> AsyncIterator[tuple[ChooseReply, bool]]:
    """What the judge recommends to this seat, which is to move, and whether it thinks further."""
    table = room.playing()
    question = AdviseRequest(
        f"{room.row.id}/{seat}/{table.seq}",
        room.row.rulebook,
        table.game.view(seat, history=True),
        offers(table.game),
        _bots(table),
    )
    service = room.context.bot_service
    if first := await service.first_advice(question, asker):
        yield first, True
    yield await service.advise(question, asker), False


async def ask_coach(
    room: Room, seat: int, asker: Asker
) -> AsyncIterator[tuple[list[Reason], bool]]:
    """What the coach says of what this seat did and is to decide, and whether it thinks further."""
    table, service = room.playing(), room.context.bot_service
    seed, game = f"{room.row.id}/{seat}/{table.seq}", table.game.copy()
    record = await room.context.threads.compute(lambda: str(game.record()))
    said = await service.coach(CoachRequest(seed, seat, _bots(table), record=record), asker)
    mine = game.to_move == seat
    yield said, mine
    if mine:
        request = CoachRequest(seed, seat, _bots(table), game.view(seat, history=True))
        yield said + await service.coach(request, asker), False


def _bots(table: Table) -> list[str | None]:
    return [place.bot if place.kind == "bot" else None for place in table.seats]


async def ask_bot(
    room: Room, bot: str, seat: int, asker: Asker | None = None, *, lasting: bool = False
) -> ChooseReply:
    """What a bot would do in this seat, which is to move; `lasting` if the bot plays the seat.

    It thinks at the expense of `asker`, or else of whoever made the table.
    """
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
    return await room.context.bot_service.choose(question, asker or room.asker())
