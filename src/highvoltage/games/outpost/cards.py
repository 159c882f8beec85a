"""The cards of Outpost, from the shipped file or an owner's own, O-13."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import CardsError
from highvoltage.games.cardfile import UNNAMED
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.files import (
    is_reconstructed,
    plain,
    read_file,
    read_items,
    repeated,
)

TWINS = 26  # labels distinguish them by a letter
STEP_3 = "step3"
TECHNOLOGY = "technology"
VALUES = {  # the values on a card of each kind, and their minimum
    "plant": {"workers": 0, "energy": 1},
    "habitat": {"places": 1},
}


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card of the file; `source` and `note` are for human readers."""

    id: str
    kind: Literal["plant", "habitat", "technology", "step3"]
    number: int | None
    back: Literal["plug", "socket"] | None
    workers: int = 0
    energy: int = 0
    places: int = 0
    technology: str = ""
    name: str = ""
    name_pl: str = ""
    effect: dict[str, Any] = {}
    copy: int = 1
    copies: int = 1
    source: Any = None
    note: str = ""


class Deck:
    """All cards, by their number in the engine. Immutable.

    >>> deck = shipped_cards()
    >>> deck.faces[326].places, deck.faces[deck.technologies["robots"][0]].name
    (3, 'Robots')
    """

    __slots__ = ("_by_back", "cards", "faces", "reconstructed", "technologies")

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards: tuple[Card, ...] = cards
        self.faces: dict[int, Card] = {}
        copies: Counter[int] = Counter()
        for card in cards:
            if card.number is not None:
                self.faces[card.number + 100 * copies[card.number]] = card
                copies[card.number] += 1
        self.technologies: dict[str, tuple[int, ...]] = {
            name: tuple(card for card, face in self.faces.items() if face.technology == name)
            for name in tables.TECHNOLOGIES
        }
        self.reconstructed: bool = any(is_reconstructed(card.source) for card in cards)
        self._by_back: dict[str | None, list[int]] = {}
        for number, face in self.faces.items():
            self._by_back.setdefault(face.back, []).append(number)

    def of_back(self, back: str) -> list[int]:
        return self._by_back.get(back, [])[:]


@cache
def shipped_cards() -> Deck:
    return read_cards(read_file(tables.DATA / "cards.json"), "the shipped cards")


def read_cards(data: Any, name: str = UNNAMED) -> Deck:
    """The deck in data of the card file format; CardsError lists every problem."""
    problems: list[str] = []
    cards = read_items(data, "cards", Card, "card", problems)
    for card in cards:
        problems += [f"card {card.id}: {plain(fault)}" for fault in card_faults(card)]
    if not problems:
        problems += deck_faults(cards)
    if problems:
        raise CardsError(name, problems)
    return Deck(cards)


def card_faults(card: Card) -> Iterator[str]:
    if card.kind == STEP_3:
        if card.number is not None or card.back is not None:
            yield "the Step 3 card has neither number nor back"
        return
    if card.number is None or not 1 <= card.number < LAST_CARD:
        yield f"number is {card.number}; it must be 1 to {LAST_CARD - 1}"
    if card.back is None:
        yield "back is missing: plug or socket"
    if card.back == tables.PLUG and card.number not in tables.PLUG_NUMBERS:
        yield f"a plug card is numbered 2 to 14, not {card.number}"
    yield from technology_faults(card) if card.kind == TECHNOLOGY else value_faults(card)


def value_faults(card: Card) -> Iterator[str]:
    if card.technology:
        yield f"a {card.kind} has no technology"
    for field in tables.MOON_BASE:
        value, least = getattr(card, field), VALUES[card.kind].get(field)
        if least is None and value:
            yield f"a {card.kind} has no {field}"
        elif least is not None and value < least:
            yield f"{field} is {value}; it must be {least} or more"


def technology_faults(card: Card) -> Iterator[str]:
    if card.technology not in tables.TECHNOLOGIES:
        yield f"technology is '{card.technology}'; known are {', '.join(tables.TECHNOLOGIES)}"
        return
    expected = tables.TECHNOLOGIES[card.technology]
    for field, value in expected.items():
        if card.effect.get(field, value) != value:
            yield f"effect {field} is {card.effect[field]}; the rules know {value} only"
    for field, value in tables.MOON_BASE.items():
        due = value if card.technology == "moon_base" else 0
        if getattr(card, field) != due:
            yield f"{field} is {getattr(card, field)}; it must be {due}"


def deck_faults(cards: tuple[Card, ...]) -> Iterator[str]:
    for name in repeated(card.id for card in cards):
        yield f"card {name}: the id stands more than once; give each card its own"
    kinds = Counter(card.kind for card in cards)
    for kind, count in tables.CARDS_OF_KIND.items():
        if kinds[kind] != count:  # type: ignore[index]  # a literal
            yield f"there are {kinds[kind]} cards of kind {kind}; it must be {count}"  # type: ignore[index]
    backs = Counter(card.back for card in cards)
    for back, count in tables.CARDS_OF_BACK.items():
        if backs[back] != count:  # type: ignore[index]
            yield f"there are {backs[back]} cards with the back {back}; it must be {count}"  # type: ignore[index]
    names = Counter(card.technology for card in cards)
    for name in tables.TECHNOLOGIES:
        count = tables.COLONIES if name == "colony" else 1
        if names[name] != count:
            yield f"there are {names[name]} cards with the technology {name}; it must be {count}"
    for number, count in Counter(card.number for card in cards).items():
        if count > TWINS:
            yield f"number {number} stands on {count} cards; {TWINS} is the most"
