"""A mail server for tests, and the settings of a server that sends its mails there."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from queue import Queue
from threading import Thread
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope

from serving import PATIENCE

ORIGIN = "https://play.example.org"


class Mailbox:
    """Everything that arrives at a mail server."""

    def __init__(self) -> None:
        self.received: Queue[EmailMessage] = Queue()
        self.answer = "250 OK"
        self.settings = ""

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


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """A mail server that runs meanwhile."""
    box = Mailbox()
    opened: Queue[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    async def serve() -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(lambda: SMTP(box, loop=loop), "127.0.0.1", 0)
        opened.put((server.sockets[0].getsockname()[1], loop, ended))
        await ended.wait()
        server.close()

    thread = Thread(target=asyncio.run, args=[serve()], daemon=True)  # a browser has this one
    thread.start()
    port, loop, ended = opened.get(timeout=PATIENCE)
    box.settings = (
        f'origin = "{ORIGIN}"\n[mail]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
        'sender = "High Voltage <play@example.org>"\n'
    )
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
