"""The Middle East: barred kinds, Steps by the deck, and oil that gets cheaper."""

from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, FUELS, at, new, prices
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import StepBegins
from highvoltage.games.classic import tables
from positions import board, idle, offers, play

PLANTS = {0: [16], 1: [26], 2: [32]}
BARRED = {6, 14, 19, 24, 30, 38, 11, 17, 23, 28, 34, 39}


def east(book: str = "classic", **fields: Any) -> hv.Game:
    return at(
        "middle_east", book, 3, **{"plants": PLANTS, "order": [0, 1, 2], "round": 4, **fields}
    )


def begun(game: hv.Game) -> list[int]:
    return [e.step for row in game.log for e in row.events if isinstance(e, StepBegins)]


@pytest.mark.rule("A-MEA-1")
@pytest.mark.parametrize("book", BOOKS)
def test_garbage_and_uranium_have_no_space_at_1(book: str) -> None:
    shelves = new("middle_east", book).view(0)["fuel"]
    assert [shelves[fuel]["stock"] + shelves[fuel]["supply"] for fuel in FUELS] == [24, 24, 21, 11]
    assert shelves["garbage"]["ladder"] == [price for price in range(2, 9) for _ in range(3)]
    assert shelves["uranium"]["ladder"] == [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]
    assert prices("middle_east", "garbage") == [8, 8, 8]
    assert prices("middle_east", "uranium") == [12, 14, 16]


@pytest.mark.rule("A-MEA-3", "AV-36")
@pytest.mark.parametrize("book", BOOKS)
def test_missing_oil_makes_the_rest_cheaper(book: str) -> None:
    plants = {seat: [card] for seat, card in enumerate((16, 26, 32, 35))}
    game = at(
        "middle_east", book, 4, plants=plants, phase="bureaucracy", order=[0, 1, 2, 3], round=4
    )
    s = board(game)
    s.stock[1], s.supply[1] = 4, 3
    s.players[0].fuel = (0, 17, 0, 0)  # elsewhere
    assert game.view(0)["fuel"]["oil"]["prices"] == [7, 8, 8, 8]
    idle(game)
    assert s.stock[1] == 7
    assert game.view(0)["fuel"]["oil"]["prices"] == [5, 6, 6, 6, 7, 7, 7]
    assert game.view()["fuel"]["oil"]["ladder"] == [1] * 6 + [
        n for n in range(2, 8) for _ in range(3)
    ]


@pytest.mark.rule("A-MEA-3")
@pytest.mark.parametrize("book", BOOKS)
def test_no_more_tokens_shift_than_there_are(book: str) -> None:
    plants = {seat: [card] for seat, card in enumerate((16, 26, 32, 35))}
    game = at(
        "middle_east", book, 4, plants=plants, phase="bureaucracy", order=[0, 1, 2, 3], round=4
    )
    s = board(game)
    s.stock[1], s.supply[1] = 2, 0
    s.players[0].fuel = (0, 22, 0, 0)  # elsewhere
    idle(game)
    assert (s.stock[1], s.shifts) == (2, (0, 2, 0, 0))


@pytest.mark.rule("A-MEA-3")
@pytest.mark.parametrize("book", BOOKS)
def test_an_empty_market_has_its_own_ladder_again(book: str) -> None:
    game = east(book, phase="fuel", money=99, stock={"oil": 2}, plants={0: [10], 1: [12], 2: [26]})
    s = board(game)
    s.shifts = (0, 5, 0, 0)
    assert game.view(2)["fuel"]["oil"]["prices"] == [6, 7]
    play(game, "buy oil 1")
    assert (s.shifts[1], s.players[2].money) == (5, 99 - 6)
    play(game, "buy oil 1")
    assert s.shifts == (0, 0, 0, 0)
    assert game.view(2)["fuel"]["oil"]["ladder"] == [*tables.LADDERS[1].prices]


@pytest.mark.rule("A-MEA-3", "A-GEN-7")
def test_the_cartel_empties_the_market_too() -> None:
    game = at("middle_east", "recharged", 2, plants={0: [4], 1: [8]}, phase="fuel", round=4)
    s = board(game)
    s.cartel.cards = (16,)  # type: ignore[attr-defined]
    s.supply[1] += s.stock[1] - 2
    s.stock[1], s.shifts = 2, (0, 3, 0, 0)
    play(game, "done")
    assert (s.stock[1], s.shifts) == (0, (0, 0, 0, 0))


@pytest.mark.rule("A-MEA-4", "AV-22")
def test_garbage_leaves_the_market_at_set_up() -> None:
    game = new("middle_east")
    assert offers(game) == ([3, 4, 5, 7], [8, 9, 10, 13])
    assert 6 in board(game).market.removed


@pytest.mark.rule("A-MEA-4")
def test_in_recharged_barred_plugs_leave_the_game_and_are_replaced() -> None:
    for seed in range(20):
        m = board(new("middle_east", "recharged", 4, seed)).market
        assert BARRED.isdisjoint(m.offer)
        assert len(m.cards) == 8
        assert {*m.removed} <= {6, 11, 14}
        assert m.deck[m.deck.index(LAST_CARD) + 1 :] == m.slid


