"""The WebSocket of a table: states out, decisions in."""

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Literal

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.bots import BotError
from highvoltage.games import meta
from highvoltage.server.config import Config, Limits
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.rate_limit import RateLimit
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import CONNECTION_KEY, WebSocketConnection, text_frame
from highvoltage.server.live.introduction import Introduction
from highvoltage.server.live.room import Room
from highvoltage.server.live.rooms import Rooms
from highvoltage.server.live.scheduler import ask_bot
from highvoltage.server.live.watcher import SPECTATOR, Watcher, noop
from highvoltage.server.messages import (
    AskHintMessage,
    AskPreviewMessage,
    AutoPassMessage,
    ChatMessage,
    ErrorMessage,
    Explanation,
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
)
from highvoltage.server.metrics import FAILED_TASKS, REFUSALS, WATCHERS
from highvoltage.server.problems import RequestRefused, not_yours, too_many
from highvoltage.table import Refused

MAX_UNSENT = 200
"""Answers that may wait for a slow client before it is sent away."""
UNREADABLE, CLOSED, TRY_LATER = 4409, 4401, 1013
CODES = {HTTPStatus.NOT_FOUND: 4404, HTTPStatus.UNAUTHORIZED: CLOSED, HTTPStatus.FORBIDDEN: CLOSED}

decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
encoder: msgspec.json.Encoder = msgspec.json.Encoder()
log: logging.Logger = logging.getLogger(__name__)


class Connection:
    """One open WebSocket: idle, it is no more than this."""

    __slots__ = (
        "_answers",
        "_bucket",
        "_due",
        "_hint",
        "_inbox",
        "_limits",
        "_news",
        "_words",
        "_working",
        "network",
        "room",
        "socket",
        "watcher",
    )

    def __init__(
        self, wire: WebSocketConnection, room: Room, watcher: Watcher, network: str, limits: Limits
    ) -> None:
        self.socket = wire
        self.room = room
        self.watcher = watcher
        self.network = network
        self._limits = limits
        self._bucket = RateLimit(limits.messages_per_second, limits.burst)
        self._inbox: list[bytes] = []
        self._working: asyncio.Task[None] | None = None
        self._hint: asyncio.Task[None] | None = None
        self._answers: list[ServerMessage] = []
        self._news = False  # there is a state to tell
        self._words = False  # something was said
        self._due = False  # it is about to be told

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
        """The line is cut; what was being decided is decided."""
        WATCHERS.dec()
        self.room.unwatch(self.watcher)
        self.watcher.notify = self.watcher.notify_chat = self.watcher.leave = noop
        self._inbox.clear()
        self._answers.clear()
        if self._hint is not None:
            self._hint.cancel()

    # Out

    def notify(self) -> None:
        self._news = True
        self.on_writable()

    def notify_chat(self) -> None:
        self._words = True
        if not self.watcher.brief:  # a program hears of it with the next state
            self.on_writable()

    def leave(self) -> None:
        """The login that this line was opened with has ended."""
        self.socket.spawn(self.socket.close_with(CLOSED))

    def answer(self, message: ServerMessage) -> None:
        self._answers.append(message)
        self.on_writable()

    def on_writable(self) -> None:
        if not self._due:
            self._due = True
            self.socket.loop.call_soon(self._talk)

    def _talk(self) -> None:
        """Say what there is to say; what has been overtaken meanwhile is never said.

        Whoever is slow to read is told the rest when he has read some.
        """
        self._due = False
        wire = self.socket
        while self._answers and wire.has_room:
            self._send(self._answers.pop(0))
        if self._news and wire.has_room:
            self._news = False
            wire.write(self.room.encoded_state(self.watcher))
            self._words = True
        if self._words and wire.has_room and not (self._news or self._answers):
            self._words = False
            self._pass_on()

    def _pass_on(self) -> None:
        """Tell what was said at the table."""
        chat = self.room.chat
        if chat and chat[-1].n > self.watcher.chat:
            lines = [line for line in chat if line.n > self.watcher.chat]
            self.watcher.chat = lines[-1].n
            self._send(ChatMessage(lines))

    def _send(self, message: ServerMessage) -> None:
        self.socket.write(text_frame(encoder.encode(message)))

    # In

    def on_message(self, message: bytes) -> None:
        """Take up messages one after the other; those who send more than that are not read."""
        self._inbox.append(message)
        if self._working is None:
            self._working = self.socket.spawn(self._work())
        else:
            self.socket.pause()

    async def _work(self) -> None:
        try:
            while self._inbox:
                await self._take_up(self._inbox.pop(0))
                if len(self._answers) >= MAX_UNSENT:
                    self.socket.transport.abort()
        finally:
            self._working = None
            self.socket.resume()

    async def _take_up(self, told: bytes) -> None:
        if self._bucket.exceeded():
            self.answer(ErrorMessage("too_fast", "Too many messages; wait a little."))
            await asyncio.sleep(1 / self._limits.messages_per_second)
            return
        try:
            message = decoder.decode(told)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            self.answer(ErrorMessage("malformed", str(error)[:200]))
        else:
            await self.handle(message)

    async def handle(self, message: Message) -> None:
        try:
            await self.handle_decision(message)
            if self.watcher.brief and not isinstance(message, PingMessage | AskPreviewMessage):
                self.notify()  # what came of it
        except Refused as refusal:
            REFUSALS.labels(refusal.code).inc()
            self.answer(RefusedMessage.of(refusal, message.ref))
            self.notify()
        except RequestRefused as sorry:
            self.answer(ErrorMessage(sorry.problem.code, sorry.problem.message))
        except BotError as error:
            self.answer(ErrorMessage("no_bot", str(error)))
        except SQLAlchemyError:
            self.answer(ErrorMessage("no_store", "That was not kept; try again in a moment."))
            self.notify()
        except Exception:
            FAILED_TASKS.labels("connection").inc()
            log.exception("message failed", extra={"game": self.room.row.id})
            self.answer(ErrorMessage("internal_error", "Something went wrong here."))

    async def handle_decision(self, message: Message) -> None:
        room = self.room
        if isinstance(message, PingMessage):
            self.answer(PongMessage())
            return
        seat = room.seat_for(self.watcher.who)
        if isinstance(message, SendChatMessage):
            await self.add_chat(seat, message.text)
            return
        if seat is None:
            raise not_yours("You hold no seat here.", "not_allowed")
        if isinstance(message, AskPreviewMessage):
            async with room.reporting():
                table = room.playing()
                foreseen = table.preview(seat, message.seq, message.moves, ahead=message.ahead)
            self.answer(PreviewMessage.of(foreseen, message.ref))
        elif isinstance(message, AskHintMessage):
            self.ask(seat, message.bot or meta(room.row.rulebook).adviser)
        else:
            await self.decide(seat, message)

    async def add_chat(self, seat: int | None, words: str) -> None:
        """Whoever holds no seat talks along, unless the host has sent him away."""
        if self.room.context.saying.exceeded(self.network):
            raise too_many("You talk too fast; wait a little.", "much_talk")
        room, who = self.room, self.watcher.who
        if seat is None:
            if who is None or await room.store.people.banned(room.row.id, who):
                raise not_yours("The host has sent you away from this table.", "sent_away")
            await room.add_chat(SPECTATOR, room.name_for(self.watcher.name), words)
        else:
            await room.add_chat(seat, room.places[seat].name, words)

    async def decide(
        self, seat: int, message: MoveMessage | UndoMessage | MaxBidMessage | AutoPassMessage
    ) -> None:
        room = self.room
        if isinstance(message, MoveMessage):
            await room.move(seat, message.seq, message.move)
        elif isinstance(message, UndoMessage):
            await room.undo(self.last_mover(seat), message.seq, message.to)
        elif isinstance(message, MaxBidMessage):
            await room.max_bid(seat, message.card, message.limit)
        else:
            await room.max_bid(seat, message.card, 0)

    def last_mover(self, seat: int) -> int:
        """Of several seats of one person the one that moved last takes back."""
        log = self.room.playing().game.log
        mine = self.room.seats_of(self.watcher.who)
        return log[-1].seat if log and log[-1].seat in mine else seat

    def ask(self, seat: int, bot: str) -> None:
        self.room.context.bot_service.check_bot(bot)
        if self.room.playing().game.to_move != seat:
            raise Refused("not_your_turn")
        if self._hint is None or self._hint.done():
            self._hint = self.socket.spawn(self.think(seat, bot))

    async def think(self, seat: int, bot: str) -> None:
        seq = self.room.playing().seq
        try:
            async with self.room.reporting():
                answer = await ask_bot(self.room, bot, seat)
        except Refused as refusal:
            self.answer(RefusedMessage.of(refusal, None))
            return
        why = Explanation(answer.code, answer.values, answer.text)
        self.answer(HintMessage(seq, answer.move, why, bot))


