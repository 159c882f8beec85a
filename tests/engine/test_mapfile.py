"""Map files: what is read from them, and which faults are reported."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from highvoltage.engine.errors import MapError
from highvoltage.engine.parts.board import (
    City,
    Connection,
    MapRules,
    area_of,
    check_map,
    known_maps,
    load_map,
    shipped_maps,
)
from highvoltage.engine.parts.formfaults import quote, suggest
from highvoltage.engine.parts.mapfile import parse_map


def made_map() -> dict[str, Any]:
    """A map file: a chain of 42 cities, c0 to c41, seven to a region."""
    return {
        "name": "Made",
        "regions": [f"r{i}" for i in range(6)],
        "cities": [
            {"id": f"c{i}", "name": f"City {i}", "region": f"r{i // 7}", "lon": 1, "lat": i / 2}
            for i in range(42)
        ],
        "connections": [[f"c{i}", f"c{i + 1}", 1] for i in range(41)],
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], Path]:
    def write(content: Any) -> Path:
        path = tmp_path / "My map.json"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(
                content if isinstance(content, str) else json.dumps(content), encoding="utf-8"
            )
        return path

    return write


Write = Callable[[Any], Path]


@pytest.mark.rule("C-1.8.2")
def test_a_file_is_loaded_like_a_shipped_map(write: Write) -> None:
    path = write(made_map())
    board = load_map(path)
    assert (board.id, board.name) == ("my_map", "Made")
    assert board.cities[8] == City("c8", "City 8", "r1", 1.0, 4.0)
    assert board.connections[0] == Connection("c0", "c1", 1)
    assert (board.rules, board.layout, board.region_colours) == (MapRules(), None, {})
    assert load_map(str(path)).cities == board.cities


@pytest.mark.parametrize("name", shipped_maps())
def test_a_map_written_out_is_a_map_file(name: str, write: Write) -> None:
    board = load_map(name)
    again = load_map(write(msgspec.json.encode(board)))
    assert msgspec.json.encode(again) == msgspec.json.encode(board)


def test_a_file_may_begin_with_a_byte_order_mark_and_name_the_touching_regions(
    write: Write,
) -> None:
    content = made_map() | {"region_adjacency": [["r0", "r1"]]}
    assert check_map(write("\ufeff" + json.dumps(content))) == []


@pytest.mark.rule("C-1.8.2")
def test_of_two_connections_between_a_pair_the_cheaper_is_kept(write: Write) -> None:
    content = made_map()
    content["connections"] += [["c1", "c0", 0], ["c0", "c1", 3], ["c3", "c2", 9]]
    connections = load_map(write(content)).connections
    assert len(connections) == 41
    assert connections[0] == Connection("c1", "c0", 0)
    assert connections[2] == Connection("c2", "c3", 1)


def test_an_unknown_name_is_answered_with_the_existing_names() -> None:
    with pytest.raises(MapError) as caught:
        load_map("germny")
    assert all(name in str(caught.value) for name in shipped_maps())


@pytest.mark.parametrize(
    "source", ["", ".", "nowhere.json", "nowhere/map", "x" * 5000, "x" * 5000 + ".json", "\0.json"]
)
def test_a_file_that_cannot_be_read_is_a_map_error(source: str) -> None:
    with pytest.raises(MapError):
        load_map(source)


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """A change to a file: sets the value at `path`."""
    *parents, key, value = path

    def change(content: dict[str, Any]) -> None:
        place: Any = content
        for step in parents:
            place = place[step]
        if isinstance(place, list) and key == len(place):
            place.append(value)
        else:
            place[key] = value

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    *parents, key = path

    def change(content: dict[str, Any]) -> None:
        place: Any = content
        for step in parents:
            place = place[step]
        del place[key]

    return change


SLUG = "it must be lower-case letters a-z, digits and _"
COUNT = "it must be a whole number, 0 or more"
PLACES = {f"c{i}": [i, i] for i in range(42)}

FAULTS = [
    (drop("name"), "name is missing; it must be a text of one line, not empty"),
    (drop("cities", 3, "id"), f"city number 4: id is missing; {SLUG}"),
    (drop("cities", 3, "lon"), "city c3: lon is missing; it must be degrees east, -180 to 180"),
    (put("title", "x"), "title is no field of a map; mend the name or add it"),
    (
        put("cities", 3, "regoin", "r0"),
        "city c3: regoin is no field of a map; did you mean region?",
    ),
    (put("name", ""), 'name is ""; it must be a text of one line, not empty'),
    (put("id", "Made"), f'id is "Made"; {SLUG}'),
    (put("cities", {}), "cities is {}; it must be a list [...]"),
    (put("cities", 3, 7), "city number 4 is 7; it must be an object {...}"),
    (
        put("cities", 3, "name", "a\nb"),
        r'city c3: name is "a\nb"; it must be a text of one line, not empty',
    ),
    (
        put("cities", 3, "name", "\ud800"),
        r'city c3: name is "\ud800"; it must be a text of one line, not empty',
    ),
    (put("cities", 3, "id", "Bad City"), f'city "Bad City": id is "Bad City"; {SLUG}'),
    (put("cities", 3, "id", "c4\n"), f'city "c4\\n": id is "c4\\n"; {SLUG}'),
    (put("cities", 3, "id", "c4"), "city c4 stands 2 times; give each city an id of its own"),
    (put("cities", 3, "region", "r_0"), "city c3: there is no region r_0; did you mean r0?"),
    (put("cities", 3, "lon", 180.5), "city c3: lon is 180.5; it must be degrees east, -180 to 180"),
    (put("cities", 3, "lat", -91), "city c3: lat is -91; it must be degrees north, -90 to 90"),
    (
        put("cities", 3, "lat", float("nan")),
        'city c3: lat is "NaN"; it must be degrees north, -90 to 90',
    ),
    (put("cities", 3, "lat", True), "city c3: lat is true; it must be degrees north, -90 to 90"),
    (drop("regions", 5), "city c35: there is no region r5; known are r0, r1, r2, r3, r4"),
    (put("regions", 6, "r6"), "region r6 has no cities; give it some or leave it out"),
    (put("regions", 6, "r0"), "region r0 stands 2 times; name it once"),
    (
        put("region_colours", {"r9": "red"}),
        "region_colours: there is no region r9; known are r0, r1, r2, r3, r4, r5",
    ),
    (
        put("region_colours", {"r0": "Red!"}),
        'region_colours.r0 is "Red!"; it must be a colour such as "green" or "#00aa66"',
    ),
    (
        put("countries", ["Germany"]),
        'countries[1] is "Germany"; it must be three digits as in ISO 3166-1: "276" for Germany',
    ),
    (
        put("connections", 0, ["c0", "c1"]),
        'connection number 1 is ["c0", "c1"]; it must be a list such as ["kiel", "hamburg", 8]',
    ),
    (
        put("connections", 41, ["c0", "x1", 1]),
        "connection c0-x1: there is no city x1; mend the name or add it",
    ),
    (put("connections", 41, ["c0", 1, 1]), f"connection c0-1: b is 1; {SLUG}"),
    (
        put("connections", 41, ["c5", "c5", 1]),
        "connection c5-c5 leads back to its own city; remove it",
    ),
    (put("connections", 0, 2, -1), f"connection c0-c1: cost is -1; {COUNT}"),
    (put("connections", 0, 2, True), f"connection c0-c1: cost is true; {COUNT}"),
    (put("connections", 0, 2, 4.0), f"connection c0-c1: cost is 4.0; {COUNT}"),
    (put("connections", 0, 2, "4"), f"connection c0-c1: cost is 4; {COUNT}"),
    (put("connections", 0, 2, None), f"connection c0-c1: cost is null; {COUNT}"),
    (drop("connections", 1), "no connection joins c0, c1 to the other cities; add one"),
    (put("rules", []), "rules is []; it must be an object {...}"),
    (put("rules", {"strat": {}}), "rules.strat is no field of a map; did you mean start?"),
    (
        put("rules", {"start": {"cole": 3}}),
        "rules.start: cole stands where there must be coal, oil, garbage or uranium",
    ),
    (put("rules", {"start": {"coal": -3}}), f"rules.start.coal is -3; {COUNT}"),
    (
        put("rules", {"start": {"uranium": 13}}),
        "rules.start.uranium is 13; there are only 12 tokens",
    ),
    (
        put("rules", {"refill": {"7": {}}}),
        "rules.refill: 7 stands where there must be a number of players, 2 to 6",
    ),
    (
        put("rules", {"refill": {"four": {}}}),
        "rules.refill: four stands where there must be a number of players, 2 to 6",
    ),
    (
        put("rules", {"refill": {"4": {"coal": [1, 2]}}}),
        f"rules.refill.4.coal is [1, 2]; {COUNT}, for each of 3 Steps",
    ),
    (
        put("rules", {"nuclear_countries": ["Ruritania"]}),
        'rules.nuclear_countries: there is no country "Ruritania"; mend the name or add it',
    ),
    (
        put("rules", {"discounts": [{"city": "wien", "fuel": "oil", "amount": 1}]}),
        "rules.discounts: there is no city wien; mend the name or add it",
    ),
    (
        put("rules", {"discounts": [{"city": "c0", "fuel": "gas", "amount": 1}]}),
        "rules.discounts[1].fuel is gas; it must be coal, oil, garbage or uranium",
    ),
    (
        put("rules", {"discounts": [{"city": "c0", "fuel": "oil", "amount": 0}]}),
        "rules.discounts[1].amount is 0; it must be a whole number, 1 or more",
    ),
    (
        put("rules", {"phase_out": {"plant": 39}}),
        "rules.phase_out.fuel is missing; it must be coal, oil, garbage or uranium",
    ),
    (put("rules", {"storage_price": {"coal": None}}), f"rules.storage_price.coal is null; {COUNT}"),
    (
        put("layout", {"canvas": [50], "cities": {}}),
        "layout.canvas is [50]; it must be two whole numbers [x, y], 0 or more",
    ),
    (
        put("layout", {"canvas": [2, 2], "cities": {"c1": [1, 1]}}),
        "layout.cities: c0, c2,",
    ),
    (
        put("layout", {"canvas": [50, 50], "cities": PLACES | {"x": [1, 1]}}),
        "layout.cities: there is no city x; mend the name or add it",
    ),
    (
        put("layout", {"canvas": [50, 40], "cities": PLACES}),
        "layout.cities: city c41 lies outside the canvas [50, 40]",
    ),
]


@pytest.mark.rule("C-1.8.2")
@pytest.mark.parametrize(("change", "problem"), FAULTS, ids=[problem for _, problem in FAULTS])
def test_a_fault_is_reported_with_its_place_and_a_fix(
    change: Callable[[dict[str, Any]], None], problem: str, write: Write
) -> None:
    content = made_map()
    change(content)
    problems = check_map(write(content))
    assert any(found.startswith(problem) for found in problems), problems
    with pytest.raises(MapError) as caught:
        load_map(write(content))
    assert list(caught.value.problems) == problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: this is not JSON"),
        ('{\n "name": Made\n}', "line 2, column 10: this is not JSON"),
        ("[]", "the file is []; it must be an object {...}"),
        ("null", "the file is null; it must be an object {...}"),
        ("[" * 100_000, "this JSON cannot be read"),
        ("9" * 5000, "this JSON cannot be read"),
        ('{"name": "A", "name": "B"}', "name stands 2 times in one object; keep one"),
        (b'{"name": "\xff"}', "byte 11 is not UTF-8; save the file as UTF-8"),
    ],
    ids=range(8),
)
def test_a_file_that_is_not_a_json_object_is_refused(
    text: str | bytes, problem: str, write: Write
) -> None:
    assert check_map(write(text))[0].startswith(problem)


@pytest.mark.rule("C-1.8.2")
def test_all_faults_are_reported_at_once(write: Write) -> None:
    content = made_map()
    content["cities"][0]["lon"] = content["cities"][0]["lat"] = "east"
    content["connections"][0][2] = -1
    content["connections"][20][1] = "nowhere"
    problems = "\n".join(check_map(write(content)))
    for problem in ("city c0: lon", "city c0: lat", "c0-c1: cost", "c20-nowhere", "no connection"):
        assert problem in problems


@pytest.mark.rule("C-1.8.2", "C-2.1.1")
def test_regions_that_are_never_connected_are_a_fault(write: Write) -> None:
    # Neighbours in this chain are in different regions, so that no region is connected.
    content = made_map()
    for i, city in enumerate(content["cities"]):
        city["region"] = f"r{i % 6}"
    (problem,) = check_map(write(content))
    assert problem.startswith("no 3 regions can be chosen one by one")


def places(value: Any) -> Iterable[tuple[Any, Any]]:
    """Every container and key in a JSON value."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@pytest.mark.parametrize("seed", range(60))
