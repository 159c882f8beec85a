"""Maps that are drawn by a seed can be played, are drawn without faults, and come out the same."""

import re
from hashlib import sha256
from itertools import combinations
from math import cos, dist, hypot, radians, sin
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Connection, Layout
from highvoltage.games import check_map
from highvoltage.mapmaker import make_map, spans
from highvoltage.mapmaker.generator import _hangs_without, _joined, _neighbours, _reached
from highvoltage.mapmaker.geometry import (
    MIN_CITY_DISTANCE,
    MIN_LINE_DISTANCE,
    crosses,
    distance,
    distance_to_line,
)
from highvoltage.mapmaker.layout import (
    SWEEPS,
    Projection,
    _block,
    _fitted,
    _Search,
    faults_of,
    write_map,
)
from highvoltage.mapmaker.names import STEMS, town_names
from spread import some


@pytest.mark.parametrize(
    ("seed", "cities", "regions", "language"),
    some(
        ("ola", 35, 5, "pl"),
        of=[("1", 42, 6, "en"), ("ola", 35, 5, "pl"), ("7", 49, 7, "de"), ("x y", 47, 6, "cs")],
    ),
)
def test_a_made_map_is_played_and_drawn_without_faults(
    seed: str, cities: int, regions: int, language: str, tmp_path: Path
) -> None:
    board = make_map(seed, cities, regions, "usa", language)
    assert (len(board.cities), len(board.regions)) == (cities, regions)
    assert board.layout is not None
    assert faults_of(board, board.layout).total == 0
    sizes = [sum(city.region == region for city in board.cities) for region in board.regions]
    assert max(sizes) - min(sizes) <= 1
    write_map(tmp_path / "made.json", board)
    assert check_map(tmp_path / "made.json") == []
    again = load_map(tmp_path / "made.json")
    assert msgspec.to_builtins(again) == msgspec.to_builtins(board)


