"""The fuel markets of the expansion boards: what is on them, what is added, and where it goes."""

import pytest

import highvoltage as hv
from atlas.boards import (
    BOOKS,
    FUELS,
    PLAYERS,
    at,
    new,
    prices,
    printed_refill,
    refills,
    start,
)
from highvoltage.games.classic import tables
from positions import board, idle, legal, play, refuses

STARTS = [
    pytest.param("france", 24, 18, 6, 8, marks=pytest.mark.rule("A-FRA-1")),
    pytest.param("italy", 18, 15, 12, 2, marks=pytest.mark.rule("A-ITA-1")),
    pytest.param("benelux", 18, 24, 6, 2, marks=pytest.mark.rule("A-BEN-2")),
    pytest.param("brazil", 24, 18, 6, 2, marks=pytest.mark.rule("A-BRA-1")),
    pytest.param("spain_portugal", 24, 18, 9, 8, marks=pytest.mark.rule("A-IBE-1")),
    pytest.param("quebec", 21, 21, 6, 2, marks=pytest.mark.rule("A-QUE-1")),
    pytest.param("northern_europe", 18, 18, 12, 6, marks=pytest.mark.rule("A-NOR-1")),
    pytest.param("russia", 18, 24, 0, 7, marks=pytest.mark.rule("A-RUS-1")),
    pytest.param("japan", 21, 15, 9, 3, marks=pytest.mark.rule("A-JPN-1")),
    pytest.param("uk_ireland", 24, 18, 12, 0, marks=pytest.mark.rule("A-UKI-2")),
    pytest.param("south_africa", 24, 15, 12, 3, marks=pytest.mark.rule("A-ZAF-1")),
    pytest.param("north_america", 20, 14, 18, 2, marks=pytest.mark.rule("A-NAM-3")),
    pytest.param("europe", 20, 16, 18, 4, marks=pytest.mark.rule("A-EUR-2")),
    pytest.param("manhattan", 18, 18, 9, 4, marks=pytest.mark.rule("A-MAN-4")),
    pytest.param("china", 12, 12, 6, 0, marks=pytest.mark.rule("A-CHN-1")),
    pytest.param("middle_east", 21, 21, 3, 3, marks=pytest.mark.rule("A-MEA-1")),
    pytest.param("india", 24, 21, 20, 3, marks=pytest.mark.rule("A-IND-2")),
    pytest.param("australia", 24, 18, 15, 0, marks=pytest.mark.rule("A-AUS-2")),
    pytest.param("bremen", 22, 16, 16, 0, marks=pytest.mark.rule("A-BRE-5")),
]


@pytest.mark.rule("A-GEN-1")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("map_", *FUELS), STARTS)
def test_the_start_of_a_board_holds_in_both_editions(
    map_: str, coal: int, oil: int, garbage: int, uranium: int, book: str
) -> None:
    assert [*start(map_, book).values()] == [coal, oil, garbage, uranium]


@pytest.mark.rule("A-GEN-1", "A-BAW-1")
def test_a_board_that_names_no_start_uses_that_of_the_rulebook() -> None:
    assert start("baden_wuerttemberg") == start("germany")
    assert start("baden_wuerttemberg", "recharged") == start("germany", "recharged")
    assert start("baden_wuerttemberg")["garbage"] == 6
    assert start("baden_wuerttemberg", "recharged")["garbage"] == 9


@pytest.mark.rule("A-GEN-2", "AV-01", "AV-03")
def test_tokens_lie_on_the_most_expensive_spaces() -> None:
    assert prices("france", "uranium") == [5, 6, 7, 8, 10, 12, 14, 16]
    assert sum(prices("france", "uranium")[:2]) == 11
    assert sum(prices("italy", "coal")[:3]) == 9
    assert sum(prices("italy", "oil")[:4]) == 4 + 4 + 4 + 5


