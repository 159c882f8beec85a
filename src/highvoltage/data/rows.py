"""What a data set tells of each decision."""

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
    """A game of a source: its name there, its record, and who played if not the record's names."""

    name: str
    record: Record
    players: tuple[str, ...] | None = None


def plain_rows(kept: SourceGame) -> Iterator[tuple[Any, ...]]:
    """Moves and outcomes, verified; values in the order of the columns."""
    with _named(kept):
        hv.replay(kept.record)
    return _rows(kept)


def _rows(kept: SourceGame) -> Iterator[tuple[Any, ...]]:
    record = kept.record
    board = record.options.get("map")
    head = (
        *(kept.name, record.rulebook, record.version),
        board if isinstance(board, str) else "",
        len(record.names),
    )
    players = kept.players or record.names
    ends = _ends(record)
    for seq, line in enumerate(record.moves):
        seat = line.seat
        yield (
            *head,
            *(seq, line.round, line.phase, seat, players[seat], line.move, list(line.turned)),
            *ends[seat],
        )


def observed_rows(kept: SourceGame, code: codec.Codec) -> Iterator[tuple[Any, ...]]:
    """The same, then action, legal indexes, and the observation as one row of numbers."""
    with _named(kept):
        game = game_of(kept.record, 0)
        for row, line in zip(_rows(kept), kept.record.moves, strict=True):
            try:
                seen = _decide(game, line, code)
            except HighVoltageError as error:
                number = len(game.log) + 1
                raise RecordError(f"move {number}, {line.move!r}: {error}") from None
            yield (*row, *seen)
        if kept.record.result != (game.outcome.ranking if game.outcome else ()):
            raise RecordError("the result is not the one that these moves lead to")


def _decide(game: hv.Game, line: Line, code: codec.Codec) -> tuple[Any, ...]:
    """What the seat saw; then the move is played."""
    view, move = game.view(line.seat), game.parse(line.move)
    legal = code.mask(view, game.legal_moves).nonzero()[0]
    seen = (code.index(view, move), legal, codec.flatten(code.observe(view)))
    game.play(move)
    return seen


@contextmanager
def _named(kept: SourceGame) -> Iterator[None]:
    """Say which game it is whose record fails."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{kept.name}: {error.reason}") from None


def codec_for(record: Record) -> codec.Codec:
    """The codec that reads the game of a record."""
    options = dict(record.options)
    return codec.make(record.rulebook, options.pop("map", None), len(record.names), **options)


def _ends(record: Record) -> list[tuple[int | None, float | None]]:
    """Place and share of the win of each seat; nothing while the game runs."""
    ends: list[tuple[int | None, float | None]] = [(None, None)] * len(record.names)
    ahead = 0
    for seats in record.result:
        for seat in seats:
            ends[seat] = ahead + 1, 0.0 if ahead else 1 / len(seats)
        ahead += len(seats)
    return ends
