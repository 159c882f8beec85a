"""Regions, cities and networks of the expansion boards."""

import json
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOARDS, BOOKS, PLAYERS, at, cost, japan, new, regions_with
from highvoltage.engine.parts.board import is_connected, known_maps, load_map, region_sets
from positions import board, idle, legal, play, position, refuses

FIVE = ("benelux", "baden_wuerttemberg", "japan", "south_africa", "bremen", "australia")
SEVEN = ("north_america", "europe")


# Regions


@pytest.mark.rule("A-GEN-3", "A-0.5", "A-NAM-1", "A-EUR-1", "A-BRE-1")
@pytest.mark.parametrize("map_", BOARDS)
def test_regions_of_the_board(map_: str) -> None:
    chart = load_map(map_)
    if map_ == "manhattan":
        return  # one region
    assert len(chart.regions) == (5 if map_ in FIVE else 7 if map_ in SEVEN else 6)
    assert [chart.region_count(players) for players in PLAYERS] == [3, 3, 4, 5, 5]
    if map_ != "uk_ireland":
        sizes = {sum(city.region == region for city in chart.cities) for region in chart.regions}
        assert sizes == {5 if map_ == "bremen" else 7}


@pytest.mark.rule("A-GEN-3")
@pytest.mark.parametrize("map_", FIVE)
@pytest.mark.parametrize("players", PLAYERS)
def test_five_players_play_on_all_five_regions(map_: str, players: int) -> None:
    game = new(map_, players=players)
    assert len(game.view()["regions"]) == {2: 3, 3: 3, 4: 4, 5: 5, 6: 5}[players]


@pytest.mark.rule("A-BEN-1")
def test_the_regions_of_benelux() -> None:
    cities = {city.id: city for city in load_map("benelux").cities}
    assert cities["luxembourg"].region == cities["arlon"].region == "wallonia_luxembourg"
    assert cities["maastricht"].region == "netherlands_south"


@pytest.mark.rule("A-ITA-4")
def test_livorno_splits_the_centre_of_italy() -> None:
    italy = load_map("italy")
    assert (cost(italy, "livorno", "pisa"), cost(italy, "livorno", "roma")) == (0, 19)
    assert not is_connected(italy, ["centre"])
    assert ("northwest", "northeast", "centre") not in region_sets(italy, 3)
    game = new("italy", regions="draft", players=3)
    refuses(game, "region centre", "region_apart", "A-ITA-4")


@pytest.mark.rule("A-UKI-1", "A-UKI-5")
def test_the_regions_of_uk_and_ireland() -> None:
    chart = load_map("uk_ireland")
    sizes = {r: sum(city.region == r for city in chart.cities) for r in chart.regions}
    assert sizes == {
        "england_south": 8,
        "england_north": 7,
        "scotland": 7,
        "wales": 6,
        "northern_ireland": 5,
        "ireland": 7,
    }
    assert [len(region_sets(chart, count)) for count in (3, 4, 5)] == [15, 11, 5]
    assert is_connected(chart, ["scotland", "england_north", "ireland"])
    assert not is_connected(chart, ["scotland", "wales", "ireland"])


@pytest.mark.rule("A-FRA-5")
def test_paris_is_three_cities() -> None:
    pairs = [("paris_1", "paris_2"), ("paris_1", "paris_3"), ("paris_2", "paris_3")]
    assert [cost("france", *pair) for pair in pairs] == [0, 0, 0]


@pytest.mark.rule("A-ZAF-7")
@pytest.mark.parametrize("city", ["cape_town", "durban", "johannesburg", "pretoria"])
def test_four_cities_of_south_africa_are_two_each(city: str) -> None:
    assert cost("south_africa", f"{city}_north", f"{city}_south") == 0


# Baden-Württemberg: slots

SPECIAL = ("strasbourg", "basel", "augsburg", "nuernberg", "ludwigshafen")


def baden(step: int, cities: dict[int, list[str]], book: str = "classic") -> hv.Game:
    return at(
        "baden_wuerttemberg",
        book,
        3,
        regions=regions_with("baden_wuerttemberg", 3, "west"),
        plants={0: [28], 1: [29], 2: [34]},
        step=step,
        cities=cities,
        money=200,
        phase="building",
        order=[2, 1, 0],
    )


