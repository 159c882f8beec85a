"""Bots think in processes of their own, for a limited time, and never hold up a table.

A bot that fails or takes too long is replaced for this move by `clerk`; should that fail too, by
the first legal move there is. Quick bots do not wait for those that search, nor either for an
analysis, and the files of strangers are read by yet another process.
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
from highvoltage.server.bots.pool import Pool
from highvoltage.server.bots.worker import (
    CheckReply,
    CheckRequest,
    ChooseReply,
    ChooseRequest,
    ImportReply,
    ImportRequest,
    JudgeReply,
    JudgeRequest,
)
from highvoltage.server.metrics import BOT_FAILURES, BOT_SECONDS
from highvoltage.server.problems import RequestRefused, malformed
from highvoltage.table import Offer

JUDGE_SECONDS = 60.0
FILE_SECONDS = 10.0
PLAYOUTS_PER_SECOND = 100  # that count as a second
SUBSTITUTE = "clerk"
MINIMAL_VERBS = {"pass", "done"}
SEARCHING, ANALYSING = 5, 10  # by how much they step back behind the others

log: logging.Logger = logging.getLogger(__name__)


def minimal_move(legal: Sequence[Offer]) -> str | None:
    """The move that commits to least, if there is one."""
    return next((offer.move for offer in legal if offer.move in MINIMAL_VERBS), None)


class BotService:
    """The worker processes, in lanes: quick bots, bots that search, analyses, files."""

    def __init__(self, workers: int, seconds: float, budget: float) -> None:
        self.seconds = seconds
        self.budget = budget
        self._quick = Pool(workers)
        self._searching = Pool(workers, SEARCHING)
        self._analysing = Pool(1, ANALYSING)
        self._files = Pool(1, SEARCHING)

    def check_bot(self, name: str) -> None:
        """A bot by name, never one from a file, with a budget that can be read and granted."""
        level, colon, budget = name.partition(":")
        if level not in bots.names() or ".py" in name:
            raise malformed(f"There is no bot '{name}'. Bots: {', '.join(bots.names())}.", "no_bot")
        bots.make(name, 0)
        if colon:
            wanted = Budget()
            with suppress(bots.BotError):  # it is for the bot to read, and may be something else
                wanted = read_budget(budget)
            if max(wanted.seconds, wanted.playouts / PLAYOUTS_PER_SECOND) > self.budget:
                most = f"{self.budget:g} s or {self.budget * PLAYOUTS_PER_SECOND:g} playouts"
                raise malformed(f"A bot thinks about a move for {most} at most here.", "no_bot")

    async def choose(self, question: ChooseRequest, table: str) -> ChooseReply:
        """What the bot chooses, or its substitute."""
        for bot in (question.bot, SUBSTITUTE):
            asked = msgspec.structs.replace(question, bot=bot)
            lane = self._searching if bots.needs(bot) == "history" else self._quick
            with BOT_SECONDS.time():
                reply = await lane.ask(asked, ChooseReply, self.seconds, table)
            if not reply.error:
                return reply
            BOT_FAILURES.inc()
            log.warning("bot replaced", extra={"bot": bot, "error": reply.error})
        first = question.legal[0].move
        return ChooseReply(
            minimal_move(question.legal) or first, "random", {"moves": len(question.legal)}
        )

    async def judge(self, record: str, look: JudgeTask, table: str) -> JudgedDecision | None:
        """How a decision of a finished game is judged; None if it is none, or if that fails."""
        reply = await self._analysing.ask(
            JudgeRequest(record, look), JudgeReply, JUDGE_SECONDS, table
        )
        if reply.error:
            log.warning("not judged", extra={"move": look.move, "error": reply.error})
        return reply.judged

    async def check(self, check: CheckRequest, network: str) -> None:
        """Whether a game can be played with somebody's own map or cards; Sorry if not."""
        _fine(await self._files.ask(check, CheckReply, FILE_SECONDS, network))

    async def read(self, record: str, own_bytes: int, network: str) -> ImportReply:
        """A record of a stranger, followed to its end; Sorry if it cannot be."""
        asked = ImportRequest(record, own_bytes)
        return _fine(await self._files.ask(asked, ImportReply, FILE_SECONDS, network))

    async def close(self) -> None:
        lanes = self._quick, self._searching, self._analysing, self._files
        await asyncio.gather(*(lane.close() for lane in lanes))


Read = TypeVar("Read", CheckReply, ImportReply)


def _fine(reply: Read) -> Read:
    if reply.problem is not None:
        raise RequestRefused(HTTPStatus(reply.status), reply.problem)
    if reply.error:
        log.warning("file not read", extra={"error": reply.error})
        raise malformed("This file takes too long to be read.", "too_long")
    return reply
