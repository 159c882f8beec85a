"""Bots think in a worker of their own, so that the tables never wait for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Protocol

import msgspec

from highvoltage.rooms import thinking
from highvoltage.rooms.bot_service import AnyReply, Work
from highvoltage.rooms.person import Asker
from highvoltage.rooms.tasks import begin
from highvoltage.rooms.thinking import Request

ORDER: tuple[Work, ...] = ("files", "quick", "searching", "analysing")
"""What is done first of all that waits."""


def answer(task: str) -> str:
    """What the worker does: answer a question of the tables."""
    return thinking.answer(task).decode()


class Thinker(Protocol):
    """The worker, as the tables see it: it answers one task at a time."""

    async def ready(self) -> None:
        """Wait until it can think."""

    async def think(self, task: str) -> str:
        """What `answer` says there."""

    def restart(self) -> None:
        """End what it thinks about, which takes too long."""


class ThinkingQueue:
    """Asks the worker one question after another, the urgent ones first."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._busy = False
        self._waiting: dict[tuple[int, int], asyncio.Future[None]] = {}
        self._numbers = count()
        self._asking: set[asyncio.Task[Any]] = set()

    async def ask(
        self,
        work: Work,
        question: Request,
        kind: type[AnyReply],
        seconds: float,
        asker: Asker,  # all are the same person
    ) -> AnyReply:
        """The reply. It is waited for even if nobody wants it any more: the worker is busy."""
        asking = begin(self._ask(work, question, kind, seconds), "think")
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        return await asyncio.shield(asking)

    async def close(self) -> None:
        """Wait for no reply any more."""
        self._waiting.clear()  # or whoever is answered now would let a cancelled one begin
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    async def _ask(
        self, work: Work, question: Request, kind: type[AnyReply], seconds: float
    ) -> AnyReply:
        async with self._turn(work):
            try:
                await self._thinker.ready()
                async with asyncio.timeout(seconds):
                    text = await self._thinker.think(msgspec.json.encode(question).decode())
                return msgspec.json.decode(text, type=kind)
            except TimeoutError:
                self._thinker.restart()
                return kind(error=f"took longer than {seconds} s")
            except Exception as error:  # noqa: BLE001  # a worker may fail in any way
                return kind(error=f"its worker failed: {error!r}"[:300])

    @asynccontextmanager
    async def _turn(self, work: Work) -> AsyncIterator[None]:
        if self._busy:
            turn = asyncio.get_running_loop().create_future()
            self._waiting[ORDER.index(work), next(self._numbers)] = turn
            await turn
        self._busy = True
        try:
            yield
        finally:
            self._busy = bool(self._waiting)
            if self._waiting:
                self._waiting.pop(min(self._waiting)).set_result(None)
