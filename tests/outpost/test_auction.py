"""O-6: the card auction."""

import pytest

import highvoltage as hv
from highvoltage.engine.cards import label
from highvoltage.engine.events import Sold
from outpost.positions import company, game_at, show, state
from positions import legal, play, refuses

MARKET = "[4 8 10 12 | 15 16 17 18]"
DECK = "20 22 23 25 26 27 28 30"


def auction(players: int = 3, **fields: object) -> hv.Game:
    fields = {"phase": "auction", "market": MARKET, "deck": DECK, **fields}
    return game_at(players, **fields)  # type: ignore[arg-type]


def owned(game: hv.Game, seat: int) -> list[str]:
    return [label(card) for card in company(game, seat).cards]


@pytest.mark.rule("O-6.1", "O-6.2", "O-6.3")
def test_nominate_from_the_current_row() -> None:
    game = auction(order=[2, 0, 1], money=20)
    assert game.to_move == 2
    assert {"nominate 4 @4", "nominate 4 @20", "nominate 12 @12", "pass"} <= legal(game)
    refuses(game, "nominate 15 @15", "not_on_offer", "O-6.3")
    refuses(game, "nominate 12 @11", "bid_below_minimum", "O-6.4")
    refuses(game, "nominate 12 @21", "bid_above_money", "OR-17")


@pytest.mark.rule("O-6.3", "O-5.3", "O-6.6")
@pytest.mark.parametrize("named", ["5b", "5"])
def test_of_a_stack_the_top_card_is_nominated(named: str) -> None:
    """By its name or, as players and older records write it, by its number."""
    game = auction(market="[4 5x2(-3) 10 12 | 15 16 17 18]")
    assert "nominate 5b @2" in legal(game)
    assert "nominate 5 @2" not in legal(game)
    play(game, f"nominate {named} @2")
    assert str(game.log[-1].move) == "nominate 5b @2"
    assert game.view()["auction"]["card"] == "5b"
    play(game, "pass", "pass")
    assert owned(game, 0) == ["5b"]
    assert show(state(game).market) == "[4 5 10 12 | 15 16 17 18]"
    assert "nominate 5 @4" not in legal(game)
    assert "nominate 5 @5" in legal(game)
    refuses(game, "nominate 5b @5", "not_on_offer", "O-6.3")


@pytest.mark.rule("O-6.4", "OR-16")
@pytest.mark.parametrize(("discount", "minimum"), [(0, 12), (1, 11), (10, 2), (11, 1), (15, 1)])
def test_the_minimum_bid(discount: int, minimum: int) -> None:
    token = f"(-{discount})" if discount else ""
    game = auction(market=f"[4 8 10 12{token} | 15 16 17 18]")
    bids = [int(move.split("@")[1]) for move in legal(game) if move.startswith("nominate 12 ")]
    assert min(bids) == minimum


@pytest.mark.rule("O-6.5", "OR-17", "O-2.11")
def test_bidding_goes_by_seats() -> None:
    game = auction(4, order=[2, 0, 3, 1], money={0: 60, 1: 30, 2: 60, 3: 11})
    play(game, "nominate 10 @10")
    assert game.to_move == 3
    assert legal(game) == {"pass", "bid 11"}
    refuses(game, "bid 10", "bid_too_low", "OR-17")
    refuses(game, "bid 12", "bid_above_money", "OR-17")
    play(game, "bid 11")
    assert game.to_move == 0
    play(game, "pass")
    assert game.to_move == 1
    play(game, "bid 12")
    assert game.to_move == 2
    play(game, "bid 13")
    assert game.to_move == 1  # 3 cannot raise, 0 is out for good
    play(game, "pass")
    assert owned(game, 2) == ["10"]
    assert company(game, 2).money == 47


