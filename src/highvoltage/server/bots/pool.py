"""Worker processes: each answers one question at a time, within a limited time."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from highvoltage.rooms.bot_service import AnyReply, Work
from highvoltage.rooms.person import Asker
from highvoltage.rooms.tasks import begin
from highvoltage.rooms.thinking import ChooseRequest, Request
from highvoltage.server.metrics import BOT_SECONDS, BOTS_WAITING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

MAX_LINE_BYTES = 2**23
MAX_AFFINITIES = 10_000
MAX_REMEMBERED = 10_000  # addresses, identities and tables that have had some time
HALF_LIFE_SECONDS = 60.0
"""After this, the time that somebody has had counts for half."""
WORKER_ERRORS = (OSError, EOFError, ValueError, RuntimeError, msgspec.MsgspecError)
"""Raised by an exchange with a process that has died; some event loops raise RuntimeError."""

SEARCHING, ANALYSING = 5, 10  # niceness of their processes


class FairQueue:
    """A semaphore that serves those who have had the least time lately.

    Tables where nobody plays wait behind the others. Apart from that, the address that has had the
    least comes first; in it the identity, and of that the table.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[asyncio.Future[None], Asker] = {}  # the longest waiting first
        self._running: dict[asyncio.Future[None], tuple[Asker, float]] = {}
        self._used: OrderedDict[tuple[str, ...], tuple[float, float]] = OrderedDict()

    @asynccontextmanager
    async def slot(self, asker: Asker) -> "AsyncIterator[None]":
        turn = asyncio.get_running_loop().create_future()
        if self._free:
            self._free -= 1
        else:
            await self._wait(turn, asker)
        self._running[turn] = asker, monotonic()
        try:
            yield
        finally:
            _, began = self._running.pop(turn)
            self._charge(asker, monotonic() - began)
            self._next()

    async def _wait(self, turn: asyncio.Future[None], asker: Asker) -> None:
        self._waiting[turn] = asker
        try:
            with BOTS_WAITING.track_inprogress():
                await turn
        except asyncio.CancelledError:
            self._waiting.pop(turn, None)
            if not turn.cancelled():
                self._next()  # it was admitted at the same moment
            raise

    def _next(self) -> None:
        self._waiting = {
            turn: asker for turn, asker in self._waiting.items() if not turn.cancelled()
        }
        if not self._waiting:
            self._free += 1
            return
        used = dict.fromkeys((key for asker in self._waiting.values() for key in _keys(asker)), 0.0)
        now = monotonic()
        for key in used:
            used[key] = self._used_by(key, now)
        for asker, began in self._running.values():
            for key in _keys(asker):
                if key in used:
                    used[key] += now - began

        def order(turn: asyncio.Future[None]) -> tuple[bool, list[float]]:
            asker = self._waiting[turn]
            return not asker.people, [used[key] for key in _keys(asker)]

        turn = min(self._waiting, key=order)
        del self._waiting[turn]
        turn.set_result(None)

    def _charge(self, asker: Asker, seconds: float) -> None:
        now = monotonic()
        for key in _keys(asker):
            self._used[key] = self._used_by(key, now) + seconds, now
            self._used.move_to_end(key)
        while len(self._used) > MAX_REMEMBERED:
            self._used.popitem(last=False)

    def _used_by(self, key: tuple[str, ...], now: float) -> float:
        """The time that somebody has had; what was long ago counts for less."""
        used, at = self._used.get(key, (0.0, now))
        return float(used * 0.5 ** ((now - at) / HALF_LIFE_SECONDS))


def _keys(asker: Asker) -> list[tuple[str, ...]]:
    """What time is counted for: the address, the identity, the table."""
    return [asker[:1], asker[:2], asker[:3]]


