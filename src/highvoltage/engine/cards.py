"""Cards by number. A card is a small int: its number, plus 100 for every earlier twin.

>>> number_of(4), number_of(104), label(104), parse_card("4b")
(4, 4, '4b', 104)
"""

from functools import cache

LAST_CARD = 99
"""The card that changes the game ("Step 3"); it ranks above every number."""


def number_of(card: int) -> int:
    return card % 100


def rank_of(card: int) -> tuple[int, int]:
    """Sorts cards by number, twins side by side."""
    return card % 100, card


@cache
def label(card: int) -> str:
    """The name of a card in moves, events and views: a letter distinguishes twins.

    >>> label(13), label(102)
    ('13', '2b')
    """
    if card == LAST_CARD:
        return "step3"
    copy, number = divmod(card, 100)
    return f"{number}{chr(ord('a') + copy)}" if copy else str(number)


def parse_card(text: str) -> int:
    """The card with this label, as moves hold it; ValueError if there is none.

    >>> parse_card("13"), parse_card("2b")
    (13, 102)
    """
    if text == "step3":
        return LAST_CARD
    if text[-1:].isalpha() and text.isascii():
        return int(text[:-1]) + 100 * (ord(text[-1].lower()) - ord("a"))
    if not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return int(text)
