"""Worlds that fit a view: identical to the viewer, and random where the viewer cannot see."""

from itertools import islice
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from ours import RULEBOOKS
from positions import market_of

OPTIONS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in RULEBOOKS] + [
    (name, {"money": "hidden"}) for name in RULEBOOKS
]


def positions(rulebook: str, options: dict[str, Any]) -> list[hv.Game]:
    """A game at several of its points."""
    game = hv.new(rulebook, players=3, seed=4, **options)
    seats = [bots.make("clerk", seat) for seat in range(3)]
    found = []
    while (seat := game.to_move) is not None:
        if len(game.log) % 60 == 0:
            found.append(game.copy())
        game.play(bots.ask(seats[seat], game).move)
    return found


@pytest.mark.parametrize(("rulebook", "options"), OPTIONS)
def test_a_sample_looks_like_the_game_to_the_viewer(rulebook: str, options: dict[str, Any]) -> None:
    rng = Random(1)
    for game in positions(rulebook, options):
        for seat in range(3):
            view = game.view(seat, history=True)
            for world in islice(hv.worlds(view, rng), 3):
                assert world.view(seat, history=True) == view
                assert list(world.legal_moves) == list(game.legal_moves)
                assert market_of(world.after(len(world.log))).deck == market_of(world).deck


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_samples_differ_from_the_truth_where_they_can(rulebook: str) -> None:
    rng = Random(2)
    free = 0
    for game in positions(rulebook, {}):
        worlds = [*islice(hv.worlds(game.view(0, history=True), rng), 6)]
        decks = {tuple(market_of(world).deck) for world in worlds}
        if len(market_of(game).deck) > 6:
            free += 1
            assert len(decks) > 1
            assert decks != {tuple(market_of(game).deck)}
    assert free
