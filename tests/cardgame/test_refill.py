"""K-6.3 and K-6.4: the fuel market is refilled, the plant market renewed."""

from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import column, discard, fuel_cards, game_at, market, plants, removed, state
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Removed, Shuffled, Turned
from positions import play

LATE = "11 14 16 18 20 22 24 27"
EMPTY = dict.fromkeys((2, 3, 4), "")
SHIFTED = {2: "oil2", 3: "coal1 gas2", 4: "gas1 oil1 oil3 uranium1"}


def bureaucracy(players: int = 2, **position: Any) -> hv.Game:
    """Everybody runs nothing, and the next round begins."""
    game = game_at(players, phase="bureaucracy", **position)
    play(game, *["run nothing"] * players)
    return game


def shown(game: hv.Game) -> dict[int, str]:
    return {number: column(game, number) for number in (2, 3, 4)}


@pytest.mark.rule("TV-K-14", "K-6.3.1", "K-6.3.2")
def test_shift() -> None:
    game = bureaucracy(columns=SHIFTED, pile="", discard="")
    assert shown(game) == {2: "coal1 gas1 gas2 oil2", 3: "oil1 oil3 uranium1", 4: ""}


@pytest.mark.rule("TV-K-15", "K-6.3.4")
def test_draw() -> None:
    game = bureaucracy(columns=SHIFTED, pile="coal2 oil3 coal3 uranium1 coal1", discard="")
    assert shown(game) == {
        2: "coal1 gas1 gas2 oil2",
        3: "coal2 oil1 oil3 uranium1",
        4: "coal1 coal3 oil3 uranium1",
    }
    assert state(game).reshuffles == 0  # exactly emptied, not yet reshuffled


@pytest.mark.rule("TV-K-40", "K-6.3.1", "K-6.3.2")
def test_shift_priority() -> None:
    columns = {2: "oil1 uranium1", 3: "coal1 coal3 gas1 oil1", 4: "coal2 coal2"}
    game = bureaucracy(columns=columns, pile="", discard="")
    assert shown(game) == {2: "coal1 coal3 oil1 uranium1", 3: "coal2 coal2 gas1 oil1", 4: ""}


@pytest.mark.rule("K-6.3.3")
def test_regular_cards_never_enter_column_1_and_singles_stay() -> None:
    columns = {1: "gas oil", 3: "coal1", 4: "coal2"}
    game = bureaucracy(columns=columns, pile="", discard="")
    assert column(game, 1) == "gas oil"
    assert shown(game) == {2: "coal1 coal2", 3: "", 4: ""}


