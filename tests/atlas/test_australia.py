"""Australia: mines and their market, a way for 20 to any city, and dearer fuel in Step 3."""

from itertools import combinations
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, FUELS, PLAYERS, at, cost, new, printed_refill, refills
from highvoltage import bots, codec
from highvoltage.bots.clerk.mines import mine_worth
from highvoltage.engine.events import Mined, UraniumUsed
from highvoltage.engine.moves import Sell
from highvoltage.engine.parts.board import is_connected, load_map, region_sets
from highvoltage.games.recharged.state import RechargedState
from positions import board, idle, legal, offers, play, refuses

MINES = {11: 2, 23: 3, 28: 4, 34: 5, 39: 6}
LADDER = [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]


def selling(
    book: str = "classic", mines: dict[int, list[int]] | None = None, stock: int = 6, **fields: Any
) -> hv.Game:
    """Phase 5 with three players in the order 0, 1, 2, who have these mines and no plants."""
    known: dict[str, Any] = {"order": [0, 1, 2], "phase": "bureaucracy", "plants": {}, "money": 0}
    game = at("australia", book, 3, **{**known, **fields})
    s = board(game)
    for seat, cards in (mines or {}).items():
        s.players[seat].mines = tuple(cards)
        s.market.aside = [card for card in s.market.aside if card not in cards]
        s.market.cards = [card for card in s.market.cards if card not in cards]
        s.market.deck = [card for card in s.market.deck if card not in cards]
    s.mine_stock = stock
    return game


def run_nothing(game: hv.Game) -> None:
    for _ in board(game).players:
        play(game, "run nothing")


def mined(game: hv.Game) -> list[tuple[int, int, int]]:
    events = (event for row in game.log for event in row.events)
    return [(e.seat, e.amount, e.tokens) for e in events if isinstance(e, Mined)]


