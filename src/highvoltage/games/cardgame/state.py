"""The state of the card game, beyond the state of all games, and its terms."""

from typing import Any, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.engine.parts.market import CardMarket, MarketState, MarketTerms
from highvoltage.engine.state import Player, Terms
from highvoltage.games.cardgame import tables
from highvoltage.games.cardgame.cards import Cards
from highvoltage.games.cardgame.fuel import Store  # noqa: TC001  # a field's type

EMPTY: Held = (0, 0, 0, 0)


class CardPlayer(Player):
    """A company: money, plants and fuel cards. `fuel` counts the units in the store."""

    __slots__ = ("fuel", "income", "store")

    def __init__(self, money: int) -> None:
        super().__init__(money)
        self.store: Store = ()
        self.fuel: Held = EMPTY
        self.income: int = 0  # of the latest bureaucracy

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.store = self.store
        new.fuel = self.fuel
        new.income = self.income
        return new


class Bank:
    """The third party in a game for two: it owns things but never decides, K-8."""

    __slots__ = ("cards", "store")

    def __init__(self) -> None:
        self.cards: tuple[int, ...] = ()  # oldest first, K-8.4
        self.store: Store = ()

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.cards = self.cards
        new.store = self.store
        return new


class CardState(MarketState):
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
    rules: "CardTerms"

    def __init__(
        self,
        rules: Terms,
        chance: Chance,
        players: list[CardPlayer],
        order: tuple[int, ...],
        market: CardMarket,
        pile: list[int],
        discard: list[int],
        singles: list[int],
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        self.bank: Bank | None = Bank() if len(players) == 2 else None
        self.columns: list[tuple[int, ...]] = [(), (), (), ()]  # fuel cards for 1, 2, 3 and 4
        self.pile: list[int] = pile  # fuel cards to come, top first
        self.discard: list[int] = discard  # fuel cards used up
        self.singles: list[int] = (
            singles  # in the supply, by kind; negative if more are used than the box holds
        )
        self.reshuffles: int = 0
        self.end_round: int = 0  # the round in which END was resolved
        self.end_in_auction: bool = False  # END was resolved in phase 1

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


class CardTerms(MarketTerms[CardState]):
    """The terms of the card game, fixed by the cards and the number of players."""

    def __init__(self, deck: Cards, players: int, options: dict[str, Any], version: int) -> None:
        self.cards = deck
        self.players = players
        self.version = version
        self.asks_everybody = version > 1 and options["money"] == "hidden"  # KR-06
        self.options = options
        self.fuel: FuelRules = deck.rules
        self.column_size: int = tables.COLUMN_SIZE[players]
        self.demolition: tuple[tuple[int, int], ...] = (
            deck.demolition if options["demolition"] else ()
        )

    def rooms(self, s: CardState, player: CardPlayer) -> Held:
        """The units of each kind that a player may add, K-5.3.2 and K-5.5.2."""
        rooms = self.fuel.missing if s.last_round else self.fuel.rooms
        return rooms(player.cards, player.fuel)
