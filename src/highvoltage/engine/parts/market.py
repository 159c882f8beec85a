"""The card market: sorted cards face up, the lowest of them on offer, a deck behind them."""

from bisect import insort
from collections.abc import Sequence
from typing import Self, TypeVar

from highvoltage.engine.cards import LAST_CARD, number_of
from highvoltage.engine.chance import Chance
from highvoltage.engine.events import Order
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import Player, State, Terms

M = TypeVar("M", bound="MarketState")


class CardMarket:
    """Cards face up and the deck. `row` cards are on offer, the rest is the future market."""

    __slots__ = (
        *("aside", "cards", "deck", "discount", "joins", "pile", "removed", "row", "slid"),
        *("stage", "waiting"),
    )

    def __init__(self, cards: list[int], deck: list[int], aside: list[int], row: int) -> None:
        self.cards: list[int] = sorted(cards, key=number_of)  # twins in the order they came
        self.deck: list[int] = deck  # top first
        self.aside: list[int] = aside  # removed unseen at set-up
        self.row: int = row
        self.removed: list[int] = []  # left the game face up
        self.slid: list[int] = []  # put under the deck; everybody has seen them
        self.discount: int | None = None  # the card that carries the discount token
        self.joins: frozenset[int] = frozenset()  # on offer as the lowest of the future (A-BEN-4)
        self.waiting: tuple[int, ...] = ()  # set aside face up until Step 2 (A-IBE-3)
        self.stage: int = 1  # of a market without Steps (A-MAN-7 to A-MAN-9)
        self.pile: tuple[int, ...] = ()  # the deck of its second stage, everybody has seen them

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.cards = self.cards[:]
        new.deck = self.deck[:]
        new.aside = self.aside
        new.row = self.row
        new.removed = self.removed[:]
        new.slid = self.slid
        new.discount = self.discount
        new.joins = self.joins
        new.waiting = self.waiting
        new.stage = self.stage
        new.pile = self.pile
        return new

    @property
    def offer_size(self) -> int:
        """How many cards are on offer: the row, and one that joins it."""
        row = self.row
        return row + (len(self.cards) > row and self.cards[row] in self.joins)

    @property
    def offer(self) -> list[int]:
        """The cards that may be nominated."""
        cards = self.cards[: self.offer_size if self.joins else self.row]
        return cards[:-1] if cards and cards[-1] == LAST_CARD else cards

    @property
    def future(self) -> list[int]:
        return self.cards[self.offer_size :]

    @property
    def plants(self) -> list[int]:
        """All the cards face up, without the one that changes the game."""
        cards = self.cards
        return cards[:-1] if cards and cards[-1] == LAST_CARD else cards

    def draw_top(self) -> int:
        """The top card leaves the deck."""
        card = self.deck.pop(0)
        if card in self.slid:
            self.slid = [other for other in self.slid if other != card]
        return card

    def insert(self, card: int) -> None:
        insort(self.cards, card, key=number_of)

    def take(self, card: int) -> int:
        """Hand the card on offer to a buyer; a discount token on it is put aside."""
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

    def slide(self, card: int) -> None:
        """The card goes face down under the deck."""
        self.cards.remove(card)
        self.deck.append(card)
        self.slid = [*self.slid, card]

    def lay_by(self, card: int) -> None:
        """The card goes on the pile that will be the next deck."""
        self.cards.remove(card)
        self.pile = (*self.pile, card)

    def slide_highest(self) -> int | None:
        """The highest card goes face down under the deck."""
        if not self.plants:
            return None
        highest = self.cards[-1]
        self.slide(highest)
        return highest


class Bidding:
    """The auctions of one round."""

    __slots__ = (
        "bid",
        "card",
        "demolished",
        "eligible",
        "leader",
        "ring",
        "scrapping",
        "sold",
        "third_done",
        "token_left",
    )

    def __init__(self) -> None:
        self.eligible: tuple[int, ...] = ()  # in turn order: may still buy
        self.card: int | None = None  # under the hammer
        self.bid: int = 0
        self.leader: int = -1
        self.ring: tuple[int, ...] = ()  # still bidding, clockwise, next to act first
        self.scrapping: int | None = None  # the seat that has a plant too many
        self.sold: int = 0
        self.demolished: bool = False  # somebody has been paid for a plant given up, D-2.2
        self.third_done: bool = False  # the third party has had its turn
        self.token_left: bool = False  # the card with the discount token left the game unsold

    @property
    def raising(self) -> int | None:
        """The card that is being bid on."""
        return self.card if self.scrapping is None else None

    def copy(self) -> "Bidding":
        new = Bidding.__new__(Bidding)
        new.eligible = self.eligible
        new.card = self.card
        new.bid = self.bid
        new.leader = self.leader
        new.ring = self.ring
        new.scrapping = self.scrapping
        new.sold = self.sold
        new.demolished = self.demolished
        new.third_done = self.third_done
        new.token_left = self.token_left
        return new


class MarketTerms(Rulebook[M]):
    """What a rulebook decides about its card market and the turn order."""

    demolition: tuple[tuple[int, int], ...] = ()  # D-1.3: what each card pays, first and next
    last_card_shuffles: bool = True  # the card that changes the game makes the deck be shuffled
    bars_offer: bool = False  # some cards may have to leave the offer when it changes

    def sorted_order(self, s: M) -> tuple[int, ...]:
        """The seats in the turn order that is due now."""
        raise NotImplementedError

    def sort_order(self, s: M) -> None:
        s.order = self.sorted_order(s)
        s.events.append(Order(s.order))

    def rejects(self, s: M, card: int) -> bool:
        """A card lower than the discounted one leaves as soon as it is turned up."""
        discount = s.market.discount
        return discount is not None and number_of(card) < number_of(discount)

    def clear_offer(self, s: M) -> None:
        """Cards that may not be on offer leave it."""

    def returns_last_card(self, s: M) -> bool:
        """The card that changes the game goes under the deck again, because it will come twice."""
        return False

    def last_card_count(self, s: M) -> int:
        """How often that card has come before."""
        return 0

    def renew_deck(self, s: M) -> bool:
        """The deck is empty; whether another one takes its place."""
        return False

    def last_card_returned(self, s: M) -> None:
        """It lies under the deck again; its first effect."""

    def use_last_card(self, s: M) -> None:
        """The card that changes the game takes effect and leaves the market."""
        raise NotImplementedError

    def top(self, s: M) -> str:
        return self.card_back(s.market.deck[0]) if s.market.deck else ""


class MarketState(State):
    """A game whose cards are sold by auction from a market."""

    __slots__ = ("bidding", "demolition", "market")

    rules: "MarketTerms[Self]"
    market: CardMarket

    def __init__(
        self,
        rules: Terms,
        chance: Chance,
        players: Sequence[Player],
        order: tuple[int, ...],
        market: CardMarket,
    ) -> None:
        super().__init__(rules, chance, players, order)
        self.market = market
        self.bidding: Bidding = Bidding()
        self.demolition: int = 0  # cards that have left the stack of that expansion

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.rules = self.rules
        new.chance = self.chance
        new.players = [player.copy() for player in self.players]
        new.order = self.order
        new.market = self.market.copy()
        new.bidding = self.bidding.copy()
        new.round = self.round
        new.phase = self.phase
        new.turn = self.turn
        new.demolition = self.demolition
        new.actor = self.actor
        new.outcome = self.outcome
        new.events = []
        return new
