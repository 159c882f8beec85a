"""Worker processes: each answers one question at a time, within a limited time."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict, deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from highvoltage.server.bots.worker import (
    CheckReply,
    ChooseReply,
    ChooseRequest,
    ImportReply,
    JudgeReply,
    Request,
)
from highvoltage.server.metrics import BOTS_WAITING
from highvoltage.server.tasks import begin

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

MAX_LINE_BYTES = 2**23
MAX_AFFINITIES = 10_000
WORKER_ERRORS = (OSError, EOFError, ValueError, RuntimeError, msgspec.MsgspecError)
"""What comes of asking a process that died, now or before; some loops raise RuntimeError then."""

Reply = TypeVar("Reply", ChooseReply, JudgeReply, CheckReply, ImportReply)


class FairQueue:
    """So many may be inside at once; of those who wait, each table has one let in by turns."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def slot(self, table: str) -> "AsyncIterator[None]":
        if self._free:
            self._free -= 1
        else:
            await self._wait(table)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, table: str) -> None:
        called = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(table, deque()).append(called)
        try:
            with BOTS_WAITING.track_inprogress():
                await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._next()  # it was let in at the same moment
            raise

    def _next(self) -> None:
        while self._waiting:
            table, queue = self._waiting.popitem(last=False)
            called = queue.popleft()
            if queue:
                self._waiting[table] = queue  # behind the others
            if not called.done():
                called.set_result(None)
                return
        self._free += 1


class Pool:
    """Processes of one kind of work. They start when they are first needed."""

    def __init__(self, workers: int, nice: int = 0) -> None:
        self._turns = FairQueue(workers)
        self._nice = nice
        self._idle: list[Process] = []
        self._homes: dict[str, Process] = {}  # of the bots that remember, the latest asked last
        self._all: set[Process] = set()
        self._asking: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def ask(self, question: Request, kind: type[Reply], seconds: float, table: str) -> Reply:
        """What a worker answers; a reply with an error if it takes too long or dies of it."""
        async with self._turn(table):
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
                self._soon(self._end(process))  # it is busy with this question
                raise
            self._idle.append(process)
            if isinstance(question, ChooseRequest) and question.keep_bot:
                self._homes[question.seed] = process
                if len(self._homes) > MAX_AFFINITIES:
                    del self._homes[next(iter(self._homes))]
        return reply

    @asynccontextmanager
    async def _turn(self, table: str) -> "AsyncIterator[None]":
        asking = asyncio.current_task()
        assert asking is not None
        self._asking.add(asking)
        try:
            async with self._turns.slot(table):
                yield
        finally:
            self._asking.discard(asking)

    def _take(self, question: Request) -> Process | None:
        """A process that is idle: where the bot of a seat was asked last, if that is one."""
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
            process = await asyncio.shield(starting)  # half of a start would be lost
            self._all.add(process)
            assert process.stdout is not None
            await process.stdout.readline()  # it is ready; the time of a bot does not begin before
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
        """Nobody gets an answer any more, and no process is left."""
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await asyncio.gather(*self._ending)
        await asyncio.gather(*(self._end(process) for process in [*self._all]))


async def _exchange(process: Process, question: Request, kind: type[Reply]) -> Reply:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(question) + b"\n")
    await process.stdin.drain()
    return msgspec.json.decode(await process.stdout.readuntil(b"\n"), type=kind)
