"""KR-02: what everybody sees, and what nobody sees."""

import pytest

import highvoltage as hv
from cardgame.positions import game_at, plants, state
from highvoltage.engine.cards import LAST_CARD
from positions import play, wander


@pytest.mark.rule("KR-02")
def test_markets_plants_fuel_and_cash_are_public() -> None:
    game = game_at(
        3,
        market="3 4 6 7 8 9 10 12",
        own={1: "12"},
        store={1: "coal3/2 coal"},
        columns={1: "gas", 2: "coal2"},
        discard="oil2 coal1",
        money={1: 17},
        demolition=True,
    )
    seen = game.view(0)
    assert [plant["card"] for plant in seen["market"]["current"]] == ["3", "4", "6", "7"]
    assert [plant["card"] for plant in seen["market"]["future"]] == ["8", "9", "10", "12"]
    other = seen["players"][1]
    assert other["money"] == 17
    assert [plant["number"] for plant in other["plants"]] == [12]
    assert other["fuel"] == {"coal": 3, "gas": 0, "oil": 0, "uranium": 0}
    assert other["store"] == [
        {"fuel": "coal", "units": 2, "face": 3, "single": False},
        {"fuel": "coal", "units": 1, "face": 1, "single": True},
    ]
    fuel = seen["fuel"]
    assert fuel["columns"][0] == [{"fuel": "gas", "units": 1, "face": 1, "single": True}]
    assert [(card["fuel"], card["units"]) for card in fuel["discard"]] == [("coal", 1), ("oil", 2)]
    assert fuel["singles"] == {"coal": 1, "gas": 1, "oil": 2, "uranium": 1}
    assert fuel["pile"] == len(state(game).pile)
    assert seen["demolition"]["stack"][0] == [1, 0]
    assert seen == {**game.view(1), "seat": 0} == {**game.view(None), "seat": 0}


@pytest.mark.rule("KR-02")
def test_the_back_of_the_top_card_and_the_place_of_end_are_public() -> None:
    game = hv.new("cardgame", players=3, seed=1)
    assert game.view()["market"]["back"] == "small"
    assert game.view()["market"]["above_end"] == 26
    large = game_at(3, market="3 4 6 7 8 9 10 12", deck="20 end 30 31")
    seen = large.view()["market"]
    assert (seen["back"], seen["above_end"], seen["deck"]) == ("large", 1, 4)
    assert seen["slid"] == ["30", "31"]
    next_up = game_at(3, market="3 4 6 7 8 9 10 12", deck="end 30 31").view()["market"]
    assert (next_up["back"], next_up["above_end"]) == ("end", 0)
    play(large, "nominate 6 @6", "pass", "pass")
    empty = game_at(3, market="20 22 24", deck="", round=9, end_round=8).view()["market"]
    assert (empty["back"], empty["above_end"], empty["deck"]) == (None, None, 0)


@pytest.mark.rule("KR-02")
def test_the_deck_the_pile_and_the_removed_plants_are_hidden() -> None:
    game = hv.new("cardgame", players=2, seed=1)
    for _ in wander(game, seed=4):
        s = state(game)
        twin = game.copy()
        hidden = state(twin)
        unseen = len(hidden.market.deck)
        if LAST_CARD in hidden.market.deck:
            unseen = hidden.market.deck.index(LAST_CARD)
        top = hidden.market.deck[:1]
        hidden.market.deck[1:unseen] = hidden.market.deck[1:unseen][::-1]
        assert hidden.market.deck[:1] == top
        hidden.pile.reverse()
        hidden.market.aside = hidden.market.aside[::-1]
        for seat in (0, 1, None):
            assert twin.view(seat) == game.view(seat)
        assert s is game.state


@pytest.mark.rule("KR-02")
def test_money_can_be_hidden() -> None:
    game = hv.new("cardgame", players=3, seed=1, money="hidden")
    assert [player["money"] for player in game.view(1)["players"]] == [None, 12, None]
    assert [player["money"] for player in game.view()["players"]] == [None] * 3
    for _ in wander(game, seed=1):
        pass
    assert None not in [player["money"] for player in game.view()["players"]]


@pytest.mark.rule("KR-02")
def test_plants_that_left_the_game_in_play_are_public() -> None:
    game = game_at(3, market="5 7 8 9 10 12 13 15", deck="4b 20 21")
    play(game, "nominate 8 @8", "pass", "pass")
    assert game.view()["market"]["removed"] == ["4b"]


def test_a_record_keeps_the_cards_that_were_turned_up() -> None:
    game = hv.new("cardgame", players=["Ann", "Bob", "Cem"], seed=3)
    for _ in wander(game, seed=3):
        pass
    text = str(game.record())
    assert text.startswith("High Voltage record 1\nrulebook: cardgame 2\nplayer: Ann\n")
    assert " end ~end" in text
    assert " ~reshuffle" in text
    again = hv.replay(text)
    assert again.log == game.log
    assert again.view() == game.view()


def test_a_scripted_game_reproduces_a_table() -> None:
    chance = hv.Scripted(
        order=[1, 0, 2],
        small=plants("2 2b 3 3b 4 4b 5 5b 6"),
        deck=plants("20 21"),
        fuel=["coal3"] * 4,
    )
    game = hv.new("cardgame", players=3, chance=chance)
    view = game.view()
    assert view["order"] == [1, 0, 2]
    assert [plant["card"] for plant in view["market"]["future"]] == ["4", "4b", "5", "5b"]
    assert state(game).market.deck[:3] == plants("6 20 21")
    assert [card["units"] for card in view["fuel"]["columns"][1]] == [3, 3, 3, 3]
