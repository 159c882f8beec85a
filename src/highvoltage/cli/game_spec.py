"""Which game to play: from the command line, or question by question."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import SystemRandom
from secrets import token_hex
from typing import Any, NamedTuple, TypeVar

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

import highvoltage as hv
from highvoltage import bots
from highvoltage.cli.saved_table import SavedTable, resume
from highvoltage.cli.seats import (
    default_name,
    repeated,
    saved_kinds,
    seat_names,
    seats_of,
)
from highvoltage.engine.errors import HighVoltageError, OptionError
from highvoltage.engine.parts.board import known_maps, load_map
from highvoltage.engine.record import Record, read_record
from highvoltage.games import meta as about
from highvoltage.games import wrong_players
from highvoltage.games.meta import Meta, Option
from highvoltage.mapmaker import RANDOM, random_map
from highvoltage.table import Table
from highvoltage.text.bot_names import shown_name
from highvoltage.text.narration import in_language
from highvoltage.words import label, say

Answer = TypeVar("Answer")

BOOLEANS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


class GameSpec(NamedTuple):
    """Which game to play, and who plays."""

    rulebook: str
    map: str | None
    players: int
    people: tuple[str, ...]
    bots: tuple[str, ...]
    options: dict[str, Any]
    seed: str | None


def game_spec(
    rulebook: str,
    board: str | None,
    players: int | None,
    people: Sequence[str],
    kinds: Sequence[str],
    options: Sequence[str],
    seed: str | None,
    *,
    hotseat: bool,
) -> GameSpec:
    """Fill in what the command line leaves open: you and three bots, or only people."""
    meta = about(rulebook)
    named = len(people) + len(kinds)
    you = not people and not hotseat  # one person, without a name yet
    count = players or (named + you if named > 1 else usual_players(meta))
    if count not in meta.players:
        raise wrong_players(meta, count)
    names = list(people) or [default_name()]
    if hotseat:
        numbers = range(len(names) + 1, count + 1)
        names += [say("terminal_player", number=number) for number in numbers]
    if len(names) > count:
        raise OptionError(say("terminal_too_many_people", seats=count, names=", ".join(names)))
    return GameSpec(
        rulebook,
        board,
        count,
        tuple(names),
        tuple(kinds) or (meta.first_opponent,) * (count > len(names)),
        read_options(meta, options),
        seed,
    )


def usual_players(meta: Meta) -> int:
    return 4 if 4 in meta.players else max(meta.players)


def new_table(spec: GameSpec, file: Path) -> SavedTable:
    """A new game with everybody in their seats."""
    free = spec.players - len(spec.people)
    kinds = repeated(spec.bots, free)
    names = seat_names(spec.people, kinds)
    board = random_map(spec.seed or token_hex(4)) if spec.map == RANDOM else spec.map
    game = hv.new(spec.rulebook, map=board, players=names, seed=spec.seed, **spec.options)
    seats = seats_of(names, dict(enumerate(kinds, len(spec.people))))
    return SavedTable(Table(game, seats), file, spec.seed)


def resume_table(
    source: Path, people: Sequence[str], kinds: Sequence[str], file: Path
) -> SavedTable:
    """A saved game with everybody back in their seats."""
    text = read_text(source)
    record, _ = read_record(text)
    seats = seats_of(record.names, saved_kinds(record, people, kinds))
    seed = SystemRandom().getrandbits(64)
    return SavedTable(resume(text, seats, seed), file, seed)


def read_text(file: Path) -> str:
    return file.read_text("utf-8", errors="replace")


def read_options(meta: Meta, given: Sequence[str]) -> dict[str, Any]:
    """Parse options typed as `name=value`.

    >>> meta = hv.games()["classic"]
    >>> read_options(meta, ["money=hidden", "map_rules=off", "regions=west,south,east"])
    {'money': 'hidden', 'map_rules': False, 'regions': ['west', 'south', 'east']}
    """
    known = {option.name: option for option in meta.options}
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(say("terminal_option_syntax", text=text))
        options[name] = read_value(known[name], value) if name in known else value
    return options


def read_value(option: Option, text: str) -> Any:
    """One of the choices, a list if the option takes one, or else the text itself."""
    for choice in option.choices:
        if isinstance(choice, bool):
            if BOOLEANS.get(text.casefold()) is choice:
                return choice
        elif str(choice) == text:
            return choice
    return text.split(",") if option.takes_list else text


# Question by question


def ask_resume(console: Console, file: Path) -> Path | None:
    """The file of the unfinished game, if there is one with moves and the player resumes it."""
    record = unfinished(file)
    if record is None or not record.moves:
        return None
    game, names = label(f"game_{record.rulebook}", record.rulebook), map(shown_name, record.names)
    console.print(say("terminal_unfinished", game=game, names=", ".join(names)))
    answer = console.input(question(say("terminal_ask_resume"), say("yes"))).strip().casefold()
    return file if any(word.startswith(answer) for word in (say("yes"), "yes")) else None


def unfinished(file: Path) -> Record | None:
    try:
        record, _ = read_record(read_text(file))
    except (OSError, HighVoltageError):
        return None
    return None if record.result else record


def ask_game_spec(console: Console) -> GameSpec:
    """Ask what to play; pressing Enter at every question gives a good game."""
    known = hv.games()
    console.print(Text(say("terminal_press_enter"), "dim"))
    titles = {name: label(f"game_{name}", name) for name in known}
    rulebook = ask_one(console, say("terminal_ask_rulebook"), titles)
    meta = known[rulebook]
    first = meta.first_opponent
    board = None
    if meta.maps:
        maps = {name: map_title(file) for name, file in meta.maps.items()}
        board = ask_one(console, say("terminal_ask_map"), maps)

    def count(text: str) -> int:
        if not text.isdecimal() or int(text) not in meta.players:
            raise wrong_players(meta, text)
        return int(text)

    def name(text: str) -> str:
        hv.new(rulebook, map=board, players=seat_names([text], [first] * (players - 1)))
        return text

    how_many = say("terminal_ask_players", low=min(meta.players), high=max(meta.players))
    players = ask(console, how_many, str(usual_players(meta)), count)
    you = ask(console, say("terminal_ask_name"), default_name(), name)
    strengths = {bot: f"{label(f'bot_{bot}', bot)}. {bots.about(bot)}" for bot in bots.names()}
    bot = ask_one(console, say("terminal_ask_bots"), strengths, first)
    return GameSpec(rulebook, board, players, (you,), (bot,), {}, None)


def map_title(board: str) -> str:
    """A map as people call it."""
    if board not in known_maps():
        return label(f"map_{board}", board)
    found = load_map(board)
    return in_language(found.names) or found.name


def ask_one(console: Console, text: str, choices: dict[str, str], default: str = "") -> str:
    names = list(choices)
    if len(names) == 1:
        return names[0]
    table = Grid.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for number, (name, title) in enumerate(choices.items(), 1):
        table.add_row(f"  {number}", name, title)
    console.print(table)

    def choose(text: str) -> str:
        near = [name for name in names if name.startswith(text.casefold())]
        if text.isdecimal() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        if len(near) != 1 and text not in names:
            raise OptionError(say("terminal_take_one", names=", ".join(names)))
        return text if text in names else near[0]

    return ask(console, text, default or names[0], choose)


def ask(console: Console, text: str, default: str, read: Callable[[str], Answer]) -> Answer:
    while True:
        try:
            return read(console.input(question(text, default)).strip() or default)
        except OptionError as error:
            console.print(Text(str(error), "red"))


def question(text: str, default: str) -> Text:
    return Text.assemble(f"{text} ", (f"[{default}]", "bold"), " ")
