"""Outpost for a map, a set of cards, a number of players and a set of options."""

from typing import Any, ClassVar

import msgspec

from highvoltage.engine.cards import LAST_CARD, label, number_of
from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.events import Area, Order, Removed, Tokens, Turned
from highvoltage.engine.moves import Bid, Done, Move, Nominate, Pass
from highvoltage.engine.parts.deck import draw
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games.cardfile import read_cards_file
from highvoltage.games.meta import Meta
from highvoltage.games.outpost import company, phases, tables, usual, view
from highvoltage.games.outpost.board import CENTRE, SMALL, Board, Planet, find_board, shipped_board
from highvoltage.games.outpost.cards import Deck, read_cards, shipped_cards
from highvoltage.games.outpost.lazy_view import lazy_view
from highvoltage.games.outpost.market import StackMarket
from highvoltage.games.outpost.moves import (
    Build,
    Hire,
    PlaceCard,
    Power,
    Robot,
    Settle,
    Swap,
    Syndicate,
)
from highvoltage.games.outpost.state import Company, OutpostState, OutpostTerms, SyndicateCompany
from highvoltage.games.outpost.syndicate import SyndicateStations


class Outpost(OutpostTerms):
    """Power Grid: Outpost."""

    name = "outpost"
    moves: ClassVar[tuple[type[Move], ...]] = (
        *(Nominate, Bid, Pass),
        *(Build, Settle, PlaceCard, Swap, Hire, Robot, Syndicate),
        *(Power, Done),
    )
    cites: ClassVar[dict[str, str]] = tables.CITES
    setup_draws: ClassVar[tuple[str, ...]] = ("order", "area", "tokens")
    chance_events: ClassVar[tuple[str, ...]] = (
        "order",
        "area",
        "tokens",
        "plugs",
        "sockets",
        "deck",
        "step3",
    )

    def __init__(
        self, board: Board, deck: Deck, players: int, options: dict[str, Any], version: int
    ) -> None:
        super().__init__(board, deck, players, options, version)
        self.set_phases(
            (SyndicateStations(),) if players == 2 else (),
            (
                phases.Order(),
                phases.CardAuction(),
                phases.SecondAuction(),
                company.CompanyTurn(),
                phases.Bureaucracy(),
            ),
        )

    @classmethod
    def make(
        cls, about: Meta, players: int, map_spec: MapSpec, options: dict[str, Any], version: int
    ) -> "Outpost":
        board = find_board(map_spec, next(iter(about.maps)))
        cards = options["cards"]
        deck = shipped_cards() if cards is None else read_cards(*read_cards_file(cards))
        if options["area"] != "random" and tables.SMALL_AREAS[players] != 1:
            raise OptionError("Only four players choose a small area (O-2.1).")
        if options["syndicate_takes"] != "sale" and players != 2:
            raise OptionError("Only two players meet the Syndicate (O-12.1).")
        return cls(board, deck, players, options, version)

    @classmethod
    def map_data(cls, about: Meta, map_spec: MapSpec) -> dict[str, Any]:
        board = find_board(map_spec, next(iter(about.maps)))
        data: dict[str, Any] = msgspec.to_builtins(board, str_keys=True)
        return data

    def numbers(self) -> tuple[tuple[str, Any, str], ...]:
        return (
            ("start_money", tables.START_MONEY, "O-1.3"),
            ("step_2_cities", self.step_2_cities, "O-1.2"),
            ("end_cities", self.end_cities, "O-1.2"),
            ("small_areas", tables.SMALL_AREAS[self.players], "O-2.1"),
            ("workers", self.labour.size, "O-1.6.1"),
            ("house_costs", list(tables.STATION_PRICES), "O-1.3"),
        )

    def recorded_options(self) -> dict[str, Any]:
        shipped = self.map is shipped_board()
        options = {
            "map": "planet" if shipped else msgspec.to_builtins(self.map, str_keys=True),
            **self.options,
        }
        if self.options["cards"] is not None:
            options["cards"] = {"cards": msgspec.to_builtins(self.deck.cards)}
        return options

    # Set-up, O-2

    def setup(self, chance: Chance) -> OutpostState:
        order = tuple(chance.arrange("order", range(self.players)))  # O-2.7, O-12.2.2
        areas = self.choose_areas(chance)
        tokens = tuple(chance.arrange("tokens", self.map.tokens))  # O-2.2
        planet = Planet(self.map, (CENTRE, *areas), tokens)
        deck, aside = self.setup_deck(chance)
        first, rest = deck[: tables.PLACES], deck[tables.PLACES :]
        s = OutpostState(
            self,
            chance,
            [Company(tables.START_MONEY, len(planet.cities)) for _ in range(self.players)],
            order,
            StackMarket(first, rest, aside),
            planet,
            self.labour.size,  # O-2.3
        )
        if self.players == 2:
            s.syndicate = SyndicateCompany(0, len(planet.cities))  # O-12.2.1
        s.events = [
            Order(order),
            Tokens(tokens),
            *([Area(areas)] if self.players == 4 else []),
            *(Turned(label(card)) for card in first),
        ]
        while len(s.market.cards) < s.market.room and s.market.deck[0] != LAST_CARD:
            draw(s)  # O-2.10
        return s

    def choose_areas(self, chance: Chance) -> tuple[str, ...]:
        """The small areas in play, O-2.1."""
        count = tables.SMALL_AREAS[self.players]
        if count != 1:
            return SMALL[:count]
        if self.options["area"] == "random":
            return chance.pick("area", [(area,) for area in SMALL])
        return (self.options["area"],)

    def setup_deck(self, chance: Chance) -> tuple[list[int], list[int]]:
        """O-2.9; cards removed face down come last, so that a record can omit them."""
        plugs = chance.arrange("plugs", self.deck.of_back(tables.PLUG))
        sockets = chance.arrange("sockets", self.deck.of_back(tables.SOCKET))
        removed = tables.REMOVED[self.players]
        plugs_left = len(plugs) - removed[tables.PLUG]
        sockets_left = len(sockets) - removed[tables.SOCKET]
        top, others = plugs[: tables.ON_TOP], plugs[tables.ON_TOP : plugs_left]
        deck = chance.arrange("deck", others + sockets[:sockets_left])
        return [*top, *deck, LAST_CARD], plugs[plugs_left:] + sockets[sockets_left:]

    # Cards

    def resolve_move(self, s: OutpostState, move: Move) -> Move:
        """A number means the top card of its place: no other of that number is on offer."""
        if isinstance(move, Nominate) and move.card == number_of(move.card):
            return Nominate(s.market.top(move.card), move.bid)
        return move

    def card_back(self, card: object) -> str:
        if card == LAST_CARD:
            return self.last_card
        return self.faces[card].back or "" if isinstance(card, int) else ""  # O-0.5

    # The course of the game

    def sorted_order(self, s: OutpostState) -> tuple[int, ...]:
        """O-4.5."""

        def sort_key(seat: int) -> tuple[int, list[int], int]:
            player = s.players[seat]
            numbers = [number_of(card) for card in reversed(player.cards)]
            return player.network, numbers, s.order.index(seat)

        return tuple(sorted(s.order, key=sort_key, reverse=True))

    def use_last_card(self, s: OutpostState) -> None:
        """O-9.3.8; if drawn in phase 4, it changes the market now and the Step later."""
        market = s.market
        if LAST_CARD not in market.cards:
            market.cards.append(LAST_CARD)  # OR-42: it counts as a place
            market.rebalance()
        if s.step == 1:
            phases.start_step_2(s)  # O-9.3.6
        s.events += [Removed(label(card)) for card in market.unite()]
        if s.phase_name == phases.Bureaucracy.name:
            s.step3_pending = True  # O-9.3.2
        else:
            phases.begin_step(s, 3)  # O-9.3.1
        phases.refill(s)

    def cost(self, s: OutpostState, seat: int, move: Move) -> int | None:
        player = s.players[seat]
        if isinstance(move, Build):
            return company.build_cost(s, player, move.piece, s.planet.index[move.city])
        if isinstance(move, Hire):
            return self.labour_ladder(player).cost(s.labour, move.count)
        return None

    def run_income(self, s: OutpostState, seat: int) -> int:
        return tables.PAYMENT[self.most_powered(s.players[seat])]

    def choose_usual(self, s: OutpostState, seat: int, moves: list[Move]) -> Move | None:
        return usual.choose(s, seat, moves)

    def view(self, s: OutpostState, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)

    def lazy_view(self, s: OutpostState, seat: int) -> dict[str, Any]:
        return lazy_view(s, seat)
