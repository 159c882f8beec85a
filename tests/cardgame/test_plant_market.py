"""K-4.4, K-4.6 and K-4.7: after a sale, replacement draws, END, the end of phase 1."""

import pytest

import highvoltage as hv
from cardgame.positions import bank, game_at, market, money, own, plants, removed, row, state
from highvoltage.engine.cards import LAST_CARD
from positions import idle, legal, play, refuses

SEVEN = "3 4 6 7 8 9 10 12"
FIVE = "5 7 8 9 10 12 13 15"
LATE = "11 14 16 18 20 22 24 27"


def end_shuffle(cards: str) -> hv.Scripted:
    """The plant deck after END was drawn."""
    return hv.Scripted(end=plants(cards))


@pytest.mark.rule("TV-K-07", "K-4.6.1")
@pytest.mark.parametrize(
    ("drawn", "then"),
    [
        ("15", "3* 4 7 8 | 9 10 12 15"),
        ("5", "3* 4 5 7 | 8 9 10 12"),
        ("4b", "3* 4 4b 7 | 8 9 10 12"),  # a twin goes to the right
    ],
)
def test_the_replacement_is_sorted_in(drawn: str, then: str) -> None:
    game = game_at(3, market=SEVEN, deck=f"{drawn} 20 21")
    play(game, "nominate 6 @6", "pass", "pass")
    assert market(game) == then


@pytest.mark.rule("K-4.6.1", "KR-04")
def test_twins_lie_in_the_order_they_arrived() -> None:
    game = game_at(3, market="3 4b 6 7 8 9 10 12", deck="4 20 21")
    play(game, "nominate 6 @6", "pass", "pass")
    assert market(game) == "3* 4b 4 7 | 8 9 10 12"


@pytest.mark.rule("TV-K-08", "K-4.6.2", "KR-14")
def test_a_draw_below_the_discounted_plant_leaves_with_the_marker() -> None:
    game = game_at(4, market=FIVE, deck="4 19 3 20 21")
    play(game, "nominate 8 @8", "pass", "pass", "pass")
    assert removed(game) == "4"
    assert market(game) == "5 7 9 10 | 12 13 15 19"
    refuses(game, "nominate 5 @4", "bid_below_minimum", "K-4.1.2")
    assert "nominate 5 @5" in legal(game)
    play(game, "nominate 9 @9", "pass", "pass")
    assert market(game) == "3 5 7 10 | 12 13 15 19"  # later draws stay, however low
    assert removed(game) == "4"
    refuses(game, "nominate 3 @2", "bid_below_minimum", "K-4.1.2")
    play(game, "pass", "pass")
    assert game.phase == "fuel"
    assert market(game) == "3 5 7 10 | 12 13 15 19"  # 5 stays: the marker is gone


@pytest.mark.rule("TV-K-08", "KR-14")
def test_an_equal_number_is_a_normal_arrival() -> None:
    game = game_at(3, market=FIVE, deck="5b 20 21")
    play(game, "nominate 8 @8", "pass", "pass")
    assert market(game) == "5* 5b 7 9 | 10 12 13 15"


@pytest.mark.rule("KR-14", "KR-30")
def test_the_last_round_also_throws_out_what_undercuts_the_marker() -> None:
    game = game_at(3, market="20 22 24 27 29 31", deck="19 33 34", round=9, end_round=8)
    assert market(game) == "20* 22 24 27 29 31"
    play(game, "nominate 31 @31", "pass", "pass")
    assert removed(game) == "19"
    assert market(game) == "20 22 24 27 29 33"


@pytest.mark.rule("TV-K-23", "K-4.4.1", "KR-14")
def test_when_the_discounted_plant_is_bought_nothing_else_is_discounted() -> None:
    game = game_at(3, market=FIVE, deck="4 20 21")
    play(game, "nominate 5 @3", "pass", "pass")
    assert money(game)[0] == 47
    assert market(game) == "4 7 8 9 | 10 12 13 15"
    refuses(game, "nominate 4 @3", "bid_below_minimum", "K-4.1.2")
    play(game, "pass", "pass")
    assert market(game) == "4 7 8 9 | 10 12 13 15"
    assert removed(game) == ""
    idle(game)
    idle(game)
    assert market(game) == "4* 7 8 9 | 10 12 13 20"  # next round; 15 slid, 20 drawn


