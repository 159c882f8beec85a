"""Bodies of requests and answers about people who know each other; see docs/protocol.md."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from highvoltage.rooms.messages import TableInfo
from highvoltage.server.people.messages import HANDLE, ShortText

Handle = Annotated[str, Meta(pattern=rf"^{HANDLE}$(?!\n)")]
ContactKind = Literal["followed", "blocked"]


class ContactChoice(Struct, forbid_unknown_fields=True):
    """Whom you follow or block from now on; null: neither."""

    handle: Handle
    kind: ContactKind | None


class Contact(Struct, frozen=True):
    """Somebody whom you follow or block.

    `table` is the public table at which they wait or play now: of people whom you follow, whose
    profile is public and who do not block you.
    """

    handle: str
    kind: ContactKind
    table: TableInfo | None


class NewInvitation(Struct, forbid_unknown_fields=True):
    """Whom you invite to a table of yours with an open seat."""

    table: ShortText
    handle: Handle


class Invitation(Struct, frozen=True):
    """A table to which somebody has invited you; joining it accepts."""

    by: str
    at: float
    table: TableInfo


class DeclinedInvitation(Struct, forbid_unknown_fields=True):
    """The table to which you do not come."""

    table: ShortText
