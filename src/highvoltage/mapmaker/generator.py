"""Draws a map from a seed: cities, a planar network, regions that hang together, and costs.

The same seed, sizes and `GENERATOR_VERSION` give the same map. Costs are those of an official
board, given to the new connections by their length, so that a map is as dear as the board it is
like.
"""

from collections.abc import Sequence
from itertools import combinations
from math import cos, exp, hypot, pi, sin, sqrt
from random import Random
from typing import NamedTuple

from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import City, Connection, Layout, Map
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
from highvoltage.mapmaker.names import town_names

GENERATOR_VERSION = 1
CITIES_PER_REGION = range(7, 10)
REGIONS = range(5, 8)  # five or six play on five of them
# As the page draws regions, in this order.
COLOURS = ("green", "purple", "olive", "blue", "red", "orange", "teal")
CANDIDATES = 30  # places of which the one farthest from all cities is taken
ROUGHNESS = 0.25  # how far the coast leaves an oval
TERRAIN = 3  # mountains, which make what crosses them dearer
TERRAIN_COST = 0.6  # by how much, on top of one
COST_NOISE = 0.18  # standard deviation of what no length explains
ATTEMPTS = 200


class _Ground(NamedTuple):
    """The land of a map: a coast, and mountains on it."""

    canvas: Point
    waves: tuple[tuple[int, float, float], ...]  # of the coast: number, height, phase
    mountains: tuple[Point, ...]

    def holds(self, place: Point) -> bool:
        """Whether it is land, with room for a name."""
        x, y = ((place[axis] - self.canvas[axis] / 2) / (self.canvas[axis] / 2) for axis in (0, 1))
        far = hypot(x, y) or 1e-9
        coast = 1.0
        for number, height, phase in self.waves:
            # The angle's multiples, without a function that differs between machines.
            coast += height * _wave(number, x / far, y / far, phase)
        inside = all(MARGIN <= place[axis] <= self.canvas[axis] - MARGIN for axis in (0, 1))
        return inside and far <= coast

    def steepness(self, place: Point) -> float:
        """How much dearer a line over this place is."""
        reach = self.canvas[0] / 6
        nearest = min(distance(place, mountain) for mountain in self.mountains)
        return 1 + TERRAIN_COST * exp(-((nearest / reach) ** 2))


def _wave(number: int, x: float, y: float, phase: float) -> float:
    """cos(number * angle + phase) for the angle of a unit vector."""
    turned_x, turned_y = 1.0, 0.0
    for _ in range(number):
        turned_x, turned_y = turned_x * x - turned_y * y, turned_x * y + turned_y * x
    return turned_x * cos(phase) - turned_y * sin(phase)


def make_map(
    seed: str, cities: int = 42, regions: int = 6, like: str = "germany", language: str = "en"
) -> Map:
    """A map of this size, as dear as an official one.

    >>> board = make_map("1", cities=35, regions=5)
    >>> len(board.cities), board.regions
    (35, ('green', 'purple', 'olive', 'blue', 'red'))
    """
    if regions not in REGIONS or cities // regions not in CITIES_PER_REGION:
        raise OptionError(
            f"A map is made with {REGIONS[0]} to {REGIONS[-1]} regions of {CITIES_PER_REGION[0]} to"
            f" {CITIES_PER_REGION[-1]} cities each, not with {cities} cities in {regions} regions."
        )
    costs = sorted(link.cost for link in load_map(like).connections)
    density = len(costs) / len(load_map(like).cities)
    for attempt in range(ATTEMPTS):
        rng = Random(f"{GENERATOR_VERSION}/{seed}/{cities}/{regions}/{like}/{language}/{attempt}")
        ground = _draw_ground(cities, rng)
        places = _draw_places(cities, ground, rng)
        if places is None:
            continue
        lines = _draw_lines(places, round(density * cities), rng)
        parts = _draw_regions(places, lines, regions)
        if parts is not None:
            break
    else:
        raise OptionError(f"No map of {cities} cities in {regions} regions came out; try others.")
    names = town_names(cities + 1, language, rng)
    ids = [_slug(name) for name in names]
    return Map(
        id=f"made_{_slug(seed) or 'map'}",
        name=names[-1],
        regions=COLOURS[:regions],
        cities=tuple(
            City(ids[n], names[n], COLOURS[part], round(x / 100, 2), round(-y / 100, 2))
            for n, ((x, y), part) in enumerate(zip(places, parts, strict=True))
        ),
        connections=tuple(
            Connection(ids[a], ids[b], cost)
            for (a, b), cost in _draw_costs(places, lines, costs, ground, rng)
        ),
        edition=f"made by generator {GENERATOR_VERSION} from seed {seed}",
        region_colours={colour: colour for colour in COLOURS[:regions]},
        layout=Layout(
            (round(ground.canvas[0]), round(ground.canvas[1])),
            {ids[n]: (round(x), round(y)) for n, (x, y) in enumerate(places)},
        ),
    )


