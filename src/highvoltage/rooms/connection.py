"""One client of a table: states out, decisions in."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from math import ceil

import msgspec

from highvoltage.bots import BotError
from highvoltage.rooms.counters import FAILED_TASKS, PRESENT, REFUSALS
from highvoltage.rooms.line import Budget, Line
from highvoltage.rooms.messages import Explanation, Problem
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import (
    RequestRefused,
    banned,
    not_yours,
    problem_for,
    too_fast,
    too_many,
)
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import write_mark
from highvoltage.rooms.scheduler import ask_bot, ask_coach, ask_judge
from highvoltage.rooms.socket_messages import (
    AnyMessage,
    AskCoachMessage,
    AskHintMessage,
    AskPreviewMessage,
    AutoPassMessage,
    ChatMessage,
    CoachMessage,
    DoneMessage,
    ErrorMessage,
    HintMessage,
    MaxBidMessage,
    Message,
    MoveMessage,
    PingMessage,
    PongMessage,
    PreviewMessage,
    RefusedMessage,
    SendChatMessage,
    ServerMessage,
    UndoMessage,
    WriteMessage,
)
from highvoltage.rooms.store import StoreError, problem_of_failure
from highvoltage.rooms.thinking import ChooseReply
from highvoltage.rooms.watcher import SPECTATOR, Watcher, ignore, noop
from highvoltage.table import Refused

MAX_UNSENT = 200
"""Answers that may wait for a slow client before it is disconnected."""
MAX_PAUSE_SECONDS = 1.0  # after a message beyond the budget
UNREADABLE, CLOSED, TRY_LATER = 4409, 4401, 1013
CODES = {HTTPStatus.NOT_FOUND: 4404, HTTPStatus.UNAUTHORIZED: CLOSED, HTTPStatus.FORBIDDEN: CLOSED}
"""With which a connection is closed that is refused."""

decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
any_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)
encoder: msgspec.json.Encoder = msgspec.json.Encoder()
log: logging.Logger = logging.getLogger(__name__)


class Connection:
    """One open line; while idle it needs no task."""

    __slots__ = (
        "_answers",
        "_asker",
        "_budget",
        "_chat_pending",
        "_coaching",
        "_hint",
        "_inbox",
        "_previewing",
        "_questions",
        "_send_scheduled",
        "_state_pending",
        "_working",
        "is_banned",
        "line",
        "person",
        "room",
        "watcher",
    )

    def __init__(
        self,
        line: Line,
        room: Room,
        watcher: Watcher,
        person: Person,
        budget: Budget,
        is_banned: Callable[[], Awaitable[bool]],
    ) -> None:
        self.line = line
        self.room = room
        self.watcher = watcher
        self.person = person
        self.is_banned = is_banned
        self._budget = budget
        self._asker: Asker = Asker(person.origin, person.who, room.row.id)
        self._inbox: list[bytes] = []
        self._working: asyncio.Task[None] | None = None
        self._hint: asyncio.Task[None] | None = None
        self._coaching: asyncio.Task[None] | None = None
        self._questions: dict[bool, AskPreviewMessage] = {}  # the latest; of plans ahead apart
        self._previewing: asyncio.Task[None] | None = None
        self._answers: list[bytes] = []
        self._state_pending = False  # there is a state to send
        self._chat_pending = False  # there may be chat to send
        self._send_scheduled = False  # `_send_pending` is scheduled

    def begin(self) -> None:
        watcher = self.watcher
        watcher.notify, watcher.notify_chat = self.notify, self.notify_chat
        watcher.notify_problem, watcher.leave = self.notify_problem, self.leave
        PRESENT["watchers"] += 1
        self.room.watch(watcher)
        self.notify()
        self.line.attach(self)

    def on_close(self) -> None:
        """The connection is closed; a decision in progress is still completed."""
        PRESENT["watchers"] -= 1
        self.room.unwatch(self.watcher)
        self.watcher.notify = self.watcher.notify_chat = self.watcher.leave = noop
        self.watcher.notify_problem = ignore
        self._inbox.clear()
        self._answers.clear()
        self._questions.clear()
        for task in (self._hint, self._coaching, self._previewing):
            if task is not None:
                task.cancel()

    # Out

    def notify(self) -> None:
        self._state_pending = True
        self.on_writable()

    def notify_chat(self) -> None:
        self._chat_pending = True
        if not self.watcher.brief:  # a program gets it with the next state
            self.on_writable()

    def notify_problem(self, problem: Problem) -> None:
        self.answer(ErrorMessage.of(problem))

    def leave(self) -> None:
        """The login that this connection was opened with has ended."""
        self.line.spawn(self.line.close_with(CLOSED))

    def answer(self, message: ServerMessage) -> None:
        self._answer_text(encoder.encode(message))

    def _answer_text(self, text: bytes) -> None:
        self._answers.append(text)
        self.on_writable()

    def on_writable(self) -> None:
        if not self._send_scheduled:
            self._send_scheduled = True
            asyncio.get_running_loop().call_soon(self._send_pending)

    def _send_pending(self) -> None:
        """Send what there is to send; outdated states are skipped.

        A slow reader gets the rest once the buffer has room.
        """
        self._send_scheduled = False
        if self._answers:
            self._budget.pay_for(self._send_all)
        else:  # on behalf of others
            self._send_all()

    def _send_all(self) -> None:
        line = self.line
        while self._answers and line.has_room:
            line.write(self._answers.pop(0))
        if self.room.in_doubt:  # it notifies when it knows more
            return
        if self._state_pending and line.has_room:
            self._state_pending = False
            line.write(self.room.encoded_state(self.watcher))
            self._chat_pending = True
        if self._chat_pending and line.has_room:
            self._chat_pending = False
            self._send_chat()

    def _send_chat(self) -> None:
        """Send the chat lines that are new."""
        chat = self.room.chat
        if chat and chat[-1].n > self.watcher.chat:
            lines = [line for line in chat if line.n > self.watcher.chat]
            self.watcher.chat = lines[-1].n
            self.line.write(encoder.encode(ChatMessage(lines)))

    # In

    def on_message(self, message: bytes) -> None:
        """Handle messages one after another; reading pauses while one is in progress."""
        self._inbox.append(message)
        if self._working is None:
            self._working = self.line.spawn(self._budget.charge(self._work()))
        else:
            self.line.pause()

    async def _work(self) -> None:
        try:
            while self._inbox:
                await self._handle_raw(self._inbox.pop(0))
                if len(self._answers) >= MAX_UNSENT:
                    self.line.abort()
        finally:
            self._working = None
            self.line.resume()

    async def _handle_raw(self, data: bytes) -> None:
        if wait := self._budget.retry_after():
            self.answer(ErrorMessage.of(too_fast(wait).problem, _ref(data)))
            await asyncio.sleep(min(wait, MAX_PAUSE_SECONDS))  # nothing is read meanwhile
            return
        try:
            message = decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            self.answer(ErrorMessage("malformed", str(error)[:200], ref=_ref(data)))
        else:
            await self.handle(message)

    async def handle(self, message: Message) -> None:
        try:
            try:
                await self.handle_decision(message)
            except (Refused, RequestRefused) as refusal:
                if not await self.was_done(message, refusal):
                    raise
            if isinstance(message, WriteMessage) and message.ref is not None:
                self.answer(DoneMessage(message.ref))
            if self.watcher.brief and not isinstance(message, PingMessage | AskPreviewMessage):
                self.notify()  # of the result
        except Exception as error:  # noqa: BLE001  # all are answered
            self._answer_failure(message, error)

    def _answer_failure(self, message: Message, error: Exception) -> None:
        """Answer a message that failed with the reason."""
        if isinstance(error, Refused):
            REFUSALS[error.code] += 1
            self.answer(RefusedMessage.of(error, message.ref))
            self.notify()
        elif isinstance(error, RequestRefused):
            self.answer(ErrorMessage.of(error.problem, message.ref))
        elif isinstance(error, BotError):
            self.answer(ErrorMessage("no_bot", str(error), ref=message.ref))
        elif isinstance(error, StoreError):
            problem = problem_of_failure(error, may_be_kept=self.mark(message) is not None)
            self.answer(ErrorMessage.of(problem, message.ref))
            self.notify()
        else:
            FAILED_TASKS["connection"] += 1
            log.error("message failed", exc_info=error, extra={"game": self.room.row.id})
            self.answer(ErrorMessage.of(problem_for("internal_error"), message.ref))

    def mark(self, message: Message) -> str | None:
        """By what the store knows a write again; None for what is no write, or cannot be named."""
        who, ref = self.watcher.who, message.ref
        if who is None or not isinstance(ref, str) or not isinstance(message, WriteMessage):
            return None
        return write_mark(who, ref)

    async def was_done(self, message: Message, refusal: Refused | RequestRefused) -> bool:
        """Whether what is refused now was done before: a decision is then refused as stale."""
        mark = self.mark(message)
        if mark is None or (isinstance(refusal, Refused) and refusal.code != "stale"):
            return False
        store = self.room.store
        if isinstance(message, MoveMessage | UndoMessage):
            return await store.is_decided(self.room.row.id, mark)
        return await store.result_of(mark) is not None

    async def handle_decision(self, message: Message) -> None:
        room = self.room
        if isinstance(message, PingMessage):
            self.answer(PongMessage())
            return
        if await self.is_banned():
            raise banned()
        seat = room.seat_for(self.watcher.who)
        if isinstance(message, SendChatMessage):
            await self.add_chat(seat, message.text, self.mark(message))
            return
        if seat is None:
            raise not_yours("not_allowed")
        if isinstance(message, AskPreviewMessage):
            self.ask_preview(message)
        elif isinstance(message, AskHintMessage):
            self.ask(seat, message.bot)
        elif isinstance(message, AskCoachMessage):
            self.ask_coach(seat)
        else:
            await self.decide(seat, message)

    def ask_preview(self, message: AskPreviewMessage) -> None:
        """Have the latest question answered; it takes the place of one that still waits."""
        replaced = self._questions.pop(message.ahead, None)
        self._questions[message.ahead] = message
        if self._previewing is None:
            self._previewing = self.line.spawn(self._budget.charge(self._preview()))
        if replaced is not None:
            self.answer(RefusedMessage.of(Refused("superseded"), replaced.ref))

    async def _preview(self) -> None:
        threads = self.room.context.threads
        try:
            while self._questions:
                async with threads.preview_turn(self._asker):
                    message = self._questions.pop(next(iter(self._questions)))
                    try:
                        async with self.room.reporting():
                            work = self._preview_work(message)
                            self._answer_text(await threads.preview(work))
                    except Exception as error:  # noqa: BLE001  # all are answered
                        self._answer_failure(message, error)
        finally:
            self._previewing = None

    def _preview_work(self, message: AskPreviewMessage) -> Callable[[], bytes]:
        """What is to be computed, from a copy of the position."""
        room = self.room
        seat = room.seat_for(self.watcher.who)
        if seat is None:
            raise not_yours("not_allowed")
        preview = room.playing().preview_of_copy(
            seat, message.seq, message.moves, ahead=message.ahead
        )
        return lambda: encoder.encode(PreviewMessage.of(preview(), message.ref))

    async def add_chat(self, seat: int | None, words: str, mark: str | None) -> None:
        """Spectators may chat, too, unless the host has banned them."""
        limit = self.room.context.chat_limits.of(self.person.network)
        if limit.exceeded():
            raise too_many("much_talk", retry_after=ceil(limit.retry_after(1)))
        room, who = self.room, self.watcher.who
        if seat is None:
            if who is None or await room.store.is_banned(room.row.id, who):
                raise not_yours("sent_away")
            seat, name = SPECTATOR, room.name_for(self.watcher.name)
        else:
            name = room.places[seat].name
        await room.add_chat(seat, name, words, who=who, origin=self.person.origin, mark=mark)

    async def decide(
        self, seat: int, message: MoveMessage | UndoMessage | MaxBidMessage | AutoPassMessage
    ) -> None:
        room, mark = self.room, self.mark(message)
        if isinstance(message, MoveMessage):
            await room.move(seat, message.seq, message.move, mark=mark)
        elif isinstance(message, UndoMessage):
            await room.undo(self.last_mover(seat), message.seq, message.to, mark)
        elif isinstance(message, MaxBidMessage):
            await room.max_bid(seat, message.card, message.limit, mark)
        else:
            await room.max_bid(seat, message.card, 0, mark)

    def last_mover(self, seat: int) -> int:
        """The seat whose move is undone: of one person's seats, the one that moved last."""
        log = self.room.playing().game.log
        mine = self.room.seats_of(self.watcher.who)
        return log[-1].seat if log and log[-1].seat in mine else seat

    def ask(self, seat: int, bot: str | None) -> None:
        if self.room.setup.counts:
            raise Refused("rated_help")
        if bot is not None:
            self.room.context.bot_service.check_bot(bot)
        if self.room.playing().game.to_move != seat:
            raise Refused("not_your_turn")
        if self._hint is None or self._hint.done():
            self._hint = self.line.spawn(self._budget.charge(self.think(seat, bot)))

    async def think(self, seat: int, bot: str | None) -> None:
        seq = self.room.playing().seq
        try:
            async with self.room.reporting():
                if bot:
                    self._hint_by(seq, await ask_bot(self.room, bot, seat, self._asker))
                    return
                async for found, thinking in ask_judge(self.room, seat, self._asker):
                    self._hint_by(seq, found, thinking=thinking)
        except Refused as refusal:
            self.answer(RefusedMessage.of(refusal, None))

    def _hint_by(self, seq: int, found: ChooseReply, *, thinking: bool = False) -> None:
        why = Explanation(found.code, found.values, found.text)
        self.answer(HintMessage(seq, found.move, why, found.bot, thinking))

    def ask_coach(self, seat: int) -> None:
        """The coach speaks about the position as it is now, whatever it was about to say."""
        if self.room.setup.counts:
            raise Refused("rated_help")
        if sum(place.kind == "person" for place in self.room.places) > 1:
            raise Refused("coach_alone")
        if self._coaching is not None:
            self._coaching.cancel()
        self._coaching = self.line.spawn(self._budget.charge(self._coach(seat)))

    async def _coach(self, seat: int) -> None:
        seq = self.room.playing().seq
        async with self.room.reporting():
            async for lines, thinking in ask_coach(self.room, seat, self._asker):
                said = [Explanation(each.code, dict(each.values), str(each)) for each in lines]
                self.answer(CoachMessage(seq, said, thinking))


def _ref(data: bytes) -> str | int | None:
    """What a message is called that is not read any further."""
    try:
        return any_decoder.decode(data).ref
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


async def connect(
    rooms: Rooms,
    table: str,
    line: Line,
    person: Person,
    budget: Budget,
    is_banned: Callable[[], Awaitable[bool]],
    *,
    brief: bool,
) -> Connection | None:
    """Let somebody watch a table and play at it; None if the line was closed instead."""
    try:
        room = await rooms.get(table)
    except RequestRefused as refused:
        await refuse(line, refused)
        return None
    except StoreError:
        await line.close_with(TRY_LATER)
        return None
    if not room.has_place_for(person.who, rooms.context.limits.watchers):
        await line.close_with(TRY_LATER)
        return None
    watcher = Watcher(person.who, person.name, brief=brief)
    connection = Connection(line, room, watcher, person, budget, is_banned)
    connection.begin()
    return connection


async def refuse(line: Line, refused: RequestRefused) -> None:
    """Close a line, and say why."""
    line.write(encoder.encode(ErrorMessage.of(refused.problem)))
    await line.close_with(CODES.get(refused.status, UNREADABLE))
