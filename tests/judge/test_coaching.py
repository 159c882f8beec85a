"""The coach: what to weigh, what a decision cost, and what a round changed, all by the judge."""

import pytest

import highvoltage as hv
from highvoltage import bots, coaching
from highvoltage.bots.director import Budget
from highvoltage.coaching import review, weigh
from highvoltage.judge import evaluate

PLAYERS = (None, "clerk", "clerk")


def played_until(rounds: int) -> hv.Game:
    """A game in which the first seat is to make its first decision of a round."""
    game = hv.new("classic", players=3, seed=6)
    seats = [bots.make("clerk", seat) for seat in range(3)]
    while game.state.round < rounds or game.to_move != 0 or len(game.legal_moves) == 1:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


def test_there_are_two_legal_moves_to_weigh_and_where_they_lead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = played_until(3)
    monkeypatch.setattr(coaching, "WEIGH_BUDGET", Budget(playouts=16))  # however busy we are
    (line,) = weigh(game.view(0, history=True), PLAYERS)
    assert line.code == "weigh_cities"
    moves = [str(line.values[key]) for key in ("second", "third")]
    assert moves[0] != moves[1]
    assert {*moves} <= {*map(str, game.legal_moves)}
    for number in ("size", "money", "other_size", "other_money"):
        assert str(line.values[number]) in str(line)


def test_a_move_without_an_alternative_is_not_weighed() -> None:
    game = played_until(2)
    while len(game.legal_moves) > 1:
        assert game.to_move is not None
        game.play(bots.ask(bots.make("clerk", 1), game).move)
    assert weigh(game.view(game.to_move, history=True)) == []


def test_what_cost_nothing_is_not_mentioned_and_what_did_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In round 1 everybody builds; not to build is clearly worse."""
    monkeypatch.setattr(coaching, "REVIEW_BUDGET", Budget(playouts=64))  # however busy we are
    game = hv.new("classic", players=4, seed=1)
    seats = [bots.make("tycoon", seat) for seat in range(4)]
    while game.phase != "building" or "done" not in map(str, game.legal_moves):
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    seat = game.to_move
    assert seat is not None
    better = game.copy()
    game.play("done")
    (line,) = review(game, seat, ["tycoon"] * 4)
    assert (line.code, line.values["than"]) == ("cost", "done")
    assert 0 < int(line.values["low"]) < int(line.values["high"])
    better.play(str(line.values["second"]))
    assert review(better, seat, ["tycoon"] * 4) == []


def test_a_new_round_begins_with_what_the_last_one_changed() -> None:
    game = played_until(3)
    then = next(
        game.after(number) for number, row in enumerate(game.log) if (row.round, row.seat) == (2, 0)
    )
    lines = coaching.changes(game, 0, len(then.log) + 1, PLAYERS)
    before, after = (
        round(100 * evaluate(each, players=PLAYERS).chances[0]) for each in (then, game)
    )
    assert lines[0].code == "changed"
    assert lines[0].values == {"round": 2, "before": before, "after": after}
    assert [line.code for line in review(game, 0, PLAYERS) if line.code != "cost"] == [
        line.code for line in lines
    ]
    for line in lines[1:]:
        assert line.values["name"] in game.names[1:]
        if line.code == "gained_cities":
            who = game.names.index(str(line.values["name"]))
            old, new = (each.view(0)["players"][who]["cities"] for each in (then, game))
            assert line.values["count"] == len(new) - len(old)
