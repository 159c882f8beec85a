"""The person or program that makes a request."""

import secrets
from typing import NamedTuple

from msgspec import Struct


class Person(Struct):
    """An identity, and where the request comes from."""

    who: str
    name: str
    network: str = ""
    origin: str = ""  # a hash of that, to be stored


def new_guest() -> Person:
    """Somebody whom nobody knows yet."""
    return Person(secrets.token_urlsafe(12), f"Guest {secrets.randbelow(900) + 100}")


class Asker(NamedTuple):
    """Who waits for a turn: an identity within its address, on behalf of a table."""

    network: str
    who: str
    table: str = ""
    people: bool = True  # somebody plays at the table
