"""Where the cities of a map are drawn: projected from the globe, then untangled.

The projection preserves areas, so that a country looks familiar. Then every city may move a little
to make the drawing clearer: no two cities too close, no line through a city that it does not
connect, no avoidable crossing. The same map always gives the same layout.
"""

import json
from collections.abc import Sequence
from itertools import combinations
from math import cos, exp, hypot, pi, radians, sin, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from highvoltage.engine.parts.mapform import Layout, Map
from highvoltage.mapmaker.geometry import (
    AREA_PER_CITY,
    MARGIN,
    MIN_CITY_DISTANCE,
    MIN_LINE_DISTANCE,
    Line,
    Point,
    crosses,
    distance,
    distance_to_line,
)

HOME_STRAIN = 0.8  # strain per pixel away from the projected position
LABEL_ROOM = 20.0  # preferred extra pixels between two cities, for their names
SLACK = 4.0  # pixels that the search adds to the minimum distances
SWEEPS = 400  # how often every city tries another position
ATTEMPTS = 4  # with other seeds, while there are faults
WIDTH = 100  # columns of a line in a map file
ROWS = ("cities", "connections")


class Projection(NamedTuple):
    """Lambert's azimuthal equal-area projection, in pixels."""

    lon: float
    lat: float
    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def place(self, lon: float, lat: float) -> Point:
        east, north, middle = radians(lon - self.lon), radians(lat), radians(self.lat)
        near = 1 + sin(middle) * sin(north) + cos(middle) * cos(north) * cos(east)
        k = sqrt(2 / near)
        x = k * cos(north) * sin(east)
        y = k * (cos(middle) * sin(north) - sin(middle) * cos(north) * cos(east))
        return self.x + self.scale * x, self.y - self.scale * y

    def __str__(self) -> str:
        """The parameters, from which matching outlines can be drawn."""
        return (
            f"azimuthal equal area, centre {self.lon:.2f} {self.lat:.2f},"
            f" scale {self.scale:.1f}, origin {self.x:.1f} {self.y:.1f}; untangled"
        )


class Faults(NamedTuple):
    """What is wrong with a layout."""

    close: list[tuple[str, str]]  # cities too close to each other
    touching: list[tuple[str, str, str]]  # a city, and the ends of a line too close to it
    crossing: list[tuple[str, str, str, str]]

    @property
    def total(self) -> int:
        return len(self.close) + len(self.touching) + len(self.crossing)


def lay_out(board: Map) -> Layout:
    """Positions for all cities of a map."""
    projection, canvas = _fitted(board)
    homes = [projection.place(city.lon, city.lat) for city in board.cities]
    index = {city.id: at for at, city in enumerate(board.cities)}
    lines = [(index[link.a], index[link.b]) for link in board.connections]
    size = round(canvas[0]), round(canvas[1])
    tried = []
    for attempt in range(ATTEMPTS):
        places = _Search(homes, lines, canvas, Random(f"{board.id}/{attempt}")).settle()
        cities = zip(board.cities, places, strict=True)
        spots = {city.id: (round(x), round(y)) for city, (x, y) in cities}
        tried.append(Layout(size, spots, str(projection)))
        if faults_of(board, tried[-1]).total == 0:
            break
    return min(tried, key=lambda layout: faults_of(board, layout).total)


def faults_of(board: Map, layout: Layout) -> Faults:
    """What is wrong with the layout of a map, by the ids of cities."""
    at = layout.cities
    names = [city.id for city in board.cities]
    lines = [(link.a, link.b) for link in board.connections]
    return Faults(
        [(a, b) for a, b in combinations(names, 2) if distance(at[a], at[b]) < MIN_CITY_DISTANCE],
        [
            (city, a, b)
            for a, b in lines
            for city in names
            if city not in (a, b) and distance_to_line(at[city], at[a], at[b]) < MIN_LINE_DISTANCE
        ],
        [
            (*one, *two)
            for one, two in combinations(lines, 2)
            if not {*one} & {*two} and crosses(at[one[0]], at[one[1]], at[two[0]], at[two[1]])
        ],
    )


def write_layout(path: Path, layout: Layout) -> None:
    """Put the layout into a map file; the rest stays, one city or connection per line."""
    data = json.loads(path.read_text("utf-8-sig"))
    _write(path, {**data, "layout": msgspec.to_builtins(layout)})


def write_map(path: Path, board: Map) -> None:
    """Write a map as a file, one city or connection per line."""
    _write(path, json.loads(msgspec.json.encode(board)))


def _write(path: Path, data: dict[str, Any]) -> None:
    fields = [
        f"  {_json(key)}: {_block(value, 2, rows=key in ROWS)}" for key, value in data.items()
    ]
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n", "utf-8")


