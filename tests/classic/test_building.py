"""C-7: building."""

from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Paid
from highvoltage.engine.parts.board import load_map, region_sets
from positions import board, classic, legal, play, refuses

WEST = ("northwest", "west", "southwest")
RUHR = ["duisburg", "essen", "dortmund", "muenster", "duesseldorf"]


def money(game: hv.Game, seat: int) -> int:
    return board(game).players[seat].money


def builds(game: hv.Game) -> set[str]:
    return {move.removeprefix("build ") for move in legal(game) if move != "done"}


# The turn


@pytest.mark.rule("C-7.1.1")
def test_everybody_has_one_turn_and_connects_as_much_as_money_allows() -> None:
    game = classic(regions=WEST, money={0: 32, 1: 9, 2: 10}, phase="building", order=[0, 1, 2])
    play(game, "build essen")
    assert legal(game) == {"done"}
    play(game, "done")
    assert legal(game) == {"done"}  # 9 is too little
    play(game, "done")
    play(game, "build duisburg", "build muenster", "done")
    assert [row.seat for row in game.log] == [2, 2, 1, 0, 0, 0]
    assert game.phase == "bureaucracy"


@pytest.mark.rule("C-7.1.1", "C-14")
def test_what_cannot_be_paid_or_does_not_belong_here_is_refused() -> None:
    game = classic(regions=WEST, money=11, cities={0: ["essen"]}, phase="building", order=[1, 2, 0])
    assert builds(game) == {"duisburg"}
    refuses(game, "build duesseldorf", "cannot_pay_city", "C-7.1.1")
    refuses(game, "build wien", "unknown_city", "C-2.1")
    refuses(game, "buy coal 1", "not_now", "C-14")
    refuses(game, "pass", "not_now", "C-14")


@pytest.mark.rule("C-7.1.2")
@pytest.mark.parametrize("round_", [1, 2, 9])
def test_nobody_has_to_build(round_: int) -> None:
    game = classic(money=500, phase="building", round=round_)
    play(game, "done", "done", "done")
    assert game.phase == "bureaucracy"


# The first city


@pytest.mark.rule("C-7.2.1", "C-7.2.2", "C-7.3.8")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_network_starts_in_an_empty_city_for_10(step: int) -> None:
    game = classic(
        regions=WEST,
        step=step,
        money=10,
        cities={0: ["essen"], 2: ["koeln", "aachen"]},
        phase="building",
        order=[0, 2, 1],
    )
    assert builds(game) == set(board(game).area.cities) - {"essen", "koeln", "aachen"}
    assert set(game.view(1)["connect"].values()) == {10}
    refuses(game, "build essen", "start_empty", "C-7.2.1")
    play(game, "build trier")
    assert money(game, 1) == 0


# Further cities


@pytest.mark.rule("C-1.4.1", "C-7.3.1", "C-7.3.4", "C-7.3.6", "C-7.3.8", "C-9.1.1", "C-9.3.5")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_three_slots_of_a_city(step: int) -> None:
    homes = {0: ["essen"], 1: ["duesseldorf"], 2: ["dortmund"], 3: ["muenster"]}
    regions = (*WEST, "east")
    game = classic(
        4,
        regions=regions,
        step=step,
        money=100,
        cities=homes,
        phase="building",
        order=[3, 2, 1, 0],
    )
    path_costs = [0, 2, 4, 6]  # Duisburg is joined to Essen for nothing
    for seat, slot in enumerate([10, 15, 20][:step]):
        play(game, "build duisburg", "done")
        assert money(game, seat) == 100 - slot - path_costs[seat]
    assert game.view()["houses"]["duisburg"] == [0, 1, 2][:step]
    assert "duisburg" not in game.view(3)["connect"]
    refuses(game, "build duisburg", "city_full", "C-7.3.1")