REFILLS = [
    pytest.param("benelux", "A-BEN-3", marks=pytest.mark.rule("A-BEN-3")),
    pytest.param("brazil", "A-BRA-2", marks=pytest.mark.rule("A-BRA-2")),
    pytest.param("spain_portugal", "A-IBE-2", marks=pytest.mark.rule("A-IBE-2")),
    pytest.param("quebec", "A-QUE-2", marks=pytest.mark.rule("A-QUE-2")),
    pytest.param("northern_europe", "A-NOR-2", marks=pytest.mark.rule("A-NOR-2")),
    pytest.param("russia", "A-RUS-2", marks=pytest.mark.rule("A-RUS-2")),
    pytest.param("uk_ireland", "A-UKI-3", marks=pytest.mark.rule("A-UKI-3")),
    pytest.param("south_africa", "A-ZAF-2", marks=pytest.mark.rule("A-ZAF-2")),
    pytest.param("north_america", "A-NAM-4", marks=pytest.mark.rule("A-NAM-4")),
    pytest.param("europe", "A-EUR-3", marks=pytest.mark.rule("A-EUR-3")),
    pytest.param("china", "A-CHN-2", marks=pytest.mark.rule("A-CHN-2")),
    pytest.param("middle_east", "A-MEA-2", marks=pytest.mark.rule("A-MEA-2")),
    pytest.param("india", "A-IND-3", marks=pytest.mark.rule("A-IND-3")),
]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("map_", "rule"), REFILLS)
def test_the_refill_is_the_printed_table(map_: str, rule: str, book: str) -> None:
    table = printed_refill(rule)
    assert {players: refills(map_, book, players) for players in PLAYERS} == table


@pytest.mark.rule("A-FRA-2", "A-ITA-2", "A-BAW-1", "A-JPN-2")
@pytest.mark.parametrize("map_", ["france", "italy", "baden_wuerttemberg", "japan"])
def test_other_boards_are_refilled_like_germany(map_: str) -> None:
    for players in PLAYERS:
        rows = zip(*tables.REFILL[players], strict=True)
        assert [*refills(map_, "classic", players).values()] == [*rows]


@pytest.mark.rule("A-ITA-3")
@pytest.mark.parametrize(("book", "came"), [("classic", 1), ("recharged", 0)])
def test_italy_phases_nuclear_power_out_in_recharged_only(book: str, came: int) -> None:
    game = at("italy", book, market=[31, 32, 33, 34, 36, 37, 38, 39], money=200, round=3, step=1)
    board(game).market.row = 8
    before = board(game).stock[3]
    play(game, "nominate 39 @39")
    while game.phase != "auction" or board(game).bidding.card is not None:
        game.play("pass")
    idle(game)
    idle(game, "bureaucracy")
    idle(game)
    assert board(game).stock[3] - before == came


@pytest.mark.rule("A-BRA-5")
def test_no_rule_depends_on_the_name_of_biogas() -> None:
    assert [*new("brazil").view(0)["fuel"]] == [*FUELS]


# Korea


