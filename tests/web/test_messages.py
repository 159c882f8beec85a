"""Every language says everything, with every value, in every form that its numbers need."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from highvoltage.engine.messages import REFUSALS
from highvoltage.views.reasons import REASONS

MESSAGES = Path(__file__).parents[2] / "web" / "messages"
FORMS = {
    "en": {"one", "other"},
    "de": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
    "cs": {"one", "few", "many", "other"},
    "sr-Latn": {"one", "few", "other"},
}
# What the table says no to, and not the rules.
OF_THE_TABLE = {"stale", "not_a_move", "no_undo", "not_running"}


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