@pytest.mark.rule("A-MEA-4")
@pytest.mark.parametrize("book", BOOKS)
def test_a_barred_plant_goes_under_the_deck_when_it_gets_on_offer(book: str) -> None:
    market = [8, 9, 10, 12, 19, 20, 21, 25]
    game = east(book, market=market, deck=[35, 36, 37, LAST_CARD], money=99)
    play(game, "nominate 12 @12", "pass", "pass")
    assert offers(game)[0] == [8, 9, 10, 20]
    assert board(game).market.slid == [19]
    assert board(game).market.deck == [37, LAST_CARD, 19]
    late = east(book, market=market, deck=[35, 36, LAST_CARD], money=99, step=2)
    play(late, "nominate 12 @12", "pass", "pass")
    assert offers(late)[0] == [8, 9, 10, 19]  # in Step 2 it may be bought


@pytest.mark.rule("A-MEA-5")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_first_starts_step_2(book: str) -> None:
    market = [8, 9, 10, 12, 13, 15, 21, 25]
    deck = [LAST_CARD, 31, 35, 36, 37, 40, 42]
    game = east(
        book, market=market, deck=deck, money=99, cities={0: 9} if book == "recharged" else {}
    )
    play(game, "nominate 12 @12", "pass", "pass")
    m = board(game).market
    assert board(game).step == 1  # until the phase ends
    assert len(m.cards) == 8
    assert m.deck[-1] == LAST_CARD
    assert m.slid == []
    idle(game)
    assert (board(game).step, begun(game)) == (2, [2])
    assert m.cards[0] >= 10
    assert len(m.cards) == 8
    assert LAST_CARD in m.deck


@pytest.mark.rule("A-MEA-5")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_that_comes_again_at_once_starts_both_steps(book: str) -> None:
    market = [8, 9, 10, 12, 13, 15, 21, 25]
    game = east(book, market=market, deck=[LAST_CARD], money=99)
    play(game, "nominate 12 @12", "pass", "pass")
    idle(game)
    assert (board(game).step, begun(game)) == (3, [2, 3])


@pytest.mark.rule("A-MEA-5")
def test_the_number_of_cities_starts_no_step() -> None:
    game = east(
        phase="building", cities={0: 12}, market=[13, 15, 16, 18, 20, 21, 22, 25], plants={0: [29]}
    )
    idle(game)
    assert board(game).step == 1


@pytest.mark.rule("A-MEA-6")
@pytest.mark.parametrize("book", BOOKS)
def test_in_step_2_the_two_highest_go_under_the_deck(book: str) -> None:
    market = [8, 9, 10, 12, 13, 15, 21, 25]
    deck = [31, 18, 20, LAST_CARD]
    game = east(book, market=market, deck=deck, phase="bureaucracy", step=2)
    idle(game)
    m = board(game).market
    assert m.slid == [25, 31]  # 31 came for 25
    assert m.cards == [8, 9, 10, 12, 13, 15, 18, 21]
    first = east(book, market=market, deck=deck, phase="bureaucracy")
    idle(first)
    assert board(first).market.slid == [25]


@pytest.mark.rule("A-MEA-6", "A-MEA-7")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_then_starts_step_3(book: str) -> None:
    market = [8, 9, 10, 12, 13, 15, 21, 25]
    game = east(book, market=market, deck=[LAST_CARD, 35, 36], phase="bureaucracy", step=2)
    idle(game)
    m = board(game).market
    assert board(game).step == 3
    assert len(m.cards) == 6
    assert m.cards[:5] == [9, 10, 12, 13, 15]
    assert {21, 25} <= {*m.deck, *m.cards}  # 21 went under the deck after the card had come


@pytest.mark.rule("A-MEA-8")
def test_no_rule_depends_on_the_name_of_gas() -> None:
    assert [*new("middle_east").view(0)["fuel"]] == [*FUELS]


@pytest.mark.rule("A-MEA-5")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_replays_through_both_shuffles(book: str) -> None:
    game = hv.new(book, map="middle_east", players=5, seed=2)
    while game.to_move is not None and board(game).step < 3:
        game.play(game.legal_moves.choices[0])
    assert begun(game)[:1] == [2]
    assert hv.replay(str(game.record())).view() == game.view()


def test_a_shifting_fuel_has_no_storage() -> None:
    data = hv.games()["classic"].map("middle_east")
    data["rules"]["storage_price"] = {"oil": 8}
    with pytest.raises(hv.MapError, match="oil is shifting and has a storage"):
        hv.new("classic", map=data, players=3)


@pytest.mark.rule("A-MEA-4")
def test_plants_are_barred_only_where_the_deck_starts_the_steps() -> None:
    data = hv.games()["recharged"].map("middle_east")
    data["rules"]["plant_market"]["steps_by_deck"] = False
    with pytest.raises(hv.MapError, match="barred goes only together with steps_by_deck"):
        hv.new("recharged", map=data, players=2)


def test_enough_plants_must_be_for_sale_in_step_1() -> None:
    data = hv.games()["classic"].map("middle_east")
    data["rules"]["plant_market"]["barred"] = ["coal", "oil", "hybrid", "garbage", "uranium"]
    with pytest.raises(
        hv.MapError, match="barred leaves 0 plants for Step 1; the market has room for 8"
    ):
        hv.new("classic", map=data, players=3)
