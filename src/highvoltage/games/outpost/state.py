"""What Outpost keeps beyond what all games keep, O-3.6."""

from typing import TYPE_CHECKING, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import Player, State
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import Planet  # a field's type
from highvoltage.games.outpost.market import StackMarket

if TYPE_CHECKING:
    from highvoltage.games.outpost.rulebook import Outpost

CLOSED = 1_000_000
"""More than anybody can pay."""
SYNDICATE = -1
"""The seat of the Syndicate's buildings, and of what it does."""
FREE = -2
"""A special slot on which nobody has built."""

PLANT, HABITAT = 0, 1  # of the two kinds of card spaces

# How far a company's turn has come, O-7.0.2
BUILDING, BOARD, HIRED = range(3)
STAGES = ("building", "board", "hired")


class Company(Player):
    """A company, be it a player's or the Syndicate's: its pieces, cards and workers."""

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
        "structure",
        "ways",
    )

    stations = tables.STATIONS  # on the map, on Colony cards and still on the company board

    def __init__(self, money: int, cities: int) -> None:
        super().__init__(money)
        self.cities: tuple[int, ...] = ()  # on the map with a station, in the order of building
        self.network = 0  # stations on the map and on Colony cards
        self.structure = 0  # cities with any building, as bits
        # What the way to each city costs; for a station CLOSED where it has one. Never changed.
        self.reach = self.ways = [0] * cities
        self.open = (0, 0)  # uncovered spaces for plants and habitats
        self.board: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # the cards on them
        self.colonies: tuple[tuple[int, str], ...] = ()  # pieces on Colony cards
        self.humans = 0
        self.robots = 0
        self.busy = ""  # who stands on the Robots card this round: human or robot
        self.powered = 0  # cities powered in the latest bureaucracy

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.cities = self.cities
        new.network = self.network
        new.structure = self.structure
        new.reach = self.reach
        new.ways = self.ways
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
        """The cards beside the company board."""
        plants, habitats = self.board
        return tuple(card for card in self.cards if card not in plants and card not in habitats)

    @property
    def workforce(self) -> int:
        """Who can run plants, O-8.1.5."""
        return self.humans + self.robots - bool(self.busy)

    def uses(self, technology: int) -> bool:
        return technology in self.cards


class SyndicateCompany(Company):
    """The Syndicate owns technologies without using them, O-12.5.5."""

    __slots__ = ()

    stations = tables.SYNDICATE_STATIONS

    def uses(self, technology: int) -> bool:
        return False


class OutpostState(State):
    """The planet, its labour market, and the Syndicate if two play."""

    __slots__ = (
        "choices",
        "free",
        "labour",
        "planet",
        "robots",
        "slots",
        "specials",
        "stage",
        "stations",
        "step3_pending",
        "syndicate",
    )

    players: list[Company]
    market: StackMarket

    rules: "Outpost"

    def __init__(
        self,
        rules: Rulebook,
        chance: Chance,
        players: list[Company],
        order: tuple[int, ...],
        market: StackMarket,
        planet: Planet,
        labour: int,
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        cities = len(planet.cities)
        self.planet = planet
        self.labour = labour  # workers in the labour market
        self.robots = tables.ROBOTS  # in the supply
        self.stations: list[tuple[int, ...]] = [()] * cities  # seats by city, in slot order
        self.specials = [FREE] * cities  # the seat on the special slot
        self.slots = [tables.STATION_PRICES[0]] * cities  # price of the next station, or CLOSED
        self.free = tuple(  # cities with a free special slot, by kind; replaced, never changed
            tuple(city for city, slot in enumerate(planet.kinds) if slot == kind)
            for kind in tables.KINDS
        )
        self.stage = BUILDING
        self.choices: tuple[int, ...] = ()  # cities for a building that the Syndicate needs
        self.step3_pending = False
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
        new.choices = self.choices
        new.step3_pending = self.step3_pending
        new.syndicate = self.syndicate and self.syndicate.copy()
        return new
