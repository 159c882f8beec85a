"""The shipped maps, the regions in play and the distances between cities."""

import random
from collections.abc import Iterable
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from highvoltage.engine.parts.board import (
    Area,
    City,
    Connection,
    Discount,
    Map,
    MapRules,
    PhaseOut,
    _labelled,
    area_of,
    check_map,
    is_connected,
    known_maps,
    load_map,
    region_choices,
    region_neighbours,
    region_sets,
    shipped_maps,
)

NAMES = ("central_europe", "germany", "germany_recharged", "usa", "usa_recharged")
every_map = pytest.mark.parametrize("name", NAMES)


def ids(area: Area, *cities: str) -> list[int]:
    return [area.index[city] for city in cities]


# The shipped maps


def test_the_shipped_maps_are_found_by_name_and_made_once() -> None:
    assert {*NAMES} <= {*shipped_maps()}
    assert all(load_map(name) is load_map(name) and load_map(name).id == name for name in NAMES)


@pytest.mark.rule("C-1.8.1", "C-1.8.2", "R-1.8.1")
@every_map
def test_a_shipped_map_passes_its_own_check(name: str) -> None:
    assert check_map(known_maps()[name].path) == []


@pytest.mark.rule("C-1.8.1", "R-1.8.1")
@every_map
def test_six_regions_of_seven_cities_and_some_connections_cost_nothing(name: str) -> None:
    board = load_map(name)
    assert len(board.regions) == 6
    assert len({city.id for city in board.cities}) == 42
    for region in board.regions:
        assert sum(city.region == region for city in board.cities) == 7
    assert all(type(link.cost) is int and link.cost >= 0 for link in board.connections)
    assert any(link.cost == 0 for link in board.connections)


@pytest.mark.rule("C-1.8.2")
@every_map
def test_a_shipped_map_has_one_connection_per_pair_and_a_place_for_every_city(name: str) -> None:
    board = load_map(name)
    assert len({frozenset((link.a, link.b)) for link in board.connections}) == len(
        board.connections
    )
    assert board.layout is not None
    assert list(board.layout.cities) == [city.id for city in board.cities]
    assert set(board.region_colours) == set(board.regions)


@pytest.mark.parametrize(
    ("name", "connections", "total"),
    [
        ("germany", 83, 992),
        ("germany_recharged", 83, 998),
        ("usa", 87, 907),
        ("usa_recharged", 86, 877),
        ("central_europe", 96, 1013),
    ],
)
def test_the_connections_are_as_transcribed(name: str, connections: int, total: int) -> None:
    board = load_map(name)
    assert len(board.connections) == connections
    assert sum(link.cost for link in board.connections) == total


@pytest.mark.rule("R-1.8.1")
def test_the_boards_of_2018_differ_from_those_of_2004_where_they_were_redrawn() -> None:
    def costs(name: str) -> dict[frozenset[str], int]:
        renamed = {"torgelow": "stralsund", "wiesbaden": "mainz"}
        return {
            frozenset(renamed.get(city, city) for city in (link.a, link.b)): link.cost
            for link in load_map(name).connections
        }

    def changes(old: str, new: str) -> dict[tuple[str, ...], tuple[int | None, int | None]]:
        before, after = costs(old), costs(new)
        return {
            tuple(sorted(pair)): (before.get(pair), after.get(pair))
            for pair in before.keys() | after.keys()
            if before.get(pair) != after.get(pair)
        }

    assert changes("germany", "germany_recharged") == {
        ("dortmund", "essen"): (4, 5),
        ("mannheim", "saarbruecken"): (11, 16),
    }
    assert changes("usa", "usa_recharged") == {
        ("boise", "cheyenne"): (24, None),
        ("cincinnati", "raleigh"): (15, None),
        ("knoxville", "raleigh"): (None, 11),
        ("chicago", "omaha"): (13, 12),
        ("houston", "santa_fe"): (21, 20),
    }


COUNTRIES = {
    "Poland": "Białystok Lublin Warszawa Kraków Sosnowiec Katowice Częstochowa Gdańsk Gdynia "
    "Bydgoszcz Wrocław Poznań Szczecin Łódź",
    "Austria": "Wien Linz Salzburg Innsbruck Villach Klagenfurt Graz",
    "Czech Republic": "Praha Plzeň Ústí_nad_Labem Hradec_Králové Brno Ostrava České_Budějovice",
    "Slovakia": "Bratislava Trnava Žilina Banská_Bystrica Poprad Prešov Košice",
    "Hungary": "Budapest Győr Pécs Kecskemét Szeged Miskolc Nyíregyháza",
}


