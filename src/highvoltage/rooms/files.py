"""Files from users: maps, card faces, records. Read in a worker process, which may take a while."""

from typing import Any

import msgspec

import highvoltage as hv
from highvoltage.engine.errors import RecordError
from highvoltage.engine.game import Game
from highvoltage.engine.parts.board import known_maps
from highvoltage.engine.record import read_record
from highvoltage.games import meta, rulebook
from highvoltage.games.meta import Meta
from highvoltage.rooms.problems import malformed, too_large

MAX_MOVES = 5_000  # a game has a few hundred
MAX_LISTED = 12  # items in the list of an option, such as regions


def check_setup(
    name: str, players: int, board: str | dict[str, Any] | None, options: dict[str, Any], most: int
) -> None:
    """Raise unless a game can be set up with this and custom data has at most `most` bytes."""
    check_data(meta(name), board, options, most)
    rulebook(name, players, board, options)


def read_game(text: str, most: int) -> Game:
    """The game of an uploaded record."""
    record, _ = read_record(text)
    if len(record.moves) > MAX_MOVES:
        raise RecordError("it is too long")
    options = dict(record.options)
    check_data(meta(record.rulebook), options.pop("map", None), options, most)
    return hv.replay(text)


def check_data(about: Meta, board: object, options: dict[str, Any], most: int) -> None:
    """Allow only shipped or uploaded data: a name is never read as the path of a file."""
    if isinstance(board, str) and board not in {*about.maps, *known_maps()}:
        raise malformed(
            "malformed", f"There is no map '{board[:40]}'. Maps: {', '.join(about.maps)}."
        )
    for option in about.options:
        value = options.get(option.name)
        if option.takes_file:
            if not isinstance(value, dict | None):
                raise malformed(
                    "malformed", f"Option '{option.name}' is what is in a file: a JSON object."
                )
        elif not (isinstance(value, str | int | None) or _short_list(value)):
            raise malformed("malformed", f"Option '{option.name}' cannot be this.")
    for name, own in {**options, "map": board}.items():
        if isinstance(own, dict):
            check_size(name, own, most)


def check_size(name: str, own: dict[str, Any], most: int) -> None:
    """Refuse custom data of more than `most` bytes."""
    if len(msgspec.json.encode(own)) > most:
        raise too_large(f"Your own {name[:40]} must not be larger than {most:,} bytes.")


def _short_list(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_LISTED
        and all(isinstance(item, str) for item in value)
    )
