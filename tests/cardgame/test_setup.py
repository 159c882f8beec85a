"""K-2: turn order, plant market and deck, fuel market, chance."""

import json
from copy import deepcopy
from importlib.resources import files
from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import PLAYERS, discard, market, money, plants, row, state
from highvoltage.engine.cards import LAST_CARD
from highvoltage.games.cardgame import cards, fuel
from highvoltage.games.cardgame.state import CardState

DATA: dict[str, Any] = json.loads(
    files("highvoltage.games.cardgame").joinpath("data/cards.json").read_text("utf-8")
)


def with_small_numbers(*numbers: int) -> dict[str, Any]:
    """The shipped deck with other numbers on its small plants."""
    data = deepcopy(DATA)
    small = [plant for plant in data["plants"] if plant["back"] == "small"]
    for plant, number in zip(small, numbers, strict=True):
        plant["number"] = number
    return data


@pytest.mark.rule("K-2.1", "KR-03")
def test_the_director_row_is_drawn_and_seats_stay() -> None:
    rows = {row(hv.new("cardgame", players=3, seed=seed)) for seed in range(60)}
    assert len(rows) == 6
    chance = hv.Scripted(order=[2, 0, 1], small=plants("6 6b 6c 5 5b 5c 4 4b"))
    game = hv.new("cardgame", players=["Ann", "Bob", "Cem"], chance=chance)
    assert row(game) == (2, 0, 1)
    assert game.to_move == 2
    game.play("nominate 5 @5")
    assert [game.view()["auction"]["bidders"], game.names[0]] == [[0, 1, 2], "Ann"]  # clockwise


@pytest.mark.rule("K-2.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_starts_with_12(players: int) -> None:
    assert money(hv.new("cardgame", players=players, seed=1)) == [12] * players


@pytest.mark.rule("TV-K-04", "K-2.3", "KR-04")
def test_the_market_is_sorted_and_later_twins_lie_to_the_right() -> None:
    data = with_small_numbers(7, 3, 10, 5, 7, 4, 9, 3, 6, 6, 2, 8, 11)
    reveal = plants("7 3 10 5 7b 4 9 3b")
    game = hv.new("cardgame", players=3, cards=data, chance=hv.Scripted(small=reveal))
    assert market(game) == "3* 3b 4 5 | 7 7b 9 10"
    reveal = plants("7b 3b 10 5 7 4 9 3")  # the other twins first
    game = hv.new("cardgame", players=3, cards=data, chance=hv.Scripted(small=reveal))
    assert market(game) == "3b* 3 4 5 | 7b 7 9 10"
    before = game.rules.setup(hv.Scripted(small=reveal))
    assert isinstance(before, CardState)
    assert before.market.discount is None  # until phase 1 starts


@pytest.mark.rule("K-2.4")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deck_has_a_small_plant_on_top_and_end_at_the_bottom(players: int) -> None:
    tops: set[int] = set()
    mixed: set[int] = set()
    for seed in range(40):
        s = state(hv.new("cardgame", players=players, seed=seed))
        deck = s.market.deck
        assert s.rules.card_back(deck[0]) == "small"
        assert deck[-1] == LAST_CARD
        assert sorted([*s.market.cards, *deck, *s.market.aside]) == sorted(
            [*s.rules.cards.plants, LAST_CARD]
        )
        tops.add(deck[0])
        mixed.update(at for at, card in enumerate(deck[1:-1]) if s.rules.card_back(card) == "small")
    assert len(tops) > 5
    assert max(mixed) > 10  # small and large are shuffled together


@pytest.mark.rule("K-2.5", "K-2.6")
def test_fuel_is_dealt_to_columns_2_to_4_and_sorted() -> None:
    dealt = "coal3 uranium1 gas2 coal1 oil3 gas3 coal2 oil1 coal3 gas2 gas1 oil2"
    game = hv.new("cardgame", players=3, chance=hv.Scripted(fuel=dealt.split()))
    s = state(game)
    shown = [[fuel.name(card) for card in column] for column in s.columns]
    assert shown == [
        [],
        ["coal1", "coal3", "gas2", "uranium1"],
        ["coal2", "gas3", "oil1", "oil3"],
        ["coal3", "gas1", "gas2", "oil2"],
    ]
    assert s.singles == [2, 2, 2, 1]
    assert len(s.pile) == 12


@pytest.mark.rule("K-2.7")
def test_the_plus_cards_start_the_discard_pile() -> None:
    game = hv.new("cardgame", players=3, seed=1)
    assert discard(game) == "coal3 gas3 oil3 uranium1"
    waiting = game.view()["fuel"]["waiting"]
    assert [(card["fuel"], card["units"]) for card in waiting] == [
        ("coal", 3),
        ("gas", 3),
        ("oil", 3),
        ("uranium", 2),
    ]


@pytest.mark.rule("TV-K-05", "K-8.1")
def test_set_up_for_two() -> None:
    game = hv.new("cardgame", players=2, seed=4)
    s = state(game)
    assert money(game) == [12, 12]
    assert sorted(row(game)) == [0, 1]
    assert s.bank is not None
    assert not hasattr(s.bank, "money")
    assert [s.rules.card_back(card) for card in s.market.aside] == ["small", *["large"] * 5]
    assert (len(s.market.cards), len(s.market.deck)) == (8, 29)
    assert s.market.deck[-1] == LAST_CARD
    assert s.rules.card_back(s.market.deck[0]) == "small"
    assert [len(column) for column in s.columns] == [0, 4, 4, 4]
    assert discard(game) == "coal3 gas3 oil3 uranium1"
    assert s.reshuffles == 0
    assert s.singles == [2, 2, 2, 1]


class Listening:
    """Chance that records what it was requested for."""

    def __init__(self) -> None:
        self.requested: dict[str, list[Any]] = {}

    def arrange(self, event: str, items: Any, nth: int = 0) -> list[Any]:
        self.requested[event] = list(items)
        return list(items)

    def pick(self, event: str, choices: Any, nth: int = 0) -> Any:
        raise AssertionError(event)


@pytest.mark.rule("K-2.8")
def test_chance_events_and_what_they_arrange() -> None:
    chance = Listening()
    game = hv.new("cardgame", players=4, chance=chance)
    deck = cards.shipped()
    assert list(chance.requested) == ["order", "small", "fuel", "large", "deck"]
    assert chance.requested["order"] == [0, 1, 2, 3]
    assert chance.requested["small"] == deck.small
    assert chance.requested["large"] == deck.large
    assert chance.requested["deck"] == deck.small[9:12] + deck.large[:26]
    names = chance.requested["fuel"]
    assert names == sorted(names, key=lambda name: fuel.CARDS[name])
    s = state(game)
    assert s.market.cards == deck.small[:8]
    assert s.market.deck == [deck.small[8], *deck.small[9:12], *deck.large[:26], LAST_CARD]
    assert s.market.aside == [deck.small[12], *deck.large[26:]]
    assert [fuel.name(card) for card in s.columns[1]] == names[:5]
