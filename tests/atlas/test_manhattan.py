"""Manhattan: one house a space, a price for passing, and a plant market in three stages."""

from collections import Counter
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, PLAYERS, at, new, refills
from highvoltage.engine.events import LaidBy, StageBegins
from highvoltage.engine.parts.board import load_map
from highvoltage.games.classic import tables
from positions import board, idle, legal, offers, play, refuses

PRICES = {10: 17, 15: 15, 20: 14, 25: 13, 30: 10, 35: 8, 40: 6}
BLOCKED = {10: 3, 15: 3, 20: 2, 25: 2, 30: 2, 35: 2}  # of each 14
PLANTS = {0: [42], 1: [44], 2: [46]}


def price(city: str) -> int:
    """What a house costs there."""
    (slot,) = load_map("manhattan").rules.slots[city]
    return slot.cost


def late(book: str = "classic", phase: str = "bureaucracy", **fields: Any) -> hv.Game:
    """Three players late in the first stage."""
    known: dict[str, Any] = {
        "market": [8, 9, 10, 12, 15, 20, 25, 31],
        "deck": [18, 40, 33],
        "plants": PLANTS,
    }
    return at("manhattan", book, 3, phase=phase, **{**known, **fields})


def stages(game: hv.Game) -> list[int]:
    return [e.stage for row in game.log for e in row.events if isinstance(e, StageBegins)]


@pytest.mark.rule("A-MAN-1")
def test_83_spaces_hold_one_house_each() -> None:
    chart = load_map("manhattan")
    assert (chart.regions, len(chart.cities)) == (("manhattan",), 83)
    assert [chart.region_count(players) for players in PLAYERS] == [1] * 5
    assert Counter(price(city.id) for city in chart.cities) == PRICES
    game = late(phase="building", cities={0: ["m1"], 1: ["m5"]}, order=[0, 1, 2], money=200)
    refuses(game, "build m1", "slot_closed", "A-MAN-1")


@pytest.mark.rule("A-MAN-2", "AV-27")
@pytest.mark.parametrize("book", BOOKS)
def test_every_space_passed_costs_5(book: str) -> None:
    game = new("manhattan", book, 6)
    s, area = board(game), board(game).area
    game = at("manhattan", book, 6, phase="building", cities={0: ["m1"], 1: ["m2"]}, money=200)
    costs = game.view(0)["connect"]
    assert (costs["m6"], costs["m9"]) == (35 + 5, 30 + 10)
    assert "m2" not in costs  # taken, but passed on the way
    alone = at("manhattan", book, 6, phase="building", cities={0: ["m1"]}, money=200)
    assert alone.view(0)["connect"]["m2"] == 40
    assert alone.view(1)["connect"]["m9"] == 30  # a first house costs its space only
    way = area.path([area.index["m1"]], area.index["m9"])
    assert len(way) == 4
    assert s.area.distance[way[0]][way[-1]] == 10
    assert s.area.distance[way[-1]][way[0]] == 10


@pytest.mark.rule("A-MAN-3", "AV-28")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_spaces_are_blocked_by_price(book: str, players: int) -> None:
    times = {2: 2, 3: 2, 4: 1}.get(players, 0)
    drawn = set()
    for seed in range(5):
        game = new("manhattan", book, players, seed)
        blocked = game.view().get("blocked", [])
        drawn.add(tuple(blocked))
        assert Counter(map(price, blocked)) == {p: times * n for p, n in BLOCKED.items() if times}
    assert len(drawn) == (5 if times else 1)
    if players == 4:
        left = Counter(price(c.id) for c in load_map("manhattan").cities if c.id not in blocked)
        assert left == {10: 14, 15: 12, 20: 12, 25: 11, 30: 8, 35: 6, 40: 6}


@pytest.mark.rule("A-MAN-3")
@pytest.mark.parametrize("book", BOOKS)
def test_nobody_builds_on_a_blocked_space_but_everybody_passes_it(book: str) -> None:
    script = ("m7", "m12", "m9", "m11", "m16", "m22", "m28", "m29", "m43", "m44", "m52")
    chance = hv.Scripted(blocked=script)
    game = at("manhattan", book, 4, chance=chance, phase="building", money=200, cities={0: ["m3"]})
    seat = game.to_move
    assert {*script} <= {*game.view()["blocked"]}
    refuses(game, "build m7", "city_blocked", "A-MAN-3")
    assert "m7" not in game.view(seat)["connect"]
    assert game.view(0)["connect"]["m8"] == 40 + 5  # by m7 or m4