@pytest.mark.rule("C-7.3.6")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_one_house_of_a_player_in_a_city(step: int) -> None:
    game = classic(
        regions=WEST,
        step=step,
        money=100,
        cities={0: ["essen"]},
        phase="building",
        order=[1, 2, 0],
    )
    refuses(game, "build essen", "already_there", "C-7.3.6")
    play(game, "build duisburg")
    refuses(game, "build duisburg", "already_there", "C-7.3.6")


@pytest.mark.rule("C-7.3.2", "C-7.3.1")
def test_a_path_runs_through_foreign_full_and_empty_cities() -> None:
    cities = {0: ["essen"], 1: ["duesseldorf"], 2: ["duisburg", "dortmund"]}
    at: dict[str, Any] = {"regions": WEST, "phase": "building", "order": [1, 2, 0]}
    crowded = classic(cities=cities, money=100, **at)
    empty = classic(cities={0: ["essen"]}, money=100, **at)
    refuses(crowded, "build duesseldorf", "city_full", "C-7.3.1")
    for game in (crowded, empty):
        play(game, "build koeln")  # through Düsseldorf
        assert money(game, 0) == 100 - 10 - 2 - 4
        assert "koeln" in game.view()["houses"]
        assert game.view()["houses"].get("duesseldorf", []) == ([1] if game is crowded else [])


@pytest.mark.rule("C-7.3.3")
def test_a_path_is_paid_in_full_each_time() -> None:
    game = classic(
        regions=WEST,
        step=2,
        money=100,
        cities={0: ["essen"], 1: ["essen"]},
        phase="building",
        order=[2, 1, 0],
    )
    play(game, "build koeln", "build aachen", "done")
    assert money(game, 0) == 100 - (10 + 2 + 4) - (10 + 7)
    play(game, "build koeln")
    assert money(game, 1) == 100 - (15 + 2 + 4)
    play(game, "build duesseldorf")  # nobody built here, so the path is paid again
    assert money(game, 1) == 100 - (15 + 2 + 4) - (10 + 2)


@pytest.mark.rule("C-7.3.1", "C-7.3.5")
def test_cities_connected_in_this_turn_shorten_the_next_path() -> None:
    game = classic(
        regions=WEST, money=100, cities={0: ["essen"]}, phase="building", order=[1, 2, 0]
    )
    before = game.view(0)["connect"]
    play(game, "build duesseldorf")
    after = game.view(0)["connect"]
    assert (before["koeln"], after["koeln"]) == (16, 14)
    assert all(after[city] <= before[city] for city in after)


@pytest.mark.rule("C-7.3.7")
def test_a_second_network_cannot_be_started() -> None:
    game = classic(
        regions=WEST, money=1000, cities={0: ["essen"]}, phase="building", order=[1, 2, 0]
    )
    area = board(game).area
    far = max(game.view(0)["connect"].items(), key=lambda item: item[1])
    assert builds(game) == set(area.cities) - {"essen"}  # every city can be reached
    play(game, f"build {far[0]}")
    assert money(game, 0) == 1000 - far[1]
    assert far[1] == 10 + area.distance[area.index["essen"]][area.index[far[0]]] > 10


def paths(name: str, regions: tuple[str, ...], network: list[str]) -> dict[str, int]:
    """The cheapest path from a network to every city of the regions."""
    near: dict[str, list[tuple[str, int]]] = {
        city.id: [] for city in load_map(name).cities if city.region in regions
    }
    for link in load_map(name).connections:
        if link.a in near and link.b in near:
            near[link.a].append((link.b, link.cost))
            near[link.b].append((link.a, link.cost))
    found: dict[str, int] = {}
    heap = [(0, city) for city in network]
    while heap:
        cost, city = heappop(heap)
        if city not in found:
            found[city] = cost
            for other, more in near[city]:
                heappush(heap, (cost + more, other))
    return found