@pytest.mark.rule("KR-10")
def test_the_buyer_scraps_before_the_replacement_is_drawn() -> None:
    game = game_at(3, market=FIVE, deck="19 20 21", own={0: "11 14 16"}, demolition=True)
    play(game, "nominate 5 @2", "pass", "pass")
    assert money(game)[0] == 48  # paid
    assert own(game, 0) == "5 11 14 16"
    assert market(game) == "7 8 9 10 | 12 13 15"  # gone, and the marker aside; nothing drawn yet
    assert game.to_move == 0
    play(game, "scrap 14")
    assert money(game)[0] == 49
    assert market(game) == "7 8 9 10 | 12 13 15 19"


@pytest.mark.rule("TV-K-09", "K-4.6.3", "K-4.7.1", "K-4.7.2", "K-6.4.3", "K-6.4.4", "KR-40")
def test_end_drawn_in_phase_1() -> None:
    chance = end_shuffle("29 31 33 34")
    game = game_at(3, market=LATE, deck="end 29 33 31 34", chance=chance, money=99)
    play(game, "nominate 14 @14", "pass", "pass")
    assert market(game) == "11* 16 18 20 | 22 24 27 END"
    assert state(game).market.deck == plants("29 31 33 34")  # shuffled
    play(game, "nominate 20 @20", "pass")
    assert market(game) == "11* 16 18 22 | 24 27 29 END"
    play(game, "pass")
    assert game.phase == "fuel"
    assert removed(game) == "11 16"
    assert market(game) == "18 22 24 27 29 31"
    idle(game)
    idle(game)
    assert removed(game) == "11 16 18"
    assert market(game) == "22* 24 27 29 31 33"
    assert game.view()["last"]
    assert {f"nominate {n} @{n}" for n in (24, 27, 29, 31, 33)} <= legal(game)


@pytest.mark.rule("KR-15")
def test_end_is_not_a_plant() -> None:
    game = game_at(2, market="22 24 27 29 31 33 34", deck="end 35", chance=end_shuffle("35"))
    state(game).market.cards = plants("22 24 27")  # so few that END is in the row of four
    play(game, "nominate 24 @24", "pass")
    assert bank(game) == "27"
    assert market(game) == "22* 35 END | "
    assert state(game).market.offer == plants("22 35")
    refuses(game, "nominate step3 @99", "not_on_offer", "K-4.2.3")


@pytest.mark.rule("KR-15", "K-4.6.3")
def test_with_end_in_the_market_the_four_lowest_stay_on_offer() -> None:
    game = game_at(3, market=LATE, deck="end 29 31", chance=end_shuffle("29 31"))
    play(game, "nominate 14 @14", "pass", "pass")
    assert len(state(game).market.plants) == 7  # nothing is drawn in place of END
    assert state(game).market.offer == plants("11 16 18 20")
    refuses(game, "nominate 22 @22", "not_on_offer", "K-4.2.3")


@pytest.mark.rule("KR-16")
def test_with_an_empty_deck_the_market_shrinks() -> None:
    game = game_at(3, market="20 22 24", deck="", round=9, end_round=8)
    play(game, "nominate 24 @24", "pass", "pass")
    assert market(game) == "20* 22"
    play(game, "nominate 22 @22", "pass")
    assert market(game) == "20*"
    play(game, "nominate 20 @1")
    assert market(game) == ""
    assert game.phase == "fuel"


@pytest.mark.rule("KR-16")
def test_an_empty_market_makes_nominators_decline() -> None:
    game = game_at(3, market="20", deck="", round=9, end_round=8)
    play(game, "nominate 20 @1", "pass", "pass")
    assert game.phase == "fuel"
    assert own(game, 0) == "20"
    before = game_at(3, market="", deck="", round=9, end_round=8)
    assert before.phase == "fuel"


