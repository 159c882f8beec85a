"""The interface of a bot: it chooses a move from a seat's view and gives a reason.

A bot has no access to the game. It gets what its seat may see, and the legal moves.
"""

import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal, Protocol

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
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


Needs = Literal["nothing", "parts", "view", "history"]
"""What a bot is given: an empty view, a view of which only the parts that it reads are computed,
the view of its seat, or the view with the record so far."""


class Bot(Protocol):
    """A player that is a program. One instance is made for each seat of each game.

    State that it keeps between decisions may make it stronger, but it must not rely on it: a bot
    may be replaced by a new instance at any time, which goes on from the view alone.

    A class may declare with `needs` what its bots have to be given (by default the view), and with
    `level` how strong it is among the others. `parts` is for a bot that neither changes its view
    nor keeps it after its choice; a subclass has to declare it for itself.
    """

    def __init__(self, rng: Random, option: str = ..., /) -> None:
        """All randomness of a bot comes from `rng`, so a game of bots can be repeated.

        `option` is the text after its name, `500ms` in `director:500ms`; a bot need not take it.
        """

    def choose(self, view: View, legal: Moves) -> Choice:
        """Choose one of the legal moves; it is the turn of the seat whose view this is."""


def needs_of(bot: Bot | type[Bot]) -> Needs:
    kind = bot if isinstance(bot, type) else type(bot)
    found: Needs = getattr(kind, "needs", "view")
    return "view" if found == "parts" and "needs" not in vars(kind) else found


class Playable(Protocol):
    """What a bot needs from a game; `highvoltage.Game` is one."""

    @property
    def to_move(self) -> int | None: ...
    @property
    def legal_moves(self) -> Moves: ...
    @property
    def phase(self) -> str: ...
    @property
    def log(self) -> Sequence[object]: ...
    def view(self, seat: int | None = None, *, history: bool = False) -> View: ...
    def lazy_view(self, seat: int) -> View: ...
    def play(self, move: Move | str) -> object: ...


def ask(bot: Bot, game: Playable) -> Choice:
    """What a bot chooses for the seat to move.

    >>> import highvoltage as hv
    >>> from highvoltage import bots
    >>> game = hv.new("classic", players=3, seed=1)
    >>> bots.ask(bots.make("clerk", seed=1), game).move
    Nominate(card=4, bid=4)
    """
    return decide(bot, view_for(needs_of(bot), game), game.legal_moves)


def view_for(needs: Needs, game: Playable) -> View:
    """What a bot of the seat to move is given."""
    if needs == "nothing":
        return {}
    if needs == "parts" and game.to_move is not None:
        return game.lazy_view(game.to_move)
    return game.view(game.to_move, history=needs == "history")


def decide(bot: Bot, view: View, legal: Moves) -> Choice:
    """What a bot chooses; raises BotError if the result is no valid choice."""
    choice = bot.choose(view, legal)
    if fault := fault_of(choice):
        raise BotError(f"{type(bot).__name__} cannot play: {fault}.")
    return choice


def failure(bot: str, number: int, game: Playable, error: Exception) -> BotError:
    """The error for a bot that failed in one game of many: in which move, and in which line."""
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
