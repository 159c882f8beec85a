"""Tells a chat program whose turn it is, by the address that the host of a table has named.

The address comes from a stranger, so it must not lead into the network of the server: what its name
stands for is looked up once, checked, and that very address is called. Redirections are not
followed.
"""

import asyncio
import logging
import ssl
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from socket import gaierror
from urllib.parse import SplitResult, urlsplit

import msgspec

from highvoltage.server.messages import KeptSetup
from highvoltage.server.metrics import WEBHOOKS
from highvoltage.server.problems import malformed
from highvoltage.server.store import GameRow, SeatRow

TUNNELS = [ip_network(net) for net in ("64:ff9b::/32", "2001::/32", "2002::/16")]
"""Addresses that may hide one of another network inside."""
SECONDS = 10
MOST_WAITING = 1000

log = logging.getLogger(__name__)


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
    found = ip_address(address.partition("%")[0])
    inner = getattr(found, "ipv4_mapped", None) or found
    tunnelled = any(found in net for net in TUNNELS if net.version == found.version)
    return inner.is_global and not inner.is_multicast and not tunnelled


class Webhooks:
    """Calls that go out, one per change of turn."""

    def __init__(self, *, private: bool) -> None:
        self.private = private
        self._told: dict[str, tuple[int | None, str]] = {}
        self._calls: set[asyncio.Task[None]] = set()

    def notice(self, row: GameRow, places: Sequence[SeatRow], setup: KeptSetup) -> None:
        """Something has changed at a table: tell whose turn it is, or that it is over."""
        url = setup.webhook
        if url is None or row.opening is None or self._told.get(row.id) == (row.turn, row.status):
            return
        self._told[row.id] = row.turn, row.status
        if row.turn is not None and places[row.turn].bot is not None:
            return
        if len(self._calls) < MOST_WAITING:
            call = asyncio.create_task(self._call(url, _news(row, places, setup)))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call(self, url: str, news: dict[str, object]) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                status = await post(url, msgspec.json.encode(news), private=self.private)
            result = "ok" if status < HTTPStatus.BAD_REQUEST else "refused"
        except (OSError, ValueError, TimeoutError, EOFError) as error:
            result = "failed"
            log.warning("webhook failed", extra={"error": type(error).__name__})
        WEBHOOKS.labels(result).inc()


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


async def post(url: str, body: bytes, *, private: bool) -> int:
    """Send JSON to an address that is not private; the status of the answer."""
    parts = check_address(url, private=private)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port)
    except gaierror as error:
        raise OSError(str(error)) from None
    addresses = [str(each[4][0]) for each in found]
    if not private and not all(map(_public, addresses)):
        raise ValueError("a private address")
    secure = ssl.create_default_context() if parts.scheme == "https" else None
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
