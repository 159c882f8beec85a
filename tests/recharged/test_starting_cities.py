"""R-13: the variant with standard starting cities."""

import json
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.parts.board import known_maps
from highvoltage.games.recharged.state import CARTEL, MARK
from positions import board, idle, legal, play, refuses
from recharged.start import WEST, begin_round, cartel, money, recharged, supplies

VARIANT: dict[str, Any] = {"standard_starting_cities": True}
MARKS = {"essen": (MARK,), "koeln": (MARK,), "bremen": (MARK,)}


def marked(game: hv.Game) -> set[str]:
    houses: dict[str, list[int]] = game.view()["houses"]
    return {city for city, stands in houses.items() if MARK in stands}


def building(players: int = 3, **fields: Any) -> hv.Game:
    fields = {"regions": WEST, "houses": MARKS, "money": 200, "phase": "building", **fields}
    return recharged(players, options=VARIANT, **fields)


@pytest.mark.rule("R-13.1")
def test_the_variant_is_an_option_and_off_by_default() -> None:
    assert hv.new("recharged", players=3, seed=1).phase == "auction"
    assert hv.new("recharged", players=3, seed=1, **VARIANT).phase == "marks"


@pytest.mark.rule("R-13.1", "R-13.6", "R-2.7", "RV-30", "RI-15")
def test_everybody_marks_an_empty_city_with_uranium_in_turn_order() -> None:
    game = hv.new(
        "recharged",
        players=3,
        regions=["west", "southwest", "south"],
        chance=hv.Scripted(order=[0, 2, 1]),
        **VARIANT,
    )
    assert legal(game) == {f"mark {city}" for city in board(game).area.cities}
    play(game, "mark essen")
    refuses(game, "mark essen", "mark_taken", "R-13.1")
    refuses(game, "mark hamburg", "unknown_city", "R-2.1")
    refuses(game, "place koeln", "not_now", "R-14.2")
    play(game, "mark koeln", "mark muenchen")
    assert [row.seat for row in game.log] == [0, 2, 1]
    assert marked(game) == {"essen", "koeln", "muenchen"}
    assert (game.phase, supplies(game)[3]) == ("auction", 7)


@pytest.mark.rule("R-13.2", "RV-30", "RI-15")
def test_a_network_starts_in_any_marked_city_and_the_token_goes_back() -> None:
    game = building(order=[0, 1, 2])
    assert legal(game) == {"done", "build essen", "build koeln", "build bremen"}
    assert game.view(2)["connect"] == {"essen": 10, "koeln": 10, "bremen": 10}
    refuses(game, "build duisburg", "start_unmarked", "R-13.2")
    assert supplies(game)[3] == 7
    play(game, "build essen")
    assert (money(game, 2), supplies(game)[3]) == (190, 8)
    assert game.view()["houses"]["essen"] == [2]
    play(game, "done")
    assert legal(game) == {"done", "build koeln", "build bremen"}
    refuses(game, "build essen", "start_unmarked", "R-13.2")


@pytest.mark.rule("R-13.2")
def test_a_start_is_paid_for_like_every_house() -> None:
    game = building(order=[0, 1, 2], money=9)
    assert legal(game) == {"done"}
    refuses(game, "build essen", "cannot_pay_city", "R-7.1")


@pytest.mark.rule("R-13.3", "R-13.5", "R-7.1", "RV-30")
def test_in_step_1_nobody_else_connects_a_marked_city_but_paths_lead_through() -> None:
    houses = {"koeln": (MARK,), "duesseldorf": (MARK,)}
    game = building(order=[0, 1, 2], cities={2: ["essen"]}, houses=houses)
    refuses(game, "build koeln", "city_full", "R-7.1")
    refuses(game, "build duesseldorf", "city_full", "R-7.1")
    assert game.view(2)["connect"]["aachen"] == 10 + 2 + 9  # through Düsseldorf
    play(game, "build duisburg")
    assert game.view()["houses"]["duisburg"] == [2]  # an empty city is open as usual


@pytest.mark.rule("R-13.4", "RV-30")
def test_a_mark_keeps_the_10_slot_in_later_steps() -> None:
    cities = {1: ["koeln"], 2: ["duisburg"]}
    game = building(order=[0, 1, 2], step=2, cities=cities, houses={"essen": (MARK,)})
    assert game.view(2)["connect"]["essen"] == 15
    play(game, "build essen")
    assert (money(game, 2), game.view()["houses"]["essen"]) == (185, [MARK, 2])
    play(game, "done")
    refuses(game, "build essen", "city_full", "R-7.1")
    play(game, "done")
    assert legal(game) == {"done", "build essen"}  # the Step limit is not checked
    play(game, "build essen")
    assert (money(game, 0), game.view()["houses"]["essen"]) == (190, [0, 2])
    assert marked(game) == set()


