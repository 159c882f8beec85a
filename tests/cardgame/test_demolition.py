"""D: the Demolition expansion, here and in the board games."""

from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import game_at, money, state
from highvoltage.games.cardgame import cards
from highvoltage.games.classic import tables as classic
from positions import board, idle, legal, play, position, refuses, wander

MARKET = "5 7 8 9 10 12 13 15"
THREE = {0: "3 3b 4", 1: "4b 4c 5c", 2: "6 6b 6c"}
BOARD_GAMES = ("classic", "recharged")


def demolishing(**more: Any) -> hv.Game:
    fields: dict[str, Any] = {
        "market": MARKET,
        "own": THREE,
        "deck": "20 21 22 23 24 25",
        "round": 4,
    }
    fields |= more
    return game_at(3, demolition=True, **fields)


def scrap(game: hv.Game) -> None:
    """The seat that owns four plants gives up its lowest."""
    game.play(game.legal_moves[0])


def stack(game: hv.Game) -> list[list[int]]:
    found: list[list[int]] = game.view()["demolition"]["stack"]
    return found


@pytest.mark.rule("D-1.1", "D-1.2", "D-1.3")
def test_the_stack() -> None:
    assert stack(demolishing()) == [[1, 0], [2, 1], [3, 2], [4, 3], [5, 4]]
    for name in BOARD_GAMES:
        game = hv.new(name, players=3, seed=1, demolition=True)
        assert stack(game) == [[3, 0], [6, 3], [9, 6], [12, 9], [15, 12], [18, 15]]
        assert game.view()["demolition"]["reconstructed"]
    side = cards.shipped().faces.demolition["board_game"]
    assert [(card.first, card.next) for card in side] == list(classic.DEMOLITION)
    for name in ("cardgame", *BOARD_GAMES):
        assert "demolition" not in hv.new(name, players=3, seed=1).view()


@pytest.mark.rule("TV-D-01", "D-2.2", "D-2.4", "DR-03")
def test_first_and_next() -> None:
    game = demolishing()
    play(game, "nominate 7 @7", "pass", "pass")
    assert money(game)[0] == 43
    scrap(game)
    assert money(game)[0] == 44
    play(game, "nominate 8 @8", "pass")
    scrap(game)
    assert money(game)[1] == 42  # the next one is paid 0
    assert stack(game)[0] == [1, 0]
    play(game, "pass")
    assert stack(game)[0] == [2, 1]  # one card, however many were demolished


@pytest.mark.rule("D-2.4")
def test_the_next_phase_starts_with_first_again() -> None:
    game = demolishing(demolished=1)
    play(game, "nominate 7 @7", "pass", "pass")
    scrap(game)
    assert money(game)[0] == 45
    play(game, "nominate 8 @8", "pass")
    scrap(game)
    assert money(game)[1] == 43


@pytest.mark.rule("DR-01")
def test_first_follows_the_order_of_purchases() -> None:
    game = demolishing(order=(2, 1, 0))
    play(game, "nominate 7 @7", "bid 8", "pass", "pass")
    assert game.to_move == 0  # the last in turn order is the first to demolish
    scrap(game)
    assert money(game) == [43, 50, 50]


@pytest.mark.rule("TV-D-02", "D-2.5")
def test_the_last_card_stays() -> None:
    game = demolishing(demolished=4)
    play(game, "nominate 7 @7", "pass", "pass")
    scrap(game)
    assert money(game)[0] == 48
    play(game, "pass", "pass")
    assert stack(game) == [[5, 4]]


@pytest.mark.rule("TV-D-03", "D-2.4")
def test_without_a_demolition_the_stack_stays() -> None:
    game = demolishing(own={0: "3 3b"})
    play(game, "nominate 7 @7", "pass", "pass", "pass", "pass")
    assert stack(game)[0] == [1, 0]
    again = demolishing()
    play(again, "nominate 7 @7", "pass", "pass")
    scrap(again)
    assert money(again)[0] == 44


@pytest.mark.rule("TV-D-04", "D-2.3")
def test_the_money_cannot_finance_the_bid() -> None:
    game = demolishing(money=20, demolished=4)
    refuses(game, "nominate 7 @21", "bid_above_money", "K-4.2.3")
    assert "nominate 7 @20" in legal(game)
    play(game, "nominate 7 @20")
    assert money(game)[0] == 0
    scrap(game)
    assert money(game)[0] == 5


