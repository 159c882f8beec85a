"""Everything that can be refused, each with what is wrong and how to mend it."""

from collections.abc import Sequence
from typing import Any

from highvoltage import words


class HighVoltageError(Exception):
    """Base of every error this package raises on purpose."""


class IllegalMove(HighVoltageError):
    """A move the rules refuse. The state is untouched.

    `code` is stable and short, `rule` the id of the rule that refuses, `values` what a sentence in
    any language needs. A rulebook of another package may have codes of its own, read as words where
    it brings none.

    >>> error = IllegalMove("bid_too_low", "C-4.4.1", {"minimum": 15})
    >>> print(error)
    The next bid is at least 15. (C-4.4.1)
    """

    def __init__(self, code: str, rule: str, values: dict[str, object], rulebook: str = "") -> None:
        self.code = code
        self.rule = rule
        self.values = values
        self.rulebook = rulebook
        super().__init__(code, rule, values, rulebook)

    def __str__(self) -> str:
        said = words.sentence(f"refused_{self.code}", self.code, self.values, self.rulebook)
        return f"{said} ({self.rule})"


class MoveSyntaxError(HighVoltageError):
    """A text that is no move in the notation."""


class OptionError(HighVoltageError):
    """A game was asked for that does not exist: unknown rulebook, map, option or player count."""


class ChanceError(HighVoltageError):
    """A script for chance does not fit the game."""


MAX_FAULTS = 50
"""So many faults of a file are told at once."""


class MapError(HighVoltageError):
    """A map that cannot be played, with the problems found in it, at most fifty."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems: tuple[str, ...] = tuple(problems[:MAX_FAULTS])
        super().__init__("\n".join([f"{source} is not a map that can be played:", *self.problems]))

    def __reduce__(self) -> tuple[type["MapError"], tuple[str, tuple[str, ...]]]:
        return type(self), (self.source, self.problems)


class MapWarning(UserWarning):
    """A map that can be played and is yet not what the rules lead one to expect."""


class CardsError(HighVoltageError):
    """A file of card faces that cannot be played, with the problems found in it, at most fifty."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems: tuple[str, ...] = tuple(problems[:MAX_FAULTS])
        super().__init__("\n".join([f"{source} is not a deck that can be played:", *self.problems]))

    def __reduce__(self) -> tuple[type["CardsError"], tuple[str, tuple[str, ...]]]:
        return type(self), (self.source, self.problems)


class CardsWarning(UserWarning):
    """Card faces that can be played and are yet not what the rules lead one to expect."""


class RecordError(HighVoltageError):
    """A record that is damaged or foreign, with the line (from 1) where it fails.

    `game` is the Game as far as it could be read; None if not even its beginning could.
    """

    def __init__(self, reason: str, line: int | None = None, game: Any = None) -> None:
        self.reason = reason
        self.line = line
        self.game = game
        super().__init__(f"line {line}: {reason}" if line else reason)

    def __reduce__(self) -> tuple[type["RecordError"], tuple[str, int | None]]:
        return type(self), (self.reason, self.line)
