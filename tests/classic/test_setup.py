"""C-2: regions, players, plants and fuel before the first round."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.board import load_map, region_sets
from positions import board, legal, play, refuses

PLAYERS = (2, 3, 4, 5, 6)
WEST = ("northwest", "west", "southwest")


# Regions


@pytest.mark.rule("C-2.1", "C-2.1.2")
def test_given_regions_are_the_whole_map_of_the_game() -> None:
    game = hv.new("classic", players=3, regions=WEST, seed=1)
    inside = {city.id for city in load_map("germany").cities if city.region in WEST}
    assert game.view()["regions"] == list(WEST)
    assert set(board(game).area.cities) == inside
    play(game, *["nominate 3 @3", "pass", "pass"], *["nominate 4 @4", "pass"], "nominate 5 @5")
    play(game, "done", "done", "done")
    assert legal(game) == {"done"} | {f"build {city}" for city in inside}
    refuses(game, "build berlin", "unknown_city", "C-2.1")


@pytest.mark.rule("C-2.1", "C-2.1.1", "C-1.5")
@pytest.mark.parametrize(
    ("regions", "reason"),
    [
        (["northwest", "west", "south"], "do not hang together"),
        (["northwest", "west"], "3 players need 3 different regions"),
        (["northwest", "west", "west"], "3 players need 3 different regions"),
        (["northwest", "northeast", "west", "east"], "3 players need 3 different regions"),
        (["northwest", "west", "bavaria"], "no region 'bavaria'"),
    ],
)
def test_regions_that_cannot_be_played_are_refused(regions: list[str], reason: str) -> None:
    with pytest.raises(hv.OptionError, match=reason):
        hv.new("classic", players=3, regions=regions)


@pytest.mark.rule("C-2.1.2", "C-13.3")
def test_random_regions_are_drawn_uniformly_from_all_sets() -> None:
    sets = region_sets(load_map("usa"), 3)
    drawn = Counter(
        tuple(hv.new("classic", map="usa", players=3, seed=seed).view()["regions"])
        for seed in range(50 * len(sets))
    )
    assert set(drawn) == set(sets)
    assert all(25 < count < 75 for count in drawn.values())


@pytest.mark.rule("C-2.1.2")
def test_the_drawn_regions_of_a_real_table_can_be_given() -> None:
    chance = hv.Scripted(regions=["southwest", "west", "northwest"])
    assert hv.new("classic", players=3, chance=chance).view()["regions"] == list(WEST)
    chance = hv.Scripted(regions=["south", "west", "northwest"])
    with pytest.raises(hv.ChanceError, match="regions"):
        hv.new("classic", players=3, chance=chance)


@pytest.mark.rule("C-2.1.2", "C-2.1.1", "C-14")
@pytest.mark.parametrize(
    ("order", "namers"),
    [
        ([1, 0], [1, 0, 1]),
        ([2, 0, 1], [2, 0, 1]),
        ([3, 1, 0, 2], [3, 1, 0, 2]),
        ([4, 0, 3, 1, 2], [4, 0, 3, 1, 2]),
        ([5, 0, 4, 1, 3, 2], [5, 0, 4, 1, 3]),
    ],
)
def test_the_players_name_regions_in_starting_order(order: list[int], namers: list[int]) -> None:
    chance = hv.Scripted(order=order)
    game = hv.new("classic", map="usa", players=len(order), chance=chance, regions="draft")
    assert game.view()["order"] == order
    for count, namer in enumerate(namers, 1):
        assert (game.phase, game.to_move) == ("regions", namer)
        copy = game.copy()
        copy.play(copy.legal_moves[-1])
        assert copy.view(namer) != game.view(namer)
        game.play(game.legal_moves[0])
        assert len(game.view(namer)["regions"]) == count
    assert (game.phase, game.to_move, game.state.round) == ("auction", order[0], 1)
    assert set(board(game).area.regions_of) == set(game.view()["regions"])
    assert len(board(game).area.cities) == 7 * len(namers)


@pytest.mark.rule("C-2.1.2", "C-2.1.1")
def test_every_named_region_touches_the_earlier_ones() -> None:
    game = hv.new("classic", map="usa", players=2, regions="draft", seed=1)
    refuses(game, "region texas", "unknown_region", "C-2.1")
    play(game, "region northwest")
    refuses(game, "region southeast", "region_apart", "C-2.1.1")
    refuses(game, "region northwest", "region_apart", "C-2.1.1")
    play(game, "region south")
    assert "region southeast" in legal(game)


# Players


@pytest.mark.rule("C-2.2", "C-2.7")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_starts_with_money_and_nothing_else(players: int) -> None:
    view = hv.new("classic", players=players, seed=1).view()
    assert (view["step"], view["round"], view["phase"]) == (1, 1, "auction")
    assert view["houses"] == {}
    for player in view["players"]:
        assert (player["money"], player["plants"], player["cities"]) == (50, [], [])
        assert not any(player["fuel"].values())
        assert player["supplied"] == 0


@pytest.mark.rule("C-2.3", "C-13.3")
def test_the_starting_order_is_drawn_uniformly_from_all_orders() -> None:
    drawn = Counter(
        tuple(hv.new("classic", players=3, seed=seed).view()["order"]) for seed in range(300)
    )
    assert set(drawn) == set(permutations(range(3)))
    assert all(30 < count < 70 for count in drawn.values())


@pytest.mark.rule("C-2.3", "C-2.4")
def test_seats_are_listed_and_the_first_in_order_begins() -> None:
    names = ["Ann", "Bob", "Cleo", "Dan"]
    game = hv.new("classic", players=names, chance=hv.Scripted(order=[2, 0, 3, 1]))
    assert game.view()["names"] == names
    assert game.to_move == 2
    play(game, "nominate 3 @3", "bid 4")
    assert [row.seat for row in game.log] == [2, 3]  # bidding continues clockwise
    assert game.to_move == 0


# Plants


@pytest.mark.rule("C-2.5", "C-1.5")
@pytest.mark.parametrize(("players", "removed"), [(2, 8), (3, 8), (4, 4), (5, 0), (6, 0)])
def test_plant_market_and_deck(players: int, removed: int) -> None:
    game = hv.new("classic", players=players, seed=1)
    market = board(game).market
    assert (market.offer, market.future) == ([3, 4, 5, 6], [7, 8, 9, 10])
    assert (market.deck[0], market.deck[-1]) == (13, LAST_CARD)
    others = [*range(11, 41), 42, 44, 46, 50]
    others.remove(13)
    assert len(others) == 33
    assert sorted([*market.deck[1:-1], *market.aside]) == others
    assert len(market.aside) == removed


@pytest.mark.rule("C-2.5", "C-13.3")
def test_every_plant_of_the_shuffle_can_come_first_or_be_removed() -> None:
    tops: set[int] = set()
    removed: set[int] = set()
    for seed in range(200):
        market = board(hv.new("classic", players=4, seed=seed)).market
        tops.add(market.deck[1])
        removed.update(market.aside)
    assert len(tops) == len(removed) == 33


@pytest.mark.rule("C-2.5")
def test_the_deck_of_a_real_table_and_what_was_removed_can_be_given() -> None:
    deck, removed = [25, 14, 50], [11, 12, 46, 44]
    game = hv.new("classic", players=4, chance=hv.Scripted(deck=deck, removed=removed))
    market = board(game).market
    assert market.deck[:4] == [13, *deck]
    assert set(market.aside) == set(removed)


@pytest.mark.rule("C-2.6")
@pytest.mark.parametrize("name", ["germany", "usa", "central_europe"])
def test_market_and_supply_hold_all_the_fuel(name: str) -> None:
    fuel: dict[str, Any] = hv.new("classic", map=name, players=5, seed=1).view()["fuel"]
    assert [kind["stock"] + kind["supply"] for kind in fuel.values()] == [24, 24, 24, 12]
