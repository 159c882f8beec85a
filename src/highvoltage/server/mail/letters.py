"""The mails that are sent, each in the language of its reader.

A mail that confirms an address says nothing that somebody could choose: it may go to a stranger.
"""

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import format_datetime, localtime
from functools import cache
from urllib.parse import urlsplit

from highvoltage.server.mail.keys import MailKeys
from highvoltage.server.store.mails import AddressRow
from highvoltage.words import Message, render
from highvoltage.words.catalogue import HERE, read

WORDS = HERE / "letters"


class Letters:
    """Writes the mails of a site."""

    def __init__(self, sender: str, origin: str, keys: MailKeys) -> None:
        self._sender = sender
        self._origin = origin
        self._keys = keys

    def confirmation(self, to: AddressRow) -> EmailMessage:
        """Asks whoever reads it to confirm the address."""
        link = f"{self._origin}/mail#confirm={self._keys.confirming(to.key)}"
        letter_words = _words(to.language)
        text = letter_words("confirm", site=self._origin, link=link)
        return self._letter(to, "confirm", letter_words("confirm_subject"), text)

    def turn(self, to: AddressRow, game: str, turn: int, about: str) -> EmailMessage:
        """Says that it is the reader's turn at a table."""
        letter_words = _words(to.language)
        text = letter_words("turn", table=about, link=self._link(game))
        return self._letter(to, f"{game} {turn}", letter_words("turn_subject", table=about), text)

    def digest(self, to: AddressRow, day: int, tables: Sequence[tuple[str, str]]) -> EmailMessage:
        """Lists the tables, by id and name, at which it is the reader's turn."""
        letter_words = _words(to.language)
        lines = "\n".join(f"{about}\n{self._link(game)}\n" for game, about in tables)
        subject = letter_words("digest_subject", count=len(tables))
        return self._letter(to, f"digest {day}", subject, letter_words("digest", tables=lines))

    def _link(self, game: str) -> str:
        return f"{self._origin}/table/{game}"

    def _letter(self, to: AddressRow, about: str, subject: str, text: str) -> EmailMessage:
        ending = self._keys.ending(to.key)
        page = f"{self._origin}/mail#end={ending}"
        letter_words = _words(to.language)
        end = letter_words("end", site=self._origin, link=page)
        name = self._keys.message_id(to.key, about)
        letter = EmailMessage()
        letter["From"] = self._sender
        letter["To"] = to.address
        letter["Subject"] = subject
        letter["Date"] = format_datetime(localtime())
        letter["Message-ID"] = f"<{name}@{urlsplit(self._origin).hostname}>"
        letter["Auto-Submitted"] = "auto-generated"
        # RFC 8058: a mailbox ends it with a POST; whoever opens the address gets a page that asks
        letter["List-Unsubscribe"] = f"<{self._origin}/api/mail/end/{ending}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        letter.set_content(f"{text}\n\n-- \n{end}\n", cte="quoted-printable")
        return letter


def _words(language: str) -> Callable[..., str]:
    """Says the words of mails in a language."""
    texts = _texts(language)
    return lambda message, **values: render(texts[message], values, language)


@cache
def _texts(language: str) -> dict[str, Message]:
    return read(WORDS, language)
