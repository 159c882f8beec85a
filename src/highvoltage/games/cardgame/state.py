"""What the card game keeps beyond what all games keep."""

from typing import TYPE_CHECKING, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import Player, State
from highvoltage.games.cardgame.fuel import Store  # noqa: TC001  # a field's type

if TYPE_CHECKING:
    from highvoltage.games.cardgame.rulebook import CardGame

EMPTY: Held = (0, 0, 0, 0)


class CardPlayer(Player):
    """A company: money, plants and fuel cards. `fuel` counts the units in the store."""

    __slots__ = ("fuel", "income", "store")

    def __init__(self, money: int) -> None:
        super().__init__(money)
        self.store: Store = ()
        self.fuel: Held = EMPTY
        self.income = 0  # of the latest bureaucracy

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.store = self.store
        new.fuel = self.fuel
        new.income = self.income
        return new


class Bank:
    """The third party of two players: it owns, but never decides, K-8."""

    __slots__ = ("cards", "store")

    def __init__(self) -> None:
        self.cards: tuple[int, ...] = ()  # oldest first, K-8.4
        self.store: Store = ()

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.cards = self.cards
        new.store = self.store
        return new


class CardState(State):
    """The fuel market, and the Bank if two play."""

    __slots__ = (
        "bank",
        "columns",
        "discard",
        "end_in_auction",
        "end_round",
        "pile",
        "reshuffles",
        "singles",
    )

    players: list[CardPlayer]

    rules: "CardGame"

    def __init__(
        self,
        rules: Rulebook,
        chance: Chance,
        players: list[CardPlayer],
        order: tuple[int, ...],
        market: CardMarket,
        pile: list[int],
        discard: list[int],
        singles: list[int],
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        self.bank = Bank() if len(players) == 2 else None
        self.columns: list[tuple[int, ...]] = [(), (), (), ()]  # fuel cards for 1, 2, 3 and 4
        self.pile = pile  # fuel cards to come, top first
        self.discard = discard  # fuel cards used up
        self.singles = singles  # beside the market, by kind; below 0 more than the box holds
        self.reshuffles = 0
        self.end_round = 0  # the round in which END was resolved
        self.end_in_auction = False  # it was in phase 1

    @property
    def last_round(self) -> bool:
        return 0 < self.end_round < self.round  # KR-05

    def copy(self) -> Self:
        new = super().copy()
        new.bank = self.bank and self.bank.copy()
        new.columns = self.columns[:]
        new.pile = self.pile[:]
        new.discard = self.discard[:]
        new.singles = self.singles[:]
        new.reshuffles = self.reshuffles
        new.end_round = self.end_round
        new.end_in_auction = self.end_in_auction
        return new