@pytest.mark.rule("A-KOR-1", "A-KOR-2", "A-KOR-5", "A-KOR-6", "AV-11")
@pytest.mark.parametrize("book", BOOKS)
def test_korea_has_two_markets(book: str) -> None:
    view = new("korea", book).view(0)
    north, south = view["markets"]["north"], view["markets"]["south"]
    assert north["coal"]["ladder"] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8]
    assert south["coal"]["ladder"] == [1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    assert sum(north["coal"]["prices"][:3]) == 4
    assert sum(south["coal"]["prices"][:3]) == 6
    for fuel in ("oil", "garbage"):
        assert north[fuel]["ladder"] == [1, 2, 3, 4, 5, 6, 7, 8]
        assert south[fuel]["ladder"] == sorted([*range(1, 9)] * 2)
    assert north["uranium"]["ladder"] == []
    assert south["uranium"]["ladder"] == [*range(1, 9), 10, 12, 14, 16]
    assert [north[fuel]["stock"] for fuel in FUELS] == [12, 6, 2, 0]
    assert [south[fuel]["stock"] for fuel in FUELS] == [12, 12, 4, 2]
    assert [south[fuel]["prices"][0] for fuel in FUELS] == [1, 3, 7, 14]
    assert [view["fuel"][fuel]["stock"] for fuel in FUELS] == [24, 18, 6, 2]
    assert view["trade"] is None


def korea_fuel(book: str = "classic", players: int = 3) -> hv.Game:
    plants = {seat: [5, 8] for seat in range(players)}
    order = range(players)
    return at("korea", book, players, plants=plants, money=100, phase="fuel", order=order)


@pytest.mark.rule("A-KOR-3", "AV-11")
def test_a_turn_uses_one_market_and_the_next_turn_may_use_either() -> None:
    game = korea_fuel()
    assert legal(game) == {"market north", "market south", "done"}
    refuses(game, "buy coal 1", "not_now", "C-14")
    refuses(game, "market east", "unknown_market", "A-KOR-3")
    play(game, "market north", "buy coal 1")
    refuses(game, "market south", "other_market", "A-KOR-3")
    s = board(game)
    assert (s.stock[0], s.stock[4]) == (11, 12)
    assert game.view(2)["fuel"]["coal"]["prices"][:2] == [1, 2]
    play(game, "done", "market south", "buy coal 2")
    assert (s.stock[0], s.stock[4]) == (11, 10)
    play(game, "done", "done")
    idle(game, "fuel")
    assert "market north" in legal(game)


@pytest.mark.rule("A-KOR-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_both_markets_are_refilled_by_the_table(players: int) -> None:
    row = printed_refill("A-KOR-4")[players]
    by_step = board(new("korea", players=players)).rules.fuel_market.refills
    names = [f"{market} {fuel}" for market in ("north", "south") for fuel in FUELS]
    found = dict(zip(names, zip(*by_step, strict=True), strict=True))
    assert {name: found[name] for name in row} == row
    assert found["north uranium"] == (0, 0, 0)


@pytest.mark.rule("A-KOR-4")
def test_the_north_is_refilled_first_and_what_does_not_fit_stays_in_the_supply() -> None:
    game = korea_fuel(players=4)
    s = board(game)
    s.stock[:] = [12, 8, 3, 0, 9, 16, 4, 2]
    s.supply[:] = [3, 0, 17, 10]
    idle(game, "bureaucracy")
    idle(game)
    assert s.stock[:3] == [12, 8, 4]  # coal and oil of the north are full
    assert s.stock[4:] == [12, 16, 5, 3]
    assert s.supply == [0, 0, 15, 9]


@pytest.mark.rule("A-GEN-7")
def test_the_cartel_takes_each_token_where_it_is_cheaper() -> None:
    game = korea_fuel("recharged", 2)
    s = board(game)
    cartel = game.view()["cartel"]
    assert cartel["plants"] == []
    s.cartel.cards = (10,)  # type: ignore[attr-defined]
    s.stock[0], s.stock[4] = 3, 12  # 6, 7, 8 in the north and 1, 2 … in the south
    play(game, "done")
    assert (s.stock[0], s.stock[4]) == (3, 10)


# South Africa


@pytest.mark.rule("A-ZAF-4")
def test_burned_coal_goes_to_the_storage_and_the_refill_takes_it_first() -> None:
    game = at(
        "south_africa",
        plants={0: [4], 1: [3], 2: [8]},
        fuel={0: {"coal": 4}, 1: {"oil": 2}},
        stock={"coal": 10},
        cities={0: 1, 1: 1, 2: 1},
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    s = board(game)
    supply = s.supply[:]
    assert s.storage == (0, 0, 0, 0)
    play(game, "run 4", "run 3")
    assert s.storage == (2, 0, 0, 0)
    assert s.supply[:2] == [supply[0], supply[1] + 2]
    play(game, "run nothing")
    assert s.storage == (0, 0, 0, 0)
    assert s.stock[0] == 14
    assert s.supply[0] == supply[0] - 2  # two of the four came from the storage


@pytest.mark.rule("A-ZAF-4")
def test_coal_of_a_plant_given_up_goes_to_the_storage_too() -> None:
    game = at(
        "south_africa",
        plants={0: [4, 8, 10], 1: [3], 2: [5]},
        fuel={0: {"coal": 14}},
        market=[13, 16, 17, 18, 19, 20, 21, 22],
        money=100,
        order=[0, 1, 2],
    )
    play(game, "nominate 13 @13", "pass", "pass", "scrap 4 returning coal 4")
    assert board(game).storage == (4, 0, 0, 0)


@pytest.mark.rule("A-ZAF-5")
def test_the_storage_always_sells_at_8() -> None:
    game = at(
        "south_africa", plants={2: [8]}, stock={"coal": 20}, money=30, phase="fuel", order=[0, 1, 2]
    )
    refuses(game, "buy stored_coal 1", "sold_out", "C-6.1.3")
    s = board(game)
    s.storage, s.supply[0] = (4, 0, 0, 0), 0
    assert game.view(2)["fuel"]["stored_coal"]["prices"] == [8] * 4
    assert {"buy coal 6", "buy stored_coal 3"} <= legal(game)
    refuses(game, "buy stored_coal 4", "cannot_pay", "C-6.1.2")
    refuses(game, "buy stored_oil 1", "unknown_fuel", "C-1.3.1")
    play(game, "buy stored_coal 2", "buy coal 1")
    assert (s.storage[0], s.stock[0], s.players[2].money) == (2, 19, 30 - 16 - 2)
