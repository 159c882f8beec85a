"""A glance is the view for one who reads little of it: whoever decides by it decides the same."""

from random import Random
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from highvoltage import codec
from highvoltage.bots.clerk import Clerk
from highvoltage.bots.engineer import Engineer

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 3, {"map": "central_europe"}),  # cheaper fuel for some
    ("classic", 2, {"map": "korea"}),  # two fuel markets
    ("classic", 3, {"map": "south_africa"}),  # a storage
    ("classic", 4, {"map": "germany", "money": "hidden", "regions": "draft"}),
    ("recharged", 2, {"map": "usa"}),  # the cartel
    ("recharged", 3, {"map": "germany", "demolition": True}),
    ("cardgame", 2, {}),  # the Bank
    ("cardgame", 4, {"money": "hidden"}),
    ("outpost", 2, {}),  # the Syndicate
    ("outpost", 4, {"money": "hidden"}),
]


@pytest.mark.parametrize(("rulebook", "players", "wishes"), GAMES)
def test_a_bot_chooses_by_a_glance_as_by_the_view(
    rulebook: str, players: int, wishes: dict[str, Any]
) -> None:
    game = hv.new(rulebook, players=players, seed=3, **wishes)
    kinds = [Clerk, Engineer]
    by_view = [kinds[seat % 2](Random(seat)) for seat in range(players)]
    by_glance = [kinds[seat % 2](Random(seat)) for seat in range(players)]
    while (seat := game.to_move) is not None:
        legal, glance = game.legal_moves, game.rules.glance(game.state, seat)
        choice = by_view[seat].choose(game.view(seat), legal)
        assert by_glance[seat].choose(glance, legal) == choice
        game.play(choice.move)


@pytest.mark.parametrize(
    ("rulebook", "players", "wishes"),
    [game for game in GAMES if game[0] in {"classic", "recharged"}],
)
def test_a_codec_sees_the_same_at_a_glance(
    rulebook: str, players: int, wishes: dict[str, Any]
) -> None:
    game = hv.new(rulebook, players=players, seed=3, **wishes)
    engineers = [Engineer(Random(seat)) for seat in range(players)]
    while (seat := game.to_move) is not None:
        legal = game.legal_moves
        view, glance = game.view(seat), game.rules.glance(game.state, seat)
        seen, glanced = codec.observe(view), codec.observe(glance)
        for part in seen:
            np.testing.assert_array_equal(seen[part], glanced[part])
        assert codec.of(glance) is codec.of(view)
        np.testing.assert_array_equal(codec.mask(view, legal), codec.mask(glance, legal))
        game.play(engineers[seat].choose(view, legal).move)


def test_a_glance_promises_what_the_view_does_and_holds_the_rest_of_it() -> None:
    game = hv.new("recharged", players=3, seed=3)
    engineer = Engineer(Random(1))
    while (seat := game.to_move) is not None and game.state.round < 4:
        glance, view = game.rules.glance(game.state, seat), game.rules.view(game.state, seat)
        assert engineer.promise(glance) == engineer.promise(view)
        assert glance["houses"] == view["houses"]
        assert glance["market"].items() >= {"discount": view["market"]["discount"]}.items()
        game.play(engineer.choose(view, game.legal_moves).move)
