"""What every bot is: something that chooses a move from a seat's view and says why.

A bot never meets the game. It is given what its seat may see and the moves that are legal.
"""

import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal, Protocol

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.moves import Move, Moves
from highvoltage.views import View
from highvoltage.views.choice import Choice, Reason, Values, fault_of

__all__ = [
    "Bot",
    "BotError",
    "Choice",
    "Needs",
    "Playable",
    "Reason",
    "Values",
    "ask",
    "decide",
    "failure",
    "needs_of",
    "play_game",
]


class BotError(HighVoltageError):
    """A bot that does not exist or cannot play."""


Needs = Literal["nothing", "view", "history"]
"""What a bot is shown: an empty view, the view of its seat, or the view with the record so far."""


class Bot(Protocol):
    """A player that is a program. One is made for each seat of each game, and lives as long.

    What it keeps between two decisions makes it stronger, never more than that: a bot may at any
    time be made anew, and goes on from what it is shown.

    A class may say with `needs` what its bots have to be shown, the view if it says nothing, and
    with `level` where it stands among the others.
    """

    def __init__(self, rng: Random, wish: str = ..., /) -> None:
        """All the chance a bot uses comes from `rng`, so a game of bots can be repeated.

        `wish` is what follows its name, `500ms` in `director:500ms`; it may do without.
        """

    def choose(self, view: View, legal: Moves) -> Choice:
        """One of the legal moves; it is the turn of the seat whose view this is."""


def needs_of(bot: Bot | type[Bot]) -> Needs:
    found: Needs = getattr(bot, "needs", "view")
    return found


class Playable(Protocol):
    """What a game shows to those who play it; `highvoltage.Game` is one."""

    @property
    def to_move(self) -> int | None: ...
    @property
    def legal_moves(self) -> Moves: ...
    @property
    def phase(self) -> str: ...
    @property
    def log(self) -> Sequence[object]: ...
    def view(self, seat: int | None = None, *, history: bool = False) -> View: ...
    def play(self, move: Move | str) -> object: ...


def ask(bot: Bot, game: Playable) -> Choice:
    """What a bot chooses in the seat that is to move.

    >>> import highvoltage as hv
    >>> from highvoltage import bots
    >>> game = hv.new("classic", players=3, seed=1)
    >>> bots.ask(bots.make("clerk", seed=1), game).move
    Nominate(card=4, bid=4)
    """
    needs = needs_of(bot)
    view = {} if needs == "nothing" else game.view(game.to_move, history=needs == "history")
    return decide(bot, view, game.legal_moves)


def decide(bot: Bot, view: View, legal: Moves) -> Choice:
    """What a bot chooses; BotError if what it returns is no choice."""
    choice = bot.choose(view, legal)
    if fault := fault_of(choice):
        raise BotError(f"{type(bot).__name__} cannot play: {fault}.")
    return choice


def failure(bot: str, number: int, game: Playable, error: Exception) -> BotError:
    """That a bot failed in a game of many, and where: in which move, and in which line of it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return BotError(
        f"The bot '{bot}' failed in game {number}"
        f" (move {len(game.log) + 1}, round {game.view()['round']}, {game.phase}):"
        f" {type(error).__name__}: {error} [{Path(frame.filename).name}:{frame.lineno}]"
    )


def play_game(game: Playable, bots: Sequence[Bot]) -> None:
    """Play a game to its end, one bot in each seat.

    >>> import highvoltage as hv
    >>> from highvoltage import bots
    >>> game = hv.new("cardgame", players=2, seed=1)
    >>> bots.play_game(game, [bots.make("clerk", seed=1), bots.make("random", seed=1)])
    >>> game.outcome.winners
    (0,)
    """
    while (seat := game.to_move) is not None:
        game.play(ask(bots[seat], game).move)
