"""O-7.0 and O-7.1: the turn of a company, and building.

Towns used here: c08 (plant slot) - c09 (habitat) - c10 (plant) - c11 (habitat) in a row, c14
(habitat) next to c08; all connections cost 6 unless given.
"""

import pytest

import highvoltage as hv
from outpost.positions import company, game_at, state
from positions import legal, play, refuses


def build_costs(game: hv.Game, *moves: str) -> list[int]:
    """What the actor pays for each of these moves."""
    seat = game.to_move
    assert seat is not None
    paid = []
    for move in moves:
        money = company(game, seat).money
        play(game, move)
        paid.append(money - company(game, seat).money)
    return paid


def builds(game: hv.Game, piece: str) -> set[str]:
    return {move.split()[2] for move in legal(game) if move.startswith(f"build {piece} ")}


@pytest.mark.rule("O-7.0.1", "O-3.2")
def test_last_to_first() -> None:
    game = game_at(3, order=[1, 2, 0])
    for seat in (0, 2, 1):
        assert game.to_move == seat
        play(game, "done")
    assert game.phase == "bureaucracy"


@pytest.mark.rule("O-7.0.1", "O-7.0.2")
def test_a_b_c_without_going_back() -> None:
    game = game_at(3, plants={2: "3"}, own={2: "12 8"}, uncovered={2: (3, 1)}, money=100)
    assert {"build station c08", "place 12", "hire 1", "done"} <= legal(game)
    play(game, "build station c08", "place 12")
    refuses(game, "build station c09", "too_late", "O-7.0.2")
    assert {"place 8", "hire 1", "done"} <= legal(game)
    play(game, "hire 2")
    assert game.to_move == 1  # nothing left to decide
    skipping = game_at(3, plants={2: "3"}, own={2: "12 23"}, uncovered={2: (2, 1)}, humans={2: 1})
    play(skipping, "hire 1")
    refuses(skipping, "build station c08", "too_late", "O-7.0.2")
    refuses(skipping, "place 12", "too_late", "O-7.0.2")
    refuses(skipping, "swap 3 for 12", "too_late", "O-7.0.2")
    refuses(skipping, "hire 1", "too_late", "O-7.0.2")
    assert legal(skipping) == {"robot human", "done"}


@pytest.mark.rule("O-7.1.1", "O-7.1.10", "O-7.1.3")
def test_any_number_of_pieces_or_none() -> None:
    game = game_at(3, money=200, round=9)
    costs = build_costs(
        game, "build plant c08", "build station c08", "build station c09", "build habitat c09"
    )
    assert costs == [5, 10, 16, 5]
    play(game, "done", "done")
    assert company(game, 1).structure == 0


@pytest.mark.rule("O-7.1.2", "O-9.1")
def test_slots_in_step_1() -> None:
    game = game_at(3, stations={0: "c08"}, buildings={1: "c10"}, money=200)
    assert "c08" not in builds(game, "station")
    refuses(game, "build station c08", "city_full", "O-7.1.2")
    refuses(game, "build plant c10", "slot_taken", "O-1.5.2")
    refuses(game, "build plant c09", "slot_kind", "OR-04")
    assert "c10" in builds(game, "station")


@pytest.mark.rule("O-1.5.3", "OR-04", "O-1.5.1")
def test_special_slots_take_their_kind_only() -> None:
    game = game_at(3)
    kinds = {name: city["slot"] for name, city in game.view()["cities"].items()}
    assert builds(game, "plant") == {name for name, kind in kinds.items() if kind == "plant"}
    assert builds(game, "habitat") == {name for name, kind in kinds.items() if kind == "habitat"}
    assert builds(game, "station") == set(kinds)
    refuses(game, "build habitat c08", "slot_kind", "OR-04")


@pytest.mark.rule("O-1.5.2")
def test_one_station_and_one_building_per_city() -> None:
    game = game_at(3, money=200, step=3)
    play(game, "build station c08", "build plant c08")
    refuses(game, "build station c08", "already_there", "O-1.5.2")
    refuses(game, "build plant c08", "slot_taken", "O-1.5.2")
    play(game, "done")
    refuses(game, "build plant c08", "slot_taken", "O-1.5.2")  # independent of the Step
    assert build_costs(game, "build station c08") == [15]


@pytest.mark.rule("OD-37", "O-7.1.2", "O-9.2.3", "O-9.3.5")
@pytest.mark.parametrize(
    ("step", "foreign", "cost"),
    [(1, 0, 10), (1, 1, None), (2, 0, 10), (2, 1, 15), (2, 2, None), (3, 1, 15), (3, 2, 20)],
)
def test_step_limits(step: int, foreign: int, cost: int | None) -> None:
    game = game_at(4, stations=dict.fromkeys(range(foreign), "c08"), step=step, order=[0, 1, 2, 3])
    if cost is None:
        refuses(game, "build station c08", "city_full", "O-7.1.2")
    else:
        assert build_costs(game, "build station c08") == [cost]


