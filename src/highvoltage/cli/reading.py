"""`highvoltage rules`: shows rulebooks and rules at the terminal."""

import os
import re
from itertools import groupby

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from highvoltage import rules
from highvoltage.cli.language import chosen_language
from highvoltage.engine.errors import OptionError
from highvoltage.rules import player
from highvoltage.words import say

LIKE_AN_ID = re.compile(r"[A-Za-z]{1,3}-[A-Za-z-]*\d[\d.]*[a-z]?")


def show_rulebooks(console: Console) -> None:
    """List the rulebooks."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in rules.rulebooks():
        table.add_row(Text(name, "bold"), rules.text(name).splitlines()[0].lstrip("# "))
    console.print(table)
    _add(console, say("terminal_rules_about"))


def show_query(
    console: Console,
    query: str,
    rulebook: str | None = None,
    *,
    language: str | None = None,
    exact: bool = False,
    command: str = "highvoltage rules",
) -> bool:
    """Show a rulebook, a rule by its id, or else what contains these words; False if nothing does.

    The text is the player's rulebook, or with `exact` the specification. If `rulebook` contains
    the words, the others are left out. `command` is what was typed before `query`.
    """
    chosen = chosen_language(language)
    if query in rules.rulebooks():
        show_book(console, query, chosen, exact=exact)
    elif LIKE_AN_ID.fullmatch(query.strip()):
        show_rule(console, query, chosen, exact=exact, command=f"{command} {query}")
    elif exact or not _show_passages(console, query, rulebook, chosen):
        return _show_found(console, query, rulebook)
    else:
        _add(console, say("terminal_exact_finds", command=f"{command} {query}"))
    return True


def show_book(console: Console, name: str, language: str, *, exact: bool) -> None:
    """The whole player's rulebook; the specification if `exact` is set or there is no other."""
    paragraphs = () if exact else player.read(name, language)
    _page(console, "\n\n".join(map(_to_markdown, paragraphs)) if paragraphs else rules.text(name))


def show_rule(
    console: Console, name: str, language: str | None = None, *, exact: bool, command: str
) -> None:
    """What the player's rulebook says about a rule, or the rule itself under its headings."""
    found = rules.rule(name)
    passages = [] if exact else player.passages_on(name, chosen_language(language))
    if passages:
        _print_passages(console, passages)
        _add(console, say("terminal_exact_shows", command=command, rule=found.id))
        return
    if not exact:
        _add(console, say("terminal_only_exact", rule=found.id))
    _add(console, ", ".join([found.rulebook, *found.path]))
    console.print(Markdown(found.text))


def show_summary(console: Console, name: str, language: str | None) -> None:
    """The last page of a player's rulebook: the summary to keep next to the table."""
    paragraphs = player.read(name, chosen_language(language))
    if not paragraphs:
        raise OptionError(say("terminal_no_summary", name=name))
    first = [each.key for each in paragraphs].index(player.SUMMARY)
    _page(console, "\n\n".join(map(_to_markdown, paragraphs[first:])))


def _show_passages(console: Console, words: str, rulebook: str | None, language: str) -> bool:
    everywhere = player.search(words, language)
    found = [each for each in everywhere if each.rulebook == rulebook] or everywhere
    _print_passages(console, found)
    return bool(found)


def _print_passages(console: Console, passages: list[player.Passage]) -> None:
    """Print passages under their rulebook and heading."""
    for (book, heading), group in groupby(passages, lambda each: (each.rulebook, each.heading)):
        _add(console, f"{book}, {heading}")
        console.print(Markdown("\n\n".join(_to_markdown(each.paragraph) for each in group)))
        console.print()


def _to_markdown(paragraph: player.Paragraph) -> str:
    """A paragraph for the terminal: the captions of pictures, and rule ids after the text."""
    text = player.PICTURE.sub(r"> \1", paragraph.text)
    if text.startswith("#"):
        return text
    separator = "\n\n" if text.startswith("|") else " "
    return f"{text}{separator}*({', '.join(paragraph.rules)})*"


def _add(console: Console, note: str) -> None:
    console.print(Text(note, "dim"))


def _page(console: Console, text: str) -> None:
    if not console.is_terminal:
        console.print(Markdown(text))
        return
    os.environ.setdefault("LESS", "-R")  # keeps colours
    with console.pager(styles=True):
        console.print(Markdown(text))


def _show_found(console: Console, words: str, rulebook: str | None) -> bool:
    """Show the rules that contain the words; False if there are none."""
    everywhere = rules.search(words)
    found = [rule for rule in everywhere if rule.rulebook == rulebook] or everywhere
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    for rule in found:
        table.add_row(rule.id, rule.title)
    console.print(table if found else say("terminal_no_rule_has", words=words))
    return bool(found)
