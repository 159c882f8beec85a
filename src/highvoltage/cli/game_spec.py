"""Which game to play: from the command line, or question by question."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple, TypeVar

from rich.console import Console
from rich.text import Text

import highvoltage as hv
from highvoltage import bots
from highvoltage.cli.narration import many
from highvoltage.cli.saved_table import SavedTable, resume
from highvoltage.cli.seats import (
    default_name,
    repeated,
    saved_kinds,
    seat_names,
    seats_of,
)
from highvoltage.engine.errors import HighVoltageError, OptionError
from highvoltage.engine.record import Record, read_record
from highvoltage.games import meta as about
from highvoltage.games.meta import Meta, Option
from highvoltage.table import Table

Answer = TypeVar("Answer")

STRENGTHS = {
    "random": "any possible move, at random",
    "apprentice": "rules of thumb, and misses a chance now and then",
    "clerk": "rules of thumb, and today's prices",
    "engineer": "forecasts its company to the end of the game",
    "director": "looks ahead, half a second for each move",
    "tycoon": "taught itself; where it was not taught it plays as the engineer",
}
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
        raise OptionError(f"{meta.title} is for {player_counts(meta)} players, not {count}.")
    names = list(people) or [default_name()]
    if hotseat:
        names += [f"Player {n}" for n in range(len(names) + 1, count + 1)]
    if len(names) > count:
        seats = many(count, "seat", "seats")
        raise OptionError(f"There are {len(names)} people for {seats}: {', '.join(names)}.")
    return GameSpec(
        rulebook,
        board,
        count,
        tuple(names),
        tuple(kinds) or (meta.first_opponent,) * (count > len(names)),
        read_options(meta, options),
        seed,
    )


def player_counts(meta: Meta) -> str:
    return f"{min(meta.players)} to {max(meta.players)}"


def usual_players(meta: Meta) -> int:
    return 4 if 4 in meta.players else max(meta.players)


def new_table(spec: GameSpec, file: Path) -> SavedTable:
    """A new game with everybody in their seats."""
    free = spec.players - len(spec.people)
    kinds = repeated(spec.bots, free)
    names = seat_names(spec.people, kinds)
    game = hv.new(spec.rulebook, map=spec.map, players=names, seed=spec.seed, **spec.options)
    seats = seats_of(names, dict(enumerate(kinds, len(spec.people))))
    return SavedTable(Table(game, seats), file, spec.seed)


def resume_table(
    source: Path, people: Sequence[str], kinds: Sequence[str], file: Path
) -> SavedTable:
    """A saved game with everybody back in their seats."""
    text = read_text(source)
    names = read_record(text)[0].names
    seats = seats_of(names, saved_kinds(names, people, kinds))
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
            raise OptionError(f"An option is written NAME=VALUE, not '{text}'.")
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
    """The file of the unfinished game, if there is one and the player resumes it."""
    record = unfinished(file)
    if record is None:
        return None
    names = ", ".join(record.names)
    console.print(f"There is an unfinished game: {record.rulebook} with {names}.")
    answer = console.input(question("Go on with it?", "yes")).strip().casefold()
    return file if answer in {"", "y", "yes"} else None


def unfinished(file: Path) -> Record | None:
    try:
        record, _ = read_record(read_text(file))
    except (OSError, HighVoltageError):
        return None
    return None if record.result or not record.moves else record


def ask_game_spec(console: Console) -> GameSpec:
    """Ask what to play; pressing Enter at every question gives a good game."""
    known = hv.games()
    console.print(Text("Press Enter to take what stands in brackets.", "dim"))
    rulebook = ask_one(
        console, "Which rulebook?", {name: each.title for name, each in known.items()}
    )
    meta = known[rulebook]
    first = meta.first_opponent
    board = None
    if meta.maps:
        board = ask_one(console, "Which map?", dict.fromkeys(meta.maps, ""))

    def count(text: str) -> int:
        if not text.isdecimal() or int(text) not in meta.players:
            raise OptionError(f"{meta.title} is for {player_counts(meta)} players.")
        return int(text)

    def name(text: str) -> str:
        hv.new(rulebook, map=board, players=seat_names([text], [first] * (players - 1)))
        return text

    players = ask(
        console, f"How many players, {player_counts(meta)}?", str(usual_players(meta)), count
    )
    you = ask(console, "Your name?", default_name(), name)
    known_bots = {bot: STRENGTHS.get(bot, "") for bot in bots.names()}
    bot = ask_one(console, "Against which bots?", known_bots, first)
    return GameSpec(rulebook, board, players, (you,), (bot,), {}, None)


def ask_one(console: Console, text: str, choices: dict[str, str], default: str = "") -> str:
    names = list(choices)
    if len(names) == 1:
        return names[0]
    for number, (name, title) in enumerate(choices.items(), 1):
        console.print(Text.assemble((f"  {number} ", "bold cyan"), name, (f"  {title}", "dim")))

    def choose(text: str) -> str:
        near = [name for name in names if name.startswith(text.casefold())]
        if text.isdecimal() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        if len(near) != 1 and text not in names:
            raise OptionError(f"Take one of {', '.join(names)}, or its number.")
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
