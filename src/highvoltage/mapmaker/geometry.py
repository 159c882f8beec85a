"""Points and lines of a drawn map, in pixels, and how much room they need."""

from math import hypot

MIN_CITY_DISTANCE = 85.0  # pixels between two cities
MIN_LINE_DISTANCE = 36.0  # pixels between a city and a line it does not belong to
MARGIN = 60.0  # pixels around the map
AREA_PER_CITY = 28_000.0  # square pixels

Point = tuple[float, float]
Line = tuple[int, int]


def distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    """The distance of a point from the line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length if length else 0.0
    t = 0.0 if t < 0 else 1.0 if t > 1 else t
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the line from `a` to `b` crosses the one from `c` to `d`."""
    return _left(a, b, c) != _left(a, b, d) and _left(c, d, a) != _left(c, d, b)


def _left(p: Point, q: Point, r: Point) -> bool:
    return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])
