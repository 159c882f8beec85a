"""C-5: the plant market, its deck and the plants that have become too small."""

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, label, parse_card
from highvoltage.engine.events import Event, Paid, Removed, Shuffled, Turned
from highvoltage.engine.parts.market import CardMarket
from highvoltage.games.laws import events_of
from positions import board, classic, idle, legal, offers, play, wander

MARKET = [8, 9, 10, 11, 12, 14, 15, 16]


def build_one(game: hv.Game) -> list[Event]:
    """Build in some city and return what happened to the plant market."""
    build = next(move for move in game.legal_moves if str(move).startswith("build"))
    return [event for event in game.play(build) if not isinstance(event, Paid)]


@pytest.mark.rule("C-5.1.1", "C-5.1.2", "C-5.3.1")
@pytest.mark.parametrize("seed", range(8))
def test_the_market_is_sorted_full_and_has_no_small_plant(seed: int) -> None:
    game = hv.new("classic", players=2 + seed % 5, seed=seed)
    for _ in wander(game, seed):
        market = board(game).market
        assert market.cards == sorted(market.cards)
        assert all(card > board(game).most_cities for card in market.cards)
        if board(game).bidding.scrapping is None:
            full = 6 if LAST_CARD in market.removed else 8
            assert len(market.cards) == full or not market.deck
            assert len(market.offer) == min(6 if full == 6 else 4, len(market.plants))


@pytest.mark.rule("C-5.2.1", "C-5.3.1")
@pytest.mark.parametrize(
    ("cities", "deck", "market"),
    [
        (7, [30, 31], [9, 10, 11, 12, 14, 15, 16, 30]),
        (7, [13, 31], [9, 10, 11, 12, 13, 14, 15, 16]),
        (7, [3, 7, 6, 13, 31], [9, 10, 11, 12, 13, 14, 15, 16]),  # a chain of small plants
        (7, [3, 7, LAST_CARD, 4, 40], [9, 10, 11, 12, 14, 15, 16, LAST_CARD]),
        (7, [LAST_CARD, 40], [9, 10, 11, 12, 14, 15, 16, LAST_CARD]),
    ],
)
def test_a_replacement_in_phase_2(cities: int, deck: list[int], market: list[int]) -> None:
    game = classic(step=2, market=MARKET, deck=deck, cities={0: cities}, money=100, order=[0, 1, 2])
    play(game, "nominate 8 @8", "pass", "pass")
    assert board(game).market.cards == market
    turned = [parse_card(event.card) for event in events_of(game.state, Turned)]
    assert turned == deck[: len(turned)]
    small = [card for card in turned if card <= cities]
    assert game.view()["market"]["removed"] == list(map(label, small))


@pytest.mark.rule("C-5.2.1", "C-5.3.1", "C-8.4.1")
def test_a_small_plant_turned_up_in_phase_5_is_replaced_at_once() -> None:
    game = classic(market=MARKET, deck=[3, 30, 31], cities={0: 6}, phase="bureaucracy")
    idle(game)
    assert board(game).market.cards == [*MARKET[:7], 30]
    assert game.view()["market"]["removed"] == ["3"]


@pytest.mark.rule("C-5.3.1", "C-5.3.3", "C-5.3.5", "C-7.4.1", "C-5.2.1")
@pytest.mark.parametrize(
    ("deck", "happens", "market"),
    [
        ([30], [Removed("8"), Turned("30")], [9, 10, 11, 12, 14, 15, 16, 30]),
        (
            [3, 5, 30],
            [
                Removed("8"),
                *[Turned("3"), Removed("3")],
                *[Turned("5"), Removed("5")],
                Turned("30"),
            ],
            [9, 10, 11, 12, 14, 15, 16, 30],
        ),
        (
            [3, LAST_CARD, 30],  # S3 ends the chain, and takes the lowest plant with it
            [
                Removed("8"),
                *[Turned("3"), Removed("3")],
                *[Turned("step3"), Shuffled("step3"), Removed("9")],
            ],
            [10, 11, 12, 14, 15, 16],
        ),
    ],
)
def test_after_a_house_that_raises_the_lead_small_plants_go(
    deck: list[int], happens: list[Event], market: list[int]
) -> None:
    game = classic(
        market=MARKET, deck=deck, cities={0: 7}, money=200, phase="building", order=[1, 2, 0]
    )
    assert build_one(game) == happens
    assert game.to_move == 0  # at once, not at the end of the turn
    assert board(game).market.cards == market


@pytest.mark.rule("C-5.3.3")
def test_a_house_that_does_not_raise_the_lead_changes_nothing() -> None:
    game = classic(
        market=MARKET,
        deck=[30],
        cities={0: 7, 1: 6},
        money=200,
        phase="building",
        order=[0, 2, 1],
    )
    assert build_one(game) == []  # the second to have 7
    assert board(game).most_cities == 7
    assert build_one(game) == [Removed("8"), Turned("30")]


