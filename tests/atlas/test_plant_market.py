"""What the expansion boards change in the plant market and in the course of a round."""

from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, PLAYERS, at, new, regions_with
from highvoltage.engine.cards import LAST_CARD
from positions import board, idle, legal, offers, play, position, refuses

PLANTS = {0: [28], 1: [29], 2: [34]}


def auction(map_: str, book: str = "classic", **fields: Any) -> hv.Game:
    """Three rich players before an auction."""
    known: dict[str, Any] = {"plants": PLANTS, "money": 100, "order": [0, 1, 2], **fields}
    return at(map_, book, 3, **known)


# Benelux


@pytest.mark.rule("A-BEN-4", "AV-04")
@pytest.mark.parametrize("book", BOOKS)
def test_the_lowest_future_plant_is_on_offer_if_it_burns_nothing(book: str) -> None:
    game = auction("benelux", book, market=[8, 9, 10, 12, 13, 15, 16, 20])
    assert offers(game) == ([8, 9, 10, 12, 13], [15, 16, 20])
    assert [plant["number"] for plant in game.view(0)["market"]["current"]][-1] == 13
    assert "nominate 13 @13" in legal(game)
    refuses(game, "nominate 15 @15", "not_on_offer", "A-BEN-4")


@pytest.mark.rule("A-BEN-4")
def test_one_plant_at_most_joins_and_fusion_counts() -> None:
    game = auction("benelux", market=[8, 9, 10, 12, 18, 22, 27, 30])
    assert offers(game)[0] == [8, 9, 10, 12, 18]
    late = auction("benelux", market=[36, 38, 40, 42, 50], deck=[], step=2)
    assert offers(late) == ([36, 38, 40, 42, 50], [])
    burning = auction("benelux", market=[8, 9, 10, 12, 15, 18, 22, 27])
    assert offers(burning)[0] == [8, 9, 10, 12]


def bureaucracy(map_: str, book: str = "classic", **fields: Any) -> hv.Game:
    game = at(map_, book, 3, plants=PLANTS, phase="bureaucracy", **fields)
    idle(game)
    return game


@pytest.mark.rule("A-BEN-5", "AV-05")
@pytest.mark.parametrize("book", BOOKS)
def test_the_lowest_and_the_highest_leave_at_the_same_time(book: str) -> None:
    game = bureaucracy("benelux", book, market=[7, 8, 9, 10, 11, 12, 15, 20], deck=[30, 16])
    m = board(game).market
    assert m.cards == [8, 9, 10, 11, 12, 15, 16, 30]
    assert 7 in m.removed
    assert m.deck[-1] == 20


@pytest.mark.rule("A-BEN-5")
@pytest.mark.parametrize("deck", [[LAST_CARD, 30, 16], [30, LAST_CARD, 16]])
def test_six_plants_remain_when_one_of_the_two_cards_is_step_3(deck: list[int]) -> None:
    game = bureaucracy("benelux", market=[7, 8, 9, 10, 11, 12, 15, 20], deck=deck, step=2)
    assert board(game).step == 3
    assert len(board(game).market.cards) == 6
    assert {7, 8} <= {*board(game).market.removed}


@pytest.mark.rule("A-BEN-5")
def test_in_step_3_only_the_lowest_leaves() -> None:
    game = bureaucracy("benelux", market=[20, 21, 25, 26, 30, 31], deck=[35, 36], step=3)
    m = board(game).market
    assert len(m.cards) == 6
    assert 20 in m.removed
    assert 31 in m.cards


@pytest.mark.rule("A-BEN-6")
@pytest.mark.parametrize(("sold", "lowest"), [(True, 9), (False, 8)])
def test_in_recharged_not_after_the_plant_with_the_token_was_removed(
    *, sold: bool, lowest: int
) -> None:
    game = auction("benelux", "recharged", market=[7, 8, 9, 10, 11, 12, 15, 20], deck=[30, 31, 32])
    if sold:
        play(game, "nominate 7 @1", "pass", "pass")
    idle(game)
    assert board(game).bidding.token_left is not sold
    idle(game, "bureaucracy")
    idle(game)
    assert board(game).market.cards[0] == lowest


