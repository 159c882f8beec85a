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

import inspect
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import TypeGuard

from highvoltage import registry, words
from highvoltage.bots.protocol import (
    Bot,
    BotError,
    Choice,
    Needs,
    Playable,
    Reason,
    ask,
    decide,
    failure,
    needs_of,
    play_game,
)

__all__ = [
    "Bot",
    "BotError",
    "Choice",
    "Needs",
    "Playable",
    "Reason",
    "about",
    "argument",
    "ask",
    "decide",
    "failure",
    "make",
    "names",
    "needs",
    "play_game",
]


def names() -> tuple[str, ...]:
    """The bots that installed packages bring along, weakest first.

    >>> names().index("random") < names().index("clerk") < names().index("tycoon")
    True
    """
    return tuple(_registered())


def about(name: str) -> str:
    """A sentence or two on how a bot plays and how strong it is, in the current language.

    The text is the message `bot_NAME_about`, or else the first line of the bot's docstring.

    >>> about("engineer")
    'Works out how its company will do until the end of the game. At a table with three clerks ...'
    """
    kind = _kind(name)[0]
    text = words.find(f"bot_{name.partition(':')[0]}_about", {})
    return text or (inspect.getdoc(kind) or "").partition("\n")[0]


def needs(name: str) -> Needs:
    """What a bot has to be given: nothing, its seat's view or parts of it, or also the history.

    >>> needs("director:500ms"), needs("clerk"), needs("random")
    ('history', 'parts', 'nothing')
    """
    return needs_of(_kind(name)[0])


def make(name: str, seed: int | str) -> Bot:
    """A bot by its name, or one of your own: `mine.py:Greedy`, or `folder:Greedy`.

    The text after the name is passed to the bot; a bot that searches takes its budget from it:
    `director:500ms`, `director:2000` playouts.

    >>> make("rnadom", seed=1)
    Traceback (most recent call last):
    highvoltage.bots.protocol.BotError: There is no bot 'rnadom'. Take ...
    >>> make("clerk:2s", seed=1)
    Traceback (most recent call last):
    highvoltage.bots.protocol.BotError: The bot 'clerk' takes no '2s'.
    """
    rng = Random(f"{seed}")  # a text seed is stable
    kind, option = _kind(name)
    if option is None:
        return kind(rng)
    try:
        inspect.signature(kind).bind(rng, option)
    except TypeError:
        known = name.partition(":")[0]
        refused = words.say("terminal_bot_takes_no", name=known, option=option)
        raise BotError(refused) from None
    return kind(rng, option)


def argument(name: str) -> str:
    """What a bot is given besides its name, or else takes by default.

    >>> argument("director:2s"), argument("director"), argument("clerk")
    ('2s', '500ms', '')
    """
    kind, given = _kind(name)
    if given is not None:
        return given
    parameters = inspect.signature(kind).parameters.values()
    return next((each.default for each in parameters if isinstance(each.default, str)), "")


@cache
def _registered() -> dict[str, type[Bot]]:
    """Bots by name, weakest first; a bot without a level counts as level 0."""
    found: dict[str, type[Bot]] = {}
    for name, kind in registry.loaded(registry.BOTS).items():
        if _is_bot(kind):
            found[name] = kind
        else:
            registry.warn_skipped(
                f"The bot '{name}'", f"{kind!r} is no class with a method 'choose'."
            )
    return dict(sorted(found.items(), key=lambda each: getattr(each[1], "level", 0)))


def _kind(name: str) -> tuple[type[Bot], str | None]:
    """The class of a bot, and the text after the colon of its name, if any."""
    known, colon, option = name.partition(":")
    if known in registry.entries(registry.BOTS):
        kind = registry.load(registry.BOTS, known)  # the others need not load
        if _is_bot(kind):
            return kind, option if colon else None
    return _own(name), None


@cache
def _own(name: str) -> type[Bot]:
    place, colon, kind = name.rpartition(":")
    path = Path(place)
    file = path / "__init__.py" if path.is_dir() else path
    if not colon or not (path.is_dir() or place.endswith(".py")):
        own = f"FILE.py:CLASS {words.say('terminal_or')} FOLDER:CLASS"
        known = ", ".join(names())
        raise BotError(words.say("terminal_no_bot", name=name, names=known, own=own))
    if not file.is_file():
        raise BotError(f"There is no file '{file}' to take the bot '{kind}' from.")
    module = f"own_bots_{path.stem}"
    spec = spec_from_file_location(module, file)
    assert spec is not None
    assert spec.loader is not None
    loaded = module_from_spec(spec)
    sys.modules[module] = loaded  # the files of a folder find each other
    try:
        spec.loader.exec_module(loaded)
    except Exception as error:
        raise BotError(f"'{file}' cannot be loaded: {error!r}") from error
    found: object = getattr(loaded, kind, None)
    if not _is_bot(found):
        raise BotError(f"'{file}' has no class '{kind}' with a method 'choose'.")
    return found


def _is_bot(thing: object) -> TypeGuard[type[Bot]]:
    return isinstance(thing, type) and callable(getattr(thing, "choose", None))
