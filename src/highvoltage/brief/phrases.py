"""Phrases that the parts of a brief share."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from highvoltage.views import View

Card = Mapping[str, Any]
THIRD = {"board": "the cartel", "cardgame": "the Bank", "outpost": "the Syndicate"}


def name_of(view: View, seat: int | None) -> str:
    """The name of a seat; that of the viewer is `you`, a negative seat is the automatic company."""
    if seat is None:
        return "nobody"
    if seat < 0:
        return THIRD.get(view["family"], "the third company")
    return "you" if seat == view["seat"] else str(view["names"][seat])


def names_of(view: View, seats: Iterable[int]) -> str:
    return ", ".join(name_of(view, seat) for seat in seats) or "nobody"


def count(number: int, one: str, many: str = "") -> str:
    """A number of things, in words.

    >>> count(1, "city", "cities"), count(2, "city", "cities"), count(3, "plant")
    ('1 city', '2 cities', '3 plants')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def plant(card: Card) -> str:
    """A plant: what one run burns, and what it yields.

    >>> plant({"card": "5", "fuels": ["coal", "oil"], "need": 2, "powers": 1})
    '5 (2 coal/oil: 1 city)'
    """
    burns = f"{card['need']} {'/'.join(card['fuels'])}" if card["fuels"] else "no fuel"
    if "income" in card:
        return f"{card['card']} ({burns}: income {card['income']})"
    return f"{card['card']} ({burns}: {count(card['powers'], 'city', 'cities')})"


def plants(cards: Iterable[Card]) -> str:
    return ", ".join(map(plant, cards)) or "none"


def amounts(fuel: Mapping[str, int]) -> str:
    """The fuels of which there are any.

    >>> amounts({"coal": 2, "oil": 0, "uranium": 1})
    '2 coal, 1 uranium'
    """
    return ", ".join(f"{number} {kind}" for kind, number in fuel.items() if number) or "none"


def runs(numbers: Iterable[int]) -> str:
    """Prices, each with how often it follows.

    >>> runs([3, 3, 4, 4, 4, 8])
    '3 x2, 4 x3, 8'
    """
    found = []
    for number, same in groupby(numbers):
        times = len(list(same))
        found.append(f"{number} x{times}" if times > 1 else f"{number}")
    return ", ".join(found) or "none left"


def money(player: Mapping[str, Any]) -> str:
    return "money hidden" if player["money"] is None else f"{player['money']} money"


def cheapest(prices: Mapping[str, int], shown: int) -> str:
    """What costs least, and how many others there are."""
    first = sorted(prices.items(), key=lambda each: (each[1], each[0]))
    text = ", ".join(f"{city} {price}" for city, price in first[:shown])
    return f"{text} and {len(first) - shown} dearer ones" if len(first) > shown else text
