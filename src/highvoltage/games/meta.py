"""What can be said of a rulebook without loading it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Option(Struct, frozen=True):
    """A choice made before the game.

    One of `choices` or, where allowed, a list of names, or a JSON file or what is in one.
    """

    name: str
    default: Any
    choices: tuple[Any, ...]
    about: str
    takes_list: bool = False
    takes_file: bool = False


CARDS = Option(
    "cards",
    default=None,
    choices=(None,),
    about="your own card faces: a file of the same form as the shipped one",
    takes_file=True,
)
DEMOLITION = Option(
    "demolition",
    default=False,
    choices=(False, True),
    about="the Demolition expansion: money for a plant that is given up",
)


class Meta(Struct, frozen=True):
    """The cover of a rulebook.

    `family` tells what kind of table it is played at: the tag of its views.
    `maps` are the names of its maps and of their files. The first is played on where none is named;
    map files that name the rulebook follow by themselves.
    """

    name: str
    title: str
    about: str
    family: str
    players: tuple[int, ...]
    maps: Mapping[str, str]
    options: tuple[Option, ...]
    version: int = 1  # the newest of its rules: a changed ruling raises it

    @property
    def versions(self) -> range:
        """All versions that can be played; a record names the one it was played by."""
        return range(1, self.version + 1)
