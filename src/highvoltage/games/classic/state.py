"""What the board games keep beyond what all games keep, and the terms they are played by."""

from functools import lru_cache
from typing import Any, Self, TypeVar

import msgspec

from highvoltage.engine.chance import Chance
from highvoltage.engine.moves import Build, Buy, Move
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.maprules import MapRules
from highvoltage.engine.parts.market import CardMarket, MarketState, MarketTerms
from highvoltage.engine.state import Player, Terms
from highvoltage.games.classic import tables

B = TypeVar("B", bound="BoardState")

CLOSED = 1_000_000
"""More than anybody can pay."""
START = tables.HOUSE_PRICES[0]  # a network starts in an empty city, C-7.2


class BoardPlayer(Player):
    """A company: money, plants, fuel and the cities it has connected."""

    __slots__ = ("cities", "fuel", "mask", "reach", "supplied")

    def __init__(self, money: int, fuel: Held) -> None:
        super().__init__(money)
        self.fuel = fuel
        self.cities: tuple[int, ...] = ()  # in the order they were connected
        self.mask = 0  # the same as bits
        self.reach: list[int] | None = None  # path to each city, CLOSED to own; never changed
        self.supplied = 0  # cities supplied in the latest bureaucracy

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        new.fuel = self.fuel
        new.cities = self.cities
        new.mask = self.mask
        new.reach = self.reach
        new.supplied = self.supplied
        return new


class BoardState(MarketState):
    """The map and the fuel market."""

    __slots__ = (
        "area",
        "houses",
        "most_cities",
        "phased_out",
        "regions",
        "slots",
        "step",
        "step3_pending",
        "stock",
        "supply",
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
        self.most_cities = 0  # L in the rules
        self.stock = stock  # fuel on the market
        self.supply = supply  # fuel neither on the market nor on a plant
        self.step = 1
        self.step3_pending = False
        self.phased_out = False  # the map's fuel that is not refilled any more

    def copy(self) -> Self:
        new = super().copy()
        new.regions = self.regions
        new.area = self.area
        new.houses = self.houses[:]
        new.slots = self.slots[:]
        new.most_cities = self.most_cities
        new.stock = self.stock[:]
        new.supply = self.supply[:]
        new.step = self.step
        new.step3_pending = self.step3_pending
        new.phased_out = self.phased_out
        return new


NOWHERE = 1_000  # a city outside the regions in play


@lru_cache(maxsize=64)
def _build_moves(cities: tuple[str, ...]) -> list[Move]:
    return [Build(city) for city in cities]


@lru_cache(maxsize=256)
def _nuclear_cities(area: Area, countries: tuple[str, ...]) -> int:
    """The cities that allow nuclear power, as bits."""
    return sum(1 << city for city in range(len(area.cities)) if area.country(city) in countries)


class BoardTerms(MarketTerms[B]):
    """What the rulebook, the map and the number of players fix in a board game."""

    buys = tuple(
        [Buy(fuel, count) for count in range(1, tokens + 1)]
        for fuel, tokens in zip(tables.FUELS, tables.TOKENS, strict=True)
    )

    start_stock: tuple[int, ...]  # fuel on the market at the start

    def __init__(self, board: Map, players: int, options: dict[str, Any], version: int) -> None:
        self.map = board
        self.players = players
        self.version = version
        self.asks_everybody = version > 1 and options["money"] == "hidden"  # C-4.4.5
        self.options = options
        self.map_rules = self.rules_of_map()
        self.regions = board.in_play(players)
        self.plant_limit = tables.PLANT_LIMIT[players]
        self.step_2_cities = tables.STEP_2_CITIES[players]
        self.end_cities = tables.END_CITIES[players]
        self.refills = self.refill_table()
        self.demolition = tables.DEMOLITION if options["demolition"] else ()
        self.storage_prices = tuple(  # of fuel beyond the market, 0 where none is sold
            self.map_rules.storage_price.get(fuel, 0) for fuel in tables.FUELS
        )

    def rules_of_map(self) -> MapRules:
        rules = self.map.rules_by(self.name)
        if self.options["map_rules"]:
            return rules
        return msgspec.structs.replace(  # C-12.3.8
            rules, start={}, refill={}, nuclear_countries=(), discounts=()
        )

    def refill_table(self) -> tuple[tuple[int, ...], ...]:
        """Fuel that comes to the market, by Step and kind; a map may have its own."""
        own = self.map_rules.refill.get(self.refill_row, {})
        by_fuel = zip(*tables.REFILL[self.refill_row], strict=True)
        merged = [own.get(fuel, row) for fuel, row in zip(tables.FUELS, by_fuel, strict=True)]
        return tuple(zip(*merged, strict=True))

    @property
    def refill_row(self) -> int:
        return self.players

    def bars_nuclear(self, s: B, seat: int, card: int) -> bool:
        countries = self.map_rules.nuclear_countries
        if not countries or tables.PLANTS[card].fuels != (tables.URANIUM,):
            return False
        return not s.players[seat].mask & _nuclear_cities(s.area, countries)

    # Fuel

    def ladder(self, s: B, player: BoardPlayer, kind: int) -> Ladder:
        """The prices that this player pays for a kind of fuel."""
        ladder = tables.LADDERS[kind]
        for discount in self.map_rules.discounts:
            city = s.area.index.get(discount.city, NOWHERE)
            if discount.fuel == tables.FUELS[kind] and player.mask >> city & 1:
                ladder = ladder.cheaper(discount.amount)  # C-12.3.6
        return ladder

    def for_sale(self, s: B, kind: int) -> int:
        return s.stock[kind] + (s.supply[kind] if self.storage_prices[kind] else 0)

    def fuel_cost(self, s: B, player: BoardPlayer, kind: int, count: int) -> int:
        stock = s.stock[kind]
        ladder = self.ladder(s, player, kind)
        if count <= stock:
            return ladder.cost(stock, count)
        return ladder.cost(stock, stock) + (count - stock) * self.storage_prices[kind]

    def affordable(self, s: B, player: BoardPlayer, kind: int) -> int:
        stock = s.stock[kind]
        ladder = self.ladder(s, player, kind)
        count = ladder.affordable(stock, player.money)
        price = self.storage_prices[kind]
        if price and count == stock:
            left = player.money - ladder.cost(stock, stock)
            count += min(s.supply[kind], left // price)
        return count

    def refill(self, s: B) -> tuple[int, ...]:
        """How much fuel of each kind comes to the market at most."""
        counts = self.refills[s.step - 1]
        phase_out = self.map_rules.phase_out
        if phase_out is None or not s.phased_out:
            return counts
        kinds = zip(tables.FUELS, counts, strict=True)
        return tuple(0 if fuel == phase_out.fuel else count for fuel, count in kinds)

    # Building

    def build_moves(self, area: Area) -> list[Move]:
        return _build_moves(area.cities)

    def slot_price(self, s: B, city: int) -> int:
        houses = len(s.houses[city])
        return tables.HOUSE_PRICES[houses] if houses < s.step else CLOSED  # C-1.4.1

    def starts(self, s: B) -> list[int]:
        """The cities where a network may start, C-7.2."""
        return [city for city, houses in enumerate(s.houses) if not houses]

    def build_cost(self, s: B, player: BoardPlayer, city: int) -> int:
        if player.reach is None:
            return START  # C-7.2.1
        return s.slots[city] + player.reach[city]  # C-7.3.1
