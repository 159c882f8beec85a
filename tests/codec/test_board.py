"""The codec of the board games: where everything is in it, and what it refuses."""

from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

import highvoltage as hv
from atlas.boards import japan
from highvoltage import bots, codec
from highvoltage.codec.board.layout import CITIES, Extras, parts_of
from highvoltage.codec.cardgame.codec import CardCodec
from highvoltage.codec.cardgame.layout import CARDS
from highvoltage.codec.outpost.codec import OutpostCodec
from highvoltage.codec.outpost.layout import CITIES as OUTPOST_CITIES
from highvoltage.engine.moves import Bid, Buy, Nominate, Run, Scrap, Start
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.plant import Plant


@pytest.fixture
def game() -> hv.Game:
    return hv.new("classic", map="germany", players=4, seed=7)


@pytest.fixture
def view(game: hv.Game) -> dict[str, Any]:
    return game.view(game.to_move)


def test_an_index_means_the_same_for_every_map_and_number_of_players() -> None:
    specs = [codec.spec("classic", "usa", 2), codec.spec("recharged", "germany", 5)]
    for one, two in zip(*(spec.heads for spec in specs), strict=True):
        assert (one.name, one.first) == (two.name, two.first)
    assert [spec.num_actions for spec in specs] == [877, 377]
    assert specs[0].parts == specs[1].parts


@pytest.mark.rule("A-JPN-4")
def test_starting_a_network_comes_after_all_other_indexes() -> None:
    plain, own = codec.spec("classic", "usa", 3), codec.spec("classic", "japan", 3)
    assert own.heads[:-1] == plain.heads
    assert own.parts[:-2] == plain.parts
    assert (own.heads[-1].name, own.heads[-1].first, own.heads[-1].size) == ("start", 377, CITIES)
    assert codec.spec("classic", "uk_ireland", 3).heads == plain.heads  # no choice over the sea
    game = japan(3, cities={0: ["kobe"]})
    view = game.view(0)
    build, start = (codec.index(view, game.parse(f"{verb} osaka")) for verb in ("build", "start"))
    assert start - build == 377 - own.head("city").first
    mask = codec.mask(view, game.legal_moves)
    assert mask[[build, start]].all()
    assert mask[377:].sum() == 3
    assert codec.move(view, start) == Start("osaka")
    observation = codec.observe(view)
    assert observation["starts"][start - 377, 0] == pytest.approx(1 - 10 / 80)
    assert observation["networks"][:, 0].tolist() == [0.25, 0, 0, 0, 0, 0]
    game.play("start osaka")
    observation = codec.observe(game.view(0))
    assert observation["networks"][0, 0] == 0.5
    assert not observation["starts"].any()


def test_bids_go_by_steps_and_always_hold_the_highest(game: hv.Game) -> None:
    code = codec.of(game.view(game.to_move))
    game.play("nominate 4 @4")
    view = game.view(game.to_move)
    first = code.spec.head("bid").first
    bids = [code.move(view, first + at) for at in range(codec.BIDS)]
    assert bids == [Bid(amount) for amount in (5, 6, 7, 9, 12, 17, 25, 38, 50)]
    assert code.index(view, Bid(16)) == first + 4
    assert code.index(view, Bid(49)) == first + 7


def test_no_bid_has_two_indexes(game: hv.Game) -> None:
    """The highest is 33 above the lowest, which is a step already."""
    game.play("nominate 6 @16")
    view = game.view(game.to_move)
    head = codec.of(view).spec.head("bid")
    mask = codec.mask(view, game.legal_moves)[head.first : head.end]
    assert mask.tolist() == [True] * 8 + [False]
    with pytest.raises(codec.CodecError, match="bid 8 of the table is not possible from 17 to 50"):
        codec.move(view, head.first + 8)


def test_the_index_of_a_hybrid_gives_the_coal_it_burns(view: dict[str, Any]) -> None:
    plants = codec.observe(view)["plants"]
    assert not plants.any()
    view["phase"] = "bureaucracy"
    own = view["players"][view["seat"]]
    own["plants"] = [view["market"]["current"][0], view["market"]["current"][2]]  # 3 and 5
    run = Run(((3, ()), (5, ("coal", "oil"))))
    at = codec.index(view, run) - codec.of(view).spec.head("run").first
    assert at == 1 + 5 * 2
    assert codec.move(view, codec.index(view, run)) == run
    with pytest.raises(codec.CodecError, match="plant 5 does not run with 3 coal"):
        codec.move(view, codec.of(view).spec.head("run").first + 5 * 4)