def _block(value: Any, indent: int, *, rows: bool = False) -> str:
    """A value on one line if it fits, else one line for each of its parts."""
    flat = _json(value)
    if not isinstance(value, dict | list) or (len(flat) + indent <= WIDTH and not rows):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        parts = [f"{_json(key)}: {_block(part, inner)}" for key, part in value.items()]
        opening, closing = "{}"
    else:
        parts = [_json(part) if rows else _block(part, inner) for part in value]
        opening, closing = "[]"
    lines = ",\n".join(" " * inner + part for part in parts)
    return f"{opening}\n{lines}\n{' ' * indent}{closing}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fitted(board: Map) -> tuple[Projection, Point]:
    """The projection, centred on the map, and the size of the canvas."""
    lons, lats = [city.lon for city in board.cities], [city.lat for city in board.cities]
    middle = Projection((min(lons) + max(lons)) / 2, (min(lats) + max(lats)) / 2)
    middle = middle._replace(lon=round(middle.lon, 2), lat=round(middle.lat, 2))
    raw = [middle.place(city.lon, city.lat) for city in board.cities]
    left, top = min(x for x, _ in raw), min(y for _, y in raw)
    width, height = max(x for x, _ in raw) - left, max(y for _, y in raw) - top
    scale = round(sqrt(AREA_PER_CITY * len(raw) / (width * height)), 1)
    fitted = middle._replace(
        scale=scale, x=round(MARGIN - scale * left, 1), y=round(MARGIN - scale * top, 1)
    )
    return fitted, (scale * width + 2 * MARGIN, scale * height + 2 * MARGIN)


class _Search:
    """Simulated annealing: a city tries another position, and at first may accept a worse one."""

    def __init__(
        self, homes: Sequence[Point], lines: Sequence[Line], canvas: Point, rng: Random
    ) -> None:
        self.homes = homes
        self.lines = lines
        self.canvas = canvas
        self.rng = rng
        self.cities = range(len(homes))
        self.own = [[line for line in lines if city in line] for city in self.cities]
        self.others = [[line for line in lines if city not in line] for city in self.cities]
        self.at = [(x + rng.uniform(-9, 9), y + rng.uniform(-9, 9)) for x, y in homes]

    def settle(self) -> list[Point]:
        best, least = list(self.at), sum(map(self.strain, self.cities))
        for turn in range(SWEEPS):
            share = turn / SWEEPS
            heat, step = 60 * (1 - share) ** 3, 4 + 90 * (1 - share) ** 2
            for city in self.cities:
                self.try_move(city, heat, step)
            if turn % 30 == 0 or turn == SWEEPS - 1:
                strain = sum(map(self.strain, self.cities))
                if strain < least:
                    best, least = list(self.at), strain
        return best

    def try_move(self, city: int, heat: float, step: float) -> None:
        old, before = self.at[city], self.strain(city)
        angle, distance = self.rng.uniform(0, 2 * pi), step * self.rng.random() ** 2
        width, height = self.canvas
        x = min(max(old[0] + distance * cos(angle), MARGIN), width - MARGIN)
        y = min(max(old[1] + distance * sin(angle), MARGIN), height - MARGIN)
        self.at[city] = x, y
        worse = self.strain(city) - before
        if worse > 0 and (heat <= 0 or self.rng.random() >= exp(-worse / heat)):
            self.at[city] = old

    def strain(self, city: int) -> float:
        """The cost of the position of one city, including all lines that end there."""
        at, here = self.at, self.at[city]
        apart, clear = MIN_CITY_DISTANCE + LABEL_ROOM, MIN_LINE_DISTANCE + SLACK
        sum_ = HOME_STRAIN * distance(here, self.homes[city])
        for other in self.cities:
            if other != city:
                dx, dy = here[0] - at[other][0], here[1] - at[other][1]
                if abs(dx) < apart and abs(dy) < apart and (far := hypot(dx, dy)) < apart:
                    sum_ += 3 * (apart - far) + (80 if far < MIN_CITY_DISTANCE + SLACK else 0)
        x, y = here
        for a, b in self.others[city]:
            (ax, ay), (bx, by) = at[a], at[b]
            outside = x + clear < min(ax, bx) or x - clear > max(ax, bx)
            if outside or y + clear < min(ay, by) or y - clear > max(ay, by):
                continue
            if (off := distance_to_line(here, at[a], at[b])) < clear:
                sum_ += 6 * (clear - off) + 40
        for line in self.own[city]:
            sum_ += self.line_strain(city, line)
        return sum_

    def line_strain(self, city: int, line: Line) -> float:
        """The cost of a line that ends in a city. Most of the map is far away and skipped."""
        at, clear = self.at, MIN_LINE_DISTANCE + SLACK
        a, b = at[line[0]], at[line[1]]
        left, right = min(a[0], b[0]), max(a[0], b[0])
        top, bottom = min(a[1], b[1]), max(a[1], b[1])
        sum_ = 0.0
        for other in self.cities:
            x, y = at[other]
            if not (left - clear < x < right + clear and top - clear < y < bottom + clear):
                continue
            if other not in line and (off := distance_to_line(at[other], a, b)) < clear:
                sum_ += 6 * (clear - off) + 40
        end = line[1] if line[0] == city else line[0]
        for one, two in self.others[city]:
            c, d = at[one], at[two]
            outside = (c[0] < left and d[0] < left) or (c[0] > right and d[0] > right)
            if outside or (c[1] < top and d[1] < top) or (c[1] > bottom and d[1] > bottom):
                continue
            if end not in (one, two) and crosses(a, b, c, d):
                sum_ += 300
        return sum_
