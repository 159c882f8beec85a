"""Whole games of Outpost: they end, are readable, and replay; and how its moves are written."""

import random

import pytest

import highvoltage as hv
from highvoltage.engine.errors import MoveSyntaxError
from highvoltage.games.outpost.moves import (
    Build,
    Hire,
    PlaceCard,
    Power,
    Robot,
    Settle,
    Swap,
    Syndicate,
)
from highvoltage.testing import random_move
from outpost.positions import PLAYERS, game_at
from positions import play
from spread import sizes


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("games", sizes(8, 50))
def test_random_games_end(players: int, games: int) -> None:
    rng = random.Random(players)
    for seed in range(games):
        game = hv.new("outpost", players=players, seed=seed)
        while game.to_move is not None:
            game.play(random_move(game.legal_moves, rng))
            assert len(game.log) < 20_000
        assert game.outcome is not None


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("build station c07", Build("station", "c07")),
        ("build habitat c09", Build("habitat", "c09")),
        ("syndicate plant c10", Syndicate("plant", "c10")),
        ("settle station 31b", Settle("station", 131)),
        ("place 26c", PlaceCard(226)),
        ("place 46 on habitat", PlaceCard(46, "habitat")),
        ("swap 3 for 25b", Swap(3, 125)),
        ("hire 0", Hire(0)),
        ("robot human", Robot("human")),
        ("power 12", Power(12)),
    ],
)
def test_moves_are_written_and_read(text: str, move: hv.Move) -> None:
    game = hv.new("outpost", players=3, seed=1)
    assert str(move) == text
    assert game.parse(text) == move
    assert game.parse(text.upper()) == move


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("build c07", r"build station\|plant\|habitat CITY"),
        ("settle 31", r"settle station\|plant\|habitat CARD"),
        ("place plant", r"place CARD \[on plant\|habitat\]"),
        ("swap 3", "swap CARD for CARD"),
        ("hire two", "hire COUNT"),
        ("power", "power CITIES"),
        ("robot", r"robot human\|robot"),
        ("syndicate c07", r"syndicate station\|plant\|habitat CITY"),
    ],
)
def test_a_move_that_cannot_be_read_says_how_it_is_written(text: str, form: str) -> None:
    with pytest.raises(MoveSyntaxError, match=form):
        hv.new("outpost", players=3, seed=1).parse(text)


@pytest.mark.parametrize("players", [2, 4])
def test_records_replay_at_every_point(players: int) -> None:
    rng = random.Random(players)
    game = hv.new("outpost", players=players, seed=players)
    while game.to_move is not None:
        game.play(random_move(game.legal_moves, rng))
        if len(game.log) % 40 == 0 or game.outcome is not None:
            for text in (str(game.record()), game.record().json()):
                replayed = hv.replay(text, seed="another")
                assert replayed.log == game.log
                assert replayed.view() == game.view()


def test_a_record_contains_the_chance_events() -> None:
    record = hv.new("outpost", players=4, seed=1).record()
    assert set(record.drawn) == {"order", "area", "tokens"}
    assert len(record.drawn["tokens"]) == 46
    assert "area" not in hv.new("outpost", players=3, seed=1).record().drawn


def test_undo_and_copies() -> None:
    game = game_at(3, money=100)
    before = game.view(2)
    copy = game.copy()
    play(game, "build station c08", "build plant c08")
    assert copy.view(2) == before
    game.undo()
    game.undo()
    assert game.view(2) == before


def test_what_a_move_costs() -> None:
    game = game_at(3, plants={2: "12"}, stations={2: "c08"})
    costs = {
        text: game.cost(game.parse(text))
        for text in ("build station c09", "build plant c08", "hire 2", "done")
    }
    assert costs == {"build station c09": 16, "build plant c08": 5, "hire 2": 2, "done": None}
    assert game.view(2)["connect"]["c09"] == {"station": 16, "habitat": 11}
    assert game.view(2)["connect"]["c08"] == {"plant": 5}
    assert game.view()["connect"] == {}


def test_the_view_of_a_company() -> None:
    game = game_at(3, plants={0: "12"}, habitats={0: "26"}, own={0: "31 38"}, humans={0: 2})
    seen = game.view()["players"][0]
    assert [card["card"] for card in seen["plants"]] == ["12"]
    assert [card["places"] for card in seen["habitats"]] == [3]
    assert [card["name"] for card in seen["pool"]] == ["Colony", "Laboratories"]
    assert (seen["beds"], seen["need"], seen["energy"]) == (3, 2, 3)
    assert game.view()["stage"] == "building"
    assert game.view()["cities"]["c08"] == {
        "name": "Dawn Harbor",
        "x": 150,
        "y": 330,
        "area": "center",
        "slot": "plant",
        "stations": [],
        "building": None,
    }
