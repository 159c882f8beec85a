"""An authenticator for tests: it makes passkeys and answers challenges as a browser with one."""

import hashlib
import json
from base64 import urlsafe_b64encode
from secrets import token_bytes
from typing import Any

from cbor2 import dumps
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from serving import Person

USER_PRESENT, USER_VERIFIED, NEW_KEY = 0x01, 0x04, 0x40


def text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


class Authenticator:
    """One passkey. What is wrong with its answers can be chosen."""

    def __init__(self) -> None:
        self.id = token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.signs = 0

    def _said(self, kind: str, person: Person, challenge: str, origin: str) -> bytes:
        said = {
            "type": f"webauthn.{kind}",
            "challenge": text(challenge.encode()),
            "origin": origin or str(person.base_url).rstrip("/"),
        }
        return json.dumps(said).encode()

    def _data(self, person: Person, flags: int, domain: str) -> bytes:
        self.signs += 1
        site = hashlib.sha256((domain or person.base_url.host).encode()).digest()
        return site + bytes([flags]) + self.signs.to_bytes(4, "big")

    def create(
        self, person: Person, challenge: str, *, origin: str = "", domain: str = ""
    ) -> dict[str, Any]:
        """The answer with a new passkey."""
        point = self.key.public_key().public_numbers()
        numbers = {-2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        public = dumps({1: 2, 3: -7, -1: 1, **numbers})
        data = self._data(person, USER_PRESENT | USER_VERIFIED | NEW_KEY, domain)
        data += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        response = {
            "clientDataJSON": text(self._said("create", person, challenge, origin)),
            "attestationObject": text(dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        }
        return self._answer(challenge, response)

    def get(
        self,
        person: Person,
        challenge: str,
        *,
        kind: str = "get",
        origin: str = "",
        domain: str = "",
        present: bool = True,
    ) -> dict[str, Any]:
        """The answer with this passkey."""
        said = self._said(kind, person, challenge, origin)
        data = self._data(person, USER_PRESENT if present else 0, domain)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        response = {
            "clientDataJSON": text(said),
            "authenticatorData": text(data),
            "signature": text(signature),
        }
        return self._answer(challenge, response)

    def _answer(self, challenge: str, response: dict[str, str]) -> dict[str, Any]:
        credential = {
            "id": text(self.id),
            "rawId": text(self.id),
            "type": "public-key",
            "response": response,
        }
        return {"challenge": challenge, "credential": credential}


def challenge_for(person: Person, kind: str, login: str | None = None) -> str:
    asked = {"kind": kind, "login": login}
    answer = person.post("/api/passkeys/options", json=asked)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["challenge"]
    return found


def make_account(person: Person, login: str) -> Authenticator:
    """A guest makes an account by a passkey alone."""
    made = Authenticator()
    answer = made.create(person, challenge_for(person, "create", login))
    body = {"login": login, "name": "Phone", "answer": answer}
    person.post("/api/passkeys/account", json=body).raise_for_status()
    return made


def log_in(person: Person, made: Authenticator, **wrong: Any) -> Any:
    answer = made.get(person, challenge_for(person, "get"), **wrong)
    return person.post("/api/passkeys/login", json=answer)
