"""R-4 and R-5: the auction with the discount token, and the plant market."""

import re
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import words
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Turned
from highvoltage.words import catalogue
from positions import board, idle, legal, offers, play, refuses
from recharged.start import money, owned, recharged, removed, state

MARKET = [9, 11, 12, 13, 14, 16, 18, 20]
FIRST: dict[str, Any] = {"market": MARKET, "money": 100, "order": [0, 1, 2]}


def token(game: hv.Game) -> str | None:
    found: str | None = game.view()["market"]["discount"]
    return found


# The token is placed


@pytest.mark.rule("R-4.3.1")
def test_the_words_beside_the_token_give_the_lowest_bid() -> None:
    game = recharged(market=[15, 16, 18, 20, 22, 24, 25, 26], deck=[], money=30)
    bids = [int(move.split("@")[1]) for move in legal(game) if move.startswith("nominate 15 ")]
    for language in words.LANGUAGES:
        texts = catalogue.own(language)
        for key in ("discount_from", "discount_token"):
            assert re.findall(r"\d+", str(texts[key])) == [str(min(bids))], (language, key)


@pytest.mark.rule("R-4.1.1", "R-4.3.1", "RV-09")
def test_the_lowest_plant_starts_at_a_bid_of_1() -> None:
    game = recharged(market=[15, 16, 18, 20, 22, 24, 25, 26], deck=[], money=30)
    assert token(game) == "15"
    lowest = {15: 1, 16: 16, 18: 18, 20: 20}
    assert legal(game) == {"pass"} | {
        f"nominate {card} @{bid}" for card, least in lowest.items() for bid in range(least, 31)
    }
    refuses(game, "nominate 15 @0", "bid_below_minimum", "R-4.3.1")
    refuses(game, "nominate 16 @15", "bid_below_minimum", "R-4.3.1")


@pytest.mark.rule("R-4.1.1")
@pytest.mark.parametrize(("step", "round_"), [(1, 1), (1, 7), (2, 5), (3, 9)])
def test_the_token_is_placed_in_every_round_and_step(step: int, round_: int) -> None:
    market = MARKET[:6] if step == 3 else MARKET
    game = recharged(market=market, deck=[30, 31], step=step, round=round_, money=100)
    assert token(game) == "9"
    assert game.phase == "auction"


@pytest.mark.rule("R-4.1.1", "R-4.5.3", "RI-05")
def test_the_token_lies_in_the_market_during_the_auctions_only() -> None:
    game = recharged(deck=range(21, 40), **FIRST)
    rounds = game.state.round
    seen: dict[str, set[str | None]] = {}
    while game.state.round < rounds + 3:
        seen.setdefault(game.phase, set()).add(token(game))
        choices = {str(move) for move in game.legal_moves.choices}
        game.play(next(move for move in ("pass", "done", "run nothing") if move in choices))
    assert seen["auction"] == {"9", "11", "12"}
    assert seen["fuel"] == seen["building"] == seen["bureaucracy"] == {None}


@pytest.mark.rule("R-4.1.1", "R-4.3.1")
def test_one_elektro_is_enough_to_nominate_the_discounted_plant() -> None:
    game = recharged(market=MARKET, money={0: 1, 1: 0, 2: 2}, order=[0, 1, 2])
    assert (game.to_move, legal(game)) == (0, {"pass", "nominate 9 @1"})
    play(game, "nominate 9 @1", "bid 2")
    assert (owned(game, 2), money(game, 2)) == ((9,), 0)
    assert game.phase == "fuel"  # neither of the others can buy anything now


@pytest.mark.rule("R-4.1.2", "R-5.4")
def test_without_plants_there_is_no_token_and_no_auction() -> None:
    game = recharged(market=[], deck=[], step=3, money=100)
    assert (game.phase, token(game)) == ("fuel", None)
    assert removed(game) == []


@pytest.mark.rule("R-4.1.3")
def test_the_token_does_not_change_the_rank_of_a_plant() -> None:
    game = recharged(4, market=[13, 14, 15, 16, 18, 20, 21, 22], round=1, order=[0, 1, 2, 3])
    play(game, "nominate 13 @1", "pass", "pass", "pass")
    play(game, "nominate 15 @15", "pass", "pass", "nominate 14 @14", "pass", "nominate 16 @16")
    assert game.view()["order"] == [3, 1, 2, 0]  # 16, 15, 14, 13
    assert game.view()["players"][0]["plants"][0]["number"] == 13


