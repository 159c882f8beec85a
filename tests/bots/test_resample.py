"""Worlds that fit a view: identical to the viewer, and random where the viewer cannot see."""

from itertools import islice
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from ours import RULEBOOKS
from positions import market_of
from spread import some

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


@pytest.mark.parametrize(("rulebook", "options"), some(*OPTIONS[: len(RULEBOOKS)], of=OPTIONS))
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


@pytest.mark.parametrize("rulebook", some("cardgame", of=["recharged", "cardgame", "outpost"]))
def test_before_the_first_draw_backs_are_as_often_alike_as_in_games(rulebook: str) -> None:
    """The card that set-up lays on the deck says nothing of the next one."""

    def alike(game: hv.Game) -> bool:
        first, second = (game.rules.card_back(card) for card in market_of(game).deck[:2])
        assert first == game.rules.top(game.state)
        return first == second

    count = 400
    game = hv.new(rulebook, players=4, seed=1)
    games = (hv.new(rulebook, players=4, seed=seed) for seed in range(2 * count))
    same = [each for each in games if each.rules.top(each.state) == game.rules.top(game.state)]
    expected = sum(map(alike, same)) / len(same)
    drawn = islice(hv.worlds(game.view(0, history=True), Random(3)), count)
    error = (expected * (1 - expected) * (1 / len(same) + 1 / count)) ** 0.5
    assert abs(sum(map(alike, drawn)) / count - expected) < 4 * error
