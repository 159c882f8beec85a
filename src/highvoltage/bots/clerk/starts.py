"""Where to begin: the city from which a small network costs least."""

from collections.abc import Iterable
from statistics import fmean

from highvoltage.engine.errors import MapError
from highvoltage.engine.parts.board import Area, area_of, load_map, with_variants
from highvoltage.engine.parts.mapform import NO_RULES, Map, MapRules
from highvoltage.views import BoardView

NETWORK_SIZE = 5
"""Cities in the network by which a start is judged."""


def rules_of_view(view: BoardView) -> tuple[Map, MapRules]:
    """The map of a view, and what it changes; MapError if it is unknown."""
    board = with_variants(load_map(view["map"]), tuple(view.get("variants", ())))
    return board, board.rules_for(view["rulebook"]) if view.get("map_rules", True) else NO_RULES


def area_of_view(view: BoardView, cities: Iterable[str]) -> Area | None:
    """The play area with these cities; None for a map that is not part of the package."""
    try:
        board, rules = rules_of_view(view)
        connections = board.connections_by(rules)
        area = area_of(board, view["regions"], connections, rules.connection_at_most)
    except (MapError, ValueError):
        return None
    return area if all(city in area.index for city in cities) else None


def connection_costs(view: BoardView) -> dict[str, int]:
    """The average cost of a connection within each region; empty for an unknown map."""
    try:
        board, rules = rules_of_view(view)
    except (MapError, ValueError):
        return {}
    regions = {city.id: city.region for city in board.cities}
    entry = {city.id: city.cost for city in board.cities}
    costs: dict[str, list[int]] = {}
    for link in board.connections_by(rules):
        if regions[link.a] == regions[link.b]:
            entered = (entry[link.a] + entry[link.b]) // 2
            costs.setdefault(regions[link.a], []).append(link.cost + entered)
    return {region: round(fmean(each)) for region, each in costs.items()}


def network_cost(area: Area, start: str, taken: Iterable[str]) -> int:
    """What it costs to connect the nearest cities to a start, each from the nearest connected."""
    first = area.index[start]
    closed = {first, *(area.index[city] for city in taken)}
    open_cities = [city for city in range(len(area.cities)) if city not in closed]
    reach = list(area.distance[first])
    cost = 0
    for _ in range(min(NETWORK_SIZE - 1, len(open_cities))):
        nearest = min(open_cities, key=reach.__getitem__)
        cost += reach[nearest]
        open_cities.remove(nearest)
        paths = zip(reach, area.distance[nearest], strict=True)
        reach = [old if old < new else new for old, new in paths]  # noqa: FURB136  # faster than `min`
    return cost