class Pool:
    """Processes for one kind of work, started when first needed."""

    def __init__(self, workers: int, nice: int = 0) -> None:
        self._turns = FairQueue(workers)
        self._nice = nice
        self._idle: list[Process] = []
        self._homes: dict[str, Process] = {}  # of bots with a memory, the most recently used last
        self._all: set[Process] = set()
        self._asking: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def ask(
        self, question: Request, kind: type[AnyReply], seconds: float, asker: Asker
    ) -> AnyReply:
        """The reply of a worker; one with an error if it takes too long or dies."""
        async with self._turn(asker):
            try:
                process = self._take(question) or await self._start()
            except OSError as error:
                return kind(error=f"no process could be started: {error!r}")
            try:
                async with asyncio.timeout(seconds):
                    reply = await _exchange(process, question, kind)
            except TimeoutError:
                await self._end(process)
                return kind(error=f"took longer than {seconds} s")
            except WORKER_ERRORS as error:
                await self._end(process)
                return kind(error=f"its process failed: {error!r}")
            except asyncio.CancelledError:
                self._soon(self._end(process))  # it is still busy with this question
                raise
            self._idle.append(process)
            if isinstance(question, ChooseRequest) and question.keep_bot:
                self._homes[question.seed] = process
                if len(self._homes) > MAX_AFFINITIES:
                    del self._homes[next(iter(self._homes))]
        return reply

    @asynccontextmanager
    async def _turn(self, asker: Asker) -> "AsyncIterator[None]":
        asking = asyncio.current_task()
        assert asking is not None
        self._asking.add(asking)
        try:
            async with self._turns.slot(asker):
                yield
        finally:
            self._asking.discard(asking)

    def _take(self, question: Request) -> Process | None:
        """An idle process, preferably the one that last ran the bot of this seat."""
        home = self._homes.pop(question.seed, None) if isinstance(question, ChooseRequest) else None
        if home in self._idle:
            self._idle.remove(home)
            return home
        return self._idle.pop() if self._idle else None

    async def _start(self) -> Process:
        command = sys.executable, "-m", "highvoltage.server.bots.worker", str(self._nice)
        starting = begin(
            asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                limit=MAX_LINE_BYTES,
                start_new_session=True,  # Ctrl+C is for the server, which ends its workers
            ),
            "start a worker",
        )
        try:
            process = await asyncio.shield(starting)  # a cancelled start would leak the process
            self._all.add(process)
            assert process.stdout is not None
            await process.stdout.readline()  # READY: the time limit of a bot starts after this
        except asyncio.CancelledError:
            self._soon(self._end_started(starting))
            raise
        return process

    async def _end_started(self, starting: asyncio.Task[Process]) -> None:
        await self._end(await starting)

    async def _end(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
        self._all.discard(process)

    def _soon(self, end: "Coroutine[Any, Any, None]") -> None:
        ending = begin(end, "end a worker")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Cancel all requests and end all processes."""
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await asyncio.gather(*self._ending)
        await asyncio.gather(*(self._end(process) for process in [*self._all]))


class Pools:
    """The worker processes: fast bots do not wait for bots that search, and so on."""

    def __init__(self, workers: int) -> None:
        self._pools: dict[Work, Pool] = {
            "quick": Pool(workers),
            "searching": Pool(workers, SEARCHING),
            "analysing": Pool(1, ANALYSING),
            "files": Pool(1, SEARCHING),
        }

    async def ask(
        self, work: Work, question: Request, kind: type[AnyReply], seconds: float, asker: Asker
    ) -> AnyReply:
        asking = self._pools[work].ask(question, kind, seconds, asker)
        if not isinstance(question, ChooseRequest):
            return await asking
        with BOT_SECONDS.time():
            return await asking

    async def close(self) -> None:
        await asyncio.gather(*(pool.close() for pool in self._pools.values()))


async def _exchange(process: Process, question: Request, kind: type[AnyReply]) -> AnyReply:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(question) + b"\n")
    await process.stdin.drain()
    return msgspec.json.decode(await process.stdout.readuntil(b"\n"), type=kind)
