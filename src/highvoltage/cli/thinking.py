"""Shows at the terminal that a bot is thinking."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.text import Text


class Seconds:
    """The seconds since it was created, current whenever it is drawn."""

    def __init__(self) -> None:
        self._began: float = monotonic()

    def __rich__(self) -> Text:
        return Text(f"{monotonic() - self._began:.0f} s", "dim")


@contextmanager
def thinking(console: Console, bot: str) -> Iterator[None]:
    """Print who thinks and for how long; a terminal also counts the seconds.

    A bot without a budget does not search and answers at once.
    """
    level, _, budget = bot.partition(":")
    if not budget:
        yield
        return
    console.print(Text(f"The {level} thinks ahead, {how_long(budget)} …", "dim"))
    with console.status(Seconds()):
        yield


def how_long(budget: str) -> str:
    """The budget of a bot in words.

    >>> how_long("2s"), how_long("40")
    ('for up to 2s', 'at most 40 times, which takes a few seconds')
    """
    if budget.isdecimal():
        return f"at most {budget} times, which takes a few seconds"
    return f"for up to {budget}"
