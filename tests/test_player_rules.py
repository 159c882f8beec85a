"""The player's rulebooks: the same in every language, and true to the rules that they name."""

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest

from highvoltage import rules
from highvoltage.engine.parts.board import known_maps
from highvoltage.engine.parts.mapform import REGIONS_IN_PLAY
from highvoltage.games import edition
from highvoltage.games.cardgame import tables as cardgame
from highvoltage.games.classic import tables as classic
from highvoltage.games.outpost import tables as outpost
from highvoltage.games.recharged import tables as recharged
from highvoltage.rules import player
from highvoltage.rules.player import Paragraph
from highvoltage.texts import RULE_TEXTS
from highvoltage.words import LANGUAGES

BOOKS = [name for name in rules.rulebooks() if player.read(name, "en")]
OTHERS = [language for language in LANGUAGES if language != "en"]
PICTURES = RULE_TEXTS / "players" / "pictures"


def is_heading(paragraph: Paragraph) -> bool:
    return paragraph.text.startswith("#")


def pictures(paragraph: Paragraph) -> list[str]:
    return [name for _, name in player.PICTURE.findall(paragraph.text)]


def kind(paragraph: Paragraph) -> str:
    found = re.match(r"#+ |!|\|", paragraph.text)
    return found[0] if found else "text"


