"""One catalogue: every message has one id, exists in five languages, and is used somewhere."""

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import filter as filter_names
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from msgspec import Struct

import highvoltage as hv
from highvoltage import words
from highvoltage.engine.errors import CardsError, MapError, OptionError, RecordError
from highvoltage.engine.parts import mapform
from highvoltage.engine.parts.mapform import MapRules
from highvoltage.games import editions, meta
from highvoltage.games import rulebook as rulebook_of
from highvoltage.games.meta import Option
from highvoltage.rooms.mapmaking import form
from highvoltage.rooms.problems import not_now, problem_for
from highvoltage.words import catalogue
from highvoltage.words.check import faults, faults_of, texts_of
from ours import RULEBOOKS

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "highvoltage"
PLAYERS = ROOT / "docs" / "rules" / "players"
GREENFIELD = ROOT / "tests" / "plugin" / "greenfield" / "words"
GLOSSARY = tomllib.loads((catalogue.HERE / "glossary.toml").read_text())
ONLY: dict[str, list[str]] = GLOSSARY.pop("only")
ENGLISH = catalogue.own("en")


def _said(language: str) -> dict[str, words.Message]:
    """All messages, with those of parts of the page, which only it says."""
    found = catalogue.own(language)
    parts = (
        ("lesson", "lessons"),
        ("maker", "maker"),
        ("cup", "cups"),
        ("friend", "friends"),
        ("account", "account"),
        ("letter", "letters"),
    )
    for kind, folder in parts:
        texts = catalogue.read(catalogue.HERE / folder, language)
        found = {**found, **{f"{kind}_{key}": text for key, text in texts.items()}}
    return found


ALL_ENGLISH = _said("en")


def _all(folder: Path, *endings: str) -> str:
    files = (file for ending in endings for file in folder.rglob(f"*{ending}"))
    return "\n".join(file.read_text() for file in files if "texts" not in file.parts)


PYTHON = _all(SOURCES, ".py")
PAGE = _all(ROOT / "web" / "src", ".ts", ".svelte")


# Complete


@pytest.mark.parametrize("folder", [catalogue.HERE, GREENFIELD], ids=["ours", "another package's"])
def test_nothing_is_wrong_with_the_catalogue(folder: Path) -> None:
    assert [*faults(folder)] == []


def _counted(*texts: str) -> list[dict[str, Any]]:
    names = ("one", "other") if len(texts) == 2 else ("one", "few", "many", "other")
    forms = dict(zip(names, texts, strict=True))
    match = {f"countPlural={form}": text for form, text in forms.items()}
    return [
        {
            "declarations": ["input count", "local countPlural = count: plural"],
            "selectors": ["countPlural"],
            "match": match,
        }
    ]


CARDS = _counted("{count} card", "{count} cards")


@pytest.mark.parametrize(
    ("said", "english", "language", "fault"),
    [
        ("Das Mindestgebot für {minimum} ist {card}.", "{card} is {minimum}.", "de", "order"),
        ("{card} za {minimum}.", "{minimum} for {card}.", "pl", "order"),
        ("Najniższa oferta to {minimum}.", "{card}: {minimum}", "pl", "values minimum"),
        ("{card}: {minimum}, {money}", "{card}: {minimum}", "pl", "values card, minimum, money"),
        (" ", "Pass", "pl", "nothing"),
        ("{count} Karten", CARDS, "de", "plural"),
        (_counted("{count} karta", "{count} karty"), CARDS, "pl", "the forms one, other"),
        (_counted("{count} Karte", "Karten"), CARDS, "de", "values"),
        ("Fold", None, "en", "not in English"),
    ],
)
def test_a_fault_is_noticed(said: Any, english: Any, language: str, fault: str) -> None:
    found = [*faults_of(said, english, language, [])]
    assert len(found) == 1
    assert fault in found[0]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        *((each, {"one": [1], "other": [0, 2, 11, 21, "1½"]}) for each in ("en", "de")),
        ("cs", {"one": [1], "few": [2, 3, 4], "other": [0, 5, 11, 12, 22]}),
        (
            "pl",
            {
                "one": [1],
                "few": [2, 3, 4, 22, 24, 102, 104],
                "many": [0, 5, 11, 12, 13, 14, 21, 25, 111, 112, 114],
            },
        ),
        (
            "sr-Latn",
            {
                "one": [1, 21, 101],
                "few": [2, 4, 22, 24, 102],
                "other": [0, 5, 11, 12, 14, 111, 112, 114, 1000],
            },
        ),
    ],
)
def test_numbers_take_the_forms_of_their_language(
    language: str, forms: dict[str, list[object]]
) -> None:
    for name, numbers in forms.items():
        assert {number: words.plural(number, language) for number in numbers} == dict.fromkeys(
            numbers, name
        )


