"""Messages that one browser alone can read (RFC 8291), and who sends them (RFC 8292)."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from time import time
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD_BYTES = 4_096  # all of a message fits into one
LAST_RECORD = b"\x02"  # the mark of the last record
TOKEN_SECONDS = 12 * 3_600  # seconds; services take a day at most
KEY_BYTES = 32  # bytes of a secret key
SECRET_BYTES = 16  # bytes that a browser shares with whoever may write to it


def to_base64url(data: bytes) -> str:
    """Bytes as they stand in an address or a header."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """What such letters stand for; ValueError for others."""
    return urlsafe_b64decode(text.encode("ascii") + b"==")


def new_key() -> str:
    """The secret key of a server."""
    return to_base64url(
        ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(KEY_BYTES, "big")
    )


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class PushRecipient:
    """A browser, by what it has told of itself; ValueError if that is nonsense."""

    def __init__(self, key: str, auth: str) -> None:
        self.key: bytes = from_base64url(key)
        self.auth: bytes = from_base64url(auth)
        self._public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, self.key)
        if len(self.auth) != SECRET_BYTES:
            raise ValueError("A browser shares 16 bytes.")

    def encrypt(self, words: bytes) -> bytes:
        """A message that only this browser can read."""
        own = ec.generate_private_key(CURVE)
        here, salt = _point(own.public_key()), secrets.token_bytes(16)
        shared = own.exchange(ec.ECDH(), self._public)
        secret = _derived(shared, self.auth, b"WebPush: info\0" + self.key + here, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(here)]) + here
        return head + AESGCM(key).encrypt(nonce, words + LAST_RECORD, None)


class PushSender:
    """The server, which proves to services that it is the one the browser let write to it."""

    def __init__(self, key: str, contact: str) -> None:
        self.contact = contact
        number = from_base64url(key)
        if len(number) != KEY_BYTES:
            raise ValueError("A key has 32 bytes.")
        self._key = ec.derive_private_key(int.from_bytes(number, "big"), CURVE)
        self.public: str = to_base64url(_point(self._key.public_key()))

    def authorization(self, url: str) -> str:
        """What goes with a message to this address."""
        parts = urlsplit(url)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time()) + TOKEN_SECONDS,
            "sub": self.contact,
        }
        said = [{"typ": "JWT", "alg": "ES256"}, claims]
        signed = ".".join(to_base64url(msgspec.json.encode(part)) for part in said)
        signature = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        sealed = to_base64url(b"".join(number.to_bytes(32, "big") for number in signature))
        return f"vapid t={signed}.{sealed}, k={self.public}"
