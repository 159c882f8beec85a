"""A mail server for tests, and the settings of a server that sends its mails there."""

import asyncio
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

from serving import PATIENCE

ORIGIN = "https://play.example.org"


class Mailbox:
    """Everything that arrives at a mail server."""

    def __init__(self) -> None:
        self.received: Queue[EmailMessage] = Queue()
        self.answer = "250 OK"
        self.settings = ""
        self.port = 0

    async def handle_RCPT(  # noqa: N802  # the name that aiosmtpd calls
        self, _: SMTP, __: Any, envelope: Envelope, address: str, ___: Any
    ) -> str:
        if self.answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, _: SMTP, __: Any, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, policy=default)
        assert [letter["To"]] == envelope.rcpt_tos
        self.received.put(letter)
        return "250 OK"

    def next(self) -> EmailMessage:
        return self.received.get(timeout=PATIENCE)


def _accept(_: SMTP, __: Any, ___: Any, ____: str, given: Any) -> AuthResult:
    return AuthResult(success=given == LoginPassword(b"play", b"hush"))


@contextmanager
def mail_server(security: str = "none", certificate: Path | None = None) -> Iterator[Mailbox]:
    """A mail server that runs meanwhile; with STARTTLS it also asks who sends."""
    box = Mailbox()
    opened: Queue[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    context: ssl.SSLContext | None = None
    options: dict[str, Any] = {}
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        if security == "starttls":
            options = {"tls_context": context, "require_starttls": True}
            options |= {"auth_required": True, "authenticator": _accept}

    async def serve() -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(
            lambda: SMTP(box, loop=loop, **options),
            "127.0.0.1",
            0,
            ssl=context if security == "tls" else None,
        )
        opened.put((server.sockets[0].getsockname()[1], loop, ended))
        await ended.wait()
        server.close()

    thread = Thread(target=asyncio.run, args=[serve()], daemon=True)  # a browser has this one
    thread.start()
    port, loop, ended = opened.get(timeout=PATIENCE)
    box.settings = (
        f'origin = "{ORIGIN}"\n[mail]\nhost = "127.0.0.1"\nport = {port}\n'
        f'security = "{security}"\nsender = "High Voltage <play@example.org>"\n'
    )
    box.port = port
    try:
        yield box
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(PATIENCE)


def key_in(letter: EmailMessage, kind: str) -> str:
    """What a link of a mail carries."""
    found = re.search(rf"{ORIGIN}/mail#{kind}=(\S+)", letter.get_content())
    assert found, letter.get_content()
    return found[1]
