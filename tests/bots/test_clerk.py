"""What the clerk does, and why."""

from random import Random
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import japan
from highvoltage import bots
from highvoltage.bots import Choice
from highvoltage.bots.clerk import Clerk
from highvoltage.bots.clerk.cards import EARLY_INCOME_WORTH, CardFigures
from highvoltage.bots.clerk.figures import BoardFigures
from highvoltage.bots.clerk.plants import (
    FleetCache,
    can_run,
    cheapest_purchase,
    most_supplied,
    plant_sets,
    upkeep,
)
from highvoltage.bots.clerk.starts import connection_costs, network_cost, rules_of_view
from highvoltage.bots.clerk.worth import LAST_CITY_WORTH, PAYBACK_ROUNDS, Standing
from highvoltage.engine.moves import Build, Start
from highvoltage.engine.parts.board import area_of, load_map
from highvoltage.engine.parts.mapform import NO_RULES
from positions import bidding_of, board, classic

COUNTED = {"plant": "more", "card_plant": "more", "card_habitat": "housed", "card_beds": "places"}

COAL = {"card": "20", "number": 20, "fuels": ["coal"], "need": 3, "powers": 5}
HYBRID = {"card": "5", "number": 5, "fuels": ["coal", "oil"], "need": 2, "powers": 1}
WIND = {"card": "13", "number": 13, "fuels": [], "need": 0, "powers": 1}
PRICES = {"coal": [1, 1, 2, 2, 3], "oil": [3, 3, 4], "garbage": [7], "uranium": []}


def ask(game: hv.Game) -> Choice:
    seat = game.to_move
    assert seat is not None
    return Clerk(Random(1)).choose(game.view(seat), game.legal_moves)


def holding(**tokens: int) -> dict[str, int]:
    return {"coal": 0, "oil": 0, "garbage": 0, "uranium": 0} | tokens


def test_the_strongest_set_that_has_fuel() -> None:
    sets = plant_sets([COAL, HYBRID, WIND])
    assert len(sets) == 8
    assert sets[0].powers == 7
    assert most_supplied(sets, holding()) == 1
    assert most_supplied(sets, holding(coal=3)) == 6
    assert most_supplied(sets, holding(coal=4, oil=1)) == 7
    assert not can_run(sets[0], holding(coal=2, oil=3))


def test_capacity_is_worth_what_a_growing_network_earns_by_it() -> None:
    """Half of an income of 33 builds one city of 12 a round, and one comes anyway."""
    pays = [10, 22, 33, 44, 54, 64, 73, 82, 90]
    standing = Standing(cities=2, powers=2, leader=2, end=8, pays=pays, city=12)
    gains = [54 - 33, 73 - 33, 90 - 33]  # with four, six and eight cities
    assert standing.worth(6, 3) == LAST_CITY_WORTH * 6 + sum(gains) - 3 * PAYBACK_ROUNDS


def test_the_cheapest_fuel_for_a_set() -> None:
    every = plant_sets([COAL, HYBRID])[0]
    shop = cheapest_purchase(every, holding(coal=1), PRICES)
    assert shop is not None
    assert (shop.cost, shop.tokens) == (6, {"coal": 4})
    assert cheapest_purchase(every, holding(), {**PRICES, "coal": [1, 1]}) is None
    hybrid = plant_sets([HYBRID])[0]
    assert cheapest_purchase(hybrid, holding(), {**PRICES, "coal": [], "oil": [3]}) is None
    assert upkeep(COAL, PRICES) == 4
    assert upkeep({**COAL, "fuels": ["garbage"]}, PRICES) == 25
    assert upkeep(WIND, PRICES) == 0


@pytest.mark.rule("A-JPN-4")
@pytest.mark.parametrize("name", ["clerk", "engineer"])
@pytest.mark.parametrize(
    ("cities", "money", "moment", "move"),
    [
        (["kobe"], 100, 3, "start tokyo"),  # 32 and more by connections
        (["kobe", "tokyo"], 100, 3, "build yokohama"),  # the connection is free
        (["kobe", "tokyo", "yokohama"], 12, 3, "done"),  # Ōsaka for 10 instead of 13
        (["tokyo"], 100, 1, "start kobe"),  # not Yokohama, next door
    ],
)
def test_a_second_network_is_not_spent_to_save_a_little(
    name: str, cities: list[str], money: int, moment: int, move: str
) -> None:
    game = japan(moment, cities={0: cities}, money=money, plants={0: [50], 1: [29], 2: [34]})
    choice = bots.make(name, 1).choose(game.view(0), game.legal_moves)
    assert str(choice.move) == move


@pytest.mark.rule("A-JPN-4")
def test_in_the_last_round_any_saving_is_taken() -> None:
    starts = ["kobe", "tokyo", "yokohama", "osaka"]
    cities = [city for city in board(japan()).area.cities if city not in starts]
    plants = {0: [50], 1: [29], 2: [34]}
    game = japan(9, cities={0: starts[:3], 1: cities[:16]}, plants=plants, step=3)
    assert ask(game).move == Build("osaka")
    game = japan(9, cities={0: starts[:3], 1: cities[:17]}, plants=plants, step=3)
    assert ask(game).move == Start("osaka")