@pytest.mark.rule("C-7.3.1", "C-7.3.2", "C-7.3.5", "C-7.3.6", "C-7.3.8", "C-2.1")
@given(st.data())
def test_prices_are_slot_and_cheapest_path_from_the_network(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["germany", "usa", "central_europe"]))
    regions = data.draw(st.sampled_from(region_sets(load_map(name), 3)))
    step = data.draw(st.integers(1, 3))
    inside = [city.id for city in load_map(name).cities if city.region in regions]
    houses: dict[str, list[int]] = {city: [] for city in inside}
    for seat in range(3):
        free = [city for city in inside if len(houses[city]) < step]
        for city in data.draw(st.sets(st.sampled_from(free), min_size=1, max_size=8)):
            houses[city].append(seat)
    cities = {seat: [city for city in inside if seat in houses[city]] for seat in range(3)}
    purse = data.draw(st.integers(0, 60))
    game = classic(
        map=name,
        regions=regions,
        step=step,
        cities=cities,
        money=purse,
        phase="building",
        order=[1, 2, 0],
    )
    distance = paths(name, regions, cities[0])
    prices = {
        city: (10, 15, 20)[len(there)] + distance[city]
        for city, there in houses.items()
        if 0 not in there and len(there) < step
    }
    assert game.view(0)["connect"] == prices
    assert builds(game) == {city for city, price in prices.items() if price <= purse}
    for city in list(builds(game))[:1]:
        play(game, f"build {city}")
        assert money(game, 0) == purse - prices[city]
        distance = paths(name, regions, [*cities[0], city])
        price = game.view(0)["connect"]
        assert all(price[c] == (10, 15, 20)[len(houses[c])] + distance[c] for c in price)


# After a house


@pytest.mark.rule("C-7.4.1")
def test_a_house_is_paid_placed_and_counted() -> None:
    game = classic(regions=WEST, money=50, cities={0: ["essen"]}, phase="building", order=[1, 2, 0])
    (paid,) = game.play("build koeln")
    assert paid == Paid(0, 16)
    assert game.view()["players"][0]["cities"] == ["essen", "koeln"]
    assert game.view()["houses"] == {"essen": [0], "koeln": [0]}
    assert board(game).most_cities == 2


@pytest.mark.rule("C-7.4.2")
def test_a_player_may_pass_the_number_that_ends_the_game() -> None:
    game = classic(3, cities={0: 16}, money=900, phase="building", order=[1, 2, 0])
    while builds(game):
        game.play(game.legal_moves[0])
    assert len(board(game).players[0].cities) == 21
    assert game.outcome is None


@pytest.mark.rule("C-7.4.3", "C-9.2.1")
def test_reaching_step_2_opens_no_slot_in_this_phase() -> None:
    cities = {0: ["essen", *["duisburg", "dortmund", "muenster", "koeln", "aachen"]]}
    game = classic(regions=WEST, money=300, cities=cities, phase="building", order=[1, 2, 0])
    play(game, "build duesseldorf", "done")
    assert (board(game).most_cities, board(game).step) == (7, 1)
    refuses(game, "build essen", "start_empty", "C-7.2.1")
    play(game, "build osnabrueck")
    refuses(game, "build essen", "city_full", "C-7.3.1")
    play(game, "done", "done")
    assert (board(game).step, game.phase) == (2, "bureaucracy")


@pytest.mark.rule("C-7.4.3", "C-9.3.3")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_opens_no_slot_in_this_phase(step: int) -> None:
    crowd = dict.fromkeys(range(1, step + 1), RUHR[:2])
    cities = {**crowd, 0: ["muenster", "dortmund", "koeln", "aachen", "trier"]}
    game = classic(
        4,
        regions=(*WEST, "east"),
        step=step,
        money=300,
        cities=cities,
        market=[6, 7, 8, 9, 10, 11, 12, 13],
        deck=[LAST_CARD, 30],
        phase="building",
        order=[1, 2, 3, 0],
    )
    play(game, "build wiesbaden")
    assert LAST_CARD in board(game).market.removed
    assert board(game).step == step
    refuses(game, "build essen", "city_full", "C-7.3.1")
    play(game, "done", "done", "done", "done")
    assert board(game).step == 3
