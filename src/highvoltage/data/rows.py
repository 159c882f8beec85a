"""The rows of a data set, one for each decision."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

import highvoltage as hv
from highvoltage import codec
from highvoltage.engine.errors import HighVoltageError, RecordError
from highvoltage.engine.record import Line, Record
from highvoltage.games import game_of

COLUMNS = {
    "game": "what its source calls the game",
    "rulebook": "by which it was played",
    "rules": "the version of these rules",
    "map": "by name; empty where a game has none or its own",
    "players": "how many",
    "seq": "how many moves came before",
    "round": "of the game",
    "phase": "of the round",
    "seat": "whose decision it is",
    "player": "who sits there; empty for people at a server",
    "move": "as records write it",
    "turned": "cards that the move turned up",
    "place": "of the seat at the end, from 1; empty in a game that has not ended",
    "won": "1 for the winner, a share of it for each of some, else 0",
}
OBSERVATION_COLUMNS = {
    "action": "the index of the move; of a bid between two steps the lower one",
    "legal": "the indexes of all legal moves",
}


class SourceGame(Struct, frozen=True):
    """A game of a source: its name, its record, and its players if not those of the record."""

    name: str
    record: Record
    players: tuple[str, ...] | None = None


def plain_rows(source: SourceGame) -> Iterator[tuple[Any, ...]]:
    """Verified moves and outcomes; values in the order of the columns."""
    with _named(source):
        hv.replay(source.record)
    return move_rows(source)


def move_rows(source: SourceGame) -> Iterator[tuple[Any, ...]]:
    """The same of a game that needs no verification, because it has just been played."""
    record = source.record
    board = record.options.get("map")
    head = (
        *(source.name, record.rulebook, record.version),
        board if isinstance(board, str) else "",
        len(record.names),
    )
    players = source.players or record.names
    ends = _ends(record)
    for seq, line in enumerate(record.moves):
        seat = line.seat
        yield (
            *head,
            *(seq, line.round, line.phase, seat, players[seat], line.move, list(line.turned)),
            *ends[seat],
        )


def observed_rows(source: SourceGame, code: codec.Codec) -> Iterator[tuple[Any, ...]]:
    """The same, then action, legal indexes, and the observation as one row of numbers."""
    with _named(source):
        game = game_of(source.record, 0)
        for row, line in zip(move_rows(source), source.record.moves, strict=True):
            try:
                observed = _decide(game, line, code)
            except HighVoltageError as error:
                number = len(game.log) + 1
                raise RecordError(f"move {number}, {line.move!r}: {error}") from None
            yield (*row, *observed)
        if source.record.result != (game.outcome.ranking if game.outcome else ()):
            raise RecordError("the result is not the one that these moves lead to")


def _decide(game: hv.Game, line: Line, code: codec.Codec) -> tuple[Any, ...]:
    """Return action, legal indexes and observation of a decision, then play the move."""
    view, move = game.lazy_view(line.seat), game.parse(line.move)
    legal = code.mask(view, game.legal_moves).nonzero()[0]
    observed = (code.index(view, move), legal, codec.flatten(code.observe(view)))
    game.play(move)
    return observed


@contextmanager
def _named(source: SourceGame) -> Iterator[None]:
    """Add the name of the game to the error of its record."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{source.name}: {error.reason}") from None


def codec_for(record: Record) -> codec.Codec:
    """The codec for the game of a record."""
    options = dict(record.options)
    return codec.make(record.rulebook, options.pop("map", None), len(record.names), **options)


def _ends(record: Record) -> list[tuple[int | None, float | None]]:
    """Place and share of the win of each seat; None while the game runs."""
    ends: list[tuple[int | None, float | None]] = [(None, None)] * len(record.names)
    ahead = 0
    for seats in record.result:
        for seat in seats:
            ends[seat] = ahead + 1, 0.0 if ahead else 1 / len(seats)
        ahead += len(seats)
    return ends
