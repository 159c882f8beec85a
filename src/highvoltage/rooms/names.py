"""Names that cannot be confused: compared by how they look, not by their characters."""

# ruff: noqa: RUF001  # lookalike characters are the point here

import unicodedata
from collections.abc import Collection, Sequence

_LOOKALIKES = str.maketrans(
    "АВЕЗКМНОРСТУХІЈЅԚԜҺӀ" + "авекмнорстухіјѕԛԝһӏѵгпьԁ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "αβγεηικνορστυχω"  # Greek
    "ՕՍԼՏ" + "օսոհցզ"  # Armenian
    "łŁøØđĐıɡɑ01l",
    "ABE3KMHOPCTYXIJSQWhI" + "abekmhopctyxijsqwhivrnbd"
    "ABEZHIKMNOPTYX" + "abyenikvopotuxw"
    "OULS" + "ounhgq"
    "iioOdDigaoii",
)
"""Characters and the ones they look like; i, l and 1 in either case all become i."""


def lookalike_key(name: str) -> str:
    r"""A key that is the same for two names that are easily confused.

    >>> [lookalike_key(name) for name in ("\u0410nn", "ANN", "Ánn.", "Anna")]  # first: Cyrillic
    ['ann', 'ann', 'ann', 'anna']
    >>> lookalike_key("Bill") == lookalike_key("BI1L"), lookalike_key("rn") == lookalike_key("m")
    (True, True)
    """
    plain = (
        unicodedata.normalize("NFKD", name).translate(_LOOKALIKES).casefold().translate(_LOOKALIKES)
    )
    key = "".join(letter for letter in plain if letter.isalnum())
    return key.replace("rn", "m").replace("vv", "w") or name


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
