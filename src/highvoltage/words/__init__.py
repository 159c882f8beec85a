"""All texts shown to people: one catalogue of messages for the terminal and the page.

There is a file for each language next to this module. A message has an id, and its text may contain
values, named in braces; the page's build reads the same files.

>>> say("refused_bid_too_low", minimum=15)
'The next bid is at least 15.'
>>> say("deck_size", count=1), say("deck_size", count=22)
('1 card in the deck', '22 cards in the deck')
>>> with speaking("pl"):
...     say("deck_size", count=1), say("deck_size", count=22)
('1 karta w stosie', '22 karty w stosie')

Another package adds its own messages in the same format: a folder with such files, registered in
the group `highvoltage.words` of its entry points. Untranslated messages are shown in English.
"""

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
ENGLISH = "en"

Message = str | list[dict[str, Any]]
"""A sentence, or one for each plural form, as the page's compiler reads it."""

_spoken = ContextVar("spoken", default=ENGLISH)
# `re` compiles and keeps them when they are first used: most programs that load this never do.
_PLACEHOLDER = r"{(\w+)}"
_PLURAL = r"local (\w+) = (\w+): plural"


def spoken() -> str:
    """The current language of messages."""
    return _spoken.get()


def speak(language: str) -> None:
    """Set the language of messages."""
    _spoken.set(language)


class speaking:  # noqa: N801  # `with speaking("pl"):`
    """Use this language within a `with` block."""

    # `contextlib` would take a twentieth of the time to load this package.
    def __init__(self, language: str) -> None:
        self.language = language

    def __enter__(self) -> None:
        self.before = _spoken.set(self.language)

    def __exit__(self, *_: object) -> None:
        _spoken.reset(self.before)


def language_of(locale: str) -> str:
    """Our language for a locale; English if we have none for it.

    >>> language_of("pl_PL.UTF-8"), language_of("sr_RS@latin"), language_of("C")
    ('pl', 'sr-Latn', 'en')
    """
    wanted = re.split(r"[^a-z]", locale.casefold())[0]
    return next((each for each in LANGUAGES if each.split("-")[0] == wanted), ENGLISH)


def say(message: str, /, **values: object) -> str:
    """The text of a message with these values; KeyError if the id is unknown."""
    found = find(message, values)
    if found is None:
        raise KeyError(message)
    return found


def find(message: str, values: Mapping[str, object], rulebook: str = "") -> str | None:
    """The text of a message with these values, in a rulebook's own wording if it has one.

    >>> find("refused_already_there", {"city": "Essen"})
    'You already have a house in Essen.'
    >>> find("refused_already_there", {"city": "Essen"}, "outpost")
    'You already have a station in Essen.'
    """
    names = (f"{message}_{rulebook}", message) if rulebook else (message,)
    for name in names:
        for texts, language in _sources(spoken()):
            if (found := texts(language).get(name)) is not None:
                return render(found, values, language)
    return None


def label(message: str, code: str) -> str:
    """The message for a code, or the code itself as words.

    >>> label("phase_auction", "auction"), label("phase_siesta", "long_siesta")
    ('Auction', 'Long siesta')
    """
    return find(message, {}) or read_as_words(code)


def sentence(message: str, code: str, values: Mapping[str, object], rulebook: str = "") -> str:
    """The message for a code with the values, or the code itself as words, with the values.

    >>> sentence("hint_never_sleeps", "never_sleeps", {"cups": 3})
    'Never sleeps (cups 3).'
    """
    if (found := find(message, values, rulebook)) is not None:
        return found
    details = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())
    return f"{read_as_words(code)}{f' ({details})' if details else ''}."


def read_as_words(code: str) -> str:
    words = code.replace("_", " ").strip()
    return f"{words[:1].upper()}{words[1:]}"


def ids(prefix: str = "") -> list[str]:
    """The ids of all our messages with this prefix."""
    from highvoltage.words import catalogue  # noqa: PLC0415  # many programs show no message

    return [name for name in catalogue.own(ENGLISH) if name.startswith(prefix)]


def _sources(language: str) -> list[tuple[Callable[[str], dict[str, Message]], str]]:
    """Where to look for a message, and in which language, in order."""
    from highvoltage.words import catalogue  # noqa: PLC0415  # many programs show no message

    languages = dict.fromkeys((language, ENGLISH))
    return [(texts, each) for texts in (catalogue.own, catalogue.of_others) for each in languages]


# Rendering a message


def render(message: Message, values: Mapping[str, object], language: str) -> str:
    """A message with its values; a missing value shows as its name."""
    text = message if isinstance(message, str) else _form(message[0], values, language)
    return re.sub(_PLACEHOLDER, lambda found: str(values.get(found[1], found[0])), text)


def _form(variants: dict[str, Any], values: Mapping[str, object], language: str) -> str:
    """The variant for the numbers among the values; the last one if none matches."""
    held = {
        f"{name}={plural(values.get(value), language)}"
        for declared in variants["declarations"]
        for name, value in re.findall(_PLURAL, declared)
    }
    texts: dict[str, str] = variants["match"]
    fitting = (text for wanted, text in texts.items() if held >= {*wanted.split(", ")})
    return next(fitting, [*texts.values()][-1])


def plural(number: object, language: str) -> str:
    """The form that a number takes, by the rules of Unicode (CLDR).

    >>> [plural(count, "pl") for count in (1, 3, 5, 13, 22)]
    ['one', 'few', 'many', 'many', 'few']
    >>> [plural(count, "sr-Latn") for count in (1, 3, 5, 13, 21)]
    ['one', 'few', 'other', 'other', 'one']
    """
    try:
        count = int(str(number))
    except ValueError:
        return "other"
    return _FORMS[language](count)


def _slavic(count: int) -> bool:
    """Numbers that end in 2, 3 or 4, except the teens."""
    return count % 10 in {2, 3, 4} and count % 100 not in {12, 13, 14}


def _germanic(count: int) -> str:
    return "one" if count == 1 else "other"


def _polish(count: int) -> str:
    return "one" if count == 1 else "few" if _slavic(count) else "many"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if count in {2, 3, 4} else "other"


def _serbian(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if _slavic(count) else "other"


_FORMS: dict[str, Callable[[int], str]] = {
    "en": _germanic,
    "de": _germanic,
    "pl": _polish,
    "cs": _czech,
    "sr-Latn": _serbian,
}
