"""The rows about people."""

from typing import NamedTuple

from msgspec import Struct


class Subscription(Struct, frozen=True):
    """A browser to notify of turns, and the keys to encrypt for it."""

    endpoint: str
    who: str
    key: str
    auth: str
    origin: str
    at: float


class Account(Struct, frozen=True):
    """An identity with a login and a password."""

    login: str
    who: str
    name: str
    password: str


class Login(Struct, frozen=True):
    """A browser that is logged in to an account; its id is a hash of what is in the cookie."""

    id: str
    who: str
    at: float
    origin: str


class ProfileRow(Struct, frozen=True):
    """The handle of somebody, and whether others see more than that."""

    who: str
    handle: str
    public: bool


class ResultRow(Struct, frozen=True):
    """How a finished game went for one seat."""

    game: str
    seat: int
    who: str | None
    bot: str | None
    left: bool
    extra_seat: bool
    place: int
    rulebook: str
    board: str
    players: int
    plant: str
    city: str
    at: float
    seconds: float
    words: str
    rated_as: str | None = None
    mu: float | None = None
    sigma: float | None = None
    shown: bool = False  # the row by which everybody finds a game of a public table
    rounds: str | None = None
    margin: int | None = None
    tie_margin: int | None = None


class Ban(Struct, frozen=True):
    """Somebody who may only watch; with `address`, so may others from the same networks."""

    who: str
    at: float
    until: float | None = None  # None: until pardoned
    address: bool = False
    reason: str = ""

    def is_active(self, now: float) -> bool:
        return self.until is None or now < self.until


class BanList(NamedTuple):
    """All bans, by identity and by the hash of a network."""

    people: dict[str, Ban]
    origins: dict[str, list[Ban]]
