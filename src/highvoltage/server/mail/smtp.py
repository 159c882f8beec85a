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
        with self._connect() as smtp:
            self._smtp = smtp
            try:
                smtp.send_message(letter)
            finally:
                self._smtp = None

    def _connect(self) -> smtplib.SMTP:
        to = self._settings
        context = ssl.create_default_context()
        if to.security == "tls":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                to.host, to.port, timeout=TIMEOUT_SECONDS, context=context
            )
        else:
            smtp = smtplib.SMTP(to.host, to.port, timeout=TIMEOUT_SECONDS)
        try:
            if to.security == "starttls":
                smtp.starttls(context=context)
            if to.user:
                smtp.login(to.user, to.password)
        except BaseException:
            smtp.close()
            raise
        return smtp

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