@pytest.mark.rule("O-6.6", "OT-11")
def test_the_sale() -> None:
    game = auction(market="[4 8(-3) 10 12 | 15 16 17 18]")
    play(game, "nominate 8 @7", "pass", "pass")
    assert (owned(game, 0), company(game, 0).money) == (["8"], 53)
    assert company(game, 0).pool == company(game, 0).cards
    assert show(state(game).market) == "[4 10 12 15 | 16 17 18 20]"
    assert game.view()["auction"]["eligible"] == [1, 2]
    play(game, "nominate 4 @4")
    assert game.view()["auction"]["bidders"] == [2, 1]  # nobody who has bought


@pytest.mark.rule("O-6.7", "OD-33")
def test_an_outbid_nominator_has_another_turn() -> None:
    game = auction()
    play(game, "nominate 10 @10", "bid 11", "pass", "pass")
    assert owned(game, 1) == ["10"]
    assert game.to_move == 0
    play(game, "nominate 4 @4", "pass")
    assert owned(game, 0) == ["4"]
    assert game.to_move == 2
    offers = {move for move in legal(game) if move.startswith("nominate 12 ")}
    assert offers == {"nominate 12 @12"}  # the last one pays exactly the minimum


@pytest.mark.rule("O-6.8")
def test_passing_ends_all_auctions() -> None:
    game = auction()
    play(game, "pass")
    assert game.to_move == 1
    play(game, "nominate 10 @10")
    assert game.view()["auction"]["bidders"] == [2, 1]


@pytest.mark.rule("O-6.9", "OR-18")
def test_the_last_one_pays_the_minimum() -> None:
    game = auction(market="[4 8 10 12(-2) | 15 16 17 18]")
    play(game, "pass", "pass")
    assert legal(game) == {
        "pass",
        "nominate 4 @4",
        "nominate 8 @8",
        "nominate 10 @10",
        "nominate 12 @10",
    }
    refuses(game, "nominate 12 @11", "last_buyer", "O-6.9")
    play(game, "nominate 12 @10")
    assert company(game, 2).money == 50
    assert game.phase == "company"


@pytest.mark.rule("O-6.10")
def test_nobody_passes_the_first_auction_of_round_1() -> None:
    game = hv.new("outpost", players=3, seed=4)
    refuses(game, "pass", "must_buy", "O-6.10")
    first = game.view()["order"][0]
    number = game.view()["market"]["current"][0]["card"]["number"]
    play(game, f"nominate {number} @{number}", f"bid {number + 1}")
    for _ in range(2):
        play(game, "pass")  # dropping out of one auction is allowed
    assert game.to_move == first
    refuses(game, "pass", "must_buy", "O-6.10")
    play(game, "nominate 3b @3", "pass")  # whom it is offered to drops out again
    refuses(game, "pass", "must_buy", "O-6.10")
    play(game, "nominate 4 @4")
    assert [len(player["pool"]) for player in game.view()["players"]] == [1, 1, 1]
    assert "pass" in legal(game)


@pytest.mark.rule("OR-19")
def test_forced_but_broke() -> None:
    game = auction(round=1, money={0: 3, 1: 60, 2: 4})
    assert game.view()["forced"] is True
    assert game.to_move == 1  # those who can pay for nothing are skipped
    play(game, "nominate 4 @10")
    assert owned(game, 1) == ["4"]
    assert owned(game, 0) == owned(game, 2) == []
    assert game.view()["forced"] is False


@pytest.mark.rule("O-6.11")
def test_any_number_of_cards() -> None:
    many = "2 3 3b 4b 14 14b 15 16b 17b 17c 22 25b 32 36"
    game = auction(own={0: many})
    play(game, "nominate 10 @10", "pass", "pass")
    assert len(owned(game, 0)) == 15
    assert game.to_move == 1


@pytest.mark.rule("O-6.12")
def test_no_discount_in_round_1() -> None:
    for seed in range(5):
        game = hv.new("outpost", players=3, seed=seed)
        while game.view()["round"] == 1:
            assert not state(game).market.tokens
            game.play(game.legal_moves.choices[-1])
        assert set(state(game).market.tokens.values()) <= {(1,)}
        assert state(game).market.tokens


