"""All errors. Each message says what is wrong and how to fix it."""

from collections.abc import Sequence
from typing import Any

from highvoltage import words


class HighVoltageError(Exception):
    """Base of every error this package raises on purpose."""


class IllegalMove(HighVoltageError):
    """A move the rules refuse. The state is untouched.

    `code` is short and stable, `rule` is the id of the rule that refuses the move, `values` fill
    the message in any language. A rulebook from another package may use codes of its own; a code
    without a message is shown as words.

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
        message = words.sentence(f"refused_{self.code}", self.code, self.values, self.rulebook)
        return f"{message} ({self.rule})"


class MoveSyntaxError(HighVoltageError):
    """A text that is not a move in the notation."""


class OptionError(HighVoltageError):
    """The requested game does not exist: unknown rulebook, map, option or player count."""


class ChanceError(HighVoltageError):
    """A script for chance does not fit the game."""


MAX_FAULTS = 50
"""The most faults of a file that one error lists."""


class MapError(HighVoltageError):
    """A map that cannot be played, with the problems found in it, at most fifty."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems: tuple[str, ...] = tuple(problems[:MAX_FAULTS])
        heading = words.say("terminal_bad_map", source=source)
        super().__init__("\n".join([heading, *self.problems]))

    def __reduce__(self) -> tuple[type["MapError"], tuple[str, tuple[str, ...]]]:
        return type(self), (self.source, self.problems)


class MapWarning(UserWarning):
    """A map that can be played but is unusual under the rules."""


class CardsError(HighVoltageError):
    """A file of card faces that cannot be played, with the problems found in it, at most fifty."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.source = source
        self.problems: tuple[str, ...] = tuple(problems[:MAX_FAULTS])
        super().__init__("\n".join([f"{source} is not a deck that can be played:", *self.problems]))

    def __reduce__(self) -> tuple[type["CardsError"], tuple[str, tuple[str, ...]]]:
        return type(self), (self.source, self.problems)


class CardsWarning(UserWarning):
    """Card faces that can be played but are unusual under the rules."""


class RecordError(HighVoltageError):
    """A record that is damaged or not ours, with the line (from 1) where it fails.

    `game` is the Game as far as it could be read; None if not even the set-up could.
    """

    def __init__(self, reason: str, line: int | None = None, game: Any = None) -> None:
        self.reason = reason
        self.line = line
        self.game = game
        super().__init__(f"line {line}: {reason}" if line else reason)

    def __reduce__(self) -> tuple[type["RecordError"], tuple[str, int | None]]:
        return type(self), (self.reason, self.line)
