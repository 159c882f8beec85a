"""Bots on the expansion boards: they finish games, and the engineer sees what a board changes."""

import pytest

import highvoltage as hv
from atlas.boards import BOARDS, BOOKS, PLAYERS, at, new
from highvoltage import bots
from positions import board, legal

every_board = pytest.mark.parametrize("map_", BOARDS)
every_book = pytest.mark.parametrize("book", BOOKS)


def play(map_: str, book: str, kinds: list[str], seed: int) -> hv.Game:
    game = new(map_, book, len(kinds), seed)
    bots.play_game(game, [bots.make(kind, f"{seed}/{seat}") for seat, kind in enumerate(kinds)])
    return game


@pytest.mark.long
@every_board
@every_book
@pytest.mark.parametrize("players", PLAYERS)
def test_clerks_and_engineers_finish_20_games(map_: str, book: str, players: int) -> None:
    for seed in range(20):
        kinds = ["clerk" if (seat + seed) % 2 else "engineer" for seat in range(players)]
        game = play(map_, book, kinds, seed)
        assert game.outcome is not None
        assert game.state.round <= 30


@pytest.mark.long
@every_board
@every_book
def test_an_engineer_wins_more_than_its_share_against_clerks(map_: str, book: str) -> None:
    games, wins = 40, 0.0
    for seed in range(games):
        kinds = ["clerk"] * 4
        kinds[seed % 4] = "engineer"
        outcome = play(map_, book, kinds, 1000 + seed).outcome
        assert outcome is not None
        wins += (seed % 4 in outcome.winners) / len(outcome.winners)
    assert wins / games > 0.25


def test_a_clerk_buys_on_the_cheaper_market() -> None:
    game = at("korea", plants={2: [10, 15]}, cities={2: 4}, money=60, phase="fuel", order=[0, 1, 2])
    clerk = bots.make("clerk", 1)
    assert str(clerk.choose(game.view(2), game.legal_moves).move) == "market north"
    board(game).stock[0] = 3
    assert str(clerk.choose(game.view(2), game.legal_moves).move) == "market south"


@pytest.mark.parametrize("kind", ["clerk", "engineer"])
def test_bots_buy_from_the_storage_what_the_market_does_not_have(kind: str) -> None:
    game = at(
        "south_africa",
        plants={2: [20]},
        cities={2: 4},
        stock={"coal": 1},
        money=60,
        phase="fuel",
        order=[0, 1, 2],
    )
    board(game).storage = (5, 0, 0, 0)
    board(game).supply[0] -= 5
    bot = bots.make(kind, 1)
    bought = []
    while game.to_move == 2 and game.phase == "fuel":
        move = bot.choose(game.view(2), game.legal_moves).move
        bought.append(str(move))
        game.play(move)
    assert bought[:2] == ["buy coal 1", "buy stored_coal 2"]


@pytest.mark.parametrize("kind", ["clerk", "engineer"])
def test_bots_choose_among_the_starts_that_a_board_allows(kind: str) -> None:
    game = at("japan", plants={2: [20]}, money=60, phase="building", order=[0, 1, 2], round=1)
    move = bots.make(kind, 1).choose(game.view(2), game.legal_moves).move
    assert str(move) in legal(game)
    assert move.verb == "build"
