"""Names that nobody takes for another's: told apart by what they look like, not by letters."""

# ruff: noqa: RUF001  # that is what it is about

import unicodedata
from collections.abc import Collection, Sequence

_LOOKS = str.maketrans(
    "АВЕЗКМНОРСТУХІЈЅԚԜҺӀ" + "авекмнорстухіјѕԛԝһӏѵгпьԁ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "αβγεηικνορστυχω"  # Greek
    "ՕՍԼՏ" + "օսոհցզ"  # Armenian
    "łŁøØđĐıɡɑ01l",
    "ABE3KMHOPCTYXIJSQWhI" + "abekmhopctyxijsqwhivrnbd"
    "ABEZHIKMNOPTYX" + "abyenikvopotuxw"
    "OULS" + "ounhgq"
    "iioOdDigaoii",
)
"""Letters and what they look like; of i, l and 1 all are i, whatever their case."""


def lookalike_key(name: str) -> str:
    r"""What a name looks like at a glance; of two that are easily confused it is the same.

    >>> [lookalike_key(name) for name in ("\u0410nn", "ANN", "Ánn.", "Anna")]  # the first is Cyrillic
    ['ann', 'ann', 'ann', 'anna']
    >>> lookalike_key("Bill") == lookalike_key("BI1L"), lookalike_key("Bernd") == lookalike_key("Bemd")
    (True, True)
    """
    plain = unicodedata.normalize("NFKD", name).translate(_LOOKS).casefold().translate(_LOOKS)
    look = "".join(letter for letter in plain if letter.isalnum())
    return look.replace("rn", "m").replace("vv", "w") or name


def distinct_name(name: str, others: Collection[str]) -> str:
    """The name, with a number if it looks like one of the others.

    >>> distinct_name("Bob", ["Ann"]), distinct_name("aNN", ["Ann", "Ann 2"])
    ('Bob', 'aNN 3')
    """
    taken = {lookalike_key(other) for other in others}
    numbered = (name, *(f"{name} {n}" for n in range(2, len(others) + 2)))
    return next(each for each in numbered if lookalike_key(each) not in taken)


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names, with numbers where two look the same.

    >>> distinct_names(["Ann", "Clerk", "Clerk"])
    ['Ann', 'Clerk', 'Clerk 2']
    """
    found: list[str] = []
    for name in names:
        found.append(distinct_name(name, found))
    return found
