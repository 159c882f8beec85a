"""The player's rulebooks: how to play, in everyday words, in five languages.

A player's rulebook is in the folder `players` next to the rules it explains, one file for each
language. Every paragraph has a key and names the rules that it explains:

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

from highvoltage.rules import rule, rulebooks, text_path
from highvoltage.texts import RULE_TEXTS
from highvoltage.words import LANGUAGES

__all__ = [
    "PICTURE",
    "SUMMARY",
    "Paragraph",
    "Passage",
    "passages_on",
    "picture",
    "read",
    "search",
]

SUMMARY = "summary"  # the key of the heading that begins the one-page summary

_MARK = re.compile(r"^<!-- ([a-z0-9-]+)(?:: (.+?))? -->\n", re.MULTILINE)
PICTURE = re.compile(r"!\[(.+)\]\(pictures/(.+\.svg)\)")


class Paragraph(Struct, frozen=True):
    """A paragraph, a heading, a table or a picture, in Markdown, and the rules it explains."""

    key: str
    rules: tuple[str, ...]
    text: str


class Passage(Struct, frozen=True):
    """A paragraph that is not a heading, with its rulebook and the heading above it."""

    rulebook: str
    heading: str
    paragraph: Paragraph


def read(rulebook: str, language: str) -> tuple[Paragraph, ...]:
    """Return the player's rulebook; empty if there is none, as for the atlas of further boards.

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
    """The paragraphs of the book, without the summary, which only repeats them."""
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


def passages_on(name: str, language: str) -> list[Passage]:
    """Return the passages on a rule or section; if there are none, those on the enclosing rule.

    Empty if the book does not cover it; UnknownRule if there is no such rule.

    >>> [passage.paragraph.key for passage in passages_on("C-4.5.1", "en")]
    ['auction-bid']
    >>> passages_on("CV-20", "en")
    []
    """
    wanted = rule(name)
    passages = _passages(wanted.rulebook, language)
    found = [
        each for each in passages if any(_within(id_, wanted.id) for id_ in each.paragraph.rules)
    ]
    around = wanted.id
    while not found and "." in around:
        around = around.rpartition(".")[0]
        found = [each for each in passages if around in each.paragraph.rules]
    return found


def _within(name: str, section: str) -> bool:
    return name == section or name.startswith(f"{section}.")


def search(words: str, language: str) -> list[Passage]:
    """Return the passages that contain all the words, in the text or its heading.

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
    folder = RULE_TEXTS / "players" / "pictures"
    return {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