@pytest.mark.rule("C-5.3.3", "C-5.3.4", "C-5.3.5")
def test_one_turn_may_cost_the_market_its_current_and_its_future_plants() -> None:
    game = classic(
        market=MARKET,
        deck=[39, 13, 17, 18, 19, 20, 21, 22, 23, 24],
        cities={0: 7},
        money=900,
        phase="building",
        order=[1, 2, 0],
    )
    happened = [build_one(game) for _ in range(9)]
    gone = [event.card for events in happened for event in events if isinstance(event, Removed)]
    assert gone == ["8", "9", "10", "11", "12", "13", "14", "15", "16"]
    assert board(game).market.cards == [17, 18, 19, 20, 21, 22, 23, 39]


@pytest.mark.rule("C-5.3.2")
def test_owned_plants_never_become_too_small() -> None:
    plants = {0: [3, 4, 5], 1: [6, 7]}
    game = classic(
        plants=plants, cities={0: 6}, money=200, market=MARKET, phase="building", order=[1, 2, 0]
    )
    for _ in range(4):
        build_one(game)
    assert [player.cards for player in board(game).players] == [(3, 4, 5), (6, 7), ()]


# An empty deck


@pytest.mark.rule("C-5.4.1", "C-5.1.2")
def test_with_an_empty_deck_the_market_shrinks() -> None:
    game = classic(step=3, market=MARKET[:6], deck=[], money=100, order=[0, 1, 2])
    play(game, "nominate 8 @8", "pass", "pass")
    assert offers(game) == (MARKET[1:6], [])
    play(game, "nominate 9 @9", "pass", "pass")
    assert offers(game) == (MARKET[2:6], [])
    assert game.phase == "fuel"


@pytest.mark.rule("C-5.4.1", "C-5.3.3")
def test_a_chain_of_small_plants_may_empty_the_deck() -> None:
    game = classic(
        step=3,
        market=MARKET[:6],
        deck=[3, 4],
        cities={0: 7},
        money=200,
        phase="building",
        order=[1, 2, 0],
    )
    build_one(game)
    assert board(game).market.cards == MARKET[1:6]
    assert board(game).market.deck == []


@pytest.mark.rule("C-5.4.2", "C-8.4.2")
def test_phase_5_of_step_3_keeps_removing_plants() -> None:
    game = classic(step=3, market=[40, 42, 44], deck=[], phase="bureaucracy")
    idle(game)
    assert board(game).market.cards == [42, 44]
    assert game.view()["market"]["removed"] == ["40"]


@pytest.mark.rule("C-5.4.2", "C-4.6.1")
def test_phase_2_in_which_nobody_buys_keeps_removing_plants() -> None:
    game = classic(step=3, market=[40, 42, 44], deck=[], money=100)
    idle(game)
    assert board(game).market.cards == [42, 44]


@pytest.mark.rule("C-5.4.3")
@pytest.mark.parametrize("phase", ["bureaucracy", "auction", "building"])
def test_an_empty_market_loses_nothing(phase: str) -> None:
    game = classic(step=3, market=[], deck=[], cities={0: 7}, money=200, phase=phase)
    if phase == "building":
        while game.to_move != 0:
            play(game, "done")
        assert build_one(game) == []
    else:
        idle(game)
    assert board(game).market.cards == []


@pytest.mark.rule("C-5.4.3")
def test_without_a_plant_to_buy_phase_2_is_skipped() -> None:
    game = classic(
        step=3, market=[40], deck=[], money=100, phase="bureaucracy", plants={0: [3], 1: [4]}
    )
    idle(game)
    assert (game.state.round, game.phase) == (3, "fuel")
    assert legal(game) >= {"done"}


@pytest.mark.rule("C-5.4.3", "C-4.1.4")
def test_the_auction_ends_when_the_last_plant_is_sold() -> None:
    game = classic(step=3, market=[10], deck=[], money=100, order=[0, 1, 2])
    play(game, "nominate 10 @10", "pass", "pass")
    assert game.phase == "fuel"
    assert board(game).market.cards == []


@pytest.mark.rule("C-5.4.1", "C-9.3.2")
def test_s3_waits_in_a_market_that_can_no_longer_be_filled() -> None:
    game = classic(4, step=2, market=MARKET, deck=[LAST_CARD], money=100, order=[0, 1, 2, 3])
    for card, bidders in ((8, 3), (9, 2), (10, 1)):
        play(game, f"nominate {card} @{card}", *["pass"] * bidders)
    assert board(game).market.cards == [*MARKET[3:], LAST_CARD]
    assert offers(game)[0] == MARKET[3:7]
    play(game, "nominate 11 @11")
    assert (game.phase, board(game).step) == ("fuel", 3)
    assert board(game).market.cards == MARKET[5:]


def test_nothing_from_an_empty_market_goes_under_the_deck() -> None:
    market = CardMarket([], [11], [], 4)
    assert market.slide_highest() is None
    assert market.deck == [11]