def test_a_message_may_express_one_without_its_number() -> None:
    assert [*faults_of(_counted("eine Karte", "{count} Karten"), CARDS, "de", [])] == []


@pytest.mark.parametrize(
    ("english", "polish", "fault"),
    [
        ('{"pass": "Pass", "pass": "Fold"}', '{"pass": "Pas"}', "en pass: stands there twice"),
        ('{"pass": "Pass", "bid": "Bid"}', '{"pass": "Pas"}', "pl bid: is missing"),
        ('{"pass": "Pass"}', '{"pass": "Pas", "bid": "Bid"}', "pl bid: is not in English"),
        ('{"pass": "Pass"}', '{"pass": ', "pl: Expecting value"),
    ],
)
def test_a_fault_of_a_file_is_noticed(
    english: str, polish: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "en.json").write_text(english)
    (tmp_path / "pl.json").write_text(polish)
    found = [*faults(tmp_path)]
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_no_catalogue_is_read_before_the_first_message() -> None:
    code = (
        "import highvoltage; game = highvoltage.IllegalMove\n"
        "from highvoltage.words import catalogue\n"
        "assert catalogue.own.cache_info().currsize == 0\n"
        "assert 'at least 5' in str(game('bid_too_low', 'C-4.4.1', {'minimum': 5}))\n"
        "assert catalogue.own.cache_info().currsize == 1\n"
        "assert catalogue.of_others.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("language", [each for each in words.LANGUAGES if each != "en"])
def test_nothing_is_left_in_english(language: str) -> None:
    """Long texts are never the same in two languages."""
    texts = _said(language)
    same = [key for key in texts if texts[key] == ALL_ENGLISH[key] and len(str(texts[key])) > 20]
    assert same == []


COUNTED = "cities|workers|rounds|moves|cards|houses|beds|seats|games|decisions|robots|plants|units"


def test_what_is_counted_is_right_for_one_too() -> None:
    """A number before a plural needs forms, or words that fit every number."""
    plain = {key: text for key, text in ENGLISH.items() if isinstance(text, str)}
    counted = re.compile(rf"{{(?!city|cards|name)\w+}} (?:more |free |seasonal )?(?:{COUNTED})\b")
    assert [key for key, text in plain.items() if counted.search(text)] == []


# Used


BY_CODE = ("refused_", "hint_", "option_")
"""What follows such a prefix is a code in the Python sources."""
PREFIXES = {
    *re.findall(r"\btranslate(?:In)?\([^`()]*`(\w+_)\$\{", PAGE),
    *re.findall(r'\b(?:say|find|label|sentence)\(\s*f"(\w+_)\{', PYTHON),
}
LITERAL = set(re.findall(r"""["'`](\w+)["'`]""", PYTHON + PAGE))
USED = LITERAL | set(re.findall(r"\bm\.(\w+)", PAGE))
CODES = LITERAL | {f"card_{kind}" for kind in LITERAL}


def _is_used(name: str) -> bool:
    """Whether the page or the terminal uses a message, by its id or by a prefix of it."""
    ids = {name, *(name.removesuffix(f"_{rulebook}") for rulebook in RULEBOOKS)}
    rests = {(prefix, id_.removeprefix(prefix)) for id_ in ids for prefix in PREFIXES}
    return bool(ids & USED) or any(
        rest not in ids and (prefix not in BY_CODE or rest in CODES) for prefix, rest in rests
    )


def test_every_message_is_used_somewhere() -> None:
    assert set(BY_CODE) <= PREFIXES
    assert [name for name in ENGLISH if not _is_used(name)] == []


def test_every_message_that_is_used_exists() -> None:
    used = {
        *re.findall(r"\bm\.([a-z]\w*)\(", PAGE),
        *re.findall(r'\bsay\(\s*"(\w+)"', PYTHON),
    }
    assert used - ENGLISH.keys() == set()


def test_every_refusal_and_every_reason_has_its_words() -> None:
    refusals = {code for name in RULEBOOKS for code in editions()[name].rules.cites}
    refusals |= set(re.findall(r'\bRefused\(\s*"(\w+)"', PYTHON))
    sources = _all(SOURCES / "bots", ".py") + _all(SOURCES / "judge", ".py")
    reasons = set(re.findall(r'\bReason\(\s*"(\w+)"', sources))
    assert len(refusals) > 60
    assert len(reasons) > 28
    wanted = {f"refused_{code}" for code in refusals} | {f"hint_{code}" for code in reasons}
    assert wanted - ENGLISH.keys() == set()


def _without_words(option: Option) -> set[str]:
    """The messages missing to offer an option to people."""
    named = (choice for choice in option.choices if isinstance(choice, str))
    wanted = {f"option_{option.name}", *(f"choice_{option.name}_{choice}" for choice in named)}
    return wanted - ENGLISH.keys()


def test_every_rulebook_and_every_option_has_its_words() -> None:
    for rulebook in RULEBOOKS:
        assert {f"game_{rulebook}", f"about_{rulebook}"} <= ENGLISH.keys()
        for option in hv.games()[rulebook].options:
            assert _without_words(option) == set(), option.name
    new = Option("weather", default="fair", choices=("fair", "foul"))
    assert _without_words(new) == {"option_weather", "choice_weather_fair", "choice_weather_foul"}


def test_every_refusal_of_the_server_is_explained_in_every_language() -> None:
    server = "".join(_all(SOURCES / part, ".py") for part in ("rooms", "browser", "server"))
    refusals = r'(?:not_yours|not_now|too_many|malformed)\(\s*"(\w+)"'
    others = r'(?:_refused\(\s*HTTPStatus\.\w+,|\b(?:Error|Problem)(?:Message)?\()\s*"(\w+)"'
    ours = r'(?:(?:problem_for|sentence_for)\(\s*|    code = )["\'](\w+)["\']'
    raised = (OptionError, MapError, CardsError, RecordError)
    named = {re.sub(r"(?<!^)(?=[A-Z])", "_", error.__name__).lower() for error in raised}
    found = (code for each in (refusals, others, ours) for code in re.findall(each, server))
    codes = {*found, *named}
    assert {"seat_taken", "no_bot", "no_rulebook", "malformed", "too_fast", "map_error"} <= codes
    assert {"no_store", "storage_full", "storage_refused", "server_only"} <= codes
    assert {code for code in codes if f"problem_{code}" not in ENGLISH} == set()


def test_the_server_says_it_in_english_whatever_it_is_started_in() -> None:
    with words.speaking("pl"):
        assert not_now("seat_taken").problem.message == "That seat is taken."
        assert problem_for("too_fast").message == ENGLISH["problem_too_fast"]
        assert str(not_now("not_now", "The game is over.")) == "The game is over."


# One word for one thing


@cache
def _texts(language: str) -> dict[str, str]:
    return {key: _words(text) for key, text in _said(language).items()}


@cache
def _maps(language: str) -> dict[str, str]:
    files = [json.loads(path.read_text()) for path in (SOURCES / "maps").glob("*.json")]
    return {each["id"]: each["about"][language[:2]] for each in files if "about" in each}


def _words(message: Any) -> str:
    """All forms of a message, without the values that are inserted."""
    return " | ".join(re.sub(r"{\w+}", "", form) for form in texts_of(message))


@cache
def _rulebook(key: str) -> str:
    """The one rulebook that shows a message, if there is one."""
    return next((name for name, keys in ONLY.items() if any(map(partial(fnmatch, key), keys))), "")


def _word(term: str, language: str, rulebook: str) -> dict[str, Any]:
    entry = GLOSSARY[term]
    found: dict[str, Any] = entry.get("in", {}).get(rulebook, {}).get(language, entry[language])
    return found


def _wrong(text: str, term: str, language: str, rulebook: str = "") -> bool:
    never = _word(term, language, rulebook)["never"]
    return bool(never) and re.search("|".join(never), text) is not None


@pytest.mark.parametrize("term", GLOSSARY)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_one_word_stands_for_one_thing(language: str, term: str) -> None:
    texts = _texts(language)
    assert [key for key in texts if _wrong(texts[key], term, language, _rulebook(key))] == []
    english = _texts("en")
    named = [key for key in texts if re.search(rf"\b{term}s?\b", english[key])]
    expected = {key: _word(term, language, _rulebook(key))["is"] for key in named}
    free = GLOSSARY[term].get("free", [])
    unmatched = [key for key in named if not re.search(expected[key], texts[key], re.IGNORECASE)]
    assert [key for key in unmatched if key not in free] == []


def test_a_message_of_one_rulebook_is_a_message() -> None:
    patterns = [pattern for patterns in ONLY.values() for pattern in patterns]
    assert [pattern for pattern in patterns if not filter_names(ALL_ENGLISH, pattern)] == []


@pytest.mark.parametrize("term", GLOSSARY)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_maps_and_rulebooks_say_it_in_the_same_words(language: str, term: str) -> None:
    texts = _maps(language)
    assert len(texts) > 10
    assert [name for name, about in texts.items() if _wrong(about, term, language)] == []
    books = {path.name.split(".")[0]: path.read_text() for path in PLAYERS.glob(f"*.{language}.md")}
    assert len(books) == 4
    if term != "you":  # a rulebook addresses everybody at the table
        assert [name for name, text in books.items() if _wrong(text, term, language, name)] == []


def _inside(kind: type[Struct]) -> set[str]:
    """The fields of the values that a struct holds, at any depth."""
    found: set[str] = set()
    for each in get_type_hints(kind).values():
        for name in re.findall(r"mapform\.(\w+)", str(each)):
            if isinstance(inner := getattr(mapform, name), type) and issubclass(inner, Struct):
                found |= {*inner.__struct_fields__} | _inside(inner)
    return found


def test_every_rule_of_the_map_maker_says_what_it_does() -> None:
    texts = catalogue.read(catalogue.HERE / "maker", "en")
    assert {f"about_{field}" for field in form().rules} == {
        name for name in texts if name.startswith("about_")
    }


@pytest.mark.parametrize("folders", [["account"], ["cups"], ["friends", "history"]])
def test_parts_of_the_page_say_what_there_is_and_nothing_is_left(folders: list[str]) -> None:
    part = folders[0]
    page = "".join(_all(ROOT / "web" / "src" / "lib" / folder, ".svelte") for folder in folders)
    said = {*re.findall(r"\bsay\(\s*'(\w+)'", page), *re.findall(r"words: '(\w+)'", page)}
    assert said == {*catalogue.read(catalogue.HERE / part, "en")}


def test_mails_say_what_there_is_and_nothing_is_left() -> None:
    python = (SOURCES / "server" / "mail" / "letters.py").read_text()
    said = re.findall(r'\bletter_words\(\s*"(\w+)"', python)
    assert {*said} == {*catalogue.read(catalogue.HERE / "letters", "en")}


def test_every_field_of_a_ruleset_has_a_name() -> None:
    lines = {
        line.name: line.name in {option.name for option in about.options}
        for about in (meta(name) for name in RULEBOOKS)
        for board in about.maps or [None]
        for line in rulebook_of(about.name, 3, board, {}).ruleset.lines()
    }
    lines |= dict.fromkeys(MapRules.__struct_fields__, False)
    groups = ("ruleset_numbers", "ruleset_fuel", "ruleset_board")
    assert len(lines) > 30
    for name, is_option in lines.items():
        keys = [f"option_{name}"] if is_option else [f"{group}_{name}" for group in groups]
        assert len([key for key in keys if key in ENGLISH]) == 1, name
    fields = _inside(MapRules)
    assert {"below_step_3", "surcharge", "others", "spaces"} <= fields
    assert {field for field in fields if f"ruleset_field_{field}" not in ENGLISH} == set()
