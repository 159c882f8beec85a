"""Bodies of requests and answers about e-mail; see docs/protocol.md."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from highvoltage.server.config import MAX_ADDRESS

Language = Literal["en", "pl", "cs", "sr-Latn", "de"]


class MailChoice(Struct, forbid_unknown_fields=True):
    """Where you want word of your turns, in which language, and whether once a day."""

    address: Annotated[str, Meta(max_length=MAX_ADDRESS)]
    language: Language
    digest: bool = False


class MailInfo(Struct, frozen=True):
    """What is known of your address; `offered` says whether this server sends mail at all."""

    offered: bool
    address: str | None
    confirmed: bool
    digest: bool
