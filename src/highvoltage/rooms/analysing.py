"""The analysis of a finished game: started by the first request, stored for everybody; its line.

The store records which games are being analysed, so that several processes do nothing twice and
the work of a process that dies is started again.
"""

import asyncio
import logging
from collections.abc import Sequence
from time import time

import msgspec

import highvoltage as hv
from highvoltage.analysis import (
    VERSION,
    Analysis,
    AnalysisPlan,
    GameLine,
    Judged,
    JudgeTask,
    make_analysis,
    plan_analysis,
)
from highvoltage.engine.log import Row
from highvoltage.rooms import tasks
from highvoltage.rooms.bot_service import JUDGE_SECONDS
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.game_line import GameLines
from highvoltage.rooms.messages import AnalysisInfo
from highvoltage.rooms.person import Asker, Person
from highvoltage.rooms.problems import not_now, too_many
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import Routes
from highvoltage.table import Entry, remaining_moves

MAX_CONCURRENT = 100
MAX_MOVES = 2_000  # a game has a few hundred
RETRY_SECONDS = 60
ABANDONED_SECONDS = 2 * JUDGE_SECONDS  # without progress: then its process is gone
SEED = "1"  # fixed: with a budget in playouts, the same game always gets the same result
DONE = 1.0  # share of the work
NO_ANALYSIS = AnalysisInfo("none", 0.0, None)

log: logging.Logger = logging.getLogger(__name__)


class AnalysisRunner:
    """The analyses that run in this process."""

    def __init__(self, context: RoomContext, budget: str) -> None:
        self.context = context
        self.budget = budget
        self.lines = GameLines(context)
        self._working: dict[asyncio.Task[None], Asker] = {}

    async def info(self, game: str) -> AnalysisInfo:
        """The progress of an analysis, whichever process runs it."""
        row = await self.context.store.analysis(game)
        if row is None:
            return NO_ANALYSIS
        found = row.found and _read(row.found)
        if row.done == DONE and not found:  # by an older judge
            await self.context.store.drop_analysis(game)
            return NO_ANALYSIS
        if row.done == DONE:
            return AnalysisInfo("done", DONE, found or None)
        if row.at < time() - ABANDONED_SECONDS:
            return NO_ANALYSIS
        return AnalysisInfo("running", row.done, found or None)

    async def begin(self, game: Room, asker: Asker) -> None:
        """Start an analysis, unless another process has."""
        own = [each for each in self._working.values() if each.network == asker.network]
        nearby = len(own) >= self.context.limits.analyses_of_address
        if nearby or sum(each.who == asker.who for each in own) >= self.context.limits.analyses:
            raise too_many("many_analyses", retry_after=RETRY_SECONDS)
        if len(self._working) >= MAX_CONCURRENT:
            raise too_many("analyses_busy", retry_after=RETRY_SECONDS)
        now = time()
        if await self.context.store.claim_analysis(game.row.id, now, now - ABANDONED_SECONDS):
            working = tasks.begin(self._work(game, asker), "analysis")
            self._working[working] = asker
            working.add_done_callback(self._working.pop)

    async def _work(self, room: Room, asker: Asker) -> None:
        store, stored, game = self.context.store, False, room.row.id
        try:
            found = await self._analysed(room, asker)
            stored = await store.change_analysis(game, at=time(), done=DONE, found=found)
        except Exception:
            log.exception("analysis failed", extra={"game": game})
        finally:
            if not stored:
                await store.drop_analysis(game)

    async def _analysed(self, room: Room, asker: Asker) -> str:
        store, threads, game = self.context.store, self.context.threads, room.row.id
        record = _record(room)
        played = await threads.compute(hv.replay, record)
        people = {place.seat for place in room.places if place.kind == "person"}
        own = own_moves(await store.journal(game), played.log, people) if people else None
        bots = [None if place.seat in people else place.bot for place in room.places]
        plan = plan_analysis(played, self.budget, SEED, bots, own)
        judged: list[tuple[JudgeTask, Judged | None]] = []
        task = await threads.compute(next, plan)
        reported = time()
        while task is not None:
            if time() > reported + 1:
                reported = time()
                found = await threads.compute(lambda: _json(make_analysis(played, judged)))
                await store.change_analysis(game, at=reported, done=task.done, found=found)
            judged.append((task, await self.context.bot_service.judge(record, task, asker)))
            task, found = await threads.compute(_next_task, plan, judged[-1][1])
        return found

    async def close(self) -> None:
        for working in self._working:
            working.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)


routes = Routes("/api/tables/{table}", "replay")


@routes.get("/line")
async def line(
    table: str, rooms: Rooms, person: Person, analysis_runner: AnalysisRunner
) -> GameLine:
    """Who was ahead when; ask again until it is complete."""
    room = await rooms.get(table)
    return await analysis_runner.lines.line(room, Asker(person.network, person.who))


@routes.get("/analysis")
async def analysis(table: str, rooms: Rooms, analysis_runner: AnalysisRunner) -> AnalysisInfo:
    """The progress of the analysis of a game, and what it found."""
    return await analysis_runner.info((await rooms.get(table)).row.id)


@routes.post("/analysis")
async def analyse(
    table: str,
    rooms: Rooms,
    person: Person,
    analysis_runner: AnalysisRunner,
) -> AnalysisInfo:
    """Let the judge go through a finished game; done once for everybody."""
    room = await rooms.get(table)
    _record(room)
    info = await analysis_runner.info(table)
    if info.status == "none":
        await analysis_runner.begin(room, Asker(person.network, person.who))
        info = await analysis_runner.info(table)
    return info


def own_moves(journal: Sequence[Entry], log: Sequence[Row], people: set[int]) -> list[bool]:
    """For each move whether a person decided it; an imported game has no journal."""
    _, entries = remaining_moves(journal, 0)
    bys = [entry.by for entry in entries] if entries else ["person"] * len(log)
    return [by == "person" and row.seat in people for by, row in zip(bys, log, strict=True)]


def _read(found: str) -> Analysis | None:
    """What was stored, if this judge said it."""
    try:
        read = msgspec.json.decode(found, type=Analysis)
    except msgspec.ValidationError:
        return None
    return read if read.version == VERSION else None


def _next_task(plan: AnalysisPlan, judged: Judged | None) -> tuple[JudgeTask | None, str]:
    """The next decision to judge; or None, and all that was found."""
    try:
        return plan.send(judged), ""
    except StopIteration as end:
        return None, _json(end.value)


def _json(found: Analysis) -> str:
    return msgspec.json.encode(found).decode()


def _record(room: Room) -> str:
    if room.row.record is None:
        raise not_now("not_over")
    if not 0 < room.row.moves <= MAX_MOVES:
        raise not_now("not_now", f"A game of {room.row.moves} moves cannot be analysed.")
    return room.row.record
