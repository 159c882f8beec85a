"""All rooms of this process: loaded when needed, released when idle, woken when a move is due."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from time import monotonic, time

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.games import editions
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.counters import PRESENT
from highvoltage.rooms.ending import end_if_abandoned, put_off_deadline
from highvoltage.rooms.info import bot_name
from highvoltage.rooms.problems import no_rulebook, not_found, unreadable
from highvoltage.rooms.room import DEAL_SECONDS, Room
from highvoltage.rooms.rows import DELETED, RENEWED, SENT_AWAY, StoreChange
from highvoltage.rooms.scheduler import TurnScheduler
from highvoltage.rooms.store import Store, StoreError
from highvoltage.rooms.supervisor import TaskSupervisor

SWEEP_SECONDS = 2.0
FORGET_SECONDS = 3_600.0
"""Between two times that writes which nobody repeats any more are forgotten."""
RETRY_SECONDS = 600.0
"""Delay until a table that cannot be loaded is tried again."""
MAX_IDLE_ROOMS = 500
TABLE_ID = re.compile(r"[\w-]{1,40}", re.ASCII)

log: logging.Logger = logging.getLogger(__name__)


class Rooms:
    """The rooms in memory."""

    def __init__(self, context: RoomContext) -> None:
        self.context = context
        self.store: Store = context.store
        self._rooms: dict[str, Room] = {}
        self._schedulers: dict[str, TurnScheduler] = {}
        self.supervisor: TaskSupervisor = TaskSupervisor()
        self._forget_at = 0.0
        self._loading: dict[str, asyncio.Task[Room]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run bots and clocks inside this context."""
        async with self.supervisor.running(sweep=self._sweep, hear=self._follow_store):
            try:
                yield
            finally:
                self.context.closing = True
        await asyncio.gather(*(scheduler.close() for scheduler in self._schedulers.values()))

    async def get(self, game: str) -> Room:
        """A room by its id, up to date with the store; concurrent requests share one load."""
        if not TABLE_ID.fullmatch(game):
            raise not_found("table")
        room = self._rooms.get(game)
        if room is not None:
            if self.store.shared:  # a notification from another process may still be under way
                await room.refresh()
            elif room.in_doubt:
                async with room.lock:
                    await room.make_certain()
            return room
        loading = self._loading.get(game)
        if loading is None:
            # Whoever asked for it hears of a failure, such as that of the store.
            loading = self._loading[game] = asyncio.create_task(self._load(game))
            loading.add_done_callback(lambda _: self._loading.pop(game))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> Room:
        found = await self.store.game(game)
        if found is None:
            raise not_found("table")
        if (name := found[0].rulebook) not in editions():
            raise no_rulebook(name)
        try:
            room = Room(self.context, *found)
        except msgspec.MsgspecError as error:
            raise unreadable(error) from None
        await room.load()
        self._rooms[game] = room
        self._schedulers[game] = TurnScheduler(room)
        PRESENT["rooms"] = len(self._rooms)
        self._schedulers[game].schedule()
        return room

    async def refresh(self, games: Iterable[str]) -> None:
        """Refresh these tables: something has changed in the store."""
        for game in games:
            if (room := self._rooms.get(game)) is not None:
                await room.refresh()

    async def reload(self, games: Iterable[str]) -> None:
        """Reload these tables: even their past has changed."""
        for game in games:
            if (room := self._rooms.get(game)) is not None:
                await room.reload()

    def present(self, game: str) -> set[str | None]:
        """Who is at a table, in this process."""
        room = self._rooms.get(game)
        return set() if room is None else room.audience.present

    def disconnect(self, who: str) -> None:
        """Close all connections of a person, who may reconnect with a valid identity."""
        for room in self._rooms.values():
            for watcher in room.audience.watchers:
                if watcher.who == who:
                    watcher.leave()

    async def drop(self, game: str) -> None:
        """Drop a deleted table and disconnect its watchers."""
        room = self._rooms.pop(game, None)
        if room is not None:
            await self._schedulers.pop(game).close()
            for watcher in room.audience.watchers:
                watcher.leave()

    async def _sweep(self) -> None:
        """Play what is due: at the start all bots' moves, later what other processes abandoned."""
        horizon = self.context.grace
        while True:
            for game in await self.store.due(time() + horizon):
                await self.wake(game)
            horizon = 0.0
            if monotonic() > self._forget_at:
                self._forget_at = monotonic() + FORGET_SECONDS
                await self.store.forget_writes()
            self._release_idle()
            self.supervisor.report_alive("sweep")
            await asyncio.sleep(SWEEP_SECONDS)

    async def wake(self, game: str) -> None:
        """Let a table go on; one that fails is postponed without affecting the others."""
        try:
            room = await self.get(game)
            if room.row.status == "open":
                await self._deal(room)
            else:
                await put_off_deadline(room)
                await end_if_abandoned(room)
            self._schedulers[game].schedule()
        except StoreError:
            raise  # the store fails for all of them
        except Exception as error:
            unreadable = isinstance(error, HighVoltageError)
            log.warning(
                "a table cannot be taken up",
                extra={"game": game, "why": str(error)},
                exc_info=not unreadable,
            )
            await self.store.change_game(game, due=time() + RETRY_SECONDS)

    async def _deal(self, room: Room) -> None:
        """Deal where all seats are taken and whoever took the last one did not come to it.

        Bots take the open ones once their time has come, if somebody waits for them.
        """
        fill = room.setup.fill
        is_awaited = any(place.kind == "person" for place in room.places)
        fill_at = room.row.created + fill.after if fill and is_awaited else None
        if fill and fill_at and fill_at <= time() and not room.is_full:
            due = time() + DEAL_SECONDS
            await self.store.fill_seats(room.row.id, fill.bot, bot_name(fill.bot), due, None)
            await room.refresh()
        if room.is_full:
            await room.start()
        else:
            seen = {"status": "open", "due": room.row.due}  # or somebody has come since
            if await self.store.change_game(room.row.id, seen, due=fill_at):
                room.row.due = fill_at

    def _release_idle(self) -> None:
        """Release idle rooms beyond MAX_IDLE_ROOMS, the oldest first."""
        for game, scheduler in list(self._schedulers.items())[
            : max(0, len(self._rooms) - MAX_IDLE_ROOMS)
        ]:
            if scheduler.idle:
                scheduler.release()
                del self._rooms[game], self._schedulers[game]
        PRESENT["rooms"] = len(self._rooms)

    async def _follow_store(self) -> None:
        """Apply what other processes do to the rooms in memory."""
        async for change in self.store.listen():
            self.supervisor.report_alive("hear")
            try:
                await self._apply_change(change)
            except StoreError:
                raise  # the store fails: listen again, and refresh all rooms
            except Exception as error:  # noqa: BLE001  # only this room is affected
                log.warning("not followed", extra={"why": type(error).__name__})

    async def _apply_change(self, change: StoreChange | None) -> None:
        if change is None:
            for known in list(self._rooms.values()):
                with suppress(HighVoltageError):
                    await known.refresh()
        elif change.seq == SENT_AWAY:
            self.disconnect(change.game)
        elif change.seq == DELETED:
            await self.drop(change.game)
        elif change.seq == RENEWED:
            await self.reload([change.game])
        elif (room := self._rooms.get(change.game)) is not None:
            await (room.refresh() if change.seq < 0 else room.apply_change(change))
