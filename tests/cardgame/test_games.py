"""Many random games to their end; the conformance kit checks some more closely."""

from random import Random

import pytest

import highvoltage as hv
from spread import sizes


@pytest.mark.rule("INV-20")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("games", sizes(30, 200))
def test_random_games_end(players: int, games: int) -> None:
    rng = Random(players)
    rounds = []
    for seed in range(games):
        game = hv.new("cardgame", players=players, seed=seed)
        while game.outcome is None:
            game.play(rng.choice(game.legal_moves.choices))
        rounds.append(game.state.round)
    assert min(rounds) >= 6
    assert max(rounds) <= 15