def test_no_damage_gets_past_the_check_or_breaks_it(seed: int, write: Write) -> None:
    chance = random.Random(seed)
    content = json.loads(known_maps()["central_europe"].path.read_text("utf-8"))
    content["rules"] |= {"phase_out": {"plant": 39, "fuel": "oil"}, "storage_price": {"coal": 8}}
    for _ in range(chance.randint(1, 3)):
        container, key = chance.choice(list(places(content)))
        junk: list[Any] = [
            "\ud800",
            None,
            True,
            -1,
            1e300,
            "",
            "essen",
            [],
            {},
            [[]],
            {"id": []},
            [1, {}],
        ]
        container[key] = chance.choice(junk)
    path = write(content)
    problems = check_map(path)
    assert all(problem.isprintable() for problem in problems)
    if not problems:
        assert area_of(load_map(path), content["regions"]).cities
    else:
        with pytest.raises(MapError):
            load_map(path)


def test_a_map_may_have_the_documented_size() -> None:
    for regions in (12, 13):
        board = made_map() | {"regions": [f"r{i}" for i in range(regions)]}
        faults = parse_map(json.dumps(board), "made")[1]
        too_many = f"regions has {regions} entries; a map has at most 12"
        assert (too_many in faults) == (regions > 12)


def test_known_names_are_listed_where_none_is_similar() -> None:
    assert suggest("x", ["germany"]) == "known are germany"
    assert suggest("x", []) == "mend the name or add it"


def test_a_value_of_more_than_forty_characters_is_shortened() -> None:
    assert quote("A" * 38) == f'"{"A" * 38}"'
    assert quote("A" * 39) == f'"{"A" * 36}...'
