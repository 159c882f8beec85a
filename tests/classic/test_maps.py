"""C-12: the special rules of the maps; C-1.2.6."""

import json
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from positions import board, classic, idle, legal, offers, play, position, refuses

FUELS = ("coal", "oil", "garbage", "uranium")
NUCLEAR = [11, 17, 23, 28, 34, 39]
EAST = ("poland_southeast", "czechia", "austria", "slovakia", "hungary")
CORNER = ("poland_southeast", "czechia", "austria")
COUNTRY = {  # a city of each country and whether it opens the auction of nuclear plants
    "krakow": False,
    "gdansk": False,
    "graz": False,
    "wien": False,
    "brno": True,
    "kosice": True,
    "budapest": True,
}


def europe(players: int = 3, *, on: bool = True, **at: Any) -> hv.Game:
    game = hv.new("classic", map="central_europe", players=players, seed=1, map_rules=on)
    return position(game, **at)


@pytest.mark.rule("C-12.1", "C-12.2", "C-1.6.1")
def test_germany_and_usa_play_alike() -> None:
    germany, usa = (hv.new("classic", map=name, players=4, seed=1) for name in ("germany", "usa"))
    assert germany.view()["fuel"] == usa.view()["fuel"]
    for name in ("germany", "usa"):
        game = classic(5, map=name, market=[11, 12, 13, 14, 15, 16, 17, 18], money=100)
        assert {f"nominate {card} @{card}" for card in (11, 12, 13, 14)} <= legal(game)
        assert board(game).rules.fuel_market.refills == board(classic(5)).rules.fuel_market.refills


@pytest.mark.rule("C-12.3", "C-12.3.1", "C-1.3.4", "CV-13")
def test_the_rules_of_central_europe_are_on_by_default() -> None:
    game = hv.new("classic", map="central_europe", players=3, seed=1)
    assert game.view()["fuel"]["uranium"]["prices"] == [8, 10, 12, 14, 16]
    idle_game = classic(
        map="central_europe", stock=dict.fromkeys(FUELS, 0), phase="bureaucracy", step=2
    )
    idle(idle_game)
    assert board(idle_game).stock == [6, 2, 3, 1]


# Nuclear plants


@pytest.mark.rule("C-12.3.2", "C-12.3.3", "C-1.2.6", "C-1.8.3")
@pytest.mark.parametrize("city", [None, *COUNTRY])
@pytest.mark.parametrize("plant", [*NUCLEAR, 13, 46, 50])
def test_who_may_nominate_and_bid_for_a_nuclear_plant(city: str | None, plant: int) -> None:
    allowed = plant not in NUCLEAR or (city is not None and COUNTRY[city])
    regions = ("poland_northwest", *EAST[:2], "austria") if city == "gdansk" else EAST
    players = len(regions)
    names = {1: [city]} if city else {}
    game = classic(
        players,
        map="central_europe",
        regions=regions,
        cities={0: ["praha"], **names},
        market=[plant],
        deck=[],
        step=3,
        money=100,
        order=[1, 0, *range(2, players)],
    )
    if allowed:
        assert (game.to_move, f"nominate {plant} @{plant}" in legal(game)) == (1, True)
        play(game, "pass")
    assert game.to_move == 0

    game = classic(
        players,
        map="central_europe",
        regions=regions,
        cities={0: ["praha"], **names},
        market=[plant],
        deck=[],
        step=3,
        money=100,
        order=range(players),
    )
    play(game, f"nominate {plant} @{plant}")
    assert (game.to_move == 1) == allowed


@pytest.mark.rule("C-12.3.2")
def test_a_barred_plant_is_refused_with_its_rule() -> None:
    market = [11, 12, 13, 14, 15, 16, 17, 18]
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["krakow", "graz"]},
        market=market,
        money=100,
        order=[0, 1, 2],
    )
    refuses(game, "nominate 11 @11", "barred", "C-12.3.2")
    assert "nominate 12 @12" in legal(game)


