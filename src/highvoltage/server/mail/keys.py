"""What the links in a mail carry.

Both keys are made from the random key of an address with the server's secret: the store alone is
not enough to make one, and a mail that is sent again carries the same.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode


class MailKeys:
    """Makes and reads the keys of addresses."""

    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"highvoltage mail" + secret).digest()

    def confirming(self, key: str) -> str:
        """What confirms an address."""
        return self._sign(f"confirm {key}")

    def proof(self, confirming: str) -> str:
        """What the store keeps of that."""
        return hashlib.sha256(confirming.encode(errors="surrogatepass")).hexdigest()

    def ending(self, key: str) -> str:
        """What ends all mail to an address."""
        return f"{key}.{self._sign(f'end {key}')}"

    def read_ending(self, text: str) -> str | None:
        """The key of the address that this ends mail to; None if we have not made it."""
        key, _, signature = text.partition(".")
        made = self._sign(f"end {key}")
        fits = hmac.compare_digest(made.encode(), signature.encode(errors="surrogatepass"))
        return key if fits else None

    def message_id(self, *about: object) -> str:
        """The same for a mail that is sent again, so that a mailbox can show it once."""
        return self._sign(f"message {about}")

    def _sign(self, text: str) -> str:
        content = text.encode(errors="surrogatepass")
        return urlsafe_b64encode(hmac.digest(self._secret, content, "sha256")[:24]).decode()