@pytest.mark.rule("O-9.3.5", "O-7.1.2")
def test_there_is_no_slot_for_a_fourth_station() -> None:
    game = game_at(5, stations={0: "c08", 1: "c08", 2: "c08"}, step=3)
    refuses(game, "build station c08", "city_full", "O-7.1.2")


@pytest.mark.rule("O-7.1.3", "OR-21", "OT-13", "O-9.0")
def test_start_next_to_others() -> None:
    pawel, robert = 0, 2
    game = game_at(3, stations={pawel: "c08"}, buildings={pawel: "c10"})
    assert game.to_move == robert
    assert "c08" not in builds(game, "station")
    assert build_costs(game, "build plant c08") == [5]
    other = game_at(3, stations={pawel: "c08"}, buildings={pawel: "c10"})
    assert build_costs(other, "build station c10") == [10]
    later = game_at(3, stations={pawel: "c08", 1: "c08"}, step=3)
    assert build_costs(later, "build station c08") == [20]


@pytest.mark.rule("O-7.1.4", "OT-14", "O-7.1.8", "O-7.1.9")
def test_connections_from_the_structure() -> None:
    """Ania is in c08; a connection of 8 leads to c09, one of 5 from there to c11 through c10."""
    ania, nikola = 2, 0
    game = game_at(
        3,
        stations={nikola: "c11", ania: "c08"},
        costs={"c08-c09": 8, "c09-c10": 2, "c10-c11": 3},
        money=100,
    )
    network = company(game, ania).network
    assert build_costs(game, "build station c09", "build habitat c11") == [18, 10]
    player = company(game, ania)
    assert player.network == network + 1
    assert player.structure.bit_count() == 3
    assert player.open == (0, 1)


@pytest.mark.rule("O-7.1.4")
def test_a_special_building_is_a_start_for_connections() -> None:
    game = game_at(3, buildings={2: "c08"}, costs={"c08-c09": 9})
    assert build_costs(game, "build station c09") == [19]


@pytest.mark.rule("OD-35", "O-7.1.4", "O-7.1.5", "O-7.1.7")
def test_paths_are_paid_again() -> None:
    costs = {"c08-c09": 8, "c09-c10": 5, "c09-c17": 50, "c08-c14": 50, "c10-c11": 50}
    at_once = game_at(3, stations={2: "c08"}, costs=costs, money=100)
    assert build_costs(at_once, "build station c10", "build station c09") == [23, 15]
    in_order = game_at(3, stations={2: "c08"}, costs=costs, money=100)
    assert build_costs(in_order, "build station c09", "build station c10") == [18, 15]


@pytest.mark.rule("O-7.1.4")
def test_paths_lead_through_full_and_foreign_cities() -> None:
    game = game_at(4, stations={0: "c09", 1: "c09", 3: "c08"}, step=2, area="north")
    refuses(game, "build station c09", "city_full", "O-7.1.2")
    assert build_costs(game, "build station c10") == [22]


@pytest.mark.rule("O-7.1.4", "OR-08")
def test_paths_stay_inside_the_areas() -> None:
    """Through the north c11 would be near c08."""
    costs = {"c04-c08": 0, "c04-c05": 0, "c05-c06": 0, "c06-c11": 0, "c08-c09": 9, "c09-c10": 9}
    inside = game_at(3, stations={2: "c08"}, costs={**costs, "c10-c11": 9}, money=100)
    assert build_costs(inside, "build station c11") == [37]
    refuses(inside, "build station c04", "unknown_city", "O-2.1")
    wider = game_at(4, stations={3: "c08"}, costs={**costs, "c10-c11": 9}, money=100, area="north")
    assert build_costs(wider, "build station c11") == [10]


@pytest.mark.rule("O-7.1.6", "OR-22", "OD-36")
def test_the_second_building_needs_no_path() -> None:
    game = game_at(3, stations={0: "c10"}, buildings={2: "c08 c10"}, step=2)
    assert build_costs(game, "build station c10") == [15]
    reverse = game_at(3, stations={2: "c08 c10"})
    assert build_costs(reverse, "build plant c10") == [5]
    same_turn = game_at(3, stations={2: "c08"}, costs={"c08-c09": 7})
    assert build_costs(same_turn, "build habitat c09", "build station c09") == [12, 10]


@pytest.mark.rule("O-7.1.8", "OT-01")
def test_stations_leave_the_company_board() -> None:
    game = game_at(3, money=200)
    play(game, "build station c08", "build station c09")
    ania = game.view()["players"][2]
    assert (ania["network"], ania["stations"]) == (2, 16)
    assert ania["cities"] == ["c08", "c09"]


@pytest.mark.rule("O-7.1.9", "OT-02")
def test_a_plant_building_uncovers_a_space() -> None:
    game = game_at(3, own={2: "12 8 26"}, money=200)
    refuses(game, "place 12", "no_space", "O-7.2.1")
    play(game, "build plant c08")
    assert game.view()["players"][2]["spaces"] == {"plant": 1, "habitat": 0}
    assert {"place 12", "place 8"} <= legal(game)
    refuses(game, "place 26", "no_space", "O-7.2.1")
    play(game, "place 12")
    refuses(game, "place 8", "no_space", "O-7.2.1")


