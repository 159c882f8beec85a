"""The state of Outpost, beyond the state of all games, O-3.6, and its terms."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.moves import Move
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.market import MarketState, MarketTerms
from highvoltage.engine.state import Player, Terms
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import Board, Planet
from highvoltage.games.outpost.cards import Card, Deck
from highvoltage.games.outpost.market import StackMarket
from highvoltage.games.outpost.moves import PlaceCard, Swap

if TYPE_CHECKING:
    from collections.abc import Callable

CLOSED = 1_000_000
"""More than anybody can pay."""
SYNDICATE = -1
"""The seat number of the Syndicate, for its buildings and in events."""
FREE = -2
"""A special slot on which nobody has built."""

PLANT, HABITAT = 0, 1  # of the two kinds of card spaces

# The stages of a company's turn, O-7.0.2
BUILDING, BOARD, HIRED = range(3)
STAGES = ("building", "board", "hired")


class Company(Player):
    """A company, a player's or the Syndicate's: its pieces, cards and workers."""

    __slots__ = (
        "board",
        "busy",
        "cities",
        "colonies",
        "humans",
        "network",
        "open",
        "powered",
        "reach",
        "robots",
        "station_reach",
        "structure",
    )

    stations: int = tables.STATIONS  # on the map, on Colony cards and still on the company board

    def __init__(self, money: int, cities: int) -> None:
        super().__init__(money)
        self.cities: tuple[int, ...] = ()  # on the map with a station, in the order of building
        self.network: int = 0  # stations on the map and on Colony cards
        self.structure: int = 0  # cities with any building, as bits
        # Path cost to each city; in `station_reach` CLOSED where it has a station. Never mutated.
        self.reach: list[int] = [0] * cities
        self.station_reach: list[int] = self.reach
        self.open: tuple[int, int] = (0, 0)  # uncovered spaces for plants and habitats
        self.board: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # the cards on them
        self.colonies: tuple[tuple[int, str], ...] = ()  # pieces on Colony cards
        self.humans: int = 0
        self.robots: int = 0
        self.busy: str = ""  # who is on the Robots card this round: human or robot
        self.powered: int = 0  # cities powered in the latest bureaucracy

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.cities = self.cities
        new.network = self.network
        new.structure = self.structure
        new.reach = self.reach
        new.station_reach = self.station_reach
        new.open = self.open
        new.board = self.board
        new.colonies = self.colonies
        new.humans = self.humans
        new.robots = self.robots
        new.busy = self.busy
        new.powered = self.powered
        return new

    @property
    def pool(self) -> tuple[int, ...]:
        """The cards that are not on the company board."""
        plants, habitats = self.board
        return tuple(card for card in self.cards if card not in plants and card not in habitats)

    @property
    def workforce(self) -> int:
        """How many can run plants, O-8.1.5."""
        return self.humans + self.robots - bool(self.busy)

    def uses(self, technology: int) -> bool:
        return technology in self.cards


class SyndicateCompany(Company):
    """The Syndicate owns technologies without using them, O-12.5.5."""

    __slots__ = ()

    stations: int = tables.SYNDICATE_STATIONS

    def uses(self, technology: int) -> bool:
        return False


class OutpostState(MarketState):
    """The planet, its labour market, and the Syndicate if two play."""

    __slots__ = (
        "choices",
        "free",
        "labour",
        "planet",
        "replaced",
        "robots",
        "slots",
        "specials",
        "stage",
        "stations",
        "step",
        "step3_pending",
        "syndicate",
    )

    players: list[Company]
    market: StackMarket
    rules: "OutpostTerms"

    def __init__(
        self,
        rules: Terms,
        chance: Chance,
        players: list[Company],
        order: tuple[int, ...],
        market: StackMarket,
        planet: Planet,
        labour: int,
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        cities = len(planet.cities)
        self.planet: Planet = planet
        self.labour: int = labour  # workers in the labour market
        self.robots: int = tables.ROBOTS  # in the supply
        self.stations: list[tuple[int, ...]] = [()] * cities  # seats by city, in slot order
        self.specials: list[int] = [FREE] * cities  # the seat on the special slot
        self.slots: list[int] = [
            tables.STATION_PRICES[0]
        ] * cities  # price of the next station, or CLOSED
        # Cities with a free special slot, by kind; replaced, never changed.
        self.free: tuple[tuple[int, ...], ...] = planet.free
        self.stage: int = BUILDING
        self.replaced: tuple[int, ...] = ()  # cards that came off in this turn, sorted, OR-26
        self.choices: tuple[int, ...] = ()  # cities for a building that the Syndicate needs
        self.step: int = 1
        self.step3_pending: bool = False
        self.syndicate: Company | None = None

    def copy(self) -> Self:
        new = super().copy()
        new.planet = self.planet
        new.labour = self.labour
        new.robots = self.robots
        new.stations = self.stations[:]
        new.specials = self.specials[:]
        new.slots = self.slots[:]
        new.free = self.free
        new.stage = self.stage
        new.replaced = self.replaced
        new.choices = self.choices
        new.step = self.step
        new.step3_pending = self.step3_pending
        new.syndicate = self.syndicate and self.syndicate.copy()
        return new


Spaces = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards on the spaces for plants and for habitats."""


