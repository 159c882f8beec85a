"""The WebSocket of a table: states out, decisions in."""

import asyncio
from collections import deque
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency as Given
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.bots import BotError
from highvoltage.server.config import Config, Limits
from highvoltage.server.guard.bucket import Bucket
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.live.pulse import ask
from highvoltage.server.live.room import Room
from highvoltage.server.live.rooms import Rooms
from highvoltage.server.live.watcher import SPECTATOR, Watcher
from highvoltage.server.messages import (
    AskMessage,
    ChatMessage,
    ErrorMessage,
    ForeseeMessage,
    HintMessage,
    MaxBidMessage,
    Message,
    MoveMessage,
    PassOnMessage,
    PingMessage,
    PongMessage,
    PreviewMessage,
    RefusedMessage,
    SayMessage,
    ServerMessage,
    UndoMessage,
    Why,
)
from highvoltage.server.metrics import REFUSALS, WATCHERS
from highvoltage.server.problems import Sorry, not_yours, too_many
from highvoltage.table import Refused

MOST_ANSWERS = 200
"""Answers that may wait for a slow client before it is sent away."""
GONE, UNREADABLE, CLOSED, TRY_LATER = 4404, 4409, 4401, 1013
CUT = (WebSocketDisconnect, OSError, RuntimeError)
"""What sending and receiving raise when the line is cut, by whomever."""
HINT = "engineer"

decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
encoder: msgspec.json.Encoder = msgspec.json.Encoder()


