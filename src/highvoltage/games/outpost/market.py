"""The card market of Outpost: stacks of equal numbers, and discount tokens, O-5.

`cards` holds the top card of every place, `row` is the number of places in the current row. The
cards below a top card and the tokens on it are stored by top card, so that they move with it.
"""

from bisect import insort
from typing import Self

from highvoltage.engine.cards import LAST_CARD, number_of
from highvoltage.engine.parts.market import CardMarket
from highvoltage.games.outpost import tables


class StackMarket(CardMarket):
    """The top cards are on offer; the current row shows no number twice.

    >>> market = StackMarket([5, 9, 3, 105, 12, 7, 11, 14], deck=[2, 20], aside=[])
    >>> market.offer, market.future
    ([3, 105, 7, 9], [11, 12, 14])
    >>> market.below
    {105: (5,)}
    """

    __slots__ = ("below", "room", "tokens")

    def __init__(self, cards: list[int], deck: list[int], aside: list[int]) -> None:
        super().__init__([], deck, aside, 0)
        self.room: int = tables.PLACES
        # Both are replaced, never changed, so a copy may share them.
        self.below: dict[int, tuple[int, ...]] = {}  # top card: the cards under it, lowest first
        self.tokens: dict[int, tuple[int, ...]] = {}  # top card: the discount tokens on it
        for card in sorted(cards, key=number_of):  # O-2.10
            if self.row and self.equal(self.cards[self.row - 1], card):
                self.stack(self.row - 1, card)
            else:
                self.cards.append(card)
                self.row += self.row < tables.CURRENT_SIZE

    def copy(self) -> Self:
        new = super().copy()
        new.below = self.below
        new.room = self.room
        new.tokens = self.tokens
        return new

    @staticmethod
    def equal(one: int, two: int) -> bool:
        return number_of(one) == number_of(two)

    @property
    def one_row(self) -> bool:
        """Whether the market is one row, as in Step 3, O-9.3.4."""
        return self.room < tables.PLACES

    def discount_on(self, card: int) -> int:
        return sum(self.tokens.get(card, ()))

    def minimum(self, card: int) -> int:
        """The lowest bid for a top card, O-6.4."""
        tokens = self.tokens.get(card)
        return max(tables.LOWEST_BID, number_of(card) - sum(tokens)) if tokens else number_of(card)

    def top(self, card: int) -> int:
        """The top card of the place with this number; the card itself if there is none."""
        return next((top for top in self.cards if self.equal(top, card)), card)

    def place_of(self, card: int) -> int | None:
        """The place where a card lies, on top or below."""
        for at, top in enumerate(self.cards):
            if top == card or card in self.below.get(top, ()):
                return at
        return None

    # Leaving, O-5.3

    def take(self, card: int) -> int:
        return self.pop(self.cards.index(card))

    def pop(self, at: int) -> int:
        """Remove the top card of a place; the tokens on it leave the game."""
        card = self.cards[at]
        if card in self.tokens:
            self.tokens = {top: tokens for top, tokens in self.tokens.items() if top != card}
        if card not in self.below:
            del self.cards[at]
            self.row -= at < self.row
            return card
        below = {**self.below}
        *rest, top = below.pop(card)
        if rest:
            below[top] = tuple(rest)
        self.below = below
        self.cards[at] = top
        return card

    def remove_top(self, at: int) -> int:
        """The top card of a place leaves the game."""
        card = self.pop(at)
        self.removed.append(card)
        return card

    def remove_lowest(self) -> int | None:
        return self.remove_top(0) if self.plants else None

    def slide_highest(self) -> int | None:
        if not self.plants:
            return None
        highest = self.pop(len(self.cards) - 1)
        self.deck.append(highest)
        self.slid: list[int] = [*self.slid, highest]
        return highest

    # Arriving, O-5.4 and O-5.5

    def stack(self, at: int, card: int) -> None:
        """Put a card, with the cards below it and its tokens, on top of a place."""
        top = self.cards[at]
        below, tokens = {**self.below}, {**self.tokens}
        below[card] = (*below.pop(top, ()), top, *below.pop(card, ()))
        if united := tokens.pop(top, ()) + tokens.pop(card, ()):
            tokens[card] = united
        self.cards[at], self.below, self.tokens = card, below, tokens

    def insert(self, card: int) -> None:
        """Insert a drawn card: it joins a stack or takes a new place."""
        number = number_of(card)
        for at, top in enumerate(self.cards):
            if number_of(top) == number and (at < self.row or top in self.below):
                self.stack(at, card)
                return
        joins = self._joins_current(number)
        insort(self.cards, card, key=number_of)
        self.row += joins
        self.rebalance()

    def _joins_current(self, number: int) -> bool:
        row, cards = self.row, self.cards
        if self.one_row or (row and number < number_of(cards[row - 1])):
            return True
        return row < tables.CURRENT_SIZE and (row == len(cards) or number < number_of(cards[row]))

    def rebalance(self) -> None:
        """Restore the four places of the current row; equal numbers there are stacked."""
        if self.row == tables.CURRENT_SIZE or self.one_row:
            return
        cards = self.cards
        while self.row > tables.CURRENT_SIZE:
            self.row -= 1
            insort(cards, cards.pop(self.row), lo=self.row, key=number_of)
        while self.row < min(tables.CURRENT_SIZE, len(self.plants)):
            if self.row and self.equal(cards[self.row - 1], cards[self.row]):
                self.stack(self.row - 1, cards.pop(self.row))
                if self.deck:
                    return  # O-5.6: a card is drawn before anything else moves
            else:
                self.row += 1

    # Discounts, O-8.3, and the form of Step 3, O-9.3

    def put_tokens(self, value: int) -> list[int]:
        """Put a token on each of the four lowest current places; return their top cards."""
        marked = self.cards[: min(self.row, tables.CURRENT_SIZE)]  # OR-39
        self.tokens = {
            **self.tokens,
            **{card: (*self.tokens.get(card, ()), value) for card in marked},
        }
        return marked

    def unite(self) -> list[int]:
        """Remove the Step 3 card and the lowest place, join the rows; return the removed cards."""
        if LAST_CARD in self.cards:
            self.cards.remove(LAST_CARD)
        gone = []
        if self.cards:
            places = len(self.cards)
            while len(self.cards) == places:  # the whole stack, O-9.3.3
                gone.append(self.pop(0))
        self.removed.extend([LAST_CARD, *gone])
        self.room = tables.PLACES_IN_STEP_3
        for at in range(len(self.cards) - 1, 0, -1):
            if self.equal(self.cards[at - 1], self.cards[at]):  # OR-44
                self.stack(at - 1, self.cards.pop(at))
        self.row: int = len(self.cards)
        return gone
