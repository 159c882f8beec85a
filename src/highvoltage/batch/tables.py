"""The numbers of one setting as arrays, made from the games' own tables and map files.

A card is a code of 15 bits that contains what is printed on it, so that no lookup is needed:
number, kind, tokens needed, cities supplied, from the highest bit down. Codes sort by number.
"""

from functools import cached_property
from typing import Any

import numpy as np

from highvoltage import codec
from highvoltage.codec.board import layout
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import Area, region_choices, region_sets
from highvoltage.engine.parts.fuel import FuelRules  # noqa: TC001  # a field's type
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games import rulebook
from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.games.classic.ruleset import BoardRuleset  # noqa: TC001  # a field's type
from highvoltage.games.recharged import tables as recharged
from highvoltage.games.recharged.rulebook import Recharged

Table = np.ndarray[Any, np.dtype[Any]]

FUELS = len(classic.FUELS)
HYBRID, ECO = FUELS, FUELS + 1  # kinds besides those of a single fuel
MARKET = len(classic.OPENING_MARKET)
COVERED_RULES = {  # of a map
    *("start", "refill", "nuclear_countries", "discounts", "phase_out", "storage_price"),
    *("step_2_cities", "end_cities"),
}
COVERED_OPTIONS = {
    *("regions", "money", "demolition", "map_rules"),
    *("refill_row_two_players", "standard_starting_cities"),
}
MAX_DISCOUNT_CITIES = 6  # cities with cheaper fuel; every set of them has a row of prices
UNREACHABLE = 10_000  # more than any distance; fits twice into 16 bits


def code_of(number: int, kind: int = ECO, need: int = 0, powers: int = 0) -> int:
    """The code of a card.

    >>> number_of(code_of(20, 0, 3, 5)), code_of(20, 0, 3, 5) < code_of(21)
    (20, True)
    """
    if not (number < 128 and need < 4 and powers < 8):
        raise OptionError(f"Plant {number} does not fit into the codes of the batched game.")
    return number << 8 | kind << 5 | need << 3 | powers


def number_of(code: int) -> int:
    return code >> 8


LAST = code_of(LAST_CARD)
NONE = code_of(127)
CARDS = tuple(classic.PLANTS)
CODES: Table = np.array(
    [
        code_of(
            card,
            HYBRID if plant.hybrid else plant.fuels[0] if plant.fuels else ECO,
            plant.need,
            plant.powers,
        )
        for card, plant in classic.PLANTS.items()
    ],
    np.int16,
)