@pytest.mark.rule("C-1.8.3")
def test_the_countries_of_central_europe() -> None:
    board = load_map("central_europe")
    for country, names in COUNTRIES.items():
        cities = {city.name for city in board.cities if city.country == country}
        assert cities == {name.replace("_", " ") for name in names.split()}
    area = area_of(board, ["austria", "hungary", "slovakia"])
    assert area.country(area.index["wien"]) == "Austria"


@pytest.mark.rule("C-12.1", "C-12.2")
@pytest.mark.parametrize("name", ["germany", "usa"])
def test_the_boards_of_2004_change_no_rule(name: str) -> None:
    assert load_map(name).rules == MapRules()


@pytest.mark.rule("C-1.6.2", "C-12.3.1")
def test_the_rules_central_europe_brings() -> None:
    rules = load_map("central_europe").rules
    rows = {
        2: "453 123 133 111",
        3: "563 223 133 111",
        4: "675 234 244 121",
        5: "785 345 345 222",
        6: "8A6 456 366 232",
    }
    assert rules.start == {"uranium": 5}
    assert rules.refill == {
        players: {
            fuel: tuple(int(count, 16) for count in counts)
            for fuel, counts in zip(("coal", "oil", "garbage", "uranium"), row.split(), strict=True)
        }
        for players, row in rows.items()
    }
    assert rules.nuclear_countries == ("Czech Republic", "Slovakia", "Hungary")
    assert rules.discounts == (Discount("wien", "garbage", 1),)
    assert rules.phase_out is None


def test_the_rules_the_boards_of_2018_bring() -> None:
    assert load_map("germany_recharged").rules == MapRules(phase_out=PhaseOut(39, "uranium"))
    assert load_map("usa_recharged").rules == MapRules(storage_price={"coal": 8})


# Regions


@pytest.mark.rule("C-2.1.1")
def test_regions_touch_when_a_connection_joins_their_cities() -> None:
    assert region_neighbours(load_map("germany")) == {
        "northwest": ("northeast", "west", "east"),
        "northeast": ("northwest", "east"),
        "west": ("northwest", "east", "southwest"),
        "east": ("northwest", "northeast", "west", "southwest", "south"),
        "southwest": ("west", "east", "south"),
        "south": ("east", "southwest"),
    }


@every_map
def test_touching_is_symmetric(name: str) -> None:
    near = region_neighbours(load_map(name))
    assert all(here in near[there] for here in near for there in near[here])


def reachable(board: Map, regions: Iterable[str]) -> bool:
    cities = {city.id for city in board.cities if city.region in set(regions)}
    found = {min(cities)} if cities else set()
    grown = True
    while grown:
        size = len(found)
        for link in board.connections:
            if {link.a, link.b} <= cities and found & {link.a, link.b}:
                found |= {link.a, link.b}
        grown = len(found) > size
    return bool(cities) and found == cities


@pytest.mark.rule("C-2.1", "C-2.1.1", "C-2.1.2", "R-2.1")
@every_map
@pytest.mark.parametrize("count", range(1, 7))
def test_region_sets_are_exactly_the_connected_ones(name: str, count: int) -> None:
    board = load_map(name)
    expected = tuple(
        regions for regions in combinations(board.regions, count) if reachable(board, regions)
    )
    assert region_sets(board, count) == expected
    assert expected


def test_unknown_or_no_regions_are_not_connected() -> None:
    germany = load_map("germany")
    assert not is_connected(germany, [])
    assert not is_connected(germany, ["west", "atlantis"])
    with pytest.raises(ValueError, match="do not hang together: northwest, south"):
        area_of(germany, ["south", "northwest"])


@pytest.mark.rule("C-2.1.2")
@every_map
@pytest.mark.parametrize("count", [3, 4, 5])
def test_players_who_name_regions_never_get_stuck(name: str, count: int) -> None:
    board = load_map(name)
    prefixes: set[frozenset[str]] = {frozenset()}
    for size in range(count):
        grown = set()
        for prefix in prefixes:
            choices = region_choices(board, prefix, count)
            assert choices == tuple(
                region
                for region in board.regions
                if region not in prefix and reachable(board, prefix | {region})
            )
            grown |= {prefix | {region} for region in choices}
        assert grown == {frozenset(regions) for regions in region_sets(board, size + 1)}
        prefixes = grown
    assert all(region_choices(board, prefix, count) == () for prefix in prefixes)


@pytest.mark.rule("C-2.1.2")
def test_a_region_that_leads_nowhere_is_not_offered() -> None:
    # A chain of six regions, where b falls into two halves that only c joins.
    regions = "abcdef"
    cities = [City(f"{region}{i}", region, region, 0, 0) for region in regions for i in range(7)]
    pairs = [pair for pair in pairwise(city.id for city in cities) if pair != ("b2", "b3")]
    links = tuple(Connection(a, b, 1) for a, b in [*pairs, ("b2", "c0")])
    board = Map("chain", "Chain", tuple(regions), tuple(cities), links)
    assert is_connected(board, "a")
    assert not is_connected(board, "b")
    assert region_choices(board, "", 1) == ("a", "c", "d", "e", "f")
    assert region_choices(board, "", 3) == ("c", "d", "e", "f")
    assert region_choices(board, "c", 3) == ("b", "d")
    assert region_choices(board, "cb", 3) == ("a", "d")


