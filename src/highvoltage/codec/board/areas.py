"""The constant features of a map and the regions in play, as plain numbers."""

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from highvoltage.codec.actions import MAX_OFFERED
from highvoltage.codec.board.layout import CITIES, CITY, MARKET, REGIONS, Extras
from highvoltage.codec.rows import Row
from highvoltage.codec.spec import CodecError
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.mapform import Map, MapRules
from highvoltage.games.classic.ruleset import BoardRuleset

NEAREST_CITIES = 5  # cities whose distances measure how central a city is
LINKS = CITY.index("links")
UNREACHABLE = 10_000  # more than any path costs
CACHE_SIZE = 10_000  # networks


def extras_of(ruleset: BoardRuleset) -> Extras:
    own = ruleset.map_rules
    market = ruleset.plant_market
    offered = ruleset.market_size if market.three_stages else market.current
    return Extras(
        tuple(own.markets),
        bool(own.storage),
        ruleset.chooses_starts,
        max(0, ruleset.market_size - MARKET),
        own.outage is not None,
        own.mines is not None,
        max(0, most_cities(ruleset) - CITIES),
        max(0, offered - MAX_OFFERED),
    )


def most_cities(ruleset: BoardRuleset) -> int:
    """The cities of the largest regions, as many as are in play."""
    sizes = sorted(Counter(city.region for city in ruleset.map.cities).values(), reverse=True)
    return sum(sizes[: ruleset.regions])


class AreaRows:
    """The cities of the area as rows."""

    def __init__(self, area: Area, rules: MapRules, rows: int) -> None:
        self.area = area
        self.cities: tuple[str, ...] = area.cities
        self.row: dict[str, int] = area.index
        self._reach: dict[tuple[str, ...], list[int]] = {}
        self.blank_rows: list[Row] = [
            [1, *[0] * (LINKS - 1), *features] for features in city_features(area, rules)
        ] + [[0] * len(CITY)] * (rows - len(area.cities))
        self.blank: bytes = array("f", chain.from_iterable(self.blank_rows)).tobytes()

    def reach(self, own: tuple[str, ...]) -> list[int]:
        """The path cost from a network to each city; UNREACHABLE to its own, and without one."""
        known = self._reach.get(own)
        if known is None:
            if not own:
                return [UNREACHABLE] * len(self.cities)
            latest = self.area.distance[self.row[own[-1]]]
            known = [*map(min, self.reach(own[:-1]), latest)]
            for city in own:
                known[self.row[city]] = UNREACHABLE
            if len(self._reach) >= CACHE_SIZE:
                self._reach.clear()
            self._reach[own] = known
        return known


class Areas:
    """The areas of a ruleset's map, each computed once."""

    def __init__(self, ruleset: BoardRuleset) -> None:
        board = ruleset.map
        if len(board.regions) > REGIONS:
            raise CodecError(
                f"{board.name} has {len(board.regions)} regions; the code has room for {REGIONS}"
            )
        self.ruleset = ruleset
        self.board: Map = board
        self.rules: MapRules = ruleset.map_rules
        self.rows: int = CITIES + extras_of(ruleset).more_cities
        self._known: dict[tuple[str, ...], AreaRows] = {}

    def of(self, regions: Iterable[str]) -> AreaRows:
        chosen = tuple(regions)
        known = self._known.get(chosen)
        if known is None:
            try:
                area = self.ruleset.area(chosen)
            except ValueError as error:
                raise CodecError(f"this view is of another map than {self.board.id}") from error
            known = self._known[chosen] = AreaRows(area, self.rules, self.rows)
        return known


def city_features(area: Area, rules: MapRules) -> list[Row]:
    """Connections, distance to other cities, nuclear plants allowed, cheaper fuel."""
    countries = rules.nuclear_countries
    rows: list[Row] = []
    for city, (near, country) in enumerate(zip(area.neighbours, area.countries, strict=True)):
        nearest = sorted(area.distance[city])[1 : NEAREST_CITIES + 1]
        central = 1 - sum(nearest) / len(nearest) / 40 if nearest else 0
        allowed = not countries or country in countries
        rows.append([min(1, len(near) / 8), min(1, max(0, central)), allowed, 0])
    for discount in rules.discounts:
        if discount.city in area.index:
            row = rows[area.index[discount.city]]
            row[3] = min(1, row[3] + discount.amount / 5)
    return rows


def region_rows(ruleset: BoardRuleset) -> list[Row]:
    """For each region: present, not chosen, its size, and how expensive its connections are."""
    board = ruleset.map
    rows: list[Row] = []
    region_of = {city.id: city.region for city in board.cities}
    entry = {city.id: city.cost for city in board.cities}
    for region in board.regions:
        inside = [
            link.cost + (entry[link.a] + entry[link.b]) / 2
            for link in ruleset.connections
            if region_of[link.a] == region_of[link.b] == region
        ]
        size = sum(there == region for there in region_of.values())
        dear = sum(inside) / len(inside) / 30 if inside else 1
        rows.append([1, 0, min(1, size / 10), min(1, dear)])
    return rows + [[0, 0, 0, 0] for _ in range(REGIONS - len(rows))]
