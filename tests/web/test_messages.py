"""Every language says everything, with every value, in every form that its numbers need."""

import json
import re
import tomllib
from fnmatch import filter as filter_names
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from msgspec import Struct

from highvoltage.engine.errors import CardsError, MapError, OptionError, RecordError
from highvoltage.engine.messages import REFUSALS
from highvoltage.engine.parts import mapform
from highvoltage.engine.parts.mapform import MapRules
from highvoltage.games import meta, rulebook
from highvoltage.views.reasons import REASONS
from ours import RULEBOOKS

WEB = Path(__file__).parents[2] / "web"
MESSAGES = WEB / "messages"
SERVER = WEB.parent / "src" / "highvoltage" / "server"
MAPS = SERVER.parent / "maps"
PLAYERS = WEB.parent / "docs" / "rules" / "players"
GLOSSARY = tomllib.loads((WEB / "glossary.toml").read_text())
ONLY: dict[str, list[str]] = GLOSSARY.pop("only")
FORMS = {
    "en": {"one", "other"},
    "de": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
    "cs": {"one", "few", "many", "other"},
    "sr-Latn": {"one", "few", "other"},
}
# What the table says no to, and not the rules.
OF_THE_TABLE = {"stale", "not_a_move", "no_undo", "not_running", "game_failed"}


def _texts(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MESSAGES / f"{language}.json").read_text())
    return found


ENGLISH = _texts("en")


def _forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text[0]["match"].values())


def _values(text: Any) -> set[str]:
    return {value for form in _forms(text) for value in re.findall(r"{(\w+)}", form)}


@pytest.mark.parametrize("language", FORMS)
def test_every_language_says_everything(language: str) -> None:
    texts = _texts(language)
    assert texts.keys() == ENGLISH.keys()
    assert [key for key in texts if _values(texts[key]) != _values(ENGLISH[key])] == []
    assert [key for key in texts if not all(form.strip() for form in _forms(texts[key]))] == []


@pytest.mark.parametrize("language", FORMS)
def test_numbers_have_all_their_forms(language: str) -> None:
    for key, text in _texts(language).items():
        assert isinstance(text, str) == isinstance(ENGLISH[key], str), key
        if not isinstance(text, str):
            forms = {name.partition("=")[2] for name in text[0]["match"]}
            assert forms == FORMS[language], key


def _inside(kind: type[Struct]) -> set[str]:
    """The fields of the values that a struct holds, at any depth."""
    found: set[str] = set()
    for each in get_type_hints(kind).values():
        for name in re.findall(r"mapform\.(\w+)", str(each)):
            if isinstance(inner := getattr(mapform, name), type) and issubclass(inner, Struct):
                found |= {*inner.__struct_fields__} | _inside(inner)
    return found


def test_all_that_a_table_is_played_by_has_a_name() -> None:
    lines = {
        line.name: line.name in {option.name for option in about.options}
        for about in (meta(name) for name in RULEBOOKS)
        for board in about.maps or [None]
        for line in rulebook(about.name, 3, board, {}).ruleset.lines()
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


def _words(text: Any) -> str:
    """All forms of a message, without the values that are put in."""
    return " | ".join(re.sub(r"{\w+}", "", form) for form in _forms(text))


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
@pytest.mark.parametrize("language", FORMS)
def test_one_word_stands_for_one_thing(language: str, term: str) -> None:
    texts = {key: _words(text) for key, text in _texts(language).items()}
    assert [key for key in texts if _wrong(texts[key], term, language, _rulebook(key))] == []
    named = [key for key in texts if re.search(rf"\b{term}s?\b", _words(ENGLISH[key]))]
    said = {key: _word(term, language, _rulebook(key))["is"] for key in named}
    free = GLOSSARY[term].get("free", [])
    unsaid = [key for key in named if not re.search(said[key], texts[key], re.IGNORECASE)]
    assert [key for key in unsaid if key not in free] == []


def test_a_message_of_one_rulebook_is_a_message() -> None:
    patterns = [pattern for patterns in ONLY.values() for pattern in patterns]
    assert [pattern for pattern in patterns if not filter_names(ENGLISH, pattern)] == []


@pytest.mark.parametrize("term", GLOSSARY)
@pytest.mark.parametrize("language", FORMS)
def test_maps_and_rulebooks_say_it_in_the_same_words(language: str, term: str) -> None:
    files = [json.loads(path.read_text()) for path in MAPS.glob("*.json")]
    told = {each["id"]: each["about"][language[:2]] for each in files if "about" in each}
    assert len(told) > 10
    assert [name for name, about in told.items() if _wrong(about, term, language)] == []
    books = {path.name.split(".")[0]: path.read_text() for path in PLAYERS.glob(f"*.{language}.md")}
    assert len(books) == 4
    if term != "you":  # a rulebook speaks to everybody at the table
        assert [name for name, text in books.items() if _wrong(text, term, language, name)] == []


def test_the_terminal_says_that_cities_are_powered() -> None:
    said = REFUSALS | REASONS
    assert [code for code, text in said.items() if _wrong(text, "power", "en")] == []


def test_what_the_server_will_not_do_is_told_in_every_language() -> None:
    server = "\n".join(path.read_text() for path in SERVER.rglob("*.py"))
    refusals = r'(?:not_yours|not_now|too_many|malformed)\(\s*f?"[^"]+",\s*"(\w+)"\s*\)'
    told = r'(?:_sorry\(\s*HTTPStatus\.\w+,|\b(?:Error|Problem)(?:Message)?\()\s*"(\w+)"'
    raised = (OptionError, MapError, CardsError, RecordError)
    named = {re.sub(r"(?<!^)(?=[A-Z])", "_", error.__name__).lower() for error in raised}
    codes = {*re.findall(refusals, server), *re.findall(told, server), *named}
    assert {"seat_taken", "no_bot", "no_rulebook", "malformed", "too_fast", "map_error"} <= codes
    assert {code for code in codes if f"problem_{code}" not in ENGLISH} == set()


COUNTED = "cities|workers|rounds|moves|cards|houses|beds|seats|games|decisions|robots|plants|units"


@pytest.mark.parametrize("sentences", [ENGLISH, REFUSALS], ids=["page", "refusals"])
def test_what_is_counted_is_right_for_one_too(sentences: dict[str, Any]) -> None:
    """A number before a plural needs forms, or words that fit every number."""
    plain = {key: text for key, text in sentences.items() if isinstance(text, str)}
    counted = re.compile(rf"{{(?!city|cards|name)\w+}} (?:more |free |seasonal )?(?:{COUNTED})\b")
    assert [key for key, text in plain.items() if counted.search(text)] == []


@pytest.mark.parametrize("language", sorted(FORMS.keys() - {"en"}))
def test_nothing_is_left_in_english(language: str) -> None:
    """Long texts are never the same in two languages."""
    texts = _texts(language)
    same = [key for key in texts if texts[key] == ENGLISH[key] and len(str(texts[key])) > 20]
    assert same == []


def test_every_refusal_and_every_reason_is_there() -> None:
    refusals = {f"refused_{code}" for code in REFUSALS.keys() | OF_THE_TABLE}
    reasons = {f"hint_{code}" for code in REASONS}
    assert refusals | reasons <= ENGLISH.keys()


def test_refusals_and_reasons_use_only_values_that_are_sent() -> None:
    for prefix, sentences in (("refused_", REFUSALS), ("hint_", REASONS)):
        for code, sentence in sentences.items():
            sent = set(re.findall(r"{(\w+)", sentence))
            assert _values(ENGLISH[f"{prefix}{code}"]) <= sent, code
