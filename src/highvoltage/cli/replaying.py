"""`highvoltage replay`: verifies a record move by move and shows the game."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

import highvoltage as hv
from highvoltage.engine.errors import OptionError, RecordError
from highvoltage.engine.game import Game
from highvoltage.text.bot_names import shown_name
from highvoltage.text.narration import phase_name
from highvoltage.text.position import show_position
from highvoltage.text.show import narrator_for, title_of
from highvoltage.words import say


def load(file: Path) -> Game:
    """The game of a record; RecordError with the file, the line and the reason if it is invalid."""
    try:
        return hv.replay(file)
    except RecordError as error:
        where = f"{file}, line {error.line}" if error.line else str(file)
        raise RecordError(f"{where}: {error.reason}", game=error.game) from None


def position(game: Game, moves: int) -> Game:
    """The game after so many moves."""
    if not 0 <= moves <= len(game.log):
        raise OptionError(say("terminal_no_position", count=len(game.log), position=moves))
    return game.after(moves)


def story(game: Game) -> Iterator[Text]:
    """The whole game in words, under the headings of its rounds and phases."""
    narrator = narrator_for(game)
    for sentence in narrator.events(game.setup_events):
        yield Text(f"  {sentence}")
    for (round_, phase), rows in groupby(game.log, key=lambda row: (row.round, row.phase)):
        heading = say("log_head", round=round_, phase=phase_name(phase))
        yield Text(f"\n{heading}", "bold")
        for sentence in narrator.rows(rows):
            yield Text(f"  {sentence}")


def show_game(game: Game, console: Console) -> None:
    """Print the whole game and its last position."""
    names = ", ".join(map(shown_name, game.names))
    console.print(Text(f"{title_of(game)}: {names}", "bold"))
    for line in story(game):
        console.print(line)
    console.print()
    show_position(game, console)


def step_through(game: Game, at: int, console: Console) -> None:
    """Show the game move by move at the reader's pace."""
    narrator = narrator_for(game)
    while True:
        then = position(game, at)
        show_position(then, console)
        for sentence in narrator.rows(then.log[-1:]):
            console.print(Text(f"· {sentence}"))
        console.print(Text(f"{say('replay_move')} {at} / {len(game.log)}   {step_keys()}", "dim"))
        try:
            typed = console.input(Text("> ", "bold")).strip()
        except (EOFError, KeyboardInterrupt):
            return
        if typed.casefold() in {"q", "quit"}:
            return
        if typed.isascii() and typed.isdigit():
            at = int(typed)
        else:
            at += -1 if typed.casefold() in {"b", "back"} else 1
        at = max(0, min(at, len(game.log)))


def step_keys() -> str:
    """What to type between two moves."""
    keys = {"Enter": "replay_forward", "b": "replay_back", "q": "terminal_leave"}
    meanings = [f"{key}: {say(message)}" for key, message in keys.items()]
    return "   ".join([*meanings, say("terminal_go_to")])


def as_json(game: Game) -> str:
    """The position as a spectator sees it, with the facts of the game."""
    outcome = game.outcome
    found: dict[str, Any] = {
        "rulebook": game.rules.name,
        "version": game.rules.version,
        "names": game.names,
        "moves": len(game.log),
        "rounds": game.state.round,
        "outcome": None if outcome is None else msgspec.to_builtins(outcome),
        "view": game.view(),
    }
    return json.dumps(found, ensure_ascii=False, indent=2)