def test_a_start_is_judged_by_the_cities_around_it() -> None:
    area = area_of(load_map("germany"), ["west", "southwest", "south"])
    assert network_cost(area, "essen", []) < network_cost(area, "muenchen", [])
    assert network_cost(area, "essen", ["duisburg"]) > network_cost(area, "essen", [])


def test_the_rules_of_a_map_hold_unless_a_view_says_that_they_are_left_out() -> None:
    view: Any = hv.new("classic", map="korea", players=3, seed=1).view(0)
    board = load_map("korea")
    assert rules_of_view(view) == (board, board.rules_for("classic"))
    assert rules_of_view(view | {"map_rules": False}) == (board, NO_RULES)
    assert board.rules_for("classic") != NO_RULES


@pytest.mark.parametrize("name", ["germany", "bremen"])
def test_what_a_connection_costs_is_the_average_within_a_region(name: str) -> None:
    """Where it costs something to enter a city, half of what both cities cost is added."""
    view: Any = hv.new("classic", map=name, players=3, seed=1).view(0)
    here = load_map(name)
    cities = {city.id: city for city in here.cities}
    costs: dict[str, list[int]] = {}
    for link in here.connections:
        a, b = cities[link.a], cities[link.b]
        if a.region == b.region:
            costs.setdefault(a.region, []).append(link.cost + (a.cost + b.cost) // 2)
    assert costs.keys() == {*here.regions}
    found = connection_costs(view)
    assert found == {region: round(sum(each) / len(each)) for region, each in costs.items()}
    assert connection_costs(view | {"map": "nowhere"}) == {}


def test_the_clerk_starts_where_cities_are_near() -> None:
    game = classic(
        phase="building", regions=["west", "southwest", "south"], plants={0: [4], 1: [5], 2: [6]}
    )
    choice = ask(game)
    assert choice.why.code == "start"
    assert str(choice.move) == f"build {choice.why.values['city']}"


def test_the_clerk_does_not_pay_more_than_a_plant_is_worth() -> None:
    game = classic(
        money=200, market=[10, 11, 12, 14, 15, 16, 17, 18], plants={0: [4], 1: [5], 2: [6]}
    )
    while (choice := ask(game)).move.verb != "pass":
        game.play(choice.move)
    values = {name: int(value) for name, value in choice.why.values.items()}
    assert choice.why.code == "limit_other"
    assert values["price"] == values["limit"] + 1
    assert values["limit"] == values["worth"] - (values["other_worth"] - values["other_price"])


@pytest.mark.parametrize("name", ["clerk", "engineer"])
@pytest.mark.parametrize(
    ("rulebook", "players", "options"),
    [
        ("classic", 3, {"regions": "draft"}),
        ("recharged", 2, {}),
        ("cardgame", 2, {}),
        ("outpost", 2, {}),
    ],
)
def test_a_reason_is_true_for_its_move(
    name: str, rulebook: str, players: int, options: dict[str, Any]
) -> None:
    game = hv.new(rulebook, players=players, seed=4, **options)
    seats = [bots.make(name, seat) for seat in range(players)]
    for _ in range(150):
        if game.to_move is None:
            break
        choice = bots.ask(seats[game.to_move], game)
        values = choice.why.values
        assert choice.why.code != "random", choice.move
        if choice.limit is not None:
            assert values["limit"] == choice.limit
            assert (choice.move.verb == "bid") == (int(values["price"]) <= choice.limit)
        if "runner_up" in values and choice.move.verb == "nominate":
            assert values["runner_up"] != values["card"]
            assert f"Second best is {values['runner_up']}," in str(choice.why)
        if counted := COUNTED.get(choice.why.code):
            assert int(values[counted]) > 0  # no reason names a count of 0
        game.play(choice.move)


def test_the_clerk_buys_fuel_for_one_run() -> None:
    plants = {0: [31], 1: [20], 2: [36]}
    game = classic(phase="fuel", money=50, plants=plants, cities={0: 2, 1: 2, 2: 2})
    choice = ask(game)
    assert str(choice.move) == "buy coal 3"
    assert choice.why.code == "fuel"


@pytest.mark.parametrize(("fuel", "code"), [({"coal": 3}, "city"), ({}, "no_supply")])
def test_the_clerk_builds_what_it_can_supply(fuel: dict[str, int], code: str) -> None:
    plants = {seat: [20] for seat in range(3)}
    game = classic(
        phase="building",
        money=40,
        plants=plants,
        fuel=dict.fromkeys(range(3), fuel),
        cities={0: 1, 1: 1, 2: 1},
    )
    assert ask(game).why.code == code


def ending(*, own: int, other: int) -> Choice:
    """One city short of the end, with `own` coal, against somebody with `other` oil."""
    game = classic(
        2,
        phase="building",
        step=3,
        round=9,
        money={0: 60, 1: 0},
        plants={0: [36, 42, 40, 31], 1: [38, 39, 32, 25]},
        fuel={0: {"coal": own}, 1: {"garbage": 3, "uranium": 1, "oil": other}},
        cities={0: 20, 1: 20},
        order=[1, 0],
    )
    assert game.to_move == 0
    return ask(game)


@pytest.mark.parametrize(("end", "last"), [(7, True), (8, False)])
def test_a_round_may_be_the_last_if_another_can_have_just_as_many_cities_as_end_the_game(
    end: int, *, last: bool
) -> None:
    """A city is taken to cost 20: 59 are two more than the five that the other has."""
    game = classic(phase="building", money=0, plants={0: [4], 1: [5], 2: [6]})
    view: Any = game.view(game.to_move)
    view["end_cities"] = end
    other = next(each for each in view["players"] if each["seat"] != view["seat"])
    other |= {"cities": list("abcde"), "money": 59}
    view["order"] = [other["seat"], *[seat for seat in view["order"] if seat != other["seat"]]]
    assert BoardFigures(view, FleetCache()).may_be_last_round == last


def test_the_clerk_ends_the_game_when_ahead() -> None:
    assert ending(own=8, other=0).why.code == "city_ends"


def test_the_clerk_does_not_end_the_game_when_behind() -> None:
    choice = ending(own=2, other=3)
    assert (choice.move.verb, choice.why.code) == ("done", "not_ahead")


def test_the_clerk_runs_no_plant_that_nobody_needs() -> None:
    game = classic(
        phase="bureaucracy",
        plants={0: [13, 20], 1: [13, 20], 2: [13, 20]},
        fuel={seat: {"coal": 3} for seat in range(3)},
        cities={0: 1, 1: 1, 2: 1},
    )
    assert str(ask(game).move) == "run 13"


def test_the_clerk_gives_up_its_weakest_plant() -> None:
    game = classic(
        money=100,
        market=[21, 22, 24, 25, 26, 27, 28, 29],
        plants={0: [4, 13, 20], 1: [5, 6, 7], 2: [8, 9, 10]},
    )
    seat = game.to_move
    game.play("nominate 25 @25")
    while bidding_of(game).scrapping is None:
        game.play("pass")
    choice = ask(game)
    assert game.to_move == seat
    assert choice.why.code == "weakest"
    assert str(choice.move).split()[1] in {"4", "5", "6", "7", "8", "9"}


def test_what_it_remembers_of_a_sale_changes_no_bid() -> None:
    """Australia sells mines too, whose worth depends on the mines of all."""
    game = hv.new("classic", map="australia", players=3, seed=2)
    clerks = [bots.make("clerk", seat) for seat in range(3)]
    while (seat := game.to_move) is not None:
        choice = bots.ask(clerks[seat], game)
        if game.phase == "auction":
            assert choice == bots.ask(bots.make("clerk", seat), game)
        game.play(choice.move)


def test_it_values_the_plants_anew_when_something_has_changed() -> None:
    """Also when the owner of a view changes it in place."""
    game = hv.new("classic", players=3, seed=1)
    game.play("nominate 4 @4")
    view, clerk = game.view(game.to_move), Clerk(Random(1))

    def choose() -> Choice:
        choice = clerk.choose(view, game.legal_moves)
        assert choice == Clerk(Random(1)).choose(view, game.legal_moves)
        return choice

    at_first = choose()
    view["fuel"]["coal"]["prices"][:3] = [3, 3, 3]
    when_dear = choose()
    view["players"][view["seat"]]["money"] = 5
    assert at_first != when_dear != choose()


def test_a_further_plant_of_the_card_game_is_worth_what_it_brings_beyond_the_weakest() -> None:
    """Its income and fuel, less those of the plant that it replaces, for three rounds at most."""
    view: Any = hv.new("cardgame", players=3, seed=1).view(0)
    coal = {"card": "20", "number": 20, "fuels": ["coal"], "need": 3, "income": 12}
    weak = {"card": "5", "number": 5, "fuels": ["coal"], "need": 1, "income": 4}
    wind = {"card": "18", "number": 18, "fuels": [], "need": 0, "income": 8}
    card = {"fuel": "coal", "units": 1}
    view["fuel"]["columns"] = [[card], [card], [card]]
    view["market"]["above_end"] = 20
    me = view["players"][view["seat"]]
    me["plants"] = [wind, wind]
    figures = CardFigures(view)
    rounds = min(3, figures.rounds_left)
    assert rounds == 3
    spare = me["money"] - 6
    free = figures.offer(coal)
    assert (free.spare, free.worth) == (spare, 3 * (12 - 6) + EARLY_INCOME_WORTH * 12)
    me["plants"] = [weak, wind, wind]
    view["plant_limit"] = 3
    full = CardFigures(view).offer(coal)
    assert (full.spare, full.worth) == (spare + 1, 3 * (8 - 5) + EARLY_INCOME_WORTH * 8)
    me["plants"] = [coal | {"income": 13}, wind, wind]
    worse = CardFigures(view).offer(weak)
    assert worse.worth == 3 * 0 + EARLY_INCOME_WORTH * -4
