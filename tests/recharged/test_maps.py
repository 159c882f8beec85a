"""R-11: what the maps change."""

from typing import Any

import pytest

import highvoltage as hv
from positions import board, idle, legal, play, refuses
from recharged.start import money, owned, recharged, state, stocks, supplies

MARKET = [39, 40, 42, 44]
EMPTY = dict.fromkeys(("coal", "oil", "garbage", "uranium"), 0)


def refill(game: hv.Game) -> list[int]:
    """Play on to the next round; what was added to the market in between."""
    now = game.state.round
    idle(game, "bureaucracy")
    before = stocks(game)
    while game.state.round == now:
        game.play("run nothing")
    return [after - count for count, after in zip(before, stocks(game), strict=True)]


# Germany


@pytest.mark.rule("R-11.1.1", "R-11.1.3", "R-8.4", "RV-23", "RI-12")
@pytest.mark.parametrize(
    ("name", "step", "uranium"), [("germany", 1, 0), ("germany", 2, 0), ("usa", 2, 3)]
)
def test_once_39_is_bought_germany_refills_no_uranium(name: str, step: int, uranium: int) -> None:
    fields: dict[str, Any] = {
        "market": MARKET,
        "deck": [46, 50, 36, 38],
        "step": step,
        "stock": EMPTY,
    }
    game = recharged(5, map=name, money=100, plants={0: [3]}, order=range(5), **fields)
    assert game.view()["fuel"]["uranium"]["refill"] > 0
    play(game, "nominate 39 @1", *["pass"] * 4)
    assert owned(game, 0) == (3, 39)
    assert game.view()["fuel"]["uranium"]["refill"] == uranium
    expected = {1: [5, 4, 3], 2: [7, 5, 3]}[step]
    assert refill(game) == [*expected, uranium]
    assert refill(game)[3] == uranium


@pytest.mark.rule("R-11.1.1")
def test_uranium_on_the_market_is_still_sold_and_burned_uranium_does_not_return() -> None:
    game = recharged(
        plants={2: [39]}, stock={"uranium": 2}, money=100, phase="fuel", order=[0, 1, 2]
    )
    board(game).phased_out = True
    play(game, "buy uranium 2")
    assert money(game, 2) == 100 - 14 - 16
    idle(game, "bureaucracy")
    while game.to_move != 2:
        play(game, "run nothing")
    before = supplies(game)[3]
    play(game, "run 39")
    assert (supplies(game)[3], stocks(game)[3]) == (before + 1, 0)


@pytest.mark.rule("R-11.1.2", "R-11.1.3")
def test_the_phase_out_lasts_whatever_happens_to_39() -> None:
    deck = [46, 50, 36, 38]
    fields: dict[str, Any] = {
        "market": [39, 40, 42, 44],
        "stock": EMPTY,
        "money": 200,
        "order": [0, 1, 2],
    }
    game = recharged(deck=deck, step=3, plants={0: [3, 4]}, **fields)
    play(game, "nominate 39 @1", "pass", "pass")
    assert refill(game)[3] == 0
    while game.to_move != 0:
        play(game, "pass")
    card = game.view()["market"]["current"][-1]["card"]
    play(game, f"nominate {card} @{card}")
    while state(game).bidding.scrapping is None:
        play(game, "pass")
    play(game, "scrap 39")
    assert refill(game)[3] == 0


@pytest.mark.rule("R-11.1.2")
def test_without_a_buyer_of_39_nothing_happens() -> None:
    game = recharged(market=[39, 40, 42, 44], deck=[46, 50], step=3, stock=EMPTY, money=100)
    idle(game)  # 39 leaves the game unsold
    assert "39" in game.view()["market"]["removed"]
    assert refill(game)[3] == 1


@pytest.mark.rule("R-11.1.4")
def test_the_cartel_may_take_39_without_effect() -> None:
    game = recharged(2, market=[3, 4, 5, 39, 40, 42, 44, 46], deck=[50], stock=EMPTY, money=100)
    play(game, "pass")
    assert [plant["number"] for plant in game.view()["cartel"]["plants"]] == [39]
    assert refill(game)[3] == 1


@pytest.mark.rule("R-11.1.1")
def test_the_phase_out_is_a_rule_of_the_map_in_every_edition_that_is_played_on_it() -> None:
    game = hv.new("classic", map="germany_recharged", players=3, seed=1)
    board(game).phased_out = True
    assert game.view()["fuel"]["uranium"]["refill"] == 0


# USA


