"""Where to begin: the city from which a small network costs least."""

from collections.abc import Iterable
from functools import cache
from statistics import fmean

from highvoltage.engine.errors import MapError
from highvoltage.engine.parts.board import Area, area_of, load_map

NETWORK = 5
"""Cities of the network that a start is judged by."""


def area_seen(name: str, regions: Iterable[str], cities: Iterable[str]) -> Area | None:
    """The play area with these cities; None for a map that does not come with the package."""
    try:
        area = area_of(load_map(name), regions)
    except (MapError, ValueError):
        return None
    return area if all(city in area.index for city in cities) else None


@cache
def connection_costs(name: str) -> dict[str, int]:
    """What a connection within each region costs, on average; nothing for an unknown map."""
    try:
        board = load_map(name)
    except (MapError, ValueError):
        return {}
    regions = {city.id: city.region for city in board.cities}
    costs: dict[str, list[int]] = {}
    for link in board.connections:
        if regions[link.a] == regions[link.b]:
            costs.setdefault(regions[link.a], []).append(link.cost)
    return {region: round(fmean(each)) for region, each in costs.items()}


def network_cost(area: Area, start: str, taken: Iterable[str]) -> int:
    """The ways from a start to its nearest cities, each from the nearest already connected."""
    first = area.index[start]
    closed = {first, *(area.index[city] for city in taken)}
    open_cities = [city for city in range(len(area.cities)) if city not in closed]
    reach = list(area.distance[first])
    cost = 0
    for _ in range(min(NETWORK - 1, len(open_cities))):
        nearest = min(open_cities, key=reach.__getitem__)
        cost += reach[nearest]
        open_cities.remove(nearest)
        reach = [min(a, b) for a, b in zip(reach, area.distance[nearest], strict=True)]
    return cost