# Nominating and bidding


@pytest.mark.rule("R-4.2.1")
def test_who_is_eligible() -> None:
    game = recharged(4, market=MARKET, deck=[30, 31, 32, 33], money=100, order=[3, 1, 0, 2])
    play(game, "nominate 11 @11", "pass", "pass", "pass")
    assert game.view()["auction"]["eligible"] == [1, 0, 2]
    play(game, "pass")
    assert game.view()["auction"]["eligible"] == [0, 2]
    play(game, "nominate 12 @12", "bid 13", "pass")  # 2 buys, 0 nominates again
    assert (game.to_move, game.view()["auction"]["eligible"]) == (0, [0])
    play(game, "nominate 13 @13")
    assert game.phase == "fuel"
    assert [owned(game, seat) for seat in range(4)] == [(13,), (), (12,), (11,)]


@pytest.mark.rule("R-4.3.1")
def test_bids_for_the_discounted_plant_rise_by_seats_up_to_the_money() -> None:
    game = recharged(market=MARKET, money={0: 100, 1: 5, 2: 3}, order=[0, 2, 1])
    play(game, "nominate 9 @1")
    assert legal(game) == {"pass", "bid 2", "bid 3", "bid 4", "bid 5"}
    refuses(game, "bid 1", "bid_too_low", "R-4.3.1")
    refuses(game, "bid 6", "bid_above_money", "R-4.3.1")
    refuses(game, "nominate 9 @2", "not_now", "R-14.2")
    play(game, "bid 2", "bid 3")
    assert [row.seat for row in game.log] == [0, 1, 2]
    play(game, "pass", "bid 4")
    assert (owned(game, 1), money(game, 1)) == ((9,), 1)
    refuses(game, "nominate 16 @16", "not_on_offer", "R-4.3.1")


@pytest.mark.rule("R-4.3.2", "R-4.4.2", "R-4.5.1", "RV-13")
def test_the_last_buyer_pays_1_for_the_discounted_plant() -> None:
    market = [16, 18, 20, 21, 22, 24, 25, 26]
    game = recharged(market=market, deck=[12, 30], money=50, order=[0, 1, 2])
    play(game, "pass", "pass")
    assert {"nominate 16 @1", "nominate 18 @18"} < legal(game)
    refuses(game, "nominate 16 @2", "last_buyer", "R-4.3.2")
    play(game, "nominate 16 @1")
    assert (owned(game, 2), money(game, 2)) == ((16,), 49)
    assert offers(game) == ([12, 18, 20, 21], [22, 24, 25, 26])  # the token was already aside
    assert removed(game) == []


