"""Encryption of push messages for one browser (RFC 8291), and sender proof (RFC 8292)."""

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
RECORD_BYTES = 4_096  # a message fits into one record
LAST_RECORD = b"\x02"  # marks the last record
TOKEN_SECONDS = 12 * 3_600  # push services accept a day at most
KEY_BYTES = 32  # of a secret key
SECRET_BYTES = 16  # shared by a browser with its sender


def to_base64url(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of base64url without padding; ValueError if it is invalid."""
    return urlsafe_b64decode(text.encode("ascii") + b"==")


def new_key() -> str:
    """A new secret key for a server."""
    return to_base64url(
        ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(KEY_BYTES, "big")
    )


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class PushRecipient:
    """A browser by the keys of its subscription; ValueError if they are invalid."""

    def __init__(self, key: str, auth: str) -> None:
        self.key: bytes = from_base64url(key)
        self.auth: bytes = from_base64url(auth)
        self._public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, self.key)
        if len(self.auth) != SECRET_BYTES:
            raise ValueError("A browser shares 16 bytes.")

    def encrypt(self, message: bytes) -> bytes:
        """A message that only this browser can read."""
        own = ec.generate_private_key(CURVE)
        here, salt = _point(own.public_key()), secrets.token_bytes(16)
        shared = own.exchange(ec.ECDH(), self._public)
        secret = _derived(shared, self.auth, b"WebPush: info\0" + self.key + here, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(here)]) + here
        return head + AESGCM(key).encrypt(nonce, message + LAST_RECORD, None)


class PushSender:
    """The server, which proves to push services that the browser subscribed to it."""

    def __init__(self, key: str, contact: str) -> None:
        self.contact = contact
        number = from_base64url(key)
        if len(number) != KEY_BYTES:
            raise ValueError("A key has 32 bytes.")
        self._key = ec.derive_private_key(int.from_bytes(number, "big"), CURVE)
        self.public: str = to_base64url(_point(self._key.public_key()))

    def authorization(self, url: str) -> str:
        """The Authorization header of a message to this URL."""
        parts = urlsplit(url)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time()) + TOKEN_SECONDS,
            "sub": self.contact,
        }
        parts_of_token = [{"typ": "JWT", "alg": "ES256"}, claims]
        signed = ".".join(to_base64url(msgspec.json.encode(part)) for part in parts_of_token)
        signature = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        encoded = to_base64url(b"".join(number.to_bytes(32, "big") for number in signature))
        return f"vapid t={signed}.{encoded}, k={self.public}"
