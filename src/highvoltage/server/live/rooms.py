"""All rooms of this process: found when needed, let go when idle, woken when something is due."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from time import monotonic, time

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.engine.errors import HighVoltageError
from highvoltage.games import editions
from highvoltage.server.live.context import ServerContext
from highvoltage.server.live.room import Room
from highvoltage.server.live.scheduler import TurnScheduler
from highvoltage.server.live.supervisor import TaskSupervisor
from highvoltage.server.metrics import LAG, ROOMS
from highvoltage.server.problems import no_rulebook, not_found, unavailable, unreadable
from highvoltage.server.store import DELETED, RENEWED, SENT_AWAY, Store, StoreChange
from highvoltage.server.tasks import begin

SWEEP_SECONDS = 2.0
RETRY_SECONDS = 600.0
"""Seconds until a table that cannot be loaded is tried again."""
MAX_SILENCE_SECONDS = 15.0
"""Seconds since the last sweep and the last word from the store, for a server that is ready."""
LAG_CHECK_SECONDS = 0.5
MAX_IDLE_ROOMS = 500
TABLE_ID = re.compile(r"[\w-]{1,40}", re.ASCII)

log: logging.Logger = logging.getLogger(__name__)


class Rooms:
    """The rooms in memory."""

    def __init__(self, house: ServerContext) -> None:
        self.context = house
        self.store: Store = house.store
        self._rooms: dict[str, Room] = {}
        self._pulses: dict[str, TurnScheduler] = {}
        self.supervisor: TaskSupervisor = TaskSupervisor()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Let bots go on and clocks run for as long as this lasts."""
        async with self.supervisor.running(sweep=self._sweep, hear=self._hear, lag=self._lag):
            try:
                yield
            finally:
                self.context.closing = True
        await asyncio.gather(*(pulse.close() for pulse in self._pulses.values()))

    async def get(self, game: str) -> Room:
        """A room by its id, as it is in the store now; loaded only once, however many ask."""
        if not TABLE_ID.fullmatch(game):
            raise not_found("table")
        room = self._rooms.get(game)
        if room is not None:
            if self.store.shared:  # word from another process may still be on its way
                await room.refresh()
            return room
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = begin(self._load(game), "load a table")
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
        self._pulses[game] = TurnScheduler(room)
        ROOMS.set(len(self._rooms))
        self._pulses[game].schedule()
        return room

    async def refresh(self, games: Iterable[str]) -> None:
        """Of these tables something was changed in the store."""
        for game in games:
            if (room := self._rooms.get(game)) is not None:
                await room.refresh()

    async def reload(self, games: Iterable[str]) -> None:
        """Of these tables even what has been was changed."""
        for game in games:
            if (room := self._rooms.get(game)) is not None:
                await room.reload()

    def disconnect(self, who: str) -> None:
        """Cut all lines of somebody, who may come back if he can still prove who he is."""
        for room in self._rooms.values():
            for watcher in room.watchers:
                if watcher.who == who:
                    watcher.leave()

    async def ready(self) -> None:
        """Sorry unless this server writes now, and has listened and swept a moment ago."""
        await self.store.report_alive(time())
        if missed := self.supervisor.stale_tasks(MAX_SILENCE_SECONDS):
            raise unavailable(f"No sign of life from: {', '.join(missed)}.")

    async def _lag(self) -> None:
        """Measure how late the loop comes to what is due."""
        while True:
            due = monotonic() + LAG_CHECK_SECONDS
            await asyncio.sleep(LAG_CHECK_SECONDS)
            LAG.observe(max(0.0, monotonic() - due))
            self.supervisor.report_alive("lag")

    async def drop(self, game: str) -> None:
        """This table is no more; whoever is there is sent out."""
        room = self._rooms.pop(game, None)
        if room is not None:
            await self._pulses.pop(game).close()
            for watcher in room.watchers:
                watcher.leave()

    async def _sweep(self) -> None:
        """Take up what is due: at the start all that waits for a bot, later what others left."""
        horizon = self.context.grace
        while True:
            for game in await self.store.due(time() + horizon):
                await self._take_up(game)
            horizon = 0.0
            self._let_go()
            self.supervisor.report_alive("sweep")
            await asyncio.sleep(SWEEP_SECONDS)

    async def _take_up(self, game: str) -> None:
        """Let a table go on; one that cannot stands back, and the others do not notice."""
        try:
            await self.get(game)
            self._pulses[game].schedule()
        except SQLAlchemyError:
            raise  # the store is gone, for all of them
        except Exception as error:
            unreadable = isinstance(error, HighVoltageError)
            log.warning(
                "a table cannot be taken up",
                extra={"game": game, "why": str(error)},
                exc_info=not unreadable,
            )
            await self.store.change_game(game, due=time() + RETRY_SECONDS)

    def _let_go(self) -> None:
        """Forget rooms where nobody is, the longest known first, beyond a number that is kept."""
        for game, pulse in list(self._pulses.items())[: max(0, len(self._rooms) - MAX_IDLE_ROOMS)]:
            if pulse.idle:
                pulse.release()
                del self._rooms[game], self._pulses[game]
        ROOMS.set(len(self._rooms))

    async def _hear(self) -> None:
        """Follow what other processes do with the rooms that are open here."""
        async for change in self.store.listen():
            self.supervisor.report_alive("hear")
            try:
                await self._heard(change)
            except SQLAlchemyError:
                raise  # the store is gone: listen anew, and look after all rooms
            except Exception as error:  # noqa: BLE001  # of one room; the next word is of another
                log.warning("not followed", extra={"why": type(error).__name__})

    async def _heard(self, change: StoreChange | None) -> None:
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