@pytest.mark.rule("KR-16")
def test_at_an_empty_market_nobody_is_asked_though_money_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_at(3, market="20 22", deck="", round=9, end_round=8, money={1: 0, 2: 50})
    monkeypatch.setattr(state(game).rules, "asks_everybody", True)
    play(game, "nominate 22 @22", "pass", "pass")
    assert game.to_move == 1  # who cannot pay for it
    play(game, "pass", "nominate 20 @1")
    assert game.phase == "fuel"
    one_left = game_at(3, market="20", deck="", round=9, end_round=8)
    monkeypatch.setattr(state(one_left).rules, "asks_everybody", True)
    play(one_left, "nominate 20 @1", "pass", "pass")
    assert one_left.phase == "fuel"  # the others see that there is nothing to buy


@pytest.mark.rule("KR-16", "INV-04")
def test_before_end_is_resolved_a_shrunken_market_offers_its_four_lowest() -> None:
    game = game_at(4, market=LATE, deck="end", chance=end_shuffle(""))
    play(game, "nominate 14 @14", "pass", "pass", "pass")
    assert market(game) == "11* 16 18 20 | 22 24 27 END"
    play(game, "nominate 16 @16", "pass", "pass")
    assert market(game) == "11* 18 20 22 | 24 27 END"
    assert state(game).market.offer == plants("11 18 20 22")


@pytest.mark.rule("K-4.7.1")
def test_an_unsold_discounted_plant_leaves_and_is_replaced() -> None:
    game = game_at(3, market=FIVE, deck="4 20 21")
    play(game, "pass", "pass", "pass")
    assert removed(game) == "5"
    assert market(game) == "4 7 8 9 | 10 12 13 15"  # KR-14: this draw stays, however low
    assert state(game).market.discount is None


@pytest.mark.rule("KR-17", "K-4.7.2")
def test_end_drawn_for_the_unsold_plant_is_resolved_at_once() -> None:
    game = game_at(3, market=LATE, deck="end 31 29", chance=end_shuffle("29 31"))
    play(game, "pass", "pass", "pass")
    assert removed(game) == "11 14"
    assert market(game) == "16 18 20 22 24 27"
    assert state(game).market.deck == plants("29 31")
    assert state(game).end_in_auction
    assert LAST_CARD in state(game).market.removed


@pytest.mark.rule("TV-K-34", "K-4.7.4", "KR-18")
def test_the_order_after_round_1() -> None:
    ann, bob, cem, dan = range(4)
    game = game_at(4, market="5 5b 5c 9 10 12 13 14", deck="15 16 17 20", round=1, money=12)
    play(game, "nominate 5 @1", "pass", "pass", "pass")
    play(game, "nominate 9 @9", "pass", "pass")
    play(game, "nominate 5b @5", "pass")
    play(game, "nominate 5c @5")
    assert game.phase == "fuel"
    assert row(game) == (bob, dan, cem, ann)


@pytest.mark.rule("K-4.7.4", "KR-18")
def test_two_equal_numbers_exchange_places() -> None:
    game = game_at(3, market="5 5b 8 9 10 12 13 14", deck="20 21 22", round=1, order=(2, 0, 1))
    play(game, "nominate 5 @1", "pass", "pass")
    play(game, "nominate 5b @5", "pass")
    play(game, "nominate 8 @8")
    assert row(game) == (1, 0, 2)


@pytest.mark.rule("K-4.7.4", "K-3.4")
def test_no_new_order_after_later_auctions() -> None:
    game = game_at(3, market="5 5b 8 9 10 12 13 14", order=(2, 0, 1))
    play(game, "nominate 5 @1", "pass", "pass", "nominate 9 @9", "pass", "pass")
    assert game.phase == "fuel"
    assert row(game) == (2, 0, 1)


@pytest.mark.rule("K-4.7.5")
def test_the_unsold_plant_leaves_in_the_last_round_too() -> None:
    game = game_at(3, market="20 22 24 27 29 31", deck="33 34", round=9, end_round=8)
    play(game, "pass", "pass", "pass")
    assert removed(game) == "20"
    assert market(game) == "22 24 27 29 31 33"
