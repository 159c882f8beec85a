"""HTTP requests to addresses given by users.

Such an address must not lead into the network of the server: its host is looked up once, the result
is checked, and the request goes to exactly that address. Redirects are not followed.
"""

import asyncio
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network
from socket import gaierror, getaddrinfo
from urllib.parse import SplitResult, urlsplit

PUBLIC_IPV6 = ip_network("2000::/3")
"""The part of IPv6 that is assigned to the public internet."""
NOT_PUBLIC = [
    ip_network(net)
    for net in (
        *("192.0.0.0/24", "192.88.99.0/24"),  # protocol assignments; tunnels
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),  # the same, and documentation
    )
]
MAX_LOOKUPS = 2  # at once


class ForbiddenAddress(ValueError):
    """An address is invalid or private."""


def check_address(url: str, *, private: bool) -> SplitResult:
    """The parts of an allowed address; ForbiddenAddress if it is not allowed."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or not url.isascii() or any(ord(c) <= ord(" ") for c in url):
        raise ForbiddenAddress("is an address with http or https")
    if not private and _is_literal(parts.hostname or "") and not _public(parts.hostname or ""):
        raise ForbiddenAddress("does not lead to a private address")
    return parts


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _public(address: str) -> bool:
    """Whether an address is public. An IPv4 address embedded in an IPv6 one is not."""
    found = ip_address(address.partition("%")[0])
    if any(found in net for net in NOT_PUBLIC if net.version == found.version):
        return False
    if isinstance(found, IPv6Address) and found not in PUBLIC_IPV6:
        return False
    return found.is_global and not found.is_multicast


@cache
def _secure() -> ssl.SSLContext:
    return ssl.create_default_context()


class OutgoingHttp:
    """Sends HTTP requests to public addresses."""

    def __init__(self, *, private: bool) -> None:
        self.private = private
        self._names = ThreadPoolExecutor(
            MAX_LOOKUPS, "names"
        )  # separate threads: lookups may be slow

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """POST to a public address; returns the status of the answer."""
        parts = check_address(url, private=self.private)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        addresses = await self._look_up(host, port)
        if not self.private and not all(map(_public, addresses)):
            raise ForbiddenAddress("leads to a private address")
        secure = await asyncio.to_thread(_secure) if parts.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            addresses[0], port, ssl=secure, server_hostname=host if secure else None
        )
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            fields = {
                "Host": parts.netloc.rpartition("@")[2],
                **headers,
                "Content-Length": str(len(body)),
                "User-Agent": "highvoltage",
                "Connection": "close",
            }
            lines = [f"POST {target} HTTP/1.1", *(f"{name}: {fields[name]}" for name in fields)]
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
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

    def close(self) -> None:
        self._names.shutdown(wait=False, cancel_futures=True)