@pytest.mark.rule("A-BAW-5", "AV-10")
@pytest.mark.parametrize("book", BOOKS)
def test_special_cities_open_with_step_2(book: str) -> None:
    connection = cost("baden_wuerttemberg", "offenburg", "strasbourg")
    assert connection is not None
    game = baden(1, {0: ["offenburg"]}, book)
    refuses(game, "build strasbourg", "slot_closed", "A-BAW-5")
    game = baden(2, {0: ["offenburg"], 1: ["offenburg"]}, book)
    assert game.view(0)["connect"]["strasbourg"] == 15 + connection
    play(game, "build strasbourg", "done")
    refuses(game, "build strasbourg", "slot_closed", "A-BAW-5")
    game = baden(3, {0: ["strasbourg"], 1: ["offenburg"], 2: ["offenburg"]}, book)
    play(game, "done")
    assert game.view(1)["connect"]["strasbourg"] == 20 + connection
    play(game, "build strasbourg", "done")
    refuses(game, "build strasbourg", "slot_closed", "A-BAW-5")


@pytest.mark.rule("A-BAW-5")
def test_nobody_starts_in_a_special_city_in_step_1_but_paths_run_through_it() -> None:
    game = new("baden_wuerttemberg", players=5)
    s = board(game)
    closed = [s.area.index[city] for city in SPECIAL]
    assert not {*closed} & {*s.rules.sites.starts(s)}
    assert [slot["cost"] for slot in game.view()["slots"]["basel"]] == [15, 20]


@pytest.mark.rule("A-BAW-5")
def test_paths_run_through_a_closed_city() -> None:
    content = json.loads(known_maps()["baden_wuerttemberg"].path.read_text("utf-8"))
    closed, opened = [{"cost": 15, "step": 2}], [{"cost": 10, "step": 1}]
    content["rules"]["slots"] |= {"offenburg": closed, "strasbourg": opened}
    regions = regions_with("baden_wuerttemberg", 3, "west")
    game = hv.new("classic", map=content, players=3, seed=1, regions=regions)
    area = board(game).area
    near, connection = next(
        (area.cities[city], connection)
        for city, connection in area.neighbours[area.index["offenburg"]]
        if area.cities[city] != "strasbourg"
    )
    position(game, cities={0: [near]}, money=100, phase="building", order=[2, 1, 0])
    assert "build offenburg" not in legal(game)
    assert game.view(0)["connect"]["strasbourg"] == 10 + connection + 5


# Japan


@pytest.mark.rule("A-JPN-3", "A-JPN-6")
@pytest.mark.parametrize("book", BOOKS)
def test_networks_of_japan_start_in_the_big_cities(book: str) -> None:
    game = japan(book=book)
    cities = {"kobe", "osaka", "tokyo", "yokohama"}  # of six, in these regions
    assert legal(game) == {"done"} | {f"build {city}" for city in cities}
    refuses(game, "build nagoya", "start_only", "A-JPN-3")
    play(game, "build tokyo", "done")
    assert game.view(1)["connect"]["tokyo"] == 10  # a second place of 10
    play(game, "build tokyo", "done")
    refuses(game, "build tokyo", "slot_closed", "A-JPN-6")


@pytest.mark.rule("A-JPN-4", "A-JPN-5", "AV-14")
@pytest.mark.parametrize("book", BOOKS)
def test_two_starts_in_the_first_round_and_no_more(book: str) -> None:
    assert cost("japan", "tokyo", "yokohama") == 0
    game = japan(book=book)
    play(game, "build tokyo")
    refuses(game, "build chiba", "no_way", "A-JPN-5")
    refuses(game, "build yokohama", "no_way", "A-JPN-5")
    assert legal(game) == {"done", "start kobe", "start osaka", "start yokohama"}
    play(game, "start yokohama")
    player = board(game).players[0]
    assert (player.money, len(player.starts)) == (80, 2)
    assert legal(game) == {"done"}
    refuses(game, "build osaka", "no_way", "A-JPN-5")
    refuses(game, "start osaka", "no_more_starts", "A-JPN-4")


