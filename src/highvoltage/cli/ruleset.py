"""The ruleset of a game: every value, its origin, and its rule."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from highvoltage.cli.game_spec import read_options, usual_players
from highvoltage.engine.errors import CardsError, MapError, OptionError
from highvoltage.engine.ruleset import Line, Ruleset
from highvoltage.games import editions, meta, rulebook
from highvoltage.games.meta import Meta
from highvoltage.text.narration import in_language, plain
from highvoltage.words import find, label, read_as_words, say

GROUPS = ("ruleset_numbers", "ruleset_fuel", "ruleset_board", "option")
"""What the messages for the names of lines begin with."""
THINGS = ("ruleset_field", "fuel", "region", "market", "ruleset_kind")
"""What the messages for keys and values inside a line begin with."""


def ruleset_for(
    name: str, board: str | None, players: int | None, options: Sequence[str]
) -> Ruleset:
    """The ruleset of the game that the command line describes."""
    about = meta(name)
    given = read_options(about, options)
    return rulebook(name, players or usual_players(about), board, given).ruleset


def show_ruleset(ruleset: Ruleset, console: Console) -> None:
    board = ruleset.board()
    place = [in_language(board["names"]) or board["name"]] if board else []
    players = say("puzzle_players", players=ruleset.players)
    about = [label(f"game_{ruleset.rulebook}", ruleset.rulebook), *place, players]
    console.print(Text(", ".join(about), "bold"))
    show_lines(ruleset.lines(), console)


def show_lines(lines: Iterable[Line], console: Console) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(ratio=2)
    table.add_column(ratio=3)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    for line in lines:
        name = message_for(GROUPS, line.name) or read_as_words(line.name)
        origin = label(f"ruleset_origin_{line.origin}", line.origin)
        chosen = find(f"choice_{line.name}_{line.value}", {})
        value = chosen or "\n".join(value_lines(line.value))
        table.add_row("", name, value, origin, line.rule)
    console.print(table)


def ruleset_json(ruleset: Ruleset) -> str:
    fields = {
        "rulebook": ruleset.rulebook,
        "version": ruleset.version,
        "players": ruleset.players,
        "lines": [line._asdict() for line in ruleset.lines()],
    }
    return json.dumps(fields, indent=2, ensure_ascii=False)


def show_changes(file: Path, console: Console) -> None:
    """What a map changes in each rulebook; rulebooks with the same changes are listed together."""
    found: dict[str, list[str]] = {}
    changes: dict[str, list[Line]] = {}
    for name, each in editions().items():
        if lines := changed_by(file, each.meta):
            found.setdefault(repr(lines), []).append(name)
            changes[repr(lines)] = lines
    for key, names in found.items():
        console.print(Text(f"What it changes of {', '.join(names)}:", "bold"))
        show_lines(changes[key], console)


def changed_by(file: Path, about: Meta) -> list[Line]:
    """The lines that come from the map; a value that depends on the players lists each number."""
    by_name: dict[str, dict[int, Line]] = {}
    for players in about.players:
        with suppress(CardsError, MapError, OptionError):  # a rulebook without boards
            for line in rulebook(about.name, players, file, {}).ruleset.lines():
                if line.origin == "map":
                    by_name.setdefault(line.name, {})[players] = line
    return [_merged(lines) for lines in by_name.values()]


def _merged(lines: dict[int, Line]) -> Line:
    first = next(iter(lines.values()))
    if all(line == first for line in lines.values()):
        return first
    return first._replace(value={f"{n} players": line.value for n, line in lines.items()})


def value_lines(value: Any, *inside: str) -> Iterator[str]:
    """A value in words; a nested value takes one line for each of its parts.

    >>> [*value_lines({"coal": [5, 6, 4], "oil": [3, 4, 5]})]
    ['coal 5/6/4, oil 3/4/5']
    >>> [*value_lines({"oslo": [{"cost": 5, "step": 1}], "bergen": [{"cost": 7, "step": 2}]})]
    ['oslo: cost 5, from Step 1', 'bergen: cost 7, from Step 2']
    """
    if isinstance(value, dict) and any(map(_is_nested, value.values())):
        for key, each in value.items():
            yield from value_lines(each, *inside, thing(key))
    elif isinstance(value, list | tuple) and not inside and _is_nested(value):
        yield from map(words, value)
    else:
        yield ": ".join(filter(None, (", ".join(inside), words(value))))


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(each, dict) for each in value)
    )


def words(value: Any) -> str:
    """A value in words.

    >>> words([10, 15, 20]), words(["north", "south_east"]), words({"1": 3, "2": 3}), words(None)
    ('10/15/20', 'North, south east', '1: 3, 2: 3', 'none')
    """
    if isinstance(value, dict):
        return ", ".join(
            f"{thing(key)}{':' if str(key).isdecimal() else ''} {words(each)}"
            for key, each in value.items()
        )
    if isinstance(value, list | tuple):
        mark = "; " if _is_nested(value) else "/" if all(type(n) is int for n in value) else ", "
        return mark.join(map(words, value)) or say("ruleset_none")
    if isinstance(value, bool):
        return say("yes" if value else "no")
    return say("ruleset_none") if value is None else thing(value)


def thing(name: object) -> str:
    """What a field, a fuel or a place inside a value is called."""
    return message_for(THINGS, name) or plain(name)


def message_for(groups: Iterable[str], name: object) -> str | None:
    """The first message of these groups for a name, if there is one."""
    return next(filter(None, (find(f"{group}_{name}", {}) for group in groups)), None)
