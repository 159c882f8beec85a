"""The WebSocket of a table: states out, decisions in."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import ceil
from time import thread_time

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.bots import BotError
from highvoltage.games import meta
from highvoltage.rooms.messages import Explanation
from highvoltage.rooms.problems import (
    RequestRefused,
    banned,
    not_yours,
    problem_for,
    too_fast,
    too_many,
)
from highvoltage.rooms.room import Room
from highvoltage.rooms.scheduler import ask_bot
from highvoltage.rooms.socket_messages import (
    AnyMessage,
    AskHintMessage,
    AskPreviewMessage,
    AutoPassMessage,
    ChatMessage,
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
from highvoltage.rooms.watcher import SPECTATOR, Watcher, noop
from highvoltage.server.bots.pool import Asker
from highvoltage.server.guard.budget import Budget
from highvoltage.server.guard.websocket import WebSocketConnection, text_frame
from highvoltage.server.metrics import FAILED_TASKS, REFUSALS, WATCHERS
from highvoltage.server.store import NotWritten, WriteInDoubt, write_mark
from highvoltage.table import Refused

MAX_UNSENT = 200
"""Answers that may wait for a slow client before it is disconnected."""
MAX_PAUSE_SECONDS = 1.0  # after a message beyond the budget
CLOSED = 4401

decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
any_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)
encoder: msgspec.json.Encoder = msgspec.json.Encoder()
log: logging.Logger = logging.getLogger(__name__)


class Connection:
    """One open WebSocket; while idle it needs no task."""

    __slots__ = (
        "_answers",
        "_asker",
        "_budget",
        "_chat_pending",
        "_hint",
        "_inbox",
        "_previewing",
        "_questions",
        "_send_scheduled",
        "_state_pending",
        "_working",
        "is_banned",
        "network",
        "origin",
        "room",
        "socket",
        "watcher",
    )

    def __init__(
        self,
        socket: WebSocketConnection,
        room: Room,
        watcher: Watcher,
        network: str,
        budget: Budget,
        asker: Asker,
        origin: str,
        is_banned: Callable[[], Awaitable[bool]],
    ) -> None:
        self.socket = socket
        self.room = room
        self.watcher = watcher
        self.network = network
        self.origin = origin
        self.is_banned = is_banned
        self._budget = budget
        self._asker = asker
        self._inbox: list[bytes] = []
        self._working: asyncio.Task[None] | None = None
        self._hint: asyncio.Task[None] | None = None
        self._questions: dict[bool, AskPreviewMessage] = {}  # the latest; of plans ahead apart
        self._previewing: asyncio.Task[None] | None = None
        self._answers: list[bytes] = []
        self._state_pending = False  # there is a state to send
        self._chat_pending = False  # there may be chat to send
        self._send_scheduled = False  # `_send_pending` is scheduled

    def begin(self) -> None:
        watcher = self.watcher
        watcher.notify, watcher.notify_chat, watcher.leave = (
            self.notify,
            self.notify_chat,
            self.leave,
        )
        WATCHERS.inc()
        self.room.watch(watcher)
        self.notify()
        self.socket.attach(self)

    def on_close(self) -> None:
        """The connection is closed; a decision in progress is still completed."""
        WATCHERS.dec()
        self.room.unwatch(self.watcher)
        self.watcher.notify = self.watcher.notify_chat = self.watcher.leave = noop
        self._inbox.clear()
        self._answers.clear()
        self._questions.clear()
        for task in (self._hint, self._previewing):
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

    def leave(self) -> None:
        """The login that this connection was opened with has ended."""
        self.socket.spawn(self.socket.close_with(CLOSED))

    def answer(self, message: ServerMessage) -> None:
        self._answer_frame(frame_of(message))

    def _answer_frame(self, frame: bytes) -> None:
        self._answers.append(frame)
        self.on_writable()

    def on_writable(self) -> None:
        if not self._send_scheduled:
            self._send_scheduled = True
            self.socket.loop.call_soon(self._send_pending)

    def _send_pending(self) -> None:
        """Send what there is to send; outdated states are skipped.

        A slow reader gets the rest once the buffer has room.
        """
        self._send_scheduled = False
        began = thread_time() if self._answers else None  # else it is sent on behalf of others
        socket = self.socket
        while self._answers and socket.has_room:
            socket.write(self._answers.pop(0))
        if self.room.in_doubt:  # it notifies when it knows more
            return
        if self._state_pending and socket.has_room:
            self._state_pending = False
            socket.write(self.room.encoded_state(self.watcher))
            self._chat_pending = True
        if self._chat_pending and socket.has_room and not (self._state_pending or self._answers):
            self._chat_pending = False
            self._send_chat()
        if began is not None:
            self._budget.spend(thread_time() - began)

    def _send_chat(self) -> None:
        """Send the chat lines that are new."""
        chat = self.room.chat
        if chat and chat[-1].n > self.watcher.chat:
            lines = [line for line in chat if line.n > self.watcher.chat]
            self.watcher.chat = lines[-1].n
            self.socket.write(frame_of(ChatMessage(lines)))

    # In

    def on_message(self, message: bytes) -> None:
        """Handle messages one after another; reading pauses while one is in progress."""
        self._inbox.append(message)
        if self._working is None:
            self._working = self.socket.spawn(self._budget.charge(self._work()))
        else:
            self.socket.pause()

    async def _work(self) -> None:
        try:
            while self._inbox:
                await self._handle_raw(self._inbox.pop(0))
                if len(self._answers) >= MAX_UNSENT:
                    self.socket.transport.abort()
        finally:
            self._working = None
            self.socket.resume()

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
        async with self._refusing(message):
            try:
                await self.handle_decision(message)
            except (Refused, RequestRefused) as refusal:
                if not await self.was_done(message, refusal):
                    raise
            if isinstance(message, WriteMessage) and message.ref is not None:
                self.answer(DoneMessage(message.ref))
            if self.watcher.brief and not isinstance(message, PingMessage | AskPreviewMessage):
                self.notify()  # of the result

    @asynccontextmanager
    async def _refusing(self, message: Message) -> AsyncIterator[None]:
        """Answer a message that fails with the reason."""
        try:
            yield
        except Refused as refusal:
            REFUSALS.labels(refusal.code).inc()
            self.answer(RefusedMessage.of(refusal, message.ref))
            self.notify()
        except RequestRefused as refused:
            self.answer(ErrorMessage.of(refused.problem, message.ref))
        except BotError as error:
            self.answer(ErrorMessage("no_bot", str(error), ref=message.ref))
        except SQLAlchemyError as error:
            unknown = isinstance(error, WriteInDoubt) or self.mark(message) is not None
            certain = isinstance(error, NotWritten) or not unknown
            code = "no_store" if certain else "not_known"
            self.answer(ErrorMessage.of(problem_for(code), message.ref))
            self.notify()
        except Exception:
            FAILED_TASKS.labels("connection").inc()
            log.exception("message failed", extra={"game": self.room.row.id})
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
            self.ask(seat, message.bot or meta(room.row.rulebook).adviser)
        else:
            await self.decide(seat, message)

    def ask_preview(self, message: AskPreviewMessage) -> None:
        """Have the latest question answered; it takes the place of one that still waits."""
        replaced = self._questions.pop(message.ahead, None)
        self._questions[message.ahead] = message
        if self._previewing is None:
            self._previewing = self.socket.spawn(self._budget.charge(self._preview()))
        if replaced is not None:
            self.answer(RefusedMessage.of(Refused("superseded"), replaced.ref))

    async def _preview(self) -> None:
        previews = self.room.context.previews
        try:
            while self._questions:
                async with previews.turn(self._asker):
                    message = self._questions.pop(next(iter(self._questions)))
                    async with self._refusing(message), self.room.reporting():
                        work = self._preview_work(message)
                        self._answer_frame(await previews.compute(work))
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
        return lambda: frame_of(PreviewMessage.of(preview(), message.ref))

    async def add_chat(self, seat: int | None, words: str, mark: str | None) -> None:
        """Spectators may chat, too, unless the host has banned them."""
        limit = self.room.context.chat_limits.of(self.network)
        if limit.exceeded():
            raise too_many("much_talk", retry_after=ceil(limit.retry_after(1)))
        room, who = self.room, self.watcher.who
        if seat is None:
            if who is None or await room.store.people.banned(room.row.id, who):
                raise not_yours("sent_away")
            seat, name = SPECTATOR, room.name_for(self.watcher.name)
        else:
            name = room.places[seat].name
        await room.add_chat(seat, name, words, who=who, origin=self.origin, mark=mark)

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

    def ask(self, seat: int, bot: str) -> None:
        self.room.context.bot_service.check_bot(bot)
        if self.room.playing().game.to_move != seat:
            raise Refused("not_your_turn")
        if self._hint is None or self._hint.done():
            self._hint = self.socket.spawn(self._budget.charge(self.think(seat, bot)))

    async def think(self, seat: int, bot: str) -> None:
        seq = self.room.playing().seq
        try:
            async with self.room.reporting():
                answer = await ask_bot(self.room, bot, seat, self._asker)
        except Refused as refusal:
            self.answer(RefusedMessage.of(refusal, None))
            return
        why = Explanation(answer.code, answer.values, answer.text)
        self.answer(HintMessage(seq, answer.move, why, bot))


def _ref(data: bytes) -> str | int | None:
    """What a message is called that is not read any further."""
    try:
        return any_decoder.decode(data).ref
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def frame_of(message: ServerMessage) -> bytes:
    return text_frame(encoder.encode(message))
