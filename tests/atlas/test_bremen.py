"""Bremen: districts that cost something to enter, cheaper slots, and no uranium."""

from itertools import pairwise
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, FUELS, PLAYERS, at, cost, new, prices, printed_refill, refills
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.board import area_of, load_map, region_sets
from highvoltage.text.show import places_of
from positions import board, legal, play, refuses

NO_THIRD = ("borgfeld", "findorff", "huchting", "seehausen", "blumenthal")


def bremen(book: str = "classic", players: int = 5, **fields: Any) -> hv.Game:
    """Seat 0 is to build, with all districts in play."""
    known: dict[str, Any] = {
        "plants": {seat: [card] for seat, card in enumerate((21, 29, 35, 40, 42))},
        "money": 100,
        "phase": "building",
        "order": [*range(players)][::-1],
    }
    return at("bremen", book, players, **{**known, **fields})


@pytest.mark.rule("A-BRE-1")
def test_every_choice_of_regions_hangs_together() -> None:
    chart = load_map("bremen")
    assert [len(region_sets(chart, count)) for count in (3, 4, 5)] == [10, 5, 1]


@pytest.mark.rule("A-BRE-2", "AV-23")
@pytest.mark.parametrize("book", BOOKS)
def test_every_district_entered_is_paid(book: str) -> None:
    there = bremen(book, cities={0: ["seehausen"]}).view(0)["connect"]
    assert there["haefen"] == 9 + 8
    assert there["groepelingen"] == 9 + 8 + 8
    back = bremen(book, cities={0: ["haefen"]})
    assert back.view(0)["connect"]["seehausen"] == 14 + 8
    play(back, "build seehausen")
    assert board(back).players[0].money == 100 - 22


@pytest.mark.rule("A-BRE-2")
def test_a_path_costs_what_its_districts_cost_and_connections_cost_nothing() -> None:
    chart = load_map("bremen")
    assert {link.cost for link in chart.connections} == {0}
    area = area_of(chart, chart.regions)
    entry = {city.id: city.cost for city in chart.cities}
    for start in range(25):
        for end in range(25):
            path = area.path([start], end)
            assert all(cost(chart, area.cities[a], area.cities[b]) == 0 for a, b in pairwise(path))
            entered = sum(entry[area.cities[city]] for city in path[1:])
            assert area.distance[start][end] == entered


@pytest.mark.rule("A-BRE-3")
@pytest.mark.parametrize("book", BOOKS)
def test_a_first_district_costs_its_slot(book: str) -> None:
    assert set(bremen(book).view(0)["connect"].values()) == {8}


@pytest.mark.rule("A-BRE-4", "AV-24")
@pytest.mark.parametrize("book", BOOKS)
def test_slots_cost_8_14_and_20_and_five_districts_have_two(book: str) -> None:
    two = {1: ["findorff", "mitte"], 2: ["findorff", "mitte"]}
    game = bremen(book, cities={0: ["walle"], **two}, step=3)
    assert "build findorff" not in legal(game)
    refuses(game, "build findorff", "slot_closed", "A-BRE-4")
    way = board(game).area
    assert (
        game.view(0)["connect"]["mitte"]
        == 20 + way.distance[way.index["walle"]][way.index["mitte"]]
    )
    slots = board(game).rules.map_rules.slots
    assert {city for city, own in slots.items() if len(own) == 2} == {*NO_THIRD}
    for own in slots.values():
        assert [(slot.cost, slot.step) for slot in own] == [(8, 1), (14, 2), (20, 3)][: len(own)]
    assert len(slots) == 25


@pytest.mark.rule("A-BRE-5", "AV-25")
@pytest.mark.parametrize("book", BOOKS)
def test_there_is_no_uranium(book: str) -> None:
    shelves = new("bremen", book).view(0)["fuel"]
    assert [shelves[fuel]["stock"] + shelves[fuel]["supply"] for fuel in FUELS] == [22, 22, 22, 0]
    assert shelves["uranium"]["ladder"] == []
    ladder = [price for price in range(1, 9) for _ in range(2 if price > 6 else 3)]
    assert all(shelves[fuel]["ladder"] == ladder for fuel in FUELS[:3])
    assert prices("bremen", "coal")[:4] == [1, 1, 1, 2]
    assert prices("bremen", "coal")[-2:] == [8, 8]
    assert prices("bremen", "oil")[:3] == [3, 3, 3]


@pytest.mark.rule("A-BRE-6")
@pytest.mark.parametrize("book", BOOKS)
def test_the_refill_is_the_printed_table_without_uranium(book: str) -> None:
    for players, row in printed_refill("A-BRE-6").items():
        assert refills("bremen", book, players) == {**row, "uranium": (0, 0, 0)}


@pytest.mark.rule("A-BRE-7", "AV-26")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deck_lacks_nuclear_plants_and_some_others(players: int) -> None:
    out = {11, 17, 23, 28, 34, 36, 38, 39, 46} | ({31, 50} if players < 5 else set())
    m = board(new("bremen", players=players)).market
    assert m.cards == [3, 4, 5, 6, 7, 8, 9, 10]
    assert (m.deck[0], m.deck[-1], m.aside) == (13, LAST_CARD, [])
    assert len(m.deck) == 1 + (22 if players < 5 else 24) + 1
    assert {*m.removed} == out
    later = board(new("bremen", "recharged", players)).market
    assert {*later.removed} == out
    assert (len(later.cards), later.aside) == (8, [])
    assert later.deck[0] <= 15
    assert sum(card <= 15 for card in [*later.cards, *later.deck[:-1]]) == 12


@pytest.mark.rule("A-BRE-8")
@pytest.mark.parametrize("book", BOOKS)
def test_the_board_is_small(book: str) -> None:
    views = [new("bremen", book, players).view(0) for players in PLAYERS]
    assert [view["step_2_cities"] for view in views] == [5, 5, 5, 5, 4]
    assert [view["end_cities"] for view in views] == [13, 13, 13, 12, 11]


@pytest.mark.rule("A-BRE-9")
def test_the_borders_are_named_as_uncertain() -> None:
    assert [d.rule for d in load_map("bremen").doubts if d.confidence == "low"] == ["A-BRE-9"]


def test_without_uranium_no_cities_can_be_marked() -> None:
    with pytest.raises(hv.OptionError, match="too little uranium"):
        hv.new("recharged", map="bremen", players=3, standard_starting_cities=True)


def test_the_terminal_shows_what_entering_a_neighbour_costs() -> None:
    links = dict(places_of(new("bremen"))["seehausen"].links)
    assert links["haefen"] == 9


def test_a_card_has_one_place_for_each_number_of_players() -> None:
    data = hv.games()["classic"].map("bremen")
    data["rules"]["deck"]["out_by_players"] = {"2": [11, 13, 13, 41]}
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=2)
    found = "; ".join(refused.value.problems)
    assert "out_by_players.2: card 11 has another place already" in found
    assert "card 13 has another" in found
    assert "there is no card 41" in found


def test_four_players_need_the_rules_of_the_board() -> None:
    with pytest.raises(hv.OptionError, match="cannot be played without its own rules"):
        hv.new("classic", map="bremen", players=4, map_rules=False)