@pytest.mark.rule("C-12.3.2")
def test_one_city_in_the_three_countries_is_enough() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["krakow", "graz", "brno"]},
        market=[11, 12, 13, 14, 15, 16, 17, 18],
        money=100,
        order=[0, 1, 2],
    )
    assert "nominate 11 @11" in legal(game)


@pytest.mark.rule("C-12.3.3")
def test_nobody_buys_plant_11_in_round_1() -> None:
    chance = hv.Scripted(deck=[11, 14], order=[0, 1, 2, 3, 4, 5])
    game = hv.new("classic", map="central_europe", players=6, chance=chance)
    for card, bidders in ((6, 5), (7, 4), (8, 3), (9, 2), (10, 1)):
        play(game, f"nominate {card} @{card}", *["pass"] * bidders)
    assert offers(game)[0] == [3, 4, 5, 11]
    assert legal(game) == {"nominate 3 @3", "nominate 4 @4", "nominate 5 @5"}
    refuses(game, "nominate 11 @11", "barred", "C-12.3.2")


@pytest.mark.rule("C-12.3.4")
@pytest.mark.parametrize("bid", [11, 30])
def test_if_all_others_are_barred_the_opening_bid_wins_at_once(bid: int) -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["brno"], 1: ["graz"]},
        market=[11, 12, 13, 14, 15, 16, 17, 18],
        deck=[20, 21],
        money=100,
        order=[0, 1, 2],
    )
    play(game, f"nominate 11 @{bid}")
    assert (board(game).players[0].cards, board(game).players[0].money) == ((11,), 100 - bid)
    assert (game.to_move, board(game).bidding.eligible) == (1, (1, 2))
    play(game, "nominate 12 @12")
    assert game.to_move == 2  # still in


@pytest.mark.rule("C-12.3.4", "C-4.2.4")
def test_a_nominator_passes_if_everything_is_barred_or_too_expensive() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["krakow"], 1: ["brno"]},
        market=[11, 17, 23, 28, 30, 31, 32, 33],
        money=100,
        order=[0, 1, 2],
    )
    assert (game.to_move, board(game).bidding.eligible) == (1, (1, 2))
    play(game, "pass")
    assert game.phase == "fuel"

    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["krakow"], 1: ["brno"]},
        market=[11, 20, 23, 28, 30, 31, 32, 33],
        money={0: 19, 1: 19, 2: 25},
        order=[0, 1, 2],
    )
    assert (game.to_move, board(game).bidding.eligible) == (1, (1, 2))
    assert legal(game) == {"pass"} | {f"nominate 11 @{bid}" for bid in range(11, 20)}


@pytest.mark.rule("C-12.3.5")
def test_a_nuclear_plant_runs_and_is_fuelled_anywhere() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["krakow"]},
        plants={0: [11]},
        money=100,
        phase="fuel",
        order=[1, 2, 0],
    )
    play(game, "buy uranium 2")
    idle(game, "bureaucracy")
    play(game, "run nothing", "run nothing", "run 11")
    assert board(game).players[0].supplied == 1


# Wien


@pytest.mark.rule("C-12.3.6", "C-12.3.7", "CV-14")
@pytest.mark.parametrize(
    ("stock", "count", "price"), [(6, 3, 21), (24, 3, 3), (22, 4, 1 + 2 + 2 + 2)]
)
def test_wien_takes_one_off_each_garbage(stock: int, count: int, price: int) -> None:
    for city, off in (("wien", 1), ("graz", 0)):
        game = classic(
            map="central_europe",
            regions=CORNER,
            cities={0: [city]},
            plants={0: [14, 10]},
            stock={"garbage": stock},
            money=price - off * count,
            phase="fuel",
            order=[1, 2, 0],
        )
        assert f"buy garbage {count + 1}" not in legal(game)
        prices = game.view(0)["fuel"]["garbage"]["prices"]
        assert sum(prices[:count]) == price - off * count
        play(game, f"buy garbage {count}")
        assert board(game).players[0].money == 0
        assert board(game).stock[2] == stock - count
        assert board(game).stock[0] == 24