@pytest.mark.rule("A-JPN-4")
@pytest.mark.parametrize("book", BOOKS)
def test_the_player_chooses_between_a_start_and_a_connection(book: str) -> None:
    game = japan(3, book, cities={0: ["kobe"]})
    assert {"build osaka", "start osaka", "build tokyo", "start tokyo"} <= legal(game)
    assert (game.view(0)["connect"]["osaka"], game.view(0)["start"]["osaka"]) == (13, 10)
    asked = ("build osaka", "start osaka", "build tokyo")
    prices = {move: game.cost(game.parse(move)) for move in asked}
    assert prices == {"build osaka": 13, "start osaka": 10, "build tokyo": 45}
    connected = game.copy()
    play(connected, "build osaka")
    assert (board(connected).players[0].money, len(board(connected).players[0].starts)) == (87, 1)
    assert connected.view(0)["start"] == {"tokyo": 10, "yokohama": 10}
    play(game, "start osaka")
    assert (board(game).players[0].money, len(board(game).players[0].starts)) == (90, 2)
    assert game.view(0)["start"] == {}
    assert game.view(0)["connect"]["tokyo"] == 42
    assert [str(each.log[-1].move) for each in (connected, game)] == ["build osaka", "start osaka"]


@pytest.mark.rule("A-JPN-4")
def test_a_refused_start_says_why() -> None:
    refuses(japan(3), "start tokyo", "first_network", "A-JPN-4")
    game = japan(3, cities={0: ["kobe"], 1: ["tokyo"], 2: ["tokyo"]})
    refuses(game, "start nagoya", "start_only", "A-JPN-3")
    refuses(game, "start kobe", "already_there", "C-7.3.6")
    refuses(game, "start tokyo", "slot_closed", "A-JPN-6")
    refuses(game, "start atlantis", "unknown_city", "C-2.1")
    refuses(japan(3, cities={0: ["kobe"]}, money=9), "start osaka", "cannot_pay_city", "C-7.1.1")
    elsewhere = islands(cities={0: ["dublin"]})
    refuses(elsewhere, "start london_1", "not_now", "C-14")


@pytest.mark.rule("A-JPN-4")
@pytest.mark.parametrize("book", BOOKS)
def test_before_version_3_the_cheaper_of_start_and_connection_counted(book: str) -> None:
    game = japan(3, book, version=2, cities={0: ["kobe"]})
    assert "start" not in game.view(0)
    assert not any(move.startswith("start") for move in legal(game))
    play(game, "build osaka")
    assert (board(game).players[0].money, len(board(game).players[0].starts)) == (90, 2)


def test_two_starts_in_the_first_round_also_where_a_map_has_more_networks() -> None:
    own = hv.games()["classic"].map("japan")
    own["rules"]["networks"]["most"] = 3
    game = hv.new("classic", map=own, players=3, seed=1, regions=("kanto", "chubu", "inland_sea"))
    cities = {0: ["tokyo", "yokohama"]}
    position(game, cities=cities, money=100, phase="building", order=[2, 1, 0], round=1)
    assert legal(game) == {"done"}


@pytest.mark.rule("A-JPN-4")
def test_a_second_network_starts_once_and_both_grow() -> None:
    game = japan(3, cities={0: ["tokyo"]})
    assert game.view(0)["start"]["osaka"] == 10
    play(game, "start osaka")
    s = board(game)
    assert (s.players[0].money, len(s.players[0].starts)) == (90, 2)
    assert game.view()["players"][0]["starts"] == ["tokyo", "osaka"]
    kobe = s.area.distance[s.area.index["osaka"]][s.area.index["kobe"]]
    assert game.view(0)["connect"]["kobe"] == 10 + kobe
    kyoto = cost("japan", "osaka", "kyoto")
    assert kyoto is not None
    assert game.view(0)["connect"]["kyoto"] == 10 + kyoto


@pytest.mark.rule("A-JPN-4")
def test_a_connection_that_costs_nothing_is_not_a_start() -> None:
    game = japan(3, cities={0: ["tokyo"]})
    play(game, "build yokohama")
    assert len(board(game).players[0].starts) == 1
    assert game.view(0)["start"]["osaka"] == 10


