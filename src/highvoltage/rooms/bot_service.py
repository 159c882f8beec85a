"""Bots think elsewhere, for a limited time, and never block a table.

A bot that fails or takes too long is replaced for this move by `clerk`; if that fails too, by the
first legal move. Fast bots come before bots that search, and both before an analysis.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from highvoltage import bots
from highvoltage.analysis import Judged, JudgeTask
from highvoltage.bots.director import Budget, read_budget
from highvoltage.bots.pace import PLAYOUTS_PER_SECOND
from highvoltage.games import meta
from highvoltage.rooms.counters import FAILURES
from highvoltage.rooms.messages import MapTrial, MapVerdict, MapWish
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import RequestRefused, malformed
from highvoltage.rooms.thinking import (
    AdviseRequest,
    CheckMapRequest,
    CheckReply,
    CheckRequest,
    ChooseReply,
    ChooseRequest,
    CoachReply,
    CoachRequest,
    ImportReply,
    ImportRequest,
    JudgeMapRequest,
    JudgeReply,
    JudgeRequest,
    MakeMapRequest,
    MapReply,
    MendMapRequest,
    Request,
)
from highvoltage.table import Offer
from highvoltage.views import FAMILIES, Reason

JUDGE_SECONDS = 60.0
FILE_SECONDS = 10.0
SUBSTITUTE = "clerk"
SUBSTITUTE_ADVISER = "director"
JUDGE = "judge"  # who gives hints, as a name in messages
MINIMAL_VERBS = {"pass", "done"}

log: logging.Logger = logging.getLogger(__name__)


def minimal_move(legal: Sequence[Offer]) -> str | None:
    """`pass` or `done`, if one of them is legal."""
    return next((offer.move for offer in legal if offer.move in MINIMAL_VERBS), None)


Work = Literal["quick", "searching", "analysing", "files"]
"""What is asked for: a move of a fast bot, or of one that searches; a judgement; a user's file."""
AnyReply = TypeVar(
    "AnyReply", ChooseReply, CoachReply, JudgeReply, CheckReply, ImportReply, MapReply
)


class Workers(Protocol):
    """Whoever answers the questions of `thinking.py`."""

    async def ask(
        self, work: Work, question: Request, kind: type[AnyReply], seconds: float, asker: Asker
    ) -> AnyReply:
        """The reply; one with an error if it takes too long or fails."""


