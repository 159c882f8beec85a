"""A newcomer's first opponent: simple habits beat it often enough to make people come back."""

from pathlib import Path

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.moves import Done, Pass
from highvoltage.games import meta as about
from ours import RULEBOOKS
from spread import some

HABITS = f"{Path(__file__).parents[2] / 'benchmarks' / 'habits.py'}:Habits"
GAMES = 8


@pytest.mark.parametrize("rulebook", some("classic", of=RULEBOOKS))
def test_simple_habits_win_some_games(rulebook: str) -> None:
    wins = 0
    for seed in range(GAMES):
        game = hv.new(rulebook, players=2, seed=seed)
        names = [HABITS, about(rulebook).first_opponent]
        newcomer = seed % 2
        seats = [bots.make(name, seed) for name in (names if newcomer == 0 else names[::-1])]
        bots.play_game(game, seats)
        assert game.outcome is not None
        wins += newcomer in game.outcome.winners
    assert wins >= GAMES // 4


def test_the_apprentice_misses_a_chance_now_and_then() -> None:
    game = hv.new("classic", players=3, seed=1)
    game.play("nominate 3 @3")
    view, legal = game.view(game.to_move), game.legal_moves
    choices = [bots.make("apprentice", seed).choose(view, legal) for seed in range(60)]
    clerk = bots.make("clerk", 1).choose(view, legal)
    hesitated = [choice for choice in choices if choice.why.code == "hesitates"]
    assert 0 < len(hesitated) < 30
    assert all(choice.move in (Pass(), Done()) for choice in hesitated)
    assert all(choice.move == clerk.move for choice in choices if choice not in hesitated)