# Distances


def cheapest(board: Map, regions: Iterable[str], start: str) -> dict[str, int]:
    """Distances found by relaxing every connection until nothing gets cheaper."""
    inside = {city.id for city in board.cities if city.region in set(regions)}
    links = [link for link in board.connections if {link.a, link.b} <= inside]
    cost = {start: 0}
    for _ in inside:
        for link in links:
            for a, b in ((link.a, link.b), (link.b, link.a)):
                if a in cost and cost[a] + link.cost < cost.get(b, 10**9):
                    cost[b] = cost[a] + link.cost
    return cost


@pytest.mark.rule("C-2.1", "C-7.3.1", "C-7.3.2", "C-7.3.5")
@every_map
def test_distances_agree_with_another_algorithm(name: str) -> None:
    board = load_map(name)
    chance = random.Random(name)
    for count in (2, 3, 4, 5, 6):
        regions = chance.choice(region_sets(board, count))
        area = area_of(board, regions)
        for start in chance.sample(area.cities, 5):
            expected = cheapest(board, regions, start)
            row = area.distance[area.index[start]]
            assert dict(zip(area.cities, row, strict=True)) == expected


@pytest.mark.rule("C-2.1", "R-2.1")
@every_map
def test_outside_the_chosen_regions_nothing_exists(name: str) -> None:
    board = load_map(name)
    for regions in region_sets(board, 3):
        area = area_of(board, reversed(regions))
        assert area is area_of(board, regions)
        assert area.regions == regions
        assert list(area.cities) == [city.id for city in board.cities if city.region in regions]
        assert [area.index[city] for city in area.cities] == list(range(21))
        assert set(area.regions_of) == set(regions)
        for a, near in enumerate(area.neighbours):
            for b, cost in near:
                assert (a, cost) in area.neighbours[b]
                assert area.distance[a][b] <= cost


@pytest.mark.rule("C-2.1")
def test_a_shorter_path_outside_the_area_does_not_count() -> None:
    germany = load_map("germany")
    all_of_it, area = (
        area_of(germany, germany.regions),
        area_of(germany, ["east", "south", "southwest"]),
    )
    assert any(
        area.distance[area.index[a]][area.index[b]]
        > all_of_it.distance[all_of_it.index[a]][all_of_it.index[b]]
        for a, b in combinations(area.cities, 2)
    )


@pytest.mark.rule("CV-06a", "CV-06b", "RV-06")
@pytest.mark.parametrize("name", ["germany", "germany_recharged"])
def test_connection_costs_of_the_building_example(name: str) -> None:
    area = area_of(load_map(name), ["northwest", "west", "southwest"])

    def cost(network: str, city: str) -> int:
        return min(area.distance[start][area.index[city]] for start in ids(area, *network.split()))

    ana, petar = "essen muenster", "duesseldorf koeln"
    assert cost(ana, "duisburg") == 0
    assert cost(ana, "dortmund") == 2
    assert cost(ana, "aachen") == 2 + 9
    assert cost(petar, "duisburg") == 2 + 0
    assert cost(ana, "duesseldorf") == 2
    assert cost(ana, "koeln") == 2 + 4
    assert cost(f"{ana} duesseldorf", "koeln") == 4
    path = area.path(ids(area, "muenster", "essen"), area.index["aachen"])
    assert [area.names[city] for city in path] == ["Essen", "Düsseldorf", "Aachen"]


@every_map
def test_a_path_costs_what_the_distance_says(name: str) -> None:
    board = load_map(name)
    area = area_of(board, region_sets(board, 4)[0])
    chance = random.Random(name)
    for _ in range(50):
        *sources, target = chance.sample(range(len(area.cities)), 4)
        path = area.path(sources, target)
        steps = [dict(area.neighbours[a])[b] for a, b in pairwise(path)]
        assert path[0] in sources
        assert path[-1] == target
        assert len(set(path)) == len(path)
        assert sum(steps) == min(area.distance[source][target] for source in sources)
    assert area.path([3, 5], 5) == (5,)


def test_a_foreign_map_is_checked_and_a_shipped_one_is_not(tmp_path: Path) -> None:
    file = tmp_path / "torn.json"
    file.write_text('{"name": "Torn", "regions": [], "cities": [], "connections": []}')
    label, problems = _labelled(file, ours=False)
    assert label is None
    assert problems
    label, problems = _labelled(file, ours=True)
    assert label is not None
    assert label.id == "torn"
    assert problems == []
