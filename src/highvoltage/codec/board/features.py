"""The constant features of a map and the regions in play, as arrays."""

import numpy as np

from highvoltage.codec.board.areas import UNREACHABLE, AreaRows, Areas, region_rows
from highvoltage.codec.spec import Array
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.mapform import MapRules
from highvoltage.games.classic.ruleset import BoardRuleset

CACHE_SIZE = 10_000  # networks


class AreaFeatures(AreaRows):
    """The cities of the area as arrays."""

    def __init__(self, area: Area, rules: MapRules, rows: int) -> None:
        super().__init__(area, rules, rows)
        count = len(area.cities)
        self.distance: Array = np.array(area.distance, np.float32).reshape(count, count)
        self.blank: Array = np.array(self.blank_rows, np.float32)
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


class AreaFeatureCache(Areas[AreaFeatures]):
    """The areas of a ruleset's map, each computed once."""

    def __init__(self, ruleset: BoardRuleset) -> None:
        super().__init__(ruleset, AreaFeatures)
        self.regions: Array = np.array(region_rows(ruleset), np.float32)
