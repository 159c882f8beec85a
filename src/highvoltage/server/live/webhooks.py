"""Tells a chat program whose turn it is, by the address that the host of a table has named.

The address comes from a stranger, so it must not lead into the network of the server: what its name
stands for is looked up once, checked, and that very address is called. Redirections are not
followed.
"""

import asyncio
import logging
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from socket import gaierror, getaddrinfo
from urllib.parse import SplitResult, urlsplit

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from highvoltage.server.guard.bucket import Buckets
from highvoltage.server.messages import KeptSetup
from highvoltage.server.metrics import WEBHOOKS
from highvoltage.server.problems import malformed
from highvoltage.server.store import GameRow, SeatRow, Store

WORLD = ip_network("2000::/3")
"""All that is given out of IPv6; what is not in it leads to some other network."""
NOT_PUBLIC = [
    ip_network(net)
    for net in (
        *("192.0.0.0/24", "192.88.99.0/24"),  # for protocols; a way to tunnels
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),  # the same, and for books
    )
]
SECONDS = 10
MOST_WAITING = 1000
NAMES = 2  # that are looked up at once
CALLS, CALLS_AT_ONCE = 1, 60
"""A second, for tables made from one address: nobody else is to be flooded from here."""

log: logging.Logger = logging.getLogger(__name__)


def check_address(url: str, *, private: bool) -> SplitResult:
    """The parts of an address that may be called; Sorry if it may not."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or not url.isascii() or any(ord(c) <= ord(" ") for c in url):
        raise malformed("A webhook is an address with http or https.", "no_webhook")
    if not private and _is_literal(parts.hostname or "") and not _public(parts.hostname or ""):
        raise malformed("A webhook does not lead to a private address.", "no_webhook")
    return parts


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _public(address: str) -> bool:
    """Whether anybody may be called there. An address inside another one may not."""
    found = ip_address(address.partition("%")[0])
    if any(found in net for net in NOT_PUBLIC if net.version == found.version):
        return False
    if isinstance(found, IPv6Address) and found not in WORLD:
        return False
    return found.is_global and not found.is_multicast


@cache
def _secure() -> ssl.SSLContext:
    return ssl.create_default_context()


class Webhooks:
    """Calls that go out, one per change of turn, whichever process is first."""

    def __init__(self, store: Store, *, private: bool) -> None:
        self.store = store
        self.private = private
        self._names = ThreadPoolExecutor(NAMES, "names")  # a slow one holds up nobody else
        self._calls: set[asyncio.Task[None]] = set()
        self._calling = Buckets(CALLS, CALLS_AT_ONCE)

    def notice(self, row: GameRow, places: Sequence[SeatRow], setup: KeptSetup) -> None:
        """Something has changed at a table: tell whose turn it is, or that it is over."""
        news = f"{row.status} {row.turn}"
        if setup.webhook is None or row.opening is None or row.told == news:
            return
        row.told = news
        if len(self._calls) < MOST_WAITING:
            told = None
            person = row.turn is None or places[row.turn].bot is None
            if person and not self._calling.empty(row.origin or row.id):
                told = _news(row, places, setup)
            call = asyncio.create_task(self._call(row.id, news, setup.webhook, told))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call(self, game: str, news: str, url: str, told: dict[str, object] | None) -> None:
        """Call, unless another process has; that it is a bot's turn is only noted."""
        try:
            if not await self.store.tell_once(game, news) or told is None:
                return
            async with asyncio.timeout(SECONDS):
                status = await self.post(url, msgspec.json.encode(told))
            result = "ok" if status < HTTPStatus.BAD_REQUEST else "refused"
        except (OSError, ValueError, TimeoutError, EOFError, SQLAlchemyError) as error:
            result = "failed"
            log.warning("webhook failed", extra={"error": type(error).__name__})
        WEBHOOKS.labels(result).inc()

    async def post(self, url: str, body: bytes) -> int:
        """Send JSON to an address that is not private; the status of the answer."""
        parts = check_address(url, private=self.private)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        addresses = await self._look_up(host, port)
        if not self.private and not all(map(_public, addresses)):
            raise ValueError("a private address")
        secure = await asyncio.to_thread(_secure) if parts.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            addresses[0], port, ssl=secure, server_hostname=host if secure else None
        )
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            head = (
                f"POST {target} HTTP/1.1\r\nHost: {parts.netloc.rpartition('@')[2]}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                "User-Agent: highvoltage\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await writer.drain()
            return int((await reader.readline()).split(b" ")[1])
        except IndexError:
            raise ValueError("no HTTP") from None
        finally:
            writer.close()

    async def _look_up(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._names, getaddrinfo, host, port)
        except (gaierror, UnicodeError) as error:
            raise OSError(str(error)) from None
        return [str(each[4][0]) for each in found]

    async def close(self) -> None:
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        self._names.shutdown(wait=False, cancel_futures=True)


def _news(row: GameRow, places: Sequence[SeatRow], setup: KeptSetup) -> dict[str, object]:
    turn = row.turn
    title = setup.title or row.rulebook
    if turn is None:
        text = f"{title}: the game is over."
    else:
        text = f"{title}: {places[turn].name}, it is your turn."
    event = "game_over" if turn is None else "your_turn"
    # `text` and `content` are what the usual chat programs look for
    return {"event": event, "table": row.id, "seat": turn, "text": text, "content": text}