@pytest.mark.rule("O-6.13")
def test_unsold_cards_keep_their_tokens() -> None:
    game = auction(market="[4 8(-3) 10(-3) 12 | 15(-1) 16 17 18]")
    play(game, "nominate 4 @4", "pass", "pass", "pass", "pass")
    assert game.phase == "company"
    assert show(state(game).market) == "[8(-3) 10(-3) 12 15(-1) | 16 17 18 20]"


@pytest.mark.rule("O-6.14")
def test_technologies_work_at_once() -> None:
    game = auction(round=1, money=20)
    play(game, "nominate 10 @10", "pass", "pass")  # Data Library
    play(game, "nominate 4 @4", "pass", "nominate 8 @8")
    assert game.view()["order"] == [0, 2, 1]
    offers = {move for move in legal(game) if move.startswith("nominate 12 ")}
    assert max(int(move.split("@")[1]) for move in offers) == 15  # 10 left, and 5
    play(game, "nominate 12 @12", "pass", "pass")
    assert company(game, 0).money == 3
    assert company(game, 0).board == ((), ())  # plants wait for phase 3


@pytest.mark.rule("O-6.15", "O-6.16", "OR-20")
def test_one_card_for_each_of_the_two_auctions() -> None:
    game = auction(round=1)
    play(game, "nominate 4 @4", "pass", "pass", "nominate 8 @8", "pass", "nominate 10 @10")
    assert [len(owned(game, seat)) for seat in range(3)] == [1, 1, 1]
    assert game.view()["auction"]["eligible"] == [2, 1, 0]  # everybody again
    play(game, "nominate 12 @12", "pass", "pass")
    assert len(owned(game, 2)) == 2
    assert game.view()["auction"]["eligible"] == [1, 0]
    play(game, "pass", "pass")
    assert game.phase == "company"


@pytest.mark.rule("O-6.17", "OR-14")
def test_with_nothing_to_nominate_a_player_passes() -> None:
    assert auction(market="[ | ]", deck="").phase == "company"
    game = auction(market="[ 12 | ]", deck="", money={0: 11, 1: 12, 2: 11})
    assert game.to_move == 1
    play(game, "nominate 12 @12")
    assert game.phase == "company"


@pytest.mark.rule("OT-05", "O-11.2.1", "O-11.2.2", "OR-48", "OD-34")
@pytest.mark.parametrize(("bid", "paid"), [(17, 12), (12, 7), (5, 0), (3, 0)])
def test_data_library(bid: int, paid: int) -> None:
    game = auction(own={0: "10"}, market="[4 5 8 12(-9) | 15 16 17 18]")
    play(game, f"nominate 12 @{bid}", "pass", "pass")
    assert company(game, 0).money == 60 - paid
    (sold,) = (event for event in game.log[-1].events if isinstance(event, Sold))
    assert sold.amount == paid


@pytest.mark.rule("OR-48", "OD-34", "OR-17")
def test_data_library_adds_5_to_the_purse() -> None:
    game = auction(own={0: "10"}, market="[4 5 8 12(-11) | 15 16 17 18]", money=10)
    assert "nominate 4 @15" in legal(game)
    refuses(game, "nominate 4 @16", "bid_above_money", "OR-17")
    refuses(game, "nominate 12 @0", "bid_below_minimum", "O-6.4")  # the lowest bid stays 1
    play(game, "nominate 8 @8", "bid 9", "pass")
    assert "bid 15" in legal(game)
    assert "bid 16" not in legal(game)


@pytest.mark.rule("OR-48")
def test_data_library_does_not_pay_for_itself_and_serves_the_last_one() -> None:
    game = auction()
    play(game, "pass", "pass", "nominate 10 @10")
    assert company(game, 2).money == 50
    later = auction(own={2: "10"}, market="[4 5 8 12 | 15 16 17 18]")
    play(later, "pass", "pass", "nominate 12 @12")
    assert company(later, 2).money == 53