@pytest.mark.rule("TV-K-35", "K-6.3.5", "K-6.3.6", "KR-26")
def test_the_first_reshuffle() -> None:
    columns = {2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2", 4: ""}
    old = "coal3 gas3 oil3 uranium1 coal1 coal2 coal3 gas1 gas2"
    game = bureaucracy(columns=columns, pile="oil1 oil2", discard=old, market=LATE, deck="29 31 33")
    s = state(game)
    assert s.reshuffles == 1
    assert len(s.pile) == 6
    assert discard(game) == "coal3 gas3 oil3 uranium2"  # the four ++ cards
    assert column(game, 3) == "gas1 gas2 gas2 oil1"
    assert column(game, 4).count(" ") == 3
    assert "oil2" in column(game, 4)
    drawn = [*s.pile, *s.columns[3]]
    drawn.remove(fuel_cards("oil2")[0])
    assert sorted(drawn) == sorted(fuel_cards(old))
    assert removed(game) == "11"
    assert market(game) == "14* 16 18 20 | 22 24 27 31"  # 29 came, slid as the highest, 31 came


@pytest.mark.rule("K-6.3.5")
def test_later_reshuffles_start_an_empty_discard_pile() -> None:
    for reshuffles in (1, 2):
        columns = {2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: "gas3 gas3 oil1"}
        game = bureaucracy(columns=columns, pile="", discard="oil2 oil3", reshuffles=reshuffles)
        assert state(game).reshuffles == reshuffles + 1
        assert discard(game) == ""
        assert len(state(game).pile) == 1


@pytest.mark.rule("KR-26")
def test_the_plant_leaves_before_the_next_fuel_card_is_drawn_and_cards_show_their_print() -> None:
    columns = {2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: "gas3 gas3 oil1"}
    game = game_at(
        2,
        own={0: "4"},
        store={0: "coal3/1"},
        columns=columns,
        pile="",
        discard="",
        reshuffles=1,
        phase="bureaucracy",
        market=LATE,
        deck="29 31 33",
    )
    play(game, "run 4", "run nothing")
    events = [e for e in game.log[-1].events if isinstance(e, Shuffled | Removed | Turned)]
    assert events[:4] == [
        Shuffled("reshuffle"),
        Removed("11"),
        Turned("29"),
        Turned("coal3", 4),  # used up at 1, returns with 3
    ]
    assert column(game, 4) == "coal3 gas3 gas3 oil1"


@pytest.mark.rule("KR-27")
def test_with_both_piles_empty_vacancies_stay_open() -> None:
    game = bureaucracy(columns=EMPTY, pile="coal1", discard="", reshuffles=2, market=LATE)
    assert shown(game) == {2: "coal1", 3: "", 4: ""}
    assert state(game).reshuffles == 2
    assert removed(game) == ""


@pytest.mark.rule("K-6.4.1")
def test_the_highest_plant_slides_under_the_deck() -> None:
    game = bureaucracy(3, market=LATE, deck="29 31")
    assert state(game).market.deck == [*plants("31"), LAST_CARD, *plants("27")]
    assert market(game) == "11* 14 16 18 | 20 22 24 29"
    assert game.view()["market"]["slid"] == ["27"]


@pytest.mark.rule("TV-K-16", "K-6.4.2", "K-6.4.4", "K-3.3", "KR-05")
def test_end_drawn_in_phase_3() -> None:
    chance = hv.Scripted(end=plants("34 27 33"))
    game = bureaucracy(3, market=LATE, deck="end 33 34", chance=chance)
    assert removed(game) == "11"
    assert market(game) == "14* 16 18 20 22 24"  # nothing more is removed
    assert state(game).market.deck == plants("34 27 33")
    assert game.view()["last"]
    assert game.view()["round"] == 3


@pytest.mark.rule("TV-K-36", "KR-28", "K-6.3.6")
def test_end_through_a_reshuffle() -> None:
    chance = hv.Scripted(end=plants("31 29"))
    columns = {2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: "gas3 gas3"}
    game = bureaucracy(
        market=LATE, deck="end 29 31", chance=chance, columns=columns, pile="", discard="oil2 oil3"
    )
    assert removed(game) == "11 14"
    assert market(game) == "16* 18 20 22 24 27"
    assert state(game).market.deck == plants("31 29")  # step 3 is skipped: nothing slides
    assert column(game, 4) == "gas3 gas3 oil2 oil3"  # the refill is finished
    assert game.view()["last"]


@pytest.mark.rule("KR-28")
def test_a_further_reshuffle_works_on_the_six_plants() -> None:
    chance = hv.Scripted(end=plants("31 29"))
    game = bureaucracy(
        market=LATE,
        deck="end 29 31",
        chance=chance,
        columns={2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: ""},
        pile="",
        discard="oil2",
    )
    assert state(game).reshuffles == 2  # one card, then the ++ cards
    assert removed(game) == "11 14 16"
    assert market(game) == "18* 20 22 24 27 31"


@pytest.mark.rule("K-6.4.3", "KR-40")
def test_after_end_in_phase_1_the_lowest_is_replaced_once() -> None:
    game = bureaucracy(
        3, market="18 22 24 27 29 31", deck="33 34", round=5, end_round=5, end_in_auction=True
    )
    assert removed(game) == "18"
    assert market(game) == "22* 24 27 29 31 33"
    assert state(game).market.deck == plants("34")  # nothing slid


@pytest.mark.rule("K-6.4.5")
def test_a_reshuffle_with_six_plants_replaces_one_more() -> None:
    game = bureaucracy(
        2,
        market="18 22 24 27 29 31",
        deck="33 34 35",
        round=5,
        end_round=5,
        end_in_auction=True,
        columns={2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: "oil1 oil1 oil2"},
        pile="",
        discard="coal3",
    )
    assert removed(game) == "18 22"
    assert market(game) == "24* 27 29 31 33 34"


@pytest.mark.rule("K-3.3", "KR-05", "K-6.4.4")
def test_exactly_one_round_follows_the_round_of_end() -> None:
    for seed in range(10):
        game = hv.new("cardgame", players=3, seed=seed)
        resolved, phases = None, []
        while game.outcome is None:
            s = state(game)
            resolved = resolved or s.end_round
            if s.end_round:
                phases.append((s.round - s.end_round, game.phase))
            game.play(game.legal_moves.choices[-1])
        assert (1, "auction") in phases
        assert (1, "fuel") in phases
        assert (1, "bureaucracy") not in phases
        assert (0, "bureaucracy") in phases or (0, "fuel") not in phases
        assert max(after for after, _ in phases) == 1


@pytest.mark.rule("KR-05")
def test_the_last_round_is_known_by_end_not_by_six_plants() -> None:
    few = game_at(3, market="20 22 24", deck="", round=9, end_round=8)
    assert few.view()["last"]
    many = game_at(3, market="18 22 24 27 29 31", deck="", round=8, end_round=8, phase="fuel")
    assert not many.view()["last"]
