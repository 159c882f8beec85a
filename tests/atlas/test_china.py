"""China: a sorted deck, and plants that come in phase 5 only."""

import json
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, PLAYERS, at, new
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import StepBegins
from highvoltage.games.classic import tables
from positions import board, idle, legal, offers

MAPS = Path(hv.__file__).parent / "maps"
OUT = {
    2: {3, 4, 9, 11, 16, 18, 20, 24, 30, 33, 46},
    3: {3, 4, 9, 11, 16, 18, 20, 24, 30, 33, 46},
    4: {3, 4, 11, 18, 24, 33, 46},
    5: {3, 4, 33},
    6: {3, 4, 33},
}
PLANTS = {0: [42], 1: [44], 2: [46], 3: [50]}


def late(book: str = "classic", phase: str = "building", **fields: Any) -> hv.Game:
    """Four players, none of whom wants anything."""
    return at("china", book, 4, **{"plants": PLANTS, "phase": phase, "round": 5, **fields})


def sell(game: hv.Game, *cards: int) -> None:
    """The players buy these plants, one each, without a contest."""
    for card in cards:
        game.play(f"nominate {card} @{card}")
        while board(game).bidding.card is not None:
            game.play("pass")


@pytest.mark.rule("A-CHN-3", "A-CHN-4")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deck_is_sorted_up_to_30(book: str, players: int) -> None:
    middles = set()
    for seed in range(12):
        m = board(new("china", book, players, seed)).market
        whole = [*m.cards, *m.deck]
        assert {*m.removed} == OUT[players]
        assert m.aside == []
        assert {*whole} == {*tables.PLANTS, LAST_CARD} - OUT[players]
        small = [card for card in tables.PLANTS if card <= 30 and card not in OUT[players]]
        assert whole[: len(small)] == small
        middle = [card for card in whole[len(small) :] if card < 36 or card == LAST_CARD]
        assert whole[len(small) :][: len(middle)] == middle
        middles.add((whole.index(LAST_CARD), *whole[-3:]))
    assert len(middles) > 8


@pytest.mark.rule("A-CHN-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_as_many_plants_lie_open_as_there_are_players(players: int) -> None:
    current, future = offers(new("china", players=players))
    assert (len(current), future) == (players, [])
    assert current == sorted(current)
    with_cartel = offers(new("china", "recharged", players))[0] if players > 2 else current
    assert with_cartel == current


@pytest.mark.rule("A-GEN-7")
def test_the_cartel_counts_as_a_third_player() -> None:
    game = new("china", "recharged", 2, seed=3)
    while game.phase == "cartel":
        game.play(game.legal_moves.choices[0])
    assert offers(game) == ([5, 6, 7], [])
    sell(game, 5)
    assert offers(game) == ([6], [])  # the cartel took 7
    sell(game, 6)
    assert board(game).market.cards == []
    assert game.phase == "fuel"


@pytest.mark.rule("A-CHN-3", "A-CHN-5", "A-CHN-6", "A-CHN-7", "AV-12")
@pytest.mark.parametrize("book", BOOKS)
def test_round_1_with_four_players(book: str) -> None:
    game = new("china", book, 4)
    assert offers(game) == ([5, 6, 7, 8], [])
    sell(game, 5)
    assert offers(game) == ([6, 7, 8], [])  # not replaced
    sell(game, 6, 7, 8)
    idle(game, "bureaucracy")
    assert board(game).market.cards == [9, 10, 12]
    left = at("china", book, 4, plants=PLANTS, market=[7, 8], deck=[9, 10, 12, LAST_CARD])
    idle(left, "bureaucracy")
    assert board(left).market.cards == [8, 9, 10]


@pytest.mark.rule("A-CHN-6")
@pytest.mark.parametrize("book", BOOKS)
def test_nothing_leaves_if_nobody_buys_and_small_plants_stay(book: str) -> None:
    game = late(book, "auction", market=[8, 9, 15], deck=[17, 19, LAST_CARD], cities={0: 9})
    assert legal(game) >= {"pass"}
    idle(game)
    assert board(game).market.cards == [8, 9, 15]


@pytest.mark.rule("A-CHN-7")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("players", "least", "size"), [(3, 1, 2), (4, 2, 3), (5, 2, 4), (6, 3, 5)])
def test_phase_5_draws_and_trims(book: str, players: int, least: int, size: int) -> None:
    plants = {seat: [card] for seat, card in enumerate((40, 42, 44, 36, 37, 38)[:players])}
    full = [8, 10, 12, 13, 14][:size]
    coming = [15, 17, 19, 21, 22, 23]
    game = at("china", book, players, plants=plants, market=full, deck=coming, phase="building")
    idle(game, "bureaucracy")
    assert board(game).market.cards == [*full[least:], *coming[:least]]
    empty = at("china", book, players, plants=plants, market=[], deck=coming, phase="building")
    idle(empty, "bureaucracy")
    assert board(empty).market.cards == coming[:size]
    idle(empty)
    assert board(empty).market.cards == coming[:size]  # nothing happens at its end


