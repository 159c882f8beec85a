"""What a map may change: every field is documented, read, and reported when it is faulty."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from highvoltage.engine.parts.board import load_map, region_choices, region_sets
from highvoltage.engine.parts.mapform import MapRules, Networks, PlantMarket
from highvoltage.games import check_map

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "maps.md").read_text("utf-8")


def made_map(sizes: tuple[int, ...] = (7, 7, 7, 7, 7, 7), **fields: Any) -> dict[str, Any]:
    """A chain of cities c0, c1 and so on, in regions r0, r1 and so on of these sizes."""
    regions = [f"r{number}" for number, size in enumerate(sizes) for _ in range(size)]
    return {
        "name": "Made",
        "regions": [f"r{number}" for number in range(len(sizes))],
        "cities": [
            {"id": f"c{i}", "name": f"City {i}", "region": region, "lon": 1, "lat": i / 2}
            for i, region in enumerate(regions)
        ],
        "connections": [[f"c{i}", f"c{i + 1}", 1] for i in range(len(regions) - 1)],
        **fields,
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], Path]:
    def write(content: Any) -> Path:
        path = tmp_path / "made.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return write


Write = Callable[[Any], Path]


def examples(kind: type[msgspec.Struct], heading: str) -> dict[str, Any]:
    """The rows of a table of the guide: the example of each field."""
    section = GUIDE.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| `(.+?)` \|", section, re.MULTILINE)
    assert {name for name, _ in rows} <= set(kind.__struct_fields__)
    return {name: json.loads(example) for name, example in rows}


HEADINGS = {
    "Fuel": MapRules,
    "Cities and networks": MapRules,
    "Course of the game": MapRules,
}


def test_every_field_of_the_rules_is_in_the_guide_with_an_example_that_is_read() -> None:
    documented: dict[str, Any] = {}
    for heading, kind in HEADINGS.items():
        documented |= examples(kind, heading)
    for field, heading in (("deck", "The deck"), ("plant_market", "The plant market")):
        parts = examples(type(msgspec.convert({}, _struct(field))), heading)
        assert set(parts) == set(_struct(field).__struct_fields__)
        documented[field] = parts
    assert set(documented) == set(MapRules.__struct_fields__)
    for field, example in documented.items():
        rules = msgspec.convert({field: example}, MapRules, str_keys=True)
        assert rules.changed_fields(), f"the example of {field} changes nothing"


def _struct(field: str) -> type[msgspec.Struct]:
    annotation = next(each.type for each in msgspec.structs.fields(MapRules) if each.name == field)
    kind: type[msgspec.Struct] = annotation.__args__[0]
    return kind


def test_a_map_lists_the_fields_it_uses_with_each_rulebook(write: Write) -> None:
    content = made_map(
        rules={"start": {"uranium": 8}, "plant_market": {"city_count": False, "unsold": 0}},
        rulebooks={"recharged": {"phase_out": {"plant": 39, "fuel": "uranium"}}},
    )
    board = load_map(write(content))
    used = ("start", "plant_market.unsold", "plant_market.city_count")
    assert board.rules_for("classic").changed_fields() == used
    assert board.rules_for("recharged").changed_fields() == ("start", "phase_out", *used[1:])
    assert load_map("germany").rules_for("classic").changed_fields() == ()


def test_a_value_for_one_rulebook_replaces_the_whole_field(write: Write) -> None:
    content = made_map(
        rules={"plant_market": {"city_count": False}, "end_cities": {"2": 18}},
        rulebooks={"recharged": {"plant_market": {"discount": False}}},
    )
    rules = load_map(write(content)).rules_for("recharged")
    assert rules.plant_market == PlantMarket(discount=False)
    assert rules.end_cities == {2: 18}


@pytest.mark.rule("A-GEN-3")
def test_regions_may_be_five_and_of_any_size(write: Write) -> None:
    board = load_map(write(made_map((8, 6, 7, 5, 9))))
    assert [board.region_count(players) for players in range(2, 7)] == [3, 3, 4, 5, 5]
    assert len(region_sets(board, 5)) == 1


def test_a_map_may_say_how_many_regions_are_in_play(write: Write) -> None:
    content = made_map((12, 12, 12), regions_in_play={"2": 1, "3": 2, "4": 2})
    board = load_map(write(content))
    assert [board.region_count(players) for players in range(2, 7)] == [1, 2, 2, 3, 3]


@pytest.mark.rule("A-UKI-5")
def test_islands_need_not_be_joined_but_the_regions_of_one_must(write: Write) -> None:
    content = made_map(islands=[["r0", "r1", "r2"], ["r3", "r4", "r5"]])
    del content["connections"][20]  # between the islands
    board = load_map(write(content))
    assert ("r0", "r1", "r3") in region_sets(board, 3)
    assert ("r0", "r2", "r3") not in region_sets(board, 3)
    assert region_choices(board, ["r0"], 3) == ("r1", "r3", "r4", "r5")


def rules(**fields: Any) -> dict[str, Any]:
    return made_map(rules=fields)


MARKET = {"spaces": {"coal": {"1": 12}}, "start": {"coal": 6}, "refill": {}}
CARD = {"number": 7, "kind": "eco", "need": 0, "powers": 1}
FAULTS = [
    (
        made_map(islands=[["r0", "r1"], ["r1", "r2", "r3", "r4", "r5"]]),
        "islands: region r1 stands 2 times; it lies on one island",
    ),
    (made_map(islands=[["r0", "r9"]]), "islands: there is no region r9; known are r0, r1,"),
    (made_map(islands=[["r0"]]), "islands: region r1 lies on none; add it to one"),
    (made_map(islands=[[]]), "islands[1] is []; it must be a list of regions, not empty"),
    (made_map(regions_in_play={"4": 7}), "regions_in_play.4 is 7; there are only 6 regions"),
    (
        made_map((5, 5, 5, 5, 5)),
        "with 4 players r0, r1, r2, r3 hold 60 houses, too few for anybody to be sure of 17",
    ),
    (made_map(rulebooks={"recharged": {"strat": {}}}), "rulebooks.recharged.strat is no field"),
    (made_map(cites={"cities_full": "A-FRA-1"}), "cites: there is no refusal cities_full; did"),
    (made_map(cites={"city_full": "some rule"}), 'cites.city_full is "some rule"; it must be the'),
    (made_map(about={"fr": "x"}), "about: fr stands where there must be a language: en, pl,"),
    (made_map(difficulty=4), "difficulty is 4; it must be 1 (easy), 2 or 3 (hard)"),
    (rules(slots={"c99": []}), "rules.slots: there is no city c99; did you mean c9?"),
    (rules(slots={"c1": []}), "rules.slots.c1 has 0 slots; a city has one to 3"),
    (
        rules(slots={"c1": [{"cost": 10, "step": 4}]}),
        "rules.slots.c1[1].step is 4; it must be a Step, 1 to 3",
    ),
    (
        rules(slots={"c1": [{"cost": 10, "step": 2}, {"cost": 15, "step": 1}]}),
        "rules.slots.c1: a later slot opens before an earlier one; put them in order",
    ),
    (rules(no_start=["x"]), "rules.no_start: there is no city x; mend the name or add it"),
    (rules(networks={"starts": ["x"]}), "rules.networks.starts: there is no city x; mend"),
    (
        rules(plants=[CARD | {"region": "r7"}]),
        "rules.plants: there is no region r7; known are r0, r1,",
    ),
    (rules(plants=[CARD | {"number": 41}]), "rules.plants: there is no card 41"),
    (
        rules(plants=[CARD | {"need": 2}]),
        "rules.plants: card 7, eco, burns nothing: its need is 0",
    ),
    (
        rules(plants=[CARD | {"kind": "oil"}]),
        "rules.plants: card 7, oil, needs fuel: its need is 1 or more",
    ),
    (
        rules(plants=[CARD | {"kind": "wind"}]),
        "rules.plants[1].kind is wind; it must be a kind of plant: coal, oil, garbage, uranium,",
    ),
    (rules(deck={"out": [2]}), "rules.deck.out[1] is 2; it must be the number of a plant, 3 to 50"),
    (rules(deck={"out": [45]}), "rules.deck: there is no card 45"),
    (
        rules(deck={"out": [13], "top": 13}),
        "rules.deck names card 13 2 times; a card has one place",
    ),
    (
        rules(deck={"removed": {"4": [1, 2, 3]}}),
        "rules.deck.removed: a deck is made of one or two piles",
    ),
    (
        rules(plant_market={"first_pass": 1}),
        "rules.plant_market.first_pass is 1; it must be true or false",
    ),
    (
        rules(start={"coal": 24}, spaces={"coal": {"1": 20}}),
        "rules.start.coal is 24; there are only 20 spaces",
    ),
    (
        rules(start={"uranium": 9}, tokens={"uranium": 8}),
        "rules.start.uranium is 9; there are only 8 tokens",
    ),
    (
        rules(storage={"coal": 8}, storage_price={"coal": 8}),
        "rules: coal has a storage and a storage_price; keep one",
    ),
    (
        rules(markets={"north": MARKET}),
        "rules.markets names only one; write its start, refill and spaces without a name",
    ),
    (
        rules(markets={"north": MARKET, "south": MARKET}, start={"coal": 3}),
        "rules.start does not go together with markets; set it for each market",
    ),
    (
        rules(markets={"north": MARKET, "south": MARKET | {"start": {"coal": 13}}}),
        "rules.markets.south.start.coal is 13; there are only 12 spaces",
    ),
    (
        rules(markets={"north": MARKET, "south": MARKET}, tokens={"coal": 10}),
        "rules.markets start with 12 coal; there are only 10 tokens",
    ),
    (
        rules(markets={"north": MARKET, "south": MARKET | {"refill": {"4": {"oil": [1, 1, 1]}}}}),
        "rules.markets.south.refill.4: there are no spaces for oil",
    ),
]


@pytest.mark.parametrize(("content", "problem"), FAULTS, ids=[problem for _, problem in FAULTS])
def test_a_fault_is_named_with_its_place(
    content: dict[str, Any], problem: str, write: Write
) -> None:
    problems = check_map(write(content))
    assert any(found.startswith(problem) for found in problems), problems


def test_by_default_a_map_with_several_networks_allows_two_for_each_player() -> None:
    assert Networks() == Networks(most=2, starts=(), surcharge=0, first_round=0)
