"""The analysis of a finished game: begun by whoever asks first, kept for all.

The store tells who is at work on which game, so that several processes do nothing twice and a
process that dies leaves nothing behind that is never finished.
"""

import asyncio
import logging
from time import time

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath

import highvoltage as hv
from highvoltage.analysis import (
    Analysis,
    JudgedDecision,
    JudgeTask,
    partial_analysis,
    plan_analysis,
)
from highvoltage.server import tasks
from highvoltage.server.bots.service import JUDGE_SECONDS, BotService
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.guard.rate_limit import RateLimits
from highvoltage.server.live.room import Room
from highvoltage.server.live.rooms import Rooms
from highvoltage.server.messages import AnalysisInfo
from highvoltage.server.problems import not_now, too_many
from highvoltage.server.store import Store

MAX_CONCURRENT = 4
MAX_MOVES = 2_000  # moves; a game takes a few hundred
HOUR = 3_600.0
ABANDONED_SECONDS = 2 * JUDGE_SECONDS  # then whoever was at work is gone
SEED = "1"  # the same game is judged alike wherever the budget is one of playouts
DONE = 1.0  # all of the work
NO_ANALYSIS = AnalysisInfo("none", 0.0, None)

log: logging.Logger = logging.getLogger(__name__)


class AnalysisRunner:
    """The analyses that this process is at work on."""

    def __init__(self, store: Store, thinkers: BotService, config: Config) -> None:
        self.store = store
        self.thinkers = thinkers
        self.budget: str = config.analysis_budget
        each_hour = config.limits.analyses
        self._asked = RateLimits(each_hour / HOUR, each_hour)
        self._working: set[asyncio.Task[None]] = set()

    async def info(self, game: str) -> AnalysisInfo:
        """How far it is, whoever does it."""
        row = await self.store.analysis(game)
        if row is None:
            return NO_ANALYSIS
        found = row.found and msgspec.json.decode(row.found, type=Analysis)
        if row.done == DONE:
            return AnalysisInfo("done", DONE, found or None)
        if row.at < time() - ABANDONED_SECONDS:
            return NO_ANALYSIS
        return AnalysisInfo("running", row.done, found or None)

    async def begin(self, game: str, record: str, network: str) -> None:
        """Do it, unless that is done already."""
        if len(self._working) >= MAX_CONCURRENT:
            raise too_many(
                "Other games are being analysed; try again in a few minutes.", "analyses_busy"
            )
        if self._asked.exceeded(network):
            raise too_many("You have had many games analysed; wait a little.", "many_analyses")
        now = time()
        if await self.store.claim_analysis(game, now, now - ABANDONED_SECONDS):
            working = tasks.begin(self._work(game, record), "analysis")
            self._working.add(working)
            working.add_done_callback(self._working.discard)

    async def _work(self, game: str, record: str) -> None:
        kept = False
        try:
            found = await self._analysed(game, record)
            kept = await self.store.change_analysis(game, at=time(), done=DONE, found=found)
        except Exception:
            log.exception("analysis failed", extra={"game": game})
        finally:
            if not kept:
                await self.store.drop_analysis(game)

    async def _analysed(self, game: str, record: str) -> str:
        played = await asyncio.to_thread(hv.replay, record)
        plan = plan_analysis(played, self.budget, SEED)
        looked: list[tuple[JudgeTask, JudgedDecision | None]] = []
        look = next(plan)
        told = time()
        while True:
            if time() > told + 1:
                told = time()
                found = _written(partial_analysis(played.names, looked))
                await self.store.change_analysis(game, at=told, done=look.done, found=found)
            looked.append((look, await self.thinkers.judge(record, look, game)))
            try:
                look = plan.send(looked[-1][1])
            except StopIteration as end:
                return _written(end.value)

    async def close(self) -> None:
        for working in self._working:
            working.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)


class Analyses(Controller):
    """Finished games under the eyes of the director."""

    path = "/api/tables/{table:str}/analysis"
    tags: tuple[str] = ("replay",)

    @get()
    async def analysis(
        self, table: FromPath[str], rooms: Given[Rooms], analysts: Given[AnalysisRunner]
    ) -> AnalysisInfo:
        """How far the analysis of a game is, and what it found."""
        return await analysts.info((await rooms.get(table)).row.id)

    @post()
    async def analyse(
        self,
        table: FromPath[str],
        rooms: Given[Rooms],
        visitor: Given[Visitor],
        analysts: Given[AnalysisRunner],
    ) -> AnalysisInfo:
        """Let the director judge the decisions of a game that is over; done once for all."""
        record = _record(await rooms.get(table))
        info = await analysts.info(table)
        if info.status == "none":
            await analysts.begin(table, record, visitor.network)
            info = await analysts.info(table)
        return info


def _written(found: Analysis) -> str:
    return msgspec.json.encode(found).decode()


def _record(room: Room) -> str:
    if room.row.record is None:
        raise not_now("A game can be analysed when it is over.", "not_over")
    if not 0 < room.row.moves <= MAX_MOVES:
        raise not_now(f"A game of {room.row.moves} moves cannot be analysed.")
    return room.row.record
