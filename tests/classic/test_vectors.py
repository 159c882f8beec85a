"""CV-01 to CV-27: the worked examples of the rules, one by one and in full."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.games.classic.tables import FUEL_RULES
from positions import board, classic, idle, legal, offers, play, refuses

FUELS = ("coal", "oil", "garbage", "uranium")
WEST = ("northwest", "west", "southwest")
CORNER = ("poland_southeast", "czechia", "austria")
A, B, C, D = range(4)


def player(game: hv.Game, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = game.view()["players"][seat]
    return found


def buying(**fields: Any) -> hv.Game:
    """A is to buy fuel, the first of three."""
    return classic(phase="fuel", order=[B, C, A], **fields)


def running(**fields: Any) -> hv.Game:
    """A is to run plants, the first of three."""
    return classic(phase="bureaucracy", order=[A, B, C], **fields)


def build(game: hv.Game, count: int = 1) -> None:
    """Connect some cities, no matter which."""
    for _ in range(count):
        game.play(next(move for move in game.legal_moves if str(move).startswith("build")))


@pytest.mark.rule("CV-01")
@pytest.mark.parametrize("name", ["germany", "usa"])
def test_cv_01_start_prices(name: str) -> None:
    fuel = hv.new("classic", map=name, players=3, seed=1).view()["fuel"]
    assert [fuel[kind]["prices"][0] for kind in FUELS] == [1, 3, 7, 14]
    assert [fuel[kind]["stock"] for kind in FUELS] == [24, 18, 6, 2]
    assert [fuel[kind]["supply"] for kind in FUELS] == [0, 6, 18, 10]


@pytest.mark.rule("CV-02")
def test_cv_02_turn_order() -> None:
    anna, bartosz, cezary, dawid = 2, 0, 3, 1
    game = classic(
        4,
        cities={anna: 6, bartosz: 5, cezary: 5, dawid: 4},
        plants={anna: [3], bartosz: [4, 17], cezary: [14, 15], dawid: [30]},
        market=[8, 9, 10, 11, 12, 13, 16, 18],
        phase="order",
    )
    assert game.view()["order"] == [anna, bartosz, cezary, dawid]
    idle(game, "bureaucracy")
    for phase in ("fuel", "building"):
        turns = [row.seat for row in game.log if row.phase == phase]
        assert turns == [dawid, cezary, bartosz, anna]


@pytest.mark.rule("CV-03")
def test_cv_03_plant_14() -> None:
    game = classic(market=[14, 15, 16, 18, 20, 21, 22, 23], order=[A, B, C], cities={A: 2})
    refuses(game, "nominate 14 @13", "bid_below_minimum", "C-4.2.1")
    play(game, "nominate 14 @14", "pass", "pass")
    idle(game, "fuel")
    play(game, "done", "done")
    assert player(game, A)["room"] == {"coal": 0, "oil": 0, "garbage": 4, "uranium": 0}
    assert "buy garbage 4" in legal(game)
    refuses(game, "buy garbage 5", "no_room", "C-6.2.1")

    for cities, garbage, left, supplied in ((4, 4, 2, 2), (1, 4, 2, 1), (2, 2, 0, 2)):
        game = running(plants={A: [14]}, fuel={A: {"garbage": garbage}}, cities={A: cities})
        refuses(game, "run 14:garbage", "run_mix", "C-1.2.4")
        refuses(game, "run 14 14", "run_twice", "C-1.2.3")
        play(game, "run 14")
        assert (player(game, A)["fuel"]["garbage"], player(game, A)["supplied"]) == (left, supplied)

    game = running(plants={A: [14]}, fuel={A: {"garbage": 1}}, cities={A: 1})
    refuses(game, "run 14", "run_no_fuel", "C-1.2.3")


@pytest.mark.rule("CV-04")
@pytest.mark.parametrize(("plant", "need"), [(5, 2), (46, 3)])
def test_cv_04_hybrids(plant: int, need: int) -> None:
    at: dict[str, Any] = {"plants": {A: [plant]}, "order": [A, B, C], "cities": {A: 7}}
    mixes = [(coal, need - coal) for coal in range(need + 1)]
    for coal, oil in mixes:
        game = classic(fuel={A: {"coal": coal, "oil": oil}}, phase="bureaucracy", **at)
        run = f"run {plant}:" + ",".join(["coal"] * coal + ["oil"] * oil)
        assert legal(game) == {"run nothing", run}
        play(game, run)
        assert not any(player(game, A)["fuel"].values())
    game = classic(fuel={A: {"coal": need, "oil": need}}, phase="bureaucracy", **at)
    assert len(legal(game)) == 1 + len(mixes)
    for coal in range(2 * need + 1):
        game = classic(fuel={A: {"coal": coal, "oil": 2 * need - coal}}, phase="fuel", **at)
        assert not any(player(game, A)["room"].values())
    assert not FUEL_RULES.fits((plant,), (need, need + 1, 0, 0))


@pytest.mark.rule("CV-05")
@pytest.mark.parametrize(
    ("plants", "coal", "oil", "fits"),
    [
        ([3], 0, 4, True),
        ([3], 0, 5, False),
        ([3], 1, 0, False),
        ([5], 4, 0, True),
        ([5], 0, 4, True),
        ([5], 2, 2, True),
        ([5], 2, 3, False),
        ([13], 0, 0, True),
        ([13], 1, 0, False),
        ([13], 0, 1, False),
        ([3, 5], 4, 4, True),
        ([3, 5], 1, 7, True),
        ([3, 5], 1, 8, False),
        ([3, 5], 5, 0, False),
    ],
)
def test_cv_05_storage(plants: list[int], coal: int, oil: int, fits: bool) -> None:
    game = buying(plants={A: plants}, money=100)
    orders = [f"buy {kind} {count}" for kind, count in (("oil", oil), ("coal", coal)) if count]
    for number, order in enumerate(orders, 1):
        if not fits and number == len(orders):
            refuses(game, order, "no_room", "C-6.2.1")
        else:
            play(game, order)
    assert "buy garbage 1" not in legal(game)
    assert "buy uranium 1" not in legal(game)


RUHR = {A: ["essen", "muenster"], B: ["duesseldorf", "koeln"]}


@pytest.mark.rule("CV-06a")
def test_cv_06a_building_in_step_1() -> None:
    at: dict[str, Any] = {"regions": WEST, "cities": RUHR, "money": 100, "phase": "building"}
    game = classic(**at, order=[C, B, A])
    prices = game.view(A)["connect"]
    assert [prices[city] for city in ("duisburg", "dortmund", "aachen")] == [10, 12, 21]
    refuses(game, "build duesseldorf", "city_full", "C-7.3.1")
    refuses(game, "build koeln", "city_full", "C-7.3.1")
    for city, price in (("duisburg", 10), ("dortmund", 12), ("aachen", 21)):
        game = classic(**at, order=[C, B, A])
        play(game, f"build {city}")
        assert player(game, A)["money"] == 100 - price
    game = classic(**at, order=[C, A, B])
    play(game, "build duisburg")
    assert player(game, B)["money"] == 100 - 12


@pytest.mark.rule("CV-06b")
@pytest.mark.parametrize(
    ("cities", "price"),
    [
        (["duesseldorf"], 17),
        (["koeln"], 21),
        (["duesseldorf", "koeln"], 36),
        (["koeln", "duesseldorf"], 38),
    ],
)
def test_cv_06b_building_in_step_2(cities: list[str], price: int) -> None:
    game = classic(regions=WEST, step=2, cities=RUHR, money=100, phase="building", order=[C, B, A])
    play(game, *(f"build {city}" for city in cities))
    assert player(game, A)["money"] == 100 - price


@pytest.mark.rule("CV-07")
def test_cv_07_too_small_plant() -> None:
    game = classic(
        cities={A: 5},
        plants={A: [3], B: [4], C: [5]},
        market=[6, 7, 8, 9, 10, 11, 12, 13],
        deck=[20, 21],
        money=100,
        phase="building",
        order=[B, C, A],
    )
    build(game)
    assert board(game).market.cards == [7, 8, 9, 10, 11, 12, 13, 20]
    assert [each.cards for each in board(game).players] == [(3,), (4,), (5,)]

    # drawn again as long as the number is at most 6
    game = classic(
        cities={A: 5},
        plants={A: [3], B: [4]},
        market=[6, 8, 9, 10, 11, 12, 13, 14],
        deck=[5, 7, 21],
        money=100,
        phase="building",
        order=[B, C, A],
    )
    build(game)
    assert board(game).market.cards == [7, 8, 9, 10, 11, 12, 13, 14]
    assert game.view()["market"]["removed"] == ["6", "5"]


@pytest.mark.rule("CV-08")
def test_cv_08_too_small_replacement() -> None:
    game = classic(
        4,
        step=2,
        cities={A: 14},
        plants={A: [3, 10], B: [4]},
        market=[15, 16, 18, 20, 22, 24, 25, 26],
        deck=[14, 21, 30],
        money=100,
        phase="building",
        order=[B, C, D, A],
    )
    build(game)
    assert offers(game) == ([16, 18, 20, 21], [22, 24, 25, 26])
    assert game.view()["market"]["removed"] == ["15", "14"]
    assert [each.cards for each in board(game).players] == [(3, 10), (4,), (), ()]
    idle(game)
    assert (game.outcome, game.phase) == (None, "bureaucracy")


@pytest.mark.rule("CV-09")
@pytest.mark.parametrize(
    ("plants", "pay"), [([], 10), ([33], 54), ([37, 22], 73)], ids=["0", "4", "6"]
)
def test_cv_09_payment(plants: list[int], pay: int) -> None:
    game = running(plants={A: plants}, cities={A: 7}, money=0)
    play(game, f"run {' '.join(map(str, sorted(plants))) or 'nothing'}")
    assert player(game, A)["money"] == pay


@pytest.mark.rule("CV-10")
def test_cv_10_surplus() -> None:
    game = running(plants={A: [7, 10, 15]}, fuel={A: {"coal": 8, "oil": 6}}, cities={A: 6}, money=0)
    coal, oil = board(game).supply[:2]
    play(game, "run 7 10 15")
    assert board(game).supply[:2] == [coal + 4, oil + 3]
    assert (player(game, A)["supplied"], player(game, A)["money"]) == (6, 73)
    assert player(game, A)["fuel"] == {"coal": 4, "oil": 3, "garbage": 0, "uranium": 0}


@pytest.mark.rule("CV-11")
def test_cv_11_refill_with_five_players() -> None:
    game = classic(
        5,
        plants={0: [31], 1: [10], 2: [3], 3: [6], 4: [4]},
        money=50,
        phase="fuel",
        round=1,
        order=[0, 1, 2, 3, 4],
    )
    play(game, "buy coal 2", "done", "buy garbage 1", "done", "buy oil 2", "done")
    play(game, "buy coal 2", "done", "buy coal 6", "done")
    spent = [50 - each.money for each in board(game).players]
    assert (spent[0] + spent[1] + spent[4], spent[2], spent[3]) == (22, 6, 7)
    idle(game, "bureaucracy")
    play(game, "run nothing", "run 10", "run nothing", "run nothing")
    before = [game.view()["fuel"][kind]["prices"] for kind in FUELS]
    assert board(game).stock == [14, 16, 5, 2]
    play(game, "run 4")  # so the supply has 4 coal, and 6 are on plants
    assert board(game).players[0].fuel[0] == 6
    after = [game.view()["fuel"][kind]["prices"] for kind in FUELS]
    new = [prices[: len(prices) - len(old)] for prices, old in zip(after, before, strict=True)]
    assert new == [[3, 3, 3, 4], [2, 2, 3, 3], [6, 6, 7], [10, 12]]
    assert board(game).stock == [18, 20, 8, 4]


@pytest.mark.rule("CV-12")
def test_cv_12_refill_with_three_players() -> None:
    stock = {"coal": 14, "oil": 16, "garbage": 5, "uranium": 2}
    game = classic(3, step=2, stock=stock, phase="bureaucracy")
    before = [game.view()["fuel"][kind]["prices"] for kind in FUELS]
    idle(game)
    after = [game.view()["fuel"][kind]["prices"] for kind in FUELS]
    assert board(game).stock == [19, 19, 7, 3]
    new = [prices[: len(prices) - len(old)] for prices, old in zip(after, before, strict=True)]
    assert new == [[2, 3, 3, 3, 4], [2, 3, 3], [6, 7], [12]]


@pytest.mark.rule("CV-13")
def test_cv_13_central_europe_start() -> None:
    game = buying(map="central_europe", plants={A: [11]}, money=50)
    assert board(game).stock == [24, 18, 6, 5]
    play(game, "buy uranium 2")
    assert player(game, A)["money"] == 50 - 18


@pytest.mark.rule("CV-14")
@pytest.mark.parametrize(("city", "price"), [("wien", 18), ("graz", 21)])
def test_cv_14_vienna(city: str, price: int) -> None:
    game = buying(
        map="central_europe", regions=CORNER, cities={A: [city]}, plants={A: [14]}, money=50
    )
    play(game, "buy garbage 3")
    assert player(game, A)["money"] == 50 - price


@pytest.mark.rule("CV-15")
def test_cv_15_nuclear_bar() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        round=3,
        cities={A: ["krakow", "graz"], B: ["brno"]},
        market=[11, 12, 14, 15, 20, 21, 22, 23],
        money=100,
        order=[A, B, C],
    )
    refuses(game, "nominate 11 @11", "barred", "C-12.3.2")
    play(game, "pass", "nominate 11 @11")
    assert (player(game, B)["money"], board(game).players[B].cards) == (89, (11,))
    assert (game.to_move, board(game).bidding.eligible) == (C, (C,))


@pytest.mark.rule("CV-16")
def test_cv_16_auction_flow() -> None:
    a, c, b, d = range(4)  # seats clockwise
    game = classic(
        4, money=50, market=[8, 9, 10, 11, 12, 13, 14, 15], order=[a, b, c, d], deck=[20, 21]
    )
    play(game, "nominate 8 @8", "bid 9", "pass", "bid 11", "pass", "pass")
    assert [row.seat for row in game.log] == [a, c, b, d, a, c]
    assert (player(game, d)["money"], board(game).players[d].cards) == (39, (8,))
    assert game.to_move == a
    assert {"pass", "nominate 9 @9"} <= legal(game)
    again = game.copy()
    play(again, "nominate 9 @9")
    assert board(again).bidding.ring == (c, b, a)
    play(game, "pass")
    assert game.to_move == b
    play(game, "nominate 9 @9")
    assert board(game).bidding.ring == (c, b)  # A may not bid


@pytest.mark.rule("CV-17")
def test_cv_17_last_buyer() -> None:
    market = [17, 18, 19, 20, 22, 24, 25, 26]
    game = classic(4, money=60, market=market, deck=[30, 31], order=[A, B, C, D])
    play(game, "nominate 17 @17", "pass", "pass", "pass", "pass", "pass")
    assert game.to_move == D
    refuses(game, "nominate 20 @21", "last_buyer", "C-4.3.2")
    play(game, "nominate 20 @20")
    assert (player(game, D)["money"], board(game).players[D].cards) == (40, (20,))


@pytest.mark.rule("CV-18")
def test_cv_18_round_1() -> None:
    chance = hv.Scripted(order=[A, B, C], deck=[25, 14])
    game = hv.new("classic", players=3, chance=chance)
    refuses(game, "pass", "must_buy", "C-4.7.1")
    play(game, "nominate 6 @6", "pass", "pass", "nominate 7 @7", "pass", "nominate 4 @4")
    assert offers(game) == ([3, 5, 8, 9], [10, 13, 14, 25])
    assert game.view()["order"] == [B, A, C]


@pytest.mark.rule("CV-19")
def test_cv_19_nobody_buys() -> None:
    market = [9, 11, 12, 14, 16, 18, 19, 20]
    game = classic(round=4, cities={A: 5}, market=market, deck=[25, 30], money=100)
    play(game, "pass", "pass", "pass")
    assert offers(game) == ([11, 12, 14, 16], [18, 19, 20, 25])
    assert game.view()["market"]["removed"] == ["9"]


@pytest.mark.rule("CV-20")
def test_cv_20_exchange_of_plants() -> None:
    def buys(card: int) -> hv.Game:
        game = classic(
            3,
            plants={A: [4, 5, 7]},
            fuel={A: {"coal": 6, "oil": 8}},
            market=[10, 13, 14, 15, 20, 21, 22, 23],
            money=100,
            order=[A, B, C],
        )
        play(game, f"nominate {card} @{card}", "pass", "pass")
        return game

    game = buys(13)
    coal = board(game).supply[0]
    refuses(game, "scrap 13", "scrap_new", "C-4.5.2")
    assert [move for move in legal(game) if move.startswith("scrap 4")] == [
        "scrap 4 returning coal 4"
    ]
    play(game, "scrap 4 returning coal 4")
    assert board(game).players[A].fuel == (2, 8, 0, 0)
    assert board(game).supply[0] == coal + 4
    game = buys(10)
    play(game, "scrap 4")
    assert board(game).players[A].fuel == (6, 8, 0, 0)


@pytest.mark.rule("CV-21")
def test_cv_21_s3_in_phase_2() -> None:
    game = classic(
        regions=WEST,
        step=2,
        cities={
            A: [
                "essen",
                "duisburg",
                "dortmund",
                "muenster",
                "osnabrueck",
                "bremen",
                "trier",
                "kiel",
            ],
            B: ["essen"],
            C: ["duesseldorf"],
        },
        market=[16, 18, 20, 22, 24, 26, 30, 31],
        deck=[LAST_CARD, 33, 36, 40, 42, 46],
        chance=hv.Scripted(step3=[42, 33]),
        money=100,
        order=[A, B, C],
        stock=dict.fromkeys(FUELS, 0),
    )
    play(game, "nominate 16 @16", "pass", "pass")
    market = board(game).market
    assert market.cards == [18, 20, 22, 24, 26, 30, 31, LAST_CARD]
    refuses(game, "nominate 26 @26", "not_on_offer", "C-4.2.2")
    play(game, "nominate 24 @24", "pass")
    assert board(game).step == 2
    play(game, "pass")
    assert (game.phase, board(game).step) == ("fuel", 3)
    assert market.cards == [20, 22, 26, 30, 31, 42]
    assert len(market.deck) == 4
    idle(game, "building")
    play(game, "build essen")
    assert game.view()["houses"]["essen"] == [A, B, C]
    assert player(game, C)["money"] == 100 - (20 + 2)
    idle(game, "auction")
    assert board(game).stock == [3, 4, 3, 1]


@pytest.mark.rule("CV-22")
def test_cv_22_s3_in_phase_4() -> None:
    game = classic(
        4,
        step=2,
        cities={A: 9, B: 9},
        market=[10, 13, 15, 16, 18, 19, 20, 22],
        deck=[LAST_CARD, 30, 31, 33],
        chance=hv.Scripted(step3=[31, 33, 30]),
        money=1000,
        phase="building",
        order=[D, C, B, A],
        stock=dict.fromkeys(FUELS, 0),
    )
    build(game)
    assert board(game).market.cards == [15, 16, 18, 19, 20, 22]
    assert board(game).market.deck == [31, 33, 30]
    assert board(game).step == 2
    build(game, 5)
    assert board(game).most_cities == 15
    assert board(game).market.cards == [16, 18, 19, 20, 22, 31]
    assert all(len(houses) <= 2 for houses in board(game).houses)
    idle(game)
    assert (game.phase, board(game).step) == ("bureaucracy", 3)
    idle(game)
    assert board(game).stock == [4, 5, 4, 2]
    assert board(game).market.cards == [18, 19, 20, 22, 31, 33]


@pytest.mark.rule("CV-23")
def test_cv_23_s3_in_phase_5() -> None:
    game = classic(
        step=2,
        cities={A: 12},
        market=[17, 18, 20, 22, 24, 25, 26, 27],
        deck=[LAST_CARD, 31, 32, 36, 38],
        chance=hv.Scripted(step3=[27, 38, 31, 36, 32]),
        stock=dict.fromkeys(FUELS, 0),
        phase="bureaucracy",
    )
    idle(game)
    assert board(game).stock == [5, 3, 2, 1]
    assert offers(game) == ([18, 20, 22, 24, 25, 26], [])
    assert board(game).market.deck == [27, 38, 31, 36, 32]
    assert (game.state.round, board(game).step) == (3, 3)


@pytest.mark.rule("CV-24")
@pytest.mark.parametrize(
    ("players", "cities", "starts"),
    [(4, 7, True), (4, 6, False), (2, 9, False), (2, 10, True), (6, 5, False), (6, 6, True)],
)
def test_cv_24_step_2(players: int, cities: int, starts: bool) -> None:
    market = [11, 12, 13, 14, 15, 16, 18, 20] if players == 2 else [8, 10, 11, 13, 15, 16, 18, 20]
    game = classic(
        players,
        cities={A: cities},
        market=market,
        deck=[25, 30],
        stock=dict.fromkeys(FUELS, 0),
        phase="building",
    )
    idle(game)
    after = [*market[1:], 25] if starts else market
    assert (board(game).market.cards, board(game).step) == (after, 2 if starts else 1)
    if players == 4 and starts:
        assert offers(game) == ([10, 11, 13, 15], [16, 18, 20, 25])
        idle(game)
        assert board(game).stock == [6, 4, 3, 2]
        idle(game, "building")
        assert max(price for price in board(game).slots) == 15  # a second house


@pytest.mark.rule("CV-25")
@pytest.mark.parametrize(
    ("money", "cities", "ranking"),
    [
        ((20, 31), (16, 16), ((C,), (B,), (A,), (D,))),
        ((25, 25), (16, 17), ((C,), (B,), (A,), (D,))),
        ((25, 25), (16, 16), ((B, C), (A,), (D,))),
    ],
)
def test_cv_25_end_and_ties(
    money: tuple[int, int],
    cities: tuple[int, int],
    ranking: tuple[tuple[int, ...], ...],
) -> None:
    """A can supply 15, B and C 16, D 12."""
    game = classic(
        4,
        step=3,
        cities={A: 16, B: cities[0], C: cities[1], D: 12},
        plants={A: [36, 37, 33], B: [46, 39, 27], C: [23, 38, 50], D: [40, 42]},
        fuel={
            A: {"coal": 3},
            B: {"coal": 2, "oil": 1, "uranium": 1},
            C: {"garbage": 3, "uranium": 1},
            D: {"coal": 2, "oil": 2},
        },
        money={A: 100, B: money[0], C: money[1], D: 900},
        phase="building",
        order=[D, C, B, A],
    )
    build(game)
    assert (len(player(game, A)["cities"]), game.outcome) == (17, None)
    play(game, "done")
    turns = []
    while game.outcome is None:
        turns.append(game.to_move)
        play(game, "done")
    assert turns == [B, C, D]
    assert [score["supplied"] for score in game.outcome.scores] == [15, 16, 16, 12]
    assert player(game, D)["money"] == 900  # no payment
    assert game.outcome.ranking == ranking


@pytest.mark.rule("CV-26")
def test_cv_26_two_players() -> None:
    x, y = 0, 1
    game = classic(
        2,
        plants={x: [20, 21, 22], y: [23, 24, 25, 26]},
        market=[8, 9, 10, 11, 12, 13, 14, 15],
        money=100,
        order=[x, y],
    )
    play(game, "nominate 8 @8", "pass")
    assert (game.to_move, len(board(game).players[x].cards)) == (y, 4)
    play(game, "nominate 9 @9")
    assert legal(game) == {"scrap 23", "scrap 24", "scrap 25", "scrap 26"}
    refuses(game, "scrap 9", "scrap_new", "C-4.5.2")


@pytest.mark.rule("CV-27")
@pytest.mark.parametrize(
    ("plants", "coal", "oil", "first", "mixes"),
    [
        ([4, 5], 4, 4, [], {(0, 2)}),
        ([4, 5], 4, 4, [4], {(0, 2)}),
        ([4, 5], 4, 3, [], {(1, 1), (0, 2)}),
        ([4, 5], 4, 2, [], {(2, 0), (1, 1), (0, 2)}),
        ([3, 4, 5], 4, 8, [], {(0, 2)}),
        ([3, 4, 5], 4, 8, [3], {(2, 0), (1, 1), (0, 2)}),
    ],
)
def test_cv_27_fuel_of_a_hybrid(
    plants: list[int], coal: int, oil: int, first: list[int], mixes: set[tuple[int, int]]
) -> None:
    game = running(plants={A: plants}, fuel={A: {"coal": coal, "oil": oil}}, cities={A: 3})
    with_5 = "".join(f"{card} " for card in first)
    runs = {move for move in legal(game) if move.startswith(f"run {with_5}5:")}
    assert {(run.count("coal"), run.count("oil")) for run in runs} == mixes