class OutpostTerms(MarketTerms[OutpostState]):
    """The terms of Outpost, fixed by the planet, the cards and the number of players."""

    def __init__(
        self, board: Board, deck: Deck, players: int, options: dict[str, Any], version: int
    ) -> None:
        self.map = board
        self.deck = deck
        self.players = players
        self.version = version
        self.asks_everybody = version > 1 and options["money"] == "hidden"  # OR-17
        self.options = options
        self.faces: dict[int, Card] = deck.faces
        self.step_2_cities: int = tables.STEP_2_CITIES[players]
        self.end_cities: int = tables.END_CITIES[players]
        sector = tables.WORKERS_IN_SECTOR[players]
        self.labour: Ladder = Ladder(
            [
                price
                for price, size in zip(board.labour_prices, tables.SECTOR_SIZES, strict=True)
                for _ in range(size * sector)
            ]
        )
        self.cheap_labour: Ladder = self.labour.with_discount(tables.ECOPLANTS_SAVING)  # O-11.3
        self.colonies: tuple[int, ...] = deck.technologies["colony"]
        self.data_library: int = deck.technologies["data_library"][0]
        self.ecoplants: int = deck.technologies["ecoplants"][0]
        self.robots: int = deck.technologies["robots"][0]
        self.hub_module: int = deck.technologies["hub_module"][0]
        self.laboratories: int = deck.technologies["laboratories"][0]
        self.moon_base: int = deck.technologies["moon_base"][0]
        self.placements: dict[int, list[tuple[int, PlaceCard, dict[int, Swap]]]] = {
            card: self.placements_of(card) for card in deck.faces
        }
        # The totals of a company board are needed very often and rarely change.
        self._totals = lru_cache(maxsize=4096)(self.find_totals)
        self._energy = lru_cache(maxsize=4096)(self.find_energy)
        self.board_moves: Callable[[tuple[int, ...], Spaces, tuple[int, int]], list[Move]] = (
            lru_cache(maxsize=4096)(self.find_board_moves)
        )

    def must_buy(self, s: OutpostState) -> bool:
        """Everybody has to buy a card: the first auction of the game, O-3.3."""
        return s.round == 1 and s.phase == self.phase_names.index("auction")

    # Cards

    def kinds_of(self, card: int) -> tuple[int, ...]:
        """The kinds of spaces that a card may take; none for most technologies."""
        if card == self.moon_base:
            return PLANT, HABITAT  # O-11.8.1
        kind = self.kind_of(card)
        return () if kind is None else (kind,)

    def kind_of(self, card: int) -> int | None:
        kind = self.faces[card].kind
        return tables.KINDS.index(kind) if kind in tables.KINDS else None

    def better(self, kind: int, new: int, old: int) -> bool:
        """Whether one card may take the other's space, O-7.2.2, O-7.2.3 and OR-26."""
        one, two = self.faces[new], self.faces[old]
        if kind == HABITAT:
            return one.places > two.places
        return one.energy > two.energy or one.workers < two.workers

    def find_board_moves(
        self, cards: tuple[int, ...], board: Spaces, opened: tuple[int, int]
    ) -> list[Move]:
        """Every placing and swap, O-7.2."""
        moves: list[Move] = []
        placed = (*board[PLANT], *board[HABITAT])
        for card in cards:
            if card not in placed:
                for kind, place, swaps in self.placements[card]:
                    if len(board[kind]) < opened[kind]:
                        moves.append(place)
                    moves += [swaps[old] for old in board[kind] if old in swaps]
        return moves

    def placements_of(self, card: int) -> list[tuple[int, PlaceCard, dict[int, Swap]]]:
        """How a card may be put on the board: kind of space, placing, swaps by replaced card."""
        kinds = self.kinds_of(card)
        return [
            (
                kind,
                PlaceCard(card, tables.KINDS[kind] if len(kinds) > 1 else ""),
                {
                    old: Swap(old, card)
                    for old in self.faces
                    if kind in self.kinds_of(old) and self.better(kind, card, old)
                },
            )
            for kind in kinds
        ]

    # Workers and energy. Moon Base is a card with beds, workers and energy, OR-54.

    def find_totals(self, board: Spaces, hub: bool) -> tuple[int, int]:
        faces = [self.faces[card] for kind in board for card in kind]
        extra = tables.HUB_BEDS if hub else 0
        beds = sum(face.places + extra for face in faces if face.places)  # O-11.5
        return beds, sum(face.workers for face in faces)

    def beds_and_need(self, company: Company) -> tuple[int, int]:
        """S and W of O-7.3."""
        return self._totals(company.board, company.uses(self.hub_module))

    def find_energy(self, board: Spaces, laboratories: bool, workforce: int) -> int:
        extra = tables.LABORATORIES_ENERGY if laboratories else 0
        sums = [(0, 0)]
        for face in (self.faces[card] for kind in board for card in kind):
            if face.energy:
                sums += [(w + face.workers, e + face.energy + extra) for w, e in sums]
        return max(energy for workers, energy in sums if workers <= workforce)

    def most_energy(self, company: Company) -> int:
        """The most that any set of plants yields with the available workers, OR-35."""
        return self._energy(company.board, company.uses(self.laboratories), company.workforce)

    def most_powered(self, company: Company) -> int:
        return min(company.network, self.most_energy(company))

    def saving(self, company: Company) -> int:
        """The discount on a bid, O-11.2."""
        return tables.DATA_LIBRARY_SAVING if company.uses(self.data_library) else 0

    def labour_ladder(self, company: Company) -> Ladder:
        return self.cheap_labour if company.uses(self.ecoplants) else self.labour
