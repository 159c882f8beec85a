"""Where to begin: the city from which a small network costs least."""

from collections.abc import Iterable

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
