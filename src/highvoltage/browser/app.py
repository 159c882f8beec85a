"""The tables in a browser: what a server does for the page, done by a worker beside it."""

from contextlib import AsyncExitStack, suppress
from functools import partial
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from highvoltage.browser.line import NoBudget, PageLine, Send
from highvoltage.browser.place import InPlace
from highvoltage.browser.requests import Answer, Router
from highvoltage.browser.storage import Storage
from highvoltage.browser.store import BrowserStore
from highvoltage.browser.thinking import Thinker, ThinkingQueue
from highvoltage.browser.transaction import Transactions
from highvoltage.rooms.analysing import AnalysisRunner
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.connection import UNREADABLE, connect
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.limits import RoomLimits
from highvoltage.rooms.messages import Me, PushKey, Rename, ServerAddress
from highvoltage.rooms.person import Person, new_guest
from highvoltage.rooms.requests import ROUTES
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.routing import JSON, Route
from highvoltage.rooms.store import NotWritten

BOT_SECONDS = 30.0
"""Then the clerk moves instead; a browser thinks about four times as long as a server."""
BOT_BUDGET = 5.0
FILE_SECONDS = 300.0
"""Nobody else is kept waiting by a file: the longest record is read on a slow phone."""
ANALYSIS_BUDGET = "8"
NO_LIMIT = 1_000_000_000
ME = "me"
ID_PREFIX = "here-"
"""Of the tables of a browser: a page that has a server, too, knows by it whom to ask."""


class App:
    """The tables of one browser, and the person who plays there."""

    def __init__(self, storage: Storage, thinker: Thinker, send: Send) -> None:
        self._send = send
        self.store: BrowserStore = BrowserStore(storage)
        self.thinking: ThinkingQueue = ThinkingQueue(thinker)
        bot_service = BotService(self.thinking, BOT_SECONDS, BOT_BUDGET, FILE_SECONDS)
        limits = RoomLimits(judged_games=NO_LIMIT)
        context = RoomContext(self.store, bot_service, InPlace(), limits, id_prefix=ID_PREFIX)
        self.rooms: Rooms = Rooms(context)
        self._analysis_runner = AnalysisRunner(context, ANALYSIS_BUDGET)
        self._router = Router([*ROUTES, *self._routes()])
        self._lines: dict[int, PageLine] = {}
        self._running = AsyncExitStack()
        self.person: Person = new_guest()

    async def open(self) -> None:
        """Read what is stored, and let bots and clocks go on."""
        transactions = self.store.transactions
        await transactions.open()
        self.person = transactions.read.get(ME, Person) or self.person
        transactions.also_write(ME, self.person)
        with suppress(NotWritten):  # there may be no room even for less
            await self.store.drop_unfinished_analyses()
        await self._running.enter_async_context(self.rooms.running())

    async def close(self) -> None:
        for number in tuple(self._lines):
            self.disconnect(number)
        await self._analysis_runner.close()
        await self._running.aclose()
        await self.thinking.close()

    # Requests

    async def request(self, method: str, path: str, body: str | None) -> Answer:
        """Answer what the page would ask a server; `path` includes the query."""
        given = {"rooms": self.rooms, "analysis_runner": self._analysis_runner}
        return await self._router.answer(given, self.person, method, path, body)

    def _routes(self) -> list[Route]:
        """What only concerns the person at this browser, and what only a server could do."""
        ok, rename = HTTPStatus.OK, partial(_rename, self.store.transactions)
        return [
            Route("GET", "/api/me", "me", _me, ok, JSON),
            Route("PATCH", "/api/me", "me", rename, ok, JSON),
            Route("GET", "/api/push", "identity", _push_key, ok, JSON),
            Route("GET", "/api/here", "server", _address, ok, JSON),
        ]

    # Connections

    async def connect(self, number: int, path: str) -> int:
        """Open a connection; 0, or the code of a WebSocket that was closed at once."""
        parts = urlsplit(path)
        line = PageLine(number, self._send_to_page)
        table = parts.path.removeprefix("/api/tables/").removesuffix("/live")
        if parts.path != f"/api/tables/{table}/live":
            return UNREADABLE
        brief = parse_qs(parts.query).get("brief") == ["true"]
        self._lines[number] = line
        await connect(self.rooms, table, line, self.person, NoBudget(), _is_banned, brief=brief)
        return line.closed

    def _send_to_page(self, number: int, text: str | None) -> None:
        if text is None:  # it is closed
            self._lines.pop(number, None)
        self._send(number, text)

    def receive(self, number: int, text: str) -> None:
        """A message of the page."""
        if (line := self._lines.get(number)) is not None:
            line.receive(text.encode())

    def disconnect(self, number: int) -> None:
        """The page has closed a connection."""
        if (line := self._lines.pop(number, None)) is not None:
            line.detach()


async def open_app(storage: Storage, thinker: Thinker, send: Send) -> App:
    """The tables in this storage; NewerFormat if this program is too old for them."""
    app = App(storage, thinker, send)
    await app.open()
    return app


async def _is_banned() -> bool:
    """There is no operator here who could ban anybody."""
    return False


def _me(person: Person) -> Me:
    return Me(person.name, None, registration=False, token=None)


async def _rename(transactions: Transactions, person: Person, data: Rename) -> Me:
    renamed = Person(person.who, data.name)
    await transactions.write(lambda transaction: transaction.put(ME, renamed))
    person.name = data.name
    return _me(person)


def _push_key() -> PushKey:
    return PushKey(None)


def _address() -> ServerAddress:
    return ServerAddress(None, "")