def _draw_ground(cities: int, rng: Random) -> _Ground:
    shape = rng.uniform(0.8, 1.4)  # width by height
    area = AREA_PER_CITY * cities / (pi / 4)
    canvas = sqrt(area * shape) + MARGIN, sqrt(area / shape) + MARGIN
    waves = tuple(
        (number, ROUGHNESS / number * rng.random(), rng.uniform(0, 2 * pi)) for number in (2, 3, 5)
    )
    mountains = tuple(
        (rng.uniform(0, canvas[0]), rng.uniform(0, canvas[1])) for _ in range(TERRAIN)
    )
    return _Ground(canvas, waves, mountains)


def _draw_places(cities: int, ground: _Ground, rng: Random) -> list[Point] | None:
    """Places on land in whole pixels, none too close to another; None if they do not fit."""
    places: list[Point] = []
    for _ in range(cities):
        tries = (
            (
                round(rng.uniform(MARGIN, ground.canvas[0] - MARGIN)),
                round(rng.uniform(MARGIN, ground.canvas[1] - MARGIN)),
            )
            for _ in range(CANDIDATES * 4)
        )
        free = [
            place
            for place in tries
            if ground.holds(place)
            and all(distance(place, other) >= MIN_CITY_DISTANCE for other in places)
        ]
        if not free:
            return None
        # Some lie close together, as towns do, and some far apart.
        few = free[: rng.choice((2, CANDIDATES))]
        places.append(max(few, key=lambda at: min([distance(at, to) for to in places], default=0)))
    return places


def _draw_lines(places: Sequence[Point], wanted: int, rng: Random) -> list[Line]:
    """A connected network without crossings and without lines through cities."""
    pairs = sorted(combinations(range(len(places)), 2), key=lambda pair: _length(places, pair))
    lines: list[Line] = []
    for a, b in pairs:
        clear = all(
            n in (a, b) or distance_to_line(places[n], places[a], places[b]) >= MIN_LINE_DISTANCE
            for n in range(len(places))
        )
        if clear and not any(_crossing(places, (a, b), line) for line in lines):
            lines.append((a, b))
    spare = sorted(
        lines, key=lambda line: _length(places, line) * rng.uniform(0.6, 1.4), reverse=True
    )
    for line in spare:
        if len(lines) <= wanted:
            break
        rest = [other for other in lines if other != line]
        if all(sum(end in other for other in rest) >= 2 for end in line) and _joined(
            rest, len(places)
        ):
            lines = rest
    return sorted(lines)


def _draw_regions(places: Sequence[Point], lines: Sequence[Line], regions: int) -> list[int] | None:
    """The region of every city: each hangs together, and none is larger by more than one.

    Every city joins the nearest of some cities far apart; then large regions give cities at their
    borders to smaller ones. None if that does not come out even.
    """
    near = _neighbours(lines, len(places))
    parts = _grown(places, near, regions)
    for _ in range(10 * len(places)):
        sizes = [parts.count(region) for region in range(regions)]
        if max(sizes) - min(sizes) <= 1:
            return parts
        gifts = [
            (sizes[parts[city]] - sizes[parts[other]], city, parts[other])
            for city in range(len(places))
            for other in near[city]
            if sizes[parts[city]] > sizes[parts[other]] and _hangs_without(parts, near, city)
        ]
        if not gifts:
            return None
        largest, _, _ = max(gifts)
        best = [(city, region) for size, city, region in gifts if size == largest]
        city, region = min(best, key=lambda gift: (_spread(places, parts, *gift), gift))
        parts[city] = region
    return None


