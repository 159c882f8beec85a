"""The rules as text in our own words, accessible rule by rule.

>>> rule("C-4.5.1").text
'**C-4.5.1** The winner pays the bid to the bank and takes the plant. (002, 003)'
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from textwrap import dedent, shorten
from typing import NamedTuple

from msgspec import Struct

from highvoltage import registry
from highvoltage.texts import RULE_TEXTS
from highvoltage.words import say

__all__ = [
    "Rule",
    "UnknownRule",
    "ids",
    "rule",
    "rulebooks",
    "search",
    "text",
    "text_path",
]

# A rule begins where its id opens bold type; a ruling may share the bold type of a rule or be
# inside the rule. A heading is a section, and so is an id in bold type that is only a title.
_ID = r"[A-Z]+-(?:[A-Z]+-?)?\d+(?:\.\d+)*[a-z]?"
_HEADING = re.compile(rf"(##+) ({_ID}|[A-Z](?:-[A-Z]+)?) (.+)")
_BOLD = re.compile(rf"\*\*((?:RULING )?{_ID}(?![-.]?\w)[^*]*)\*\*")
_NAME = re.compile(rf"(?:^|RULING ){_ID}|RULING")
_LINE_OPENING = re.compile(r"[\s>*|-]*")
_INLINE_MARKUP = re.compile(r"[*`]")
_BLOCK_MARKUP = re.compile(r"^[\s>#-]+|\\?\|", re.MULTILINE)

_LEAF = 99  # the level of vectors, invariants and rulings: they contain no other rules


class Rule(Struct, frozen=True):
    """One rule, or one section with its content; `path` names the enclosing sections.

    >>> rule("C-4.5.1").path
    ('C-4 Phase 2: auction', 'C-4.5 Taking the plant')
    """

    id: str
    rulebook: str
    path: tuple[str, ...]
    title: str
    text: str


class UnknownRule(LookupError):
    """No rule, or no rulebook, has this name.

    >>> raise UnknownRule("C-4.5.22", ["C-4.5.2"])
    Traceback (most recent call last):
    highvoltage.rules.UnknownRule: there is no C-4.5.22 in the rules; did you mean C-4.5.2?
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        by_small_letters = {each.casefold(): each for each in known}
        near = get_close_matches(name.casefold(), by_small_letters)
        self.near: tuple[str, ...] = tuple(by_small_letters[each] for each in near)
        near_ones = f" {say('terminal_or')} ".join(self.near)
        hint = f"; {say('terminal_did_you_mean', near=near_ones)}" if self.near else ""
        super().__init__(f"{say('terminal_no_rule', name=name)}{hint}")


@cache
def rulebooks() -> tuple[str, ...]:
    """Return the names of the rulebooks that have a text of their own.

    >>> {'atlas', 'classic', 'outpost'} <= {*rulebooks()}
    True
    """
    own = {path: name for name, path in reversed(_texts().items())}  # a text's first name counts
    return tuple(sorted(own.values()))


@cache
def _texts() -> dict[str, Path]:
    """The texts by name: ours, and those of other packages.

    A variant may share the text of the rulebook it is built on.
    """
    ours = {path.stem: path for path in RULE_TEXTS.glob("*.md")}
    editions = registry.loaded(registry.RULEBOOKS)
    return ours | {name: each.text for name, each in editions.items() if name not in ours}


def text_path(rulebook: str) -> Path:
    """Return the file with the text of a rulebook; UnknownRule if there is no such rulebook.

    >>> text_path("classic").name
    'classic.md'
    """
    if rulebook not in _texts():
        raise UnknownRule(rulebook, _texts())
    return _texts()[rulebook]


@cache
def text(rulebook: str) -> str:
    """Return the whole text of a rulebook, in Markdown.

    >>> text("classic").splitlines()[0]
    '# Power Grid, classic edition (2004): the rules'
    """
    return text_path(rulebook).read_text(encoding="utf-8")


def ids(rulebook: str) -> tuple[str, ...]:
    """Return the ids of the rules in a rulebook, in order; sections are not among them.

    >>> ids("recharged")[:3]
    ('R-0.1', 'R-0.2', 'R-1.1.1')
    """
    return tuple(entry.rule.id for entry in _entries(rulebook) if entry.words)


