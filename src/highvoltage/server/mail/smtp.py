"""Hands mails to the operator's mail server."""

import smtplib
import socket
import ssl
from contextlib import suppress
from email.message import EmailMessage
from http import HTTPStatus

from highvoltage.server.config import MailSettings

TIMEOUT_SECONDS = 10


class SmtpSender:
    """Sends one mail at a time over a connection of its own; it blocks meanwhile."""

    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        self._smtp: smtplib.SMTP | None = None

    def send(self, letter: EmailMessage) -> None:
        """OSError if the mail server does not take it, of which `smtplib`'s errors are kinds."""
        to, context = self._settings, ssl.create_default_context()
        smtp = self._smtp = self._connect(context)
        try:
            if to.security == "starttls":
                smtp.starttls(context=context)
            if to.user:
                smtp.login(to.user, to.password)
            smtp.send_message(letter)
            with suppress(OSError):  # it was taken already
                smtp.quit()
        finally:
            self._smtp = None
            smtp.close()

    def _connect(self, context: ssl.SSLContext) -> smtplib.SMTP:
        to = self._settings
        if to.security == "tls":
            return smtplib.SMTP_SSL(to.host, to.port, timeout=TIMEOUT_SECONDS, context=context)
        return smtplib.SMTP(to.host, to.port, timeout=TIMEOUT_SECONDS)

    def abort(self) -> None:
        """Let whoever waits for an answer wait no longer."""
        sock = self._smtp.sock if self._smtp is not None else None
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def is_final(error: OSError) -> bool:
    """Whether the mail server says that it will never take a mail to this address."""
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return False
    return all(code >= HTTPStatus.INTERNAL_SERVER_ERROR for code, _ in error.recipients.values())