@pytest.mark.rule("D-2.1", "D-2.2")
def test_only_the_auction_changes_and_only_from_round_4_on() -> None:
    for seed in range(5):
        game = hv.new("cardgame", players=4, seed=seed, demolition=True)
        while game.outcome is None:
            at = game.state.round, game.phase
            events = game.play(game.legal_moves.choices[-1])
            if any(event.what == "demolished" for event in events):
                assert at[0] >= 4
                assert at[1] == "auction"


@pytest.mark.rule("DR-02")
def test_plants_that_leave_the_market_are_not_demolitions() -> None:
    game = demolishing()
    play(game, "pass", "pass", "pass")  # the unsold 5 is removed
    assert money(game) == [50, 50, 50]
    assert stack(game)[0] == [1, 0]
    assert not state(game).bidding.demolished


@pytest.mark.rule("DR-04", "K-4.7.3")
def test_it_works_in_the_last_round_and_counts() -> None:
    game = demolishing(
        market="20 22 24 27 29 31", deck="33 34", round=9, end_round=8, money={0: 9}, demolished=4
    )
    play(game, "nominate 20 @4", "pass", "pass")
    scrap(game)
    assert money(game)[0] == 10
    play(game, "pass", "pass")
    idle(game)
    assert game.outcome is not None
    assert game.outcome.scores[0]["points"] == 9 + 1  # 20 runs, and 10 E


@pytest.mark.rule("K-4.7.3", "D-2.4")
def test_the_top_card_goes_at_the_end_of_phase_1() -> None:
    game = demolishing()
    play(game, "nominate 7 @7", "pass", "pass")
    scrap(game)
    assert state(game).demolition == 0
    play(game, "pass")
    assert state(game).demolition == 0
    play(game, "pass")
    assert game.phase == "fuel"
    assert state(game).demolition == 1


@pytest.mark.rule("DR-05", "D-1.1")
@pytest.mark.parametrize("name", BOARD_GAMES)
def test_the_board_games_pay_for_the_plant_above_their_limit(name: str) -> None:
    game = position(
        hv.new(name, players=3, seed=1, demolition=True),
        market=[11, 13, 14, 15, 16, 17, 18, 19],
        deck=[20, 21, 22, 23, 24],
        plants={0: [3, 4, 5], 1: [6, 7, 8], 2: [9, 10, 12]},
        money=100,
        round=4,
        order=[0, 1, 2],
    )
    play(game, "nominate 13 @13", "pass", "pass", "scrap 3")
    assert board(game).players[0].money == 90
    play(game, "nominate 14 @14", "pass", "scrap 6")
    assert board(game).players[1].money == 86
    assert (stack(game)[0], game.view()["demolition"]["paid"]) == ([3, 0], True)
    play(game, "pass")
    assert (stack(game)[0], game.view()["demolition"]["paid"]) == ([6, 3], False)
    record = game.rules.recorded_options()
    assert record["demolition"] is True


@pytest.mark.rule("DR-05")
def test_with_a_limit_of_four_the_fifth_plant_is_paid_for() -> None:
    game = position(
        hv.new("classic", players=2, seed=1, demolition=True),
        market=[11, 13, 14, 15, 16, 17, 18, 19],
        deck=[20, 21, 22, 23, 24],
        plants={0: [3, 4, 5], 1: [6, 7, 8, 9]},
        money=100,
        round=5,
        order=[0, 1],
    )
    play(game, "nominate 13 @13", "pass")
    assert board(game).players[0].money == 87  # his fourth
    play(game, "nominate 14 @14", "scrap 6")
    assert board(game).players[1].money == 89


@pytest.mark.rule("DR-05")
@pytest.mark.parametrize("name", BOARD_GAMES)
def test_board_games_with_the_expansion_replay(name: str) -> None:
    game = hv.new(name, players=2, seed=5, demolition=True)
    for _ in wander(game, seed=5):
        pass
    assert any(event.what == "demolished" for row in game.log for event in row.events)
    record = game.record()
    assert hv.replay(str(record)).record() == record


@pytest.mark.rule("D-2.2")
def test_it_is_paid_at_once() -> None:
    """Before the gap in the market is filled."""
    game = demolishing()
    play(game, "nominate 7 @7", "pass", "pass")
    scrap(game)
    what = [event.what for event in game.log[-1].events]
    assert what.index("demolished") < what.index("turned")


@pytest.mark.rule("D-1.3")
@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame"])
def test_a_record_keeps_the_expansion(rulebook: str) -> None:
    game = hv.new(rulebook, players=3, seed=1, demolition=True)
    again = hv.replay(str(game.record()))
    assert again.view()["demolition"] == game.view()["demolition"]