def test_a_hybrid_that_burns_more_than_the_code_has_room_for_is_refused() -> None:
    with pytest.raises(codec.CodecError, match="hybrid that burns 4; the code has room for 3"):
        CardCodec("cardgame", 3, {10: Plant(10, (1, 2), 4, 5)})
    CardCodec("cardgame", 3, {10: Plant(10, (1, 2), 3, 5)})


def test_what_goes_back_with_a_plant_follows_from_the_coal(view: dict[str, Any]) -> None:
    own = view["players"][view["seat"]]
    own["plants"] = [view["market"]["current"][2]]  # 5, a hybrid
    own["fuel"] = {"coal": 3, "oil": 1, "garbage": 0, "uranium": 0}
    scrap = Scrap(5, (("coal", 3), ("oil", 1)))
    head = codec.of(view).spec.head("scrap")
    assert codec.index(view, scrap) == head.first + 3
    assert codec.move(view, head.first + 3) == scrap
    with pytest.raises(codec.CodecError, match="plant 5 does not go with 2 coal"):
        codec.move(view, head.first + 2)


@pytest.mark.rule("A-DLX-2", "C-4.5.4")
def test_what_goes_back_is_named_as_the_engine_names_it() -> None:
    game = hv.new("classic", map="north_america", players=3, variants=["deluxe"], seed=7)
    view = game.view(game.to_move)
    own = view["players"][view["seat"]]
    own["plants"] = [{"card": "8", "number": 8, "fuels": ["oil", "gas"], "need": 3, "powers": 2}]
    own["fuel"] = {"coal": 0, "oil": 2, "gas": 1, "uranium": 0}
    at = codec.of(view).spec.head("scrap").first + 1  # gas, the first fuel of its hybrids
    assert codec.move(view, at) == Scrap.parse("8 returning oil 2 gas 1")


def test_the_own_seat_comes_first(game: hv.Game) -> None:
    game.play("nominate 4 @4")
    leader = game.view()["auction"]["leader"]
    for seat in range(4):
        players = codec.observe(game.view(seat))["players"]
        columns = next(p for p in codec.spec("classic").parts if p.name == "players").columns
        leads = players[:, columns.index("leads")]
        assert leads.tolist().index(1) == (leader - seat) % 4


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (377, "there is no index 377: they are 0 to 376"),
        (-1, "there is no index -1"),
        (1 + 9 * 5, "place 5 of the market is empty"),
        (64, "there is no own plant 0"),
        (195 + 40, "there is no city 40: the area has 28"),
        (244 + 7, "there is no region 7: the map has 6"),
        (252 + 1, "this runs a plant that the player does not own"),
    ],
)
def test_an_index_that_names_nothing_is_refused(
    view: dict[str, Any], index: int, message: str
) -> None:
    with pytest.raises(codec.CodecError, match=message):
        codec.move(view, index)


def test_a_move_that_is_not_possible_now_has_no_index(view: dict[str, Any]) -> None:
    for move in (Nominate(50, 50), Scrap(3)):
        with pytest.raises(codec.CodecError, match="has no index here"):
            codec.index(view, move)


def test_a_stale_view_is_refused(game: hv.Game) -> None:
    seat = game.to_move
    assert seat is not None
    game.play("nominate 4 @50")
    with pytest.raises(codec.CodecError, match=f"the view of seat {seat}, and seat"):
        codec.mask(game.view(seat), game.legal_moves)
    with pytest.raises(codec.CodecError, match="the view of a spectator"):
        codec.index(game.view(), Buy("coal", 1))
    with pytest.raises(codec.CodecError, match="a spectator has no observation"):
        codec.observe(game.view())


def test_another_version_of_the_codec_is_refused() -> None:
    spec = codec.spec("recharged", "usa", 2)
    spec.check_version(codec.VERSION)
    with pytest.raises(codec.CodecError, match="made for version 99 of the codec"):
        spec.check_version(99)