@pytest.mark.rule("A-MAN-3", "A-GEN-7")
def test_neither_the_cartel_nor_a_mark_stands_on_a_blocked_space() -> None:
    game = new("manhattan", "recharged", 2)
    blocked = game.view()["blocked"]
    assert not {f"place {city}" for city in blocked} & legal(game)
    refuses(game, f"place {blocked[0]}", "city_blocked", "A-MAN-3")
    marks = new("manhattan", "recharged", 3, standard_starting_cities=True)
    refuses(marks, f"mark {marks.view()['blocked'][0]}", "city_blocked", "A-MAN-3")


@pytest.mark.rule("A-MAN-3")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_keeps_the_blocked_spaces(book: str) -> None:
    game = new("manhattan", book, 3)
    text = str(game.record())
    assert hv.replay(text).view() == game.view()
    names = game.view()["blocked"]
    other = next(c.id for c in load_map("manhattan").cities if c.id not in names)
    for wrong in (text.replace(f'"{names[0]}", ', ""), text.replace(f'"{names[0]}"', f'"{other}"')):
        with pytest.raises(hv.RecordError, match="'blocked' names too few"):
            hv.replay(wrong)
    manual = hv.ManualChance(order=[0, 1, 2], regions=["manhattan"], blocked=names[:-1])
    with pytest.raises(hv.ChanceError, match="'blocked' names too few"):
        hv.new(book, map="manhattan", players=3, chance=manual)


@pytest.mark.rule("A-MAN-4")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_refill_is_the_same_every_round(book: str, players: int) -> None:
    printed = {2: (4, 3, 2, 1), 3: (4, 3, 2, 1), 4: (5, 4, 3, 2), 5: (6, 5, 4, 2), 6: (7, 6, 5, 3)}
    found = refills("manhattan", book, players)
    assert [*found.values()] == [(count,) * 3 for count in printed[players]]


@pytest.mark.rule("A-MAN-4")
@pytest.mark.parametrize("book", BOOKS)
def test_there_are_no_steps(book: str) -> None:
    game = late(book, "building", cities={0: 16}, round=6)
    idle(game, "auction")
    assert (board(game).step, game.view(0)["step_2_cities"]) == (1, 0)
    assert all(line.name != "step_2_cities" for line in game.rules.ruleset.lines())


@pytest.mark.rule("A-MAN-5")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deck(book: str, players: int) -> None:
    out = {20, 22, 37} if players < 4 else set()
    tops = set()
    for seed in range(8):
        m = board(new("manhattan", book, players, seed)).market
        assert {*m.removed} == out
        assert len(m.cards) == 8
        assert max(*m.cards, *m.aside, m.deck[0]) <= 15
        assert len(m.aside) == 4
        assert {*m.deck[1:]} == {card for card in tables.PLANTS if card > 15} - out
        tops.add(m.deck[0])
    assert len(tops) > 3


@pytest.mark.rule("A-MAN-6", "AV-30")
def test_the_token_allows_a_second_purchase() -> None:
    game = new("manhattan", "recharged", 3)
    a, b, _ = game.view()["order"]
    cheap = board(game).market.cards[0]
    play(game, f"nominate {cheap} @1")
    while board(game).bidding.card is not None:
        game.play("pass")
    assert game.to_move == a
    assert "pass" in legal(game)  # it has bought, so it may decline
    assert any(move.startswith("nominate") for move in legal(game))
    game.play("pass")
    assert game.to_move == b
    refuses(game, "pass", "must_buy", "R-4.3.3")


@pytest.mark.rule("A-MAN-6")
def test_the_second_purchase_is_the_last_and_the_2004_edition_has_none() -> None:
    game = new("manhattan", "recharged", 3)
    a = game.view()["order"][0]
    for _ in range(2):
        assert game.to_move == a
        card = board(game).market.offer[0]
        game.play(f"nominate {card} @{1 if card == board(game).market.discount else card}")
        while board(game).bidding.card is not None:
            game.play("pass")
    assert len(board(game).players[a].cards) == 2
    assert a not in board(game).bidding.eligible
    old = new("manhattan", "classic", 3)
    first = old.to_move
    card = board(old).market.offer[0]
    play(old, f"nominate {card} @{card}", "pass", "pass")
    assert first not in board(old).bidding.eligible


