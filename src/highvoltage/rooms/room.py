"""A room is a table in this process: its journal in the store, and its watchers.

What is in memory is always durable: an advance is proposed, written, and only then committed and
sent. Another process may have been faster; then the store reports that and the room catches up.
Where the store does not say whether something was written, the room is in doubt and shows nothing
until it has read what there is.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import time
from typing import TYPE_CHECKING, NoReturn

import msgspec

from highvoltage.engine.chance import Seeded
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.game import Game
from highvoltage.games import rulebook
from highvoltage.rooms import abandoned
from highvoltage.rooms.audience import Audience
from highvoltage.rooms.awaited import absent_player, table_words
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.counters import FAILURES, MOVES
from highvoltage.rooms.info import table_info
from highvoltage.rooms.messages import SETUP_DECODER, StoredSetup, TableInfo
from highvoltage.rooms.names import distinct_name, distinct_names
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import RequestRefused, not_found, not_now, unreadable
from highvoltage.rooms.restore import restore
from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow, StoreChange
from highvoltage.rooms.socket_messages import ChatLine, StateMessage
from highvoltage.rooms.store import CHAT_KEPT, Store, StoreError, WriteInDoubt
from highvoltage.rooms.tasks import begin
from highvoltage.rooms.watcher import Watcher
from highvoltage.table import Advance, DecidedBy, Refused, Seat, Table
from highvoltage.table.clock import Span, stops_for_holidays

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

encoder = msgspec.json.Encoder()
log: logging.Logger = logging.getLogger(__name__)
DOUBT_SECONDS = 0.5
"""Between two tries to read what the store has, while a room is in doubt."""
DEAL_SECONDS = 5.0
"""After which a table that is full and not dealt is taken up by whoever sweeps."""
MAX_ENTRIES = 5_000
"""Entries of a journal, including undone ones; a game has a few hundred."""


class Room:
    """A table that people and bots share."""

    def __init__(self, context: RoomContext, row: GameRow, places: list[SeatRow]) -> None:
        self.context = context
        self.store: Store = context.store
        self.row: GameRow = row
        self.places: list[SeatRow] = places
        self.setup: StoredSetup = SETUP_DECODER.decode(row.setup)
        self.table: Table | None = None
        self.holidays: dict[str, list[Span]] = {}  # of those who sit here, if clocks stop for them
        self.chat: list[ChatLine] = []
        self.audience: Audience = Audience()
        self.lock: asyncio.Lock = asyncio.Lock()  # for changes of the journal
        self.in_doubt = False  # the store may have more than is known here
        self._doubts = 0  # how often it came to that
        self.changed: Callable[[], None] = lambda: None  # called after each change
        self.rest_seconds = 0.0  # before the next bot thinks

    # Who is who

    def seats_of(self, who: str | None) -> list[int]:
        return [place.seat for place in self.places if who and place.owner == who]

    def seat_for(self, who: str | None) -> int | None:
        """Of a person's seats the one to move, else the first."""
        if not who:
            return None
        to_move = self.table.game.to_move if self.table else None
        if to_move is not None and self.places[to_move].owner == who:
            return to_move
        for place in self.places:
            if place.owner == who:
                return place.seat
        return None

    def name_for(self, name: str, seat: int | None = None) -> str:
        """A name that cannot be confused with that of another seat here."""
        return distinct_name(name, [place.name for place in self.places if place.seat != seat])

    def asker(self) -> Asker:
        """At whose expense the bots of the table think."""
        people = any(place.owner and not place.bot for place in self.places)
        return Asker(self.row.origin or self.row.host, self.row.host, self.row.id, people)

    def is_outsider(self, who: str | None) -> bool:
        """Whether somebody only looks on: neither the host nor in a seat."""
        return who != self.row.host and not self.seats_of(who)

    def has_place_for(self, who: str | None, spectators: int) -> bool:
        """Whether somebody may come in: always, except for spectators beyond this number."""
        watchers = self.audience.watchers
        if len(watchers) < spectators or not self.is_outsider(who):
            return True
        return sum(self.is_outsider(watcher.who) for watcher in watchers) < spectators

    def watch(self, watcher: Watcher) -> None:
        self.audience.watchers.add(watcher)
        self._present_changed(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        self.audience.watchers.discard(watcher)
        self._present_changed(watcher)

    def _present_changed(self, watcher: Watcher) -> None:
        if not self.is_outsider(watcher.who):  # nobody is shown who only looks on
            self.audience.forget_infos()

    def info(self, who: str | None) -> TableInfo:
        present = self.audience.present
        found = table_info(self.row, self.places, who, present, self.setup, self.holidays)
        found.closes = abandoned.closes_at(self.row, self.table, self.places)
        return found

    def state(self, watcher: Watcher) -> StateMessage:
        """The state to send to a watcher now."""
        known = None if self.holidays else watcher.info  # they begin and end by themselves
        info = watcher.info = known or self.info(watcher.who)
        info.status, info.to_move, info.moves = self.row.status, self.row.turn, self.row.moves  # type: ignore[assignment]
        info.closes = abandoned.closes_at(self.row, self.table, self.places)
        if self.table is None:
            return StateMessage(info, you=self.seat_for(watcher.who))
        seat = self.seat_for(watcher.who)
        try:
            snapshot = self.table.snapshot(seat, watcher.seq, time(), brief=watcher.brief)
        except Exception as error:  # noqa: BLE001  # rules may raise anything
            if self.row.status == "running":
                begin(self.fail(error), "fail")
            return StateMessage(info, you=seat)
        watcher.seq = snapshot.seq
        if self.row.status == "broken":
            snapshot = msgspec.structs.replace(snapshot, legal=[], undo_to=None)
        return StateMessage.of(info, snapshot)

    def encoded_state(self, watcher: Watcher) -> bytes:
        """The state to send to a watcher, encoded; cached for all spectators."""
        if watcher.outside is None:
            watcher.outside = self.is_outsider(watcher.who)
        if not watcher.outside:
            return encoder.encode(self.state(watcher))
        clock = round(time(), 1) if self.setup.pace.kind != "none" else None
        position = self.row.status, self.row.rematch, self.table and self.table.seq
        key = watcher.seq, watcher.brief, clock, position
        encoded = self.audience.encoded_for_all(key, lambda: encoder.encode(self.state(watcher)))
        watcher.seq = self.table.seq if self.table else None
        return encoded

    # Loading and starting

    async def load(self) -> None:
        """Load the room from the store."""
        await self._read_holidays()
        if self.row.opening is not None:
            journal = await self.store.journal(self.row.id)
            seats = self._seats()
            try:
                table = await self.context.threads.compute(
                    restore, self.row, seats, self.setup, journal, self._away()
                )
            except Exception as error:  # its rules are missing, outdated or broken
                if not isinstance(error, HighVoltageError):
                    log.exception("table not read", extra={"game": self.row.id})
                if self.row.record is None:
                    raise unreadable(error) from None
            else:
                for max_bid in await self.store.max_bids(self.row.id):
                    table.max_bids[max_bid.seat, max_bid.card] = max_bid
                self.table = table
        self.chat = await self.store.chat(self.row.id, 0)

    def _seats(self) -> list[Seat]:
        return [Seat(place.kind, place.name, place.bot) for place in self.places]  # type: ignore[arg-type]  # stored as the table named it

    async def _read_holidays(self) -> None:
        owners = {place.owner for place in self.places if place.owner}
        stop = self.setup.pace.kind != "none" or abandoned.is_awaited(self.places)
        if stop and stops_for_holidays(self.setup.pace):
            self.holidays = await self.store.holidays_of(owners)

    def _away(self) -> list[list[Span]]:
        """The holidays of each seat."""
        return [self.holidays.get(place.owner or "", []) for place in self.places]

    async def start(self) -> None:
        """Deal once all seats are taken; if another process was faster, join its game."""
        await self._read_holidays()
        try:
            dealt, opening = await self.context.threads.compute(self._deal)
        except Exception as error:  # noqa: BLE001  # invalid setups were refused before
            await self.fail(error)
            return
        async with self.writing():
            begun = await self.store.change_game(
                self.row.id,
                {"status": "open"},
                status="running",
                started=dealt.clock.since,
                opening=opening,
                turn=dealt.game.to_move,
                due=time() + self.context.grace
                if dealt.bot_to_move
                else self._deadline(dealt.deadline),
            )
        await self.reread(self.refresh)
        if begun:
            self.push_turn()

    def _deal(self) -> tuple[Table, str]:
        """The table before the first move, and its record."""
        names = distinct_names([place.name for place in self.places])
        rules = rulebook(self.row.rulebook, len(names), self.setup.map, self.setup.options)
        game = Game(rules, Seeded(self.row.seed), names)
        dealt = Table(game, self._seats(), pace=self.setup.pace, at=time(), away=self._away())
        return dealt, game.record().json()

    @property
    def is_full(self) -> bool:
        """Whether the table can be dealt."""
        return self.row.status == "open" and all(place.kind != "open" for place in self.places)

    async def stand_in(self, seat: int, bot: str | None, mark: str | None = None) -> None:
        """Let a bot play a seat for a while, or its owner again."""
        due = None if bot is None else time() + self.context.grace
        async with self.writing():
            await self.store.change_seat(self.row.id, seat, mark=mark, due=due, bot=bot)
        await self.reread(self.refresh)

    # Not knowing

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Where the store does not say what became of this, the room is in doubt."""
        try:
            yield
        except WriteInDoubt:
            self.doubt()
            raise

    def doubt(self) -> None:
        """Show nothing until it was read what the store has."""
        self._doubts += 1
        if not self.in_doubt:
            self.in_doubt = True
            begin(self._find_out(), "find out")

    async def _find_out(self) -> None:
        turn = self.row.turn
        while self.in_doubt:
            await asyncio.sleep(DOUBT_SECONDS)
            if self.context.closing:
                return
            try:
                async with self.lock:
                    await self.make_certain()
            except StoreError:
                continue
            except HighVoltageError:  # the table is gone, or cannot be read any more
                return
        with suppress(StoreError):
            await self._play_automatic()
        if self.row.turn != turn:
            self.push_turn()
        self.audience.notify_all()
        self.changed()

    async def reread(self, read: "Callable[[], Awaitable[None]]") -> None:
        """Read what was written just now; should the store fail at that, it is read later."""
        try:
            await read()
        except StoreError:
            self.doubt()

    async def make_certain(self) -> None:
        """Read what the store has, if that is not known; whoever calls this holds the lock."""
        if self.in_doubt:
            await self._catch_up()

    async def refresh(self) -> None:
        """Catch up with what other processes, or the lobby, wrote."""
        async with self.lock:
            known, last_line = self._fingerprint(), self.chat[-1:]
            await self._catch_up()
        await self._play_automatic()
        if self._fingerprint() != known:
            self.announce()
        elif self.chat[-1:] != last_line:
            self.audience.notify_chat()

    async def reload(self) -> None:
        """Read everything again: even the past may have changed."""
        async with self.lock:
            await self._catch_up(anew=True)
            self.audience.forget_sent()
        self.announce()

    async def apply_change(self, change: StoreChange) -> None:
        """Another process has added to the journal."""
        async with self.lock:
            table = self.table
            behind = table is None or not change.entries or change.seq > table.seq
            if table is None or behind or self.in_doubt:
                await self._catch_up()
            else:  # entries already read from the store are skipped
                table.follow(change.entries[table.seq - change.seq :])
                self._update_row(table)
        await self._play_automatic()
        self.announce()

    async def _play_automatic(self) -> None:
        """Play automatic bids: a limit set in one process may answer a bid made in another.

        Should the store fail, what it has is read and this is tried again.
        """
        if self.table is None or not self.table.max_bids or self.row.status != "running":
            return
        with suppress(Refused):  # the other process did it, or the game has failed
            try:
                async with self.reporting(), self.lock:
                    await self.make_certain()
                    advance = self.table.automatic_moves(time())
                    if advance:
                        await self._take(advance)
            except StoreError:
                self.doubt()
                raise
            if advance:
                self.announce()

    def _fingerprint(self) -> object:
        """Differs whenever there is something new to send."""
        seq = self.table and self.table.seq
        return seq, self.row.status, self.row.rematch, self.places, self.holidays

    async def _catch_up(self, *, anew: bool = False) -> None:
        doubts = self._doubts
        if self.in_doubt:  # or what is under way might come to pass after it was looked for
            await self.store.settle()
        found = await self.store.game(self.row.id)
        if found is None:
            raise not_found("table")
        self.row, self.places = found
        self.audience.forget_infos()
        if self.table is None or anew:
            await self.load()
        else:
            await self._read_holidays()
            self.table.seats, self.table.away = self._seats(), self._away()
            self.table.follow(await self.store.journal(self.row.id, self.table.seq))
            stored = await self.store.max_bids(self.row.id)
            self.table.max_bids = {(max_bid.seat, max_bid.card): max_bid for max_bid in stored}
        await self._read_chat()
        self.in_doubt = self._doubts != doubts

    # Deciding

    def playing(self) -> Table:
        if self.table is None or self.row.status == "broken":
            raise Refused("not_running")
        return self.table

    async def move(
        self, seat: int, seq: int, text: str, by: DecidedBy = "person", mark: str | None = None
    ) -> None:
        try:  # as `reporting` does, at less expense
            async with self.lock:
                await self.make_certain()
                await self._take(self.playing().move(seat, seq, text, time(), by), mark=mark)
        except Exception as error:  # noqa: BLE001  # rules may raise anything
            await self._report(error)
        self.announce()

    async def undo(self, seat: int, seq: int, to: int | None, mark: str | None = None) -> None:
        async with self.reporting(), self.lock:
            await self.make_certain()
            undone = await self.context.threads.compute(self.playing().undo, seat, seq, to, time())
            await self._take(undone, forgets=seat, mark=mark)
        self.announce()

    async def max_bid(
        self, seat: int, card: str, limit: int | None, mark: str | None = None
    ) -> None:
        """Store a secret limit. The others see nothing, unless a bid follows from it."""
        async with self.reporting(), self.lock:
            await self.make_certain()
            if mark is not None and await self.store.result_of(mark):
                await self._catch_up()  # it was kept before, perhaps elsewhere
            else:
                await self._keep_max_bid(self.playing(), seat, card, limit, mark)
        with suppress(StoreError):  # the limit is kept; what follows from it is found out
            await self._play_automatic()
        self._notify(self.places[seat].owner)

    async def _keep_max_bid(
        self, table: Table, seat: int, card: str, limit: int | None, mark: str | None
    ) -> None:
        before = dict(table.max_bids)
        table.max_bid(seat, card, limit)
        own = [max_bid for max_bid in table.max_bids.values() if max_bid.seat == seat]
        try:
            async with self.writing():
                await self.store.save_max_bids(self.row.id, seat, own, mark)
        except StoreError:
            table.max_bids = before
            raise

    async def _take(
        self, advance: Advance, forgets: int | None = None, mark: str | None = None
    ) -> None:
        """Write an advance, then commit it; Refused if another process was faster."""
        table = self.playing()
        if table.seq > MAX_ENTRIES:
            raise Refused("too_long")
        status = "running" if advance.state.outcome is None else "finished"
        record = None
        if status == "finished":
            record = await self.context.threads.compute(
                lambda: table.record(table.after(advance)).json()
            )
        changes = {
            "turn": advance.to_move,
            "due": self._due(advance),
            "moves": advance.kept + len(advance.rows),
        }
        changed = status if status != self.row.status else None  # a failed game goes on
        write = JournalWrite(
            self.row.id, table.seq, advance.entries, changes, changed, record, forgets, mark
        )
        try:
            written = await self.store.append(write)
        except WriteInDoubt:
            self.doubt()
            raise
        if not written:
            await self._catch_up()
            self.announce()
            raise Refused("stale")
        before = self.row.turn
        table.commit(advance)
        self._update_row(table)
        if self.row.turn != before:
            self.push_turn()
        for entry in advance.entries:
            MOVES[entry.by] += 1

    def _update_row(self, table: Table) -> None:
        """Update the row in memory as the store has it now."""
        game = table.game
        self.row.turn = game.to_move
        self.row.moves = len(game.log)
        self.row.status = "running" if game.outcome is None else "finished"
        self.row.record = None if game.outcome is None else table.record().json()

    def _due(self, advance: Advance) -> float | None:
        table = self.playing()
        if advance.to_move is None:
            return None
        if table.seats[advance.to_move].bot is not None:
            return time() + self.context.grace + self.rest_seconds
        return self._deadline(table.deadline_after(advance))

    def _deadline(self, by_clock: float | None) -> float | None:
        """When somebody has to look after a person's turn: its time is up, or it is forgotten."""
        if by_clock is None and abandoned.is_awaited(self.places):
            return time() + abandoned.ADJOURN_SECONDS
        return by_clock

    # Failing

    @asynccontextmanager
    async def reporting(self) -> AsyncIterator[None]:
        """Turn any error except a refusal into a failure of the game, and refuse the request."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  # rules may raise anything
            await self._report(error)

    async def _report(self, error: Exception) -> NoReturn:
        if isinstance(error, Refused | RequestRefused | StoreError):
            raise error
        await self.fail(error)
        raise Refused("game_failed") from None

    async def fail(self, error: Exception) -> None:
        """The program cannot go on: leave the game as it is, and notify everybody.

        Bots and clocks stop. A move that works sets the game going again.
        """
        FAILURES["games"] += 1
        log.error("game failed", exc_info=error, extra={"game": self.row.id})
        going = {"status": ("open", "running")}
        async with self.writing():
            await self.store.change_game(self.row.id, going, status="failed", due=None)
        async with self.lock:
            await self._catch_up()
        self.announce()

    # Ending

    async def end(self, status: str, mark: str | None = None) -> None:
        """End a game that has this status without a winner; its record can be reviewed."""
        async with self.lock:
            if self.row.status != status:  # somebody else has ended it
                return
            record = await self.context.threads.compute(self.playing().game.record)
            known = {"status": status, "moves": self.row.moves}
            ended = {"status": "broken", "turn": None, "due": None, "record": record.json()}
            async with self.writing():
                await self.store.change_game(self.row.id, known, mark=mark, **ended)
            await self._catch_up()
        self.announce()

    # Chat

    async def add_chat(
        self,
        seat: int,
        name: str,
        words: str,
        *,
        who: str | None,
        origin: str,
        mark: str | None = None,
    ) -> None:
        async with self.writing():
            await self.store.add_chat(
                self.row.id, seat, name, words, time(), who=who, origin=origin, mark=mark
            )
        await self.reread(self._update_chat)

    async def _update_chat(self) -> None:
        async with self.lock:
            await self._read_chat()
        self.audience.notify_chat()

    async def remove_chat(self, n: int, mark: str | None = None) -> None:
        """Clear the text of a line of the chat."""
        async with self.writing():
            await self.store.remove_chat(self.row.id, n, mark)
        await self.reread(self.reload)

    async def _read_chat(self) -> None:
        """Read new chat lines, and drop the oldest."""
        new = await self.store.chat(self.row.id, self.chat[-1].n if self.chat else 0)
        self.chat = [*self.chat, *new][-CHAT_KEPT:]

    # Notifying

    def announce(self) -> None:
        """Notify all watchers and the scheduler."""
        self._notify()
        self.changed()

    def push_turn(self) -> None:
        """Push to the player to move if absent; only the process that wrote the turn does it."""
        push = self.context.push
        if push is None:
            return
        who = absent_player(self.row, self.places, self.audience.present)
        if who is not None:
            push.notify(who, self.row.id, table_words(self.row, self.places, self.setup))

    def _notify(self, who: str | None = None) -> None:
        """Notify everybody, or one person."""
        going = self.table if self.row.status == "running" else None
        to_move = going.game.to_move if going else None
        owner = None if to_move is None else self.places[to_move].owner
        self.audience.notify(who, to_move, owner)

    def require(self, *statuses: str) -> None:
        if self.row.status not in statuses:
            raise not_now("not_now", f"The game is {self.row.status}.")