@pytest.mark.rule("R-13.4", "R-13.2", "RI-08")
def test_in_step_3_the_third_house_costs_20_and_the_start_still_10() -> None:
    cities = {1: ["koeln", "essen"], 2: ["duisburg"]}
    game = building(order=[0, 1, 2], step=3, cities=cities, houses={"essen": (MARK,)})
    assert game.view(2)["connect"]["essen"] == 20
    play(game, "build essen", "done", "done")
    assert game.view()["houses"]["essen"] == [MARK, 1, 2]
    assert game.view(0)["connect"] == {"essen": 10}
    play(game, "build essen")
    assert game.view()["houses"]["essen"] == [0, 1, 2]


@pytest.mark.rule("R-13.6")
def test_uranium_on_the_map_cannot_be_refilled() -> None:
    empty = {"uranium": 0}
    game = building(phase="bureaucracy", stock=empty, plants={0: [11, 17, 23]}, order=[0, 1, 2])
    board(game).players[0].fuel = (0, 0, 0, 6)
    board(game).supply[3] = 3  # 12 minus 6 on plants and 3 on the map
    rounds = []
    for _ in range(4):
        idle(game, "bureaucracy")
        idle(game)
        rounds.append(game.view()["fuel"]["uranium"]["stock"])
    assert rounds == [1, 2, 3, 3]


@pytest.mark.rule("R-13.7", "R-2.7", "RV-31", "RI-09")
def test_with_the_cartel_each_marked_city_gets_a_house_on_15() -> None:
    game = hv.new("recharged", players=2, regions=WEST, chance=hv.Scripted(order=[0, 1]), **VARIANT)
    play(game, *(f"place {city}" for city in ("essen", "duisburg", "dortmund")))
    play(game, *(f"place {city}" for city in ("muenster", "osnabrueck", "bremen")))
    assert game.phase == "marks"
    refuses(game, "mark essen", "mark_taken", "R-13.1")
    play(game, "mark koeln", "mark kiel")
    houses = game.view()["houses"]
    assert houses["koeln"] == houses["kiel"] == [MARK, CARTEL]
    assert (cartel(game).reserve, supplies(game)[3]) == (8, 8)
    idle_to_building(game)
    seat = game.to_move
    assert seat is not None
    before = money(game, seat)
    assert legal(game) == {"done", "build koeln", "build kiel"}
    play(game, "build kiel")
    assert game.view()["houses"]["kiel"] == [seat, CARTEL]
    assert (cartel(game).reserve, supplies(game)[3]) == (8, 9)
    assert before - money(game, seat) == 10
    play(game, "build hamburg")
    assert game.view()["houses"]["hamburg"] == [seat, CARTEL]
    assert cartel(game).reserve == 7


def idle_to_building(game: hv.Game) -> None:
    while game.phase == "auction":
        game.play(game.legal_moves.choices[0])
    idle(game, "building")


@pytest.mark.rule("R-13.1", "R-14.1")
@pytest.mark.parametrize("players", [2, 6])
def test_marks_are_moves_of_the_record(players: int) -> None:
    game = begin_round(hv.new("recharged", players=players, seed=3, **VARIANT))
    text = str(game.record())
    assert text.count(": mark ") == players
    assert hv.replay(text).view() == game.view()
    assert "option standard_starting_cities: true" in text


@pytest.mark.rule("R-13.1")
@pytest.mark.rule("R-13.2", "A-BAW-5")
@pytest.mark.parametrize("map_", ["south_africa", "baden_wuerttemberg"])
def test_a_network_starts_in_every_marked_city_of_a_board_with_slots_of_its_own(map_: str) -> None:
    game = hv.new("recharged", map=map_, players=3, seed=2, standard_starting_cities=True)
    while game.phase == "marks":
        own = [str(m) for m in game.legal_moves if m.city in board(game).rules.map_rules.slots]  # type: ignore[attr-defined]
        game.play(own[0] if own else str(game.legal_moves[0]))
    idle_to_building(game)
    for move in game.legal_moves:
        game.check(move)
    assert legal(game) == {f"build {city}" for city in marked(game)} | {"done"}


def test_a_map_without_uranium_to_mark_cities_is_refused(tmp_path: Path) -> None:
    data = json.loads(known_maps()["germany_recharged"].path.read_text("utf-8"))
    data["rules"] = {"start": {"uranium": 8}}
    path = tmp_path / "glowing.json"
    path.write_text(json.dumps(data), "utf-8")
    assert hv.new("recharged", map=path, players=4, seed=1, **VARIANT).phase == "marks"
    assert hv.new("recharged", map=path, players=5, seed=1).phase == "auction"
    with pytest.raises(hv.OptionError, match="uranium"):
        hv.new("recharged", map=path, players=5, seed=1, **VARIANT)
