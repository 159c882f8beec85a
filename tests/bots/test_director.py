"""The director: sees what a seat sees, keeps its budget, can be repeated, and is stronger."""

from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Any, NoReturn

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.director import Director, Search, candidates, read_budget
from highvoltage.bots.engineer import Engineer
from highvoltage.games import RULEBOOKS


class Poison(list[int]):
    """Cards that nobody may look at: only how many there are is known."""

    def _touched(self, *_: object) -> NoReturn:
        raise AssertionError("a bot has reached the hidden part of the game")

    __getitem__ = __iter__ = __reversed__ = __contains__ = _touched
    index = count = copy = _touched


class Glass:
    """The seat's side of a game: while a bot thinks, what is hidden is poisoned."""

    def __init__(self, game: hv.Game) -> None:
        self.game = game

    def ask(self, bot: bots.Bot) -> bots.Choice:
        seat = self.game.to_move
        view = self.game.view(seat, history=getattr(bot, "history", False))
        legal = self.game.legal_moves
        hidden = self.game.state
        deck, aside = hidden.market.deck, hidden.market.aside
        hidden.market.deck, hidden.market.aside = Poison(deck), Poison(aside)
        chance, hidden.chance = hidden.chance, None  # type: ignore[assignment]
        try:
            return bot.choose(view, legal)
        finally:
            hidden.market.deck, hidden.market.aside, hidden.chance = deck, aside, chance


def mid_game(rulebook: str, rounds: int) -> hv.Game:
    game = hv.new(rulebook, players=3, seed=6)
    seats = [bots.make("engineer", seat) for seat in range(3)]
    while game.state.round <= rounds:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("name", [*bots.names()[:-1], "director:4"])
def test_no_bot_touches_what_is_hidden(rulebook: str, name: str) -> None:
    game = mid_game(rulebook, 3)
    seats = [bots.make(name, seat) for seat in range(3)]
    glass = Glass(game)
    for _ in range(12 if name.startswith("director") else 60):
        if game.to_move is None:
            break
        game.play(glass.ask(seats[game.to_move]).move)


def test_what_is_hidden_is_poisoned_indeed() -> None:
    game = hv.new("classic", players=3, seed=6)
    game.state.market.deck = Poison(game.state.market.deck)
    with pytest.raises(AssertionError, match="hidden part"):
        game.state.market.deck[0]
    with pytest.raises(AssertionError, match="hidden part"):
        sorted(game.state.market.deck)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_number_of_playouts_gives_the_same_moves_again(rulebook: str) -> None:
    game = mid_game(rulebook, 4)
    view = game.view(game.to_move, history=True)
    first, second = (Director(Random(3), "12").choose(view, game.legal_moves) for _ in range(2))
    assert first == second
    assert first.move in game.legal_moves
    assert str(first.why)


def test_time_is_kept() -> None:
    game = mid_game("classic", 7)
    view = game.view(game.to_move, history=True)
    began = perf_counter()
    Director(Random(3), "300ms").choose(view, game.legal_moves)
    assert perf_counter() - began < 5  # a playout that has begun is played to its end


def decisions() -> Iterator[tuple[dict[str, Any], hv.Moves, bots.Choice]]:
    game = hv.new("classic", players=3, seed=8)
    engineers = [Engineer(Random(seat)) for seat in range(3)]
    while (seat := game.to_move) is not None:
        view, legal = game.view(seat), game.legal_moves
        choice = engineers[seat].choose(view, legal)
        if len(legal) > 1:
            yield view, legal, choice
        game.play(choice.move)


def test_the_engineers_move_is_always_looked_at_first() -> None:
    for view, legal, advised in decisions():
        moves = candidates(view, legal, advised)
        assert moves[0] == advised.move
        assert len(moves) == len(set(moves)) <= 4
        assert all(move in legal for move in moves)


def test_what_is_clear_is_decided_at_once() -> None:
    game = mid_game("classic", 4)
    while game.phase != "bureaucracy":
        assert game.to_move is not None
        game.play(bots.ask(bots.make("engineer", 1), game).move)
    view = game.view(game.to_move, history=True)
    began = perf_counter()
    Director(Random(3), "9999s").choose(view, game.legal_moves)
    assert perf_counter() - began < 5


def test_a_clear_win_is_found() -> None:
    """With all worlds in favour of one move, that move is played and its chance is told."""
    game = mid_game("classic", 4)
    view = game.view(game.to_move, history=True)
    advised = Engineer(Random(1)).choose(view, game.legal_moves)
    other = next(move for move in game.legal_moves.choices if move != advised.move)
    search = Search(view, [advised.move, other], Random(1))
    search._value = lambda _, move: 0.9 + len(search.values[move]) / 1000 if move == other else 0.1  # type: ignore[assignment,method-assign]
    choice = search.choose(advised, read_budget("20"))
    assert choice.move == other
    assert choice.why.code == "searched_instead"
    assert choice.why.values["advised"] == str(advised.move)


@pytest.mark.parametrize("text", ["", "0", "fast", "-3", "5m", "1.5s"])
def test_a_budget_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(bots.BotError, match="is no budget"):
        bots.make(f"director:{text}", 1)