class Tables:
    """The constants of games of one rulebook, map, number of players and options."""

    def __init__(self, name: str, where: MapSpec, players: int, options: dict[str, Any]) -> None:
        rules = rulebook(name, players, where, options)
        assert isinstance(rules, BoardRulebook)
        self.rules: BoardRulebook[Any] = rules
        self.ruleset: BoardRuleset = rules.ruleset
        self.id: str = f"highvoltage_{rules.name}"
        self.players = players
        self.recharged: bool = isinstance(rules, Recharged)
        self.check_ruleset()
        self.limit: int = rules.plant_limit
        self.fuel_rules: FuelRules = classic.FUEL_RULES
        self.spec: codec.Spec = codec.make(name, where, players, **options).spec
        self.heads: dict[str, codec.Head] = {head.name: head for head in self.spec.heads}
        self.actions: int = self.spec.num_actions
        self.cartel: bool = self.recharged and players == 2
        self.marks: bool = isinstance(rules, Recharged) and bool(rules.marks)
        self.draft: bool = rules.options["regions"] == "draft"
        self.asks_everybody: bool = bool(rules.asks_everybody)
        self.hidden_money: bool = rules.options["money"] == "hidden"
        self.step_2_cities: int = rules.step_2_cities
        market = rules.fuel_market
        self.tokens: Table = np.array(market.tokens, np.int8)
        self.start_money: int = self.ruleset.start_money
        self.start_stock: Table = np.array(market.start, np.int8)
        self.refills: Table = np.array(market.refills, np.int8)  # [step, fuel]
        self.payment: Table = np.array(classic.PAYMENT, np.int16)
        self.house_prices: Table = np.array(classic.HOUSE_PRICES, np.int16)
        self.demolition: Table = np.array(rules.demolition, np.int16)  # [card, first or later]
        self.storage_prices: tuple[int, ...] = market.beyond
        self._areas()

    def check_ruleset(self) -> None:
        """Refuse a map rule or an option that is not implemented here."""
        given, board = self.rules.map_rules, self.rules.map
        lacking = [name for name in given.changed_fields() if name not in COVERED_RULES]
        lacking += ["islands"] * bool(board.islands)
        lacking += ["loose_regions"] * board.loose_regions
        lacking += ["cities.cost"] * any(city.cost for city in board.cities)
        lacking += ["transit_cost"] * bool(board.transit_cost)
        if lacking:
            raise OptionError(
                f"{board.name} has the rule '{lacking[0]}', which batched games lack;"
                " play it with highvoltage.new."
            )
        for option in self.ruleset.options:
            if option.changed and option.name not in COVERED_OPTIONS:
                raise OptionError(
                    f"The option '{option.name}' is {option.value!r}, which batched games lack;"
                    " play it with highvoltage.new."
                )
        if len(given.discounts) > MAX_DISCOUNT_CITIES:
            raise OptionError(
                f"{board.name} has {len(given.discounts)} 'discounts'; batched games"
                f" have room for {MAX_DISCOUNT_CITIES}."
            )

    def _areas(self) -> None:
        """Every set of regions that may be in play: its cities and the distances between them."""
        rules = self.rules
        chosen = rules.options["regions"]
        if isinstance(chosen, str):
            self.region_sets: tuple[tuple[str, ...], ...] = region_sets(rules.map, rules.regions)
        else:
            self.region_sets = (tuple(r for r in rules.map.regions if r in chosen),)
        self.areas: list[Area] = [self.ruleset.area(regions) for regions in self.region_sets]
        self.cities: int = max(len(area.cities) for area in self.areas)
        if self.cities > layout.CITIES:
            raise OptionError(
                f"{rules.map.name} has {self.cities} cities in {rules.regions} regions; batched"
                f" games have room for {layout.CITIES}."
            )
        distances: Table = np.full(
            (len(self.areas), self.cities, self.cities), UNREACHABLE, np.int16
        )
        for table, area in zip(distances, self.areas, strict=True):
            table[: len(area.cities), : len(area.cities)] = area.distance
        longest = max(max(map(max, area.distance)) for area in self.areas)
        if longest >= UNREACHABLE:
            raise OptionError(
                f"{rules.map.name} has a way of cost {longest}; at most {UNREACHABLE - 1}."
            )
        self.distances: Table = (
            distances.clip(0, 255).astype(np.uint8) if longest < 255 else distances
        )
        self.end_cities: Table = np.array(  # [area] all cities, if there are fewer
            [min(rules.end_cities, len(area.cities)) for area in self.areas], np.int8
        )
        self.in_play: Table = np.array(
            [[city < len(area.cities) for city in range(self.cities)] for area in self.areas]
        )

    def of_cities(self, fact: Any) -> Table:
        """A fact of every city of every area; False for rows without a city."""
        rows = [[bool(fact(area, c)) for c in range(len(area.cities))] for area in self.areas]
        return np.array([row + [False] * (self.cities - len(row)) for row in rows])

    @cached_property
    def nuclear(self) -> Table | None:
        """The cities that allow nuclear power, C-12.3.2; None where all do."""
        countries = self.rules.map_rules.nuclear_countries
        return self.of_cities(lambda a, c: a.country(c) in countries) if countries else None

    @cached_property
    def discount_cities(self) -> Table:
        """[discount, area, city]: whether the discount belongs to the city, C-12.3.6."""
        discounts = self.rules.map_rules.discounts
        where = [self.of_cities(lambda a, c, d=d: a.cities[c] == d.city) for d in discounts]
        return np.array(where).reshape(len(discounts), len(self.areas), self.cities)

    @cached_property
    def next_to(self) -> Table:
        """[area, city, city]: whether they are joined by one connection."""
        joined = np.zeros((len(self.areas), self.cities, self.cities), bool)
        for table, area in zip(joined, self.areas, strict=True):
            for city, near in enumerate(area.neighbours):
                table[city, [other for other, _ in near]] = True
        return joined

    @cached_property
    def prices(self) -> Table:
        """[set of discounts, fuel, place]: the ladders of the fuel market, cheapest first."""
        discounts = self.rules.map_rules.discounts
        size = max(ladder.size for ladder in classic.LADDERS)
        prices = np.zeros((1 << len(discounts), FUELS, size), np.int16)
        for chosen in range(1 << len(discounts)):
            for kind, fuel in enumerate(classic.FUELS):
                ladder = classic.LADDERS[kind]
                for at, discount in enumerate(discounts):
                    if chosen >> at & 1 and discount.fuel == fuel:
                        ladder = ladder.with_discount(discount.amount)
                prices[chosen, kind, : ladder.size] = ladder.prices
        return prices

    @cached_property
    def price_sums(self) -> Table:
        """The same, as cumulative sums."""
        return np.cumsum(self.prices, axis=2, dtype=np.int16)

    @cached_property
    def ladder_sizes(self) -> Table:
        return np.array([ladder.size for ladder in classic.LADDERS], np.int8)

    @cached_property
    def phase_out(self) -> tuple[int, int] | None:
        """The code of the plant and the fuel that it phases out, R-11.1."""
        rule = self.rules.map_rules.phase_out
        if rule is None or rule.plant not in CARDS:
            return None
        return int(CODES[CARDS.index(rule.plant)]), classic.FUELS.index(rule.fuel)

    @cached_property
    def region_choices(self) -> Table:
        """[regions chosen as bits, region]: whether it may be chosen next, C-2.1.2."""
        names = self.rules.map.regions
        table = np.zeros((1 << len(names), len(names)), bool)
        for bits in range(1 << len(names)):
            chosen = [name for at, name in enumerate(names) if bits >> at & 1]
            if len(chosen) < self.rules.regions:
                open_ = region_choices(self.rules.map, chosen, self.rules.regions)
                table[bits] = [name in open_ for name in names]
        return table

    @cached_property
    def area_bits(self) -> Table:
        """Each set of regions as bits."""
        names = self.rules.map.regions
        return np.array(
            [sum(1 << names.index(region) for region in regions) for regions in self.region_sets],
            np.int32,
        )

    def area(self, index: int) -> Area:
        return self.areas[index]

    # Set-up of the deck, C-2.5 and

    @cached_property
    def deck(self) -> "DeckTables":
        return DeckTables(self)


class DeckTables:
    """Which cards may be where at the start."""

    def __init__(self, tables: Tables) -> None:
        players = tables.players
        opening = (*classic.OPENING_MARKET, classic.TOP_OF_DECK)
        self.opening: Table = np.array([card in classic.OPENING_MARKET for card in CARDS])
        self.top: Table = np.array([card == classic.TOP_OF_DECK for card in CARDS])
        self.rest: Table = np.array([card not in opening for card in CARDS])
        self.left: int = int(self.rest.sum()) - classic.PLANTS_REMOVED[players]
        self.plugs: Table = np.array([card in recharged.PLUGS for card in CARDS])
        self.plugs_left: int = len(recharged.PLUGS) - recharged.PLUGS_REMOVED[players]
        self.sockets_left: int = len(recharged.SOCKETS) - recharged.SOCKETS_REMOVED[players]
