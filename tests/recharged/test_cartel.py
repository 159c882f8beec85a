"""R-12: two players against the cartel."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Placed
from highvoltage.games.recharged.state import CARTEL
from positions import board, idle, legal, offers, play, refuses
from recharged.start import (
    FUELS,
    WEST,
    begin_round,
    cartel,
    money,
    owned,
    recharged,
    removed,
    state,
    stocks,
    supplies,
)

MARKET = [5, 8, 9, 11, 12, 13, 14, 15]


def two(**options: Any) -> hv.Game:
    """A new game in which seat 0 is first."""
    return hv.new("recharged", players=2, chance=hv.Scripted(order=[0, 1]), **options)


def cartel_cities(game: hv.Game) -> dict[str, int]:
    """The cities with a house of the cartel, and the slot it is on."""
    houses: dict[str, list[int]] = game.view()["houses"]
    return {city: stands.index(CARTEL) for city, stands in houses.items() if CARTEL in stands}


# Set-up


@pytest.mark.rule("R-12.0")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_players_and_only_they_meet_the_cartel(players: int) -> None:
    game = hv.new("recharged", players=players, seed=1)
    assert ("cartel" in game.view()) == (players == 2)
    assert (game.phase == "cartel") == (players == 2)


@pytest.mark.rule("R-12.1.1")
def test_the_cartel_starts_with_houses_and_nothing_else() -> None:
    game = two()
    nothing = dict.fromkeys(FUELS, 0)
    assert game.view()["cartel"] == {"plants": [], "fuel": nothing, "reserve": 16}
    assert len(game.view()["players"]) == 2


@pytest.mark.rule("R-12.2.1", "R-12.4.1", "RI-10")
def test_the_first_player_is_drawn_and_the_cartel_is_between_the_two() -> None:
    firsts = {hv.new("recharged", players=2, seed=seed).view()["order"][0] for seed in range(20)}
    assert firsts == {0, 1}
    game = recharged(
        2,
        cities={0: 1, 1: 3},
        plants={0: [30], 1: [4]},
        plants_of_cartel=[46],
        market=MARKET,
        order=[0, 1],
        phase="bureaucracy",
    )
    idle(game)
    assert game.view()["order"] == [1, 0]  # 1, the cartel, 0
    assert game.to_move == 1


@pytest.mark.rule("R-12.3.1", "R-12.3.2", "RV-24")
def test_the_players_place_the_six_houses_in_turn() -> None:
    game = two(regions=WEST)
    area = board(game).area
    assert legal(game) == {f"place {city}" for city in area.cities}
    placed: list[str] = []
    for _ in range(6):
        near = {
            area.cities[city]
            for of in placed
            for city, _ in area.neighbours[area.index[of]]
            if area.cities[city] not in placed
        }
        assert legal(game) == {f"place {city}" for city in (near or area.cities)}
        move = max(legal(game))
        placed.append(move.removeprefix("place "))
        play(game, move)
    assert [row.seat for row in game.log] == [0, 1, 1, 0, 0, 1]
    assert cartel_cities(game) == dict.fromkeys(placed, 0)
    assert (game.phase, game.view()["cartel"]["reserve"]) == ("auction", 10)


@pytest.mark.rule("R-12.3.1", "R-12.3.2")
def test_houses_stay_together_one_in_a_city() -> None:
    game = two(regions=WEST)
    play(game, "place essen")
    refuses(game, "place essen", "place_taken", "R-12.3.2")
    refuses(game, "place koeln", "place_apart", "R-12.3.1")
    refuses(game, "place muenchen", "unknown_city", "R-2.1")
    play(game, "place duesseldorf", "place koeln")
    assert cartel_cities(game) == {"essen": 0, "duesseldorf": 0, "koeln": 0}
    assert game.to_move == 0


@pytest.mark.rule("R-12.3.1", "R-14.1", "R-14.2")
def test_the_houses_are_moves_of_the_record() -> None:
    game = begin_round(two(regions="draft"))
    text = str(game.record())
    assert text.count(": place ") == 6
    assert hv.replay(text).view(0) == game.view(0)
    assert game.undo() == game.parse(text.splitlines()[-3].split(": ")[1])
    assert (game.phase, game.to_move) == ("cartel", 1)


# Phase 1


@pytest.mark.rule("R-12.4.1", "R-12.1.2")
def test_plants_and_houses_of_the_cartel_count_for_no_order() -> None:
    game = recharged(
        2,
        cities={0: 2, 1: 2},
        plants={0: [4], 1: [10]},
        plants_of_cartel=[50],
        market=MARKET,
        order=[0, 1],
        phase="bureaucracy",
    )
    idle(game)
    assert game.view()["order"] == [1, 0]


# Phase 2


def auction(**fields: Any) -> hv.Game:
    fields = {"market": MARKET, "deck": [10, 20, 30, 31], "money": 50, "order": [0, 1], **fields}
    return recharged(2, **fields)


@pytest.mark.rule(
    "R-12.5.1", "R-12.5.2", "R-12.5.3", "R-12.5.4", "R-12.5.5", "R-12.4.1", "RV-26", "RI-10"
)
def test_the_auction_of_the_example() -> None:
    game = auction(round=1)
    play(game, "nominate 8 @8", "bid 9")
    assert cartel(game).cards == ()
    play(game, "pass")
    assert (owned(game, 1), money(game, 1)) == ((8,), 41)
    assert cartel(game).cards == (11,)
    assert offers(game) == ([5, 9, 10, 12], [13, 14, 15, 20])
    assert (game.to_move, game.view()["market"]["discount"]) == (0, "5")
    assert legal(game) == {"nominate 5 @1", "nominate 9 @9", "nominate 10 @10", "nominate 12 @12"}
    play(game, "nominate 5 @1")
    assert (owned(game, 0), money(game, 0)) == ((5,), 49)
    assert offers(game) == ([9, 10, 12, 13], [14, 15, 20, 30])
    assert (game.phase, game.view()["order"]) == ("fuel", [1, 0])
    assert cartel(game).cards == (11,)  # once


@pytest.mark.rule("R-12.5.5", "R-4.5.1", "RV-26")
def test_the_auction_of_the_example_with_a_smaller_card() -> None:
    game = auction(round=1, deck=[4, 20, 30, 31])
    play(game, "nominate 8 @8", "bid 9", "pass")
    assert removed(game) == [4]
    assert cartel(game).cards == (12,)
    assert offers(game)[0] == [5, 9, 11, 13]
    assert game.view()["market"]["discount"] is None
    assert "nominate 5 @5" in legal(game)
    assert "nominate 5 @1" not in legal(game)


@pytest.mark.rule("R-12.5.5", "R-4.5.1", "R-4.6.4")
def test_the_cartels_replacement_may_take_the_token_off() -> None:
    game = auction(deck=[4, 20, 30])
    play(game, "pass")
    assert cartel(game).cards == (11,)
    assert (removed(game), game.view()["market"]["discount"]) == ([4], None)
    play(game, "pass")
    assert game.phase == "fuel"
    assert removed(game) == [4]  # neither bought, and still no plant leaves


@pytest.mark.rule("R-12.5.2", "R-12.5.3")
@pytest.mark.parametrize(
    ("first", "buyer", "then"),
    [
        (["nominate 9 @9", "pass"], 0, 1),
        (["nominate 9 @9", "bid 10", "pass"], 1, 0),
        (["pass"], None, 1),
    ],
)
@pytest.mark.parametrize("last", ["pass", "buy"])
def test_the_three_courses(first: list[str], buyer: int | None, then: int, last: str) -> None:
    game = auction()
    play(game, *first[:-1])
    assert cartel(game).cards == ()
    events = game.play(first[-1])
    what = [event.what for event in events]
    drawn = ["turned"] if buyer is not None else []
    sold = ["sold"] if buyer is not None else []
    assert what == [*sold, *drawn, "taken", "turned"]  # after the replacement
    assert len(cartel(game).cards) == 1
    assert game.to_move == then
    card = offers(game)[0][1]
    refuses(game, f"nominate {card} @{card + 1}", "last_buyer", "R-4.3.2")
    play(game, "pass" if last == "pass" else f"nominate {card} @{card}")
    assert game.phase == "fuel"
    assert len(cartel(game).cards) == 1


@pytest.mark.rule("R-12.5.2")
def test_the_cartel_waits_until_a_buyer_has_given_up_a_plant() -> None:
    game = auction(plants={0: [20, 21, 22]}, deck=[10, 30, 31])
    play(game, "nominate 9 @9", "pass")
    assert (game.to_move, cartel(game).cards) == (0, ())
    play(game, "scrap 20")
    assert cartel(game).cards == (11,)


@pytest.mark.rule("R-12.5.2", "R-12.5.3")
def test_the_cartel_acts_even_if_nobody_can_buy() -> None:
    game = auction(money=0)
    assert game.phase == "fuel"
    assert cartel(game).cards == (11,)


@pytest.mark.rule("R-12.5.3", "R-4.1.2", "RI-10")
def test_without_an_auction_the_cartel_takes_nothing() -> None:
    game = auction(market=[], deck=[], step=3)
    assert (game.phase, cartel(game).cards) == ("fuel", ())


@pytest.mark.rule("R-12.5.4")
def test_the_cartel_takes_the_highest_plant_on_offer() -> None:
    game = auction(step=2, market=[5, 8, 9, 11, 12, 13, 14, LAST_CARD], deck=[30])
    play(game, "pass")
    assert cartel(game).cards == (11,)  # the fourth, though Step 3 is near
    game = auction(step=3, market=MARKET[:6])
    play(game, "pass")
    assert cartel(game).cards == (13,)  # the sixth
    game = auction(step=3, market=[5, 8], deck=[])
    play(game, "nominate 8 @8", "pass")
    assert cartel(game).cards == (5,)
    assert game.phase == "fuel"


@pytest.mark.rule("R-12.5.4")
def test_the_cartel_takes_nothing_from_an_empty_market() -> None:
    game = auction(step=3, market=[5], deck=[])
    play(game, "nominate 5 @1", "pass")
    assert (game.phase, cartel(game).cards) == ("fuel", ())


@pytest.mark.rule("R-12.5.4", "RV-27", "RI-04")
@pytest.mark.parametrize("step", [1, 2])
def test_with_three_plants_the_cartel_takes_only_a_better_one(step: int) -> None:
    fields = {"plants_of_cartel": [12, 15, 20], "deck": [30, 31], "step": step}
    better = auction(market=[5, 8, 9, 14, 16, 17, 18, 19], **fields)
    play(better, "pass")
    assert cartel(better).cards == (14, 15, 20)
    assert removed(better) == [12]
    assert offers(better) == ([5, 8, 9, 16], [17, 18, 19, 30])
    worse = auction(market=[5, 8, 9, 11, 16, 17, 18, 19], **fields)
    play(worse, "pass")
    assert cartel(worse).cards == (12, 15, 20)
    assert removed(worse) == []
    assert offers(worse) == ([5, 8, 9, 11], [16, 17, 18, 19])


@pytest.mark.rule("R-12.5.6")
def test_the_token_on_a_plant_the_cartel_takes_is_put_aside() -> None:
    game = auction(step=3, market=[5], deck=[4, 30])
    play(game, "pass")
    assert cartel(game).cards == (5,)
    assert game.view()["market"]["discount"] is None
    assert offers(game) == ([4], [])  # not compared
    play(game, "pass")
    assert offers(game) == ([4], [])  # not removed
    assert removed(game) == []


@pytest.mark.rule("R-12.1.2")
def test_the_cartel_pays_and_earns_nothing() -> None:
    game = auction(deck=range(20, 30))
    idle(game, "bureaucracy")
    assert cartel(game).cards == (11,)
    assert [money(game, seat) for seat in range(2)] == [50, 50]
    idle(game)
    assert [money(game, seat) for seat in range(2)] == [60, 60]


# Phase 3


@pytest.mark.rule("R-12.6.1")
def test_the_cartel_takes_fuel_between_the_two_players() -> None:
    game = recharged(
        2,
        plants={0: [4], 1: [4]},
        plants_of_cartel=[10],
        stock={"coal": 5},
        money=100,
        phase="fuel",
        order=[0, 1],
    )
    assert game.to_move == 1
    play(game, "buy coal 2")
    assert cartel(game).fuel == (0, 0, 0, 0)
    play(game, "done")
    assert cartel(game).fuel == (2, 0, 0, 0)
    assert (game.to_move, stocks(game)[0]) == (0, 1)
    play(game, "done")
    assert cartel(game).fuel == (2, 0, 0, 0)
    assert game.view()["cartel"]["fuel"] == {"coal": 2, "oil": 0, "garbage": 0, "uranium": 0}


@pytest.mark.rule("R-12.6.2", "R-12.6.3", "R-12.6.4", "R-12.8.1", "RV-28", "RI-09")
@pytest.mark.parametrize(
    ("plants", "stock", "taken"),
    [
        ([5, 7, 10], {"coal": 3, "oil": 4}, (3, 4, 0, 0)),
        ([5, 7, 10], {"coal": 2, "oil": 4}, (2, 4, 0, 0)),
        ([46], {}, (2, 1, 0, 0)),
        ([29], {}, (1, 0, 0, 0)),  # starts with coal
        ([5, 12], {"coal": 2, "oil": 9}, (2, 2, 0, 0)),  # each hybrid starts with coal again
        ([5, 12], {"coal": 1, "oil": 9}, (1, 3, 0, 0)),
        ([5, 12, 21], {"coal": 9, "oil": 1}, (5, 1, 0, 0)),
        ([3, 5, 12], {"coal": 9, "oil": 2}, (4, 2, 0, 0)),  # the pure one first
        ([6, 11, 13], {}, (0, 0, 1, 1)),
        ([11, 17, 23], {"uranium": 2}, (0, 0, 0, 2)),
        ([13, 18], {}, (0, 0, 0, 0)),
        ([], {}, (0, 0, 0, 0)),
    ],
)
def test_what_the_cartel_takes_and_returns(
    plants: list[int], stock: dict[str, int], taken: tuple[int, ...]
) -> None:
    game = recharged(2, plants_of_cartel=plants, stock=stock, phase="fuel")
    before, supply = stocks(game), supplies(game)
    play(game, "done")
    assert cartel(game).fuel == taken
    assert stocks(game) == [stock - count for stock, count in zip(before, taken, strict=True)]
    assert supplies(game) == supply
    idle(game, "bureaucracy")
    play(game, "run nothing")
    assert cartel(game).fuel == taken
    on_market = [count + supply for count, supply in zip(stocks(game), supplies(game), strict=True)]
    play(game, "run nothing")
    assert cartel(game).fuel == (0, 0, 0, 0)
    total = [count + supply for count, supply in zip(stocks(game), supplies(game), strict=True)]
    assert total == [count + more for count, more in zip(on_market, taken, strict=True)]


@pytest.mark.rule("R-12.8.1")
def test_the_cartels_tokens_are_back_in_time_for_the_refill() -> None:
    game = recharged(
        2,
        plants={0: [8, 20, 31]},
        fuel={0: {"coal": 18}},
        plants_of_cartel=[25, 36],
        stock={"coal": 6},
        phase="fuel",
    )
    assert supplies(game)[0] == 0
    play(game, "done")
    assert cartel(game).fuel[0] == 5
    idle(game, "bureaucracy")
    idle(game)
    assert (stocks(game)[0], supplies(game)[0]) == (4, 2)


@pytest.mark.rule("R-12.6.5", "R-12.8.1", "R-11.2.4", "R-6.2")
def test_on_the_usa_the_cartel_leaves_the_storage_alone() -> None:
    game = recharged(2, map="usa", plants_of_cartel=[25, 36], stock={"coal": 1}, phase="fuel")
    assert supplies(game)[0] == 23
    play(game, "done")
    assert (cartel(game).fuel[0], stocks(game)[0], supplies(game)[0]) == (1, 0, 23)
    idle(game, "bureaucracy")
    idle(game)
    assert stocks(game)[0] + supplies(game)[0] == 24


# Phase 4


def building(**fields: Any) -> hv.Game:
    fields = {"regions": WEST, "money": 200, "phase": "building", "order": [1, 0], **fields}
    return recharged(2, **fields)


@pytest.mark.rule("R-12.7.1")
def test_the_cartel_has_no_building_turn() -> None:
    game = building()
    play(game, "done", "done")
    assert [row.seat for row in game.log] == [0, 1]
    assert game.phase == "bureaucracy"


@pytest.mark.rule("R-12.7.2", "R-12.7.4", "RV-25", "RI-08", "RI-09")
def test_a_player_who_connects_an_empty_city_brings_the_cartel_there() -> None:
    game = building(cities={0: ["essen"], 1: ["koeln"]})
    events = game.play("build duisburg")
    assert events[1:] == (Placed(CARTEL, "duisburg"),)
    assert game.view()["houses"]["duisburg"] == [0, CARTEL]
    assert game.view()["cartel"]["reserve"] == 9
    play(game, "done")
    for step in (1, 2):
        other = building(
            step=step, cities={0: ["essen"], 1: ["koeln"]}, houses={"duisburg": (0, CARTEL)}
        )
        play(other, "done")
        refuses(other, "build duisburg", "city_full", "R-7.1")
    last = building(step=3, cities={0: ["essen"], 1: ["koeln"]}, houses={"duisburg": (0, CARTEL)})
    assert last.view(1)["connect"]["duisburg"] == 20 + 6


@pytest.mark.rule("R-12.7.4")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_first_cities_count_too_and_in_every_step(step: int) -> None:
    game = building(step=step)
    play(game, "build essen", "build duisburg", "done", "build koeln")
    assert cartel_cities(game) == {"essen": 1, "duisburg": 1, "koeln": 1}
    assert cartel(game).reserve == 7


@pytest.mark.rule("R-12.7.2", "R-12.7.3", "RV-29")
def test_a_city_of_the_set_up_is_open_to_one_player_in_step_2_and_to_both_in_step_3() -> None:
    fields: dict[str, Any] = {
        "houses": {"essen": (CARTEL,)},
        "cities": {0: ["duisburg"], 1: ["duesseldorf"]},
    }
    game = building(**fields)
    refuses(game, "build essen", "city_full", "R-7.1")
    game = building(step=2, **fields)
    assert game.view(0)["connect"]["essen"] == 15
    play(game, "build essen")
    assert (money(game, 0), cartel(game).reserve) == (185, 10)  # not empty: no house comes
    assert game.view()["houses"]["essen"] == [CARTEL, 0]
    play(game, "done")
    refuses(game, "build essen", "city_full", "R-7.1")
    fields["cities"] = {0: ["duisburg", "essen"], 1: ["duesseldorf"]}
    game = building(step=3, **fields)
    assert game.view(1)["connect"]["essen"] == 20 + 2


@pytest.mark.rule("R-12.7.5", "R-1.1.3", "RV-29")
def test_with_the_reserve_empty_no_more_houses_come() -> None:
    game = building(step=2, reserve=1, cities={0: ["essen"], 1: ["koeln"]})
    play(game, "build duisburg", "build dortmund", "done")
    assert game.view()["houses"]["duisburg"] == [0, CARTEL]
    assert game.view()["houses"]["dortmund"] == [0]
    assert cartel(game).reserve == 0
    refuses(game, "build duisburg", "city_full", "R-7.1")
    assert game.view(1)["connect"]["dortmund"] == 15 + 10


@pytest.mark.rule("R-12.7.6")
def test_paths_lead_through_cities_of_the_cartel() -> None:
    free = building(cities={0: ["essen"]})
    game = building(cities={0: ["essen"]}, houses={"duesseldorf": (CARTEL,)})
    assert game.view(0)["connect"]["koeln"] == free.view(0)["connect"]["koeln"] == 10 + 2 + 4


@pytest.mark.rule("R-12.7.7")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_network_never_starts_in_a_city_of_the_cartel(step: int) -> None:
    game = building(step=step, houses={"essen": (CARTEL,)})
    refuses(game, "build essen", "start_empty", "R-7.1")
    assert "essen" not in game.view(0)["connect"]


@pytest.mark.rule("R-12.1.2", "R-9.2.1")
def test_houses_of_the_cartel_start_no_step_and_end_no_game() -> None:
    many = [city for city in board(building()).area.cities if city != "essen"]
    game = building(houses=dict.fromkeys(many, (CARTEL,)), reserve=0, cities={0: ["essen"]})
    idle(game)
    assert (game.phase, state(game).step, game.outcome) == ("bureaucracy", 1, None)


# The end


@pytest.mark.rule("R-12.9.1", "R-12.1.2")
def test_only_the_two_players_are_ranked() -> None:
    game = building(
        step=2, cities={0: 18}, plants={1: [33]}, plants_of_cartel=[36, 38, 44], market=MARKET
    )
    idle(game)
    assert game.outcome is not None
    assert sorted(seat for place in game.outcome.ranking for seat in place) == [0, 1]
    assert len(game.outcome.scores) == 2


@pytest.mark.rule("R-12.0")
def test_the_cartel_is_copied_and_undone_with_the_game() -> None:
    game = auction()
    twin = game.copy()
    play(twin, "pass")
    assert (cartel(twin).cards, cartel(game).cards) == ((11,), ())
    twin.undo()
    assert cartel(twin).cards == ()
    assert state(twin).bidding.third_done is False