@pytest.mark.rule("O-7.1.1", "O-7.1.9")
def test_four_plants_and_four_habitats() -> None:
    game = game_at(3, buildings={2: "c08 c10 c13 c15 c09 c11 c12 c14"}, money=200)
    refuses(game, "build plant c17", "no_pieces", "O-7.1.1")
    refuses(game, "build habitat c16", "no_pieces", "O-7.1.1")
    assert not builds(game, "plant") | builds(game, "habitat")


@pytest.mark.rule("O-7.1.11", "OR-23")
def test_18_stations() -> None:
    game = game_at(3, stations={2: "c08 c09"}, networks={2: 18}, money=999)
    refuses(game, "build station c10", "no_pieces", "O-7.1.1")
    game = game_at(3, stations={2: "c08 c09"}, networks={2: 17}, own={2: "31"}, money=999)
    play(game, "settle station 31")
    refuses(game, "build station c10", "no_pieces", "O-7.1.1")


@pytest.mark.rule("O-7.1.13", "OR-25")
def test_each_building_is_paid_at_once() -> None:
    game = game_at(3, stations={2: "c08"}, money=31)
    play(game, "build station c09")
    assert company(game, 2).money == 15
    refuses(game, "build station c10", "cannot_pay_city", "OR-25")
    assert build_costs(game, "build plant c10") == [11]


@pytest.mark.rule("O-7.1.1")
def test_unknown_pieces_and_cities() -> None:
    game = game_at(3)
    refuses(game, "build tower c08", "unknown_piece", "O-7.1.1")
    refuses(game, "build station c99", "unknown_city", "O-2.1")


@pytest.mark.rule("O-7.1.12", "OR-24", "O-11.6.1", "O-11.6.2", "OD-45")
def test_colony() -> None:
    game = game_at(3, own={2: "31 12"}, networks={2: 6}, money=0)
    play(game, "settle station 31", "settle plant 31", "place 12")
    player = game.view()["players"][2]
    assert (player["network"], player["spaces"]) == (7, {"plant": 1, "habitat": 0})
    assert player["colonies"] == {"31": ["station", "plant"]}
    refuses(game, "settle habitat 31", "too_late", "O-7.0.2")
    play(game, "done", "done", "done")
    assert game.phase == "bureaucracy"
    assert game.view()["step"] == 2  # its city counts for the threshold


@pytest.mark.rule("O-11.6.1", "O-11.6.3", "OR-52")
def test_a_colony_takes_one_of_each_and_is_off_the_map() -> None:
    game = game_at(3, own={2: "31 31b", 1: "12"}, money=60)
    play(game, "settle station 31", "settle habitat 31", "settle station 31b")
    refuses(game, "settle station 31", "colony_full", "OR-52")
    refuses(game, "settle tower 31", "unknown_piece", "O-7.1.1")
    player = company(game, 2)
    assert (player.network, player.open, player.structure) == (2, (0, 1), 0)
    assert build_costs(game, "build station c08") == [10]  # still the first building on the map
    assert build_costs(game, "build station c09") == [16]
    play(game, "done")
    refuses(game, "settle station 31", "no_colony", "O-11.6.1")
    refuses(game, "settle station 12", "no_colony", "O-11.6.1")
    assert state(game).stations[0] == (2,)


@pytest.mark.rule("OR-52")
def test_colonies_take_from_the_stock() -> None:
    game = game_at(3, own={2: "31 31b"}, uncovered={2: (4, 3)}, networks={2: 17})
    refuses(game, "settle plant 31", "no_pieces", "O-7.1.1")
    play(game, "settle station 31", "settle habitat 31")
    refuses(game, "settle station 31b", "no_pieces", "O-7.1.1")
    refuses(game, "settle habitat 31b", "no_pieces", "O-7.1.1")


@pytest.mark.rule("O-11.6.1")
def test_a_colony_must_be_powered_and_fills_up_over_rounds() -> None:
    game = game_at(
        3, own={2: "31"}, plants={2: "12"}, humans={2: 2}, order=[2, 1, 0], networks={2: 0}
    )
    play(game, "done", "done", "settle station 31", "done")
    assert game.to_move == 2
    assert legal(game) == {"power 0", "power 1"}
    play(game, "power 1", "power 0", "power 0", "pass", "pass", "pass")
    while game.to_move != 2:
        play(game, "done")
    assert {"settle plant 31", "settle habitat 31"} <= legal(game)
    assert "settle station 31" not in legal(game)


@pytest.mark.rule("O-7.1.4", "OR-25")
def test_the_last_elektro_is_enough() -> None:
    """A path of 6 and the slot: with exactly that both kinds of building are offered."""
    for piece, city in (("plant", "c08"), ("station", "c08")):
        cost = game_at(3, stations={2: "c09"}).view(2)["connect"][city][piece]
        enough, short = (game_at(3, stations={2: "c09"}, money=cost - less) for less in (0, 1))
        assert f"build {piece} {city}" in legal(enough)
        assert f"build {piece} {city}" not in legal(short)
