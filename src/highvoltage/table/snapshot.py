"""Snapshots: everything that a seat or a spectator may know about a table, as plain data.

A running game is never sent to anybody in any other form.
"""

from collections.abc import Iterable
from typing import Any, cast

from msgspec import Struct

from highvoltage.engine.events import Event, KnownEvent
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Bid, Move, Nominate, Span, parse_move


class Offer(Struct, frozen=True, omit_defaults=True):
    """A legal move; with `to`, also the same move at every higher bid up to `to`."""

    move: str
    to: int | None = None
    cost: int | None = None


class LogRow(Struct, frozen=True):
    """A move that was played, and by whom: `person`, `bot`, `clock` or `auto`."""

    round: int
    phase: str
    seat: int
    move: str
    events: tuple[KnownEvent, ...]
    by: str


class Clocks(Struct, frozen=True):
    """Seconds left to each seat at the time of sending, and whose time is running.

    Nobody's is while the seat to move is on holiday.
    """

    left: tuple[float, ...]
    running: int | None


class Snapshot(Struct, frozen=True):
    """A running or finished game as one seat sees it. docs/protocol.md explains the fields."""

    seq: int
    you: int | None
    view: dict[str, Any] | None
    legal: list[Offer]
    log_from: int
    log: list[LogRow]
    setup: tuple[KnownEvent, ...] | None
    clocks: Clocks | None
    undo_to: int | None
    max_bids: dict[str, int]


def offers(game: Game, legal: Moves | None = None) -> list[Offer]:
    """The legal moves of the seat to move; they may be given, if they are known already.

    >>> import highvoltage as hv
    >>> offers(hv.new("classic", players=3, seed=1))[0]
    Offer(move='nominate 3 @3', to=50, cost=None)
    """
    legal = game.legal_moves if legal is None else legal
    plain = [Offer(str(move), cost=game.cost(move)) for move in legal.plain]
    return plain + [Offer(str(span.lowest), to=span.high) for span in legal.spans]


def moves_of(offered: Iterable[Offer], kinds: Iterable[type[Move]]) -> Moves:
    """The legal moves that were offered: the inverse of `offers`."""
    kinds = tuple(kinds)
    plain: list[Move] = []
    spans = []
    for offer in offered:
        move = parse_move(offer.move, kinds)
        if offer.to is not None and isinstance(move, Nominate | Bid):
            spans.append(Span(move, offer.to))
        else:
            plain.append(move)
    return Moves(plain, spans)


def log_row(row: Row, by: str) -> LogRow:
    return LogRow(row.round, row.phase, row.seat, str(row.move), known_events(row.events), by)


def known_events(events: tuple[Event, ...]) -> tuple[KnownEvent, ...]:
    """Events, typed as in the protocol's schema; those of other packages are included."""
    return cast("tuple[KnownEvent, ...]", events)