def test_a_map_other_than_the_codecs_is_refused(view: dict[str, Any]) -> None:
    other = codec.make("classic", "central_europe", 4)
    with pytest.raises(codec.CodecError, match="this view is of another map than central_europe"):
        other.observe(view)


def test_a_large_map_has_further_rows() -> None:
    board = load_map("germany")
    more = [
        msgspec.structs.replace(board.cities[0], id=f"new_{n}", name=f"New {n}")
        for n in range(CITIES)
    ]
    roads = [type(board.connections[0])(board.cities[0].id, city.id, 1) for city in more]
    large = msgspec.structs.replace(
        board,
        layout=None,
        cities=(*board.cities, *more),
        connections=(*board.connections, *roads),
    )
    data = msgspec.to_builtins(large, str_keys=True)
    code = codec.make("classic", data, 3)
    game = hv.new("classic", map=data, players=3, regions=["northwest", "west", "east"])
    seen = code.observe(game.view(0))
    assert len(seen["more_cities"]) == 3 * 7 + CITIES - CITIES
    assert sum(seen["cities"][:, 0]) + sum(seen["more_cities"][:, 0]) == 3 * 7 + CITIES
    head = next(head for head in code.spec.heads if head.name == "more_city")
    assert head.size == 3 * 7


def test_a_game_that_is_over_can_still_be_observed() -> None:
    game = hv.new("classic", map="usa", players=2, seed=1)
    bots.play_game(game, [bots.make("random", seed) for seed in range(2)])
    scalars = codec.observe(game.view(0))["scalars"]
    assert not scalars[4:13].any()
    assert np.isfinite(scalars).all()


def test_a_plant_that_a_region_changes_is_observed_as_it_is_in_play() -> None:
    """Norway puts another plant in the place of 07 (A-NOR-3); one codec observes both games."""
    code = codec.make("classic", "northern_europe", 3)
    burning = {}
    for regions in (
        ("norway", "sweden_south", "denmark"),
        ("sweden_south", "sweden_north", "finland"),
    ):
        game = hv.new("classic", players=3, map="northern_europe", regions=[*regions])
        market = code.observe(game.view(0))["market"]
        burning[regions[0]] = market[4, 2] > 0
    assert burning == {"norway": False, "sweden_south": True}


def test_a_card_beyond_the_last_of_the_code_is_refused() -> None:
    with pytest.raises(codec.CodecError, match=f"plant {CARDS} is beyond {CARDS - 1}, the last"):
        CardCodec("cardgame", 3, {CARDS: Plant(CARDS, (0,), 1, 1)})
    CardCodec("cardgame", 3, {CARDS - 1: Plant(CARDS - 1, (0,), 1, 1)})


def test_a_planet_with_too_many_cities_is_refused() -> None:
    wide: Any = SimpleNamespace(map=SimpleNamespace(id="wide", cities=range(OUTPOST_CITIES + 1)))
    with pytest.raises(codec.CodecError, match=f"wide has {OUTPOST_CITIES + 1} cities"):
        OutpostCodec(wide, 4)


@pytest.mark.parametrize(
    ("extras", "further"),
    [
        (Extras(markets=("north", "south")), ["markets"]),
        (Extras(storage=True), ["stored"]),
        (Extras(starts=True), ["starts", "networks"]),
        (Extras(more_plants=2), ["more_market"]),
        (Extras(mines=True), ["mine_market", "mines", "market_mines"]),
        (Extras(outage=True), ["outage"]),
        (Extras(more_cities=3), ["more_cities"]),
    ],
)
def test_a_map_has_the_further_parts_of_its_rules(extras: Extras, further: list[str]) -> None:
    assert [part.name for part in parts_of(extras)[len(parts_of(Extras())) :]] == further


def test_plants_beyond_the_sixth_on_offer_have_indexes_of_their_own() -> None:
    game = hv.new("classic", map="manhattan", players=3, seed=1)
    view: Any = game.view(game.to_move)
    market = view["market"]
    market["current"] = offer = (market["current"] + market["future"])[:8]
    code = codec.of(view)
    more = code.spec.head("more_nominate")
    for place, plant in enumerate(offer[6:]):
        move = Nominate(int(plant["card"]), plant["number"])
        assert code.index(view, move) == more.first + place * codec.BIDS
        assert code.move(view, more.first + place * codec.BIDS) == move
    assert len(offer[6:]) == 2
