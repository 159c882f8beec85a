"""A connection of a page, and the queue of questions to its worker."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec

from highvoltage.browser import App
from highvoltage.browser.line import ABORTED, PageLine
from highvoltage.browser.thinking import ThinkingQueue
from highvoltage.rooms.bot_service import Work
from highvoltage.rooms.person import Asker
from highvoltage.rooms.thinking import CheckReply, CheckRequest
from serving import PATIENCE
from shells import Disk


class Told:
    """A listener that keeps what it was told."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.closes = 0

    def on_message(self, message: bytes) -> None:
        self.messages.append(message)

    def on_writable(self) -> None:
        raise AssertionError("a page has always room")

    def on_close(self) -> None:
        self.closes += 1


def run(work: Coroutine[Any, Any, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE):
            await work

    asyncio.run(in_time())


def line() -> tuple[PageLine, Told, list[tuple[int, str | None]]]:
    sent: list[tuple[int, str | None]] = []
    return PageLine(7, lambda number, text: sent.append((number, text))), Told(), sent


def test_a_line_that_is_cut_says_so_to_both_sides_once() -> None:
    cut, told, sent = line()
    cut.attach(told)
    cut.write(b"before")
    cut.abort()
    assert (cut.closed, told.closes) == (ABORTED, 1)
    cut.abort()
    cut.write(b"after")
    asyncio.run(cut.close_with(4000))
    assert sent == [(7, "before"), (7, None)]
    assert (cut.closed, told.closes, cut.listener) == (ABORTED, 1, None)


def test_a_line_is_closed_with_the_code_that_is_given() -> None:
    closed, told, sent = line()
    closed.attach(told)
    asyncio.run(closed.close_with(4403))
    assert (closed.closed, told.closes, sent) == (4403, 1, [(7, None)])


def test_what_comes_early_is_heard_first_and_only_once() -> None:
    early, told, _ = line()
    early.receive(b"one")
    early.receive(b"two")
    early.attach(told)
    early.receive(b"three")
    early.attach(told)
    assert told.messages == [b"one", b"two", b"three"]


def test_a_page_that_leaves_is_no_longer_told_of_its_table() -> None:
    class NoThinker:
        async def ready(self) -> None:
            """It is never asked."""

        async def think(self, task: str) -> str:
            raise AssertionError(task)

        def restart(self) -> None:
            raise AssertionError

    async def work() -> None:
        app = App(Disk(), NoThinker(), lambda *_: None)
        await app.open()
        wanted = {"rulebook": "classic", "seats": [{"kind": "me"}] * 2}
        answer = await app.request("POST", "/api/tables", msgspec.json.encode(wanted).decode())
        table = msgspec.json.decode(answer.text)["id"]
        assert await app.connect(1, f"/api/tables/{table}/live") == 0
        (watching,) = app._lines.values()
        assert [line.listener is None for line in app._lines.values()] == [False]
        app.disconnect(1)
        assert watching.listener is None
        app.disconnect(1)
        app.receive(1, "nobody hears it")
        await app.close()

    run(work())


class Worker:
    """Answers a question when it is let, and keeps which it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun, self.let = asyncio.Event(), asyncio.Event()

    async def ready(self) -> None:
        """It always is."""

    async def think(self, task: str) -> str:
        self.asked.append(msgspec.json.decode(task)["rulebook"])
        self.begun.set()
        await self.let.wait()
        if self.asked[-1] == "fails":
            raise ValueError("broken")
        return msgspec.json.encode(CheckReply(status=200 + len(self.asked))).decode()

    def restart(self) -> None:
        raise AssertionError("nothing takes that long")


async def ask(queue: ThinkingQueue, work: Work, name: str) -> CheckReply:
    question = CheckRequest(name, 2, None, {}, 0)
    return await queue.ask(work, question, CheckReply, PATIENCE, Asker("", "ann"))


def test_of_what_waits_the_most_urgent_is_answered_first_and_each_in_its_turn() -> None:
    async def work() -> None:
        worker = Worker()
        queue = ThinkingQueue(worker)
        first = asyncio.create_task(ask(queue, "analysing", "first"))
        await worker.begun.wait()
        kinds: tuple[Work, ...] = ("analysing", "searching", "quick", "searching", "files")
        waiting = [
            asyncio.create_task(ask(queue, kind, f"{kind} {n}")) for n, kind in enumerate(kinds)
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert worker.asked == ["first"]  # one at a time
        worker.let.set()
        assert (await first).status == 201
        answers = await asyncio.gather(*waiting)
        order = ["files 4", "quick 2", "searching 1", "searching 3", "analysing 0"]
        assert worker.asked == ["first", *order]
        assert [each.status for each in answers] == [206, 204, 203, 205, 202]
        assert (await ask(queue, "quick", "later")).status == 207

    run(work())


def test_a_worker_that_fails_is_told_of_and_asked_again() -> None:
    async def work() -> None:
        worker = Worker()
        worker.let.set()
        queue = ThinkingQueue(worker)
        assert (await ask(queue, "quick", "fails")).error == (
            "its worker failed: ValueError('broken')"
        )
        assert (await ask(queue, "quick", "next")).status == 202

    run(work())


def test_a_queue_that_is_closed_waits_for_nobody() -> None:
    async def work() -> None:
        worker = Worker()
        queue = ThinkingQueue(worker)
        asking = [asyncio.create_task(ask(queue, "quick", name)) for name in ("a", "b")]
        await worker.begun.wait()
        await queue.close()
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(each) for each in found] == [asyncio.CancelledError] * 2
        assert worker.asked == ["a"]

    run(work())