# Québec


@pytest.mark.rule("A-QUE-5", "AV-08")
@pytest.mark.parametrize("book", BOOKS)
def test_eco_plants_never_go_under_the_deck(book: str) -> None:
    game = bureaucracy("quebec", book, market=[10, 11, 12, 13, 18, 20, 22, 27], deck=[30])
    m = board(game).market
    assert m.slid == [20]
    assert m.cards == [10, 11, 12, 13, 18, 22, 27, 30]


@pytest.mark.rule("A-QUE-5")
def test_nothing_moves_where_all_are_eco_but_fusion_does_move() -> None:
    game = bureaucracy("quebec", market=[13, 18, 22, 27, 33, 37, 44], deck=[30])
    m = board(game).market
    assert (m.cards, m.slid, m.deck) == ([13, 18, 22, 27, 33, 37, 44], [], [30, LAST_CARD])
    fusion = bureaucracy("quebec", market=[13, 18, 22, 27, 33, 37, 44, 50], deck=[30])
    assert board(fusion).market.slid == [50]


# Baden-Württemberg


@pytest.mark.rule("A-BAW-2")
@pytest.mark.parametrize("book", BOOKS)
def test_the_turn_order_is_set_after_the_auction(book: str) -> None:
    game = at(
        "baden_wuerttemberg",
        book,
        3,
        plants={0: [3], 1: [4], 2: [5]},
        market=[8, 9, 10, 15, 16, 17, 19, 20],
        cities={0: 1, 1: 2, 2: 3},
        money=100,
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    idle(game)
    assert (game.phase, board(game).order) == ("auction", (0, 1, 2))
    idle(game)
    assert (game.phase, board(game).order) == ("fuel", (2, 1, 0))
    assert [phase.name for phase in game.rules.phases][-5:] == [
        *("auction", "order", "fuel", "building", "bureaucracy")
    ]


@pytest.mark.rule("A-BAW-3")
@pytest.mark.parametrize("book", BOOKS)
def test_the_two_lowest_leave_if_nobody_buys(book: str) -> None:
    market = [8, 9, 10, 15, 16, 17, 19, 20]
    game = auction("baden_wuerttemberg", book, market=market, deck=[3, 30, 31], plants={0: [7]})
    idle(game)
    assert board(game).market.cards == [3, 10, 15, 16, 17, 19, 20, 30]
    bought = auction("baden_wuerttemberg", book, market=market, deck=[30, 31, 32])
    play(bought, "nominate 10 @10", "pass", "pass")
    idle(bought)
    assert board(bought).market.cards[:2] == [8, 9]


@pytest.mark.rule("A-BAW-3")
@pytest.mark.parametrize("book", BOOKS)
def test_in_the_other_reading_a_replacement_may_leave_as_well(book: str) -> None:
    data = hv.games()[book].map("baden_wuerttemberg")
    data["rules"]["plant_market"]["unsold_in_turn"] = True
    market = [8, 9, 10, 15, 16, 17, 19, 20]
    game = hv.new(book, map=data, players=3, seed=1)
    position(game, market=market, deck=[3, 30, 31], plants={**PLANTS, 0: [7]}, order=[0, 1, 2])
    idle(game)
    assert board(game).market.cards == [9, 10, 15, 16, 17, 19, 20, 30]


@pytest.mark.rule("A-BAW-4", "A-RUS-7")
@pytest.mark.parametrize("map_", ["baden_wuerttemberg", "russia"])
@pytest.mark.parametrize("book", BOOKS)
def test_small_plants_stay_however_large_a_network_is(map_: str, book: str) -> None:
    market = {
        "baden_wuerttemberg": [3, 5, 8, 9, 10, 15, 16, 17],
        "russia": [3, 5, 8, 9, 10, 15],
    }[map_]
    game = auction(
        map_,
        book,
        market=market,
        deck=[4, 30, 31],
        plants={0: [20], 1: [21], 2: [22]},
        cities={0: 5},
        phase="building",
    )
    play(game, "done", "done")
    game.play(next(move for move in game.legal_moves if move.verb == "build"))
    assert board(game).most_cities == 6
    assert board(game).market.cards == market
    idle(game, "auction")
    assert 4 in board(game).market.cards  # a small card that is drawn stays as well


@pytest.mark.rule("A-BAW-6")
def test_step_2_of_baden_wuerttemberg_starts_early() -> None:
    game = new("baden_wuerttemberg")
    assert [board(new("baden_wuerttemberg", players=n)).rules.step_2_cities for n in PLAYERS] == [
        9,
        6,
        6,
        6,
        5,
    ]
    assert [board(new("baden_wuerttemberg", players=n)).rules.end_cities for n in PLAYERS] == [
        *(21, 17, 17, 15, 14)
    ]
    assert game.view(0)["step_2_cities"] == 6


@pytest.mark.rule("A-GEN-7", "A-BAW-6")
def test_two_in_recharged_play_by_the_number_of_three() -> None:
    steps = [board(new("baden_wuerttemberg", "recharged", n)).rules.step_2_cities for n in PLAYERS]
    assert steps == [6, 6, 6, 6, 5]
    assert board(new("uk_ireland", "recharged", 2)).rules.step_2_cities == 7


@pytest.mark.rule("A-BAW-7", "A-RUS-9")
@pytest.mark.parametrize("map_", ["baden_wuerttemberg", "russia"])
def test_there_is_no_discount_token(map_: str) -> None:
    game = auction(map_, "recharged", market=[7, 8, 9, 10, 11, 12])
    assert board(game).market.discount is None
    assert game.view(0)["market"]["discount"] is None
    refuses(game, "nominate 7 @1", "bid_below_minimum", "R-4.3.1")
    with_token = auction("italy", "recharged", market=[7, 8, 9, 10, 11, 12, 13, 14])
    assert board(with_token).market.discount == 7


# Russia


@pytest.mark.rule("A-RUS-3")
@pytest.mark.parametrize("book", BOOKS)
def test_three_plants_are_on_offer_and_three_to_come(book: str) -> None:
    game = auction("russia", book, market=[7, 8, 9, 10, 11, 12])
    assert offers(game) == ([7, 8, 9], [10, 11, 12])
    refuses(game, "nominate 10 @10", "not_on_offer", "A-RUS-3")
    late = auction("russia", book, market=[20, 21, 25, 26], deck=[30], step=3)
    assert offers(late) == ([20, 21, 25, 26], [])


@pytest.mark.rule("A-RUS-6", "AV-13")
@pytest.mark.parametrize("book", BOOKS)
def test_the_first_pass_removes_the_lowest_plant(book: str) -> None:
    game = auction("russia", book, market=[3, 4, 7, 8, 9, 13], deck=[10, 30])
    play(game, "pass")
    assert offers(game) == ([4, 7, 8], [9, 10, 13])
    play(game, "pass")
    assert offers(game) == ([4, 7, 8], [9, 10, 13])
    play(game, "pass")
    assert board(game).market.cards == [4, 7, 8, 9, 10, 13]  # and none for a round without a sale


@pytest.mark.rule("A-RUS-6")
def test_a_pass_after_a_sale_also_counts_as_first_and_may_start_step_3() -> None:
    game = auction("russia", market=[3, 4, 7, 8, 9, 16], deck=[15, LAST_CARD])
    play(game, "nominate 7 @7", "pass", "pass")  # passing on a bid is not passing on the nomination
    assert board(game).market.cards == [3, 4, 8, 9, 15, 16]
    play(game, "pass")
    assert board(game).market.cards == [4, 8, 9, 15, 16, LAST_CARD]
    assert offers(game)[0] == [4, 8, 9]


@pytest.mark.rule("A-RUS-8")
@pytest.mark.parametrize("book", BOOKS)
def test_four_plants_stay_in_step_3_of_russia(book: str) -> None:
    game = auction(
        "russia", book, market=[8, 9, 10, 15, 16, 19], deck=[LAST_CARD, 30], step=2, round=5
    )
    idle(game, "bureaucracy")
    idle(game)
    assert board(game).step == 3
    assert len(board(game).market.cards) == 4


def test_as_many_plants_stay_in_step_3_as_a_map_says() -> None:
    own = {**hv.games()["classic"].map("germany"), "rules": {"plant_market": {"step_3": 4}}}
    game = hv.new("classic", map=own, players=3, seed=1)
    position(game, plants=PLANTS, market=[8, 9, 10, 15, 16, 19, 20, 21], deck=[LAST_CARD, 30])
    idle(game, "bureaucracy")
    assert board(game).market.cards == [16, 19, 20, 21]


# Northern Europe


@pytest.mark.rule("A-NOR-3", "AV-09")
@pytest.mark.parametrize("book", BOOKS)
def test_regions_in_play_bring_their_plants(book: str) -> None:
    table: dict[str, list[tuple[int, list[str], int, int]]] = {
        "norway": [(7, [], 0, 1), (46, [], 0, 6)],
        "sweden_north": [(21, [], 0, 2), (25, ["uranium"], 1, 4)],
        "sweden_south": [(10, ["uranium"], 2, 3), (39, [], 0, 5)],
        "finland": [(32, ["garbage"], 2, 6), (44, ["uranium"], 1, 7)],
        "baltic_states": [(18, ["oil"], 1, 3), (22, [], 0, 3)],
        "denmark": [(19, ["oil"], 2, 4), (26, ["oil"], 3, 5)],
    }
    for region, cards in table.items():
        there = regions_with("northern_europe", 3, region)
        game = at("northern_europe", book, regions=there, plants={0: [c for c, *_ in cards]})
        shown = [
            (plant["number"], plant["fuels"], plant["need"], plant["powers"])
            for plant in game.view(0)["players"][0]["plants"]
        ]
        assert shown == cards
    without = at(
        "northern_europe",
        book,
        regions=["finland", "sweden_north", "sweden_south"],
        plants={0: [7]},
        fuel={0: {"oil": 3}},
        cities={0: 3},
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    assert legal(without) == {"run nothing", "run 7"}
    play(without, "run 7")
    assert board(without).players[0].supplied == 2
    with_it = at(
        "northern_europe",
        book,
        regions=["norway", "sweden_north", "sweden_south"],
        plants={0: [7]},
        cities={0: 3},
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    play(with_it, "run 7")
    assert board(with_it).players[0].supplied == 1


IBERIA = ("spain_portugal", "portugal", "Spain", "A-IBE-4")
NORTH = ("northern_europe", "denmark", "Sweden", "A-NOR-4")
ISLANDS = ("uk_ireland", "ireland", "England", "A-UKI-6")
BARRED = [
    pytest.param(*IBERIA, marks=pytest.mark.rule("A-IBE-4")),
    pytest.param(*NORTH, marks=pytest.mark.rule("A-NOR-4")),
    pytest.param(*ISLANDS, marks=pytest.mark.rule("A-UKI-6")),
]


@pytest.mark.rule("A-GEN-4")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("map_", "region", "country", "rule"), BARRED)
def test_nuclear_plants_need_a_country(
    map_: str, region: str, country: str, rule: str, book: str
) -> None:
    regions = regions_with(map_, 3, region)
    area = board(new(map_, players=3, regions=regions)).area
    here = next(c for c in area.cities if area.regions_of[area.index[c]] == region)
    there = next(c for c in area.cities if area.country(area.index[c]) == country)
    market = [16, 17, 20, 24, 27, 30, 31, 35]

    def place(cities: dict[int, list[str]]) -> hv.Game:
        return auction(map_, book, regions=regions, market=market, cities=cities)

    refuses(place({}), "nominate 17 @17", "barred", rule)
    refuses(place({0: [here]}), "nominate 17 @17", "barred", rule)
    game = place({0: [there], 1: [here], 2: [there]})
    play(game, "nominate 17 @17")
    assert game.to_move == 2  # seat 1 may not bid


@pytest.mark.rule("A-NOR-4")
def test_the_bar_depends_on_the_card_in_play() -> None:
    there = regions_with("northern_europe", 3, "sweden_south", "norway")
    game = auction("northern_europe", regions=there, market=[10, 12, 13, 15, 39, 42, 44, 46])
    refuses(game, "nominate 10 @10", "barred", "A-NOR-4")
    board(game).market.row = 8
    assert "nominate 39 @39" in legal(game)
