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

from highvoltage.rules import FOLDER, rule, rulebooks, text_path
from highvoltage.words import LANGUAGES

__all__ = [
    "PICTURE",
    "SUMMARY",
    "Paragraph",
    "Passage",
    "picture",
    "read",
    "search",
    "telling",
]

SUMMARY = "summary"  # the key of the heading below which the page to lie beside a table begins

_MARK = re.compile(r"^<!-- ([a-z0-9-]+)(?:: (.+?))? -->\n", re.MULTILINE)
PICTURE = re.compile(r"!\[(.+)\]\(pictures/(.+\.svg)\)")


class Paragraph(Struct, frozen=True):
    """A paragraph, a heading, a table or a picture, in Markdown, and the rules that it tells."""

    key: str
    rules: tuple[str, ...]
    text: str


class Passage(Struct, frozen=True):
    """A paragraph that is no heading, with the book and the heading it stands under."""

    rulebook: str
    heading: str
    paragraph: Paragraph


def read(rulebook: str, language: str) -> tuple[Paragraph, ...]:
    """Return the player's rulebook; nothing where there is none, as for the further boards.

    >>> read("classic", "de")[0].text
    '# Funkenschlag (2004): so wird gespielt'
    >>> read("atlas", "de")
    ()
    """
    rules = text_path(rulebook)
    file = rules.parent / "players" / f"{rules.stem}.{language}.md"
    return _paragraphs(file) if language in LANGUAGES and file.exists() else ()


@cache
def _paragraphs(file: Path) -> tuple[Paragraph, ...]:
    marks = _MARK.split(file.read_text(encoding="utf-8"))[1:]
    return tuple(
        Paragraph(key, tuple(named.split(", ")) if named else (), text.strip())
        for key, named, text in zip(marks[::3], marks[1::3], marks[2::3], strict=True)
    )


def _passages(rulebook: str, language: str) -> list[Passage]:
    """The book paragraph by paragraph, up to the page to lie beside a table, which repeats it."""
    found = []
    heading = ""
    for paragraph in read(rulebook, language):
        if paragraph.key == SUMMARY:
            break
        if paragraph.text.startswith("#"):
            heading = paragraph.text.lstrip("# ")
        else:
            found.append(Passage(rulebook, heading, paragraph))
    return found


def telling(name: str, language: str) -> list[Passage]:
    """Return what tells a rule, or all that is in a section; else what tells the rule around it.

    Nothing where the book does not go into it; UnknownRule if there is no such rule.

    >>> [passage.paragraph.key for passage in telling("C-4.5.1", "en")]
    ['auction-bid']
    >>> telling("CV-20", "en")
    []
    """
    asked = rule(name)
    passages = _passages(asked.rulebook, language)
    found = [
        each for each in passages if any(_within(id_, asked.id) for id_ in each.paragraph.rules)
    ]
    around = asked.id
    while not found and "." in around:
        around = around.rpartition(".")[0]
        found = [each for each in passages if around in each.paragraph.rules]
    return found


def _within(name: str, section: str) -> bool:
    return name == section or name.startswith(f"{section}.")


def search(words: str, language: str) -> list[Passage]:
    """Return the passages in which all the words occur, in the text or its heading.

    >>> [passage.paragraph.key for passage in search("Wien", "de")]
    ['maps-europe']
    """
    wanted = words.casefold().split()
    return [
        each
        for rulebook in rulebooks()
        for each in _passages(rulebook, language)
        if all(word in f"{each.heading} {each.paragraph.text}".casefold() for word in wanted)
    ]


def picture(name: str) -> str | None:
    """Return a picture of our rulebooks by the name of its file, as SVG."""
    return _pictures().get(name)


@cache
def _pictures() -> dict[str, str]:
    folder = FOLDER / "players" / "pictures"
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