def words(paragraphs: Sequence[Paragraph]) -> int:
    return sum(len(re.findall(r"\w+", each.text)) for each in paragraphs)


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def test_each_of_our_games_has_a_players_rulebook() -> None:
    assert BOOKS == ["cardgame", "classic", "outpost", "recharged"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_paragraphs(book: str, language: str) -> None:
    english, other = player.read(book, "en"), player.read(book, language)
    assert [each.key for each in other] == [each.key for each in english]
    assert [each.rules for each in other] == [each.rules for each in english]
    assert [kind(each) for each in other] == [kind(each) for each in english]
    assert [pictures(each) for each in other] == [pictures(each) for each in english]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_the_same_numbers(book: str, language: str) -> None:
    pairs = zip(player.read(book, "en"), player.read(book, language), strict=True)
    assert [
        (one.key, numbers(one.text), numbers(other.text))
        for one, other in pairs
        if numbers(one.text) != numbers(other.text)
    ] == []


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(book: str, language: str) -> None:
    pairs = zip(player.read(book, "en"), player.read(book, language), strict=True)
    assert [one.key for one, other in pairs if one.text == other.text] == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_names_rules_that_exist(book: str) -> None:
    paragraphs = player.read(book, "en")
    assert len({each.key for each in paragraphs}) == len(paragraphs)
    for each in paragraphs[1:]:
        assert each.rules, each.key
        for name in each.rules:
            assert rules.rule(name).id == name


UNEXPLAINED = {"C-8.2.7", "K-1.2", "O-7.3.11"}
"""Rules of rare refusals, which only the specification explains."""


def test_whatever_is_refused_is_explained() -> None:
    cited = {id_ for book in BOOKS for id_ in edition(book).rules.cites.values()}
    assert {id_ for id_ in cited if not player.passages_on(id_, "en")} == UNEXPLAINED


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_short_and_its_summary_fills_one_page(book: str, language: str) -> None:
    paragraphs = player.read(book, language)
    assert [each.text[:2] for each in paragraphs].count("# ") == 1
    assert paragraphs[0].text.startswith("# ")
    keys = [each.key for each in paragraphs]
    summary = paragraphs[keys.index(player.SUMMARY) :]
    assert [each.key for each in summary if is_heading(each)] == [player.SUMMARY, "players"]
    assert words(summary) <= 480
    assert words(paragraphs) <= 2600


def test_every_picture_is_shown_and_is_a_drawing_without_words() -> None:
    shown = {name for book in BOOKS for each in player.read(book, "en") for name in pictures(each)}
    assert shown == {file.name for file in PICTURES.iterdir()}
    for name in shown:
        source = player.picture(name)
        assert source is not None
        drawing = ET.fromstring(source)
        assert {tag.tag.rpartition("}")[2] for tag in drawing.iter()} <= {
            *("svg", "defs", "g", "path", "rect", "circle", "clipPath", "use", "text")
        }
    assert player.picture("../classic.en.md") is None


def refill(book: str, key: str = "players-refill-table") -> dict[int, tuple[tuple[int, ...], ...]]:
    """By number of players, for each Step: how much of each kind is added."""
    found = {}
    for players, *counts in rows(book, key):
        kinds = [counts[i : i + 3] for i in range(0, len(counts), 3)]
        found[players] = tuple(zip(*kinds, strict=True))
    return found


def rows(book: str, key: str) -> list[list[int]]:
    """The numbers of a table, row by row."""
    (found,) = [each for each in player.read(book, "en") if each.key == key]
    lines = [line for line in found.text.splitlines() if re.search(r"\d", line)]
    return [[int(number) for number in re.findall(r"\d+", line)] for line in lines]


def test_the_tables_of_the_2004_edition_match_its_rules() -> None:
    cities, pay, more, paid = rows("classic", "bureaucracy-table")
    assert dict(zip(cities + more, pay + paid, strict=True)) == dict(enumerate(classic.PAYMENT))
    players, regions, removed, owned, (_, *step_2), end = rows("classic", "players-table")
    assert dict(zip(players, regions, strict=True)) == REGIONS_IN_PLAY
    assert dict(zip(players, removed, strict=True)) == classic.PLANTS_REMOVED
    assert dict(zip(players, owned, strict=True)) == classic.PLANT_LIMIT
    assert dict(zip(players, step_2, strict=True)) == classic.STEP_2_CITIES
    assert dict(zip(players, end, strict=True)) == classic.END_CITIES
    assert refill("classic") == classic.REFILL
    europe = json.loads(known_maps()["central_europe"].path.read_text("utf-8"))["rules"]["refill"]
    assert refill("classic", "maps-europe-table") == {
        int(players): tuple(zip(*(kinds[fuel] for fuel in classic.FUELS), strict=True))
        for players, kinds in europe.items()
    }


def test_the_tables_of_recharged_match_its_rules() -> None:
    cities, pay, more, paid = rows("recharged", "bureaucracy-table")
    assert dict(zip(cities + more, pay + paid, strict=True)) == dict(enumerate(classic.PAYMENT))
    players, regions, plugs, sockets, (_, *step_2), end = rows("recharged", "players-table")
    assert dict(zip(players, regions, strict=True)) == REGIONS_IN_PLAY
    assert dict(zip(players, plugs, strict=True)) == recharged.PLUGS_REMOVED
    assert dict(zip(players, sockets, strict=True)) == recharged.SOCKETS_REMOVED
    assert dict(zip(players, step_2, strict=True)) == recharged.STEP_2_CITIES
    assert dict(zip(players, end, strict=True)) == recharged.END_CITIES
    assert refill("recharged") == classic.REFILL


def test_the_table_of_the_card_game_matches_its_rules() -> None:
    players, small, large, column = rows("cardgame", "players-table")
    assert dict(zip(players, small, strict=True)) == cardgame.SMALL_REMOVED
    assert dict(zip(players, large, strict=True)) == cardgame.LARGE_REMOVED
    assert dict(zip(players, column, strict=True)) == cardgame.COLUMN_SIZE


def test_the_tables_of_outpost_match_its_rules() -> None:
    cities, pay, more, paid = rows("outpost", "bureaucracy-table")
    assert dict(zip(cities + more, pay + paid, strict=True)) == dict(enumerate(outpost.PAYMENT))
    players, areas, workers, plugs, sockets, (_, *step_2), end = rows("outpost", "players-table")
    assert dict(zip(players, areas, strict=True)) == outpost.SMALL_AREAS
    assert dict(zip(players, workers, strict=True)) == outpost.WORKERS_IN_SECTOR
    removed = zip(plugs, sockets, strict=True)
    assert dict(zip(players, removed, strict=True)) == {
        count: (each["plug"], each["socket"]) for count, each in outpost.REMOVED.items()
    }
    assert dict(zip(players, step_2, strict=True)) == outpost.STEP_2_CITIES
    assert dict(zip(players, end, strict=True)) == outpost.END_CITIES