def test_faults_of_a_layout_are_found_by_hand() -> None:
    board = make_map("1", 35, 5)
    a, b, c, d, e = (city.id for city in board.cities[:5])
    few = replace(
        board, cities=board.cities[:5], connections=(Connection(a, b, 9), Connection(c, d, 9))
    )
    far, near = 20 * round(MIN_CITY_DISTANCE), round(MIN_CITY_DISTANCE) // 2
    square = {a: (0, 0), b: (far, far), c: (0, far), d: (far, 0)}

    def faults(**spots: tuple[int, int]) -> Any:
        return faults_of(few, Layout((1000, 1000), square | spots, ""))

    assert faults(**{e: (far, far // 2)}) == ([], [], [(a, b, c, d)])
    beside = {c: (far, 3 * far), d: (0, 3 * far)}
    assert faults(**beside, **{e: (far, far // 2)}) == ([], [], [])
    assert faults(**beside, **{e: (far // 2, far // 2)}) == ([], [(e, a, b)], [])
    assert faults(**beside, **{e: (0, 3 * far - near)}) == ([(d, e)], [], [])


def test_every_region_hangs_together() -> None:
    board = make_map("3")
    for region in board.regions:
        rest = {city.id for city in board.cities if city.region == region}
        reached = {min(rest)}
        while further := {
            end
            for link in board.connections
            for end, other in ((link.a, link.b), (link.b, link.a))
            if other in reached and end in rest - reached
        }:
            reached |= further
        assert reached == rest


def test_a_city_is_given_away_only_if_the_others_hang_together_without_it() -> None:
    """Of three in a row not the middle one, and never the last of a region."""
    near = _neighbours([(0, 1), (1, 2), (2, 3), (0, 3)], 4)
    assert near == [{1, 3}, {0, 2}, {1, 3}, {0, 2}]
    assert [_hangs_without([5, 5, 5, 6], near, city) for city in range(4)] == [
        *[True, False, True, False]
    ]
    assert _reached(0, near, {0, 1, 3}) == {0, 1, 3}
    assert _reached(1, near, {1, 3}) == {1}
    assert _joined([(0, 1), (1, 2)], 3)
    assert not _joined([(0, 1), (2, 3)], 4)


def test_regions_are_named_like_the_colours_in_which_the_page_draws_them() -> None:
    chart = Path(__file__).parents[2] / "web/src/lib/map/chart.ts"
    (palette,) = re.findall(r"^export const PALETTE = \[(.+)\]$", chart.read_text(), re.MULTILINE)
    assert make_map("1", 49, 7).regions == tuple(re.findall(r"'(\w+)'", palette))


def test_the_same_seed_gives_the_same_map_and_another_one_another() -> None:
    maps = [msgspec.json.encode(make_map(seed, 35, 5)) for seed in ("1", "1", "2")]
    assert maps[0] == maps[1] != maps[2]


def test_costs_are_those_of_the_board_it_is_like() -> None:
    costs = sorted(link.cost for link in make_map("1", like="italy").connections)
    official = sorted(link.cost for link in load_map("italy").connections)
    assert {*costs} <= {*official}
    assert (costs[0], costs[-1]) == (official[0], official[-1])
    middle = official[len(official) // 2]
    assert abs(costs[len(costs) // 2] - middle) <= 1


@pytest.mark.parametrize(("cities", "regions"), [(42, 4), (30, 5), (42, 8), (70, 7), (0, 6)])
def test_sizes_that_cannot_be_played_are_refused(cities: int, regions: int) -> None:
    with pytest.raises(OptionError, match=re.escape("5 to 7 regions of 7 to 9 cities")):
        make_map("1", cities, regions)


def test_a_search_for_places_cools_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """At first a city goes far and may go where it is worse, in the end neither."""
    tried: list[tuple[float, float]] = []
    monkeypatch.setattr(_Search, "try_move", lambda _, _city, *how: tried.append(how))
    search = _Search([(100, 100), (300, 100)], [(0, 1)], (500, 500), Random(1))
    assert search.settle() == search.at
    assert [*tried[0]] == [60, 94]
    heats, steps = zip(*tried, strict=True)
    assert [*heats] == sorted(heats, reverse=True)
    assert [*steps] == sorted(steps, reverse=True)
    assert heats[-1] < 0.01
    assert 4 < steps[-1] < 4.1


@pytest.mark.parametrize(("good", "kept"), [(0, True), (29, False), (30, True), (-1, True)])
def test_a_search_for_places_returns_the_best_it_looked_at(
    good: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every thirtieth time, and in the end."""
    homes = [(200.0, 200.0), (400.0, 200.0)]
    turns = iter(range(SWEEPS))

    def try_move(search: _Search, city: int, *_how: float) -> None:
        if city == 0:
            near = next(turns) == good % SWEEPS
            search.at[:] = homes if near else [(90.0, 90.0), (400.0, 410.0)]

    monkeypatch.setattr(_Search, "try_move", try_move)
    found = _Search(homes, [(0, 1)], (500, 500), Random(1)).settle()
    assert (found == homes) == kept
    if not kept:
        assert found == _Search(homes, [(0, 1)], (500, 500), Random(1)).at  # as it began


@pytest.mark.parametrize("language", STEMS)
def test_names_differ_in_every_language(language: str) -> None:
    names = town_names(64, language, Random(1))
    assert len({*names}) == 64
    assert not [pair for pair in combinations(names, 2) if pair[0].casefold() == pair[1].casefold()]


@pytest.mark.long
@pytest.mark.parametrize("ten", range(20))
def test_two_hundred_maps_can_be_played(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        board = make_map(str(seed), *((35, 5), (42, 6), (49, 7))[seed % 3])
        assert check_map(msgspec.to_builtins(board, str_keys=True)) == [], seed
        assert board.layout is not None
        assert faults_of(board, board.layout).total == 0, seed


def test_a_seed_names_the_same_map_for_everybody() -> None:
    """People tell each other the seed: the map that it names may not change in passing."""
    board = make_map("1", 35, 5)
    drawn = board.layout
    assert drawn is not None
    towns = [f"{city.id} {city.region} {drawn.cities[city.id]}" for city in board.cities]
    links = [f"{link.a} {link.b} {link.cost}" for link in board.connections]
    told = "\n".join([f"{drawn.canvas}", *sorted(towns), *sorted(links)])
    assert sha256(told.encode()).hexdigest()[:16] == "ab278722b696af47"
    assert board.name == "Brookgate"


def plain_strain(search: _Search, city: int) -> float:
    """The strain of a city, without leaving out what is far away."""
    at, here = search.at, search.at[city]
    clear = MIN_LINE_DISTANCE + 4
    sum_ = 0.8 * distance(here, search.homes[city])
    for far in (distance(here, place) for n, place in enumerate(at) if n != city):
        sum_ += 3 * max(0, MIN_CITY_DISTANCE + 20 - far)
        sum_ += 80 * (far < MIN_CITY_DISTANCE + 4)
    apart = [(n, line) for line in search.lines if city not in line for n in [city]]
    apart += [(n, line) for line in search.lines if city in line for n in range(len(at))]
    for n, (a, b) in apart:
        off = distance_to_line(at[n], at[a], at[b])
        if n not in (a, b) and off < clear:
            sum_ += 6 * (clear - off) + 40
    for one in search.lines:
        for two in search.lines:
            if city in one and city not in two and not {*one} & {*two}:
                sum_ += 300 * crosses(*(at[end] for end in (*one, *two)))
    return sum_


@pytest.mark.parametrize("seed", range(12))
def test_the_strain_of_a_city_is_the_sum_of_what_is_wrong(seed: int) -> None:
    rng = Random(seed)
    homes = [(rng.uniform(0, 500), rng.uniform(0, 400)) for _ in range(12)]
    lines = rng.sample([*combinations(range(12), 2)], 16)
    search = _Search(homes, lines, (500, 400), rng)
    for city in range(12):
        assert search.strain(city) == pytest.approx(plain_strain(search, city))


def test_how_far_a_place_is_from_a_line_and_what_crosses() -> None:
    """Held against points that lie close together along the lines."""
    rng = Random(1)

    def place() -> tuple[float, float]:
        return rng.uniform(-10, 10), rng.uniform(-10, 10)

    for _ in range(60):
        p, a, b, c, d = (place() for _ in range(5))
        points = [
            (a[0] + (b[0] - a[0]) * n / 400, a[1] + (b[1] - a[1]) * n / 400) for n in range(401)
        ]
        nearest = min(distance(p, point) for point in points)
        assert distance_to_line(p, a, b) == pytest.approx(nearest, abs=0.04)
        assert distance_to_line(p, a, a) == pytest.approx(distance(p, a))
        gap = min(distance_to_line(point, c, d) for point in points)
        assert crosses(a, b, c, d) == (gap < 0.04), (a, b, c, d)


def test_a_map_is_fitted_to_its_canvas() -> None:
    board = load_map("usa")
    projection, (width, height) = _fitted(board)
    assert projection[:2] == tuple(round(each, 2) for each in projection[:2])
    assert projection[2:] == tuple(round(each, 1) for each in projection[2:])
    told = "azimuthal equal area, centre -96.87 36.69, scale 2085.0, origin 782.2 545.2; untangled"
    assert str(projection) == told
    xs, ys = zip(*(projection.place(city.lon, city.lat) for city in board.cities), strict=True)
    assert (min(xs), min(ys)) == pytest.approx((60, 60), abs=0.1)
    assert (width - max(xs), height - max(ys)) == pytest.approx((60, 60), abs=0.1)
    area = (max(xs) - min(xs)) * (max(ys) - min(ys))
    assert area == pytest.approx(28_000 * len(board.cities), rel=0.01)


@pytest.mark.parametrize(
    ("lon", "lat"), [(10, 50), (100, 0), (10, 90), (55, 20), (-30, 62), (170, -33), (-169, -47)]
)
def test_a_place_is_drawn_in_its_direction_and_as_far_as_its_chord(lon: float, lat: float) -> None:
    """That is what preserves areas."""

    def on_globe(lon: float, lat: float) -> tuple[float, float, float]:
        east, north = radians(lon), radians(lat)
        return cos(north) * cos(east), cos(north) * sin(east), sin(north)

    x, y = Projection(10, 50, 100, 300, 200).place(lon, lat)
    found, middle = on_globe(lon, lat), on_globe(10, 50)
    assert hypot(x - 300, y - 200) == pytest.approx(100 * dist(found, middle))
    east = sum(a * b for a, b in zip(found, on_globe(100, 0), strict=True))
    north = sum(a * b for a, b in zip(found, on_globe(10, 140), strict=True))
    assert (x - 300) * north == pytest.approx((200 - y) * east)
    assert (x - 300) * east >= 0
    assert (200 - y) * north >= -1e-9


def test_a_search_for_places_comes_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout of a map may not change in passing either."""
    monkeypatch.setattr("highvoltage.mapmaker.layout.SWEEPS", 31)
    homes = [(100.0 + 60 * (n % 4), 100.0 + 45 * (n // 4)) for n in range(8)]
    lines = [(0, 1), (1, 2), (2, 3), (0, 5), (4, 1), (5, 6), (6, 7), (3, 7)]
    search = _Search(homes, lines, (420, 300), Random(1))
    assert rounded(search.at) == [
        *[(93, 106), (165, 96), (220, 99), (283, 105)],
        *[(93, 137), (166, 144), (225, 136), (279, 149)],
    ]
    assert rounded(search.settle()) == [
        *[(114, 240), (85, 60), (163, 79), (258, 73)],
        *[(60, 160), (167, 181), (266, 216), (338, 128)],
    ]


def rounded(places: list[tuple[float, float]]) -> list[tuple[int, int]]:
    return [(round(x), round(y)) for x, y in places]


def test_names_are_written_as_they_are_read() -> None:
    assert _block({"name": "Žilina"}, 0) == '{"name": "Žilina"}'


def test_a_board_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def played(name: str, number: int, _seed: str) -> int:
        assert name == "usa"
        asked.append(number)
        return number

    monkeypatch.setattr(spans, "KEPT", tmp_path / "build" / "spans")
    monkeypatch.setattr(spans, "play_sample", played)
    monkeypatch.setattr(spans, "tally", lambda samples, _: len([*samples]))
    monkeypatch.setattr(spans, "measure", lambda games, _: ({"rounds": (9.5 * games, "")}, ()))
    for _ in range(2):
        assert spans.measure_board("usa", 2) == {"rounds": 19.0}
    assert asked == [0, 1]