@pytest.mark.rule("C-12.3.7")
def test_with_wien_a_garbage_on_space_1_is_free() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        cities={0: ["wien"]},
        plants={0: [14, 10]},
        stock={"garbage": 24, "coal": 24},
        money=0,
        phase="fuel",
        order=[1, 2, 0],
    )
    assert legal(game) == {"done", *(f"buy garbage {count}" for count in (1, 2, 3))}
    play(game, "buy garbage 3")
    assert game.view(1)["fuel"]["garbage"]["prices"][:4] == [2, 2, 2, 3]
    assert legal(game) == {"done"}


@pytest.mark.rule("C-12.3.7")
def test_wien_counts_only_for_its_owner_and_once_it_is_connected() -> None:
    game = classic(
        map="central_europe",
        regions=CORNER,
        plants={0: [14], 1: [19], 2: [24]},
        money=100,
        phase="fuel",
        order=[1, 2, 0],
    )
    play(game, "buy garbage 1", "done", "done", "done")
    assert board(game).players[0].money == 93
    play(game, "build wien", "done")
    idle(game, "fuel")
    garbage = [game.view(seat)["fuel"]["garbage"]["prices"] for seat in range(3)]
    assert garbage[1] == garbage[2] == [price + 1 for price in garbage[0]]


@pytest.mark.rule("C-12.3.6")
def test_where_wien_is_not_in_play_nobody_pays_less() -> None:
    game = classic(
        map="central_europe",
        regions=("poland_northwest", "poland_southeast", "czechia"),
        cities={0: 21},
        plants={0: [14]},
    )
    assert game.view(0)["fuel"]["garbage"]["prices"][0] == 7


@pytest.mark.rule("C-12.3.8", "C-12.3")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_without_its_rules_central_europe_plays_like_germany(step: int) -> None:
    game = europe(on=False, market=[11, 12, 13, 14, 15, 16], deck=[20], money=100, step=step)
    assert game.view()["fuel"]["uranium"]["prices"] == [14, 16]
    assert "nominate 11 @11" in legal(game)
    game = europe(on=False, stock=dict.fromkeys(FUELS, 0), phase="bureaucracy", step=step)
    idle(game)
    assert board(game).stock == {1: [4, 2, 1, 1], 2: [5, 3, 2, 1], 3: [3, 4, 3, 1]}[step]
    game = hv.new(
        "classic",
        map="central_europe",
        players=3,
        seed=1,
        map_rules=False,
        regions=CORNER,
    )
    position(game, cities={0: ["wien"]}, plants={0: [14]}, phase="fuel", order=[1, 2, 0])
    assert game.view(0)["fuel"]["garbage"]["prices"][0] == 7


def test_a_map_in_the_current_folder_is_named_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = hv.games()["classic"].map("germany")
    Path("heath.json").write_text(json.dumps({**data, "id": "heath"}), encoding="utf-8")
    assert hv.new("classic", map="heath.json", players=2).view()["map"] == "heath"
    with pytest.raises(hv.MapError, match="there is no map of this name"):
        hv.new("classic", map="heath", players=2)
    with pytest.raises(hv.MapError, match="cannot be read"):
        hv.new("classic", map="below/heath", players=2)


@pytest.mark.parametrize("rulebook", ["classic", "recharged"])
@pytest.mark.parametrize("name", ["germany", "heath"])
def test_a_record_contains_a_custom_map_whole(rulebook: str, name: str) -> None:
    """Even one with the id of a shipped map: the game is played on the map that was given."""
    data = hv.games()["classic"].map("germany")
    (a, b, cost), *others = data["connections"]
    own = {**data, "id": name, "connections": [[a, b, cost + 20], *others]}
    game = hv.new(rulebook, map=own, players=2, seed=1, regions=["northwest", "northeast", "west"])
    again = hv.replay(str(game.record()))
    assert again.record().options["map"]["connections"][0] == [a, b, cost + 20]
    for each in (game, again):
        area = board(each).area
        assert area.distance[area.index[a]][area.index[b]] > cost
    shipped = hv.new("classic", map="germany", players=2, seed=1)
    assert shipped.record().options["map"] == "germany"
