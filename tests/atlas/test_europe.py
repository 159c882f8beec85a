"""Europe: nine plants face up, and Step 2 without a new one."""

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, PLAYERS, at, cost, new
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.board import load_map
from positions import board, idle, offers, refuses

PLANTS = {0: [4], 1: [5], 2: [3]}
REMOVED = {2: (1, 5), 3: (2, 6), 4: (1, 3), 5: (0, 0), 6: (0, 0)}
SEEDS = range(15)


def low(cards: list[int]) -> list[int]:
    return [card for card in cards if card <= 15]


@pytest.mark.rule("A-EUR-4")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_nine_low_plants_lie_open_and_none_is_on_top(book: str, players: int) -> None:
    opened = set()
    for seed in SEEDS:
        m = board(new("europe", book, players, seed)).market
        opened.add(tuple(m.cards))
        assert len(m.cards) == len(low(m.cards)) == 9
        gone = low(m.aside)
        assert (len(gone), len(m.aside) - len(gone)) == REMOVED[players]
        assert len(low(m.deck)) == 13 - 9 - len(gone)
        assert m.deck[0] > 15
        assert m.deck[-1] == LAST_CARD
    assert len(opened) > 5


@pytest.mark.rule("A-EUR-4")
@pytest.mark.parametrize("book", BOOKS)
def test_a_low_plant_on_top_changes_places_with_the_first_other_one(book: str) -> None:
    deck = [13, 14, 30, 15, 31]
    chance = hv.Scripted(plugs=[3, 4, 5, 6, 7, 8, 9, 10, 11], deck=deck)
    m = board(hv.new(book, map="europe", players=5, chance=chance)).market
    assert m.cards == [3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert m.deck[:5] == [30, 14, 13, 15, 31]


@pytest.mark.rule("A-EUR-4")
@pytest.mark.parametrize("book", BOOKS)
def test_four_plants_are_on_offer_and_five_to_come(book: str) -> None:
    market = [8, 9, 10, 12, 13, 15, 16, 20, 25]
    game = at("europe", book, market=market, plants=PLANTS, money=100)
    assert offers(game) == ([8, 9, 10, 12], [13, 15, 16, 20, 25])
    refuses(game, "nominate 13 @13", "not_on_offer", "A-EUR-4")


@pytest.mark.rule("A-EUR-5", "AV-31")
@pytest.mark.parametrize("book", BOOKS)
def test_step_2_takes_the_lowest_plant_and_brings_none(book: str) -> None:
    game = at(
        "europe",
        book,
        market=[8, 9, 10, 12, 13, 15, 16, 20, 25],
        deck=[30, 31, 32],
        cities={0: 7},
        plants={0: [17], 1: [4], 2: [5]},
        phase="building",
    )
    idle(game, "bureaucracy")
    assert board(game).step == 2
    assert offers(game) == ([9, 10, 12, 13], [15, 16, 20, 25])
    assert board(game).market.deck[0] == 30
    idle(game)
    assert offers(game) == ([9, 10, 12, 13], [15, 16, 20, 30])  # 25 went under the deck


@pytest.mark.rule("A-EUR-5")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("step", [1, 2])
def test_six_plants_are_left_in_step_3(book: str, step: int) -> None:
    market = [10, 12, 13, 15, 16, 18, 19, 20, 25][step - 1 :]
    game = at(
        "europe",
        book,
        market=market,
        deck=[LAST_CARD, 30],
        step=step,
        round=5,
        plants={0: [17], 1: [4], 2: [5]},
        phase="bureaucracy",
    )
    idle(game)
    assert board(game).step == 3
    assert board(game).market.cards == [13, 15, 16, 18, 19, 20]  # 25 went under the deck


@pytest.mark.rule("A-EUR-6")
def test_nine_connections_are_contested() -> None:
    different = {
        ("bordeaux", "madrid"): 15,
        ("kharkiv", "moskva"): 16,
        ("muenchen", "praha"): 6,
        ("muenchen", "stuttgart"): 5,
    }
    absent = [
        ("katowice", "kyjiv"),
        ("kharkiv", "minsk"),
        ("milano", "muenchen"),
        ("muenchen", "zagreb"),
        ("rhein_ruhr", "stuttgart"),
    ]
    for (a, b), ours in different.items():
        assert cost("europe", a, b) == ours
    assert all(cost("europe", a, b) is None for a, b in absent)
    assert len([d for d in load_map("europe").doubts if d.rule == "A-EUR-6"]) == 9


@pytest.mark.rule("A-EUR-4")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_replays_with_its_market(book: str) -> None:
    game = new("europe", book, 3, seed=4)
    while game.state.round < 3:
        game.play(game.legal_moves.choices[0])
    again = hv.replay(str(game.record()))
    assert again.view() == game.view()
