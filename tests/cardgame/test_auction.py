"""K-4.1 to K-4.3: the discount marker, nominating and bidding."""

import pytest

import highvoltage as hv
from cardgame.positions import PLAYERS, game_at, market, money, own, state
from cardgame.test_setup import with_small_numbers
from positions import legal, play, refuses

MARKET = "3 4 6 7 8 9 10 12"


@pytest.mark.rule("K-4.1.1", "K-4.1.2")
def test_the_marker_makes_the_lowest_plant_start_at_1() -> None:
    game = game_at(3, market=MARKET)
    assert market(game) == "3* 4 6 7 | 8 9 10 12"
    choices = [str(move) for move in game.legal_moves.choices]
    assert choices == ["pass", "nominate 3 @1", "nominate 4 @4", "nominate 6 @6", "nominate 7 @7"]
    refuses(game, "nominate 4 @3", "bid_below_minimum", "K-4.1.2")
    refuses(game, "nominate 3 @0", "bid_below_minimum", "K-4.1.2")


@pytest.mark.rule("TV-K-06", "K-4.2.3")
def test_a_plant_of_the_current_market_is_nominated() -> None:
    game = game_at(3, market=MARKET, money=20)
    play(game, "nominate 6 @6")
    assert game.view()["auction"]["card"] == "6"
    assert "nominate 3 @1" in legal(game_at(3, market=MARKET))
    future = game_at(3, market=MARKET, money=20)
    refuses(future, "nominate 8 @8", "not_on_offer", "K-4.2.3")
    refuses(future, "nominate 6 @5", "bid_below_minimum", "K-4.1.2")
    assert {"nominate 6 @6", "nominate 6 @20"} <= legal(future)
    refuses(future, "nominate 6 @21", "bid_above_money", "K-4.2.3")


@pytest.mark.rule("K-4.2.3")
def test_a_raise_needs_the_cash_for_the_whole_bid() -> None:
    game = game_at(3, market=MARKET, money={0: 20, 1: 15})
    play(game, "nominate 6 @10")
    assert legal(game) == {"pass", "bid 11", "bid 12", "bid 13", "bid 14", "bid 15"}
    refuses(game, "bid 16", "bid_above_money", "K-4.2.3")


@pytest.mark.rule("TV-K-20", "K-4.2.1", "K-4.3.1", "K-4.3.2", "K-4.3.3", "KR-03")
def test_bids_go_round_the_table_and_an_outbid_nominator_nominates_again() -> None:
    ann, bob, cem, dan = range(4)
    game = game_at(4, market="3 4 6 7 8 9 10 12", deck="20 21 22 23 24", order=(cem, ann, dan, bob))
    assert game.to_move == cem
    play(game, "nominate 6 @6")
    for seat, move in ((dan, "pass"), (ann, "bid 7"), (bob, "pass"), (cem, "bid 8")):
        assert game.to_move == seat
        play(game, move)
    assert game.to_move == ann  # those who dropped out do not bid again
    play(game, "pass")
    assert money(game) == [50, 50, 42, 50]
    assert own(game, cem) == "6"
    assert game.to_move == ann
    play(game, "nominate 4 @4", "pass")  # Bob drops out; Cem has bought and does not bid
    assert game.to_move == dan
    play(game, "bid 5", "pass")
    assert own(game, dan) == "4"
    assert game.to_move == ann  # outbid: the same player nominates again
    play(game, "nominate 7 @7", "pass")
    assert own(game, ann) == "7"
    assert game.to_move == bob  # Dan is skipped
    refuses(game, "nominate 8 @9", "last_buyer", "K-4.3.4")
    play(game, "nominate 8 @8")
    assert money(game) == [43, 42, 42, 45]


@pytest.mark.rule("TV-K-21", "K-4.2.2", "K-4.2.4", "K-4.2.5", "K-4.7.0")
def test_declining_excludes_from_all_auctions_of_the_phase() -> None:
    game = game_at(3, market=MARKET)
    assert "pass" in legal(game)
    play(game, "pass", "nominate 6 @6")
    assert game.to_move == 2
    play(game, "pass")
    assert own(game, 1) == "6"
    assert game.to_move == 2
    assert "nominate 7 @7" in legal(game)
    assert "nominate 7 @8" not in legal(game)
    play(game, "nominate 7 @7")
    assert game.phase == "fuel"
    first = game_at(3, market=MARKET, round=1)
    refuses(first, "pass", "must_buy", "K-4.2.5")
    play(first, "nominate 6 @6", "pass", "pass")  # dropping out is still allowed
    assert own(first, 0) == "6"


@pytest.mark.rule("K-4.2.5")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_buys_one_plant_in_round_1(players: int) -> None:
    game = hv.new("cardgame", players=players, seed=players)
    while game.phase == "auction":
        assert all(str(move) != "pass" for move in game.legal_moves) or state(game).bidding.card
        game.play(game.legal_moves.choices[0])
    assert [len(player.cards) for player in state(game).players] == [1] * players


@pytest.mark.rule("TV-K-22", "K-4.3.4", "KR-09")
def test_the_last_buyer_pays_the_minimum() -> None:
    game = game_at(3, market="9 10 11 12 13 14 15 16")
    play(game, "pass", "pass")
    assert legal(game) == {"pass", "nominate 9 @1", *(f"nominate {n} @{n}" for n in (10, 11, 12))}
    refuses(game, "nominate 9 @2", "last_buyer", "K-4.3.4")
    plain = game.copy()
    play(game, "nominate 9 @1")
    assert money(game)[2] == 49
    play(plain, "nominate 10 @10")
    assert money(plain)[2] == 40