def rule(name: str) -> Rule:
    """Return the rule or the section with this id.

    >>> rule("C-1.1.4").title
    'The number of houses never limits building'
    >>> rule("C-3").text.splitlines()[0]
    '## C-3 The round and phase 1 (turn order)'
    >>> rule("C-4.5.12")
    Traceback (most recent call last):
    highvoltage.rules.UnknownRule: there is no C-4.5.12 in the rules; did you mean C-4.5.2 or ...?
    """
    known = _by_name()
    if found := known.get(name.strip().casefold()):
        return found
    raise UnknownRule(name, (each.id for each in known.values()))


def search(words: str) -> list[Rule]:
    """Return the rules that contain all the words, those with a word in the title first.

    >>> [found.id for found in search("Vienna garbage")]
    ['C-12.3.6', 'CV-14']
    """
    wanted = words.casefold().split()
    found = [
        entry.rule
        for rulebook in rulebooks()
        for entry in _entries(rulebook)
        if wanted and all(word in entry.words for word in wanted)
    ]
    return sorted(found, key=lambda each: not any(word in each.title.casefold() for word in wanted))


class _Mark(NamedTuple):
    """Where a rule or a section begins, and where its text begins; a heading has no text."""

    id: str
    level: int
    start: int
    body: int | None
    title: str


class _Entry(NamedTuple):
    """A rule with its words for a search, without those of the rules below it.

    A section has no words of its own.
    """

    rule: Rule
    words: str


@cache
def _by_name() -> dict[str, Rule]:
    rules = [entry.rule for rulebook in rulebooks() for entry in _entries(rulebook)]
    # A section that states a rule of its own repeats its id; the section comes first and wins.
    return {each.id.casefold(): each for each in reversed(rules)}


@cache
def _entries(rulebook: str) -> tuple[_Entry, ...]:
    source = text(rulebook)
    marks = list(_marks(source))
    sections: list[_Mark] = []
    entries = []
    for number, mark in enumerate(marks, 1):
        end = next((each.start for each in marks[number:] if each.level <= mark.level), len(source))
        below = next((each.start for each in marks[number:] if each.level < _LEAF), len(source))
        own = "" if mark.body is None else _plain(source[mark.body : min(below, end)])
        sections = [each for each in sections if each.level < mark.level]
        found = Rule(
            id=mark.id,
            rulebook=rulebook,
            path=tuple(f"{each.id} {each.title}" for each in sections),
            title=mark.title or shorten(own.partition(". ")[0], 72, placeholder=" …").rstrip("."),
            text=_excerpt(source, mark.start, end),
        )
        entries.append(_Entry(found, f"{found.title} {own}".casefold() if own else ""))
        if not own:
            sections.append(mark)
    return tuple(entries)


def _marks(source: str) -> Iterator[_Mark]:
    """Find the beginning of every rule and section."""
    start = 0
    around = 0
    in_code = False
    for line in source.splitlines(keepends=True):
        in_code ^= line.startswith("```")
        if not in_code and (heading := _HEADING.match(line)):
            around = 2 * len(heading[1]) - 3
            yield _Mark(heading[2], around, start, None, heading[3])
        elif not in_code:
            for bold in _BOLD.finditer(line):
                opens_line = _LINE_OPENING.fullmatch(line, 0, bold.start())
                title = _NAME.sub("", bold[1]).strip(" .")
                title = re.sub(r"^\((.*)\)$", r"\1", title)
                for name in re.findall(_ID, " ".join(_NAME.findall(bold[1]))):
                    begin = start if opens_line else start + bold.start()
                    yield _Mark(name, _level(name, around), begin, start + bold.end(), title)
        start += len(line)


def _level(name: str, around: int) -> int:
    """A rule's level is the length of its number, but always below the enclosing heading."""
    if not re.fullmatch(r"[A-Z]-[\d.]+", name):
        return _LEAF
    return max(2 * name.count(".") + 2, around + 1)


def _excerpt(source: str, start: int, end: int) -> str:
    lines = dedent(source[start:end]).strip()
    if lines.startswith("|"):  # the row of a table needs its head
        table = source.rindex("\n\n", 0, start) + 2
        lines = "\n".join([*source[table:start].splitlines()[:2], lines])
    return lines.removesuffix("---").rstrip()


def _plain(markdown: str) -> str:
    return " ".join(_BLOCK_MARKUP.sub(" ", _INLINE_MARKUP.sub("", markdown)).split())