@pytest.mark.rule("A-CHN-8", "A-CHN-9", "AV-34")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_starts_step_3_at_once(book: str) -> None:
    game = late(book, market=[27, 28], deck=[31, LAST_CARD, 35, 32, 40, 39, 38], step=2)
    idle(game, "bureaucracy")
    s = board(game)
    assert s.step == 3
    assert s.market.cards == [28, 31, 32, 35]
    assert s.market.deck == [40, 39, 38]  # not shuffled
    stock = s.stock[0]
    idle(game)
    assert s.market.cards == [31, 32, 35, 40]  # its first phase 5 removes the lowest already
    assert s.stock[0] - stock == 4  # refilled as in Step 3
    sold = at("china", book, 4, plants=PLANTS, market=[31, 32, 35, 40], deck=[39], step=3, money=99)
    sell(sold, 35)
    assert offers(sold) == ([31, 32, 39, 40], [])


@pytest.mark.rule("A-CHN-8")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_may_come_when_step_2_starts(book: str) -> None:
    game = late(book, market=[27, 28, 29], deck=[LAST_CARD, 35, 32, 40], cities={0: 7})
    idle(game, "bureaucracy")
    s = board(game)
    begun = [e.step for row in game.log for e in row.events if isinstance(e, StepBegins)]
    assert (s.step, begun) == (3, [2, 3])
    assert s.market.cards == [29, 32, 35, 40]
    assert s.market.deck == []


@pytest.mark.rule("A-CHN-10")
def test_there_is_no_discount_token() -> None:
    game = new("china", "recharged", 3)
    assert game.view(0)["market"]["discount"] is None
    assert "nominate 5 @1" not in legal(game)


@pytest.mark.rule("A-CHN-4")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_replays_through_step_3(book: str) -> None:
    game = hv.new(book, map="china", players=3, seed=5)
    while game.to_move is not None and board(game).step < 3:
        game.play(game.legal_moves.choices[0])
    assert hv.replay(str(game.record())).view() == game.view()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"deck": {"bands": [{"last": 40, "with_step_3": True}]}}, "bands must go up to 50"),
    ({"deck": {"bands": [{"last": 50}]}}, "the Step 3 card lies in one of them"),
    (
        {"deck": {"bands": [{"last": 50, "with_step_3": True}], "top": 13}},
        "top does not go together",
    ),
    ({"deck": {"bands": [{"last": 50, "with_step_3": True}]}}, "has 0 plants before the band"),
    ({"plant_market": {"future": 1}}, "so future must be 0"),
    ({"plant_market": {"current": 3}}, "current 4 or more"),
    ({"deck": {"out": [13]}}, "has to lie in one of deck.bands"),
    ({"phase_5": {"opening": {"4": 3}}}, "opening.4 is 3; everybody buys"),
    ({"phase_5": {"size": {"5": 3}}}, "lacks the numbers for 4 players"),
]


@pytest.mark.parametrize(("change", "fault"), BAD)
def test_what_cannot_be_dealt_is_refused(change: dict[str, Any], fault: str) -> None:
    data = hv.games()["classic"].map("china")
    rules = data["rules"]
    rules["deck"] = change.get("deck", rules["deck"])
    rules["plant_market"] |= change.get("plant_market", {})
    rules["plant_market"]["phase_5"] |= change.get("phase_5", {})
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=4)
    assert any(fault in problem for problem in refused.value.problems), refused.value


def test_numbers_that_are_missing_are_all_that_is_said() -> None:
    """What may be on offer in round 1 cannot be told without them."""
    board_ = json.loads((MAPS / "china.json").read_text("utf-8"))
    del board_["rules"]["plant_market"]["phase_5"]["least"]["3"]
    board_["cities"][0]["country"] = "here"
    board_["rules"]["nuclear_countries"] = ["here"]
    with pytest.raises(hv.MapError, match="phase_5 lacks the numbers for 3 players") as refused:
        hv.new("classic", players=3, map=board_)
    assert len(refused.value.problems) == 1
