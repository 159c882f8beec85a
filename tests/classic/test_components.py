"""C-1: the pieces and the tables, checked against the text of the rules."""

import pytest

import highvoltage as hv
from highvoltage import rules
from highvoltage.engine.cards import LAST_CARD
from positions import board, classic, idle, legal, refuses

FUELS = ("coal", "oil", "garbage", "uranium")
PLAYERS = (2, 3, 4, 5, 6)
THREE_OF_EACH = [price for price in range(1, 9) for _ in range(3)]


def rows(rule: str) -> list[list[str]]:
    """The cells of the tables in the text of a rule, without headers and rulers."""
    lines = (line for line in rules.rule(rule).text.splitlines() if line.startswith("|"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if not row[0].startswith(("---", "no."))]


PLANTS = {
    int(no.rstrip("*")): (fuel, int(need), int(store), int(powers))
    for row in rows("C-1.2.1")
    for no, fuel, need, store, powers in (row[:5], row[6:])
}
BY_PLAYERS = {row[0]: dict(zip(PLAYERS, row[1:6], strict=True)) for row in rows("C-1.5")[1:]}


# Pieces


@pytest.mark.rule("C-1.1.1", "C-1.3.4", "C-1.3.5", "C-2.6", "CV-01")
@pytest.mark.parametrize(
    ("name", "uranium"), [("germany", [14, 16]), ("usa", [14, 16]), ("central_europe", None)]
)
def test_the_fuel_market_at_the_start(name: str, uranium: list[int] | None) -> None:
    fuel = hv.new("classic", map=name, players=4, seed=1).view()["fuel"]
    uranium = uranium or [8, 10, 12, 14, 16]
    prices = [THREE_OF_EACH, THREE_OF_EACH[6:], THREE_OF_EACH[18:], uranium]
    assert [fuel[kind]["prices"] for kind in FUELS] == prices
    assert [fuel[kind]["stock"] for kind in FUELS] == [24, 18, 6, len(uranium)]
    assert [fuel[kind]["supply"] for kind in FUELS] == [0, 6, 18, 12 - len(uranium)]


@pytest.mark.rule("C-1.1.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_cards_are_42_plants_and_s3(players: int) -> None:
    market = board(hv.new("classic", players=players, seed=1)).market
    numbers = [*range(3, 41), 42, 44, 46, 50]
    assert sorted([*market.cards, *market.deck, *market.aside]) == [*numbers, LAST_CARD]


@pytest.mark.rule("C-1.1.4", "C-7.4.2")
def test_a_player_may_build_more_houses_than_the_box_holds() -> None:
    game = classic(5, cities={0: 22}, money=1000, phase="building", order=[1, 2, 3, 4, 0])
    for _ in range(13):
        build = next(move for move in game.legal_moves if str(move) != "done")
        game.play(build)
    assert len(game.view()["players"][0]["cities"]) == 35
    assert legal(game) == {"done"}


@pytest.mark.rule("C-1.1.5")
def test_the_bank_pays_whatever_has_been_paid_before() -> None:
    game = classic(3, money=10**5, phase="bureaucracy")
    idle(game)
    assert [player["money"] for player in game.view()["players"]] == [10**5 + 10] * 3


# Plants


@pytest.mark.rule("C-1.2.1")
def test_the_plants_are_those_of_the_table() -> None:
    assert len(PLANTS) == 42
    kinds = [fuel for fuel, *_ in PLANTS.values()]
    count = {fuel: kinds.count(fuel) for fuel in kinds}
    expected = {"coal": 9, "oil": 8, "hybrid": 5, "garbage": 6, "uranium": 6, "eco": 7, "fusion": 1}
    assert count == expected
    for number, (fuel, need, store, powers) in PLANTS.items():
        player = classic(plants={0: [number]}).view()["players"][0]
        (plant,) = player["plants"]
        burns = {"hybrid": ["coal", "oil"], "eco": [], "fusion": []}.get(fuel, [fuel])
        assert (plant["number"], plant["fuels"]) == (number, burns)
        assert (plant["need"], plant["powers"]) == (need, powers)
        assert player["room"] == {kind: store if kind in burns else 0 for kind in FUELS}
        assert store == 2 * need


@pytest.mark.rule("C-1.2.2")
@pytest.mark.parametrize("plant", [3, 14, 39, 50])
def test_the_number_of_a_plant_is_its_lowest_bid(plant: int) -> None:
    game = classic(market=[plant], deck=[], step=3, money=100)
    refuses(game, f"nominate {plant} @{plant - 1}", "bid_below_minimum", "C-4.2.1")
    assert f"nominate {plant} @{plant}" in legal(game)


@pytest.mark.rule("C-1.2.3")
@pytest.mark.parametrize(
    ("run", "code", "rule"),
    [
        ("run 14", "run_no_fuel", "C-1.2.3"),  # one token is not enough for a part of the cities
        ("run 10 10", "run_twice", "C-1.2.3"),
        ("run 10:coal,coal,coal,coal", "run_mix", "C-1.2.4"),
    ],
)
def test_no_plant_runs_in_part_or_twice(run: str, code: str, rule: str) -> None:
    fuel = {0: {"coal": 4, "garbage": 1}}
    game = classic(
        plants={0: [10, 14]}, fuel=fuel, cities={0: 4}, phase="bureaucracy", order=[0, 1, 2]
    )
    refuses(game, run, code, rule)


@pytest.mark.rule("C-1.2.3", "C-8.2.8")
def test_a_run_for_fewer_cities_burns_the_full_need() -> None:
    fuel = {0: {"coal": 6}}
    game = classic(plants={0: [36]}, fuel=fuel, cities={0: 2}, phase="bureaucracy", order=[0, 1, 2])
    game.play("run 36")
    player = game.view()["players"][0]
    assert (player["fuel"]["coal"], player["supplied"]) == (3, 2)


@pytest.mark.rule("C-1.2.5")
@pytest.mark.parametrize("plant", [13, 18, 22, 27, 33, 37, 44, 50])
def test_a_plant_without_fuel_always_runs_and_stores_nothing(plant: int) -> None:
    game = classic(plants={0: [plant]}, cities={0: 7}, phase="fuel", order=[1, 2, 0])
    assert legal(game) == {"done"}
    idle(game, "bureaucracy")
    while game.to_move != 0:
        game.play("run nothing")
    assert legal(game) == {"run nothing", f"run {plant}"}
    game.play(f"run {plant}")
    assert game.view()["players"][0]["supplied"] == PLANTS[plant][3]
    assert game.view()["players"][0]["fuel"] == dict.fromkeys(FUELS, 0)


@pytest.mark.rule("C-1.2.4")
@pytest.mark.parametrize("plant", [number for number, row in PLANTS.items() if row[0] == "hybrid"])
def test_a_hybrid_burns_and_stores_any_mix_of_coal_and_oil(plant: int) -> None:
    _, need, store, _ = PLANTS[plant]
    for coal in range(store + 1):
        held = {"coal": coal, "oil": store - coal}
        game = classic(plants={0: [plant]}, fuel={0: held}, phase="bureaucracy", order=[0, 1, 2])
        assert not any(game.view()["players"][0]["room"].values())
        assert legal(game) == {"run nothing"} | {
            f"run {plant}:" + ",".join(["coal"] * burned + ["oil"] * (need - burned))
            for burned in range(need + 1)
            if burned <= coal and need - burned <= store - coal
        }


# Parameters


@pytest.mark.rule("C-1.5", "C-1.5.1", "C-11.1", "C-11.2", "C-2.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_parameters_by_number_of_players(players: int) -> None:
    game = hv.new("classic", players=players, seed=1)
    view, market = game.view(), board(game).market
    found = {
        "regions in play": len(view["regions"]),
        "cities in play": len(board(game).area.cities),
        "plants removed unseen at set-up": len(market.aside),
        "plants in the deck after set-up, with 13, without S3": view["market"]["deck"] - 1,
        "most plants a player may own": view["plant_limit"],
        "city count that starts Step 2": view["step_2_cities"],
        "city count that ends the game": view["end_cities"],
        "starting money": view["players"][-1]["money"],
    }
    assert {name: str(value) for name, value in found.items()} == {
        name: row[players] for name, row in BY_PLAYERS.items()
    }


@pytest.mark.rule("C-1.6.1", "C-1.6.2", "C-12.2", "C-12.3.1")
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("name", "rule"),
    [("germany", "C-1.6.1"), ("usa", "C-1.6.1"), ("central_europe", "C-1.6.2")],
)
def test_the_refill_of_each_map(name: str, rule: str, players: int, step: int) -> None:
    stock = dict.fromkeys(FUELS, 0)
    game = classic(players, map=name, stock=stock, step=step, phase="bureaucracy")
    idle(game)
    (row,) = (row for row in rows(rule) if row[0] == str(players))
    nominal = [int(cell.split()[step - 1]) for cell in row[1:]]
    assert [game.view()["fuel"][kind]["stock"] for kind in FUELS] == nominal


@pytest.mark.rule("C-1.7.1", "C-1.7.2", "C-8.2.3", "CV-09")
@pytest.mark.parametrize("cities", range(23))
def test_the_payment_by_cities_supplied(cities: int) -> None:
    numbers, pays, more_numbers, more_pays = rows("C-1.7.1")
    table = dict(zip([*numbers[1:], *more_numbers[1:]], [*pays[1:], *more_pays[1:]], strict=True))
    game = classic(
        4,
        plants={0: [36, 38, 44, 46]},
        fuel={0: {"coal": 3, "oil": 3, "garbage": 3}},
        cities={0: cities},
        phase="bureaucracy",
        order=[0, 1, 2, 3],
        money=0,
    )
    game.play("run 36 38 44 46:oil,oil,oil")
    assert board(game).players[0].money == int(table[str(min(cities, 20))])
    assert {"0": "10", "4": "54", "6": "73", "20": "150"}.items() <= table.items()


# The ladders


@pytest.mark.rule("C-1.3.1", "C-1.3.2", "C-8.3.2")
def test_each_kind_has_as_many_spaces_as_tokens() -> None:
    stock = {"coal": 24, "oil": 24, "garbage": 24, "uranium": 12}
    game = classic(stock=stock, phase="bureaucracy")
    for _ in range(2):
        fuel = game.view()["fuel"]
        assert [fuel[kind]["prices"] for kind in FUELS] == [
            *[THREE_OF_EACH] * 3,
            [*range(1, 9), 10, 12, 14, 16],
        ]
        idle(game)
