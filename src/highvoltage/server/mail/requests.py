"""The address to which you are sent word of your turns."""

from math import ceil
from secrets import token_urlsafe
from time import time

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from highvoltage.rooms.messages import Key
from highvoltage.rooms.problems import malformed, not_found, too_many
from highvoltage.rooms.rate_limit import RateLimits
from highvoltage.server.config import is_address
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.mail.messages import MailChoice, MailInfo
from highvoltage.server.mail.sending import CONFIRM_SECONDS, DAY, Mail
from highvoltage.server.store import SqlStore
from highvoltage.server.store.mails import AddressRow

CONFIRMATIONS_OF_PERSON, CONFIRMATIONS_OF_NETWORK, CONFIRMATIONS_TO_MAILBOX = 5, 20, 3
"""Mails a day with which addresses are confirmed: a stranger may get them."""


class MailLimits:
    """How often people give an address."""

    def __init__(self) -> None:
        self.people = RateLimits(CONFIRMATIONS_OF_PERSON / DAY, CONFIRMATIONS_OF_PERSON)
        self.networks = RateLimits(CONFIRMATIONS_OF_NETWORK / DAY, CONFIRMATIONS_OF_NETWORK)

    def take(self, visitor: Visitor) -> None:
        """RequestRefused if this visitor has given too many."""
        for limit in (self.people.of(visitor.who), self.networks.of(visitor.network)):
            if limit.exceeded():
                raise too_many("many_mails", retry_after=ceil(limit.retry_after(1)))


class MailController(Controller):
    """Word of your turns by e-mail."""

    path = "/api/mail"
    tags: tuple[str] = ("identity",)

    @get("")
    async def mail_info(
        self, visitor: Given[Visitor], mail: Given[Mail | None], store: Given[SqlStore]
    ) -> MailInfo:
        """Your address, and whether this server sends mail."""
        return await _info(visitor, mail, store)

    @post("")
    async def choose_mail(
        self,
        data: JSONBody[MailChoice],
        visitor: Given[Visitor],
        mail: Given[Mail | None],
        mail_limits: Given[MailLimits],
        store: Given[SqlStore],
        mark: Given[str | None],
    ) -> MailInfo:
        """Give your address, which is sent a link that confirms it; or change how you get word."""
        if mail is None:
            raise not_found("mail server")
        if not is_address(data.address):
            raise malformed("no_address")
        known = await store.mails.address(visitor.who)
        if known is not None and known.confirmed is not None and known.address == data.address:
            await store.mails.choose(visitor.who, digest=data.digest, language=data.language)
            return await _info(visitor, mail, store)
        mail_limits.take(visitor)
        now, key = time(), token_urlsafe(12)
        row = AddressRow(
            visitor.who,
            data.address,
            mailbox_of(data.address),
            data.language,
            data.digest,
            key,
            now,
            mail.keys.proof(mail.keys.confirming(key)),
            due=now,
        )
        if not await store.mails.give(row, CONFIRMATIONS_TO_MAILBOX, now - DAY, mark):
            raise too_many("many_mails", retry_after=ceil(DAY))
        mail.look_soon()
        return await _info(visitor, mail, store)

    @post("/confirm")
    async def confirm_mail(
        self,
        data: JSONBody[Key],
        mail: Given[Mail | None],
        store: Given[SqlStore],
        mark: Given[str | None],
    ) -> None:
        """Confirm the address whose mail has this key; it works once."""
        now = time()
        if mail is None or not await store.mails.confirm(
            mail.keys.proof(data.key), now, now - CONFIRM_SECONDS, mark
        ):
            raise malformed("bad_link")

    @post("/end")
    async def end_mail(
        self, visitor: Given[Visitor], mail: Given[Mail | None], store: Given[SqlStore]
    ) -> MailInfo:
        """Forget your address."""
        await store.mails.end(who=visitor.who)
        return await _info(visitor, mail, store)

    @post("/end/{key:str}")
    async def end_mail_by_key(
        self, key: FromPath[str], mail: Given[Mail | None], store: Given[SqlStore]
    ) -> None:
        """Forget the address whose mails have this key, as mailboxes ask for it (RFC 8058)."""
        known = None if mail is None else mail.keys.read_ending(key)
        if known is None:
            raise malformed("bad_link")
        await store.mails.end(key=known)

    @get("/end/{key:str}")
    async def show_end(self, key: FromPath[str], mail: Given[Mail | None]) -> Redirect:
        """Lead whoever opens that address to the page that asks; this changes nothing."""
        if mail is None or mail.keys.read_ending(key) is None:
            raise malformed("bad_link")
        return Redirect(f"/mail#end={key}")


def mailbox_of(address: str) -> str:
    """The same for addresses that lead to the same mailbox, as far as one can tell.

    >>> mailbox_of("Ann+games@Example.org")
    'ann@example.org'
    """
    name, _, domain = address.casefold().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


async def _info(visitor: Visitor, mail: Mail | None, store: SqlStore) -> MailInfo:
    known = None if mail is None else await store.mails.address(visitor.who)
    if known is None:
        return MailInfo(offered=mail is not None, address=None, confirmed=False, digest=False)
    return MailInfo(
        offered=True,
        address=known.address,
        confirmed=known.confirmed is not None,
        digest=known.digest,
    )
