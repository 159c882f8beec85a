"""The tables of a browser, run in this process, and people who play at them."""

import asyncio
import copy
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from httpx import BaseTransport, Request, Response

from highvoltage.browser import App, open_app
from highvoltage.browser.storage import Batch
from highvoltage.browser.thinking import answer
from highvoltage.rooms.person import Person as RoomPerson
from highvoltage.rooms.person import new_guest
from highvoltage.server.run import JsonFormatter
from serving import PATIENCE, Person, Server

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

    from websockets.sync.client import ClientConnection

T = TypeVar("T")


class Disk:
    """A storage that outlives the tables that are kept in it."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.writes = 0
        self.fault: Exception | None = None  # raised instead of writing

    async def load(self) -> list[tuple[str, str]]:
        return [*self.texts.items()]

    async def write(self, batch: Batch) -> None:
        await asyncio.sleep(0)
        if self.fault is not None:
            raise self.fault
        self.writes += 1
        for key, text in batch:
            if text is None:
                del self.texts[key]
            else:
                self.texts[key] = text


class ThreadThinker:
    """Thinks in a thread, as a browser does in a worker."""

    async def ready(self) -> None:
        """It always is."""

    async def think(self, task: str) -> str:
        return await asyncio.to_thread(answer, task)

    def restart(self) -> None:
        raise AssertionError("nothing takes that long")


class Errors(logging.Handler):
    """Keeps the errors that are logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(JsonFormatter())
        self.found: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(json.loads(self.format(record)))


@pytest.fixture(name="server", scope="module", params=["server", "browser"])
def in_both_shells(request: pytest.FixtureRequest, server: Server) -> Server:
    """Runs the tests of a module that imports this at a server, and in a browser."""
    shell: Shell = request.getfixturevalue("browser_shell")
    return shell if request.param == "browser" else server


@pytest.fixture(
    name="server",
    scope="module",
    params=["server", pytest.param("browser", marks=pytest.mark.long)],
)
def in_the_browser_too(request: pytest.FixtureRequest, server: Server) -> Server:
    """The same, in a browser only among the long tests: bots think a lot, or no shell matters."""
    shell: Shell = request.getfixturevalue("browser_shell")
    return shell if request.param == "browser" else server


class Shell(Server):
    """The tables of a browser in a thread, which looks like a server to the tests.

    A browser has one person; here several share its tables.
    """

    url = "http://browser"

    def __init__(self, disk: Disk | None = None, analysis_budget: str = "8") -> None:
        self.analysis_budget = analysis_budget
        self.disk = disk or Disk()
        self._numbers = count(1)
        self._inboxes: dict[int, Queue[str | None]] = {}
        self._errors = Errors()
        self._errors.addFilter(self._ours)
        self.start()

    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        logging.getLogger("highvoltage").addHandler(self._errors)
        self.running.add(self)
        self.app: App = self.run(open_app(self.disk, ThreadThinker(), self._send))
        self.app._analysis_runner.budget = self.analysis_budget

    def stored(self) -> bytes:
        return str(self.disk.texts).encode()

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        found: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return found.result(PATIENCE)

    def _send(self, number: int, text: str | None) -> None:
        self._inboxes[number].put(text)

    def transport(self, address: str) -> BaseTransport:  # all come from here
        return ShellTransport(self)

    def app_of(self, person: RoomPerson) -> App:
        """What somebody else would have in their browser, with these tables in it."""
        app = copy.copy(self.app)
        app.person = person
        return app

    @contextmanager
    def _page(self, person: RoomPerson, path: str) -> Iterator["PageSocket"]:
        app = self.app_of(person)
        number = next(self._numbers)
        inbox = self._inboxes[number] = Queue()
        assert self.run(app.connect(number, path)) == 0
        try:
            yield PageSocket(self._loop, app, number, inbox)
        finally:
            self._loop.call_soon_threadsafe(app.disconnect, number)
            inbox.put(None)

    def websocket(self, person: Person, url: str, path: str) -> "ClientConnection":
        transport: Any = person._transport
        found: Any = self._page(transport.person, path)
        return found  # type: ignore[no-any-return]

    def stop(self) -> int:
        self.running.discard(self)
        self.run(self.app.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()
        logging.getLogger("highvoltage").removeHandler(self._errors)
        return int(self._thread.is_alive())

    def errors(self) -> list[dict[str, Any]]:
        return self._errors.found


class ShellTransport(BaseTransport):
    """Requests of a page."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.person = new_guest()

    def handle_request(self, request: Request) -> Response:
        path = request.url.raw_path.decode()
        body = request.read().decode()
        app = self.shell.app_of(self.person)
        found = self.shell.run(app.request(request.method, path, body or None))
        return Response(found.status, headers={"content-type": found.media_type}, text=found.text)


class PageSocket:
    """A connection of a page."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        app: App,
        number: int,
        inbox: "Queue[str | None]",
    ) -> None:
        self._loop = loop
        self._app = app
        self._number = number
        self._inbox = inbox

    def send(self, text: str) -> None:
        self._loop.call_soon_threadsafe(self._app.receive, self._number, text)

    def __iter__(self) -> Iterator[str]:
        while (text := self._inbox.get()) is not None:
            yield text
