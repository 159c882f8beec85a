"""The constant features of a map and the regions in play, as arrays."""

from collections.abc import Iterable

import numpy as np

from highvoltage.codec.board.layout import CITIES, CITY, REGIONS
from highvoltage.codec.spec import Array, CodecError
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.mapform import Map, MapRules
from highvoltage.games.classic.ruleset import BoardRuleset

NEAREST_CITIES = 5  # cities whose distances measure how central a city is
LINKS = CITY.index("links")
UNREACHABLE = 10_000  # more than any path costs
CACHE_SIZE = 10_000  # networks


class AreaFeatures:
    """The cities of the area as rows."""

    def __init__(self, area: Area, rules: MapRules) -> None:
        count = len(area.cities)
        if count > CITIES:
            raise CodecError(
                f"{area.map.name} has {count} cities in {len(area.regions)} regions;"
                f" the code has room for {CITIES}"
            )
        self.cities: tuple[str, ...] = area.cities
        self.row: dict[str, int] = area.index
        self.distance: Array = np.array(area.distance, np.float32).reshape(count, count)
        self.blank: Array = np.zeros((CITIES, len(CITY)), np.float32)
        self.blank[:count, 0] = 1
        self.blank[:count, LINKS:] = self.city_features(area, rules)
        self._reach: dict[tuple[str, ...], Array] = {}

    def reach(self, own: list[str]) -> Array:
        """The path cost from a network to each city; UNREACHABLE to its own, and without one."""
        key = tuple(own)
        known = self._reach.get(key)
        if known is None:
            if len(self._reach) >= CACHE_SIZE:
                self._reach.clear()
            rows = [self.row[city] for city in own]
            known = self.distance[rows].min(axis=0, initial=UNREACHABLE)
            known[rows] = UNREACHABLE
            self._reach[key] = known
        return known

    def city_features(self, area: Area, rules: MapRules) -> Array:
        """Connections, distance to other cities, nuclear plants allowed, cheaper fuel."""
        count = len(area.cities)
        nearest = np.sort(self.distance, axis=1)[:, 1 : NEAREST_CITIES + 1]
        facts: Array = np.zeros((count, 4), np.float32)
        facts[:, 0] = [min(1, len(near) / 8) for near in area.neighbours]
        facts[:, 1] = np.clip(1 - nearest.mean(axis=1) / 40, 0, 1)
        countries = rules.nuclear_countries
        facts[:, 2] = [not countries or country in countries for country in area.countries]
        for discount in rules.discounts:
            if discount.city in area.index:
                facts[area.index[discount.city], 3] += discount.amount / 5
        return np.minimum(facts, 1)


class AreaFeatureCache:
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
        self.regions: Array = self._regions()
        self._known: dict[tuple[str, ...], AreaFeatures] = {}

    def of(self, regions: Iterable[str]) -> AreaFeatures:
        chosen = tuple(regions)
        known = self._known.get(chosen)
        if known is None:
            try:
                area = self.ruleset.area(chosen)
            except ValueError as error:
                raise CodecError(f"this view is of another map than {self.board.id}") from error
            known = self._known[chosen] = AreaFeatures(area, self.rules)
        return known

    def _regions(self) -> Array:
        """For each region: present, not chosen, its size, and how expensive its connections are."""
        rows: Array = np.zeros((REGIONS, 4), np.float32)
        region_of = {city.id: city.region for city in self.board.cities}
        entry = {city.id: city.cost for city in self.board.cities}
        for at, region in enumerate(self.board.regions):
            inside = [
                link.cost + (entry[link.a] + entry[link.b]) / 2
                for link in self.ruleset.connections
                if region_of[link.a] == region_of[link.b] == region
            ]
            size = sum(there == region for there in region_of.values())
            dear = sum(inside) / len(inside) / 30 if inside else 1
            rows[at] = (1, 0, min(1, size / 10), min(1, dear))
        return rows
