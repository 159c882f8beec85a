"""The table in brief: short enough, complete, and every number as the engine has it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, brief
from highvoltage.engine.events import Income
from highvoltage.table import Seat, Table, offers
from ours import RULEBOOKS
from positions import market_of

SETTINGS = [(name, None) for name in RULEBOOKS] + [("classic", "korea"), ("recharged", "usa")]
MOST_BYTES = 4_000
NAMES = ["Annabel Anderson", "Benjamin Baker", "Cleopatra Carter", "Dandelion Drake"]


def positions(rulebook: str, board: str | None, **options: Any) -> Iterator[hv.Game]:
    game = hv.new(rulebook, map=board, players=NAMES, seed=3, **options)
    seats = [bots.make("clerk", seat) for seat in range(4)]
    while (seat := game.to_move) is not None:
        yield game
        game.play(bots.ask(seats[seat], game).move)
    yield game


@pytest.mark.parametrize(("rulebook", "board"), SETTINGS)
def test_every_position_of_four_players_fits(rulebook: str, board: str | None) -> None:
    for game in positions(rulebook, board):
        if len(game.log) % 3 and game.outcome is None:
            continue
        for seat in (0, game.to_move, None):
            assert len(brief.position(game.view(seat)).encode()) <= MOST_BYTES


@pytest.mark.parametrize(("rulebook", "board"), SETTINGS)
def test_every_legal_move_is_listed_with_its_cost(rulebook: str, board: str | None) -> None:
    for game in positions(rulebook, board):
        if len(game.log) % 7:
            continue
        listed = brief.moves(game.view(game.to_move), offers(game))
        lines = listed.splitlines()
        for offer in offers(game):
            what, _, last = offer.move.rpartition(" ")
            if offer.to is not None:
                assert any(f"BID, BID {last.lstrip('@')} to {offer.to}: " in line for line in lines)
            elif found := [line for line in lines if line.startswith(f"{offer.move}: ")]:
                assert offer.cost is None or found[0].endswith(f", costs {offer.cost}")
            elif found := [line for line in lines if line.startswith(f"{what} NUMBER: ")]:
                price = last if offer.cost is None else f"{last} for {offer.cost}"
                assert price in found[0].partition(": ")[2].split(", ")
            else:
                assert offer.move in lines[-1].partition(": ")[2].split("; ")


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame"])
def test_the_income_of_a_run_is_what_it_pays(rulebook: str) -> None:
    checked = 0
    for game in positions(rulebook, None):
        seat = game.to_move
        if seat is None or game.phase != "bureaucracy":
            continue
        listed = brief.moves(game.view(seat), offers(game)).splitlines()
        for line in listed[:4]:
            move, _, said = line.partition(": ")
            events = game.copy().play(move)
            for event in events:
                if isinstance(event, Income) and event.seat == seat:
                    assert said.endswith(f"income {event.amount}")
                    checked += 1
    assert checked > 5


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_a_seat_cannot_see_changes_nothing(rulebook: str) -> None:
    rng = Random(1)
    different = 0
    for game in positions(rulebook, None, money="hidden"):
        if len(game.log) % 40 or game.to_move is None:
            continue
        world = hv.resample(game.view(1, history=True), rng)
        different += market_of(world).deck != market_of(game).deck
        assert brief.position(world.view(1)) == brief.position(game.view(1))
        assert "money hidden" in brief.position(game.view(1))
    assert different


def test_the_viewer_is_you_and_others_have_names() -> None:
    game = hv.new("classic", players=["Ann", "Bob"], seed=1)
    mine, theirs = brief.position(game.view(0)), brief.position(game.view(1))
    assert "You are Ann; it is your turn." in mine
    assert "- you: 50 money" in mine
    assert "You are Bob; it is the turn of Ann." in theirs
    assert "You watch; it is the turn of Ann." in brief.position(game.view())


def test_history_says_who_did_what() -> None:
    game = hv.new("classic", players=["Ann", "Bob"], seed=1)
    table = Table(game, [Seat("person"), Seat("person")])
    table.commit(table.move(0, 0, "nominate 3 @3", at=0))
    table.commit(table.move(1, 1, "pass", at=0))
    card = game.log[-1].turned[0]
    assert brief.history(game.names, table.snapshot(0).log).splitlines() == [
        "Round 1, auction:",
        "- Ann: nominate 3 @3",
        f"- Bob: pass (Ann buys 3 for 3; {card} turned up)",
    ]


def test_a_family_that_is_not_known_is_shown_as_data() -> None:
    view = hv.new("classic", players=2, seed=1).view(0) | {"family": "new"}
    lines = brief.position(view).splitlines()
    assert "plant_limit: 4" in lines
    assert max(map(len, lines)) < 400


@pytest.mark.parametrize("rulebook", ["classic", "outpost"])
def test_the_network_has_every_city_in_play(rulebook: str) -> None:
    game = hv.new(rulebook, players=3, seed=1)
    view = game.view(0)
    lines = brief.network(view, game.rules.ruleset.board()).splitlines()
    assert {line.split()[0] for line in lines} == {
        *(view["connect"] if rulebook == "classic" else view["cities"])
    }


def test_a_game_without_a_map_says_so() -> None:
    game = hv.new("cardgame", players=3, seed=1)
    assert brief.network(game.view(0), game.rules.ruleset.board()) == "This game has no map."
