"""Check message files: `python -m highvoltage.words.check [FOLDER]`.

Without a folder it checks ours. Other packages can check the folder that they register.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from json import JSONDecodeError, loads
from pathlib import Path
from typing import Any

from highvoltage.words import ENGLISH, LANGUAGES, Message
from highvoltage.words.catalogue import HERE, read

FORMS = {
    "en": ("one", "other"),
    "de": ("one", "other"),
    "pl": ("one", "few", "many", "other"),
    "cs": ("one", "few", "many", "other"),
    "sr-Latn": ("one", "few", "other"),
}
PLACEHOLDER = re.compile(r"{(\w+)}")

Orders = dict[str, dict[str, str]]
"""By language and id: the order of the values, where it differs from English."""


def faults(folder: Path) -> Iterator[str]:
    """All faults of the messages in a folder and its subfolders."""
    file = folder / "order.toml"
    orders: Orders = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    for part in sorted({file.parent for file in folder.rglob(f"{ENGLISH}.json")}):
        spoken = [each for each in LANGUAGES if folder == HERE or (part / f"{each}.json").exists()]
        doubled = [*_doubled(part, spoken)]
        yield from doubled
        for language in [] if doubled else spoken:
            texts, english = read(part, language), read(part, ENGLISH)
            yield from (f"{language} {name}: is missing" for name in english.keys() - texts.keys())
            for name, message in texts.items():
                order = orders.get(language, {}).get(name, "").split()
                for fault in faults_of(message, english.get(name), language, order):
                    yield f"{language} {name}: {fault}"


def _doubled(folder: Path, languages: list[str]) -> Iterator[str]:
    """Unreadable files, and ids that occur twice: JSON would silently take the last."""
    for language in languages:
        try:
            file = folder / f"{language}.json"
            pairs: list[tuple[str, Any]] = loads(file.read_text("utf-8"), object_pairs_hook=list)
        except (OSError, JSONDecodeError) as error:
            yield f"{language}: {error}"
        else:
            counts = Counter(name for name, _ in pairs)
            doubled = (name for name, count in counts.items() if count > 1)
            yield from (f"{language} {name}: stands there twice" for name in doubled)


def faults_of(
    message: Message, english: Message | None, language: str, order: list[str]
) -> Iterator[str]:
    """Faults of a message compared with its English; `order` is the order of its values."""
    if english is None:
        yield "is not in English"
    elif isinstance(message, str) != isinstance(english, str):
        yield "has plural forms in one language and none in the other"
    else:
        if not isinstance(message, str):
            yield from _plural_faults(message[0], language)
        wanted = order or values_in(texts_of(english)[-1])
        counted = {} if isinstance(message, str) else {0: _counted(message[0])}
        for at, text in enumerate(texts_of(message)):
            yield from _value_faults(text, wanted, counted.get(at, set()))


def _value_faults(text: str, wanted: list[str], may_lack: set[str]) -> Iterator[str]:
    """Values that are missing, unknown or in another order."""
    found = values_in(text)
    if not text.strip():
        yield "says nothing"
    elif {*found} - {*wanted} or {*wanted} - {*found} - may_lack:
        yield f"has the values {', '.join(found)}, and not {', '.join(wanted)}"
    elif found != [each for each in wanted if each in found]:
        yield f"has another order: {', '.join(found)} (if that is meant, name it in order.toml)"


def _plural_faults(variants: dict[str, Any], language: str) -> Iterator[str]:
    forms = tuple(name.partition("=")[2] for name in variants["match"])
    if forms != FORMS[language]:
        yield f"has the forms {', '.join(forms)}, and not {', '.join(FORMS[language])}"
    inputs = {*re.findall(r"input (\w+)", " ".join(variants["declarations"]))}
    used = {name for text in variants["match"].values() for name in values_in(text)}
    if inputs != used:
        yield f"declares {', '.join(sorted(inputs))} and uses {', '.join(sorted(used))}"


def _counted(variants: dict[str, Any]) -> set[str]:
    """The value whose number selects the form; the form for one may omit it."""
    return {*re.findall(r"local \w+ = (\w+): plural", " ".join(variants["declarations"]))}


def values_in(text: str) -> list[str]:
    """The values of a text in the order in which they first occur."""
    return [*dict.fromkeys(PLACEHOLDER.findall(text))]


def texts_of(message: Message) -> list[str]:
    """All forms of a message."""
    return [message] if isinstance(message, str) else list(message[0]["match"].values())


if __name__ == "__main__":
    found = [*faults(Path(sys.argv[1]) if sys.argv[1:] else HERE)]
    print("\n".join(found) or "Nothing is wrong.")  # noqa: T201
    sys.exit(bool(found))
