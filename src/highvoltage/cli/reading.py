"""The rules on the terminal."""

import os

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from highvoltage import rules


def show_rulebooks(console: Console) -> None:
    """What there is to read."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in rules.rulebooks():
        table.add_row(Text(name, "bold"), rules.text(name).splitlines()[0].lstrip("# "))
    console.print(table)
    console.print(
        Text(
            "highvoltage rules classic shows a rulebook, highvoltage rules C-4.5.2 a rule,"
            " highvoltage rules --search 'step 3' finds some.",
            "dim",
        )
    )


def show_rule(console: Console, name: str) -> None:
    """A whole rulebook, or a rule with the sections it stands in; UnknownRule if it is neither."""
    if name in rules.rulebooks():
        text = Markdown(rules.text(name))
        if console.is_terminal:
            os.environ.setdefault("LESS", "-R")  # lets colours through
            with console.pager(styles=True):
                console.print(text)
        else:
            console.print(text)
        return
    found = rules.rule(name)
    console.print(Text(", ".join([found.rulebook, *found.path]), "dim"))
    console.print(Markdown(found.text))


def show_found(console: Console, words: str) -> bool:
    """The rules in which the words occur; False if there are none."""
    found = rules.search(words)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    for rule in found:
        table.add_row(rule.id, rule.title)
    console.print(table if found else f"No rule has all of these words: {words}")
    return bool(found)
