"""Shows at the terminal that a bot is thinking."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.text import Text

from highvoltage.words import label, say


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
    console.print(Text(about_to_think(label(f"bot_{level}", level), budget), "dim"))
    with console.status(Seconds()):
        yield


def about_to_think(bot: str, budget: str) -> str:
    """That a bot thinks, with its budget in words.

    >>> about_to_think("Director", "2s")
    'The Director thinks ahead for up to 2s …'
    """
    if budget.isdecimal():
        return say("terminal_thinks_times", bot=bot, count=budget)
    return say("terminal_thinks_for", bot=bot, time=budget)