@pytest.mark.rule("A-AUS-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_any_regions_may_be_chosen(players: int) -> None:
    chart = load_map("australia")
    count = chart.region_count(players)
    assert region_sets(chart, count) == tuple(combinations(chart.regions, count))
    assert is_connected(chart, ["west", "queensland"])
    apart = ("west", "queensland", "victoria_tasmania")
    for book in BOOKS:
        assert new("australia", book, 3, regions=apart).view()["regions"] == [*apart]
    drafted = new("australia", players=3, regions="draft")
    play(drafted, "region west")
    assert legal(drafted) == {f"region {region}" for region in chart.regions if region != "west"}


@pytest.mark.rule("A-AUS-2")
@pytest.mark.parametrize("book", BOOKS)
def test_the_fuel_market_has_no_uranium(book: str) -> None:
    shelves = new("australia", book).view(0)["fuel"]
    assert (shelves["uranium"]["ladder"], shelves["uranium"]["supply"]) == ([], 0)
    assert [shelves[fuel]["prices"][0] for fuel in FUELS[:3]] == [1, 3, 4]


@pytest.mark.rule("A-AUS-3")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_refill_and_the_tokens_taken_off(book: str, players: int) -> None:
    row = printed_refill("A-AUS-3")[players]
    found = refills("australia", book, players)
    assert {fuel: found[fuel] for fuel in FUELS[:3]} == {fuel: row[fuel] for fuel in FUELS[:3]}
    assert found["uranium"] == (0, 0, 0)
    market = board(new("australia", book, players)).rules.mine_market
    assert market is not None
    assert market.used == row["uranium off"]


@pytest.mark.rule("A-AUS-4")
@pytest.mark.parametrize("book", BOOKS)
def test_five_cards_are_mines_and_17_is_out(book: str) -> None:
    s = board(new("australia", book, 5))
    assert s.market.removed == [17]
    found = {card: plant.mined for card, plant in s.plants.plants.items() if plant.mined}
    assert found == MINES
    assert not any(plant.fuels == (3,) for card, plant in s.plants.plants.items() if card != 17)


@pytest.mark.rule("A-AUS-5")
@pytest.mark.parametrize("book", BOOKS)
def test_a_mine_is_bought_like_a_plant_but_is_none(book: str) -> None:
    game = at(
        "australia",
        book,
        3,
        plants={0: [15, 20, 25], 1: [8], 2: [10]},
        market=[23, 26, 29, 30, 31, 32, 33, 35],
        money=100,
        order=[0, 1, 2],
        step=2,
    )
    play(game, "nominate 23 @23", "pass", "pass")
    s = board(game)
    assert (s.players[0].mines, s.players[0].cards) == ((23,), (15, 20, 25))
    assert s.bidding.scrapping is None  # it does not count for the limit
    assert game.to_move == 1  # it was this player's card of the round
    shown = game.view(1)["players"][0]
    assert [plant["mine"] for plant in shown["mines"]] == [3]
    assert [plant["card"] for plant in shown["plants"]] == ["15", "20", "25"]
    assert s.plants.ready((15, 20, 25), (0, 0, 0, 0)) == ()
    assert shown["room"]["uranium"] == 0


@pytest.mark.rule("A-AUS-5")
@pytest.mark.parametrize("book", BOOKS)
def test_a_mine_counts_for_the_turn_order(book: str) -> None:
    game = selling(book, {0: [11], 1: [39]}, 12, plants={0: [33], 1: [3], 2: [35]})
    idle(game)
    assert board(game).order == (1, 2, 0)  # 39 beats 35 and 33


@pytest.mark.rule("A-AUS-5")
def test_a_mine_satisfies_the_duty_to_buy_in_round_1() -> None:
    game = at("australia", "recharged", 3, market=[3, 4, 5, 11, 12, 13, 14, 15], round=1, plants={})
    while game.phase == "auction":
        card = 11 if 11 in offers(game)[0] else offers(game)[0][-1]
        bid = 1 if card == board(game).market.discount else card
        play(game, f"nominate {card} @{bid}" if board(game).bidding.card is None else "pass")
    first = next(player for player in board(game).players if player.mines)
    assert (first.mines, first.cards) == ((11,), ())
    idle(game, "bureaucracy")
    assert "run nothing" in legal(game)


@pytest.mark.rule("A-AUS-6", "AV-17")
@pytest.mark.parametrize("book", BOOKS)
def test_the_market_of_the_mines_is_full_at_the_start(book: str) -> None:
    game = new("australia", book)
    shown = game.view(0)["mines"]
    assert (shown["ladder"], shown["stock"], shown["price"]) == (LADDER, 12, None)
    full = selling(book, {0: [39]}, 12)
    run_nothing(full)
    assert mined(full) == []  # nobody is asked
    assert board(full).mine_stock == 11


@pytest.mark.rule("A-AUS-7", "AV-17")
@pytest.mark.parametrize("book", BOOKS)
def test_mines_sell_at_the_dearest_free_price(book: str) -> None:
    game = selling(book, {0: [11, 23]}, 6)  # 2 and 3 cities; spaces up to 4 are free
    run_nothing(game)
    assert legal(game) == {"sell", "done"}
    assert game.view(0)["mines"] == {
        "ladder": LADDER,
        "stock": 6,
        "price": 4,
        "pays": 20,
        "used": 1,
        "selling": True,
    }
    refuses(game, "run nothing", "not_now", "C-14" if book == "classic" else "R-14.2")
    money = board(game).players[0].money
    play(game, "sell")
    assert board(game).players[0].money - money == 20
    assert mined(game) == [(0, 20, 2)]
    assert UraniumUsed(1) in game.log[-1].events
    assert board(game).mine_stock == 6 + 2 - 1


@pytest.mark.rule("A-AUS-7")
@pytest.mark.parametrize("book", BOOKS)
def test_the_last_player_sells_first_and_may_wait(book: str) -> None:
    game = selling(book, {0: [39], 2: [11], 1: [23]}, 9, step=2)
    run_nothing(game)
    assert game.to_move == 2
    play(game, "sell")  # at 3, then the space is taken
    assert game.to_move == 1
    play(game, "done")
    play(game, "sell")
    assert mined(game) == [(2, 6, 1), (0, 12, 1)]  # 3 x 2, then 2 x 6
    assert board(game).mine_stock == 11 - 2
    few = selling(book, {0: [11, 23, 28]}, 11)
    run_nothing(few)
    play(few, "sell")
    assert mined(few) == [(0, 18, 1)]  # all mines are paid, one token finds a space


@pytest.mark.rule("A-AUS-8")
@pytest.mark.parametrize("book", BOOKS)
def test_in_the_last_round_mines_are_paid_and_nothing_is_taken_off(book: str) -> None:
    game = selling(
        book, {0: [11], 2: [23]}, 6, phase="building", cities={0: 17}, step=3, plants={}, money=5
    )
    while game.outcome is None:
        play(game, "done")
    assert mined(game) == [(2, 12, 1), (0, 8, 1)]
    assert [score["money"] for score in game.outcome.scores] == [13, 5, 17]
    assert board(game).mine_stock == 8


@pytest.mark.rule("A-AUS-9", "AV-18")
@pytest.mark.parametrize("book", BOOKS)
def test_a_way_to_any_city_costs_20_at_most(book: str) -> None:
    regions = ("west", "new_south_wales", "queensland")
    fields: dict[str, Any] = {"regions": regions, "phase": "building", "order": [1, 2, 0]}
    game = at("australia", book, 3, cities={0: ["perth"]}, money=200, **fields)
    connect = game.view(0)["connect"]
    assert {connect[city] for city in ("sydney_1", "brisbane", "cairns", "broome")} == {10 + 20}
    assert connect["bunbury"] == 10 + 4
    play(game, "build sydney_1")
    assert game.view(0)["connect"]["canberra"] == 10 + 8
    play(game, "build cairns", "build canberra")
    assert board(game).players[0].money == 200 - 30 - 30 - 18
    area = board(game).area
    assert max(map(max, area.distance)) == 20
    assert game.view(0)["connection_at_most"] == 20  # so that the page draws no longer route


@pytest.mark.rule("A-AUS-10", "AV-19")
@pytest.mark.parametrize("book", BOOKS)
def test_every_price_rises_by_2_in_step_3(book: str) -> None:
    fields: dict[str, Any] = {"plants": {2: [4]}, "money": 50, "order": [0, 1, 2], "phase": "fuel"}
    early = at("australia", book, 3, step=2, **fields).view(2)["fuel"]["coal"]
    late = at("australia", book, 3, step=3, stock={"coal": 24}, **fields)
    coal = late.view(2)["fuel"]["coal"]
    assert coal["ladder"] == [price + 2 for price in early["ladder"]]
    assert (coal["prices"][:3], coal["prices"][-3:]) == ([3, 3, 3], [10, 10, 10])
    play(late, "buy coal 4")
    assert board(late).players[2].money == 50 - 3 - 3 - 3 - 4
    assert late.view()["fuel"]["garbage"]["ladder"][0] == 3


@pytest.mark.rule("A-AUS-11")
def test_two_places_are_two_cities_each() -> None:
    for place in ("melbourne", "sydney"):
        assert cost("australia", f"{place}_1", f"{place}_2") == 0


@pytest.mark.rule("A-AUS-5", "A-GEN-7")
def test_the_cartel_keeps_a_mine_among_its_plants_and_sells_nothing() -> None:
    game = at("australia", "recharged", 2, market=[3, 4, 5, 11, 12, 13, 14, 15], round=3, money=50)
    s = board(game)
    assert isinstance(s, RechargedState)
    assert s.cartel is not None
    s.mine_stock = 6
    play(game, "pass")
    assert s.cartel.cards == (11,)
    idle(game)
    idle(game, "bureaucracy")
    assert s.cartel.fuel == (0, 0, 0, 0)
    idle(game)
    assert mined(game) == []


# Players who are programs


@pytest.mark.parametrize("kind", ["clerk", "engineer"])
def test_bots_buy_a_mine_that_pays_and_sell_from_it(kind: str) -> None:
    game = at(
        "australia",
        players=3,
        market=[11, 29, 31, 33, 35, 36, 37, 38],
        plants={0: [13], 1: [18], 2: [22]},
        cities={0: 1, 1: 2, 2: 2},
        money=40,
        order=[0, 1, 2],
        step=2,
    )
    s = board(game)
    s.mine_stock = 0
    bot = bots.make(kind, 1)
    choice = bot.choose(game.view(0), game.legal_moves)
    assert str(choice.move).startswith("nominate 11")
    assert choice.why is not None
    assert choice.why.code == "mine"
    sale = selling(mines={2: [11]})
    run_nothing(sale)
    choice = bot.choose(sale.view(2), sale.legal_moves)
    assert (str(choice.move), choice.why.values) == ("sell", {"pay": 8})


def test_what_a_mine_is_worth_follows_the_market() -> None:
    game = selling(mines={0: [11]}, stock=6)
    view: Any = game.view(0)
    plant = {"card": "23", "mine": 3}
    # Both mines sell each round and one token leaves: 6, 7 and 8 tokens.
    assert mine_worth(view, plant, 3) == 3 * (4 + 4 + 3)
    assert mine_worth(selling(stock=12).view(0), plant, 1) == 0  # type: ignore[arg-type]


def test_the_codec_knows_mines_and_selling() -> None:
    game = selling(mines={0: [11, 23], 2: [39]})
    code = codec.make("classic", "australia", 3)
    run_nothing(game)
    view, legal_moves = game.view(2), game.legal_moves
    mask = code.mask(view, legal_moves)
    indexes = {str(code.move(view, int(index))): index for index in mask.nonzero()[0]}
    assert indexes.keys() == {"sell", "done"}
    assert indexes["sell"] == code.index(view, Sell()) == code.spec.num_actions - 1
    seen = code.observe(view)
    assert seen["mine_market"].tolist() == pytest.approx([6 / 12, 4 / 10, 1 / 12])
    assert seen["mines"][:3, 0].tolist() == pytest.approx([1 / 5, 2 / 5, 0])
    offered = at("australia", players=3, market=[11, 23, 29, 31, 33, 35, 36, 37], step=2).view(0)
    assert code.observe(offered)["market_mines"][:3, 0].tolist() == pytest.approx([2 / 7, 3 / 7, 0])


def changed(**rules: Any) -> dict[str, Any]:
    data: dict[str, Any] = hv.games()["classic"].map("australia")
    data["rules"] = {key: value for key, value in (data["rules"] | rules).items() if value}
    return data


BAD = [
    (changed(connection_at_most=None), "rules.connection_at_most must say what a way"),
    (changed(mines=None), "card 11 is a mine; say in mines where it sells"),
    (changed(shifting=["oil"]), "shifting does not go together with step_3_prices"),
    (changed(max_price=[3, 5, 8]), "max_price does not go together with step_3_prices"),
    (
        changed(mines={"spaces": {"2": 12}, "used": {"2": [1, 1, 1]}}),
        "rules.mines.used lacks the numbers for 4 players",
    ),
]


@pytest.mark.parametrize(("data", "fault"), BAD)
def test_what_cannot_be_played_is_refused(data: dict[str, Any], fault: str) -> None:
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=4)
    assert any(fault in problem for problem in refused.value.problems), refused.value


def test_without_its_rules_the_regions_would_fall_apart() -> None:
    with pytest.raises(hv.OptionError, match="cannot be played without its own rules"):
        new("australia", map_rules=False)
