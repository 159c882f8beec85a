"""What only a server is asked, and answers: accounts, passkeys, pushes, published maps."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from highvoltage.rooms.messages import OneLine

Login = Annotated[str, Meta(pattern=r"^[a-z0-9_.-]{2,40}$(?!\n)")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
PasskeyName = Annotated[OneLine, Meta(min_length=1, max_length=40)]
PasskeyId = Annotated[str, Meta(pattern=r"^[\w-]{1,1400}$(?!\n)")]


# Bodies of requests


class Credentials(Struct):
    """An account."""

    login: Login
    password: Password


class PasskeyAnswer(Struct):
    """What a browser answers with a passkey: to which challenge, and the credential as JSON."""

    challenge: Annotated[str, Meta(max_length=500)]
    credential: dict[str, Any]


class OldPassword(Struct):
    """The password of your account or one of its passkeys, to confirm that it is you."""

    password: Annotated[str, Meta(max_length=200)] = ""
    passkey: PasskeyAnswer | None = None


class NewPassword(Struct):
    """The password of your account or one of its passkeys, and the new password."""

    new: Password
    old: Annotated[str, Meta(max_length=200)] = ""
    passkey: PasskeyAnswer | None = None


class PasskeyWish(Struct, forbid_unknown_fields=True):
    """What you want of your browser: a new passkey, for an account with this login, or its use."""

    kind: Literal["create", "get"]
    login: Login | None = None


class NewPasskey(Struct, forbid_unknown_fields=True):
    """A new passkey for your account, and the password or another passkey of it."""

    name: PasskeyName
    answer: PasskeyAnswer
    password: Annotated[str, Meta(max_length=200)] = ""
    passkey: PasskeyAnswer | None = None


class PasskeyAccount(Struct, forbid_unknown_fields=True):
    """An account that is made with a passkey instead of a password."""

    login: Login
    name: PasskeyName
    answer: PasskeyAnswer


class PasskeyRename(Struct, forbid_unknown_fields=True):
    """One of your passkeys, and its new name."""

    id: PasskeyId
    name: PasskeyName


class PasskeyRef(Struct, forbid_unknown_fields=True):
    """One of your passkeys."""

    id: PasskeyId


class NewLibraryMap(Struct, forbid_unknown_fields=True):
    """A map to publish under a licence; with `id`, as another version of one of yours."""

    map: dict[str, Any]
    licence: Literal["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"]
    id: Annotated[str, Meta(max_length=40)] | None = None


class Like(Struct, forbid_unknown_fields=True):
    """Whether you like a map."""

    liked: bool


class MapReport(Struct, forbid_unknown_fields=True):
    """What is wrong with a published map."""

    reason: Annotated[OneLine, Meta(max_length=300)]


class LanChoice(Struct, forbid_unknown_fields=True):
    """Whether the local network is let in."""

    open: bool


class Endpoint(Struct):
    """The URL that notifies a browser."""

    endpoint: Annotated[str, Meta(max_length=1000)]


class NewSubscription(Endpoint):
    """A browser to notify of your turns, and the keys to encrypt for it."""

    key: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


# Answers


class PasskeyOptions(Struct, frozen=True):
    """What a browser is to be asked for, as WebAuthn writes it, and the challenge to send back."""

    challenge: str
    options: dict[str, Any]


class PasskeyInfo(Struct, frozen=True):
    """One of your passkeys: when it was made, and when it was last used."""

    id: str
    name: str
    made: float
    used: float | None


class Passkeys(Struct, frozen=True):
    """How you sign in: whether your account has a password, and its passkeys."""

    password: bool
    passkeys: list[PasskeyInfo]


class MapPicture(Struct):
    """The thumbnail of a map: paths of its land and its connections, and its cities."""

    canvas: tuple[int, int]
    land: str
    wires: str
    dots: list[tuple[int, int]]


class LibraryMap(Struct):
    """A published map: `library:ID` as the map of a new table plays it.

    Whoever has finished a game on it may like it. `played` counts the games to the end.
    """

    id: str
    name: str
    author: str
    licence: str
    version: int
    at: float  # when this version was published
    cities: int
    regions: int
    ruled: bool  # it has special rules
    played: int
    likes: int
    liked: bool  # by you
    may_like: bool
    mine: bool
    picture: MapPicture


class LibraryMaps(Struct):
    """Some of the published maps that were looked for, and how many there are."""

    maps: list[LibraryMap]
    total: int
