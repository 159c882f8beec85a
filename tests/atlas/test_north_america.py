"""North America: ladders up to 9 and two double cities."""

import pytest

from atlas.boards import BOOKS, PLAYERS, at, cost, new, prices
from highvoltage.engine.parts.board import load_map
from positions import board, play

NEW_YORK = ("great_lakes", "northeast", "midwest")


@pytest.mark.rule("A-NAM-2")
@pytest.mark.parametrize("book", BOOKS)
def test_the_ladders_end_at_9(book: str) -> None:
    shelves = new("north_america", book).view(0)["fuel"]
    ladders = {fuel: shelves[fuel]["ladder"] for fuel in ("coal", "oil", "garbage", "uranium")}
    counts = {
        fuel: [ladder.count(price) for price in range(1, 10)] for fuel, ladder in ladders.items()
    }
    assert counts == {
        "coal": [4, 4, 4, 2, 2, 2, 2, 2, 2],
        "oil": [2, 2, 2, 2, 2, 2, 2, 2, 4],
        "garbage": [3, 3, 3, 3, 3, 3, 3, 3, 0],
        "uranium": [1, 1, 1, 1, 1, 1, 2, 2, 2],
    }
    assert [len(ladder) for ladder in ladders.values()] == [24, 20, 24, 12]
    tokens = [shelf["stock"] + shelf["supply"] for shelf in shelves.values()]
    assert tokens == [24, 24, 24, 12]


@pytest.mark.rule("A-NAM-2")
def test_oil_that_finds_no_space_stays_in_the_supply() -> None:
    game = at("north_america", plants={0: [4]}, stock={"oil": 19}, phase="bureaucracy")
    play(game, *["run nothing"] * 3)
    assert (board(game).stock[1], board(game).supply[1]) == (20, 4)


@pytest.mark.rule("A-NAM-2", "A-NAM-3", "AV-32")
def test_what_fuel_costs_at_the_start() -> None:
    assert sum(prices("north_america", "coal")[:5]) == 2 * 4 + 3
    assert prices("north_america", "oil")[:2] == [4, 4]
    assert prices("north_america", "uranium") == [9, 9]


@pytest.mark.rule("A-NAM-5")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_deck_market_and_counts_are_those_of_the_rulebook(book: str, players: int) -> None:
    here, there = board(new("north_america", book, players)), board(new("germany", book, players))
    assert here.market.cards == there.market.cards
    assert here.market.deck == there.market.deck
    assert here.rules.plant_market == there.rules.plant_market
    assert here.rules.step_2_cities == there.rules.step_2_cities
    assert here.rules.end_cities == there.rules.end_cities


@pytest.mark.rule("A-NAM-6", "AV-33")
def test_new_york_is_two_cities() -> None:
    game = at(
        "north_america",
        regions=NEW_YORK,
        plants={0: [28], 1: [29], 2: [34]},
        cities={0: ["philadelphia"]},
        money=100,
        phase="building",
        order=[2, 1, 0],
    )
    assert game.view(0)["connect"]["new_york_south"] == 10 + 3
    play(game, "build new_york_south")
    assert game.view(0)["connect"]["new_york_north"] == 10
    assert cost("north_america", "mexico_city_north", "mexico_city_south") == 0


@pytest.mark.rule("A-NAM-7")
def test_four_connections_are_contested() -> None:
    contested = {
        ("atlanta", "nashville"): 9,
        ("new_york_south", "philadelphia"): 3,
        ("las_vegas", "salt_lake_city"): 14,
        ("regina", "salt_lake_city"): 29,
    }
    for (a, b), ours in contested.items():
        assert cost("north_america", a, b) == ours
    assert len([d for d in load_map("north_america").doubts if d.rule == "A-NAM-7"]) == 4
