"""The Indian Subcontinent: dear fuel bought token by token, a duty to supply, and outages."""

from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, FUELS, PLAYERS, at, cost, new, prices
from highvoltage import bots, codec, table
from highvoltage.engine.events import Income, OutageBegins
from highvoltage.games.classic import tables
from highvoltage.games.recharged.state import RechargedState
from highvoltage.views.board import income
from positions import board, legal, play, refuses

GARBAGE = {6: (2, 2), 14: (3, 4), 19: (3, 4), 24: (3, 4), 30: (4, 6), 38: (4, 6)}


def fuel_phase(book: str = "classic", **fields: Any) -> hv.Game:
    """Three players with a coal plant each; seat 2 buys first."""
    known = {"plants": {0: [4], 1: [8], 2: [10]}, "money": 50, "order": [0, 1, 2]}
    return at("india", book, 3, **{**known, "phase": "fuel", **fields})


@pytest.mark.rule("A-IND-1", "A-IND-2")
@pytest.mark.parametrize("book", BOOKS)
def test_ladders_and_tokens(book: str) -> None:
    shelves = new("india", book).view(0)["fuel"]
    counts = [4, 4, 3, 3, 3, 3, 2, 2]
    coal = [price for price, count in enumerate(counts, 1) for _ in range(count)]
    assert shelves["coal"]["ladder"] == coal
    assert shelves["oil"]["ladder"] == [price for price in range(1, 9) for _ in range(3)]
    assert shelves["garbage"]["ladder"] == [price for price in range(1, 7) for _ in range(4)]
    assert shelves["uranium"]["ladder"] == [*range(1, 9)]
    assert [shelves[fuel]["stock"] + shelves[fuel]["supply"] for fuel in FUELS] == [24, 24, 24, 8]
    late = at("india", book, step=3).view(0)["fuel"]
    assert [late[fuel]["prices"][0] for fuel in FUELS] == [1, 2, 2, 6]


@pytest.mark.rule("A-IND-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_plant_11_is_out(players: int) -> None:
    for book in BOOKS:
        m = board(new("india", book, players)).market
        assert m.removed == [11]
        assert 11 not in {*m.cards, *m.deck, *m.aside}


@pytest.mark.rule("A-IND-5")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("step", "highest"), [(1, 3), (2, 5), (3, 8)])
def test_fuel_is_bought_up_to_a_price_only(book: str, step: int, highest: int) -> None:
    game = fuel_phase(book, step=step)
    view = game.view(2)
    assert view["max_price"] == highest
    for fuel in FUELS:
        shelf = view["fuel"][fuel]
        tokens = shelf["ladder"][len(shelf["ladder"]) - shelf["stock"] :]
        assert shelf["prices"] == [price for price in tokens if price <= highest]
    cheap = fuel_phase(book, step=step, plants={2: [23]}, stock={"uranium": 9 - highest})
    play(cheap, "buy uranium 1")
    assert board(cheap).players[2].money == 50 - highest
    if step < 3:
        dear = fuel_phase(book, step=step, plants={2: [23]}, stock={"uranium": 8 - highest})
        assert legal(dear) == {"done"}
        refuses(dear, "buy uranium 1", "above_max_price", "A-IND-5")


@pytest.mark.rule("A-IND-6")
@pytest.mark.parametrize("book", BOOKS)
def test_buying_goes_round_with_one_token_a_turn(book: str) -> None:
    game = fuel_phase(book)
    assert game.view(2)["tokens_a_turn"] == 1
    assert legal(game) == {"buy coal 1", "done"}
    refuses(game, "buy coal 2", "tokens_a_turn", "A-IND-6")
    movers = []
    for move in ("buy coal 1", "done", "buy coal 1", "buy coal 1", "buy coal 1", "done", "done"):
        movers.append(game.to_move)
        play(game, move)
    assert movers == [2, 1, 0, 2, 0, 2, 0]  # who passes is out
    assert game.phase == "building"
    assert [player.fuel[0] for player in board(game).players] == [2, 0, 2]


@pytest.mark.rule("A-IND-6")
def test_the_last_buyer_goes_on_alone() -> None:
    game = fuel_phase()
    play(game, "done", "done", "buy coal 1", "buy coal 1", "buy coal 1", "buy coal 1")
    assert (game.to_move, legal(game)) == (0, {"done"})  # plant 4 is full


