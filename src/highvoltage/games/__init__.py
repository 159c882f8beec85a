"""The rulebooks, one folder each, and how a game of any of them is set up."""

from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from typing import Any

from highvoltage import registry
from highvoltage.engine.errors import CardsError, MapError, OptionError, RecordError
from highvoltage.engine.game import Game, setup_draws
from highvoltage.engine.record import PARTIAL_DRAWS, Record, RecordedChance
from highvoltage.engine.rulebook import MapSpec, Rulebook
from highvoltage.engine.ruleset import Ruleset
from highvoltage.engine.state import State
from highvoltage.games.aliases import OPTIONS
from highvoltage.games.edition import Edition
from highvoltage.games.meta import Meta, Option
from highvoltage.words import label, say

MAX_CACHED_RULEBOOKS = 200
"""Rulebooks cached for the next game with the same options; bounded, as users can ask for many."""


def editions() -> dict[str, Edition]:
    """All playable rulebooks, by name: ours, then those of other packages.

    >>> [*editions()][:4]
    ['classic', 'recharged', 'cardgame', 'outpost']
    """
    found: dict[str, Edition] = registry.loaded(registry.RULEBOOKS)
    entries = registry.entries(registry.RULEBOOKS)

    def sort_key(name: str) -> tuple[bool, str, str]:
        return not registry.is_ours(entries[name]), found[name].family, name

    return {name: found[name] for name in sorted(found, key=sort_key)}


def edition(name: str) -> Edition:
    """A rulebook by name; OptionError if there is none."""
    if name not in registry.entries(registry.RULEBOOKS):
        raise OptionError(say("terminal_no_rulebook", name=name, names=", ".join(editions())))
    found: Edition = registry.load(registry.RULEBOOKS, name)
    return found


def metas() -> dict[str, Meta]:
    """The metadata of all rulebooks, by name."""
    return {name: each.meta for name, each in editions().items()}


def meta(name: str) -> Meta:
    return edition(name).meta


def rulebook(
    name: str,
    players: int,
    map_spec: MapSpec,
    options: dict[str, Any],
    version: int | None = None,
) -> Rulebook[State]:
    """The rulebook set up for a game, in its newest version unless another is named.

    Games with the same options share it.
    """
    about = meta(name)
    if isinstance(players, bool) or players not in about.players:
        raise wrong_players(about, players)
    version = check_version(about, version)
    chosen = read_options(about, options)
    named = map_spec is None or (isinstance(map_spec, str) and map_spec in about.maps)
    own = any(chosen[option.name] is not None for option in about.options if option.takes_file)
    shared = named and not own  # a file may change
    if shared:
        assert map_spec is None or isinstance(map_spec, str)
        return _cached_rulebook(name, version, players, map_spec, tuple(chosen.items()))
    return _make_rulebook(name, version, players, map_spec, chosen)


def wrong_players(about: Meta, count: object) -> OptionError:
    """The error for a number of players that a rulebook is not for."""
    low, high, game = min(about.players), max(about.players), game_title(about)
    return OptionError(say("terminal_wrong_players", game=game, low=low, high=high, count=count))


def game_title(about: Meta) -> str:
    """The title of a rulebook in the language spoken."""
    return label(f"game_{about.name}", about.name)


@lru_cache(maxsize=MAX_CACHED_RULEBOOKS)
def _cached_rulebook(
    name: str, version: int, players: int, map_spec: str | None, chosen: tuple[tuple[str, Any], ...]
) -> Rulebook[State]:
    return _make_rulebook(name, version, players, map_spec, dict(chosen))


def _make_rulebook(
    name: str, version: int, players: int, map_spec: MapSpec, chosen: dict[str, Any]
) -> Rulebook[State]:
    found = edition(name)
    rules = found.rules.make(found.meta, players, map_spec, chosen, version)
    if not hasattr(rules, "ruleset"):  # it has nothing to resolve with a map
        rules.ruleset = Ruleset(
            rulebook=name,
            version=version,
            players=players,
            options=found.meta.chosen(chosen),
            numbers=rules.numbers(),
        )
    return rules


def check_map(source: str | PathLike[str] | dict[str, Any]) -> list[str]:
    """Every problem of a map file, or of its content.

    There is none if every rulebook with boards can play it (C-1.8.2).
    """
    from highvoltage.engine.parts import board  # noqa: PLC0415  # not before a game

    problems = board.check_map(source)
    for found in () if problems else editions().values():
        problems += found.rules.map_faults(found.meta, source)
    return [*dict.fromkeys(problems)]


def check_version(about: Meta, version: int | None) -> int:
    known = about.versions
    if version is None:
        return known[-1]
    if version not in known:
        raise OptionError(
            f"There is no version {version} of the rules of {about.title} here: this program has"
            f" versions {known[0]} to {known[-1]}, a newer one may have more."
        )
    return version


def read_options(about: Meta, options: dict[str, Any]) -> dict[str, Any]:
    options = {OPTIONS.get(name, name): value for name, value in options.items()}
    known = {option.name: option for option in about.options}
    for name in options:
        if name not in known:
            names = ", ".join(known)
            title = game_title(about)
            raise OptionError(say("terminal_no_option", game=title, name=name, names=names))
    return {
        name: _read(option, options.get(name, option.default)) for name, option in known.items()
    }


def _read(option: Option, value: Any) -> Any:
    if option.takes_list and isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(value)
    if option.takes_file and isinstance(value, str | PathLike | dict):
        return value
    for choice in option.choices:
        if type(choice) is type(value) and choice == value:
            return choice
    kinds = [say("terminal_a_list")] * option.takes_list
    kinds += [say("terminal_a_file")] * option.takes_file
    choices = f" {say('terminal_or')} ".join([*map(repr, option.choices), *kinds])
    refused = say("terminal_option_is", name=option.name, choices=choices, value=repr(value))
    raise OptionError(refused)


def rules_of(record: Record) -> Rulebook[State]:
    """The rulebook of a record, set up in the version and with the options it was played by."""
    options = dict(record.options)
    map_spec = options.pop("map", None)
    try:
        return rulebook(record.rulebook, len(record.names), map_spec, options, record.version)
    except (CardsError, OptionError, MapError) as error:
        raise RecordError(str(error)) from None


def game_of(record: Record, seed: int | str) -> Game:
    """The game of a record, set up and not yet played; `seed` decides what it does not contain."""
    rules = rules_of(record)
    game = Game(rules, RecordedChance(record, seed, rules), record.names)
    found = setup_draws(game.setup_events)
    for draw in PARTIAL_DRAWS:
        if sorted(map(str, found.get(draw, ()))) != sorted(map(str, record.drawn.get(draw, ()))):
            raise RecordError(f"'{draw}' names too few, too many, or of the wrong kinds")
    return game
