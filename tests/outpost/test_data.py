"""O-1 and O-13: the numbers of the game, and its files of cards and maps, good and bad."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import words
from highvoltage.engine.cards import number_of
from highvoltage.engine.errors import CardsError, MapWarning
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import PLAYABLE, Planet, read_board, shipped_board
from highvoltage.games.outpost.cards import Card, read_cards, shipped_cards
from outpost.files import CARDS, MAP, TABLES, card_file, card_in, city_in, map_file
from outpost.positions import PLAYERS, company, game_at, rules, state
from positions import legal, play


def of_kind(kind: str) -> list[Card]:
    return [card for card in shipped_cards().cards if card.kind == kind]


def card(number: int) -> Card:
    return shipped_cards().faces[number]


# The numbers of the game, O-1


@pytest.mark.rule("O-1.1")
def test_component_counts() -> None:
    counts = TABLES["components"]
    assert Counter(card.kind for card in shipped_cards().cards) == {
        "plant": 22,
        "habitat": 15,
        "technology": 8,
        "step3": 1,
    }
    assert Counter(card.back for card in shipped_cards().cards) == {
        "plug": 13,
        "socket": 32,
        None: 1,
    }
    assert sum(shipped_board().connection_tokens.values()) == counts["connection_tokens"] == 46
    assert (tables.STATIONS + 2) * 6 == counts["stations"] == 120
    assert tables.SPACES * 6 == counts["plant_buildings"] == counts["habitat_buildings"] == 24
    assert (counts["workers"], tables.ROBOTS, counts["robots"]) == (50, 9, 9)
    assert TABLES["discount_tokens"]["per_value"] == dict.fromkeys("12345", 4)


@pytest.mark.rule("O-1.2")
@pytest.mark.parametrize(
    ("players", "areas", "sector", "workers", "removed", "deck", "step_2", "end"),
    [
        (2, 1, 3, 30, (2, 6), 38, 7, 18),
        (3, 1, 3, 30, (2, 6), 38, 7, 17),
        (4, 2, 4, 40, (1, 3), 42, 7, 17),
        (5, 3, 5, 50, (0, 0), 46, 7, 15),
        (6, 3, 5, 50, (0, 0), 46, 6, 14),
    ],
)
def test_parameters_by_player_count(
    players: int,
    areas: int,
    sector: int,
    workers: int,
    removed: tuple[int, int],
    deck: int,
    step_2: int,
    end: int,
) -> None:
    game = hv.new("outpost", players=players, seed=3)
    s, book = state(game), rules(game)
    assert len(s.planet.areas) == areas
    assert book.labour.prices.count(1) == book.labour.prices.count(8) == sector
    assert book.labour.prices.count(10) == 2 * sector
    assert s.labour == book.labour.size == workers
    backs = Counter(book.faces[card].back for card in s.market.aside)
    assert (backs["plug"], backs["socket"]) == removed
    turned = sum(event.what == "turned" for event in game.setup_events)
    assert turned + len(s.market.deck) == deck
    assert (book.step_2_cities, book.end_cities) == (step_2, end)
    assert (s.syndicate is not None) == (players == 2)


@pytest.mark.rule("O-1.3")
def test_constants() -> None:
    assert tables.START_MONEY == 60
    assert (tables.STATIONS, tables.SPACES) == (18, 4)
    assert tables.STATION_PRICES == (10, 15, 20)
    assert tables.SPECIAL_PRICE == TABLES["building_costs"]["habitat_building"] == 5
    assert TABLES["building_costs"]["stations_allowed_per_city_by_step"] == {
        "1": 1,
        "2": 2,
        "3": 3,
    }
    assert (tables.PLACES, tables.CURRENT_SIZE, tables.PLACES_IN_STEP_3) == (8, 4, 6)
    assert (tables.PAYMENT[0], tables.PAYMENT[6]) == (10, 73)
    assert tables.LABOUR_PRICES[-1] == 10
    assert tables.DISCOUNT_ROUNDS == (1, 2, 3, 4, 5)
    assert (tables.LOWEST_BID, tables.ROBOTS) == (1, 9)


@pytest.mark.rule("O-1.4.1", "O-1.4.2", "O-1.4.3", "O-13.5")
def test_attested_cards() -> None:
    assert (card(12).workers, card(12).energy) == (2, 2)
    assert (card(3).energy, card(25).energy) == (2, 5)
    assert card(3).workers + card(25).workers == 7
    assert card(26).places == 3
    assert {4, 5, 16, 22} <= set(shipped_cards().faces)
    assert 105 in shipped_cards().faces
    plugs = [number_of(card) for card in shipped_cards().of_back("plug")]
    assert (min(plugs), max(plugs)) == (2, 14)
    (moon,) = shipped_cards().technologies["moon_base"]
    assert (card(moon).workers, card(moon).energy, card(moon).places) == (3, 4, 3)
    assert Counter(card.name for card in of_kind("technology")) == {
        "Data Library": 1,
        "Ecoplants": 1,
        "Robots": 1,
        "Hub Module": 1,
        "Colony": 2,
        "Laboratories": 1,
        "Moon Base": 1,
    }
    assert all(card.energy and not card.places for card in of_kind("plant"))
    assert all(card.places and not card.energy for card in of_kind("habitat"))


@pytest.mark.rule("O-0.2")
def test_the_number_is_price_place_and_rank() -> None:
    game = game_at(3, phase="auction", own={0: "28", 1: "30", 2: "12"}, order=[2, 0, 1])
    s = state(game)
    numbers = list(map(number_of, s.market.offer))
    assert numbers == sorted(numbers)
    assert list(map(s.market.minimum, s.market.offer)) == numbers
    assert rules(game).sorted_order(s) == (1, 0, 2)


@pytest.mark.rule("OR-64")
def test_plug_numbers_repeat() -> None:
    plugs = Counter(card.number for card in shipped_cards().cards if card.back == "plug")
    assert plugs[5] > 1
    data = card_file()
    for each in data["cards"]:
        if each["back"] == "plug":
            each["number"] = 5
    read_cards(data)


@pytest.mark.rule("O-1.4.4")
def test_cards_work_on_the_board_only() -> None:
    game = game_at(3, own={2: "12 26 38 46"})
    book, player = rules(game), company(game, 2)
    assert book.beds_and_need(player) == (0, 0)
    assert book.most_energy(player) == 0
    assert player.uses(book.laboratories)  # from the purchase on
    placed = game_at(3, plants={2: "12"}, habitats={2: "26"}, own={2: "38"}, humans={2: 2})
    assert book.beds_and_need(company(placed, 2)) == (3, 2)
    assert book.most_energy(company(placed, 2)) == 3


@pytest.mark.rule("O-1.4.6", "O-1.4.7", "OR-03", "OT-03")
@pytest.mark.parametrize(("workers", "energy"), [(1, 0), (2, 2), (9, 2)])
def test_a_plant_runs_once_and_whole(workers: int, energy: int) -> None:
    game = game_at(
        3, phase="bureaucracy", plants={0: "12"}, humans={0: workers}, stations={0: "c08 c09 c10"}
    )
    assert rules(game).most_energy(company(game, 0)) == energy
    assert legal(game) == {f"power {cities}" for cities in range(energy + 1)}
    play(game, f"power {energy}")
    assert company(game, 0).money == 60 + tables.PAYMENT[energy]


@pytest.mark.rule("OT-03", "OT-10")
def test_plant_12_costs_12() -> None:
    game = game_at(3, phase="auction", market="[4 8 10 12 | 15 16 17 18]")
    assert "nominate 12 @12" in legal(game)
    assert "nominate 12 @11" not in legal(game)
    assert "nominate 4 @4" in legal(game)
    assert "nominate 4 @3" not in legal(game)


@pytest.mark.rule("OT-04")
def test_habitat_26_has_3_beds() -> None:
    game = game_at(3, habitats={0: "26"})
    assert rules(game).beds_and_need(company(game, 0)) == (3, 0)


@pytest.mark.rule("O-1.6.1", "O-1.6.2", "OR-05", "O-1.6.3")
@pytest.mark.parametrize("players", PLAYERS)
def test_labour_prices(players: int) -> None:
    ladder = rules(hv.new("outpost", players=players, seed=1)).labour
    sector = {2: 3, 3: 3, 4: 4, 5: 5, 6: 5}[players]
    assert [ladder.prices.count(price) for price in (1, 2, 3, 4, 5, 6, 7, 8, 10)] == [
        *[sector] * 8,
        2 * sector,
    ]
    for left in range(1, ladder.size + 1):
        beyond = left - 2 * sector
        assert ladder.price(left) == (10 if beyond <= 0 else 9 - -(-beyond // sector))
    assert ladder.price(0) is None


@pytest.mark.rule("O-1.7", "OR-06")
def test_the_bank_never_runs_out() -> None:
    game = game_at(3, phase="bureaucracy", money=1_000_000)
    play(game, "power 0")
    assert company(game, 0).money == 1_000_010


# Files, O-13


@pytest.mark.rule("O-13.1", "O-13.2")
def test_the_shipped_files_keep_the_contract() -> None:
    assert set(MAP["areas_by_players"]) - {"source"} == {"2", "3", "4", "5", "6"}
    for players in PLAYERS:
        by_players = MAP["areas_by_players"][str(players)]
        assert by_players["extra_small_areas"] == tables.SMALL_AREAS[players]
        assert "center" in by_players["areas"]
        total = TABLES["labour_market"]["total_workers_by_players"][str(players)]
        assert total == tables.WORKERS_IN_SECTOR[players] * sum(tables.SECTOR_SIZES)
    assert [area["size"] for area in MAP["areas"]] == ["large", "small", "small"]
    assert MAP["city_rules"]["station_slot_costs"] == list(tables.STATION_PRICES)
    assert MAP["city_rules"]["building_slot_cost"] == tables.SPECIAL_PRICE
    assert tables.SYNDICATE_STATIONS == 16
    assert tables.SECTOR_SIZES == (1, 1, 1, 1, 1, 1, 1, 1, 2)
    assert len(shipped_board().edges) == 46


@pytest.mark.rule("O-1.5.1", "O-13.2")
def test_every_city_has_one_special_slot_and_the_areas_are_connected() -> None:
    board = shipped_board()
    assert {city.slot for city in board.cities} == {"plant", "habitat"}
    for areas in PLAYABLE:
        planet = Planet(board, areas, board.tokens)
        assert max(map(max, planet.distance)) <= sum(board.tokens)


@pytest.mark.rule("O-13.3")
def test_technologies_are_identified_by_name() -> None:
    data = card_file()
    card_in(data, "technology-10-1")["name"] = "Biblioteka"
    assert read_cards(data).technologies["data_library"] == (10,)


def bad_card(name: str, **fields: Any) -> dict[str, Any]:
    data = card_file()
    card_in(data, name).update(fields)
    return data


@pytest.mark.rule("O-13.2", "O-13.3")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (bad_card("plant-12-1", workers="two"), "card plant-12-1: workers: expected int, got str"),
        (
            bad_card("plant-12-1", workers=-1),
            "card plant-12-1: workers is -1; it must be 0",
        ),
        (bad_card("plant-12-1", energy=0), "card plant-12-1: energy is 0; it must be 1 or more"),
        (bad_card("plant-12-1", places=2), "card plant-12-1: a plant has no places"),
        (
            bad_card("habitat-26-1", places=0),
            "card habitat-26-1: places is 0; it must be 1",
        ),
        (bad_card("plant-12-1", number=15), "card plant-12-1: a plug card is numbered 2 to 14"),
        (bad_card("plant-40-1", number=99), "card plant-40-1: number is 99; it must be 1 to 98"),
        (bad_card("plant-40-1", number=None), "card plant-40-1: number is None"),
        (bad_card("plant-40-1", back=None), "card plant-40-1: back is missing: plug or socket"),
        (bad_card("plant-40-1", back="coil"), "card plant-40-1: back: invalid enum value 'coil'"),
        (bad_card("plant-40-1", technology="robots"), "card plant-40-1: a plant has no technology"),
        (bad_card("plant-40-1", colour="red"), "card plant-40-1: object contains unknown field"),
        (bad_card("step-3", number=99), "card step-3: the Step 3 card has neither number nor back"),
        (bad_card("technology-23-1", technology="droids"), "card technology-23-1: technology is"),
        (
            bad_card("technology-10-1", effect={"card_price_discount": 4}),
            "card technology-10-1: effect card_price_discount is 4; the rules know 5 only",
        ),
        (bad_card("technology-46-1", places=2), "card technology-46-1: places is 2; it must be 3"),
        (bad_card("technology-20-1", places=2), "card technology-20-1: places is 2; it must be 0"),
        (bad_card("plant-12-1", id="plant-08-1"), "card plant-08-1: the id stands more than once"),
        (
            bad_card("plant-12-1", kind="habitat", workers=0, energy=0, places=1),
            "there are 21 cards of kind plant; it must be 22",
        ),
        (bad_card("plant-15-1", back="plug", number=14), "with the back plug; it must be 13"),
        (
            bad_card("technology-20-1", technology="robots", effect={}),
            "there are 0 cards with the technology ecoplants; it must be 1",
        ),
        ({"cards": CARDS["cards"][:-1]}, "there are 0 cards of kind step3; it must be 1"),
        ({"cards": [{"id": 7}]}, "card number 1: id: expected str, got int"),
        ({"deck": []}, "there must be an object with a list 'cards'"),
    ],
)
def test_bad_cards_are_named(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(CardsError) as caught:
        hv.new("outpost", players=3, cards=data)
    assert problem in str(caught.value)


def test_too_many_twins() -> None:
    data = card_file()
    for each in data["cards"]:
        if each["back"] == "socket":
            each["number"] = 20
    with pytest.raises(CardsError, match="number 20 stands on 32 cards"):
        hv.new("outpost", players=3, cards=data)
    sockets = [each for each in data["cards"] if each["back"] == "socket"]
    for number, each in enumerate(sockets[26:], 21):
        each["number"] = number
    hv.new("outpost", players=3, cards=data)  # a letter is left for each of 26


def bad_city(name: str, **fields: Any) -> dict[str, Any]:
    data = map_file()
    city_in(data, name).update(fields)
    return data


def bad_edge(number: int, **fields: Any) -> dict[str, Any]:
    data = map_file()
    data["edges"][number - 1].update(fields)
    return data


NO_SOUTH = [city for city in MAP["cities"] if city["area"] != "south"]


@pytest.mark.rule("O-13.2")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (bad_city("c08", slot="mine"), "city c08: slot: invalid enum value 'mine'"),
        (bad_city("c08", area="west"), "city c08: area: invalid enum value 'west'"),
        (bad_city("c08", id="Dawn Harbor"), "city Dawn Harbor: id: expected str matching regex"),
        (bad_city("c08", id="c09"), "city c09: the id stands more than once"),
        (bad_city("c08", colour="red"), "city c08: object contains unknown field colour"),
        ({**MAP, "cities": NO_SOUTH}, "area south has no city"),
        (bad_city("c08", code="COP"), "city code COP stands more than once"),
        (bad_edge(1, b="c99"), "connection e01: there is no city c99"),
        (bad_edge(1, b="c01"), "connection e01 leads back to its own city c01"),
        (bad_edge(1, areas=["center"]), "connection e01: areas must be those of its ends"),
        (bad_edge(2, a="c02", b="c01", areas=[]), "connection c01-c02 stands more than once"),
        ({**MAP, "edges": MAP["edges"][:-1]}, "there are 45 connections; it must be 46"),
        (bad_edge(39, a="c31", areas=["south"]), "connection c31-c32 stands more than once"),
        (
            {**MAP, "connection_tokens": {"5": 45}},
            "connection_tokens must hold 46 tokens, each worth 0 or more, not 45",
        ),
        ({**MAP, "connection_tokens": {"-1": 46}}, "each worth 0 or more"),
        ({**MAP, "connection_tokens": {"five": 46}}, "connection_tokens"),
        ({**MAP, "labour_prices": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, "labour_prices must be 9 rising"),
        ({**MAP, "labour_prices": [1, 2, 3, 4, 5, 6, 7, 7, 10]}, "labour_prices must be 9 rising"),
        ({"id": "mine"}, "there must be an object with a list 'cities'"),
    ],
)
def test_bad_maps_are_named(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(hv.MapError) as caught:
        hv.new("outpost", players=3, map=data)
    assert problem in str(caught.value)


@pytest.mark.rule("O-13.2")
def test_a_part_that_nothing_joins() -> None:
    data = map_file()
    for number, city in zip((1, 2), ("c05", "c06"), strict=True):
        data["edges"][number - 1] |= {"a": city, "b": "c07" if number == 1 else "c03"}
    with pytest.raises(hv.MapError, match="no connection joins c01 to the other cities"):
        hv.new("outpost", players=5, map=data)


def test_a_board_without_a_canvas_has_one_of_1000_by_1000() -> None:
    data = map_file()
    del data["canvas"]
    assert read_board(data, "mine").canvas == (1000, 1000)


@pytest.mark.rule("O-13.2")
def test_a_small_centre_is_a_warning() -> None:
    data = map_file()
    for edge in data["edges"]:
        edge["areas"] = []
    for city in ("c08", "c09", "c14"):
        city_in(data, city)["area"] = "north"
    read_board(data, "mine")  # just enough for two
    city_in(data, "c15")["area"] = "north"
    with pytest.warns(MapWarning, match="17 cities in the centre"):
        read_board(data, "mine")


def test_unreadable_files(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(hv.MapError, match="it cannot be read"):
        hv.new("outpost", players=3, map=broken)
    with pytest.raises(CardsError, match="cannot be read"):
        hv.new("outpost", players=3, cards=str(broken))
    broken.write_text("{}", encoding="utf-8")
    with pytest.raises(CardsError, match=r"broken\.json is not a deck that can be played:"):
        hv.new("outpost", players=3, cards=str(broken))
    with pytest.raises(hv.MapError, match=r"take planet or a \.json file"):
        hv.new("outpost", players=3, map="mars")


@pytest.mark.rule("O-13.2")
def test_an_owners_files_are_played_and_stored_in_the_record(tmp_path: Path) -> None:
    """Their own faces, map, tokens and prices; nothing is called reconstructed any more."""
    data = card_file()
    for each in data["cards"]:
        del each["source"]
    card_in(data, "plant-12-1")["energy"] = 7
    own_map = map_file()
    for each in [*own_map["cities"], *own_map["edges"]]:
        del each["source"]
    del own_map["source"]
    own_map |= {"connection_tokens": {"3": 46}, "labour_prices": [2, 3, 4, 5, 6, 7, 8, 9, 10]}
    (tmp_path / "cards.json").write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "map.json").write_text(json.dumps(own_map), encoding="utf-8")
    game = hv.new(
        "outpost", players=4, map=tmp_path / "map.json", cards=str(tmp_path / "cards.json"), seed=1
    )
    assert rules(game).faces[12].energy == 7
    assert {cost for _, _, cost in state(game).planet.links} == {3}
    assert rules(game).labour.price(state(game).labour) == 2
    assert (game.view()["reconstructed"], game.view()["note"]) == (False, "")
    for _ in range(30):
        game.play(game.legal_moves[0])
    for record in (str(game.record()), game.record().json()):
        replayed = hv.replay(record)
        assert replayed.view() == game.view()
        assert rules(replayed).faces[12].energy == 7
        stored = replayed.record().options["cards"]
        assert set(stored) == {"cards"} < set(data)  # what is played with, and nothing else
        assert "places" not in card_in(stored, "plant-12-1")
        assert "source" not in city_in(replayed.record().options["map"], "c01")


def test_reconstructed_data_is_marked() -> None:
    game = hv.new("outpost", players=3, seed=1)
    assert game.view()["reconstructed"] is True
    assert "reconstructed" in game.view()["note"]
    assert "reconstructed" in words.say("cards_own_about")  # next to the option
    known = {place["card"]["card"]: place["card"] for place in game.view()["market"]["current"]}
    assert any(face["reconstructed"] for face in known.values())
