"""The metadata of a rulebook, available without loading its rules."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from highvoltage import words
from highvoltage.engine.ruleset import Chosen
from highvoltage.entrypoints import resolve


class Option(Struct, frozen=True):
    """A choice made before the game.

    The value is one of `choices` or, where allowed, a list of names, or a JSON file or its content.
    `about` is the message `option_NAME`; a choice may have one too, `choice_NAME_CHOICE`.
    """

    name: str
    default: Any
    choices: tuple[Any, ...]
    about: str = ""
    rule: str = ""  # behind the choice
    takes_list: bool = False
    takes_file: bool = False


CARDS = Option(
    "cards",
    default=None,
    choices=(None,),
    takes_file=True,
)
DEMOLITION = Option(
    "demolition",
    default=False,
    choices=(False, True),
    rule="D-1",
)


class Meta(Struct, frozen=True):
    """The metadata of a rulebook.

    `family` is the tag of its views and decides how a game is displayed.
    `maps` maps the names of its maps to their files. The first is the default; map files that list
    the rulebook are added automatically. `title` and `about` are the messages `game_NAME` and
    `about_NAME`.
    """

    name: str
    family: str
    players: tuple[int, ...]
    maps: Mapping[str, str]
    options: tuple[Option, ...]
    first_opponent: str  # the bot for beginners, which can be beaten
    adviser: str = "engineer"  # the bot that gives hints where the judge cannot
    version: int = 1  # the newest of its rules: a changed ruling raises it
    title: str = ""
    about: str = ""

    def in_words(self) -> "Meta":
        """The same with its texts from the catalogue, in English."""
        with words.speaking(words.ENGLISH):
            options = (
                structs.replace(each, about=words.label(f"option_{each.name}", each.name))
                for each in self.options
            )
            return structs.replace(
                self,
                title=words.label(f"game_{self.name}", self.name),
                about=words.find(f"about_{self.name}", {}) or "",
                options=tuple(options),
            )

    def chosen(self, options: Mapping[str, Any]) -> tuple[Chosen, ...]:
        """The options of a game as they were chosen, each with its default and its rule."""
        return tuple(
            Chosen(each.name, options[each.name], each.default, each.rule) for each in self.options
        )

    @property
    def versions(self) -> range:
        """All versions that can be played; a record names the one it was played by."""
        return range(1, self.version + 1)

    def map(self, name: str | None = None) -> dict[str, Any]:
        """A map as plain data, by default the first: its regions, cities, connections.

        >>> import highvoltage as hv
        >>> usa = hv.games()["classic"].map("usa")
        >>> usa["regions"][:2], usa["cities"][0]["id"]
        (('northwest', 'southwest'), 'seattle')
        """
        edition = resolve("highvoltage.games:edition")(self.name)  # loads the rules
        found: dict[str, Any] = edition.rules.map_data(self, name)
        return found

    @property
    def chance_events(self) -> tuple[str, ...]:
        """The names of all random events, for `Scripted`."""
        edition = resolve("highvoltage.games:edition")(self.name)
        found: tuple[str, ...] = edition.rules.chance_events
        return found
