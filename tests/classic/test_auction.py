"""C-4: the auction."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import highvoltage as hv
from classic.by_hand import Counts, returned, stocked
from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.events import Turned
from highvoltage.games.classic import tables
from positions import board, classic, idle, legal, offers, play, refuses

MARKET = [8, 9, 10, 11, 12, 14, 15, 16]


def owned(game: hv.Game, seat: int) -> tuple[int, ...]:
    return board(game).players[seat].cards


def eligible(game: hv.Game) -> tuple[int, ...]:
    return board(game).bidding.eligible


# Who may act


@pytest.mark.rule("C-4.1.1", "C-4.1.2", "C-4.1.3", "C-4.1.4", "C-4.5.7", "C-4.4.4")
def test_buying_or_passing_the_nomination_ends_the_phase_for_a_player() -> None:
    game = classic(4, order=[3, 1, 0, 2], money=100, market=MARKET)
    assert eligible(game) == (3, 1, 0, 2)
    play(game, "nominate 8 @8", "pass", "pass", "pass")  # 3 buys
    assert (eligible(game), game.to_move) == ((1, 0, 2), 1)
    play(game, "pass")
    assert (eligible(game), game.to_move) == ((0, 2), 0)
    play(game, "nominate 9 @9", "bid 10", "pass")  # 2 buys, 0 nominates again
    assert (eligible(game), game.to_move) == ((0,), 0)
    play(game, "nominate 10 @10")
    assert game.phase == "fuel"
    assert [owned(game, seat) for seat in range(4)] == [(10,), (), (9,), (8,)]
    assert [row.seat for row in game.log] == [3, 0, 1, 2, 1, 0, 2, 0, 0]


@pytest.mark.rule("C-4.1.3")
def test_a_nominator_who_was_outbid_may_pass_the_next_nomination() -> None:
    game = classic(money=100, market=MARKET, order=[0, 1, 2])
    play(game, "nominate 8 @8", "pass", "bid 9", "pass")
    assert (game.to_move, owned(game, 2)) == (0, (8,))
    play(game, "pass")
    assert (game.to_move, eligible(game)) == (1, (1,))


@pytest.mark.rule("C-4.1.2", "C-4.2.3")
def test_neither_buyers_nor_those_who_passed_the_nomination_bid_again() -> None:
    game = classic(5, money=100, market=MARKET, order=[0, 1, 2, 3, 4])
    play(game, "nominate 8 @8", *["pass"] * 4, "pass", "nominate 9 @9")
    assert board(game).bidding.ring == (3, 4, 2)


# Nominating


@pytest.mark.rule("C-4.2.1", "C-4.2.2", "C-4.2.4", "C-14")
def test_a_nomination_opens_at_the_number_or_higher_up_to_all_the_money() -> None:
    game = classic(money=12, market=MARKET)
    assert legal(game) == {"pass"} | {
        f"nominate {plant} @{bid}" for plant in (8, 9, 10, 11) for bid in range(plant, 13)
    }
    refuses(game, "nominate 8 @7", "bid_below_minimum", "C-4.2.1")
    refuses(game, "nominate 8 @13", "bid_above_money", "C-4.2.4")
    refuses(game, "nominate 12 @12", "not_on_offer", "C-4.2.2")
    refuses(game, "bid 12", "not_now", "C-14")


@pytest.mark.rule("C-4.2.2", "C-5.1.1", "C-9.3.5")
@pytest.mark.parametrize(
    ("step", "market", "offer"),
    [
        (1, MARKET, MARKET[:4]),
        (2, MARKET, MARKET[:4]),
        (2, [*MARKET[:7], LAST_CARD], MARKET[:4]),
        (2, [*MARKET[:3], LAST_CARD], MARKET[:3]),
        (3, MARKET[:6], MARKET[:6]),
        (3, MARKET[:2], MARKET[:2]),
    ],
)
def test_the_current_market(step: int, market: list[int], offer: list[int]) -> None:
    game = classic(step=step, market=market, deck=[], money=100)
    nominated = {int(move.split()[1]) for move in legal(game) if move != "pass"}
    assert nominated == set(offer)
    for card in set(market) - set(offer) - {LAST_CARD}:
        refuses(game, f"nominate {card} @{card}", "not_on_offer", "C-4.2.2")
    refuses(game, "nominate step3 @99", "not_on_offer", "C-4.2.2")


@pytest.mark.rule("C-4.2.4", "C-14")
def test_a_player_who_can_pay_for_no_plant_passes_automatically() -> None:
    game = classic(4, money={0: 7, 1: 8, 2: 0, 3: 9}, market=MARKET, order=[0, 1, 2, 3])
    assert game.to_move == 1
    assert [event.what for event in game.state.events] == ["cannot_buy"]
    assert legal(game) == {"pass", "nominate 8 @8"}
    refuses(game, "nominate 9 @9", "bid_above_money", "C-4.2.4")
    play(game, "pass")
    assert (game.to_move, eligible(game)) == (3, (3,))


@pytest.mark.rule("C-4.2.4", "C-4.6.1")
def test_if_nobody_can_pay_the_phase_is_skipped() -> None:
    game = classic(money=7, market=MARKET, deck=[20, 21])
    assert game.phase == "fuel"
    assert offers(game) == ([9, 10, 11, 12], [14, 15, 16, 20])


# One player left


@pytest.mark.rule("C-4.3.1", "C-4.3.2")
@pytest.mark.parametrize("before", ["pass", "buy"])
def test_the_last_buyer_pays_the_number(before: str) -> None:
    game = classic(2, money=100, market=MARKET, order=[0, 1], plants={1: [50]})
    play(game, *(["pass"] if before == "pass" else ["nominate 8 @30", "pass"]))
    offer = offers(game)[0]
    assert legal(game) == {"pass"} | {f"nominate {card} @{card}" for card in offer}
    refuses(game, "nominate 10 @11", "last_buyer", "C-4.3.2")
    play(game, "nominate 10 @10")
    assert board(game).players[1].money == 90
    assert game.phase == "fuel"


@pytest.mark.rule("C-4.3.1")
def test_two_eligible_players_are_not_alone_even_if_one_is_broke() -> None:
    game = classic(2, money={0: 100, 1: 0}, market=MARKET, order=[0, 1])
    play(game, "nominate 8 @20")
    assert board(game).players[0].money == 80


# Bidding


@pytest.mark.rule("C-4.4.1", "C-4.4.2", "C-4.4.3", "C-4.4.4", "C-2.4")
def test_bids_go_round_by_seats_until_one_is_left() -> None:
    game = classic(4, money=100, market=MARKET, order=[1, 0, 3, 2])
    play(game, "nominate 8 @8")
    for move in ("bid 9", "pass", "bid 12", "bid 13", "bid 14", "pass"):
        play(game, move)
    assert [row.seat for row in game.log] == [1, 2, 3, 0, 1, 2, 0]
    assert game.to_move == 1
    play(game, "pass")
    assert (owned(game, 2), board(game).players[2].money) == ((8,), 86)
    assert (game.to_move, eligible(game)) == (1, (1, 0, 3))
    play(game, "nominate 9 @9")
    assert board(game).bidding.ring == (3, 0, 1)  # 3 has passed only on plant 8


@pytest.mark.rule("C-4.4.1", "C-4.4.2", "C-4.2.4", "C-14")
def test_a_bid_is_higher_than_the_last_and_not_above_the_money() -> None:
    game = classic(money={0: 100, 1: 13}, market=MARKET, order=[0, 1, 2])
    play(game, "nominate 8 @10")
    assert legal(game) == {"pass", "bid 11", "bid 12", "bid 13"}
    refuses(game, "bid 10", "bid_too_low", "C-4.4.1")
    refuses(game, "bid 14", "bid_above_money", "C-4.2.4")
    refuses(game, "nominate 9 @11", "not_now", "C-14")
    with pytest.raises(hv.MoveSyntaxError):
        game.play("bid 11.5")


@pytest.mark.rule("C-4.4.4", "C-4.5.1")
def test_if_nobody_raises_the_nominator_pays_the_opening_bid() -> None:
    game = classic(money=100, market=MARKET, order=[2, 0, 1])
    play(game, "nominate 9 @33", "pass", "pass")
    assert (owned(game, 2), board(game).players[2].money) == ((9,), 67)
    assert [player.money for player in board(game).players[:2]] == [100, 100]


@pytest.mark.rule("C-4.4.5")
def test_a_player_who_cannot_raise_passes_automatically() -> None:
    game = classic(4, money={0: 30, 1: 10, 2: 20, 3: 11}, market=MARKET, order=[0, 1, 2, 3])
    play(game, "nominate 8 @10")
    assert (game.to_move, board(game).bidding.ring) == (2, (2, 3, 0))
    play(game, "bid 11")
    assert (game.to_move, board(game).bidding.ring) == (0, (0, 2))
    play(game, "bid 20")
    assert owned(game, 0) == (8,)
    assert eligible(game) == (1, 2, 3)  # a pass on one plant


# Taking the plant


@pytest.mark.rule("C-4.5.2", "C-1.5", "C-11.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_with_one_plant_too_many_an_older_one_goes(players: int) -> None:
    limit = 4 if players == 2 else 3
    mine = [20, 21, 22, 23][:limit]
    order = range(players)
    game = classic(players, money=100, market=MARKET, plants={0: mine[1:]}, order=order)
    play(game, "nominate 8 @8", *["pass"] * (players - 1))
    assert owned(game, 0) == (8, *mine[1:])
    assert game.to_move == 1

    game = classic(players, money=100, market=MARKET, plants={0: mine}, order=order)
    play(game, "nominate 8 @8", *["pass"] * (players - 1))
    assert game.to_move == 0
    assert legal(game) == {f"scrap {card}" for card in mine}
    refuses(game, "scrap 8", "scrap_new", "C-4.5.2")
    refuses(game, "scrap 9", "scrap_not_owned", "C-4.5.2")
    refuses(game, "pass", "not_now", "C-14")
    play(game, f"scrap {mine[1]}")
    assert owned(game, 0) == (8, mine[0], *mine[2:])
    assert label(mine[1]) in game.view()["market"]["removed"]


@pytest.mark.rule("C-4.5.3", "C-4.5.4")
@pytest.mark.parametrize(
    ("cards", "fuel", "bought", "scraps"),
    [
        # a plant of the same fuel takes what it can
        ([4, 10, 13], {"coal": 8}, 15, {"scrap 4", "scrap 10", "scrap 13"}),
        (
            [4, 10, 13],
            {"coal": 8},
            16,
            {"scrap 4 returning coal 4", "scrap 10 returning coal 4", "scrap 13"},
        ),
        # the new plant is a hybrid
        (
            [3, 8, 13],
            {"coal": 6, "oil": 4},
            12,
            {"scrap 3", "scrap 8 returning coal 2", "scrap 13"},
        ),
        # a hybrid goes: its owner chooses what goes with it
        (
            [5, 12, 13],
            {"coal": 4, "oil": 4},
            14,
            {
                "scrap 13",
                *(
                    f"scrap {card} returning {bundle}"
                    for card in (5, 12)
                    for bundle in (
                        "coal 4",
                        "coal 3 oil 1",
                        "coal 2 oil 2",
                        "coal 1 oil 3",
                        "oil 4",
                    )
                ),
            },
        ),
        # coal moves to the hybrid that stays and pushes nothing out
        (
            [4, 5, 13],
            {"coal": 4, "oil": 2},
            14,
            {"scrap 4 returning coal 2", "scrap 5 returning oil 2", "scrap 13"},
        ),
        # what fits is not given up
        ([4, 5, 13], {"coal": 2}, 14, {"scrap 4", "scrap 5", "scrap 13"}),
        (
            [6, 13, 14],
            {"garbage": 6},
            11,
            {"scrap 6 returning garbage 2", "scrap 13", "scrap 14 returning garbage 4"},
        ),
    ],
)
def test_what_goes_with_a_plant_is_what_no_longer_fits(
    cards: list[int], fuel: dict[str, int], bought: int, scraps: set[str]
) -> None:
    game = classic(
        3,
        plants={0: cards},
        fuel={0: fuel},
        market=[bought, 40, 42, 44, 46],
        deck=[30],
        money=100,
        order=[0, 1, 2],
    )
    play(game, f"nominate {bought} @{bought}", "pass", "pass")
    assert legal(game) == scraps


@pytest.mark.rule("C-4.5.3", "C-4.5.4", "CV-20")
def test_returned_fuel_goes_to_the_supply() -> None:
    game = classic(
        plants={0: [4, 5, 7]},
        fuel={0: {"coal": 6, "oil": 8}},
        market=[13, 20, 21, 22, 23, 24, 25, 26],
        money=100,
        order=[0, 1, 2],
    )
    stock, supply = board(game).stock[:], board(game).supply[:]
    play(game, "nominate 13 @13", "pass", "pass")
    refuses(game, "scrap 4", "scrap_returns", "C-4.5.4")
    refuses(game, "scrap 4 returning coal 3", "scrap_returns", "C-4.5.4")
    refuses(game, "scrap 4 returning coal 3 oil 1", "scrap_returns", "C-4.5.4")
    play(game, "scrap 4 returning coal 4")
    assert board(game).players[0].fuel == (2, 8, 0, 0)
    assert board(game).stock == stock
    assert board(game).supply == [supply[0] + 4, *supply[1:]]


@pytest.mark.rule("C-4.5.4", "C-4.5.3", "C-6.3.2")
@given(stocked(), st.sampled_from([3, 4, 5, 10, 12, 13, 14, 29, 46]), st.data())
def test_the_bundles_that_go_are_those_found_by_hand(
    stock: tuple[tuple[int, ...], Counts], bought: int, data: st.DataObject
) -> None:
    cards, held = stock
    scrapped = data.draw(st.sampled_from(cards))
    kept = tuple(sorted({*cards, bought} - {scrapped}))
    if bought != scrapped:
        bundles = tables.FUEL_RULES.returns(kept, held, scrapped)
        assert len(set(bundles)) == len(bundles)
        assert set(bundles) == returned(kept, held, scrapped)


@pytest.mark.rule("C-4.5.5", "C-4.5.6", "C-5.2.1")
def test_the_replacement_comes_after_the_choice_and_before_the_next_nomination() -> None:
    game = classic(
        plants={0: [20, 21, 22]}, market=MARKET, deck=[13, 30], money=100, order=[0, 1, 2]
    )
    play(game, "nominate 8 @8", "pass")
    assert [event.what for event in game.play("pass")] == ["sold"]
    assert game.to_move == 0
    assert board(game).market.cards == MARKET[1:]
    assert board(game).market.deck == [13, 30, LAST_CARD]
    events = game.play("scrap 20")
    assert list(events) == [Turned("13")]
    assert offers(game) == ([9, 10, 11, 12], [13, 14, 15, 16])
    assert game.to_move == 1


@pytest.mark.rule("C-4.5.5", "C-4.5.6")
def test_s3_also_waits_for_the_choice() -> None:
    game = classic(
        step=2,
        plants={0: [20, 21, 22]},
        market=MARKET,
        deck=[LAST_CARD, 30],
        money=100,
        order=[0, 1, 2],
    )
    play(game, "nominate 8 @8", "pass", "pass")
    assert board(game).market.deck == [LAST_CARD, 30]
    play(game, "scrap 20")
    assert board(game).market.cards == [*MARKET[1:], LAST_CARD]


# The end of the phase


@pytest.mark.rule("C-4.6.1", "C-5.2.1")
@pytest.mark.parametrize(
    ("step", "after"),
    [(1, [*MARKET[1:], 20]), (2, [*MARKET[1:], 20]), (3, [*MARKET[1:6], 20])],
)
def test_if_nobody_buys_the_lowest_plant_goes_in_every_step(step: int, after: list[int]) -> None:
    game = classic(step=step, market=MARKET[: 6 if step == 3 else 8], deck=[20, 21], money=100)
    play(game, "pass", "pass")
    assert board(game).market.cards[0] == 8
    play(game, "pass")
    assert (game.phase, board(game).step) == ("fuel", step)
    assert board(game).market.cards == after
    assert game.view()["market"]["removed"] == ["8"]


@pytest.mark.rule("C-4.6.1")
def test_if_somebody_buys_the_lowest_plant_stays() -> None:
    game = classic(market=MARKET, deck=[20, 21], money=100)
    play(game, "pass", "pass", "nominate 9 @9")
    assert board(game).market.cards == [8, *MARKET[2:], 20]


@pytest.mark.rule("C-4.6.1", "C-4.6.2", "C-4.6.4", "C-9.3.2")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_drawn_because_nobody_bought_starts_step_3_at_once(step: int) -> None:
    game = classic(step=step, market=MARKET, deck=[LAST_CARD, 30, 31], money=100)
    idle(game)
    assert (game.phase, board(game).step) == ("fuel", 3)
    assert offers(game) == (MARKET[2:], [])
    assert sorted(board(game).market.deck) == [30, 31]


# Round 1


@pytest.mark.rule("C-4.7.1")
def test_in_round_1_everybody_buys_exactly_one_plant() -> None:
    game = hv.new("classic", players=3, chance=hv.Scripted(order=[0, 1, 2]))
    refuses(game, "pass", "must_buy", "C-4.7.1")
    play(game, "nominate 3 @3", "pass", "bid 4", "pass")  # passing on one plant does not matter
    refuses(game, "pass", "must_buy", "C-4.7.1")
    play(game, "nominate 4 @4", "pass")
    refuses(game, "pass", "must_buy", "C-4.7.1")
    play(game, "nominate 5 @5")
    assert game.phase == "fuel"
    assert [owned(game, seat) for seat in range(3)] == [(4,), (5,), (3,)]


@pytest.mark.rule("C-4.7.1")
def test_from_round_2_on_the_nomination_may_be_passed() -> None:
    assert "pass" in legal(classic(round=2))


@pytest.mark.rule("C-4.7.2", "C-12.3.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(5))
def test_in_round_1_the_last_player_finds_three_plants_of_the_first_eight(
    players: int, seed: int
) -> None:
    nuclear_first = hv.Scripted(deck=[11, 17, 23, 28, 34, 39])
    game = hv.new("classic", map="central_europe", players=players, chance=nuclear_first)
    moves = Random(seed)
    while game.phase == "auction":
        if board(game).bidding.card is None:
            small = [card for card in offers(game)[0] if card <= 10]
            assert len(small) >= 3
            assert {f"nominate {card} @{card}" for card in small} <= legal(game)
        game.play(moves.choice(game.legal_moves))
    assert all(len(player.cards) == 1 for player in game.state.players)