@pytest.mark.rule("KR-09", "KR-07")
def test_a_rival_without_cash_still_takes_part_and_drops_out_automatically() -> None:
    game = game_at(2, market=MARKET, money={0: 20, 1: 6})
    assert "nominate 6 @9" in legal(game)  # an opening bid is given as usual
    play(game, "nominate 6 @9")
    assert own(game, 0) == "6"
    assert money(game)[0] == 11


@pytest.mark.rule("KR-07")
def test_a_raise_is_at_least_1_and_may_jump() -> None:
    game = game_at(3, market=MARKET)
    play(game, "nominate 6 @6")
    refuses(game, "bid 6", "bid_too_low", "KR-07")
    assert {"bid 7", "bid 50"} <= legal(game)
    play(game, "bid 30", "pass")
    assert game.to_move == 0  # the nominator acts again
    assert "bid 31" in legal(game)
    short = game_at(3, market=MARKET, money={0: 20, 1: 10})
    play(short, "nominate 6 @9", "bid 10")  # 1 has 10, 2 has 50
    play(short, "bid 11")
    assert short.to_move == 0  # 1 cannot pay 12
    play(short, "bid 12")
    assert short.to_move == 2


@pytest.mark.rule("KR-08")
def test_an_outbid_nominator_may_decline_from_round_2_on() -> None:
    game = game_at(3, market=MARKET)
    play(game, "nominate 6 @6", "bid 7", "pass", "pass")
    assert game.to_move == 0
    play(game, "pass")
    assert game.to_move == 2
    first = game_at(3, market=MARKET, round=1)
    play(first, "nominate 6 @6", "bid 7", "pass", "pass")
    refuses(first, "pass", "must_buy", "K-4.2.5")


@pytest.mark.rule("KR-06")
def test_a_player_who_can_pay_for_nothing_declines_automatically() -> None:
    game = game_at(3, market=MARKET, money={0: 0})
    assert game.to_move == 1  # the marker's 1 is more than 0 has
    assert state(game).bidding.eligible == (1, 2)
    play(game, "nominate 3 @1", "pass")
    assert own(game, 1) == "3"
    assert money(game)[0] == 0


@pytest.mark.rule("KR-06", "A-V7")
def test_round_1_is_not_forced_on_a_player_who_cannot_pay() -> None:
    data = with_small_numbers(*[30] * 13)
    with pytest.warns(hv.CardsWarning, match=r"A-V7"):
        game = hv.new("cardgame", players=3, cards=data, seed=1)
    assert len(game.legal_moves) == 12  # only the marker's plant is affordable
    game.play(game.legal_moves[-1])
    assert game.phase == "fuel"  # the others decline automatically
    assert sum(len(player.cards) for player in state(game).players) == 1


@pytest.mark.rule("KR-06")
@pytest.mark.parametrize("players", PLAYERS)
def test_in_round_1_three_small_plants_are_left_for_the_last_nominator(players: int) -> None:
    for seed in range(30):
        game = hv.new("cardgame", players=players, seed=seed)
        while game.phase == "auction":
            assert state(game).bidding.card or len(game.legal_moves.choices) >= 3
            game.play(game.legal_moves.choices[-1])


@pytest.mark.rule("K-4.3.5")
def test_an_opened_auction_ends_in_a_sale() -> None:
    game = game_at(4, market=MARKET)
    play(game, "nominate 7 @7", "pass", "pass", "pass")
    assert own(game, 0) == "7"
    assert money(game)[0] == 43


@pytest.mark.rule("K-3.1", "K-3.2")
def test_phases_and_acting_order() -> None:
    game = game_at(3, order=(2, 0, 1))
    deciding = []
    while game.state.round == 2:
        deciding.append((game.phase, game.to_move))
        game.play(next(m for m in game.legal_moves if str(m) in {"pass", "done", "run nothing"}))
    assert deciding == [
        *(("auction", seat) for seat in (2, 0, 1)),
        *(("fuel", seat) for seat in (1, 0, 2)),
        *(("bureaucracy", seat) for seat in (2, 0, 1)),
    ]
    assert game.phase == "auction"
    refuses(game, "done", "not_now", "K-3.1")


@pytest.mark.rule("K-3.4")
def test_the_order_changes_after_the_first_auction_and_in_bureaucracy_only() -> None:
    game = hv.new("cardgame", players=4, seed=8)
    order, seen = state(game).order, []
    while game.outcome is None:
        at = game.state.round, game.phase
        game.play(game.legal_moves.choices[-1])
        if state(game).order != order:
            order = state(game).order
            seen.append(at)
    assert (1, "auction") in seen
    assert {phase for round_, phase in seen if round_ > 1} == {"bureaucracy"}


@pytest.mark.rule("K-4.2.1")
def test_nominations_follow_turn_order() -> None:
    game = game_at(4, order=(3, 1, 0, 2))
    deciding = []
    while game.phase == "auction":
        deciding.append(game.to_move)
        game.play("pass")
    assert deciding == [3, 1, 0, 2]
