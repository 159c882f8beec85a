"""K-1: plants, fuel cards, parameters."""

from collections import Counter

import pytest

import highvoltage as hv
from cardgame.positions import PLAYERS, game_at, money, rooms, state, store
from highvoltage.games.cardgame import cards, fuel, tables
from positions import legal, play, refuses

FACES = cards.shipped().faces


@pytest.mark.rule("K-1.1")
def test_there_are_13_small_and_29_large_plants_and_end() -> None:
    backs = Counter(face.back for face in FACES.plants)
    assert backs == {"small": 13, "large": 29}
    s = state(hv.new("cardgame", players=6, seed=1))
    assert len(s.market.cards) + len(s.market.deck) + len(s.market.aside) == 43


@pytest.mark.rule("K-1.2", "KR-39")
def test_there_are_51_fuel_cards() -> None:
    counts = {mark: Counter[str]() for mark in ("basic", "+", "++", "single")}
    for row in FACES.fuel:
        mark = "basic" if row.marking in cards.BASIC else row.marking
        counts[mark][row.kind] += row.count
    assert counts == {
        "basic": {"coal": 12, "gas": 10, "oil": 9, "uranium": 5},
        "+": dict.fromkeys(tables.FUELS, 1),
        "++": dict.fromkeys(tables.FUELS, 1),
        "single": {"coal": 2, "gas": 2, "oil": 2, "uranium": 1},
    }


@pytest.mark.rule("KR-01")
def test_the_supply_never_runs_out_of_money() -> None:
    game = game_at(3, own={0: "35"}, store={0: "uranium2"}, money=500, phase="bureaucracy")
    play(game, "run 35")  # more than the 540 of the box are out already
    assert money(game)[0] == 514


@pytest.mark.rule("K-1.4", "K-1.4.1", "K-1.4.2", "K-1.4.3", "K-1.4.4")
def test_a_plant_shows_number_fuel_need_and_income() -> None:
    seen = {
        plant["card"]: plant
        for plant in game_at(3, market="4b 5c 6 9 12 13 14 26").view()["market"]["current"]
    }
    assert seen["4b"] == {
        "card": "4b",
        "number": 4,
        "fuels": ["oil"],
        "need": 2,
        "income": 6,
        "back": "small",
    }
    kinds = {face.burns for face in FACES.plants}
    assert kinds == {"coal", "gas", "oil", "uranium", "hybrid", "eco"}


@pytest.mark.rule("TV-K-01", "K-1.5", "K-1.6")
def test_a_coal_plant_burns_exactly_its_need() -> None:
    assert "nominate 12 @12" in legal(game_at(3, market="2 3 4 12 13 14 15 16"))
    short = game_at(3, own={0: "12"}, store={0: "coal2"}, phase="bureaucracy")
    assert rooms(short, 0)["coal"] == 4
    refuses(short, "run 12", "run_no_fuel", "KR-23")
    game = game_at(3, own={0: "12"}, store={0: "coal3 coal3"}, phase="bureaucracy", money=0)
    assert rooms(game, 0)["coal"] == 0
    refuses(game, "run 12 12", "run_twice", "K-1.5")
    play(game, "run 12")
    assert store(game, 0) == "coal3"
    assert money(game)[0] == 9


@pytest.mark.rule("TV-K-02", "K-1.7")
def test_a_hybrid_burns_and_stores_any_mix_of_gas_and_oil() -> None:
    game = game_at(3, own={0: "7"}, store={0: "gas3 oil3"}, phase="bureaucracy", money=0)
    runs = {"run 7:gas,gas,gas", "run 7:gas,gas,oil", "run 7:gas,oil,oil", "run 7:oil,oil,oil"}
    assert legal(game) == {"run nothing", *runs}
    refuses(game, "run 7:gas,gas", "run_mix", "K-1.7")
    refuses(game, "run 7", "run_mix", "K-1.7")
    play(game, "run 7:gas,oil,oil")
    assert money(game)[0] == 8
    rules = cards.shipped().rules
    for gas in range(8):
        for oil in range(8):
            assert rules.fits((7,), (0, gas, oil, 0)) == (gas + oil <= 6)


@pytest.mark.rule("TV-K-03", "K-1.8")
def test_an_eco_plant_runs_without_fuel_and_stores_none() -> None:
    game = game_at(3, own={0: "8"}, phase="bureaucracy", money=0)
    assert set(rooms(game, 0).values()) == {0}
    play(game, "run 8")
    assert money(game)[0] == 6


@pytest.mark.rule("K-1.9", "K-5.4.4")
def test_a_card_is_turned_down_and_at_0_discarded() -> None:
    game = game_at(3, own={0: "4 4c"}, store={0: "coal3"}, discard="", phase="bureaucracy")
    twin = game.copy()
    play(game, "run 4c")  # burns 2
    assert store(game, 0) == "coal3/1"
    assert state(game).discard == []
    play(twin, "run 4 4c")  # two plants draw on the same card
    assert store(twin, 0) == ""
    assert state(twin).discard == [fuel.CARDS["coal3"]]


@pytest.mark.rule("K-1.10", "K-1.11")
@pytest.mark.parametrize("players", PLAYERS)
def test_parameters_by_player_count(players: int) -> None:
    small, large, deck, markings, per_column = {
        2: (1, 5, 28, {"2-6"}, 4),
        3: (2, 6, 26, {"2-6"}, 4),
        4: (1, 3, 30, {"2-6", "4-6"}, 5),
        5: (0, 0, 34, {"2-6", "4-6", "5-6"}, 6),
        6: (0, 0, 34, {"2-6", "4-6", "5-6"}, 6),
    }[players]
    s = state(hv.new("cardgame", players=players, seed=3))
    backs = [s.rules.card_back(card) for card in s.market.aside]
    assert (backs.count("small"), backs.count("large")) == (small, large)
    assert len(s.market.deck) == deck + 1
    used = sum(row.count for row in FACES.fuel if row.marking in markings)
    assert [len(column) for column in s.columns] == [0, per_column, per_column, per_column]
    assert len(s.pile) == used - 3 * per_column
    assert (s.bank is not None) == (players == 2)


@pytest.mark.rule("K-1.12")
def test_constants() -> None:
    assert (tables.PLANT_LIMIT, tables.CURRENT_SIZE, tables.LATE_MARKET_SIZE) == (3, 4, 6)
    assert (tables.BASIC_INCOME, tables.MONEY_PER_POINT, tables.START_MONEY) == (1, 10, 12)
    game = game_at(
        3, columns={1: "coal", 2: "coal1", 3: "coal1", 4: "coal1"}, own={2: "12"}, money=10
    )
    play(game, "pass", "pass", "pass")
    for price in (1, 2, 3, 4):
        play(game, f"buy coal 1 from {price}")
    assert money(game)[2] == 0
