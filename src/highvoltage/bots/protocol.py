"""What every bot is: something that chooses a move from a seat's view and says why.

A bot never meets the game. It is given what its seat may see and the moves that are legal.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.moves import Move, Moves
from highvoltage.views import View
from highvoltage.views.choice import Choice, Reason, Values

__all__ = ["Bot", "BotError", "Choice", "Playable", "Reason", "Values", "ask", "play_game"]


class BotError(HighVoltageError):
    """A bot that cannot be had."""


class Bot(Protocol):
    """A player that is a program. One is made for each seat of each game.

    A bot that sets `history = True` is given views with the record of the game.
    """

    def __init__(self, rng: Random) -> None:
        """All the chance a bot uses comes from `rng`, so a game of bots can be repeated."""

    def choose(self, view: View, legal: Moves) -> Choice:
        """One of the legal moves; it is the turn of the seat whose view this is."""


class Playable(Protocol):
    """What a game shows to those who play it; `highvoltage.Game` is one."""

    @property
    def to_move(self) -> int | None: ...
    @property
    def legal_moves(self) -> Moves: ...
    def view(self, seat: int | None = None, *, history: bool = False) -> View: ...
    def play(self, move: Move | str) -> object: ...


def ask(bot: Bot, game: Playable) -> Choice:
    """What a bot chooses in the seat that is to move."""
    view = game.view(game.to_move, history=getattr(bot, "history", False))
    return bot.choose(view, game.legal_moves)


def play_game(game: Playable, bots: Sequence[Bot]) -> None:
    """Play a game to its end, one bot in each seat."""
    while (seat := game.to_move) is not None:
        game.play(ask(bots[seat], game).move)