@websocket("/api/tables/{table:str}/live")
async def live(
    socket: "WebSocket[Any, Any, Any]",
    table: FromPath[str],
    rooms: Given[Rooms],
    config: Given[Config],
    visitor: Given[Visitor],
    identities: Given[Identities],
    logins: Given[Sessions],
    brief: FromQuery[bool] = False,
    auth: FromQuery[Literal["message"] | None] = None,
) -> None:
    """Watch a table and play at it."""
    await socket.accept()
    wire: WebSocketConnection = socket.scope[CONNECTION_KEY]  # type: ignore[literal-required]  # put there by itself
    introduction = None if auth is None else Introduction(wire)
    network = visitor.network
    try:
        if introduction is not None:
            patience = config.limits.head_seconds
            visitor = await introduction.visitor(identities, logins, patience)
        room = await rooms.get(table)
    except RequestRefused as sorry:
        wire.write(
            text_frame(encoder.encode(ErrorMessage(sorry.problem.code, sorry.problem.message)))
        )
        await wire.close_with(CODES.get(sorry.status, UNREADABLE))
        return
    except SQLAlchemyError:
        await wire.close_with(TRY_LATER)
        return
    if len(room.watchers) >= config.limits.watchers:
        await wire.close_with(TRY_LATER)
        return
    watcher = Watcher(visitor.who, visitor.name, brief=brief)
    connection = Connection(wire, room, watcher, network, config.limits)
    connection.begin()
    for message in introduction.messages if introduction is not None else ():
        connection.on_message(message)
