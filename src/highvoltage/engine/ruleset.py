"""The ruleset of one game: its numbers and rules, fixed before it begins.

A rulebook, a map, a number of players and options are resolved once into a `Ruleset`. It is checked
as a whole: an accepted ruleset can be played to its end. Everything else reads it: the engine, the
codec, the batched games, the bots, the terminal and the page.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from msgspec import Struct

Origin = Literal["rulebook", "map", "option"]


class Line(NamedTuple):
    """One line of a ruleset: a value as plain data, where it comes from, and the rule behind it."""

    name: str
    value: Any
    origin: Origin
    rule: str


class Chosen(Struct, frozen=True):
    """An option as it was chosen; `default` is the rulebook's own choice."""

    name: str
    value: Any
    default: Any
    rule: str

    @property
    def changed(self) -> bool:
        return bool(self.value != self.default)


class Ruleset(Struct, frozen=True, kw_only=True, eq=False):
    """Everything fixed before a game. Equal requests give equal rulesets.

    `numbers` are the rulebook's numbers for this many players, each with the rule behind it.
    """

    rulebook: str
    version: int
    players: int
    options: tuple[Chosen, ...]
    numbers: tuple[tuple[str, Any, str], ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[object, ...]:
        """The inputs that determine everything else."""
        options = tuple((each.name, repr(each.value)) for each in self.options)
        return self.rulebook, self.version, self.players, options

    def lines(self) -> Iterator[Line]:
        """Every value with its origin and its rule, for people to read."""
        for name, value, rule in self.numbers:
            yield Line(name, value, "rulebook", rule)
        for each in self.options:
            origin: Origin = "option" if each.changed else "rulebook"
            yield Line(each.name, each.value, origin, each.rule)

    def board(self) -> dict[str, Any] | None:
        """The board as it is played, as plain data in the form of a map file; None without one."""
        return None
