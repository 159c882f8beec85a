"""R-3 and R-6 to R-10: the round, fuel, building, bureaucracy, the Steps and the end."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from positions import board, idle, legal, offers, play, refuses
from recharged.start import WEST, money, recharged, removed, state, stocks, supplies

MARKET = [8, 10, 11, 12, 13, 14, 15, 16]
LATER = [17, 18, 20, 22, 24, 25, 26, 27]


def builds(game: hv.Game) -> set[str]:
    return {move.removeprefix("build ") for move in legal(game) if move != "done"}


# The round


@pytest.mark.rule("R-3.1", "RV-03")
def test_most_cities_go_first_and_then_the_highest_plant() -> None:
    game = recharged(
        4,
        cities={0: 4, 1: 5, 2: 6, 3: 5},
        plants={0: [30], 1: [15, 3], 2: [4], 3: [17]},
        phase="bureaucracy",
        order=[0, 1, 2, 3],
        step=3,
    )
    idle(game)
    assert (game.phase, game.view()["order"]) == ("auction", [2, 3, 1, 0])


@pytest.mark.rule("R-3.1", "R-3.2", "R-3.3", "R-6.1", "R-7.1")
def test_the_phases_of_a_round_and_who_goes_first() -> None:
    game = recharged(order=[1, 0, 2], plants={0: [4], 1: [5], 2: [3]}, cities={1: 2, 0: 1})
    idle(game, "bureaucracy")
    idle(game)
    seats: dict[str, list[int]] = {}
    for row in game.log:
        seats.setdefault(row.phase, []).append(row.seat)
    assert seats == {
        "auction": [1, 0, 2],
        "fuel": [2, 0, 1],
        "building": [2, 0, 1],
        "bureaucracy": [1, 0, 2],
    }
    assert list(seats) == ["auction", "fuel", "building", "bureaucracy"]
    assert (game.phase, game.state.round) == ("auction", 3)


# Fuel


@pytest.mark.rule("R-6.1", "RV-05")
@pytest.mark.parametrize(
    ("plant", "most"),
    [(3, {"oil": 4}), (5, {"coal": 4, "oil": 4}), (13, {})],
)
def test_plants_limit_what_can_be_bought(plant: int, most: dict[str, int]) -> None:
    game = recharged(plants={2: [plant]}, money=200, phase="fuel", order=[0, 1, 2])
    assert legal(game) == {"done"} | {
        f"buy {fuel} {count}" for fuel, room in most.items() for count in range(1, room + 1)
    }
    if plant == 5:
        play(game, "buy coal 3")
        assert legal(game) == {"done", "buy coal 1", "buy oil 1"}
    refuses(game, "buy garbage 1", "no_room", "R-6.1")
    refuses(game, "buy tea 1", "unknown_fuel", "R-1.3.1")
    refuses(game, "buy oil 0", "buy_nothing", "R-6.1")


@pytest.mark.rule("R-6.1", "R-1.3.1")
def test_the_cheapest_token_is_bought_first_and_paid_at_once() -> None:
    stock = {"garbage": 5}  # at 7, 7, 8, 8, 8
    game = recharged(plants={2: [38]}, stock=stock, money=29, phase="fuel", order=[0, 1, 2])
    refuses(game, "buy garbage 6", "sold_out", "R-6.1")
    refuses(game, "buy garbage 4", "cannot_pay", "R-6.1")
    play(game, "buy garbage 3")
    assert (money(game, 2), stocks(game)[2]) == (29 - 7 - 7 - 8, 2)


# Building


@pytest.mark.rule("R-7.1", "RV-06")
def test_the_prices_of_the_example() -> None:
    cities = {0: ["essen", "muenster"], 1: ["duesseldorf", "koeln"]}
    fields: dict[str, Any] = {"regions": WEST, "cities": cities, "money": 100, "phase": "building"}
    game = recharged(order=[1, 2, 0], **fields)
    prices = game.view(0)["connect"]
    assert [prices[city] for city in ("duisburg", "dortmund", "aachen")] == [10, 12, 21]
    assert game.view(1)["connect"]["duisburg"] == 12
    refuses(game, "build duesseldorf", "city_full", "R-7.1")
    refuses(game, "build essen", "already_there", "R-7.1")
    refuses(game, "build muenchen", "unknown_city", "R-2.1")
    for route, costs in (
        (("duesseldorf", "koeln"), (17, 19)),
        (("koeln", "duesseldorf"), (21, 17)),
    ):
        game = recharged(order=[1, 2, 0], step=2, **fields)
        for city, cost in zip(route, costs, strict=True):
            before = money(game, 0)
            play(game, f"build {city}")
            assert before - money(game, 0) == cost


@pytest.mark.rule("R-7.1")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_network_starts_in_an_empty_city_for_10(step: int) -> None:
    cities = {0: ["essen"], 1: ["koeln"]}
    game = recharged(regions=WEST, cities=cities, step=step, money=10, phase="building")
    while game.to_move != 2:
        play(game, "done")
    assert builds(game) == set(board(game).area.cities) - {"essen", "koeln"}
    refuses(game, "build koeln", "start_empty", "R-7.1")
    play(game, "build duisburg")
    assert money(game, 2) == 0
    refuses(game, "build dortmund", "cannot_pay_city", "R-7.1")


@pytest.mark.rule("R-7.2")
def test_a_house_is_paid_placed_and_counted() -> None:
    game = recharged(
        regions=WEST, cities={2: ["essen"]}, money=50, phase="building", order=[0, 1, 2]
    )
    play(game, "build duisburg")
    view = game.view(2)
    assert (view["players"][2]["money"], view["houses"]["duisburg"]) == (40, [2])
    assert view["players"][2]["cities"] == ["essen", "duisburg"]


@pytest.mark.rule("R-7.3", "R-8.1", "R-10.1", "RV-20", "R-12.9.1")
@pytest.mark.parametrize(("players", "end"), [(2, 18), (3, 17), (4, 17), (5, 15), (6, 14)])
def test_the_game_ends_after_the_phase_in_which_somebody_has_the_cities(
    players: int, end: int
) -> None:
    order = [*range(1, players), 0]
    fields: dict[str, Any] = {"money": 500, "phase": "building", "order": order, "step": 2}
    game = recharged(players, cities={0: end - 1}, **fields)
    for _ in range(2):  # the last one needed, and one more
        game.play(next(move for move in game.legal_moves if str(move) != "done"))
    assert len(game.view()["players"][0]["cities"]) == end + 1
    assert game.to_move == 0
    idle(game)  # the others have their turns
    assert [row.seat for row in game.log][3:] == order[-2::-1]
    assert game.outcome is not None
    assert game.view()["players"][0]["money"] < 500  # nothing was paid out
    refuses(game, "done", "game_over", "R-10.1")

    game = recharged(players, cities={0: end - 1}, **fields)
    idle(game)
    assert (game.outcome, game.phase) == (None, "bureaucracy")


@pytest.mark.rule("R-7.4", "R-9.2.1")
def test_the_step_does_not_change_while_somebody_builds() -> None:
    game = recharged(
        4,
        market=MARKET,
        deck=[20, 21],
        cities={0: 6},
        money=500,
        phase="building",
        order=[1, 2, 3, 0],
    )
    game.play(next(move for move in game.legal_moves if str(move) != "done"))
    play(game, "done")
    assert (game.phase, state(game).step) == ("building", 1)
    taken = game.view()["players"][0]["cities"]
    assert builds(game).isdisjoint(taken)
    idle(game)
    assert (game.phase, state(game).step) == ("bureaucracy", 2)


# Bureaucracy


@pytest.mark.rule("R-8.3")
def test_income_goes_from_first_to_last_and_burned_tokens_to_the_supply() -> None:
    game = recharged(
        plants={0: [10, 14], 1: [13]},
        fuel={0: {"coal": 4, "garbage": 1}},
        cities={0: 1, 1: 3},
        money=0,
        phase="bureaucracy",
        order=[0, 1, 2],
        step=3,
    )
    before = supplies(game)
    refuses(game, "run 14", "run_no_fuel", "R-8.3")
    refuses(game, "run 13", "run_not_owned", "R-8.3")
    refuses(game, "run 10 10", "run_twice", "R-8.3")
    play(game, "run 10")
    assert supplies(game) == [before[0] + 2, *before[1:]]
    assert [money(game, seat) for seat in range(3)] == [22, 0, 0]
    assert game.to_move == 1


@pytest.mark.rule("R-8.4", "R-9.1", "RV-08")
def test_the_refill_of_the_example() -> None:
    game = recharged(
        5,
        plants={0: [8, 10], 1: [3, 6]},
        fuel={0: {"coal": 6}, 1: {}},
        stock={"coal": 14, "oil": 16, "garbage": 8, "uranium": 2},
        round=1,
        phase="bureaucracy",
    )
    assert supplies(game)[0] == 4
    idle(game)
    assert stocks(game) == [18, 20, 11, 4]
    fuel = game.view()["fuel"]
    assert [fuel[kind]["prices"][0] for kind in fuel] == [3, 2, 5, 10]


@pytest.mark.rule("R-8.5", "R-8.6")
@pytest.mark.parametrize("step", [1, 2])
def test_in_steps_1_and_2_the_highest_plant_goes_under_the_deck(step: int) -> None:
    game = recharged(market=MARKET, deck=[9, 20, LAST_CARD], step=step, phase="bureaucracy")
    play(game, *["run nothing"] * 3)
    market = board(game).market
    assert market.cards == [8, 9, 10, 11, 12, 13, 14, 15]
    assert market.deck == [20, LAST_CARD, 16]
    assert (removed(game), game.view()["market"]["slid"]) == ([], ["16"])
    assert game.state.round == 3


@pytest.mark.rule("R-8.5", "R-9.3.4")
def test_in_step_3_the_lowest_plant_leaves() -> None:
    game = recharged(market=MARKET[:6], deck=[9, 20], step=3, phase="bureaucracy")
    play(game, *["run nothing"] * 3)
    assert board(game).market.cards == [9, 10, 11, 12, 13, 14]
    assert removed(game) == [8]


@pytest.mark.rule("R-8.6", "R-9.3.1", "R-9.3.3", "R-9.3.4", "RV-16")
def test_the_step_3_card_drawn_in_phase_5() -> None:
    game = recharged(
        4,
        market=LATER,
        deck=[LAST_CARD, 31, 32, 36, 38],
        step=2,
        cities={0: 12},
        stock=dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0),
        phase="bureaucracy",
    )
    play(game, *["run nothing"] * 3)
    assert state(game).step == 2
    play(game, "run nothing")
    assert stocks(game) == [6, 4, 3, 2]  # column 2
    assert (game.phase, state(game).step, game.state.round) == ("auction", 3, 3)
    assert offers(game) == ([18, 20, 22, 24, 25, 26], [])
    assert sorted(board(game).market.deck) == [27, 31, 32, 36, 38]
    assert removed(game) == [17]


# Steps


@pytest.mark.rule("R-9.1")
def test_step_1_allows_one_house_in_a_city() -> None:
    game = recharged(
        regions=WEST,
        cities={0: ["essen"], 2: ["duisburg"]},
        money=500,
        phase="building",
        order=[0, 1, 2],
    )
    refuses(game, "build essen", "city_full", "R-7.1")
    assert "essen" not in game.view(2)["connect"]


@pytest.mark.rule("R-8.2", "R-9.2.1", "R-9.2.2", "R-9.2.3", "R-4.5.4", "RV-19", "RI-14")
@pytest.mark.parametrize(("players", "count"), [(2, 7), (3, 7), (4, 7), (5, 7), (6, 6)])
def test_step_2_starts_phase_5(players: int, count: int) -> None:
    empty = dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0)
    fields: dict[str, Any] = {"market": MARKET, "deck": [9, 20, 21, 22], "phase": "building"}
    game = recharged(players, cities={0: count - 1}, **fields)
    idle(game)
    assert (game.phase, state(game).step) == ("bureaucracy", 1)

    game = recharged(players, cities={0: count}, stock=empty, **fields)
    assert state(game).step == 1
    idle(game)
    assert (game.phase, state(game).step) == ("bureaucracy", 2)
    assert offers(game) == ([9, 10, 11, 12], [13, 14, 15, 16])
    assert removed(game) == [8]
    idle(game)
    refill = {2: [4, 2, 2, 1], 3: [5, 3, 2, 1], 4: [6, 4, 3, 2], 5: [7, 5, 3, 3], 6: [9, 6, 5, 3]}
    assert stocks(game) == refill[players]
    assert offers(game) == ([9, 10, 11, 12], [13, 14, 15, 20])
    idle(game, "bureaucracy")
    assert state(game).step == 2  # once


@pytest.mark.rule("R-9.2.3")
def test_step_2_allows_a_second_house_for_15() -> None:
    game = recharged(
        regions=WEST,
        step=2,
        cities={0: ["essen"], 1: ["duisburg", "koeln"], 2: ["koeln"]},
        phase="building",
        money=100,
    )
    prices = game.view(2)["connect"]
    assert prices["essen"] == 15 + 6
    assert game.view(0)["connect"]["duisburg"] == 15
    assert "koeln" not in game.view(0)["connect"]


@pytest.mark.rule("R-8.5.1", "R-8.6", "R-9.2.4", "R-9.3.3", "RV-17")
def test_the_step_3_card_drawn_by_the_start_of_step_2() -> None:
    game = recharged(
        4,
        market=[10, 11, 12, 14, 15, 16, 18, 20],
        deck=[LAST_CARD, 25, 27, 31, 32, 36],
        chance=hv.Scripted(step3=[31]),
        cities={0: 7},
        stock=dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0),
        phase="building",
        order=[0, 1, 2, 3],
    )
    idle(game)
    assert (game.phase, state(game).step) == ("bureaucracy", 2)
    assert offers(game) == ([12, 14, 15, 16, 18, 20], [])
    assert removed(game) == [10, 11]
    idle(game)
    assert stocks(game) == [6, 4, 3, 2]  # column 2
    assert (state(game).step, game.state.round) == (3, 3)
    assert offers(game) == ([14, 15, 16, 18, 20, 31], [])
    assert removed(game) == [10, 11, 12]
    assert sorted(board(game).market.deck) == [25, 27, 32, 36]


@pytest.mark.rule("R-9.3.2", "R-9.3.5", "RV-18", "RI-14")
def test_step_3_before_step_2_makes_both_changes() -> None:
    game = recharged(market=[8, 10, 11, 12, 13, 14, 15, LAST_CARD], deck=[20, 25, 26], money=100)
    board(game).market.discount = None  # the token is gone
    play(game, "pass", "pass", "pass")
    assert (game.phase, state(game).step) == ("fuel", 3)
    assert offers(game) == ([11, 12, 13, 14, 15, 20], [])
    assert removed(game) == [8, 10]
    board(game).most_cities = 9
    idle(game, "bureaucracy")
    assert (state(game).step, board(game).market.cards[0]) == (3, 11)  # Step 2 never comes


@pytest.mark.rule("R-9.3.5", "R-4.5.1")
def test_the_card_drawn_by_the_step_2_change_is_not_compared() -> None:
    game = recharged(market=[8, 10, 11, 12, 13, 14, 15, LAST_CARD], deck=[7, 6, 25], money=100)
    play(game, "pass", "pass", "pass")
    # 8 was unsold: 7 for it; Step 2: 6 for 7; Step 3: 6 goes
    assert removed(game) == [8, 7, 6]
    assert offers(game) == ([10, 11, 12, 13, 14, 15], [])


@pytest.mark.rule("R-9.3.3", "R-9.3.5")
def test_step_3_before_step_2_in_phase_5() -> None:
    game = recharged(
        4,
        market=MARKET,
        deck=[LAST_CARD, 31, 32, 36],
        chance=hv.Scripted(step3=[32]),
        stock=dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0),
        phase="bureaucracy",
    )
    idle(game)
    assert stocks(game) == [5, 3, 2, 1]  # column 1
    assert (game.phase, state(game).step) == ("auction", 3)
    assert offers(game) == ([11, 12, 13, 14, 15, 32], [])
    assert removed(game) == [8, 10]
    assert sorted(board(game).market.deck) == [16, 31, 36]


@pytest.mark.rule("R-9.3.2", "R-9.3.4")
def test_step_3_from_phase_3_on() -> None:
    game = recharged(
        4,
        regions=["northwest", "west", "southwest", "south"],
        step=2,
        market=[16, 18, 20, 22, 24, 26, 30, LAST_CARD],
        deck=[31, 33],
        cities={0: ["essen"], 1: ["essen"], 2: ["duisburg"]},
        stock=dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0),
        money=100,
    )
    idle(game, "building")
    assert state(game).step == 3
    assert game.view(2)["connect"]["essen"] == 20
    idle(game, "bureaucracy")
    idle(game)
    assert stocks(game) == [4, 5, 4, 2]  # column 3


# The end


@pytest.mark.rule("R-10.1", "R-10.2", "R-10.3", "R-10.4", "R-10.5")
def test_the_ranking() -> None:
    plants = {0: [36], 1: [36], 2: [38], 3: [46]}  # 7 cities each
    fuel = {0: {"coal": 3}, 1: {"coal": 3}, 2: {"garbage": 3}, 3: {"coal": 2, "oil": 1}}
    game = recharged(
        4,
        cities={0: 17, 1: 7, 2: 8, 3: 6},
        plants=plants,
        fuel=fuel,
        money={0: 5, 1: 30, 2: 30, 3: 99},
        step=3,
        phase="building",
    )
    idle(game)
    assert game.outcome is not None
    assert [score["supplied"] for score in game.outcome.scores] == [7, 7, 7, 6]
    assert game.outcome.ranking == ((2,), (1,), (0,), (3,))  # cities, then money decide
    assert game.outcome.winners == (2,)  # not the one who ended it

    shared = recharged(
        4,
        cities={0: 17, 1: 8, 2: 8, 3: 6},
        plants=plants,
        fuel=fuel,
        money={0: 5, 1: 30, 2: 30, 3: 99},
        step=3,
        phase="building",
    )
    idle(shared)
    assert shared.outcome is not None
    assert shared.outcome.winners == (1, 2)


@pytest.mark.rule("R-10.2")
def test_missing_tokens_count_at_the_end() -> None:
    game = recharged(
        cities={0: 17, 1: 3},
        plants={0: [36], 1: [33]},
        fuel={0: {"coal": 2}},
        step=3,
        phase="building",
    )
    idle(game)
    assert game.outcome is not None
    assert [score["supplied"] for score in game.outcome.scores] == [0, 3, 0]
    assert state(game).players[0].fuel == (2, 0, 0, 0)