@pytest.mark.rule("A-IND-6", "A-GEN-7")
def test_the_cartel_takes_its_fuel_after_the_first_turn() -> None:
    game = at(
        "india", "recharged", 2, plants={0: [4], 1: [8]}, money=50, phase="fuel", order=[0, 1]
    )
    s = board(game)
    assert isinstance(s, RechargedState)
    assert s.cartel is not None
    s.cartel.cards = (23, 30)  # uranium from 6, which nobody can buy in Step 1
    coal, _, garbage, uranium = s.stock
    play(game, "buy coal 1")
    assert s.cartel.fuel == (0, 0, 4, 0)
    assert s.stock[0] == coal - 1
    assert s.stock[2:] == [garbage - 4, uranium]
    play(game, "buy coal 1", "done", "done")
    assert s.cartel.fuel == (0, 0, 4, 0)


@pytest.mark.rule("A-IND-7", "AV-20")
@pytest.mark.parametrize("book", BOOKS)
def test_garbage_plants_burn_more_and_store_as_before(book: str) -> None:
    game = at("india", book, plants={0: [6, 30]}, fuel={0: {"garbage": 8}}, phase="bureaucracy")
    s = board(game)
    for card, (need, store) in GARBAGE.items():
        plant = s.plants.plants[card]
        assert (plant.need, plant.store, plant.powers) == (need, store, tables.PLANTS[card].powers)
    assert s.plants.rooms((6,), (0, 0, 0, 0))[2] == 2
    assert s.plants.rooms((30,), (0, 0, 0, 0))[2] == 6
    shown = game.view(0)["players"][0]
    assert [(plant["need"], plant["store"]) for plant in shown["plants"]] == [(2, 2), (4, 6)]
    assert shown["room"]["garbage"] == 0
    assert s.plants.missing((6, 30), (0, 0, 1, 0))[2] == 5


@pytest.mark.rule("A-IND-8", "AV-35")
@pytest.mark.parametrize("book", BOOKS)
def test_everybody_supplies_as_many_cities_as_they_can(book: str) -> None:
    fields: dict[str, Any] = {"plants": {0: [4, 5]}, "cities": {0: 2}, "order": [0, 1, 2]}
    held = {"coal": 2, "oil": 2}
    game = at("india", book, fuel={0: held}, phase="bureaucracy", **fields)
    assert legal(game) == {"run 4 5:oil,oil"}
    refuses(game, "run 4", "must_supply", "A-IND-8")
    refuses(game, "run nothing", "must_supply", "A-IND-8")
    fields["cities"] = {0: 1}
    one = at("india", book, fuel={0: held}, phase="bureaucracy", **fields)
    assert {"run 4", "run 5:oil,oil", "run 4 5:oil,oil"} <= legal(one)  # equal ways: a choice
    assert "run nothing" not in legal(one)


@pytest.mark.rule("A-IND-9", "AV-21")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("built", "pay"), [(8, 54), (9, 39)])
def test_too_many_new_houses_are_an_outage(book: str, built: int, pay: int) -> None:
    fields: dict[str, Any] = {"plants": {0: [24]}, "fuel": {0: {"garbage": 3}}, "cities": {0: 5}}
    game = at("india", book, 4, order=[0, 1, 2, 3], phase="bureaucracy", money=0, **fields)
    board(game).built = built
    view: Any = game.view(0)
    assert income(view, 0, 4) == pay
    assert income(view, 0, 0) == max(0, pay - 44)  # 10 for no city, and never less than nothing
    assert income(view, 0, 99) == pay + 96  # 150 for 20 cities or more
    play(game, "run 24")
    assert board(game).players[0].money == pay


