"""What can be said of a rulebook without loading it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Option(Struct, frozen=True):
    """A choice made before the game: one of `choices` or, where allowed, a list of names."""

    name: str
    default: Any
    choices: tuple[Any, ...]
    about: str
    takes_list: bool = False


class Meta(Struct, frozen=True):
    """The cover of a rulebook."""

    name: str
    title: str
    about: str
    players: tuple[int, ...]
    maps: Mapping[str, str]  # name of a map in this rulebook: name of the shipped map file
    options: tuple[Option, ...]