@pytest.mark.rule("A-JPN-6")
def test_the_places_of_japan() -> None:
    slots = {
        city: [(slot["cost"], slot["step"]) for slot in places]
        for city, places in new("japan", players=5).view()["slots"].items()
    }
    for city in ("fukuoka", "kobe", "osaka", "sapporo", "tokyo", "yokohama"):
        assert slots.pop(city) == [(10, 1), (10, 1), (20, 3)]
    for city in ("morioka", "saitama", "toyama", "matsue", "miyazaki"):
        assert slots.pop(city) == [(15, 2), (20, 3)]
    for city in ("koriyama", "hamamatsu", "kochi", "oita"):
        assert slots.pop(city) == [(10, 1), (15, 2)]
    assert not slots


@pytest.mark.rule("A-JPN-6")
def test_a_player_without_a_free_start_waits() -> None:
    full = {city: [1, 2] for city in ("kobe", "osaka", "tokyo", "yokohama")}
    game = japan(4, cities={1: [*full], 2: [*full]})
    assert legal(game) == {"done"}
    late = japan(8, cities={1: [*full], 2: [*full]}, step=3)
    assert game.view(0)["connect"] == {}
    assert late.view(0)["connect"]["tokyo"] == 20


@pytest.mark.rule("A-JPN-7")
def test_japan_has_no_other_starting_cities() -> None:
    with pytest.raises(hv.OptionError, match="A-JPN-7"):
        new("japan", "recharged", standard_starting_cities=True)


# United Kingdom & Ireland


def islands(**fields: Any) -> hv.Game:
    known: dict[str, Any] = {
        "regions": ("england_south", "northern_ireland", "ireland"),
        "plants": {0: [28], 1: [29], 2: [34]},
        "money": 100,
        "phase": "building",
        "order": [2, 1, 0],
    }
    return at("uk_ireland", "classic", 3, **{**known, **fields})


@pytest.mark.rule("A-UKI-4", "AV-15")
def test_a_network_on_the_other_island_costs_20_more() -> None:
    game = islands(cities={0: ["dublin"]})
    assert game.view(0)["connect"]["london_1"] == 30
    play(game, "build london_1")
    s = board(game)
    assert (s.players[0].money, len(s.players[0].starts)) == (70, 2)
    assert cost("uk_ireland", "london_1", "london_2") == 0
    assert game.view(0)["connect"]["london_2"] == 10
    taken = islands(cities={0: ["dublin"], 1: ["london_1"]}, step=2)
    refuses(taken, "build london_1", "no_way", "A-UKI-4")
    assert taken.view(0)["connect"]["london_2"] == 30


@pytest.mark.rule("A-UKI-4a")
def test_without_an_empty_city_there_any_free_slot_will_do() -> None:
    chart = load_map("uk_ireland")
    south = [city.id for city in chart.cities if city.region == "england_south"]
    game = islands(cities={0: ["dublin"], 1: south}, step=2)
    assert game.view(0)["connect"]["london_1"] == 15 + 20
    assert {f"build {city}" for city in south} <= legal(game)
    one_left = islands(cities={0: ["dublin"], 1: south[1:]}, step=2)
    reachable = {city for city in one_left.view(0)["connect"] if city in south}
    assert reachable == {south[0]}


@pytest.mark.rule("A-UKI-8")
@pytest.mark.parametrize(("left", "step"), [(0, 2), (1, 1)])
def test_step_2_starts_when_every_city_has_a_house(left: int, step: int) -> None:
    cities = [*board(new("uk_ireland", players=6)).area.cities]
    shares = {seat: cities[seat::6] for seat in range(6)}
    if left:
        shares[0] = shares[0][:-left]
    game = at(
        "uk_ireland",
        "classic",
        6,
        plants={seat: [card] for seat, card in enumerate((28, 29, 34, 36, 38, 40))},
        market=[13, 15, 16, 17, 18, 19, 20, 21],
        phase="building",
    )
    s = board(game)
    s.rules.step_2_cities = 9
    assert len(s.area.cities) == len(cities)
    for seat, own in shares.items():
        for city in own:
            s.houses[s.area.index[city]] = (seat,)
    idle(game, "bureaucracy")
    assert board(game).step == step