@pytest.mark.rule("A-MAN-7", "AV-29")
@pytest.mark.parametrize("book", BOOKS)
def test_the_first_stage_lays_two_plants_by(book: str) -> None:
    game = late(book)
    idle(game)
    assert offers(game) == ([8, 9, 10, 12], [15, 18, 20, 40])
    m = board(game).market
    assert (m.pile, m.deck, m.stage) == ((31, 25), [33], 1)
    assert game.view(0)["market"]["pile"] == ["31", "25"]
    assert [e.card for row in game.log for e in row.events if isinstance(e, LaidBy)] == ["31", "25"]
    both = late(book, deck=[44, 40, 33], plants={0: [42], 1: [46], 2: [50]})
    idle(both)
    assert board(both).market.cards == [8, 9, 10, 12, 15, 20, 40, 44]  # both go before any comes


@pytest.mark.rule("A-MAN-8")
@pytest.mark.parametrize("book", BOOKS)
def test_the_pile_is_the_second_deck(book: str) -> None:
    game = late(book, deck=[18])
    board(game).market.pile = (35, 36, 39)
    idle(game)
    m = board(game).market
    assert (m.stage, m.pile, stages(game)) == (2, (), [2])
    assert {*m.cards, *m.deck} == {8, 9, 10, 12, 15, 18, 20, 25, 31, 35, 36, 39}
    assert len(m.cards) == 8
    assert game.view(0)["market"]["slid"] == sorted(map(str, m.deck))
    ends = late(book, deck=[18, 40])  # empty at the end of phase 5
    idle(ends)
    assert board(ends).market.stage == 2
    assert {*board(ends).market.deck} == {25, 31}
    second = late(book, deck=[18, 40, 33])
    board(second).market.stage = 2
    idle(second)
    assert board(second).market.cards == [8, 9, 10, 12, 15, 18, 20, 25]
    assert board(second).market.deck == [40, 33, 31]


@pytest.mark.rule("A-MAN-8", "A-MAN-9")
def test_a_card_that_is_missing_starts_the_next_stage_at_once() -> None:
    game = late(phase="auction", deck=[], money=100)
    board(game).market.pile = (35,)
    play(game, "nominate 8 @8", "pass", "pass")
    assert (board(game).market.stage, board(game).market.cards[-1]) == (2, 35)
    play(game, "nominate 9 @9", "pass")
    m = board(game).market
    assert (m.stage, stages(game)) == (3, [2, 3])
    assert offers(game) == ([10, 12, 15, 20, 25, 31, 35], [])


@pytest.mark.rule("A-MAN-9")
@pytest.mark.parametrize("book", BOOKS)
def test_in_the_last_stage_the_lowest_plant_leaves(book: str) -> None:
    game = late(book, deck=[], market=[10, 12])
    board(game).market.stage = 3
    board(game).market.row = 8
    idle(game)
    assert board(game).market.cards == [12]
    idle(game, "bureaucracy")
    idle(game)
    assert board(game).market.cards == []
    assert game.phase == "fuel"  # nobody could buy


@pytest.mark.rule("A-MAN-7")
def test_a_small_plant_that_comes_in_phase_5_leaves_in_the_2004_edition() -> None:
    game = late(deck=[16, 40, 33], cities={0: 16}, market=[17, 19, 20, 21, 23, 25, 28, 31])
    idle(game)
    assert board(game).market.cards == [17, 19, 20, 21, 23, 25, 33, 40]


@pytest.mark.rule("A-MAN-10")
@pytest.mark.parametrize("book", BOOKS)
def test_the_end(book: str) -> None:
    ends = [new("manhattan", book, players).view()["end_cities"] for players in PLAYERS]
    assert ends == [18, 17, 17, 15, 14]


@pytest.mark.rule("A-MAN-8")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_replays_through_all_stages(book: str) -> None:
    game, rng = new("manhattan", book, 4, seed=3), Random(3)
    while game.to_move is not None and board(game).market.stage < 3:
        game.play(rng.choice(game.legal_moves.choices))
    assert board(game).market.stage == 3
    assert hv.replay(str(game.record())).view() == game.view()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"step_2_cities": {"3": 7}}, "step_2_cities does not go together with plant_market.three_s"),
    ({"deck": {"below_step_3": 1}}, "deck.below_step_3 does not go together"),
    ({"plant_market": {"three_stages": True, "step_3": 5}}, "plant_market.step_3 does not go"),
    ({"plant_market": {"second_purchase": True, "first_pass": True}}, "first_pass does not go"),
    ({"blocked": {"4": {"40": 7}}}, "blocked.4.40 is 7; 6 cities have that price"),
    ({"blocked": {"4": {"10": 17, "15": 15}}}, "too few for anybody to be sure"),
]


@pytest.mark.parametrize(("change", "fault"), BAD)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], fault: str) -> None:
    data = hv.games()["classic"].map("manhattan")
    data["rules"] |= change
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=4)
    assert any(fault in problem for problem in refused.value.problems), refused.value
