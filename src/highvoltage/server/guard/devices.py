"""Known devices: a browser keeps a mark for each account that it has logged in to.

A mark gives no access. It only lets its browser try the password while others, who try it too,
have to wait. It ends with the password that it was made with.
"""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode

from highvoltage.server.store import Account

DEVICE_COOKIE = "hv_device"
MAX_ACCOUNTS = 5  # that one browser is known for
DEVICE_ID = re.compile(r"[\w-]{1,40}", re.ASCII)


class Devices:
    """Makes and reads the values of the cookie: `DEVICE.MARK.MARK…`."""

    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"highvoltage device" + secret).digest()

    def known(self, cookie: str, account: Account) -> str | None:
        """The id of the device if it has logged in to this account before."""
        device, *marks = cookie.split(".")
        mark = self._mark(device, account).encode()
        held = (other.encode(errors="replace") for other in marks[:MAX_ACCOUNTS])
        return device if any(hmac.compare_digest(mark, other) for other in held) else None

    def remember(self, cookie: str, account: Account) -> str:
        """The cookie of a device that has logged in to this account."""
        device, *marks = cookie.split(".")
        if not DEVICE_ID.fullmatch(device):
            device, marks = secrets.token_urlsafe(9), []
        mark = self._mark(device, account)
        others = [other for other in marks if DEVICE_ID.fullmatch(other) and other != mark]
        return ".".join([device, mark, *others[: MAX_ACCOUNTS - 1]])

    def _mark(self, device: str, account: Account) -> str:
        content = f"{device} {account.who} {account.password}".encode(errors="surrogatepass")
        return urlsafe_b64encode(hmac.digest(self._secret, content, "sha256")[:18]).decode()