class BotService:
    """The bots, and all else that takes time."""

    def __init__(
        self, workers: Workers, seconds: float, budget: float, file_seconds: float = FILE_SECONDS
    ) -> None:
        self.workers = workers
        self.seconds = seconds
        self.budget = budget
        self.file_seconds = file_seconds

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

    def adviser(self, rulebook: str) -> str:
        """The bot that gives hints where the judge cannot, if it is installed."""
        named = meta(rulebook).adviser
        return named if named.partition(":")[0] in bots.names() else SUBSTITUTE_ADVISER

    async def advise(self, question: AdviseRequest, asker: Asker) -> ChooseReply:
        """A hint by the judge; where it knows nothing of the game, by the adviser."""
        if question.view["family"] in FAMILIES:
            reply = await self.workers.ask("searching", question, ChooseReply, self.seconds, asker)
            if not reply.error:
                reply.bot = JUDGE
                return reply
            FAILURES["bots"] += 1
            log.warning("no advice", extra={"error": reply.error})
        adviser = self.adviser(question.rulebook)
        asked = ChooseRequest(
            adviser, question.seed, question.rulebook, question.view, question.legal
        )
        return await self.choose(asked, asker)

    async def first_advice(self, question: AdviseRequest, asker: Asker) -> ChooseReply | None:
        """The judge's hint at first sight; None if it knows nothing of the game."""
        if question.view["family"] not in FAMILIES:
            return None
        request = msgspec.structs.replace(question, at_first_sight=True)
        reply = await self.workers.ask("quick", request, ChooseReply, self.seconds, asker)
        reply.bot = JUDGE
        return None if reply.error else reply

    async def coach(self, question: CoachRequest, asker: Asker) -> list[Reason]:
        """What the coach says; nothing on failure."""
        reply = await self.workers.ask("searching", question, CoachReply, self.seconds, asker)
        if reply.error:
            log.warning("not coached", extra={"error": reply.error})
        return reply.lines

    async def choose(self, question: ChooseRequest, asker: Asker) -> ChooseReply:
        """The choice of the bot, or of its substitute."""
        for bot in (question.bot, SUBSTITUTE):
            request = msgspec.structs.replace(question, bot=bot)
            work: Work = "searching" if bots.needs(bot) == "history" else "quick"
            reply = await self.workers.ask(work, request, ChooseReply, self.seconds, asker)
            if not reply.error:
                reply.bot = bot
                return reply
            FAILURES["bots"] += 1
            log.warning("bot replaced", extra={"bot": bot, "error": reply.error})
        first = question.legal[0].move
        return ChooseReply(
            minimal_move(question.legal) or first,
            "random",
            {"moves": len(question.legal)},
            bot="random",
        )

    async def judge(self, record: str, task: JudgeTask, asker: Asker) -> Judged | None:
        """Judge a decision, or the start of a round; None if it is no open one, or on failure."""
        request = JudgeRequest(record, task)
        work: Work = "quick" if task.kind == "round" else "analysing"  # a round is seen at once
        seconds = self.seconds if work == "quick" else JUDGE_SECONDS
        reply = await self.workers.ask(work, request, JudgeReply, seconds, asker)
        if reply.error:
            log.warning("not judged", extra={"move": task.move, "error": reply.error})
        return reply.judged

    async def check(self, check: CheckRequest, asker: Asker) -> None:
        """Check a game with a custom map or custom cards; RequestRefused if it cannot be played."""
        _checked(await self.workers.ask("files", check, CheckReply, self.file_seconds, asker))

    async def read(self, record: str, own_bytes: int, asker: Asker) -> ImportReply:
        """Replay an uploaded record to its end; RequestRefused if that fails."""
        return await self._read(ImportRequest(record, own_bytes), asker)

    async def read_resumed(
        self, record: str, own_bytes: int, asker: Asker, moves: int | None
    ) -> ImportReply:
        """As `read`, up to so many moves, and with the journal to go on from."""
        return await self._read(ImportRequest(record, own_bytes, resumed=True, moves=moves), asker)

    async def _read(self, request: ImportRequest, asker: Asker) -> ImportReply:
        seconds = self.file_seconds
        return _checked(await self.workers.ask("files", request, ImportReply, seconds, asker))

    async def map_faults(self, map_: dict[str, Any], own_bytes: int, asker: Asker) -> list[str]:
        """Every fault of a map; RequestRefused if it is too large."""
        return (await self._map(CheckMapRequest(map_, own_bytes), asker)).faults

    async def make_map(self, wish: MapWish, asker: Asker) -> dict[str, Any]:
        """A new map; RequestRefused if none of that size can be made."""
        return (await self._map(MakeMapRequest(wish), asker)).map

    async def judge_map(self, trial: MapTrial, own_bytes: int, asker: Asker) -> MapVerdict:
        """Let bots play some more games on a map; RequestRefused if it cannot be played."""
        request = JudgeMapRequest(trial, own_bytes)
        ask = self.workers.ask("analysing", request, MapReply, JUDGE_SECONDS, asker)
        verdict = _checked(await ask).verdict
        assert verdict is not None
        return verdict

    async def mend_map(self, trial: MapTrial, own_bytes: int, asker: Asker) -> dict[str, Any]:
        """The map with other costs, by what the games on it show."""
        return (await self._map(MendMapRequest(trial, own_bytes), asker)).map

    async def _map(
        self, request: CheckMapRequest | MakeMapRequest | MendMapRequest, asker: Asker
    ) -> MapReply:
        seconds = self.file_seconds
        return _checked(await self.workers.ask("files", request, MapReply, seconds, asker))


Read = TypeVar("Read", CheckReply, ImportReply, MapReply)


def _checked(reply: Read) -> Read:
    if reply.problem is not None:
        raise RequestRefused(HTTPStatus(reply.status), reply.problem)
    if reply.error:
        log.warning("file not read", extra={"error": reply.error})
        raise malformed("too_long")
    return reply
