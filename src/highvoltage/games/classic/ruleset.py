"""The ruleset of a board game: the numbers of an edition, a map and options, resolved."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import Area, area_of, with_variants
from highvoltage.engine.parts.mapform import (
    NO_RULES,
    RULES,
    Connection,
    Deck,
    Map,
    MapRules,
    PlantMarket,
    Slot,
)
from highvoltage.engine.ruleset import Chosen, Line, Ruleset
from highvoltage.games.classic import tables

KINDS = len(tables.FUELS)
LINES = {"tokens", "start", "refill", "step_2_cities", "end_cities"}  # of the map form, resolved
MAP_RULES = RULES | {
    "regions_in_play": "A-GEN-3",
    "islands": "A-UKI-5",
    "loose_regions": "A-AUS-1",
    "transit_cost": "A-MAN-2",
    "plants_removed": "A-GEN-5",
}
FUEL_LINES = {"tokens", "start", "refill", "spaces"}  # by fuel
RESOLVED = {
    "rules",
    "rulebooks",
    "regions_in_play",
    "variants",
}  # map fields that a ruleset resolves
PLAIN_SLOTS = tuple(Slot(cost, step) for step, cost in enumerate(tables.HOUSE_PRICES, 1))


class Numbers(Struct, frozen=True):
    """The reference card of an edition; numbers that depend on the player count are mappings."""

    start: tuple[int, ...]  # fuel on the market
    plant_limit: Mapping[int, int]
    step_2_cities: Mapping[int, int]
    end_cities: Mapping[int, int]
    piles: tuple[tuple[int, ...], ...]  # that the deck of plants is made of
    removed: Mapping[int, tuple[int, ...]]  # plants taken out at random, of each pile
    rules: Mapping[str, str]  # the rule behind each line of a ruleset


class Shelf(NamedTuple):
    """One kind of fuel on one market."""

    prices: tuple[int, ...]  # of its spaces, cheapest first
    start: int
    refill: tuple[int, ...]  # by Step


class BoardRuleset(Ruleset, frozen=True, kw_only=True, eq=False):
    """A board game. `map_rules` are what the map changes; the rest follows from all together."""

    map: Map  # as the chosen variants change it
    base: Map  # without them
    map_rules: MapRules
    regions: int  # in play
    connections: tuple[Connection, ...]
    start_money: int
    plant_limit: int
    step_2_cities: int
    end_cities: int
    tokens: tuple[int, ...]
    shelves: tuple[Shelf, ...]  # of several markets one after the other
    deck: Deck
    piles: tuple[tuple[int, ...], ...]
    removed: tuple[int, ...]  # plants taken out at random, of each pile
    plant_market: PlantMarket
    refill_row: int  # of the tables: usually the number of players
    step_2_row: int
    rules: Mapping[str, str]  # the rule behind each line that the map does not change

    @property
    def key(self) -> tuple[object, ...]:
        return *super().key, id(self.base)

    @property
    def fuels(self) -> tuple[str, ...]:
        """What the kinds of fuel are called in this game."""
        return tuple(self.map_rules.fuel_names.get(fuel, fuel) for fuel in tables.FUELS)

    @property
    def hybrid(self) -> tuple[int, int]:
        """The kinds that hybrid plants burn, by name as in moves."""
        kinds = [tables.FUELS.index(fuel) for fuel in self.map_rules.hybrid]
        one, two = sorted(kinds, key=self.fuels.__getitem__)
        return one, two

    @property
    def market_size(self) -> int:
        return self.plant_market.current + self.plant_market.future

    @property
    def renewal(self) -> tuple[int, int, int] | None:
        """Plants at the start, cards drawn in phase 5 at least, plants that then lie there.

        The cartel counts as a third player, A-GEN-7.
        """
        own, row = self.plant_market.phase_5, self.step_2_row
        return None if own is None else (own.opening[row], own.least[row], own.size[row])

    @property
    def blocked(self) -> dict[int, int]:
        """How many cities of each price are blocked."""
        return self.map_rules.blocked.get(self.players, {})

    @property
    def steps_without_cities(self) -> bool:
        """No number of cities starts Step 2: the deck does, A-MEA-5, or nothing, A-MAN-4."""
        return self.plant_market.steps_by_deck or self.plant_market.three_stages

    @property
    def opening_size(self) -> int:
        """Plants in the market at the start."""
        return self.market_size if self.renewal is None else self.renewal[0]

    @property
    def chooses_starts(self) -> bool:
        """Starting a further network is a separate move, as a connection may lead there too."""
        if self.version < 3:
            return False  # earlier versions used the cheaper of the two
        return self.map_rules.networks is not None and not self.map.islands  # A-JPN-4

    def area(self, regions: tuple[str, ...]) -> Area:
        """The cities of these regions and the travel costs between them."""
        return area_of(self.map, regions, self.connections, self.map_rules.connection_at_most)

    def slots_of(self, city: str) -> tuple[Slot, ...]:
        return self.map_rules.slots.get(city, PLAIN_SLOTS)

    def board(self) -> dict[str, Any]:
        played = msgspec.structs.asdict(self.map)
        played["connections"] = self.connections
        played["slots"] = {city.id: self.slots_of(city.id) for city in self.map.cities}
        shown = {name: value for name, value in played.items() if name not in RESOLVED}
        data: dict[str, Any] = msgspec.to_builtins(shown)
        return data

    def lines(self) -> Iterator[Line]:
        options = {each.name for each in self.options}  # shown as what was chosen
        fuels = dict(zip(tables.FUELS, self.fuels, strict=True))
        for name, value, of_map in self._values():
            if name in options:
                continue
            shown = in_names(name, value, fuels)
            if of_map:
                yield Line(name, shown, "map", self.map.section or MAP_RULES[name])
            else:
                yield Line(name, shown, "rulebook", self.rules[name])
        yield from (line for line in super().lines() if line.name != "variants" or line.value)

    def _values(self) -> Iterator[tuple[str, Any, bool]]:
        """Name, value, and whether the map changed it: the common lines, then other changes."""
        own, players = self.map_rules, self.players
        yield "regions_in_play", self.regions, players in self.map.regions_in_play
        yield "start_money", self.start_money, False
        yield "plant_limit", self.plant_limit, False
        if not self.steps_without_cities:
            yield "step_2_cities", self.step_2_cities, self.step_2_row in own.step_2_cities
        yield "end_cities", self.end_cities, players in own.end_cities
        yield "house_costs", [slot.cost for slot in PLAIN_SLOTS], False
        yield "plants_removed", list(self.removed), players in self.deck.removed
        yield "tokens", dict(zip(tables.FUELS, self.tokens, strict=True)), bool(own.tokens)
        if not own.markets:
            shelves = dict(zip(tables.FUELS, self.shelves, strict=True))
            starts = {fuel: shelf.start for fuel, shelf in shelves.items()}
            yield "start", starts, bool(own.start)
            refills = {fuel: list(shelf.refill) for fuel, shelf in shelves.items()}
            yield "refill", refills, self.refill_row in own.refill
        if self.map.islands:
            yield "islands", list(map(list, self.map.islands)), True
        if self.map.loose_regions:
            yield "loose_regions", True, True
        if self.map.transit_cost:
            yield "transit_cost", self.map.transit_cost, True
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(own))
        yield from ((name, value, True) for name, value in data.items() if name not in LINES)


def resolve(
    name: str,
    numbers: Numbers,
    board: Map,
    players: int,
    options: tuple[Chosen, ...],
    version: int,
    *,
    refill_row: int | None = None,
    step_2_row: int | None = None,
) -> BoardRuleset:
    """The ruleset of a game; `check_ruleset` checks that it can be played.

    `refill_row` and `step_2_row` select table rows, where these are not the number of players.
    """
    refill_row, step_2_row = refill_row or players, step_2_row or players
    base, board = board, varied(board, players, options)
    own = _map_rules(board, name, options, version)
    deck = _deck_for(own.deck or Deck(), players)
    return BoardRuleset(
        rulebook=name,
        version=version,
        players=players,
        options=options,
        map=board,
        base=base,
        map_rules=own,
        regions=board.region_count(players),
        connections=board.connections_by(own),
        start_money=tables.START_MONEY,
        plant_limit=numbers.plant_limit[players],
        step_2_cities=own.step_2_cities.get(step_2_row, numbers.step_2_cities[players]),
        end_cities=own.end_cities.get(players, numbers.end_cities[players]),
        tokens=tuple(
            own.tokens.get(fuel, count)
            for fuel, count in zip(tables.FUELS, tables.TOKENS, strict=True)
        ),
        shelves=tuple(_shelves(own, numbers, refill_row)),
        deck=deck,
        piles=tables.PILES if deck.two_piles else numbers.piles,
        removed=(0,) * len(numbers.piles)  # A-CHN-3
        if deck.bands
        else deck.removed.get(players, numbers.removed[players]),
        plant_market=own.plant_market or PlantMarket(),
        refill_row=refill_row,
        step_2_row=step_2_row,
        rules=numbers.rules,
    )


def in_names(line: str, value: Any, fuels: Mapping[str, str]) -> Any:
    """The value of a line with the fuels as this game calls them."""
    if line in FUEL_LINES:
        return {fuels[fuel]: each for fuel, each in value.items()}
    if line == "hybrid":
        return [fuels[fuel] for fuel in value]
    if line == "plants":
        return [{**card, "kind": fuels.get(card["kind"], card["kind"])} for card in value]
    return value


def varied(board: Map, players: int, options: tuple[Chosen, ...]) -> Map:
    """The board with the variants that the option names, A-0.6."""
    chosen = next((tuple(each.value) for each in options if each.name == "variants"), ())
    known = ", ".join(board.variants) or "none"
    for name in chosen:
        if name not in board.variants:
            raise OptionError(f"{board.name} has no variant '{name}'. Variants: {known}.")
        if chosen.count(name) > 1:
            raise OptionError(f"The variant '{name}' is named twice.")
        able = board.variants[name].players
        if able and players not in able:
            counts = ", ".join(map(str, able))
            raise OptionError(f"The variant '{name}' of {board.name} is for {counts} players.")
    return with_variants(board, chosen)


def _deck_for(deck: Deck, players: int) -> Deck:
    """The deck for this number of players, which may lack further cards."""
    out = (*deck.out, *deck.out_by_players.get(players, ()))
    return msgspec.structs.replace(deck, out=out, out_by_players={})


def _map_rules(board: Map, name: str, options: tuple[Chosen, ...], version: int) -> MapRules:
    """What the map changes; nothing if the option says so (C-12.3.8)."""
    rules = board.rules_for(name)
    if all(each.name != "map_rules" or each.value for each in options):
        return rules
    if version > 2:
        return NO_RULES
    return msgspec.structs.replace(rules, start={}, refill={}, nuclear_countries=(), discounts=())


def _shelves(own: MapRules, numbers: Numbers, row: int) -> Iterator[Shelf]:
    for market in own.markets.values():
        refill = market.refill.get(row, {})
        for fuel in tables.FUELS:
            prices = prices_of(market.spaces.get(fuel, {}))
            yield Shelf(prices, market.start.get(fuel, 0), refill.get(fuel, (0, 0, 0)))
    if own.markets:
        return
    refill = own.refill.get(row, {})
    for kind, fuel in enumerate(tables.FUELS):
        spaces = own.spaces.get(fuel)
        yield Shelf(
            tables.LADDERS[kind].prices if spaces is None else prices_of(spaces),
            own.start.get(fuel, numbers.start[kind]),
            refill.get(fuel, tuple(step[kind] for step in tables.REFILL[row])),
        )


def prices_of(spaces: Mapping[int, int]) -> tuple[int, ...]:
    """The price of each space, cheapest first."""
    return tuple(price for price, count in sorted(spaces.items()) for _ in range(count))


NUMBERS = Numbers(
    start=tables.START_STOCK,
    plant_limit=tables.PLANT_LIMIT,
    step_2_cities=tables.STEP_2_CITIES,
    end_cities=tables.END_CITIES,
    piles=(tuple(tables.PLANTS),),
    removed={players: (count,) for players, count in tables.PLANTS_REMOVED.items()},
    rules={
        "regions_in_play": "C-1.5",
        "start_money": "C-2.2",
        "plant_limit": "C-1.5",
        "step_2_cities": "C-1.5",
        "end_cities": "C-1.5",
        "house_costs": "C-1.4.1",
        "plants_removed": "C-1.5",
        "tokens": "C-1.1.1",
        "start": "C-1.3.4",
        "refill": "C-1.6.1",
    },
)
