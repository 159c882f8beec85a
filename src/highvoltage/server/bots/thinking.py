"""Bots think in processes of their own, for a limited time, and never hold up a table.

A bot that fails or takes too long is replaced for this move by `clerk`; should that fail too, by
the first legal move there is.
"""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from highvoltage import bots
from highvoltage.analysis import Judged, Look
from highvoltage.server.bots.worker import Answer, Question, Studied, Study
from highvoltage.server.metrics import BOT_FAILURES, BOT_SECONDS
from highvoltage.server.problems import malformed
from highvoltage.table import Offer

LONGEST_LINE = 2**22
STUDY_SECONDS = 60.0
SUBSTITUTE = "clerk"
MINIMAL = {"pass", "done"}

log = logging.getLogger(__name__)

Reply = TypeVar("Reply", Answer, Studied)


def check_bot(name: str) -> None:
    """A bot by name, never one from a file; BotError if its budget cannot be read."""
    if name.partition(":")[0] not in bots.names() or ".py" in name:
        raise malformed(f"There is no bot '{name}'. Bots: {', '.join(bots.names())}.", "no_bot")
    bots.make(name, 0)


def minimal(legal: Sequence[Offer]) -> str | None:
    """The move that commits to least, if there is one."""
    return next((offer.move for offer in legal if offer.move in MINIMAL), None)


class Thinkers:
    """The worker processes. They start when they are first needed."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.seconds = seconds
        self._free = asyncio.Semaphore(workers)
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def choose(self, question: Question) -> Answer:
        """What the bot chooses, or its substitute."""
        for bot in (question.bot, SUBSTITUTE):
            asked = msgspec.structs.replace(question, bot=bot)
            with BOT_SECONDS.time():
                reply = await self._ask(asked, Answer, self.seconds)
            if not reply.error:
                return reply
            BOT_FAILURES.inc()
            log.warning("bot replaced", extra={"bot": bot, "error": reply.error})
        first = question.legal[0].move
        return Answer(minimal(question.legal) or first, "random", {"moves": len(question.legal)})

    async def study(self, record: str, look: Look) -> Judged | None:
        """How a decision of a finished game is judged; None if it is none, or if that fails."""
        reply = await self._ask(Study(record, look), Studied, STUDY_SECONDS)
        if reply.error:
            log.warning("not judged", extra={"move": look.move, "error": reply.error})
        return reply.judged

    async def _ask(self, question: Question | Study, kind: type[Reply], seconds: float) -> Reply:
        async with self._free:
            process = self._idle.pop() if self._idle else await self._start()
            try:
                async with asyncio.timeout(seconds):
                    reply = await _exchange(process, question, kind)
            except TimeoutError:
                await self._end(process)
                return kind(error=f"took longer than {seconds} s")
            except (OSError, EOFError, ValueError, msgspec.MsgspecError) as error:
                await self._end(process)
                return kind(error=f"its process failed: {error!r}")
            except asyncio.CancelledError:
                ending = asyncio.create_task(self._end(process))  # it is busy with this question
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
                raise
            self._idle.append(process)
        return reply

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "highvoltage.server.bots.worker",
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl+C is for the server, which ends its workers
        )
        self._all.add(process)
        assert process.stdout is not None
        await process.stdout.readline()  # it is ready; the time of a bot does not begin before
        return process

    async def _end(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
        self._all.discard(process)

    async def close(self) -> None:
        await asyncio.gather(*self._ending)
        await asyncio.gather(*(self._end(process) for process in [*self._all]))


async def _exchange(process: Process, question: Question | Study, kind: type[Reply]) -> Reply:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(question) + b"\n")
    await process.stdin.drain()
    return msgspec.json.decode(await process.stdout.readuntil(b"\n"), type=kind)
