"""A view shows the current position, and nothing of the past."""

from random import Random

import pytest

import highvoltage as hv
from highvoltage.engine.cards import label
from highvoltage.engine.events import CannotBuy, Slid, Turned
from highvoltage.games.laws import events_of
from highvoltage.games.outpost import tables
from ours import RULEBOOKS
from outpost.positions import game_at
from positions import classic, market_of, play


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_lies_under_the_deck(rulebook: str) -> None:
    """A card under the deck is shown once, until it is turned up again."""
    game = hv.new(rulebook, players=3, seed=2)
    rng = Random(2)
    slid: list[str] = []
    back: set[str] = set()
    while game.to_move is not None:
        for event in game.play(rng.choice(game.legal_moves.choices)):
            if isinstance(event, Slid):
                slid.append(event.card)
            elif isinstance(event, Turned) and event.card in slid:
                slid.remove(event.card)
                back.add(event.card)
        assert list(map(label, market_of(game).slid)) == slid
        assert game.view()["market"]["slid"] == slid
    assert back, "no card came back"


def test_no_piece_that_has_run_out_is_offered() -> None:
    game = game_at(3, networks={0: tables.STATIONS, 1: 3}, uncovered={1: (tables.SPACES, 3)})
    connect = [game.view(seat)["connect"] for seat in range(2)]
    kinds = [{piece for city in prices.values() for piece in city} for prices in connect]
    assert kinds == [{"plant", "habitat"}, {"station", "habitat"}]


def test_the_maker_of_a_robot_is_free_in_the_next_round() -> None:
    game = game_at(3, own={2: "23"}, plants={2: "12"}, robots={2: 1})  # it takes two to run 12
    play(game, "robot robot")
    player = game.view()["players"][2]
    assert (player["busy"], player["robots"], player["energy"]) == ("robot", 2, 0)
    play(game, "done", "done", *["power 0"] * 3)
    player = game.view()["players"][2]
    assert (game.phase, player["busy"], player["energy"]) == ("auction", "", 2)


def test_a_bid_ends_with_its_auction() -> None:
    game = classic(3, money=50, order=[0, 1, 2])
    play(game, "nominate 5 @7")
    assert game.view()["auction"]["bid"] == 7
    play(game, "pass", "pass")
    assert (game.view()["auction"]["card"], game.view()["auction"]["bid"]) == (None, 0)


def test_nobody_can_buy_from_an_empty_market() -> None:
    game = classic(3, market=[], deck=[], step=3, order=[2, 0, 1])
    assert game.phase == "fuel"
    skipped = [event.seat for event in events_of(game.state, CannotBuy)]
    assert skipped == [2, 0, 1]
