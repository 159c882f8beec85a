"""K-7: the last round and the score."""

from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import game_at, market, money
from positions import idle, legal, play

SIX = "20 22 24 27 29 31"


def last(players: int = 3, **position: Any) -> hv.Game:
    position = {"market": SIX, "phase": "fuel"} | position
    return game_at(players, round=9, end_round=8, **position)


def scores(game: hv.Game) -> tuple[dict[str, int], ...]:
    assert game.outcome is not None
    return game.outcome.scores


@pytest.mark.rule("K-7.1", "KR-31")
def test_the_last_round_has_no_phase_3_and_no_income() -> None:
    game = last(own={0: "8"}, money=5)
    idle(game)
    assert game.outcome is not None
    assert game.outcome.reason == "last_round"
    assert money(game) == [5, 5, 5]
    assert [score["points"] for score in scores(game)] == [6, 0, 0]  # and no guaranteed 1
    assert game.to_move is None
    assert len(game.legal_moves) == 0
    with pytest.raises(hv.IllegalMove) as caught:
        game.play("done")
    assert (caught.value.code, caught.value.rule) == ("game_over", "K-7.1")


def test_points_that_only_fuel_was_missing_for_are_counted() -> None:
    own, store = {0: "12 19", 1: "13 26", 2: "16"}, {0: "coal3 coal1", 1: "gas1 oil1", 2: "coal2"}
    game = last(own=own, store=store, money=0)
    idle(game)
    view = game.view()
    full = [sum(plant["income"] for plant in player["plants"]) for player in view["players"]]
    points = [score["points"] for score in view["outcome"]["scores"]]
    missed = [most - ran for most, ran in zip(full, points, strict=True)]
    assert view["outcome"]["unfuelled"] == missed
    assert missed[0] > 0


@pytest.mark.rule("K-7.2", "KR-30", "K-4.2.3")
def test_all_plants_of_the_market_may_be_nominated() -> None:
    game = last(phase="auction", deck="33 34 35", money=99)
    assert market(game) == "20* 22 24 27 29 31"
    named = {move.split()[1] for move in legal(game) if move != "pass"}
    assert named == set(SIX.split())
    play(game, "nominate 31 @31", "pass", "pass")
    assert market(game) == "20* 22 24 27 29 33"  # replaced
    play(game, "nominate 20 @1", "pass")
    assert market(game) == "22 24 27 29 33 34"  # the marker is aside
    assert "nominate 22 @21" not in legal(game)


@pytest.mark.rule("TV-K-17", "K-7.3", "K-7.4", "K-7.5")
def test_scoring() -> None:
    game = last(own={0: "11 12 19"}, store={0: "coal3 coal2"}, money={0: 23})
    idle(game)
    assert scores(game)[0] == {"points": 28, "money": 3, "plant": 19}


@pytest.mark.rule("K-7.3", "KR-31")
def test_the_best_set_that_can_run_is_counted() -> None:
    # 12 needs 3 coal for 9, 19 needs 2 for 10; hybrid 26 needs 2, gas 13 needs 1.
    game = last(
        own={0: "12 19", 1: "13 26", 2: "12 16"},
        store={0: "coal3 coal1", 1: "gas1 oil1", 2: "coal2"},
        money=0,
    )
    idle(game)
    assert [score["points"] for score in scores(game)] == [10, 11, 0]


@pytest.mark.rule("K-7.4")
def test_ten_elektro_make_a_point() -> None:
    game = last(money={0: 9, 1: 10, 2: 29})
    idle(game)
    assert [(score["points"], score["money"]) for score in scores(game)] == [(0, 9), (1, 0), (2, 9)]


@pytest.mark.rule("TV-K-41", "K-7.5", "KR-32")
def test_ties() -> None:
    game = last(
        own={0: "11 12 19", 1: "8 15 24", 2: "5c 12 30"},
        store={0: "coal3 coal2"},
        money={0: 23, 1: 143, 2: 232},
    )
    idle(game)
    assert [score["points"] for score in scores(game)] == [28, 28, 28]
    assert [score["plant"] for score in scores(game)] == [19, 24, 30]  # 24 and 30 do not run
    assert game.outcome is not None
    assert game.outcome.ranking == ((1,), (0,), (2,))


@pytest.mark.rule("KR-32")
def test_a_tie_that_nothing_breaks_is_shared() -> None:
    game = last(own={0: "4", 1: "4b", 2: "3"}, money=7)
    idle(game)
    assert game.outcome is not None
    assert game.outcome.ranking == ((0, 1), (2,))
    assert game.outcome.winners == (0, 1)


@pytest.mark.rule("K-7.5")
def test_most_points_win_before_money() -> None:
    game = last(own={0: "8", 1: "11"}, money={0: 9, 1: 0, 2: 69})
    idle(game)
    assert game.outcome is not None
    assert game.outcome.ranking == ((1,), (0,), (2,))  # 7, 0 left; 6, 9 left; 6, 9 left, no plant
