"""C-13 and C-14: what is public, what is drawn, who decides what."""

import json
from collections.abc import Sequence
from random import Random
from typing import TypeVar

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from positions import board, classic, idle, play, position, wander

T = TypeVar("T")


# What is visible


@pytest.mark.rule("C-13.1")
def test_everything_that_lies_face_up_is_in_the_view() -> None:
    game = classic(
        regions=("northwest", "west", "southwest"),
        market=[8, 9, 10, 11, 12, 14, 15, 16],
        deck=[30, 31, LAST_CARD, 40, 42],
        plants={0: [20, 46], 2: [13]},
        fuel={0: {"coal": 6, "oil": 2}},
        stock={"coal": 12, "oil": 7, "garbage": 6, "uranium": 2},
        cities={0: ["essen", "koeln"], 1: ["trier"]},
        money={0: 70, 1: 60},
        order=[0, 2, 1],
        step=2,
    )
    play(game, "nominate 8 @9", "bid 12")
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert view["regions"] == ["northwest", "west", "southwest"]
        market = view["market"]
        assert [plant["number"] for plant in market["current"]] == [8, 9, 10, 11]
        assert [plant["number"] for plant in market["future"]] == [12, 14, 15, 16]
        assert (market["deck"], market["slid"], market["removed"]) == (5, ["40", "42"], [])
        fuel = [(kind["stock"], kind["supply"]) for kind in view["fuel"].values()]
        assert fuel == [(12, 6), (7, 15), (6, 18), (2, 10)]
        owner = view["players"][0]
        assert [plant["number"] for plant in owner["plants"]] == [20, 46]
        assert owner["fuel"] == {"coal": 6, "oil": 2, "garbage": 0, "uranium": 0}
        assert [player["cities"] for player in view["players"]] == [
            ["essen", "koeln"],
            ["trier"],
            [],
        ]
        assert view["houses"] == {"essen": [0], "koeln": [0], "trier": [1]}
        assert (view["order"], view["step"], view["round"]) == ([0, 2, 1], 2, 2)
        auction = view["auction"]
        assert (auction["card"], auction["bid"], auction["leader"]) == ("8", 12, 1)
        assert auction["bidders"] == [2, 0, 1]
        assert json.loads(json.dumps(view)) == view


@pytest.mark.rule("C-13.1")
def test_neither_the_deck_nor_the_plants_removed_at_set_up_can_be_known() -> None:
    top = [25, 14, 18, 33, 21, 16, 29, 44]
    one, other = (
        hv.new("classic", players=4, chance=hv.Scripted(deck=top, removed=removed, seed=1))
        for removed in ([11, 12, 46, 50], [40, 42, 15, 38])
    )
    assert board(one).market.aside != board(other).market.aside
    while board(one).market.deck[0] in (13, *top):
        for seat in (None, 0, 1, 2, 3):
            assert one.view(seat) == other.view(seat)
        assert list(one.legal_moves) == list(other.legal_moves)
        move = Random(len(one.log)).choice(one.legal_moves.choices)
        assert board(one).market.deck != board(other).market.deck
        assert one.play(move) == other.play(move)
    assert one.state.round > 1


@pytest.mark.rule("C-13.1")
def test_plants_under_s3_are_shown_while_they_are_in_the_deck() -> None:
    game = classic(
        step=2,
        market=[20, 21, 22, 23, 24, 25, 26, 27],
        deck=[LAST_CARD, 30, 31],
        chance=hv.Scripted(step3=[31, 27, 30]),
        phase="bureaucracy",
    )
    assert game.view()["market"]["slid"] == ["30", "31"]
    idle(game)
    assert game.view()["market"]["slid"] == ["30", "31", "27"]
    idle(game, "fuel")
    assert game.view()["market"]["slid"] == ["30", "27"]  # 31 is in the market now


@pytest.mark.rule("C-13.1")
def test_removed_plants_that_were_face_up_are_shown() -> None:
    game = classic(
        market=[8, 9, 10, 11, 12, 14, 15, 16], deck=[3, 30, 31], cities={0: 7}, money=100
    )
    idle(game)  # nobody buys: 8 goes, 3 is turned up and too small
    assert game.view()["market"]["removed"] == ["8", "3"]


@pytest.mark.rule("C-13.2")
def test_money_is_open_or_hidden_from_the_others() -> None:
    for option in ("open", "hidden"):
        game = hv.new("classic", players=3, seed=1, money=option)
        position(game, money={0: 10, 1: 20, 2: 30}, cities={0: 16}, phase="building")
        for seat in (None, 0, 1, 2):
            seen = [player["money"] for player in game.view(seat)["players"]]
            hides = option == "hidden"
            assert seen == [
                None if hides and other != seat else money
                for other, money in enumerate((10, 20, 30))
            ]
        assert [player.money for player in board(game).players] == [10, 20, 30]


@pytest.mark.rule("C-13.2", "C-10.4")
def test_hidden_money_is_shown_when_the_game_is_over() -> None:
    game = hv.new("classic", players=3, seed=1, money="hidden")
    position(game, money={0: 10, 1: 20, 2: 30}, cities={0: 17}, phase="building", market=[30, 31])
    idle(game)
    assert [player["money"] for player in game.view()["players"]] == [10, 20, 30]


# What is drawn


class Witness:
    """Chance that records what it was requested for."""

    def __init__(self, seed: int) -> None:
        self.seeded = hv.Seeded(seed)
        self.requested: list[str] = []

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        self.requested.append(event)
        return self.seeded.arrange(event, items, nth)

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        self.requested.append(event)
        return self.seeded.pick(event, choices, nth)


@pytest.mark.rule("C-13.3")
@pytest.mark.parametrize("regions", ["random", "draft"])
def test_only_order_regions_deck_and_the_shuffle_at_s3_are_random(regions: str) -> None:
    chance = Witness(5)
    game = hv.new("classic", map="usa", players=4, chance=chance, regions=regions)
    for _ in wander(game, 5):
        pass
    drawn = ["deck", "order", *(["regions"] if regions == "random" else []), "step3"]
    assert board(game).step == 3
    assert sorted(chance.requested) == drawn


# Who decides


@pytest.mark.rule("C-14")
@pytest.mark.parametrize("seed", range(4))
def test_every_decision_is_in_the_list(seed: int) -> None:
    game = hv.new("classic", map="central_europe", players=2 + seed, seed=seed, regions="draft")
    turns: set[tuple[str, frozenset[str]]] = set()
    for _ in wander(game, seed):
        if game.outcome is None:
            turns.add((game.phase, frozenset(move.verb for move in game.legal_moves.choices)))
    allowed = {
        "regions": [{"region"}],
        "auction": [{"nominate", "pass"}, {"nominate"}, {"bid", "pass"}, {"scrap"}],
        "fuel": [{"buy", "done"}, {"done"}],
        "building": [{"build", "done"}, {"done"}],
        "bureaucracy": [{"run"}],
    }
    assert all(verbs in allowed[phase] for phase, verbs in turns)
    assert {phase for phase, _ in turns} == set(allowed)