@pytest.mark.rule("A-IND-9")
@pytest.mark.parametrize("book", BOOKS)
def test_an_outage_is_announced_and_counted_for_one_round(book: str) -> None:
    game = at(
        "india", book, 2, money=500, order=[0, 1], phase="building", plants={0: [13], 1: [18]}
    )
    s = board(game)
    for _ in range(3):
        play(game, next(move for move in map(str, game.legal_moves) if move.startswith("build")))
    play(game, "done")
    assert game.view(0)["outage"] == {"built": 3, "most": 4, "loss": 3}
    for _ in range(2):
        play(game, next(move for move in map(str, game.legal_moves) if move.startswith("build")))
    assert s.built == 5
    play(game, "done")
    events = [event for row in game.log for event in row.events]
    assert OutageBegins(5, 3) in events
    assert game.rules.run_income(s, 0) == 22 - 2 * 3
    play(game, "run 13")
    assert game.log[-1].events[0] == Income(0, 22 - 2 * 3, 1)
    play(game, next(move for move in map(str, game.legal_moves)))
    assert game.log[-1].events[0] == Income(1, 33 - 3 * 3, 2)
    assert s.built == 0
    few = at("india", book, 2, money=500, order=[0, 1], phase="bureaucracy", cities={0: 9})
    board(few).built = 5
    assert game.rules.run_income(board(few), 0) == 0  # never below 0


@pytest.mark.rule("A-IND-10")
def test_three_places_are_two_cities_each() -> None:
    for place in ("bengaluru", "delhi", "mumbai"):
        assert cost("india", f"{place}_1", f"{place}_2") == 0


def test_start_prices() -> None:
    assert prices("india", "coal")[:9] == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    assert prices("india", "uranium") == []  # from 6 on the market, up to 3 for sale


# Players who are programs


@pytest.mark.parametrize("kind", ["clerk", "engineer"])
def test_bots_buy_token_by_token(kind: str) -> None:
    game = fuel_phase(cities={2: 2})
    bot = bots.make(kind, 1)
    bought = []
    while game.phase == "fuel":
        move = bot.choose(game.view(2), game.legal_moves).move if game.to_move == 2 else "done"
        bought += [str(move)] if game.to_move == 2 else []
        game.play(move)
    assert bought[:2] == ["buy coal 1", "buy coal 1"]
    assert bought[-1] == "done"


def test_a_bot_names_the_income_that_an_outage_leaves() -> None:
    game = at(
        "india",
        players=3,
        plants={0: [13, 18]},
        cities={0: 1},
        order=[0, 1, 2],
        phase="bureaucracy",
    )
    board(game).built = 7
    why = bots.make("clerk", 1).choose(game.view(0), game.legal_moves).why
    assert why is not None
    assert why.values["pay"] == 22 - 3 == game.rules.run_income(game.state, 0)


def test_the_codec_shows_the_houses_of_the_round() -> None:
    game = fuel_phase()
    code = codec.make("classic", "india", 3)
    s = board(game)
    assert list(code.observe(game.view(2))["outage"]) == [0, 0.25, 0]
    s.built = 7
    assert code.observe(game.view(2))["outage"][2] == 1


BAD: list[tuple[dict[str, Any], str]] = [
    ({"storage": {"coal": 8}}, "storage does not go together with max_price"),
    ({"shifting": ["oil"]}, "shifting does not go together with max_price"),
    (
        {"plants": [{"number": 6, "kind": "garbage", "need": 3, "powers": 1, "store": 2}]},
        "card 6 burns 3 and stores 2",
    ),
    (
        {"plants": [{"number": 13, "kind": "eco", "need": 0, "powers": 1, "store": 2}]},
        "a plant that burns nothing has none",
    ),
]


@pytest.mark.parametrize(("change", "fault"), BAD)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], fault: str) -> None:
    data = hv.games()["classic"].map("india")
    data["rules"] |= change
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=4)
    assert any(fault in problem for problem in refused.value.problems), refused.value


def test_a_preview_ends_with_the_turn() -> None:
    game = fuel_phase()
    shown = table.preview.preview_moves(game, 0, ["buy coal 1"])
    assert (shown.stop, shown.legal, shown.cost) == ("turn", [], 1)


def test_the_codec_knows_what_a_garbage_plant_stores() -> None:
    game = at(
        "india",
        plants={0: [24, 30, 38]},
        fuel={0: {"garbage": 16}},
        market=[13, 20, 25, 26, 29, 31, 32, 33],
        money=99,
        order=[0, 1, 2],
    )
    play(game, "nominate 13 @13", "pass", "pass")
    code, view = codec.make("classic", "india", 3), game.view(0)
    assert "scrap 24 returning garbage 4" in legal(game)
    for move in game.legal_moves:
        assert code.move(view, code.index(view, move)) == move
