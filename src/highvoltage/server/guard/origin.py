"""Where a request comes from: an IPv4 address, or the IPv6 network of a home or an office."""

from ipaddress import IPv4Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

IPV6_PREFIX = 64
"""Bits of a network in which one household may use any address."""


def network_of(address: str) -> str:
    """The network of an address, for rate limits.

    >>> network_of("203.0.113.7"), network_of("2001:db8::5:1"), network_of("::ffff:203.0.113.7")
    ('203.0.113.7', '2001:db8::', '203.0.113.7')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, IPV6_PREFIX), strict=False).network_address)


class Site(NamedTuple):
    """The site as a browser sees it: the domain of its passkeys, and what it may call itself."""

    domain: str
    origins: list[str]


def site_of(scheme: str, host: str, configured: str) -> Site:
    """The site of a request to this host, which the guard has checked.

    A proxy may take the encryption off without saying so; then the configured origin knows better.

    >>> site_of("http", "play.example.org", "https://play.example.org")
    Site(domain='play.example.org', origins=['http://play.example.org', 'https://play.example.org'])
    >>> site_of("http", "localhost:8104", "https://play.example.org")
    Site(domain='localhost', origins=['http://localhost:8104'])
    """
    try:
        domain = urlsplit(f"//{host}").hostname or ""
    except ValueError:  # an incomplete IPv6 address
        domain = ""
    also = [configured] if urlsplit(configured).netloc == host else []
    return Site(domain, [f"{scheme}://{host}", *also])


class NetworkCounts(dict[str, int]):
    """Counts of connections by network."""

    def __missing__(self, network: str) -> int:
        return 0

    def enter(self, network: str) -> None:
        self[network] += 1

    def leave(self, network: str) -> None:
        self[network] -= 1
        if not self[network]:
            del self[network]
