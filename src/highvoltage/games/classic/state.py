"""What the board games keep beyond what all games keep, and the terms they are played by.

A shelf is one kind of fuel on one market. The shelves of the first market have the numbers of the
kinds; those of a second one follow.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Self, TypeVar

import msgspec

from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import IllegalMove
from highvoltage.engine.moves import Build, Buy, Market, Move
from highvoltage.engine.parts.board import NO_WAY, Area
from highvoltage.engine.parts.fuel import FuelRules, Held
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.maprules import Deck, MapRules, PlantMarket, Slot, Spaces
from highvoltage.engine.parts.market import CardMarket, MarketState, MarketTerms
from highvoltage.engine.state import Player, Terms
from highvoltage.games.classic import tables
from highvoltage.games.classic.decks import kind_of

B = TypeVar("B", bound="BoardState")

CLOSED = NO_WAY
"""What a city costs that nobody can build in: more than anybody can pay."""
KINDS = len(tables.FUELS)
NO_MARKET = -1  # none has been chosen yet, where there are several
NOWHERE = 1_000  # a city outside the regions in play
STORED = "stored_"
"""Opens the name of a fuel that is bought from the storage."""

BUYS = tuple([Buy(fuel, count) for count in range(1, 100)] for fuel in tables.FUELS)
STORED_BUYS = tuple([Buy(STORED + fuel, count) for count in range(1, 100)] for fuel in tables.FUELS)
PLAIN = tuple(Slot(cost, step) for step, cost in enumerate(tables.HOUSE_PRICES, 1))  # C-1.4.1
NO_DECK = Deck()
NO_PLANT_MARKET = PlantMarket()


class BoardPlayer(Player):
    """A company: money, plants, fuel and the cities it has connected."""

    __slots__ = ("cities", "fuel", "mask", "reach", "starts", "supplied")

    def __init__(self, money: int, fuel: Held) -> None:
        super().__init__(money)
        self.fuel: Held = fuel
        self.cities: tuple[int, ...] = ()  # in the order they were connected
        self.mask: int = 0  # the same as bits
        self.reach: list[int] | None = None  # path to each city, CLOSED to own; never changed
        self.starts: tuple[int, ...] = ()  # where the networks began
        self.supplied: int = 0  # cities supplied in the latest bureaucracy

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.fuel = self.fuel
        new.cities = self.cities
        new.mask = self.mask
        new.reach = self.reach
        new.starts = self.starts
        new.supplied = self.supplied
        return new


class BoardState(MarketState):
    """The map and the fuel market."""

    __slots__ = (
        "area",
        "houses",
        "most_cities",
        "phased_out",
        "plants",
        "regions",
        "slots",
        "step",
        "step3_pending",
        "stock",
        "storage",
        "supply",
        "trade",
    )

    players: list[BoardPlayer]
    rules: "BoardTerms[Self]"

    def __init__(
        self,
        rules: Terms,
        chance: Chance,
        players: list[BoardPlayer],
        order: tuple[int, ...],
        market: CardMarket,
        stock: list[int],
        supply: list[int],
    ) -> None:
        super().__init__(rules, chance, players, order, market)
        self.regions: tuple[str, ...] = ()  # in play
        self.area: Area  # the cities in play; none before the regions are chosen
        self.houses: list[tuple[int, ...]] = []  # seats by city of the area, in slot order
        self.slots: list[int] = []  # price of the next house by city; CLOSED if none may be built
        self.most_cities: int = 0  # L in the rules
        self.plants: FuelRules  # the plant cards; known with the regions
        self.stock: list[int] = (
            stock  # fuel on the market by kind, of several markets one after the other
        )
        self.supply: list[int] = (
            supply  # fuel neither on the market nor on a plant nor in the storage
        )
        self.storage: tuple[int, ...] = (0,) * len(supply)  # fuel that was burned and is for sale
        self.trade: int = 0  # where the market in use begins in `stock`, or NO_MARKET
        self.step: int = 1
        self.step3_pending: bool = False
        self.phased_out: bool = False  # the map's fuel that is not refilled any more

    def copy(self) -> Self:
        new = super().copy()
        new.regions = self.regions
        new.area = self.area
        new.houses = self.houses[:]
        new.slots = self.slots[:]
        new.most_cities = self.most_cities
        new.plants = self.plants
        new.stock = self.stock[:]
        new.supply = self.supply[:]
        new.storage = self.storage
        new.trade = self.trade
        new.step = self.step
        new.step3_pending = self.step3_pending
        new.phased_out = self.phased_out
        return new


def _ladders(spaces: Spaces, standard: tuple[Ladder, ...]) -> tuple[Ladder, ...]:
    return tuple(
        Ladder([price for price, count in sorted(spaces[fuel].items()) for _ in range(count)])
        if fuel in spaces
        else ladder
        for fuel, ladder in zip(tables.FUELS, standard, strict=True)
    )


class FuelTrade(MarketTerms[B]):
    """What fuel costs, where it comes from and where it goes."""

    map_rules: MapRules
    start_stock: tuple[int, ...]  # fuel on the market at the start

    def set_trade(self) -> None:
        own = self.map_rules
        tokens = zip(tables.FUELS, tables.TOKENS, strict=True)
        self.tokens: tuple[int, ...] = tuple(own.tokens.get(fuel, count) for fuel, count in tokens)
        self.markets: tuple[str, ...] = tuple(own.markets)
        self.market_moves: list[Move] = [Market(name) for name in self.markets]
        self.ladders: tuple[Ladder, ...] = self.all_ladders()
        self.refills: tuple[tuple[int, ...], ...] = self.refill_table()
        self.storage_prices: tuple[int, ...] = (
            tuple(  # of fuel beyond the market, 0 where none is sold
                own.storage_price.get(fuel, 0) for fuel in tables.FUELS
            )
        )
        self.stored_prices: tuple[int, ...] = tuple(
            own.storage.get(fuel, 0) for fuel in tables.FUELS
        )
        self.stores: bool = any(self.stored_prices)
        self.sources: dict[str, tuple[int, int]] = self.all_sources()
        self.open_market = NO_MARKET if self.markets else 0  # where a turn begins in `stock`

    def all_ladders(self) -> tuple[Ladder, ...]:
        if not self.markets:
            return _ladders(self.map_rules.spaces, tables.LADDERS)
        none = (Ladder([]),) * KINDS
        markets = self.map_rules.markets.values()
        return tuple(ladder for market in markets for ladder in _ladders(market.spaces, none))

    @property
    def refill_row(self) -> int:
        return self.players

    def refill_table(self) -> tuple[tuple[int, ...], ...]:
        """Fuel that comes to each shelf, by Step; a map may have its own."""
        row = self.refill_row
        if self.markets:
            markets = self.map_rules.markets.values()
            tables_ = [market.refill.get(row, {}) for market in markets]
            merged = [own.get(fuel, (0, 0, 0)) for own in tables_ for fuel in tables.FUELS]
        else:
            own = self.map_rules.refill.get(row, {})
            by_fuel = zip(tables.FUELS, zip(*tables.REFILL[row], strict=True), strict=True)
            merged = [own.get(fuel, steps) for fuel, steps in by_fuel]
        return tuple(zip(*merged, strict=True))

    def opening_stock(self) -> list[int]:
        """What lies on each shelf at the start."""
        if self.markets:
            markets = self.map_rules.markets.values()
            return [market.start.get(fuel, 0) for market in markets for fuel in tables.FUELS]
        start = zip(tables.FUELS, self.start_stock, strict=True)
        return [self.map_rules.start.get(fuel, count) for fuel, count in start]

    def opening_supply(self, stock: list[int]) -> list[int]:
        return [tokens - sum(stock[kind::KINDS]) for kind, tokens in enumerate(self.tokens)]

    def all_sources(self) -> dict[str, tuple[int, int]]:
        """What may be bought, as a move names it: its kind, and its price if it was stored."""
        kinds = enumerate(zip(tables.FUELS, self.stored_prices, strict=True))
        market = {fuel: (kind, 0) for kind, fuel in enumerate(tables.FUELS)}
        return market | {STORED + fuel: (kind, price) for kind, (fuel, price) in kinds if price}

    # Buying

    def ladder(self, s: B, player: BoardPlayer, shelf: int) -> Ladder:
        """The prices that this player pays on a shelf."""
        ladder = self.ladders[shelf]
        for discount in self.map_rules.discounts:
            city = s.area.index.get(discount.city, NOWHERE)
            if discount.fuel == tables.FUELS[shelf] and player.mask >> city & 1:
                ladder = ladder.cheaper(discount.amount)  # C-12.3.6
        return ladder

    def for_sale(self, s: B, shelf: int) -> int:
        beyond = self.storage_prices[shelf % KINDS]
        return s.stock[shelf] + (s.supply[shelf] if beyond else 0)

    def fuel_cost(self, s: B, player: BoardPlayer, shelf: int, count: int) -> int:
        stock = s.stock[shelf]
        ladder = self.ladder(s, player, shelf)
        if count <= stock:
            return ladder.cost(stock, count)
        return ladder.cost(stock, stock) + (count - stock) * self.storage_prices[shelf]

    def affordable(self, s: B, player: BoardPlayer, shelf: int) -> int:
        stock = s.stock[shelf]
        ladder = self.ladder(s, player, shelf)
        count = ladder.affordable(stock, player.money)
        price = self.storage_prices[shelf % KINDS]
        if price and count == stock:
            left = player.money - ladder.cost(stock, stock)
            count += min(s.supply[shelf], left // price)
        return count

    def move_cost(self, s: B, player: BoardPlayer, move: Buy) -> int:
        """What a purchase costs, from the market in use or from the storage."""
        kind, stored = self.sources[move.fuel]
        if stored:
            return stored * move.count  # A-ZAF-5
        return self.fuel_cost(s, player, s.trade + kind, move.count)

    # Where fuel goes

    def put_back(self, s: B, kind: int, count: int) -> None:
        """Fuel leaves the plants: to the storage if there is one (A-ZAF-4), else to the supply."""
        if self.stored_prices[kind]:
            storage = list(s.storage)
            storage[kind] += count
            s.storage = tuple(storage)
        else:
            s.supply[kind] += count

    def take_out(self, s: B, kind: int, most: int) -> int:
        """Fuel for the market: from the storage first (A-ZAF-4), then from the supply."""
        if not self.stores:
            count = min(most, s.supply[kind])  # C-8.3.1
            s.supply[kind] -= count
            return count
        count = min(most, s.supply[kind] + s.storage[kind])
        stored = min(count, s.storage[kind])
        if stored:
            storage = list(s.storage)
            storage[kind] -= stored
            s.storage = tuple(storage)
        s.supply[kind] -= count - stored
        return count

    def refill(self, s: B) -> tuple[int, ...]:
        """How much fuel comes to each shelf at most."""
        counts = self.refills[s.step - 1]
        phase_out = self.map_rules.phase_out
        if phase_out is None or not s.phased_out:
            return counts
        gone = tables.FUEL_RULES.index[phase_out.fuel]
        shelves = enumerate(counts)
        return tuple(0 if shelf % KINDS == gone else count for shelf, count in shelves)


@lru_cache(maxsize=64)
def _build_moves(cities: tuple[str, ...]) -> list[Move]:
    return [Build(city) for city in cities]


@lru_cache(maxsize=256)
def _islands(area: Area) -> tuple[int, ...]:
    """The number of the island of each city; all on one where the map has none."""
    at = {region: number for number, each in enumerate(area.map.islands) for region in each}
    return tuple(at.get(region, 0) for region in area.regions_of)


class Sites(FuelTrade[B]):
    """Slots and networks."""

    map: Map
    end_cities: int
    step_2_cities: int

    def build_moves(self, area: Area) -> list[Move]:
        return _build_moves(area.cities)

    # Slots

    def slots_of(self, city: str) -> tuple[Slot, ...]:
        return self.map_rules.slots.get(city, PLAIN)

    def slot_price(self, s: B, city: int) -> int:
        slots, houses = self.slots_of(s.area.cities[city]), len(s.houses[city])
        if houses < len(slots) and slots[houses].step <= s.step:
            return slots[houses].cost
        return CLOSED

    # Networks

    def starts(self, s: B) -> list[int]:
        """The cities where a first network may start, C-7.2."""
        own = self.map_rules
        if own.networks and own.networks.starts:  # A-JPN-3; another house does not matter
            names = [s.area.index[city] for city in own.networks.starts if city in s.area.index]
            return sorted(city for city in names if s.slots[city] < CLOSED)
        empty = self.empty(s)
        if own.no_start:
            return [city for city in empty if s.area.cities[city] not in own.no_start]
        return empty

    def empty(self, s: B) -> list[int]:
        """The cities without a house that are open."""
        slots = s.slots
        return [city for city, houses in enumerate(s.houses) if not houses and slots[city] < CLOSED]

    def later_starts(self, s: B, player: BoardPlayer) -> list[int]:
        """The cities where a further network of a player may start."""
        networks = self.map_rules.networks
        if networks is None or len(player.starts) >= networks.most:
            return []
        mask = player.mask
        if not self.map.islands:
            return [city for city in self.starts(s) if not mask >> city & 1]  # A-JPN-4
        islands = _islands(s.area)
        settled = {islands[city] for city in player.cities}
        shores = [city for city in range(len(islands)) if islands[city] not in settled]
        empty = [city for city in self.starts(s) if city in shores]
        return empty or [city for city in shores if s.slots[city] < CLOSED]  # A-UKI-4, A-UKI-4a

    def only_starts(self, s: B) -> bool:
        """In this round networks start and do not grow (A-JPN-5)."""
        networks = self.map_rules.networks
        return networks is not None and networks.first_round > 0 and s.round == 1

    def ways(self, s: B, player: BoardPlayer) -> list[int]:
        """What leads to each city, by connections or as the start of a further network."""
        assert player.reach is not None
        networks = self.map_rules.networks
        if networks is None:
            return player.reach
        ways = [CLOSED] * len(player.reach) if self.only_starts(s) else player.reach[:]
        if not self.only_starts(s) or len(player.cities) < networks.first_round:
            for city in self.later_starts(s, player):
                ways[city] = min(ways[city], networks.surcharge)
        return ways

    def starts_network(self, s: B, player: BoardPlayer, city: int) -> bool:
        """Whether a house there would start a network; a connection that is as cheap wins."""
        if player.reach is None:
            return True
        way = CLOSED if self.only_starts(s) else player.reach[city]
        return self.ways(s, player)[city] < way

    def start_cost(self, s: B, city: int) -> int:
        """What the first house of a player costs."""
        return s.slots[city]  # C-7.2.1

    def build_cost(self, s: B, player: BoardPlayer, city: int) -> int:
        if player.reach is None:
            return self.start_cost(s, city)
        return s.slots[city] + self.ways(s, player)[city]  # C-7.3.1

    # What the number of cities brings about

    def end_at(self, s: B) -> int:
        """So many cities end the game; all there are, if they are fewer (A-UKI-9)."""
        return min(self.end_cities, len(s.area.cities) or self.end_cities)

    def step_2_due(self, s: B) -> bool:
        if s.most_cities >= self.step_2_cities:
            return True
        return self.map_rules.step_2_when_full and all(s.houses)  # A-UKI-8


@lru_cache(maxsize=256)
def _nuclear_cities(area: Area, countries: tuple[str, ...]) -> int:
    """The cities that allow nuclear power, as bits."""
    return sum(1 << city for city in range(len(area.cities)) if area.country(city) in countries)


class BoardTerms(Sites[B]):
    """What the rulebook, the map and the number of players fix in a board game."""

    def __init__(self, board: Map, players: int, options: dict[str, Any], version: int) -> None:
        self.map = board
        self.players = players
        self.version = version
        self.asks_everybody = version > 1 and options["money"] == "hidden"  # C-4.4.5
        self.options = options
        self.map_rules: MapRules = self.rules_of_map()
        self.deck: Deck = self.map_rules.deck or NO_DECK
        self.plant_market: PlantMarket = self.map_rules.plant_market or NO_PLANT_MARKET
        self.regions: int = board.in_play(players)
        self.plant_limit: int = tables.PLANT_LIMIT[players]
        self.set_thresholds(players, tables.STEP_2_CITIES, tables.END_CITIES)
        self.set_trade()
        self.demolition = tables.DEMOLITION if options["demolition"] else ()

    def set_thresholds(self, row: int, step_2: Mapping[int, int], end: Mapping[int, int]) -> None:
        """How many cities start Step 2 and end the game; a map may have its own numbers."""
        own = self.map_rules
        self.step_2_cities: int = own.step_2_cities.get(row, step_2[self.players])
        self.end_cities: int = own.end_cities.get(self.players, end[self.players])

    def rules_of_map(self) -> MapRules:
        rules = self.map.rules_by(self.name)
        if self.options["map_rules"]:
            return rules
        return msgspec.structs.replace(  # C-12.3.8
            rules, start={}, refill={}, nuclear_countries=(), discounts=()
        )

    def refuse(self, code: str, **values: object) -> IllegalMove:
        """A board may have a rule of its own behind a refusal."""
        return IllegalMove(code, self.map.cites.get(code, self.cites[code]), values)

    # The plant market

    @property
    def market_size(self) -> int:
        return self.plant_market.current + self.plant_market.future

    def bars_nuclear(self, s: B, seat: int, card: int) -> bool:
        countries = self.map_rules.nuclear_countries
        if not countries or s.plants.plants[card].fuels != (tables.URANIUM,):
            return False
        return not s.players[seat].mask & _nuclear_cities(s.area, countries)

    def slides(self, s: B) -> int | None:
        """The plant that goes under the deck in phase 5: the highest that may (A-QUE-5)."""
        cards = s.market.plants
        if stay := self.plant_market.never_under_deck:
            cards = [card for card in cards if kind_of(s.plants.plants[card]) not in stay]
        return cards[-1] if cards else None
