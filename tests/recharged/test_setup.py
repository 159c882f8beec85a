"""R-1 and R-2: the pieces, the tables and the set-up; R-14: what everybody sees."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage import rules
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.board import load_map, region_sets
from highvoltage.games.classic import tables as classic_tables
from positions import board, idle, legal, play, refuses
from recharged.start import FUELS, PLAYERS, begin_round, recharged, state, stocks, supplies

PLUGS = range(3, 16)


def new(players: int = 4, seed: int = 1, **options: Any) -> hv.Game:
    return hv.new("recharged", players=players, seed=seed, **options)


def table(rule: str) -> list[list[str]]:
    """The rows of the table in the text of a rule."""
    lines = (line for line in rules.rule(rule).text.splitlines() if line.startswith("|"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if not row[0].startswith("---")]


# Pieces


@pytest.mark.rule("R-1.1.1", "R-1.2.1")
@pytest.mark.parametrize("players", PLAYERS)
def test_tokens_and_plants_are_those_of_the_2004_edition(players: int) -> None:
    game = new(players)
    market = board(game).market
    assert [a + b for a, b in zip(stocks(game), supplies(game), strict=True)] == [24, 24, 24, 12]
    cards = [*market.cards, *market.deck, *market.aside]
    assert sorted(cards) == [*classic_tables.PLANTS, LAST_CARD]
    assert len(cards) == 43


@pytest.mark.rule("R-1.1.3", "R-7.3")
def test_neither_houses_nor_money_run_out() -> None:
    game = recharged(5, cities={0: 22}, money=10**6, phase="building", order=[1, 2, 3, 4, 0])
    for _ in range(13):
        game.play(next(move for move in game.legal_moves if str(move) != "done"))
    assert len(game.view()["players"][0]["cities"]) == 35
    game = recharged(3, money=10**6, phase="bureaucracy")
    idle(game)
    assert [player["money"] for player in game.view()["players"]] == [10**6 + 10] * 3


@pytest.mark.rule("R-1.2.1", "RV-04")
def test_the_plants_of_the_examples() -> None:
    plants = {14: ("14", ["garbage"], 2, 2), 5: ("5", ["coal", "oil"], 2, 1), 33: ("33", [], 0, 4)}
    rooms = {14: [0, 0, 4, 0], 5: [4, 4, 0, 0], 33: [0, 0, 0, 0]}
    for card, (name, fuels, need, powers) in plants.items():
        player = recharged(plants={0: [card]}).view()["players"][0]
        assert player["plants"] == [
            {"card": name, "number": card, "fuels": fuels, "need": need, "powers": powers}
        ]
        assert list(player["room"].values()) == rooms[card]
    game = recharged(market=[13, 14, 15, 16], deck=[], money=100)
    refuses(game, "nominate 14 @13", "bid_below_minimum", "R-4.3.1")
    fields: dict[str, Any] = {"cities": {0: 3}, "phase": "bureaucracy", "order": [0, 1, 2]}
    fuel = {"coal": 1, "oil": 2, "garbage": 3}
    game = recharged(plants={0: [5, 14, 33]}, fuel={0: fuel}, **fields)
    assert {"run 14", "run 33", "run 5:coal,oil", "run 5:oil,oil"} < legal(game)
    assert "run 5:coal,coal" not in legal(game)
    play(game, "run 14")
    assert game.view()["players"][0]["fuel"]["garbage"] == 1
    assert game.view()["players"][0]["supplied"] == 2


@pytest.mark.rule("R-1.2.2", "R-14.1")
def test_the_back_of_the_top_card_is_public() -> None:
    game = new()
    deck = board(game).market.deck
    for _ in range(len(deck)):
        shown = game.view()["market"]["back"]
        assert shown == ("plug" if deck[0] in PLUGS else "socket")  # S3 as socket
        deck.pop(0)
    assert game.view()["market"]["back"] is None
    game = recharged(market=[8, 9, 10, 11, 12, 14, 15], deck=[LAST_CARD, 3], step=2)
    play(game, "pass", "pass", "pass")
    assert game.view()["market"]["back"] == "plug"  # a plant put under the deck keeps its back


@pytest.mark.rule("R-1.3.1", "R-1.3.2", "R-2.4", "R-11.2.1", "RV-01")
@pytest.mark.parametrize("name", ["germany", "usa"])
def test_the_fuel_market_at_the_start(name: str) -> None:
    game = new(map=name)
    assert stocks(game) == [24, 18, 9, 2]
    assert supplies(game) == [0, 6, 15, 10]  # the storage of the USA is empty
    fuel = game.view()["fuel"]
    ladder = [price for price in range(1, 9) for _ in range(3)]
    prices = [ladder, ladder[6:], ladder[15:], [14, 16]]
    assert [fuel[kind]["prices"] for kind in FUELS] == prices


@pytest.mark.rule("R-1.4.1", "R-7.1")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_slots_of_a_city_cost_10_15_20(step: int) -> None:
    cities = {0: ["kiel"], 1: ["kiel"], 2: ["kiel"]}
    costs = []
    for others in range(step):
        game = recharged(
            4,
            regions=["northwest", "west", "northeast", "southwest"],
            step=step,
            cities={3: ["flensburg"]} | {seat: cities[seat] for seat in range(others)},
        )
        costs.append(game.view(3)["connect"]["kiel"] - 4)  # the path from Flensburg
    assert costs == [10, 15, 20][:step]


# Parameters


@pytest.mark.rule("R-1.5", "R-2.2", "RV-02", "RI-16")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_parameters_by_number_of_players(players: int) -> None:
    game = new(players)
    view, market = game.view(), board(game).market
    found = {
        "regions in play": len(view["regions"]),
        "plug plants removed unseen": sum(card in PLUGS for card in market.aside),
        "socket plants removed unseen": sum(card not in PLUGS for card in market.aside),
        "plants in the deck after set-up, without S3": view["market"]["deck"] - 1,
        "most plants a player may own": view["plant_limit"],
        "city count that starts Step 2": view["step_2_cities"],
        "city count that ends the game": view["end_cities"],
        "starting money": view["players"][-1]["money"],
    }
    head, *rows = table("R-1.5")
    column = head.index(str(players))
    assert {name: str(value) for name, value in found.items()} == {
        row[0]: row[column] for row in rows
    }
    assert all(player["cities"] == [] for player in view["players"])


@pytest.mark.rule("R-1.6.1", "R-1.6.2", "R-1.6.3")
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", ["germany", "usa"])
def test_the_refill_is_that_of_the_2004_edition(name: str, players: int, step: int) -> None:
    game = recharged(
        players, map=name, stock=dict.fromkeys(FUELS, 0), step=step, phase="bureaucracy"
    )
    idle(game)
    (row,) = (row for row in table("C-1.6.1") if row[0] == str(players))
    assert stocks(game) == [int(cell.split()[step - 1]) for cell in row[1:]]


@pytest.mark.rule("R-1.6.3")
def test_two_players_may_choose_the_refill_of_three() -> None:
    empty = dict.fromkeys(FUELS, 0)
    option = {"refill_row_two_players": 3}
    game = recharged(2, options=option, stock=empty, step=2, phase="bureaucracy")
    idle(game)
    assert stocks(game) == [5, 3, 2, 1]
    game = recharged(4, options=option, stock=empty, step=2, phase="bureaucracy")
    idle(game)
    assert stocks(game) == [6, 4, 3, 2]
    with pytest.raises(hv.OptionError, match="2 or 3"):
        new(2, refill_row_two_players=4)


@pytest.mark.rule("R-1.7.1", "RV-07")
def test_the_payment_of_the_example() -> None:
    game = recharged(
        plants={0: [7, 10, 15]},
        fuel={0: {"coal": 8, "oil": 6}},
        cities={0: 6},
        money=0,
        phase="bureaucracy",
        order=[0, 1, 2],
    )
    before = supplies(game)
    play(game, "run 7 10 15", "run nothing")
    player = game.view()["players"][0]
    assert (player["supplied"], player["money"]) == (6, 73)
    assert (player["fuel"]["coal"], player["fuel"]["oil"]) == (4, 3)
    assert supplies(game)[:2] == [before[0] + 4, before[1] + 3]
    assert game.view()["players"][1]["money"] == 10


@pytest.mark.rule("R-1.8.1")
@pytest.mark.parametrize(
    ("name", "pair"),
    [("germany", ("essen", "duisburg")), ("usa", ("new_york", "philadelphia"))],
)
def test_cities_joined_for_nothing_are_two_cities(name: str, pair: tuple[str, str]) -> None:
    board_ = load_map(f"{name}_recharged")
    assert (len(board_.regions), len(board_.cities)) == (6, 42)
    region = next(city.region for city in board_.cities if city.id == pair[0])
    regions = next(chosen for chosen in region_sets(board_, 3) if region in chosen)
    fields: dict[str, Any] = {
        "cities": {2: [pair[0]]},
        "money": 10,
        "phase": "building",
        "order": [0, 1, 2],
    }
    game = recharged(map=name, regions=regions, **fields)
    play(game, f"build {pair[1]}")
    assert set(pair) == set(game.view()["players"][2]["cities"])


# Set-up


@pytest.mark.rule("R-2.1")
@pytest.mark.parametrize("players", PLAYERS)
def test_regions_are_given_drawn_or_named(players: int) -> None:
    count = 3 if players < 4 else min(players, 5)
    valid = region_sets(load_map("germany_recharged"), count)
    drawn = {tuple(new(players, seed).view()["regions"]) for seed in range(12)}
    assert drawn <= set(valid)
    assert len(drawn) > 1
    assert tuple(new(players, regions=valid[0]).view()["regions"]) == valid[0]
    named = new(players, regions="draft")
    assert named.phase == "regions"
    refuses(named, "region atlantis", "unknown_region", "R-2.1")
    begin_round(named)
    assert tuple(named.view()["regions"]) in valid
    with pytest.raises(hv.OptionError):
        new(players, regions=["northwest", "northeast", "south"])


@pytest.mark.rule("R-2.3")
def test_the_starting_order_is_drawn() -> None:
    orders = {tuple(new(3, seed).view()["order"]) for seed in range(60)}
    assert len(orders) == 6
    game = hv.new("recharged", players=3, chance=hv.Scripted(order=[2, 1, 0]))
    assert (game.view()["order"], game.to_move) == ([2, 1, 0], 2)
    game.play(game.legal_moves.choices[0])
    assert game.to_move == 0  # bids go by seats


@pytest.mark.rule("R-2.5", "RV-02", "RI-16")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_plant_market_and_the_deck(players: int) -> None:
    drawn = [board(new(players, seed)).market for seed in range(30)]
    for market in drawn:
        assert len(market.cards) == 8
        assert set(market.cards) <= set(PLUGS)
        assert market.cards == sorted(market.cards)
        assert (market.offer, market.future) == (market.cards[:4], market.cards[4:])
        assert market.deck[0] in PLUGS
        assert market.deck[-1] == LAST_CARD
    assert {card for market in drawn for card in market.cards} == set(PLUGS)
    assert len({market.deck[0] for market in drawn}) > 5
    plugs_below = {i for market in drawn for i, card in enumerate(market.deck[1:]) if card in PLUGS}
    assert max(plugs_below) > 20  # shuffled among the sockets
    assert len({tuple(market.deck) for market in drawn}) == 30


@pytest.mark.rule("R-2.5")
def test_every_shuffle_of_the_set_up_can_be_given() -> None:
    chance = hv.Scripted(
        plugs=[15, 3, 14, 4, 13, 5, 12, 6, 11], deck=[40, 10, 50], removed=[7, 16, 17, 18]
    )
    market = board(hv.new("recharged", players=4, chance=chance)).market
    assert market.cards == [3, 4, 5, 6, 12, 13, 14, 15]
    assert market.deck[:4] == [11, 40, 10, 50]
    assert sorted(market.aside) == [7, 16, 17, 18]


@pytest.mark.rule("R-2.6", "R-4.1.1")
def test_the_token_comes_into_play_with_the_first_auction() -> None:
    game = new(2, standard_starting_cities=True)
    assert (game.phase, game.view()["market"]["discount"]) == ("cartel", None)
    begin_round(game)
    assert game.view()["market"]["discount"] == str(board(game).market.cards[0])


@pytest.mark.rule("R-2.7", "R-13.7")
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize("regions", ["random", "draft"])
def test_set_up_ends_with_the_cartel_and_then_the_marks(
    players: int, marks: bool, regions: str
) -> None:
    game = new(players, standard_starting_cities=marks, regions=regions)
    begin_round(game)
    phases = list(dict.fromkeys(row.phase for row in game.log))
    expected = [
        *(["regions"] if regions == "draft" else []),
        *(["cartel"] if players == 2 else []),
        *(["marks"] if marks else []),
    ]
    assert phases == expected
    assert (game.phase, game.state.round) == ("auction", 1)


@pytest.mark.rule("R-2.8")
def test_the_game_starts_in_step_1_and_round_1() -> None:
    view = begin_round(new(2)).view()
    assert (view["step"], view["round"]) == (1, 1)
    assert all(player["plants"] == [] for player in view["players"])
    assert not any(any(player["fuel"].values()) for player in view["players"])


# Information


@pytest.mark.rule("R-14.1")
def test_nobody_sees_what_lies_face_down() -> None:
    one = hv.new("recharged", players=4, chance=hv.Scripted(seed=1, order=[0, 1, 2, 3]))
    record = one.record()
    worlds = [hv.replay(record, seed=seed) for seed in range(8)]
    assert len({tuple(board(world).market.deck) for world in worlds}) == 8
    for seat in (None, 0, 3):
        assert all(world.view(seat) == one.view(seat) for world in worlds)


@pytest.mark.rule("R-14.1")
@pytest.mark.parametrize(("below", "back"), [([7, 40], "plug"), ([40, 7], "socket")])
def test_a_record_keeps_the_back_and_not_the_card(below: list[int], back: str) -> None:
    chance = hv.Scripted(plugs=[3, 4, 5, 6, 8, 9, 10, 11, 12], deck=below, order=[0, 1, 2, 3, 4])
    game = hv.new("recharged", players=5, chance=chance)
    play(game, "nominate 3 @1", "pass", "pass", "pass", "pass")
    assert game.view()["market"]["back"] == back
    record = game.record()
    assert f"top: {back}" in str(record).splitlines()
    tops = set()
    for seed in range(12):
        replayed = hv.replay(str(record), seed=seed)
        assert replayed.view() == game.view()
        assert replayed.record() == record
        tops.add(board(replayed).market.deck[0])
    assert len(tops) > 2
    with pytest.raises(hv.RecordError, match="on top"):
        hv.replay(str(record).replace(f"top: {back}", "top: star"))


@pytest.mark.rule("R-14.1")
def test_money_may_be_hidden() -> None:
    seen = new(3, money="hidden").view(1)["players"]
    assert [player["money"] for player in seen] == [None, 50, None]


@pytest.mark.rule("R-14.2")
def test_the_decisions_of_a_game() -> None:
    """Who decides what, in the order of R-14.2; the cartel decides nothing."""
    game = new(2, regions="draft", standard_starting_cities=True)
    seen: dict[str, set[str]] = {}
    while game.outcome is None:
        assert game.to_move in {0, 1}
        verbs = {move.verb for move in game.legal_moves.choices}
        seen.setdefault(game.phase, set()).update(verbs)
        game.play(game.legal_moves.choices[len(game.log) % len(game.legal_moves.choices)])
    assert seen == {
        "regions": {"region"},
        "cartel": {"place"},
        "marks": {"mark"},
        "auction": {"nominate", "bid", "pass", "scrap"},
        "fuel": {"buy", "done"},
        "building": {"build", "done"},
        "bureaucracy": {"run"},
    }
    refused = new(2)
    refuses(refused, "done", "not_now", "R-14.2")
    refuses(refused, "mark essen", "not_now", "R-14.2")
    assert state(refused).cartel is not None


@pytest.mark.rule("R-11.3.1")
def test_central_europe_is_not_part_of_the_edition() -> None:
    maps = set(hv.games()["recharged"].maps)
    assert {"germany", "usa"} <= maps
    assert "central_europe" not in maps
