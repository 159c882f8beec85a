"""A lazy view is for bots that read little of it: they decide as they would with the full view."""

from random import Random
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from highvoltage import codec
from highvoltage.bots.clerk import Clerk
from highvoltage.bots.engineer import Engineer
from highvoltage.games.view import LazyView
from spread import some

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


@pytest.mark.parametrize(("rulebook", "players", "options"), some(*GAMES[::2], of=GAMES))
def test_a_bot_chooses_the_same_by_a_lazy_view_as_by_the_full_one(
    rulebook: str, players: int, options: dict[str, Any]
) -> None:
    game = hv.new(rulebook, players=players, seed=3, **options)
    kinds = [Clerk, Engineer]
    by_view = [kinds[seat % 2](Random(seat)) for seat in range(players)]
    by_lazy_view = [kinds[seat % 2](Random(seat)) for seat in range(players)]
    while (seat := game.to_move) is not None:
        legal, lazy = game.legal_moves, game.rules.lazy_view(game.state, seat)
        choice = by_view[seat].choose(game.view(seat), legal)
        assert by_lazy_view[seat].choose(lazy, legal) == choice
        game.play(choice.move)


BOARDS = [(name, board) for name in ("classic", "recharged") for board in hv.games()[name].maps]


@pytest.mark.parametrize(("rulebook", "board"), some(*BOARDS[::4], of=BOARDS))
def test_a_lazy_view_has_exactly_what_the_full_view_has(rulebook: str, board: str) -> None:
    players = 2 + len(board) % 2  # every other board with the cartel
    game = hv.new(rulebook, players=players, map=board, seed=4, demolition=players == 3)
    check_lazy_views(game)


@pytest.mark.parametrize(
    ("rulebook", "options"),
    [("classic", {"map": "korea", "map_rules": False}), ("cardgame", {}), ("outpost", {})],
)
def test_a_lazy_view_equals_the_full_view_in_other_games_too(
    rulebook: str, options: dict[str, Any]
) -> None:
    check_lazy_views(hv.new(rulebook, players=2, seed=4, **options))


def check_lazy_views(game: hv.Game) -> None:
    clerks = [Clerk(Random(seat)) for seat in range(len(game.names))]
    while (seat := game.to_move) is not None and game.state.round < 3:
        view, lazy = game.rules.view(game.state, seat), game.rules.lazy_view(game.state, seat)
        seen = {field: lazy.get(field) for field in view}
        assert as_read(seen) == view  # a tuple is no list to compiled bots
        assert set(getattr(lazy, "fields", view)) == set(view)
        game.play(clerks[seat].choose(game.view(seat), game.legal_moves).move)


def as_read(part: Any) -> Any:
    """Plain data, with every part that a lazy view computes when it is read."""
    if isinstance(part, LazyView):
        return {field: as_read(part[field]) for field in part.fields}
    if isinstance(part, dict):
        return {key: as_read(value) for key, value in part.items()}
    return [as_read(each) for each in part] if isinstance(part, list) else part


@pytest.mark.parametrize(("rulebook", "players", "options"), some(*GAMES[3::4], of=GAMES))
def test_a_codec_encodes_a_lazy_view_like_the_full_one(
    rulebook: str, players: int, options: dict[str, Any]
) -> None:
    game = hv.new(rulebook, players=players, seed=3, **options)
    engineers = [Engineer(Random(seat)) for seat in range(players)]
    while (seat := game.to_move) is not None:
        legal = game.legal_moves
        view, lazy = game.view(seat), game.rules.lazy_view(game.state, seat)
        seen, encoded = codec.observe(view), codec.observe(lazy)
        for part in seen:
            np.testing.assert_array_equal(seen[part], encoded[part])
        assert codec.of(lazy) is codec.of(view)
        np.testing.assert_array_equal(codec.mask(view, legal), codec.mask(lazy, legal))
        game.play(engineers[seat].choose(view, legal).move)


def test_a_lazy_view_gives_the_same_expected_score_and_the_remaining_fields() -> None:
    game = hv.new("recharged", players=3, seed=3)
    engineer = Engineer(Random(1))
    while (seat := game.to_move) is not None and game.state.round < 4:
        lazy, view = game.rules.lazy_view(game.state, seat), game.rules.view(game.state, seat)
        assert engineer.expected_score(lazy) == engineer.expected_score(view)
        assert lazy["houses"] == view["houses"]
        assert lazy["market"].items() >= {"discount": view["market"]["discount"]}.items()
        game.play(engineer.choose(view, game.legal_moves).move)


def test_what_a_map_adds_is_there_for_compiled_code_which_does_not_ask_the_class() -> None:
    game = hv.new("classic", map="korea", players=4, seed=1, map_rules=False)
    assert dict.get(game.lazy_view(0), "map_rules") is False
