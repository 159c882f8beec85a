"""The card market: sorted cards face up, the lowest of them on offer, a deck behind them."""

from bisect import insort
from typing import Self

from highvoltage.engine.cards import LAST_CARD, number_of


class CardMarket:
    """Cards face up and the deck. `row` cards are on offer, the rest belongs to the future."""

    __slots__ = ("aside", "cards", "deck", "discount", "removed", "row", "slid")

    def __init__(self, cards: list[int], deck: list[int], aside: list[int], row: int) -> None:
        self.cards = sorted(cards, key=number_of)  # twins in the order they came
        self.deck = deck  # top first
        self.aside = aside  # removed unseen at set-up
        self.row = row
        self.removed: list[int] = []  # left the game face up
        self.slid: list[int] = []  # put under the deck; everybody has seen them
        self.discount: int | None = None  # the card that carries the discount token

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.cards = self.cards[:]
        new.deck = self.deck[:]
        new.aside = self.aside
        new.row = self.row
        new.removed = self.removed[:]
        new.slid = self.slid
        new.discount = self.discount
        return new

    @property
    def offer(self) -> list[int]:
        """The cards that may be nominated."""
        cards = self.cards[: self.row]
        return cards[:-1] if cards and cards[-1] == LAST_CARD else cards

    @property
    def future(self) -> list[int]:
        return self.cards[self.row :]

    @property
    def plants(self) -> list[int]:
        """All the cards face up, without the one that changes the game."""
        cards = self.cards
        return cards[:-1] if cards and cards[-1] == LAST_CARD else cards

    def turn_up(self) -> int:
        """The top card leaves the deck."""
        card = self.deck.pop(0)
        if card in self.slid:
            self.slid = [other for other in self.slid if other != card]
        return card

    def insert(self, card: int) -> None:
        insort(self.cards, card, key=number_of)

    def take(self, card: int) -> int:
        """The card on offer goes to a buyer; a discount token on it goes beside the market."""
        self.cards.remove(card)
        if card == self.discount:
            self.discount = None
        return card

    def remove(self, card: int) -> None:
        """The card leaves the game."""
        self.take(card)
        self.removed.append(card)

    def reject(self, card: int) -> None:
        """A card just turned up leaves the game at once and takes a discount token with it."""
        self.removed.append(card)
        self.discount = None

    def remove_lowest(self) -> int | None:
        """The lowest card leaves the game; nothing happens in an empty market."""
        if not self.plants:
            return None
        lowest = self.cards[0]
        self.remove(lowest)
        return lowest

    def slide_highest(self) -> int | None:
        """The highest card goes face down under the deck."""
        if not self.plants:
            return None
        highest = self.cards.pop()
        self.deck.append(highest)
        self.slid = [*self.slid, highest]
        return highest
