"""Identities: an opaque id and a display name, signed, in a cookie or as a token.

The signature proves the identity, so the store needs nothing about a guest. An account is proved by
a login, which the store keeps and can end.
"""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_hex

import msgspec

from highvoltage.rooms.person import Person, new_guest

COOKIE = "hv"
COOKIE_SECONDS = 365 * 86_400
LINK = b"link "
"""Before what is signed of a link, so that it is never taken for a token."""
MAX_COOKIE_LENGTH = 2_000  # characters of a token; ours have a few hundred


class Visitor(Person):
    """The person or program behind a request. `fresh` if the cookie has to be set."""

    account: str | None = None
    login: str | None = None  # the secret id of a login to an account
    fresh: bool = False
    bearer: bool = False  # uses a token instead of a cookie
    device: str = ""  # the cookie of known devices
    new_device: bool = False  # if that cookie has to be set


class Identities:
    """Signs and reads tokens and the cookies that contain them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"highvoltage cookie" + secret).digest()

    def new(self) -> Visitor:
        """A new guest."""
        guest = new_guest()
        return Visitor(guest.who, guest.name)

    def renew(self, visitor: Visitor) -> None:
        """Turn a visitor into a new guest."""
        new = self.new()
        visitor.who, visitor.name, visitor.account = new.who, new.name, None
        visitor.login = None
        visitor.fresh = True

    def cookie(self, visitor: Visitor, *, secure: bool) -> str:
        """The value of the Set-Cookie header for an identity."""
        return set_cookie(COOKIE, self.token(visitor), secure=secure)

    def token(self, visitor: Visitor) -> str:
        """The token of an identity: its bearer acts as this visitor."""
        content = msgspec.json.encode([visitor.who, visitor.name, visitor.login])
        return f"{_text(content)}.{_text(self._sign(content))}"

    def read_cookie(self, header: str) -> Visitor | None:
        """The visitor of a Cookie header; None if our cookie is missing or invalid."""
        return self.read(cookie_value(header, COOKIE))

    def read(self, token: str) -> Visitor | None:
        """The visitor of a token; None if it is not ours."""
        try:
            content, _, signature = token[:MAX_COOKIE_LENGTH].partition(".")
            signed = urlsafe_b64decode(content)
            if not hmac.compare_digest(self._sign(signed), urlsafe_b64decode(signature)):
                return None
            who, name, login = msgspec.json.decode(signed, type=tuple[str, str, str | None])
        except (ValueError, msgspec.MsgspecError):
            return None
        return Visitor(who, name, login=login)

    def link(self, visitor: Visitor, until: float) -> str:
        """What carries an identity to another device until then; it is no token."""
        content = msgspec.json.encode([visitor.who, visitor.name, until, token_hex(8)])
        return f"{_text(content)}.{_text(self._sign(LINK + content))}"

    def read_link(self, link: str, now: float) -> Visitor | None:
        """Whose link this is; None if it is not ours, or has expired."""
        try:
            content, _, signature = link.partition(".")
            signed = urlsafe_b64decode(content)
            if not hmac.compare_digest(self._sign(LINK + signed), urlsafe_b64decode(signature)):
                return None
            who, name, until, _ = msgspec.json.decode(signed, type=tuple[str, str, float, str])
        except (ValueError, msgspec.MsgspecError):
            return None
        return Visitor(who, name) if now < until else None

    def network_hash(self, network: str) -> str:
        """Identifies what comes from the same network without revealing the network."""
        return _text(hmac.digest(self._secret, b"origin " + network.encode(), "sha256"))[:16]

    def _sign(self, content: bytes) -> bytes:
        return hmac.digest(self._secret, content, "sha256")


def cookie_value(header: str, wanted: str) -> str:
    """The value of a cookie in a Cookie header; empty if it is missing.

    >>> cookie_value("a=1; hv=2", "hv"), cookie_value("a=1", "hv")
    ('2', '')
    """
    cookies = (each.strip().partition("=") for each in header.split(";"))
    return next((value for name, _, value in reversed([*cookies]) if name == wanted), "")


def set_cookie(name: str, value: str, *, secure: bool) -> str:
    """The value of a Set-Cookie header for a year."""
    rest = f"Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax"
    return f"{name}={value}; {rest}{'; Secure' if secure else ''}"


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode()
