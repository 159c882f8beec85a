"""The player's rulebooks: how a game is played, as players speak, in five languages.

A player's rulebook lies in the folder `players` beside the rules it explains, one file for each
language. Every paragraph has a key and names the rules that it tells:

>>> paragraph = read("classic", "en")[1]
>>> paragraph.key, paragraph.rules
('idea', ('C-3.1', 'C-10.2', 'C-10.6'))
>>> paragraph.text[:27]
'You run a power company. Ro'
"""

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

from highvoltage.rules import FOLDER, place

__all__ = ["LANGUAGES", "PICTURE", "SUMMARY", "Paragraph", "language_of", "picture", "read"]

LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
SUMMARY = "summary"  # the key of the heading below which the page to lie beside a table begins

_MARK = re.compile(r"^<!-- ([a-z0-9-]+)(?:: (.+?))? -->\n", re.MULTILINE)
PICTURE = re.compile(r"!\[(.+)\]\(pictures/(.+\.svg)\)")


class Paragraph(Struct, frozen=True):
    """A paragraph, a heading, a table or a picture, in Markdown, and the rules that it tells."""

    key: str
    rules: tuple[str, ...]
    text: str


def read(rulebook: str, language: str) -> tuple[Paragraph, ...]:
    """Return the player's rulebook; nothing where there is none, as for the further boards.

    >>> read("classic", "de")[0].text
    '# Funkenschlag (2004): so wird gespielt'
    >>> read("atlas", "de")
    ()
    """
    rules = place(rulebook)
    file = rules.parent / "players" / f"{rules.stem}.{language}.md"
    return _paragraphs(file) if language in LANGUAGES and file.exists() else ()


@cache
def _paragraphs(file: Path) -> tuple[Paragraph, ...]:
    marks = _MARK.split(file.read_text(encoding="utf-8"))[1:]
    return tuple(
        Paragraph(key, tuple(named.split(", ")) if named else (), text.strip())
        for key, named, text in zip(marks[::3], marks[1::3], marks[2::3], strict=True)
    )


def picture(name: str) -> str | None:
    """Return a picture of our rulebooks by the name of its file, as SVG."""
    return _pictures().get(name)


@cache
def _pictures() -> dict[str, str]:
    folder = FOLDER / "players" / "pictures"
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}


def language_of(locale: str) -> str:
    """Return the language of ours that a locale of the system asks for; English if it is none.

    >>> language_of("pl_PL.UTF-8"), language_of("sr_RS@latin"), language_of("C")
    ('pl', 'sr-Latn', 'en')
    """
    wanted = re.split(r"[^a-z]", locale.casefold())[0]
    return next((each for each in LANGUAGES if each.split("-")[0] == wanted), "en")