class Connection:
    """One open WebSocket."""

    def __init__(
        self, socket: "WebSocket[Any, Any, Any]", room: Room, watcher: Watcher, network: str
    ) -> None:
        self.socket = socket
        self.room = room
        self.watcher = watcher
        self.network = network
        self.answers: deque[ServerMessage] = deque()
        self.news: bool = False  # there is a state to tell
        self.words: bool = False  # something was said
        self.talking: asyncio.Task[None] | None = None
        self.hint: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None
        watcher.ring = self.ring
        watcher.whisper = self.whisper
        watcher.leave = self.leave

    async def run(self, limits: Limits) -> None:
        self.room.watch(self.watcher)
        self.ring()
        try:
            await self.listen(limits)
        finally:
            self.room.unwatch(self.watcher)
            tasks = [task for task in (self.talking, self.hint) if task]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # Out

    def ring(self) -> None:
        self.news = True
        self.speak()

    def whisper(self) -> None:
        self.words = True
        if not self.watcher.brief:  # a program hears of it with the next state
            self.speak()

    def leave(self) -> None:
        """The login that this line was opened with has ended."""
        self.ending = asyncio.create_task(self.end(CLOSED))

    async def end(self, code: int) -> None:
        with suppress(*CUT):
            await self.socket.close(code)

    def answer(self, message: ServerMessage) -> None:
        self.answers.append(message)
        self.speak()

    def speak(self) -> None:
        if self.talking is None:
            self.talking = asyncio.create_task(self.talk())

    async def talk(self) -> None:
        """Say what there is to say; what has been overtaken meanwhile is never said."""
        try:
            while self.answers or self.news or (self.words and not self.watcher.brief):
                while self.answers:
                    await self.send(self.answers.popleft())
                if self.news:
                    self.news = False
                    await self.socket.send_data(self.room.told(self.watcher), mode="text")
                    self.words = True
                if self.words:
                    self.words = False
                    await self.pass_on()
        except CUT:
            self.answers.clear()  # nobody is there; the listener hears of it too
        finally:
            self.talking = None

    async def pass_on(self) -> None:
        """Tell what was said at the table."""
        chat = self.room.chat
        if chat and chat[-1].n > self.watcher.chat:
            lines = [line for line in chat if line.n > self.watcher.chat]
            self.watcher.chat = lines[-1].n
            await self.send(ChatMessage(lines))

    async def send(self, message: ServerMessage) -> None:
        await self.socket.send_data(encoder.encode(message), mode="text")

    # In

    async def listen(self, limits: Limits) -> None:
        bucket = Bucket(limits.messages_per_second, limits.burst)
        with suppress(*CUT):
            while len(self.answers) < MOST_ANSWERS:
                data = await self.socket.receive_data(mode="text")
                if bucket.empty():
                    self.answer(ErrorMessage("too_fast", "Too many messages; wait a little."))
                    await asyncio.sleep(1 / limits.messages_per_second)
                    continue
                try:
                    message = decoder.decode(data)
                except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
                    self.answer(ErrorMessage("malformed", str(error)[:200]))
                else:
                    await self.handle(message)

    async def handle(self, message: Message) -> None:
        try:
            await self.obey(message)
            if self.watcher.brief and not isinstance(message, PingMessage | ForeseeMessage):
                self.ring()  # what came of it
        except Refused as refusal:
            REFUSALS.labels(refusal.code).inc()
            self.answer(RefusedMessage.of(refusal, message.ref))
            self.ring()
        except Sorry as sorry:
            self.answer(ErrorMessage(sorry.problem.code, sorry.problem.message))
        except BotError as error:
            self.answer(ErrorMessage("no_bot", str(error)))
        except SQLAlchemyError:
            self.answer(ErrorMessage("no_store", "That was not kept; try again in a moment."))
            self.ring()

    async def obey(self, message: Message) -> None:
        room = self.room
        if isinstance(message, PingMessage):
            self.answer(PongMessage())
            return
        seat = room.seat_for(self.watcher.who)
        if isinstance(message, SayMessage):
            await self.say(seat, message.text)
            return
        if seat is None:
            raise not_yours("You hold no seat here.", "not_allowed")
        if isinstance(message, ForeseeMessage):
            foreseen = room.playing().preview(seat, message.seq, message.moves)
            self.answer(PreviewMessage.of(foreseen, message.ref))
        elif isinstance(message, AskMessage):
            self.ask(seat, message.bot or HINT)
        else:
            await self.decide(seat, message)

    async def say(self, seat: int | None, words: str) -> None:
        """Whoever holds no seat talks along, unless the host has sent him away."""
        if self.room.house.saying.empty(self.network):
            raise too_many("You talk too fast; wait a little.")
        room, who = self.room, self.watcher.who
        if seat is None:
            if who is None or await room.store.people.banned(room.row.id, who):
                raise not_yours("The host has sent you away from this table.", "not_allowed")
            await room.say(SPECTATOR, room.name_for(self.watcher.name), words)
        else:
            await room.say(seat, room.places[seat].name, words)

    async def decide(
        self, seat: int, message: MoveMessage | UndoMessage | MaxBidMessage | PassOnMessage
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
        self.room.house.thinkers.check_bot(bot)
        if self.room.playing().game.to_move != seat:
            raise Refused("not_your_turn", "It is not your turn.")
        if self.hint is None or self.hint.done():
            self.hint = asyncio.create_task(self.think(seat, bot))

    async def think(self, seat: int, bot: str) -> None:
        answer = await ask(self.room, bot, seat)
        why = Why(answer.code, answer.values, answer.text)
        self.answer(HintMessage(answer.move, why, bot))


@websocket("/api/tables/{table:str}/live")
async def live(
    socket: "WebSocket[Any, Any, Any]",
    table: FromPath[str],
    rooms: Given[Rooms],
    config: Given[Config],
    visitor: Given[Visitor],
    brief: FromQuery[bool] = False,
) -> None:
    """Watch a table and play at it."""
    await socket.accept()
    try:
        room = await rooms.get(table)
    except Sorry as sorry:
        await socket.send_data(
            encoder.encode(ErrorMessage(sorry.problem.code, sorry.problem.message)), mode="text"
        )
        await socket.close(GONE if sorry.status == HTTPStatus.NOT_FOUND else UNREADABLE)
        return
    except SQLAlchemyError:
        await socket.close(TRY_LATER)
        return
    if len(room.watchers) >= config.limits.watchers:
        await socket.close(TRY_LATER)
        return
    watcher = Watcher(visitor.who, visitor.name, brief=brief)
    with WATCHERS.track_inprogress():
        await Connection(socket, room, watcher, visitor.network).run(config.limits)
    with suppress(*CUT):
        await socket.close()
