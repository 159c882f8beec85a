"""Passkeys (WebAuthn): what a browser is asked, and whether its answer proves an account.

A challenge is signed for whoever asked for it, and the store remembers that it was answered.
"""

import asyncio
import hashlib
import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_hex
from time import time
from typing import Any, Literal

import msgspec

from highvoltage.rooms.problems import malformed
from highvoltage.rooms.rows import write_mark
from highvoltage.server.guard.budget import to_thread
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.guard.origin import Site
from highvoltage.server.messages import PasskeyAnswer, PasskeyOptions
from highvoltage.server.store import SqlStore
from highvoltage.server.store.passkeys import PasskeyRow

CHALLENGE_SECONDS = 300.0
"""For which a browser may answer."""
SITE_NAME = "High Voltage"
CREDENTIAL_ID = re.compile(r"[\w-]{1,1400}", re.ASCII)

Kind = Literal["create", "get"]


class Passkeys:
    """Asks browsers for passkeys and checks what they answer."""

    def __init__(self, store: SqlStore, secret: bytes) -> None:
        self._store = store
        self._secret = hashlib.sha256(b"highvoltage passkey" + secret).digest()

    async def ask_to_create(self, visitor: Visitor, site: Site, login: str) -> PasskeyOptions:
        """Options for a new passkey of an account with this login."""
        known = await self._store.passkeys.of(visitor.who)
        return await self._options("create", visitor, site, login, [row.id for row in known])

    async def ask_to_use(self, visitor: Visitor, site: Site) -> PasskeyOptions:
        """Options for the use of any passkey that the browser has for this site."""
        return await self._options("get", visitor, site)

    async def _options(
        self, kind: Kind, visitor: Visitor, site: Site, *given: Any
    ) -> PasskeyOptions:
        challenge = self._challenge(kind, visitor)
        work = _creation_options if kind == "create" else _request_options
        await asyncio.to_thread(_load)
        return PasskeyOptions(challenge, await to_thread(work, challenge, site, *given))

    async def created(
        self, visitor: Visitor, site: Site, answer: PasskeyAnswer, who: str, name: str
    ) -> PasskeyRow:
        """The new passkey that an answer proves, for an account."""
        await self._claim("create", visitor, answer)
        found = await to_thread(_verify_creation, answer, site)
        if found is None:
            raise malformed("bad_passkey")
        return PasskeyRow(_text(found[0]), who, name, _text(found[1]), found[2], time())

    async def used(self, visitor: Visitor, site: Site, answer: PasskeyAnswer) -> str:
        """Whose passkey an answer proves; its use is noted."""
        await self._claim("get", visitor, answer)
        named = str(answer.credential.get("id"))
        row = await self._store.passkeys.find(named) if CREDENTIAL_ID.fullmatch(named) else None
        signs = None if row is None else await to_thread(_verify_use, answer, site, row)
        if row is None or signs is None or not await self._store.passkeys.use(row, signs, time()):
            raise malformed("bad_passkey")
        return row.who

    def _challenge(self, kind: Kind, visitor: Visitor) -> str:
        until = time() + CHALLENGE_SECONDS
        content = msgspec.json.encode([kind, _session(visitor), until, token_hex(16)])
        return f"{_text(content)}.{_text(self._sign(content))}"

    async def _claim(self, kind: Kind, visitor: Visitor, answer: PasskeyAnswer) -> None:
        """Refuse an answer to what was not asked of this visitor lately, or was answered."""
        await asyncio.to_thread(_load)
        if not self._is_asked(kind, visitor, answer.challenge):
            raise malformed("bad_passkey")
        claim, mark = token_hex(8), write_mark(visitor.who, f"challenge {answer.challenge}")
        if claim != await self._store.write(lambda _: claim, mark):
            raise malformed("bad_passkey")

    def _is_asked(self, kind: Kind, visitor: Visitor, challenge: str) -> bool:
        content, _, signature = challenge.partition(".")
        try:
            signed = _bytes(content)
            if not hmac.compare_digest(self._sign(signed), _bytes(signature)):
                return False
            asked = msgspec.json.decode(signed, type=tuple[str, str, float, str])
        except (ValueError, msgspec.MsgspecError):
            return False
        return asked[:2] == (kind, _session(visitor)) and time() < asked[2]

    def _sign(self, content: bytes) -> bytes:
        return hmac.digest(self._secret, content, "sha256")


def _session(visitor: Visitor) -> str:
    """Stands for the cookie of a visitor."""
    return hashlib.sha256(f"{visitor.who} {visitor.login}".encode()).hexdigest()[:24]


def _load() -> None:
    """Load the library, which takes longer than all else, at nobody's expense."""
    import webauthn  # noqa: F401, PLC0415


def _creation_options(challenge: str, site: Site, login: str, known: list[str]) -> dict[str, Any]:
    from webauthn import generate_registration_options  # noqa: PLC0415
    from webauthn.helpers import options_to_json_dict, structs  # noqa: PLC0415

    options = generate_registration_options(
        rp_id=site.domain,
        rp_name=SITE_NAME,
        user_id=hashlib.sha256(f"highvoltage {login}".encode()).digest(),
        user_name=login,
        challenge=challenge.encode(),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(_bytes(each)) for each in known],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    found: dict[str, Any] = options_to_json_dict(options)
    return found


def _request_options(challenge: str, site: Site) -> dict[str, Any]:
    from webauthn import generate_authentication_options  # noqa: PLC0415
    from webauthn.helpers import options_to_json_dict  # noqa: PLC0415

    options = generate_authentication_options(rp_id=site.domain, challenge=challenge.encode())
    found: dict[str, Any] = options_to_json_dict(options)
    return found


def _verify_creation(answer: PasskeyAnswer, site: Site) -> tuple[bytes, bytes, int] | None:
    """Id, public key and count of a new passkey; None if the answer is none."""
    from webauthn import verify_registration_response  # noqa: PLC0415

    try:
        found = verify_registration_response(
            credential=answer.credential,
            expected_challenge=answer.challenge.encode(),
            expected_rp_id=site.domain,
            expected_origin=site.origins,
        )
    except Exception:  # noqa: BLE001  # a stranger's bytes: the library raises all kinds of errors
        return None
    return found.credential_id, found.credential_public_key, found.sign_count


def _verify_use(answer: PasskeyAnswer, site: Site, row: PasskeyRow) -> int | None:
    """The new count of a passkey; None if the answer does not prove it."""
    from webauthn import verify_authentication_response  # noqa: PLC0415

    try:
        found = verify_authentication_response(
            credential=answer.credential,
            expected_challenge=answer.challenge.encode(),
            expected_rp_id=site.domain,
            expected_origin=site.origins,
            credential_public_key=_bytes(row.key),
            credential_current_sign_count=row.signs,
        )
    except Exception:  # noqa: BLE001
        return None
    return found.new_sign_count


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