@pytest.mark.rule("R-6.2", "R-11.2.1", "R-11.2.2", "R-11.2.3", "RV-21", "RI-13")
def test_coal_is_sold_from_the_storage_at_8_when_the_market_has_none() -> None:
    fields: dict[str, Any] = {
        "plants": {0: [8, 20, 25], 1: [31], 2: [36]},
        "fuel": {0: {"coal": 15}, 1: {"coal": 2}},
        "stock": {"coal": 2},
        "money": 100,
        "phase": "fuel",
        "order": [0, 1, 2],
    }
    usa = recharged(map="usa", **fields)
    assert supplies(usa)[0] == 5
    assert usa.view(2)["fuel"]["coal"]["prices"] == [8, 8, 8, 8, 8, 8, 8]
    assert {f"buy coal {count}" for count in range(1, 7)} < legal(usa)
    play(usa, "buy coal 4")
    assert money(usa, 2) == 100 - 32
    assert (stocks(usa)[0], supplies(usa)[0]) == (0, 3)
    play(usa, "done")
    refuses(usa, "buy coal 4", "sold_out", "R-6.1")
    play(usa, "buy coal 3")
    assert money(usa, 1) == 100 - 24
    assert (stocks(usa)[0], supplies(usa)[0]) == (0, 0)

    germany = recharged(**fields)
    refuses(germany, "buy coal 3", "sold_out", "R-6.1")
    assert "buy coal 2" in legal(germany)


@pytest.mark.rule("R-11.2.2", "R-11.2.3")
def test_the_storage_sells_what_money_and_room_allow_and_only_coal() -> None:
    fields: dict[str, Any] = {"map": "usa", "stock": EMPTY, "phase": "fuel", "order": [0, 1, 2]}
    game = recharged(plants={2: [31, 16, 38]}, money=25, **fields)
    assert legal(game) == {"done", "buy coal 1", "buy coal 2", "buy coal 3"}
    refuses(game, "buy coal 4", "cannot_pay", "R-6.1")
    refuses(game, "buy oil 1", "sold_out", "R-6.1")
    game = recharged(plants={2: [4]}, money=100, **fields)
    assert legal(game) == {"done", *(f"buy coal {count}" for count in range(1, 5))}
    refuses(game, "buy coal 5", "no_room", "R-6.1")


@pytest.mark.rule("R-11.2.3")
def test_the_market_sells_before_the_storage() -> None:
    game = recharged(
        map="usa", plants={2: [36]}, stock={"coal": 5}, money=100, phase="fuel", order=[0, 1, 2]
    )
    assert game.view(2)["fuel"]["coal"]["prices"][:6] == [7, 7, 8, 8, 8, 8]
    play(game, "buy coal 2")
    assert (money(game, 2), stocks(game)[0], supplies(game)[0]) == (86, 3, 19)
    play(game, "buy coal 4")
    assert (money(game, 2), stocks(game)[0], supplies(game)[0]) == (54, 0, 18)


@pytest.mark.rule("R-8.3", "R-8.4", "R-11.2.4", "RV-22")
def test_the_refill_takes_coal_from_the_storage() -> None:
    game = recharged(
        4,
        map="usa",
        plants={0: [31, 36], 1: [20]},
        fuel={0: {"coal": 9}, 1: {"coal": 6}},
        stock={"coal": 0},
        phase="bureaucracy",
        order=[0, 1, 2, 3],
    )
    assert supplies(game)[0] == 9
    idle(game)
    assert (stocks(game)[0], supplies(game)[0]) == (5, 4)
    assert game.view()["fuel"]["coal"]["prices"] == [7, 7, 8, 8, 8, *[8] * 4]


@pytest.mark.rule("R-8.3", "R-11.2.4")
def test_burned_and_returned_coal_goes_to_the_storage() -> None:
    fields: dict[str, Any] = {
        "map": "usa",
        "plants": {0: [4, 10, 13]},
        "fuel": {0: {"coal": 8}},
        "stock": EMPTY,
    }
    game = recharged(phase="bureaucracy", order=[0, 1, 2], **fields)
    play(game, "run 10")
    assert supplies(game)[0] == 16 + 2
    game = recharged(market=[14, 40, 42, 44], deck=[50], money=100, order=[0, 1, 2], **fields)
    play(game, "nominate 14 @1", "pass", "pass", "scrap 4 returning coal 4")
    assert supplies(game)[0] == 16 + 4


# Other maps


@pytest.mark.rule("R-11.3.1")
def test_a_map_of_another_edition_can_still_be_played() -> None:
    game = hv.new("recharged", map="central_europe", players=3, seed=1)
    assert stocks(game) == [24, 18, 9, 5]
    with pytest.raises(hv.MapError):
        hv.new("recharged", map="atlantis", players=3)
    assert hv.replay(str(game.record())).view() == game.view()
