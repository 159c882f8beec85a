"""Bots think in separate processes, for a limited time, and never block a table.

A bot that fails or takes too long is replaced for this move by `clerk`; if that fails too, by the
first legal move. Fast bots do not wait for bots that search, neither waits for an analysis, and
yet another process reads users' files.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import TypeVar

import msgspec

from highvoltage import bots
from highvoltage.analysis import JudgedDecision, JudgeTask
from highvoltage.bots.director import Budget, read_budget
from highvoltage.bots.pace import PLAYOUTS_PER_SECOND
from highvoltage.rooms.problems import RequestRefused, malformed
from highvoltage.rooms.thinking import (
    CheckReply,
    CheckRequest,
    ChooseReply,
    ChooseRequest,
    ImportReply,
    ImportRequest,
    JudgeReply,
    JudgeRequest,
)
from highvoltage.server.bots.pool import Asker, Pool
from highvoltage.server.metrics import BOT_FAILURES, BOT_SECONDS
from highvoltage.table import Offer

JUDGE_SECONDS = 60.0
FILE_SECONDS = 10.0
SUBSTITUTE = "clerk"
MINIMAL_VERBS = {"pass", "done"}
SEARCHING, ANALYSING = 5, 10  # niceness of their processes

log: logging.Logger = logging.getLogger(__name__)


def minimal_move(legal: Sequence[Offer]) -> str | None:
    """`pass` or `done`, if one of them is legal."""
    return next((offer.move for offer in legal if offer.move in MINIMAL_VERBS), None)


class BotService:
    """The worker processes, in four pools: fast bots, bots that search, analyses, files."""

    def __init__(self, workers: int, seconds: float, budget: float) -> None:
        self.seconds = seconds
        self.budget = budget
        self._quick = Pool(workers)
        self._searching = Pool(workers, SEARCHING)
        self._analysing = Pool(1, ANALYSING)
        self._files = Pool(1, SEARCHING)

    def check_bot(self, name: str) -> None:
        """Refuse all but a bot by name, never from a file, with a valid budget within the limit."""
        level, colon, budget = name.partition(":")
        if level not in bots.names() or ".py" in name:
            raise malformed("no_bot", f"There is no bot '{name}'. Bots: {', '.join(bots.names())}.")
        bots.make(name, 0)
        if colon:
            requested = Budget()
            with suppress(bots.BotError):  # the bot may use this text for something else
                requested = read_budget(budget)
            if max(requested.seconds, requested.playouts / PLAYOUTS_PER_SECOND) > self.budget:
                most = f"{self.budget:g} s or {self.budget * PLAYOUTS_PER_SECOND:g} playouts"
                raise malformed("no_bot", f"A bot thinks about a move for {most} at most here.")

    async def choose(self, question: ChooseRequest, asker: Asker) -> ChooseReply:
        """The choice of the bot, or of its substitute."""
        for bot in (question.bot, SUBSTITUTE):
            request = msgspec.structs.replace(question, bot=bot)
            pool = self._searching if bots.needs(bot) == "history" else self._quick
            with BOT_SECONDS.time():
                reply = await pool.ask(request, ChooseReply, self.seconds, asker)
            if not reply.error:
                return reply
            BOT_FAILURES.inc()
            log.warning("bot replaced", extra={"bot": bot, "error": reply.error})
        first = question.legal[0].move
        return ChooseReply(
            minimal_move(question.legal) or first, "random", {"moves": len(question.legal)}
        )

    async def judge(self, record: str, task: JudgeTask, asker: Asker) -> JudgedDecision | None:
        """Judge a decision of a finished game; None if it is no open decision, or on failure."""
        reply = await self._analysing.ask(
            JudgeRequest(record, task), JudgeReply, JUDGE_SECONDS, asker
        )
        if reply.error:
            log.warning("not judged", extra={"move": task.move, "error": reply.error})
        return reply.judged

    async def check(self, check: CheckRequest, asker: Asker) -> None:
        """Check a game with a custom map or custom cards; RequestRefused if it cannot be played."""
        _checked(await self._files.ask(check, CheckReply, FILE_SECONDS, asker))

    async def read(self, record: str, own_bytes: int, asker: Asker) -> ImportReply:
        """Replay an uploaded record to its end; RequestRefused if that fails."""
        request = ImportRequest(record, own_bytes)
        return _checked(await self._files.ask(request, ImportReply, FILE_SECONDS, asker))

    async def close(self) -> None:
        pools = self._quick, self._searching, self._analysing, self._files
        await asyncio.gather(*(pool.close() for pool in pools))


Read = TypeVar("Read", CheckReply, ImportReply)


def _checked(reply: Read) -> Read:
    if reply.problem is not None:
        raise RequestRefused(HTTPStatus(reply.status), reply.problem)
    if reply.error:
        log.warning("file not read", extra={"error": reply.error})
        raise malformed("too_long")
    return reply