@pytest.mark.rule("R-4.3.3", "R-4.6.3", "R-3.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_in_round_1_everybody_buys_and_the_order_is_renewed(players: int) -> None:
    for seed in range(5):
        game = hv.new("recharged", players=players, seed=seed)
        while game.phase != "auction":
            game.play(game.legal_moves[0])
        while game.phase == "auction":
            if state(game).bidding.card is None:
                refuses(game, "pass", "must_buy", "R-4.3.3")
            game.play(game.legal_moves.choices[-1])
        highest = [cards[0] for cards in (owned(game, seat) for seat in range(players))]
        assert all(len(owned(game, seat)) == 1 for seat in range(players))
        assert game.view()["order"] == sorted(range(players), key=lambda s: -highest[s])
    assert "pass" in legal(recharged(players, round=2))


# Taking the plant


@pytest.mark.rule("R-4.4.1", "RV-32")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_fourth_plant_forces_one_of_the_older_out(players: int) -> None:
    game = recharged(
        players,
        plants={0: [22, 25, 27]},
        fuel={0: {"coal": 4}},
        market=MARKET,
        deck=[30, 31, 32],
        money=100,
        order=range(players),
    )
    play(game, "nominate 9 @1", *["pass"] * (players - 1))
    assert legal(game) == {"scrap 22", "scrap 25 returning coal 4", "scrap 27"}
    refuses(game, "scrap 9", "scrap_new", "R-4.4.1")
    refuses(game, "scrap 11", "scrap_not_owned", "R-4.4.1")
    refuses(game, "scrap 25", "scrap_returns", "R-4.4.1")
    coal = game.view()["fuel"]["coal"]["supply"]
    deck = game.view()["market"]["deck"]
    assert token(game) is None  # aside before the replacement, which waits for the choice
    play(game, "scrap 25 returning coal 4")
    assert (owned(game, 0), money(game, 0)) == ((9, 22, 27), 99)
    assert game.view()["fuel"]["coal"]["supply"] == coal + 4
    assert 25 in removed(game)
    assert game.view()["market"]["deck"] < deck


@pytest.mark.rule("R-4.4.2", "R-4.4.3", "R-5.1")
def test_one_replacement_follows_a_sale_and_the_market_is_sorted() -> None:
    game = recharged(deck=[8, 10, 30], **FIRST)
    events = game.play("nominate 9 @1") + game.play("pass") + game.play("pass")
    assert [event.card for event in events if isinstance(event, Turned)] == ["8"]
    assert offers(game) == ([8, 11, 12, 13], [14, 16, 18, 20])
    assert (token(game), removed(game)) == (None, [])


# A smaller card


@pytest.mark.rule("R-4.5.1", "R-4.5.2", "R-4.5.3", "R-5.2", "RV-10", "RI-06", "RI-07")
def test_the_first_smaller_card_goes_and_takes_the_token_with_it() -> None:
    game = recharged(deck=[7, 25, 6, 30, 31], **FIRST)
    play(game, "nominate 12 @12", "pass", "pass")
    assert offers(game) == ([9, 11, 13, 14], [16, 18, 20, 25])
    assert (token(game), removed(game)) == (None, [7])
    refuses(game, "nominate 9 @8", "bid_below_minimum", "R-4.3.1")
    play(game, "nominate 14 @14", "pass")
    assert offers(game) == ([6, 9, 11, 13], [16, 18, 20, 25])
    play(game, "pass")
    assert game.phase == "fuel"
    assert offers(game) == ([6, 9, 11, 13], [16, 18, 20, 25])
    assert removed(game) == [7]


@pytest.mark.rule("R-4.5.1", "R-4.5.2")
def test_the_card_drawn_instead_stays_even_if_it_is_smaller_too() -> None:
    game = recharged(deck=[7, 6, 30], **FIRST)
    play(game, "nominate 12 @12", "pass", "pass")
    assert offers(game) == ([6, 9, 11, 13], [14, 16, 18, 20])
    assert (token(game), removed(game)) == (None, [7])


@pytest.mark.rule("R-4.5.1")
def test_a_larger_card_leaves_the_token_where_it_is() -> None:
    game = recharged(deck=[10, 8, 30], **FIRST)
    play(game, "nominate 12 @12", "pass", "pass")
    assert (offers(game)[0], token(game)) == ([9, 10, 11, 13], "9")


@pytest.mark.rule("R-4.5.1", "R-5.2", "R-9.3.1")
def test_the_step_3_card_may_come_instead_of_the_smaller_card() -> None:
    game = recharged(step=2, deck=[7, LAST_CARD, 30, 31], **FIRST)
    play(game, "nominate 12 @12", "pass", "pass")
    assert board(game).market.cards == [9, 11, 13, 14, 16, 18, 20, LAST_CARD]
    assert token(game) is None


@pytest.mark.rule("R-4.5.4", "R-9.2.2")
def test_cards_drawn_in_other_phases_are_compared_with_nothing() -> None:
    game = recharged(market=MARKET, deck=[7, 6, 30], cities={0: 7}, phase="building")
    idle(game)
    assert (game.phase, offers(game)[0]) == ("bureaucracy", [7, 11, 12, 13])
    idle(game)
    assert offers(game)[0] == [6, 7, 11, 12]
    assert removed(game) == [9]


# The end of the phase


@pytest.mark.rule("R-4.6.1", "RV-11", "RI-07")
def test_an_unsold_discounted_plant_leaves_the_game() -> None:
    game = recharged(deck=[22, 8, 30], **FIRST)
    play(game, "nominate 13 @13", "pass", "pass", "pass", "pass")
    assert game.phase == "fuel"
    assert offers(game) == ([8, 11, 12, 14], [16, 18, 20, 22])
    assert removed(game) == [9]


@pytest.mark.rule("R-4.6.1", "R-4.6.4", "RV-12")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_if_nobody_buys_only_the_discounted_plant_goes(players: int, step: int) -> None:
    market = MARKET[: 6 if step == 3 else 8]
    game = recharged(players, market=market, deck=[22, 8, 30], step=step, money=100)
    play(game, *["pass"] * players)
    assert game.phase == "fuel"
    assert board(game).market.cards == [*market[1:], 22]
    assert removed(game)[-1:] == [9]


@pytest.mark.rule("R-4.6.4")
def test_with_the_token_gone_nothing_leaves() -> None:
    game = recharged(deck=[7, 25, 30], **FIRST)
    play(game, "nominate 12 @12", "pass", "pass", "pass", "pass")
    assert game.phase == "fuel"
    assert removed(game) == [7]


@pytest.mark.rule("R-4.6.1", "R-4.6.2", "R-4.6.5", "R-9.3.1", "R-9.3.2", "RV-14")
def test_the_discounted_plant_leaves_before_the_step_3_card() -> None:
    game = recharged(
        market=[16, 18, 20, 22, 24, 26, 30, 31],
        deck=[LAST_CARD, 33, 36, 40, 42, 46],
        chance=hv.Scripted(step3=[40, 36]),
        step=2,
        money=100,
        order=[0, 1, 2],
    )
    play(game, "nominate 18 @18", "pass", "pass")
    assert board(game).market.cards == [16, 20, 22, 24, 26, 30, 31, LAST_CARD]
    assert offers(game)[0] == [16, 20, 22, 24]
    assert sorted(board(game).market.deck) == [33, 36, 40, 42, 46]
    refuses(game, "nominate step3 @99", "not_on_offer", "R-4.3.1")
    play(game, "nominate 20 @20", "pass")
    assert board(game).market.cards == [16, 22, 24, 26, 30, 31, 40, LAST_CARD]
    assert state(game).step == 2
    play(game, "pass")
    assert (game.phase, state(game).step) == ("fuel", 3)
    assert offers(game) == ([24, 26, 30, 31, 36, 40], [])
    assert sorted(board(game).market.deck) == [33, 42, 46]
    assert removed(game) == [16, 22]


@pytest.mark.rule("R-4.6.1", "R-4.6.5", "R-9.3.2", "RV-15")
def test_the_step_3_card_may_replace_the_unsold_plant() -> None:
    game = recharged(
        market=[16, 18, 20, 22, 24, 26, 30, 31],
        deck=[LAST_CARD, 33, 36, 40, 42, 46],
        step=2,
        money=100,
    )
    play(game, "pass", "pass", "pass")
    assert (game.phase, state(game).step) == ("fuel", 3)
    assert offers(game) == ([20, 22, 24, 26, 30, 31], [])
    assert game.view()["market"]["deck"] == 5
    assert removed(game) == [16, 18]


# The plant market


@pytest.mark.rule("R-5.1", "RI-03")
def test_the_market_is_sorted_and_has_four_or_six_on_offer() -> None:
    assert offers(recharged(market=MARKET)) == (MARKET[:4], MARKET[4:])
    assert offers(recharged(market=MARKET[:6], step=3)) == (MARKET[:6], [])


@pytest.mark.rule("R-5.4")
def test_with_an_empty_deck_plants_keep_leaving() -> None:
    game = recharged(market=MARKET[:3], deck=[], step=3, money=100)
    play(game, "pass", "pass", "pass")
    assert board(game).market.cards == MARKET[1:3]  # the unsold one
    idle(game, "bureaucracy")
    idle(game)
    assert board(game).market.cards == MARKET[2:3]  # the lowest, in phase 5
    play(game, "nominate 12 @1", "pass", "pass")
    assert board(game).market.cards == []
    idle(game, "bureaucracy")
    idle(game)
    assert (game.phase, game.state.round) == ("fuel", 4)  # nothing left to auction


@pytest.mark.rule("R-5.3", "R-7.2", "RV-33", "RI-11")
def test_small_plants_stay_whatever_the_city_counts() -> None:
    game = recharged(
        market=[8, 10, 11, 12, 13, 14, 15, 16],
        deck=[3, 30],
        cities={0: 9},
        money=500,
        phase="building",
        order=[1, 2, 0],
    )
    before = board(game).market.copy()
    events = game.play(next(move for move in game.legal_moves if str(move) != "done"))
    assert len(game.view()["players"][0]["cities"]) == 10
    assert [event.what for event in events] == ["paid"]
    assert (board(game).market.cards, board(game).market.deck) == (before.cards, before.deck)
    assert game.view()["players"][0]["money"] < 500
    game = recharged(market=[8, 10, 11, 12, 13, 14, 15, 16], deck=[3, 30], cities={0: 9})
    play(game, "nominate 8 @8", "pass", "pass")
    assert offers(game)[0] == [3, 10, 11, 12]  # a small card turned up stays too
