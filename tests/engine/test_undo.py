"""Undo and records start from cached snapshots, and give the same result as the whole log."""

from random import Random

import pytest

import highvoltage as hv
from highvoltage.engine.game import SNAPSHOT_INTERVAL
from highvoltage.engine.record import Line
from highvoltage.testing.snapshot import snapshot
from work import max_calls

SEED = 5


def game(rulebook: str) -> hv.Game:
    return hv.new(rulebook, players=3, seed=SEED)


def play_on(game: hv.Game, moves: int, seed: str) -> None:
    rng = Random(seed)
    for _ in range(moves):
        game.play(rng.choice(game.legal_moves.choices))


def check(game: hv.Game) -> None:
    """Check that position and record are those of a game without snapshots."""
    fresh = hv.new(game.rules.name, players=3, seed=SEED)
    for row in game.log:
        fresh.play(row.move)
    shared = ("chance", "planet")  # equal, and never changed
    assert snapshot(game.state, leaving=shared) == snapshot(fresh.state, leaving=shared)
    assert game.state.events == fresh.state.events
    assert game.record() == fresh.record()


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_copies_diverge_and_undo_independently(rulebook: str) -> None:
    one = game(rulebook)
    play_on(one, 2 * SNAPSHOT_INTERVAL + 3, "together")
    other = one.copy()
    play_on(one, SNAPSHOT_INTERVAL + 5, "one")
    play_on(other, SNAPSHOT_INTERVAL + 5, "other")
    one.record()
    for each in (one, other, one):
        for _ in range(SNAPSHOT_INTERVAL):
            each.undo()
        check(each)
        play_on(each, 2, "again")
        check(each)


def test_an_equal_line_does_not_vouch_for_the_lines_before_it() -> None:
    one = game("classic")
    for opening in ("nominate 4 @4", "nominate 5 @5"):
        one.play(opening)
        one.play("pass")
        assert one.record().moves == (Line(1, "auction", 0, opening), Line(1, "auction", 1, "pass"))
        one.undo()
        one.undo()


def test_undo_plays_only_a_few_moves_again() -> None:
    one = game("classic")
    play_on(one, 15 * SNAPSHOT_INTERVAL - 1, "long")
    one.undo()
    for each in (one, one.copy(), one):
        with max_calls(50 * SNAPSHOT_INTERVAL):
            each.undo()
    with max_calls(50):
        one.after(len(one.log) // SNAPSHOT_INTERVAL * SNAPSHOT_INTERVAL)


def test_a_record_is_extended() -> None:
    one = game("classic")
    play_on(one, 10 * SNAPSHOT_INTERVAL, "long")
    one.record()
    with max_calls(300):
        one.view(0, history=True)
