"""States go to the engine and come back from a view."""

from typing import Any

import jax
import numpy as np
import pytest

from highvoltage import batch
from highvoltage.batch.check import Checker, Match, flat, part_of, row_of
from highvoltage.batch.exchange import deck_of, fields_of
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from highvoltage.games.classic.state import BoardState


def positions(checker: Checker, every: int) -> list[tuple[Game, Any]]:
    """Some positions of a game, as the engine and the twin have them."""
    keys = jax.random.split(jax.random.key(2), checker.batch)
    lots = jax.device_get(checker.lots(keys))
    state = jax.device_get(checker.start(lots))
    match = Match(checker, 4, row_of(lots, 0))  # a steady game
    rng, found = np.random.default_rng(2), []
    while match.game.to_move is not None:
        match.compare(row_of(state, 0), None)
        if len(match.game.log) % every == 0:
            found.append((match.game.copy(), row_of(state, 0)))
        actions = np.full(checker.batch, match.play(rng), np.int16)
        state = jax.device_get(checker.step(state, actions))
    return [*found, (match.game, row_of(state, 0))]


def in_order(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what a position does not tell: when cards left and cities were built."""
    view["market"]["removed"].sort()
    for player in view["players"]:
        player["cities"].sort()
    if view["auction"]["card"] is None:
        view["auction"]["bid"] = 0
    return {name: value for name, value in view.items() if name != "seq"}


def test_a_state_goes_to_the_engine_and_plays_on_there(classic: Checker) -> None:
    places = positions(classic, 40)
    assert len(places) > 5
    for game, state in places:
        there = classic.env.to_game(state)
        assert there.to_move == game.to_move
        for seat in range(3):
            assert in_order(there.view(seat)) == in_order(game.view(seat))
        assert list(there.legal_moves) == list(game.legal_moves)
        assert there.outcome == game.outcome
        if game.to_move is not None:
            move = game.legal_moves[-1]
            there.play(move)
            game.play(move)
            assert in_order(there.view()) == in_order(game.view())


def test_a_view_is_read_as_a_state(classic: Checker) -> None:
    t = classic.env.tables
    for game, state in positions(classic, 60):
        s = game.state
        assert isinstance(s, BoardState)
        read = jax.device_get(classic.env.from_view(game.view(0), jax.random.key(1)))
        told = fields_of(t, s)
        assert flat(told.values()) == flat(part_of(read, name).tolist() for name in told)
        assert (read.legal_action_mask == state.legal_action_mask).all()
        assert (read.reach == state.reach * (state.cities > 0)[:, None]).all()
        assert (read.cheap == state.cheap).all()
        assert (read.nuclear == state.nuclear).all()
        decks = deck_of(read.pile, int(read.last)), s.market.deck
        assert [len(deck) for deck in decks] == [len(s.market.deck)] * 2


def test_a_view_of_another_game_is_refused(classic: Checker) -> None:
    other = batch.make("classic", map="germany", players=3)
    view = classic.env.to_game(row_of(jax.device_get(starts(classic)), 0)).view(0)
    with pytest.raises(OptionError, match="This view is of classic on central_europe; make"):
        other.from_view(view, jax.random.key(0))
    hidden = view | {"players": [player | {"money": None} for player in view["players"]]}
    with pytest.raises(OptionError, match="This view hides money"):
        classic.env.from_view(hidden, jax.random.key(0))


def starts(checker: Checker) -> Any:
    return checker.start(checker.lots(jax.random.split(jax.random.key(1), checker.batch)))
