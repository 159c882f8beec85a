"""What a board game is played by: the numbers of an edition, a map and options, resolved."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from highvoltage.engine.parts.board import Area, area_of
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
PLAIN_SLOTS = tuple(Slot(cost, step) for step, cost in enumerate(tables.HOUSE_PRICES, 1))


class Numbers(Struct, frozen=True):
    """The reference card of an edition; what goes by the number of players is a mapping."""

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

    map: Map
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
    rules: Mapping[str, str]  # the rule behind each line that the map does not change

    @property
    def key(self) -> tuple[object, ...]:
        return *super().key, id(self.map)

    @property
    def market_size(self) -> int:
        return self.plant_market.current + self.plant_market.future

    @property
    def chooses_starts(self) -> bool:
        """To start a further network is a move of its own: a connection leads there as well."""
        if self.version < 3:
            return False  # the cheaper way counted
        return self.map_rules.networks is not None and not self.map.islands  # A-JPN-4

    def area(self, regions: tuple[str, ...]) -> Area:
        """The cities of these regions and what it costs to get from one to another."""
        return area_of(self.map, regions, self.connections)

    def slots_of(self, city: str) -> tuple[Slot, ...]:
        return self.map_rules.slots.get(city, PLAIN_SLOTS)

    def lines(self) -> Iterator[Line]:
        of_map = {name.partition(".")[0] for name in self.map_rules.used()}
        of_map |= {name for name in ("regions_in_play", "islands") if getattr(self.map, name)}
        options = {each.name for each in self.options}  # shown as what was chosen
        for name, value in self._values():
            if name in options:
                continue
            if name in of_map:
                yield Line(name, value, "map", self.map.section or RULES[name])
            else:
                yield Line(name, value, "rulebook", self.rules[name])
        yield from super().lines()

    def _values(self) -> Iterator[tuple[str, Any]]:
        """Every number that all boards have, then whatever else the map changes."""
        yield "regions_in_play", self.regions
        yield "start_money", self.start_money
        yield "plant_limit", self.plant_limit
        yield "step_2_cities", self.step_2_cities
        yield "end_cities", self.end_cities
        yield "house_prices", [slot.cost for slot in PLAIN_SLOTS]
        yield "tokens", dict(zip(tables.FUELS, self.tokens, strict=True))
        if not self.map_rules.markets:
            shelves = dict(zip(tables.FUELS, self.shelves, strict=True))
            yield "start", {fuel: shelf.start for fuel, shelf in shelves.items()}
            yield "refill", {fuel: list(shelf.refill) for fuel, shelf in shelves.items()}
        shown = {"tokens", "start", "refill", "step_2_cities", "end_cities"}
        own: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.map_rules))
        yield from ((name, value) for name, value in own.items() if name not in shown)


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
    """The ruleset of a game; `faults` tells whether it can be played.

    `refill_row` and `step_2_row` are the rows of the tables, where other ones than those of the
    players hold.
    """
    own = _map_rules(board, name, options, version)
    deck = own.deck or Deck()
    return BoardRuleset(
        rulebook=name,
        version=version,
        players=players,
        options=options,
        map=board,
        map_rules=own,
        regions=board.in_play(players),
        connections=board.connections_by(own),
        start_money=tables.START_MONEY,
        plant_limit=numbers.plant_limit[players],
        step_2_cities=own.step_2_cities.get(step_2_row or players, numbers.step_2_cities[players]),
        end_cities=own.end_cities.get(players, numbers.end_cities[players]),
        tokens=tuple(
            own.tokens.get(fuel, count)
            for fuel, count in zip(tables.FUELS, tables.TOKENS, strict=True)
        ),
        shelves=tuple(_shelves(own, numbers, refill_row or players)),
        deck=deck,
        piles=numbers.piles,
        removed=deck.removed.get(players, numbers.removed[players]),
        plant_market=own.plant_market or PlantMarket(),
        rules=numbers.rules,
    )


def _map_rules(board: Map, name: str, options: tuple[Chosen, ...], version: int) -> MapRules:
    """What the map changes; nothing if the option says so (C-12.3.8)."""
    rules = board.rules_by(name)
    if all(each.name != "map_rules" or each.value for each in options):
        return rules
    if version > 2:
        return NO_RULES
    return msgspec.structs.replace(rules, start={}, refill={}, nuclear_countries=(), discounts=())


def _shelves(own: MapRules, numbers: Numbers, row: int) -> Iterator[Shelf]:
    for market in own.markets.values():
        refill = market.refill.get(row, {})
        for fuel in tables.FUELS:
            prices = _prices(market.spaces.get(fuel, {}))
            yield Shelf(prices, market.start.get(fuel, 0), refill.get(fuel, (0, 0, 0)))
    if own.markets:
        return
    refill = own.refill.get(row, {})
    for kind, fuel in enumerate(tables.FUELS):
        spaces = own.spaces.get(fuel)
        yield Shelf(
            tables.LADDERS[kind].prices if spaces is None else _prices(spaces),
            own.start.get(fuel, numbers.start[kind]),
            refill.get(fuel, tuple(step[kind] for step in tables.REFILL[row])),
        )


def _prices(spaces: Mapping[int, int]) -> tuple[int, ...]:
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
        "house_prices": "C-1.4.1",
        "tokens": "C-1.1.1",
        "start": "C-1.3.4",
        "refill": "C-1.6.1",
    },
)
