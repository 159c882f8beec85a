"""Maps that are drawn by a seed can be played, are drawn without faults, and come out the same."""

import re
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec
import pytest

from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import load_map
from highvoltage.games import check_map
from highvoltage.mapmaker import make_map
from highvoltage.mapmaker.layout import SWEEPS, _Search, faults_of, write_map
from highvoltage.mapmaker.names import STEMS, town_names


@pytest.mark.parametrize(
    ("seed", "cities", "regions", "language"),
    [("1", 42, 6, "en"), ("ola", 35, 5, "pl"), ("7", 49, 7, "de"), ("x y", 47, 6, "cs")],
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