def _grown(places: Sequence[Point], near: Sequence[set[int]], regions: int) -> list[int]:
    """Regions that grow from cities far apart, the smallest first, to whatever is nearest."""
    every = range(len(places))
    middle = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    seeds = [max(every, key=lambda n: distance(places[n], middle))]
    while len(seeds) < regions:
        seeds.append(
            max(every, key=lambda n: min(distance(places[n], places[seed]) for seed in seeds))
        )
    parts = [-1] * len(places)
    for region, seed in enumerate(seeds):
        parts[seed] = region
    while -1 in parts:
        borders = [
            (parts.count(parts[city]), distance(places[n], places[seeds[parts[city]]]), n, city)
            for city in every
            for n in near[city]
            if parts[city] != -1 and parts[n] == -1
        ]
        _, _, taken, by = min(borders)
        parts[taken] = parts[by]
    return parts


def _hangs_without(parts: Sequence[int], near: Sequence[set[int]], city: int) -> bool:
    """Whether the region of a city hangs together without it."""
    rest = {n for n, part in enumerate(parts) if part == parts[city] and n != city}
    return bool(rest) and _reached(next(iter(rest)), near, rest) == rest


def _spread(places: Sequence[Point], parts: Sequence[int], city: int, region: int) -> float:
    """How far a city lies from the middle of a region."""
    own = [place for place, part in zip(places, parts, strict=True) if part == region]
    middle = sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
    return distance(places[city], middle)


def _draw_costs(
    places: Sequence[Point],
    lines: Sequence[Line],
    costs: Sequence[int],
    ground: _Ground,
    rng: Random,
) -> list[tuple[Line, int]]:
    """The costs of an official board, the lowest for the shortest and easiest line."""

    def effort(line: Line) -> float:
        a, b = places[line[0]], places[line[1]]
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        return distance(a, b) * ground.steepness(middle) * exp(rng.gauss(0, COST_NOISE))

    efforts = {line: effort(line) for line in lines}
    ranked = sorted(lines, key=lambda line: efforts[line])
    cost = {
        line: costs[round(n * (len(costs) - 1) / max(1, len(ranked) - 1))]
        for n, line in enumerate(ranked)
    }
    return [(line, cost[line]) for line in lines]


def _length(places: Sequence[Point], line: Line) -> float:
    return distance(places[line[0]], places[line[1]])


def _crossing(places: Sequence[Point], one: Line, two: Line) -> bool:
    return not {*one} & {*two} and crosses(*(places[n] for n in (*one, *two)))


def _joined(lines: Sequence[Line], cities: int) -> bool:
    """Whether one can get from every city to every other."""
    return len(_reached(0, _neighbours(lines, cities), {*range(cities)})) == cities


def _neighbours(lines: Sequence[Line], cities: int) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(cities)]
    for a, b in lines:
        near[a].add(b)
        near[b].add(a)
    return near


def _reached(start: int, near: Sequence[set[int]], within: set[int]) -> set[int]:
    """The cities that one comes to without leaving some."""
    seen, waiting = {start}, [start]
    while waiting:
        further = near[waiting.pop()] & within - seen
        seen |= further
        waiting += further
    return seen


def _slug(name: str) -> str:
    """A name as an id: only small letters, digits and _."""
    plain = name.casefold().translate(_PLAIN)
    return "".join(letter for letter in plain if letter in _SLUG)


_SLUG = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_PLAIN = str.maketrans(
    {
        **dict(zip("ąćęłńóśźżáčďéěíňřšťúůýžđäöü", "acelnoszzacdeeinrstuuyzdaou", strict=True)),
        "ß": "ss",
        " ": "_",
        "-": "_",
    }
)
