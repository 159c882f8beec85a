"""High Voltage: every rulebook of the Power Grid family, exact to the rule.

>>> import highvoltage as hv
>>> game = hv.new("classic", map="germany", players=4, seed=7)
>>> game.to_move, game.phase
(3, 'auction')
>>> len(game.legal_moves), "nominate 4 @4" in map(str, game.legal_moves)
(186, True)
>>> game.play("nominate 4 @4")
()
>>> game.play("bid 3")
Traceback (most recent call last):
highvoltage.engine.errors.IllegalMove: The next bid is at least 5. (C-4.4.1)
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from os import PathLike, urandom
from typing import TYPE_CHECKING, Any

import msgspec

from highvoltage import games as _games
from highvoltage.engine.cards import label, parse_card
from highvoltage.engine.chance import Chance, Scripted, Seeded
from highvoltage.engine.errors import (
    CardsError,
    CardsWarning,
    ChanceError,
    HighVoltageError,
    IllegalMove,
    MapError,
    MoveSyntaxError,
    OptionError,
    RecordError,
)
from highvoltage.engine.events import Event
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.log import Row
from highvoltage.engine.manual_chance import ManualChance
from highvoltage.engine.moves import Move
from highvoltage.engine.outcome import Outcome
from highvoltage.engine.record import Record, read_record
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games.meta import Meta, Option

if TYPE_CHECKING:
    from random import Random

__version__ = "1.0.0"
__all__ = [
    "CardsError",
    "CardsWarning",
    "Chance",
    "ChanceError",
    "Event",
    "Game",
    "HighVoltageError",
    "IllegalMove",
    "ManualChance",
    "MapError",
    "Meta",
    "Move",
    "MoveSyntaxError",
    "Moves",
    "Option",
    "OptionError",
    "Outcome",
    "Record",
    "RecordError",
    "Row",
    "Scripted",
    "Seeded",
    "games",
    "label",
    "new",
    "parse_card",
    "replay",
    "resample",
    "worlds",
]


def games() -> dict[str, Meta]:
    """The rulebooks with their players, maps and options.

    >>> games()["classic"].maps["central_europe"]
    'central_europe'
    """
    return _games.metas()


def new(
    rulebook: str,
    *,
    map: MapSpec = None,  # noqa: A002  # the word of the game
    players: int | Sequence[str] = 4,
    seed: int | str | None = None,
    chance: Chance | None = None,
    **options: Any,
) -> Game:
    """A new game, at its first decision.

    `players` is their number or their names. The same `seed` gives the same game. `chance` replaces
    it where the caller decides: `Scripted` in advance, `ManualChance` as cards are turned up.

    >>> new("classic", map="usa", players=["Ann", "Bob"], seed=1, regions="draft").phase
    'regions'
    >>> new("classic", players=9)
    Traceback (most recent call last):
    highvoltage.engine.errors.OptionError: Power Grid (2004) is for 2 to 6 players, not 9.
    """
    names = [f"Player {n}" for n in range(1, players + 1)] if isinstance(players, int) else players
    rules = _games.rulebook(rulebook, len(names), map, options)
    if chance is None:
        chance = Seeded(int.from_bytes(urandom(8)) if seed is None else seed)
    return Game(rules, chance, names)


def replay(record: Record | str | PathLike[str], *, seed: int | str = 0) -> Game:
    """The game of a record, verified move by move; RecordError says where it fails.

    Cards that the record never turned up (the rest of the deck) are shuffled with `seed`. If the
    record fails midway, or needs a version of the rules that is not available here, the error holds
    the `game` as far as it could be read.

    >>> game = new("classic", players=3, seed=1)
    >>> _ = game.play("nominate 5 @7")
    >>> replay(str(game.record())).view() == game.view()
    True
    """
    if isinstance(record, PathLike):
        with open(record, encoding="utf-8", errors="replace") as file:  # noqa: PTH123  # no Path
            record = file.read()
    if isinstance(record, str):
        record, lines = read_record(record)
    else:
        lines = [0] * len(record.moves)
    try:
        carried = _games.meta(record.rulebook).versions
    except OptionError as error:
        raise RecordError(str(error)) from None
    if record.version not in carried:
        raise _foreign_version(record, lines, seed, carried)
    game = _games.game_of(record, seed)
    game.follow_record(record, lines)
    return game


def _foreign_version(
    record: Record, lines: list[int], seed: int | str, carried: range
) -> RecordError:
    """The error for a record by rules we do not have, with the game as far as ours can read it."""
    game: Game | None
    try:
        game = _games.game_of(msgspec.structs.replace(record, version=carried[-1]), seed)
        game.follow_record(record, lines)
    except RecordError as error:
        game = error.game
    read = 0 if game is None else len(game.log)
    return RecordError(
        f"it was played by version {record.version} of the rules of {record.rulebook}; this program"
        f" has versions {carried[0]} to {carried[-1]}, and by the newest of them it can be read up"
        f" to move {read} of {len(record.moves)}",
        game=game,
    )


def resample(view: dict[str, Any], rng: "Random") -> Game:
    """A complete game consistent with a view and its history; hidden parts are sampled anew.

    >>> from random import Random
    >>> game = new("classic", players=3, seed=1)
    >>> world = resample(game.view(0, history=True), Random(5))
    >>> world.view(0) == game.view(0), world.state.market.deck == game.state.market.deck
    (True, False)
    """
    return next(worlds(view, rng))


def worlds(view: dict[str, Any], rng: "Random") -> Iterator[Game]:
    """An endless stream of games consistent with a view: `resample` for callers who need many.

    >>> from random import Random
    >>> game = new("classic", players=3, seed=1)
    >>> some = worlds(game.view(0, history=True), Random(5))
    >>> all(next(some).view(0) == game.view(0) for _ in range(3))
    True
    """
    record = msgspec.convert(view["record"], Record)
    first = replay(record, seed=rng.getrandbits(64))
    yield first.copy()
    while True:
        world = _games.game_of(record, rng.getrandbits(64))
        world.apply_log(first.log)  # verified once; the same in every world
        yield world


def __getattr__(name: str) -> Any:
    """Load `highvoltage.batch` on first use, as it needs JAX."""
    if name == "batch":
        return import_module("highvoltage.batch")
    raise AttributeError(f"module 'highvoltage' has no attribute {name!r}")
