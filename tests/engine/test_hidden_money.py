"""With hidden money everybody decides: skipping a player would reveal what is in a purse."""

from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import CannotBuy
from highvoltage.engine.game import Game
from highvoltage.games import rulebook
from highvoltage.table import Seat, Table
from ours import RULEBOOKS

every_rulebook = pytest.mark.parametrize("name", RULEBOOKS)
ids = pytest.mark.rule("C-4.4.5", "R-4.3.1", "KR-06", "OR-17")


def poor(game: Game, *purses: int) -> Game:
    """The purses in turn order."""
    for seat, money in zip(game.state.order, purses, strict=True):
        game.state.players[seat].money = money
    return game


def started(name: str, *, money: str = "hidden", version: int | None = None) -> Game:
    rules = rulebook(name, 3, None, {"money": money}, version)
    return Game(rules, hv.Seeded(1), ["Ann", "Bob", "Cem"])


def legal(game: Game) -> list[str]:
    return list(map(str, game.legal_moves))


def nominate(game: Game) -> None:
    game.play(game.legal_moves.spans[0].lowest)


@ids
@every_rulebook
def test_a_player_who_cannot_raise_still_decides(name: str) -> None:
    game = poor(started(name), 30, 0, 0)
    first, *_ = game.state.order
    nominate(game)
    others = [(first + 1) % 3, (first + 2) % 3]
    for seat in others:
        assert (game.to_move, legal(game)) == (seat, ["pass"])
        with pytest.raises(hv.IllegalMove):
            game.play("bid 29")
        game.play("pass")
    assert len(game.state.players[first].cards) == 1


@ids
@every_rulebook
def test_a_player_who_cannot_nominate_still_decides_even_in_the_first_round(name: str) -> None:
    game = poor(started(name), 0, 0, 40)
    for seat in game.state.order[:2]:
        assert (game.to_move, legal(game)) == (seat, ["pass"])
        game.play("pass")
    assert game.to_move == game.state.order[2]
    with pytest.raises(hv.IllegalMove, match=r"In the first (round|auction) everybody has to buy"):
        game.play("pass")


@ids
@every_rulebook
@pytest.mark.parametrize(("money", "version"), [("open", None), ("hidden", 1)])
def test_other_players_are_skipped(name: str, money: str, version: int | None) -> None:
    game = poor(started(name, money=money, version=version), 30, 0, 0)
    first, *others = game.state.order
    nominate(game)
    assert len(game.state.players[first].cards) == 1
    skipped = [e.seat for e in game.log[-1].events if isinstance(e, CannotBuy)]
    assert skipped[:2] == others


@ids
@every_rulebook
def test_the_purse_makes_no_difference_to_others(name: str) -> None:
    """The same moves of the rich and of the poor look the same, also with automatic moves."""
    seen = []
    for purse in (40, 0):
        table = seated(poor(started(name), 30, purse, purse))
        table.commit(table.move(table.game.state.order[0], 0, legal(table.game)[0], at=0))
        shown: list[Any] = [table.snapshot(None)]
        for _ in range(2):
            assert table.automatic_moves(at=0) is None
            mover = table.game.to_move
            assert mover is not None
            table.commit(table.move(mover, table.seq, "pass", at=0))
            shown += [table.snapshot(None), table.snapshot(table.game.state.order[0])]
        seen.append(shown)
    assert seen[0] == seen[1]


def seated(game: Game) -> Table:
    return Table(game, [Seat("person")] * 3, auto=True)


@every_rulebook
def test_two_worlds_that_differ_in_purses_look_the_same(name: str) -> None:
    """Ann and a spectator learn nothing in a whole game: views, offers, log, record and hints."""
    poor_world, rich_world = (seated(started(name)) for _ in range(2))
    for player in rich_world.game.state.players[1:]:
        player.money += 300
    worlds = (poor_world, rich_world)
    rng = Random(3)
    hint = bots.make("clerk", 1)
    while poor_world.game.to_move is not None and len(poor_world.game.log) < 150:
        shown: list[Any] = []
        for table in worlds:
            assert table.automatic_moves(at=0) is None
            game = table.game
            shown.append([table.snapshot(0), table.snapshot(None), str(game.record())])
            if game.to_move == 0:
                shown[-1].append(hint.choose(game.view(0), game.legal_moves).move)
        assert shown[0] == shown[1]
        move = rng.choice(poor_world.game.legal_moves.choices)
        for table in worlds:
            seat = table.game.to_move
            assert seat is not None
            table.commit(table.move(seat, table.seq, str(move), at=0))
    assert len(poor_world.game.log) > 100
