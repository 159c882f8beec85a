"""The rules on the terminal."""

import os
import re

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from highvoltage import rules
from highvoltage.engine.errors import OptionError
from highvoltage.rules import player

LIKE_AN_ID = re.compile(r"[A-Za-z]{1,3}-[A-Za-z-]*\d[\d.]*[a-z]?")


def show_rulebooks(console: Console) -> None:
    """What there is to read."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in rules.rulebooks():
        table.add_row(Text(name, "bold"), rules.text(name).splitlines()[0].lstrip("# "))
    console.print(table)
    console.print(
        Text(
            "highvoltage rules classic --player tells how it is played, highvoltage rules classic"
            " shows every rule of it, highvoltage rules C-4.5.2 a rule, highvoltage rules step 3"
            " finds those with these words.",
            "dim",
        )
    )


def show_asked(console: Console, asked: str, rulebook: str | None = None) -> bool:
    """A rulebook or a rule by its name, else the rules that have these words; False if none do.

    Where this rulebook has such rules, those of others are left out.
    """
    if asked in rules.rulebooks() or LIKE_AN_ID.fullmatch(asked.strip()):
        show_rule(console, asked)
        return True
    return show_found(console, asked, rulebook)


def show_rule(console: Console, name: str) -> None:
    """A whole rulebook, or a rule with the sections it stands in; UnknownRule if it is neither."""
    if name in rules.rulebooks():
        _page(console, rules.text(name))
        return
    found = rules.rule(name)
    console.print(Text(", ".join([found.rulebook, *found.path]), "dim"))
    console.print(Markdown(found.text))


def show_player(console: Console, name: str, language: str | None, *, summary: bool) -> None:
    """A player's rulebook, each paragraph with the rules that it tells; or its last page alone."""
    if language and language not in player.LANGUAGES:
        known = ", ".join(player.LANGUAGES)
        raise OptionError(f"there is no language '{language}'; choose from {known}")
    paragraphs = player.read(name, language or _spoken())
    if not paragraphs:
        raise OptionError(f"{name} has no player's rulebook; highvoltage rules {name} shows it all")
    if summary:
        first = [each.key for each in paragraphs].index(player.SUMMARY)
        paragraphs = paragraphs[first:]
    _page(console, "\n\n".join(_told(each) for each in paragraphs))


def _told(paragraph: player.Paragraph) -> str:
    """A paragraph for the terminal: pictures in words, and the rules behind the text."""
    text = player.PICTURE.sub(r"> \1", paragraph.text)
    if text.startswith("#"):
        return text
    apart = "\n\n" if text.startswith("|") else " "
    return f"{text}{apart}*({', '.join(paragraph.rules)})*"


def _spoken() -> str:
    """The language of the one who reads, by the variables that say so, first come first served."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return player.language_of(next(filter(None, named), ""))


def _page(console: Console, text: str) -> None:
    if not console.is_terminal:
        console.print(Markdown(text))
        return
    os.environ.setdefault("LESS", "-R")  # lets colours through
    with console.pager(styles=True):
        console.print(Markdown(text))


def show_found(console: Console, words: str, rulebook: str | None = None) -> bool:
    """The rules in which the words occur; False if there are none."""
    everywhere = rules.search(words)
    found = [rule for rule in everywhere if rule.rulebook == rulebook] or everywhere
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    for rule in found:
        table.add_row(rule.id, rule.title)
    console.print(table if found else f"No rule has all of these words: {words}")
    return bool(found)
