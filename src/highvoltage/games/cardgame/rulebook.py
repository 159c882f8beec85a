"""The card game for a number of players and a set of options."""

from collections.abc import Sequence
from typing import Any, ClassVar

from highvoltage.engine.cards import LAST_CARD, label, number_of
from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.events import EndResolved, Order, Turned
from highvoltage.engine.moves import Bid, Done, Move, Nominate, Pass, Run, Scrap
from highvoltage.engine.parts.deck import remove_lowest
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games.cardfile import read_cards_file
from highvoltage.games.cardgame import cards, fuel, phases, tables, view
from highvoltage.games.cardgame.columns import deal
from highvoltage.games.cardgame.moves import BuyCard
from highvoltage.games.cardgame.state import CardPlayer, CardState, CardTerms
from highvoltage.games.meta import Meta
from highvoltage.words import say


class CardGame(CardTerms):
    """Power Grid: The Card Game, 2016."""

    name = "cardgame"
    moves: ClassVar[tuple[type[Move], ...]] = (Nominate, Bid, Pass, Scrap, BuyCard, Run, Done)
    cites: ClassVar[dict[str, str]] = tables.CITES
    last_card = "end"
    chance_events: ClassVar[tuple[str, ...]] = (
        "order",
        "small",
        "large",
        "deck",
        "fuel",
        "end",
        "reshuffle",
    )

    def __init__(
        self, deck: cards.Cards, players: int, options: dict[str, Any], version: int
    ) -> None:
        super().__init__(deck, players, options, version)
        self.set_phases((), (phases.PlantAuction(), phases.Fuel(), phases.Bureaucracy()))

    @classmethod
    def make(
        cls, about: Meta, players: int, map_spec: MapSpec, options: dict[str, Any], version: int
    ) -> "CardGame":
        """Load the cards and refuse a map."""
        if map_spec is not None:
            raise OptionError(say("terminal_no_map"))
        own = options["cards"]
        deck = cards.shipped() if own is None else cards.load(*read_cards_file(own))
        return cls(deck, players, options, version)

    def numbers(self) -> tuple[tuple[str, Any, str], ...]:
        removed = [tables.SMALL_REMOVED[self.players], tables.LARGE_REMOVED[self.players]]
        return (
            ("start_money", tables.START_MONEY, "K-1.12"),
            ("plant_limit", tables.PLANT_LIMIT, "K-4.5.1"),
            ("column_size", self.column_size, "K-1.11"),
            ("plants_removed", removed, "K-1.11"),
        )

    def recorded_options(self) -> dict[str, Any]:
        options = {key: value for key, value in self.options.items() if key != "cards"}
        return options if self.cards is cards.shipped() else options | {"cards": self.cards.data()}

    # Set-up, K-2; chance events as in K-2.8

    def setup(self, chance: Chance) -> CardState:
        order = tuple(chance.arrange("order", range(self.players)))
        small = chance.arrange("small", self.cards.small)
        shown = small[: tables.OPENING_MARKET]
        by_mark = self.cards.fuel
        basic = sorted(card for mark in tables.MARKINGS[self.players] for card in by_mark[mark])
        pile = chance.arrange("fuel", list(map(fuel.name, basic)))
        singles = [by_mark["single"].count(fuel.fuel_card(kind, 1)) for kind in range(4)]
        s = CardState(
            self,
            chance,
            [CardPlayer(tables.START_MONEY) for _ in range(self.players)],
            order,
            self.setup_market(chance, shown, small[tables.OPENING_MARKET :]),
            [fuel.CARDS[name] for name in pile],
            by_mark["+"][:],  # K-2.7
            singles,
        )
        s.events = [Order(order), *(Turned(label(card)) for card in shown)]
        deal(s)
        return s

    def setup_market(self, chance: Chance, shown: list[int], small: list[int]) -> CardMarket:
        """The plant market and its deck, K-2.3 and K-2.4."""
        large = chance.arrange("large", self.cards.large)
        small_left = len(small) - tables.SMALL_REMOVED[self.players]
        large_left = len(large) - tables.LARGE_REMOVED[self.players]
        deck = chance.arrange("deck", small[1:small_left] + large[:large_left])
        return CardMarket(
            shown,
            [small[0], *deck, LAST_CARD],
            small[small_left:] + large[large_left:],
            tables.CURRENT_SIZE,
        )

    # The plant market

    def covers_deck(self, turned: Sequence[str]) -> bool:
        plants = [token for token in turned if token[0].isdigit()]  # fuel is turned up, too
        return len(plants) == tables.OPENING_MARKET  # K-2.4

    def card_back(self, card: object) -> str:
        if card == LAST_CARD:
            return self.last_card
        return self.cards.backs.get(card, "") if isinstance(card, int) else ""

    def use_last_card(self, s: CardState) -> None:
        """Remove END and the lowest plant; all six remaining plants are on offer."""
        s.market.cards = s.market.plants  # END is in the market only during the auction
        s.market.removed.append(LAST_CARD)
        remove_lowest(s)
        s.market.row = tables.LATE_MARKET_SIZE
        s.end_round = s.round
        s.end_in_auction = s.phase_name == "auction"
        s.events.append(EndResolved())

    def sorted_order(self, s: CardState) -> tuple[int, ...]:
        """By income, then by the highest plant, then reversed: K-4.7.4, K-6.2.1."""

        def sort_key(seat: int) -> tuple[int, int, int]:
            player = s.players[seat]
            return player.income, highest(player), s.order.index(seat)

        return tuple(sorted(s.order, key=sort_key, reverse=True))

    def cost(self, s: CardState, seat: int, move: Move) -> int | None:
        return move.column if isinstance(move, BuyCard) else None

    def run_income(self, s: CardState, seat: int) -> int:
        player = s.players[seat]
        return self.fuel.max_yield(player.cards, player.fuel) or tables.BASIC_INCOME  # K-6.1.3

    def idle_plants(self, s: CardState, seat: int) -> tuple[int, ...]:
        if s.phase_name != phases.Fuel.name:
            return ()
        player = s.players[seat]
        cards, held, money = player.cards, player.fuel, player.money
        rooms = self.rooms(s, player)
        units = [[min(room, n) for n in payable(s, kind, money)] for kind, room in enumerate(rooms)]
        one, two = self.fuel.hybrid
        mixes = {(units[one][paid], units[two][money - paid]) for paid in range(money + 1)}
        bought = [{kind: most[money]} for kind, most in enumerate(units)]
        bought += [{one: some, two: others} for some, others in mixes]
        idle: set[int] = set()
        for more in bought:
            stored = tuple(count + more.get(kind, 0) for kind, count in enumerate(held))
            idle |= self.fuel.plants_enabled_by(cards, held, stored)
        return tuple(sorted(idle))

    def choose_usual(self, s: CardState, seat: int, moves: list[Move]) -> Move | None:
        runs = [move for move in moves if isinstance(move, Run)]
        if not runs:
            return super().choose_usual(s, seat, moves)
        return max(runs, key=self.fuel.yields)

    def view(self, s: CardState, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)

    def lazy_view(self, s: CardState, seat: int) -> dict[str, Any]:
        return view.lazy_view(s, seat)


def payable(s: CardState, kind: int, money: int) -> list[int]:
    """The most units of a fuel that each amount up to `money` buys."""
    most = [0] * (money + 1)
    for price, column in enumerate(s.columns, 1):
        for card in column:
            if fuel.kind(card) == kind:
                for paid in range(money, price - 1, -1):
                    most[paid] = max(most[paid], most[paid - price] + fuel.units(card))
    return most


def highest(player: CardPlayer) -> int:
    """The number of a player's highest plant, KR-25."""
    return number_of(player.cards[-1]) if player.cards else 0