@pytest.mark.rule("A-UKI-9")
def test_all_cities_end_the_game_where_there_are_fewer_than_the_threshold() -> None:
    few = new("uk_ireland", players=2, regions=("wales", "northern_ireland", "ireland"))
    assert few.view()["end_cities"] == 18
    many = new("uk_ireland", players=2, regions=("england_south", "england_north", "ireland"))
    assert many.view()["end_cities"] == 21


# South Africa

FOREIGN = {
    "namibia": "springbok",
    "botswana": "rustenburg",
    "zimbabwe": "musina",
    "mozambique": "mbombela",
    "eswatini": "germiston",
    "lesotho": "bloemfontein",
}


def africa(book: str = "classic", **fields: Any) -> hv.Game:
    known: dict[str, Any] = {
        "regions": regions_with("south_africa", 3, "north"),
        "plants": {0: [28], 1: [29], 2: [34]},
        "money": 100,
        "phase": "building",
        "order": [2, 1, 0],
    }
    return at("south_africa", book, 3, **{**known, **fields})


@pytest.mark.rule("A-ZAF-6", "AV-16")
@pytest.mark.parametrize("book", BOOKS)
def test_a_foreign_space_costs_its_path_and_takes_one_house(book: str) -> None:
    assert all(cost("south_africa", *pair) == 30 for pair in FOREIGN.items())
    connection = cost("south_africa", "polokwane", "musina")
    assert connection is not None
    assert africa(book, cities={0: ["polokwane"]}).view(0)["connect"]["zimbabwe"] == 30 + connection
    game = africa(book, cities={0: ["musina"], 1: ["polokwane"]}, step=3)
    play(game, "build zimbabwe")
    assert board(game).players[0].money == 70
    assert len(board(game).players[0].cities) == 2
    play(game, "done")
    refuses(game, "build zimbabwe", "slot_closed", "A-ZAF-6")


@pytest.mark.rule("A-ZAF-6")
def test_a_foreign_space_is_never_a_first_city() -> None:
    game = africa()
    refuses(game, "build zimbabwe", "start_elsewhere", "A-ZAF-6")
    assert {f"build {city}" for city in FOREIGN}.isdisjoint(legal(game))


@pytest.mark.rule("A-ZAF-8")
@pytest.mark.parametrize("book", BOOKS)
def test_18_cities_end_a_game_of_two(book: str) -> None:
    ends = [new("south_africa", book, players).view()["end_cities"] for players in PLAYERS]
    assert ends == [18, 17, 17, 15, 14]


# The cartel


@pytest.mark.rule("A-GEN-7")
def test_the_cartel_stays_out_of_foreign_and_closed_cities_and_off_the_sea() -> None:
    africa_ = new("south_africa", "recharged", 2)
    assert {f"place {city}" for city in FOREIGN}.isdisjoint(legal(africa_))
    baden_ = new("baden_wuerttemberg", "recharged", 2)
    assert {f"place {city}" for city in SPECIAL}.isdisjoint(legal(baden_))
    north = ("northern_ireland", "england_south", "england_north")
    game = new("uk_ireland", "recharged", 2, regions=north)
    placed = 0
    while game.phase == "cartel":
        choices = sorted(legal(game))
        game.play("place belfast" if placed == 0 else choices[0])
        placed += 1
    assert placed == 5  # Northern Ireland has no more
    assert board(game).players[0].cities == ()


@pytest.mark.rule("A-GEN-7")
def test_the_cartel_takes_no_slot_that_a_city_does_not_have() -> None:
    game = at(
        "south_africa",
        "recharged",
        2,
        regions=regions_with("south_africa", 2, "north"),
        plants={0: [28], 1: [29]},
        cities={0: ["musina"]},
        money=100,
        phase="building",
        order=[1, 0],
    )
    play(game, "build zimbabwe", "build polokwane")
    houses = game.view()["houses"]
    assert houses["zimbabwe"] == [0]
    assert houses["polokwane"] == [0, -1]
