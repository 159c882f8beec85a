"""Players that are programs: they see what a seat sees, never the game.

>>> import highvoltage as hv
>>> game = hv.new("classic", players=3, seed=7)
>>> players = [make("random", seed) for seed in range(3)]
>>> choice = players[game.to_move].choose(game.view(game.to_move), game.legal_moves)
>>> choice.move in game.legal_moves, choice.why.code
(True, 'random')
>>> play_game(game, players)
>>> game.to_move, game.outcome.reason
(None, 'cities')
"""

from collections.abc import Callable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any, cast

from highvoltage.bots.clerk import Clerk
from highvoltage.bots.director import Director
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import Bot, BotError, Choice, Playable, Reason, ask, play_game
from highvoltage.bots.random import RandomBot

__all__ = [
    "Bot",
    "BotError",
    "Choice",
    "Playable",
    "Reason",
    "ask",
    "make",
    "names",
    "needs_history",
    "play_game",
]

_BOTS: dict[str, Callable[[Random], Bot]] = {
    "random": RandomBot,
    "clerk": Clerk,
    "engineer": Engineer,
    "director": Director,
}


def names() -> tuple[str, ...]:
    """The bots that come with the package, weakest first.

    >>> "random" in names()
    True
    """
    return tuple(_BOTS)


def needs_history(name: str) -> bool:
    """Whether a bot is given views with the record of the game.

    >>> needs_history("director:500ms"), needs_history("clerk")
    (True, False)
    """
    return getattr(_BOTS.get(name.partition(":")[0]), "history", False)


def make(name: str, seed: int | str) -> Bot:
    """A bot by its name, or one of your own as `mine.py:Greedy`.

    A bot that searches is given its budget: `director:500ms`, `director:2000` playouts.

    >>> make("rnadom", seed=1)
    Traceback (most recent call last):
    highvoltage.bots.protocol.BotError: There is no bot 'rnadom'. Take random, clerk, ...
    """
    rng = Random(f"{seed}")  # a text seed is stable
    level, colon, budget = name.partition(":")
    if colon and level == "director":
        return Director(rng, budget)
    return (_BOTS.get(name) or _own(name))(rng)


@cache
def _own(name: str) -> Callable[[Random], Bot]:
    file, colon, kind = name.rpartition(":")
    if not colon or not file.endswith(".py"):
        raise BotError(f"There is no bot '{name}'. Take {', '.join(_BOTS)} or FILE.py:CLASS.")
    if not Path(file).is_file():
        raise BotError(f"There is no file '{file}' to take the bot '{kind}' from.")
    spec = spec_from_file_location(f"own_bots_{Path(file).stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BotError(f"'{file}' cannot be loaded: {error!r}") from error
    found: Any = getattr(module, kind, None)
    if not callable(getattr(found, "choose", None)):
        raise BotError(f"'{file}' has no class '{kind}' with a method 'choose'.")
    return cast("Callable[[Random], Bot]", found)
