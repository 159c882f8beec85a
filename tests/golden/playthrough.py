"""Whole games as text, reviewed by their diff: moves, events, and what changes for a spectator.

`make golden` plays the moves of every playthrough again and writes the result. Where a move is no
longer legal, clerks play the game to its end.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import highvoltage as hv
from highvoltage import bots
from highvoltage.testing import Setting

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
GAMES = [
    Setting("classic", "germany", 3),
    Setting("classic", "usa", 2, {"regions": "draft"}),
    Setting("classic", "central_europe", 4, {"money": "hidden"}),
    Setting("recharged", "germany", 3, {"standard_starting_cities": True}),
    Setting("recharged", "usa", 2),
    Setting("cardgame", None, 3),
    Setting("cardgame", None, 2, {"demolition": True}),
    Setting("outpost", "planet", 3),
    Setting("outpost", "planet", 2),
]


def path_of(setting: Setting) -> Path:
    return FOLDER / f"{setting}.txt".replace("=", "-")


def new(setting: Setting) -> hv.Game:
    names = NAMES[: setting.players]
    return hv.new(setting.rulebook, map=setting.map, players=names, seed=1, **setting.options)


def moves_of(text: str) -> list[str]:
    return re.findall(r"^  \w+: (.+)$", text, re.MULTILINE)


def play(setting: Setting, moves: list[str]) -> hv.Game:
    """The game of these moves as far as they are legal, and of clerks from there."""
    game = new(setting)
    try:
        for move in moves:
            game.play(move)
    except hv.HighVoltageError as error:
        print(f"{path_of(setting).name}, move {len(game.log) + 1}: {error}")
    bots.play_game(game, [bots.make("clerk", name) for name in game.names])
    return game


def lines_of(setting: Setting, played: hv.Game) -> Iterator[str]:
    """The set-up, then for each round the view of a spectator and each move with its events."""
    game = new(setting)
    yield str(setting)
    yield from map(event_line, game.setup_events)
    seen: dict[str, Any] = {}
    at = 0, ""
    for row in played.log:
        if row.round > at[0]:
            yield ""
            yield from view_lines(seen, seen := game.view())
        if (row.round, row.phase) != at:
            at = row.round, row.phase
            yield f"round {row.round}, {row.phase}"
        yield f"  {game.names[row.seat]}: {row.move}"
        yield from map(event_line, game.play(row.move))
    yield ""
    yield from view_lines(seen, game.view())


def event_line(event: hv.Event) -> str:
    return f"    {json.dumps(msgspec.to_builtins(event))}"


def view_lines(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """What has changed in a view, part by part."""
    old, new = dict(parts("", before)), dict(parts("", after))
    yield from (f"{path} is gone" for path in old if path not in new)
    yield from (f"{path} = {value}" for path, value in new.items() if old.get(path) != value)


def parts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """The parts of plain data with their paths; a card is given by its name."""
    if isinstance(value, dict) and (value or not path):
        for name, part in value.items():
            yield from parts(f"{path}.{name}" if path else name, part)
    elif isinstance(value, list) and value and isinstance(value[0], dict) and "seat" in value[0]:
        for at, part in enumerate(value):
            yield from parts(f"{path}[{at}]", part)
    else:
        yield path, json.dumps(brief(value), ensure_ascii=False)


def brief(value: Any) -> Any:
    if isinstance(value, dict):
        if "number" in value:
            return value["card"]
        return {name: brief(part) for name, part in value.items()}
    return [brief(part) for part in value] if isinstance(value, list) else value


def playthrough(setting: Setting, moves: list[str]) -> str:
    return "\n".join(lines_of(setting, play(setting, moves))) + "\n"


def main() -> None:
    for setting in GAMES:
        path = path_of(setting)
        old = path.read_text("utf-8") if path.exists() else ""
        path.write_text(playthrough(setting, moves_of(old)), "utf-8")


if __name__ == "__main__":
    main()
