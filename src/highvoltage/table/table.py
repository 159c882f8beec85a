"""One running game: who sits where, what was decided, what may be undone.

The table is the only authority. It has no transport, no store and no clock of its own. It keeps a
journal of every move and undo in order; `seq` counts its entries. A decision names the `seq` that
the player saw, so that it never applies to another position than intended.

Proposing and committing are separate, so that a store can save the decision in between.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from highvoltage import words
from highvoltage.engine.cards import label, parse_card
from highvoltage.engine.errors import HighVoltageError, IllegalMove, MoveSyntaxError, RecordError
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Move, Pass
from highvoltage.engine.parts.market import MarketState
from highvoltage.engine.record import Record, turned_tokens
from highvoltage.engine.state import State
from highvoltage.table import clock as clocks
from highvoltage.table.clock import Clock, Pace, Span
from highvoltage.table.preview import Preview, preview_moves
from highvoltage.table.snapshot import Clocks, LogRow, Snapshot, known_events, log_row, offers

DecidedBy = Literal["person", "bot", "clock", "auto"]
UNDO_PREFIX = "undo "


class Refused(HighVoltageError):
    """A refused decision; nothing changed. `rule` is None if the table refuses, not the rules.

    Without a `message`, the catalogue's message for the code is used.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        rule: str | None = None,
        values: dict[str, object] | None = None,
    ) -> None:
        self.code = code
        self.rule = rule
        self.values: dict[str, object] = values or {}
        super().__init__(message or words.sentence(f"refused_{code}", code, self.values))


class Seat(Struct):
    """A place at the table. A person's seat with a `bot` is played by the bot for now."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    bot: str | None = None


class Entry(Struct, frozen=True, gc=False):
    """A line of the journal: a move, or `undo N` (back to N moves), and what it revealed.

    `turned` lists the cards it turned up, `top` is the back of the card then on top of the deck.
    """

    seat: int
    text: str
    at: float
    by: DecidedBy = "person"
    turned: tuple[str, ...] = ()
    top: str = ""


class MaxBid(Struct, frozen=True, gc=False):
    """A secret maximum bid for a card in this round; 0 means pass."""

    seat: int
    card: int
    round: int
    limit: int


class Advance(Struct, frozen=True):
    """The result of a decision: entries for the journal, and the changes to the game.

    The first `kept` moves stay; then follow `rows`, decided by `bys`, leading to `state`, where
    these moves are `legal`, if that was looked for.
    """

    entries: Sequence[Entry]
    kept: int
    rows: list[Row]
    bys: list[DecidedBy]
    state: State
    legal: Moves | None = None

    @property
    def to_move(self) -> int | None:
        return self.state.actor


class Table:
    """A game and its players.

    >>> import highvoltage as hv
    >>> table = Table(hv.new("classic", players=2, seed=1), [Seat("person"), Seat("person")])
    >>> seat = table.game.to_move
    >>> table.commit(table.move(seat, 0, "nominate 4 @4", at=0))
    >>> table.snapshot(seat).undo_to
    0
    >>> table.move(seat, 0, "pass", at=1)
    Traceback (most recent call last):
    highvoltage.table.table.Refused: Somebody was faster. Look again and decide.
    """

    __slots__ = (
        "_legal",
        "auto",
        "away",
        "bys",
        "clock",
        "game",
        "lengths",
        "max_bids",
        "pace",
        "seats",
    )

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        *,
        pace: Pace | None = None,
        auto: bool = False,
        at: float = 0,
        away: Sequence[Sequence[Span]] | None = None,
    ) -> None:
        self.game: Game = game
        self.seats: list[Seat] = list(seats)
        self.pace: Pace = pace or Pace()
        self.auto: bool = auto  # the table plays moves that have no alternative
        self.clock: Clock = clocks.start(self.pace, len(self.seats), at)
        self.away: Sequence[Sequence[Span]] = away or [()] * len(self.seats)  # holidays by seat
        self.bys: list[DecidedBy] = []  # who decided each move of the log
        self.lengths: list[int] = [0]  # length of the log after each entry of the journal
        self.max_bids: dict[tuple[int, int], MaxBid] = {}
        self._legal: Moves | None = None  # in this position; None if not yet looked for

    @property
    def seq(self) -> int:
        """The number of entries in the journal."""
        return len(self.lengths) - 1

    # Deciding

    def move(self, seat: int, seq: int, text: str, at: float, by: DecidedBy = "person") -> Advance:
        """The result of a move, including automatic moves; raises Refused if not allowed."""
        self._check_seq(seq)
        if self.game.outcome is None:
            self._check_turn(seat)
        branch = self.game.branch()
        try:
            entry = _play(branch, text, at, by)
        except MoveSyntaxError as error:
            raise Refused("not_a_move", str(error)) from None
        except IllegalMove as error:
            raise Refused(error.code, str(error), error.rule, error.values) from None
        return self._follow_up(branch, [entry], at)

    def preview(self, seat: int, seq: int, moves: Sequence[str], *, ahead: bool = False) -> Preview:
        """Preview moves, as far as nobody else decides; nothing is changed.

        With `ahead`, preview as if it were this seat's turn to build, with enough money.
        """
        return self.preview_of_copy(seat, seq, moves, ahead=ahead)()

    def preview_of_copy(
        self, seat: int, seq: int, moves: Sequence[str], *, ahead: bool = False
    ) -> Callable[[], Preview]:
        """The same as work to be done later, in any thread: it has a copy of the position."""
        self._check_seq(seq)
        then = None
        if not ahead:
            self._check_turn(seat)
        else:
            then = None if self.game.outcome else self.game.rules.ahead(self.game.state, seat)
            if then is None:
                raise Refused("not_your_turn")
        return partial(preview_moves, self.game.branch(), seq, moves, then)

    def undo(self, seat: int, seq: int, to: int | None, at: float) -> Advance:
        """Undo back to `to` moves, or by one move."""
        self._check_seq(seq)
        own = self._undoable(seat)
        if not own or (to is not None and to not in own):
            raise Refused("no_undo")
        back = own[-1] if to is None else to
        state = self.game.state_after(back)
        entry = Entry(seat, f"{UNDO_PREFIX}{back}", at, top=self.game.rules.top(state))
        return Advance([entry], back, [], [], state)

    def automatic_moves(self, at: float) -> Advance | None:
        """The moves that now follow automatically, for instance from a new maximum bid."""
        if self._automatic(self.game, self.legal_moves) is None:
            return None
        return self._follow_up(self.game.branch(), [], at)

    def commit(self, advance: Advance) -> None:
        """Apply an advance to the table."""
        for entry in advance.entries:
            self._register(entry)
        self._apply(advance, self.game)
        self._legal = advance.legal
        self.bys[advance.kept :] = advance.bys

    def after(self, advance: Advance) -> Game:
        """The game as it will be once this advance is committed."""
        game = self.game.copy()
        self._apply(advance, game)
        return game

    @staticmethod
    def _apply(advance: Advance, game: Game) -> None:
        game.log[advance.kept :] = advance.rows
        game.state = advance.state

    def max_bid(self, seat: int, card: str, limit: int | None) -> MaxBid:
        """Store a secret maximum bid for a card; None removes it. Call `automatic_moves` next."""
        try:
            max_bid = MaxBid(seat, parse_card(card), self.game.state.round, limit or 0)
        except ValueError:
            raise Refused("not_a_card", values={"card": card[:20]}) from None
        state = self.game.state
        if not (isinstance(state, MarketState) and max_bid.card in state.market.cards):
            raise Refused("not_a_card", values={"card": card[:20]})
        if limit is None:
            self.max_bids.pop((seat, max_bid.card), None)
        else:
            self.max_bids[seat, max_bid.card] = max_bid
        return max_bid

    def _check_seq(self, seq: int) -> None:
        if seq != self.seq:
            raise Refused("stale")

    def _check_turn(self, seat: int) -> None:
        if self.game.to_move != seat:
            raise Refused("not_your_turn")

    def _undoable(self, seat: int) -> list[int]:
        """The log lengths that a seat may undo to: nobody has learned anything new since."""
        log = self.game.log
        if self.game.outcome is not None:
            return []
        back = len(log)
        while back and log[back - 1].seat == seat and not turned_tokens(log[back - 1].events):
            back -= 1
        # The table would only repeat its automatic moves.
        return [count for count in range(back, len(log)) if self.bys[count] != "auto"]

    def _follow_up(self, branch: Game, entries: list[Entry], at: float) -> Advance:
        while (automatic := self._automatic(branch, legal := branch.legal_moves)) is not None:
            move, by = automatic
            entries.append(_play(branch, move, at, by))
        bys = [entry.by for entry in entries]
        return Advance(entries, len(self.game.log), branch.log, bys, branch.state, legal)

    def _automatic(self, game: Game, legal: Moves) -> tuple[Move, DecidedBy] | None:
        """A move that needs no decision: a maximum bid decides it, or there is no other."""
        if game.to_move is None:
            return None
        s = game.state
        if self.max_bids and isinstance(s, MarketState) and s.bidding.raising is not None:
            max_bid = self.max_bids.get((game.to_move, s.bidding.raising))
            if max_bid and max_bid.round == s.round:
                raises = [span.lowest for span in legal.spans]
                bid = next((raise_ for raise_ in raises if raise_.bid <= max_bid.limit), Pass())
                return bid, "person"
        if not self.auto or game.rules.asks_everybody:
            return None
        if len(legal) == 1:
            return legal[0], "auto"
        return None

    def _register(self, entry: Entry) -> None:
        """Update clocks, maximum bids and log lengths for an entry."""
        self.clock = self._next_clock(self.clock, entry)
        back = _undo_target(entry)
        if back is not None:  # a maximum bid would only repeat what was undone
            self.max_bids = {
                key: max_bid for key, max_bid in self.max_bids.items() if key[0] != entry.seat
            }
        self.lengths.append(self.lengths[-1] + 1 if back is None else back)

    def _next_clock(self, clock: Clock, entry: Entry) -> Clock:
        if entry.by in {"person", "clock"}:
            return clocks.spend(self.pace, clock, entry.seat, entry.at, self.away[entry.seat])
        return clocks.rest(clock, entry.at)

    # Replaying the journal

    def follow(self, entries: Sequence[Entry]) -> None:
        """Apply journal entries to the table; RecordError if they do not match the game."""
        kept, new = remaining_moves(entries, len(self.game.log))
        branch = self.game.branch(kept if kept < len(self.game.log) else None)
        for entry in new:
            _verify(entry, _replay(branch, entry))
        self.commit(Advance(entries, kept, branch.log, [entry.by for entry in new], branch.state))

    # Reading

    @property
    def legal_moves(self) -> Moves:
        """What the seat to move may do."""
        if self._legal is None:
            self._legal = self.game.legal_moves
        return self._legal

    @property
    def bot_to_move(self) -> str | None:
        """The bot to move, if any."""
        to_move = self.game.to_move
        return None if to_move is None else self.seats[to_move].bot

    @property
    def deadline(self) -> float | None:
        """When the time of the person to move runs out."""
        if self.bot_to_move is not None:
            return None
        return self._deadline(self.clock, self.game.to_move)

    def deadline_after(self, advance: Advance) -> float | None:
        """The deadline after this advance is committed."""
        clock = self.clock
        for entry in advance.entries:
            clock = self._next_clock(clock, entry)
        return self._deadline(clock, advance.to_move)

    def _deadline(self, clock: Clock, to_move: int | None) -> float | None:
        return clocks.deadline(self.pace, clock, to_move, self._away(to_move))

    def turn_after(self, seconds: float) -> float:
        """When the turn of the seat to move will have taken so long, without its holidays."""
        return clocks.moment_after(self.clock.since, seconds, self._away(self.game.to_move))

    def next_holiday_change(self, now: float) -> float | None:
        """When a holiday of the seat to move begins or ends next."""
        changes = (moment for span in self._away(self.game.to_move) for moment in span)
        return min((moment for moment in changes if moment > now), default=None)

    def _away(self, seat: int | None) -> Sequence[Span]:
        return () if seat is None else self.away[seat]

    def has_run_out(self, now: float) -> bool:
        """Whether the seat to move has no time left, even if a bot plays it."""
        deadline = self._deadline(self.clock, self.game.to_move)
        return deadline is not None and deadline <= now

    def snapshot(
        self, seat: int | None, since: int | None = None, now: float = 0, *, brief: bool = False
    ) -> Snapshot:
        """What a seat may know. The log contains only what is new after journal entry `since`."""
        game = self.game
        mine = seat is not None and game.to_move == seat
        first = 0 if since is None else self.log_from(since)
        undoable = [] if seat is None else self._undoable(seat)
        return Snapshot(
            seq=self.seq,
            you=seat,
            view=None if brief and not (mine or game.outcome) else game.view(seat),
            legal=offers(game, self.legal_moves) if mine else [],
            log_from=first,
            log=self.rows(first),
            setup=known_events(game.setup_events) if since is None else None,
            clocks=self._clocks(now),
            undo_to=undoable[0] if undoable else None,
            max_bids={
                label(max_bid.card): max_bid.limit
                for max_bid in self.max_bids.values()
                if max_bid.seat == seat and max_bid.round == game.state.round
            },
        )

    def record(self, game: Game | None = None) -> Record:
        """The record of the game, or of the game so far or after a move, and which bots play."""
        bots = {
            at: seat.bot for at, seat in enumerate(self.seats) if seat.kind == "bot" and seat.bot
        }
        return replace((game or self.game).record(), bots=bots)

    def rows(self, first: int = 0) -> list[LogRow]:
        """The log from a move on."""
        log: list[Row] = self.game.log[first:]
        return [log_row(row, by) for row, by in zip(log, self.bys[first:], strict=True)]

    def log_from(self, since: int) -> int:
        """How many rows of the log are unchanged since the journal had `since` entries."""
        return min(self.lengths[since:])

    def _clocks(self, now: float) -> Clocks | None:
        if self.pace.kind == "none":
            return None
        running = None if self.bot_to_move is not None else self.game.to_move
        away = self._away(running)
        stands = clocks.holiday_at(away, now) is not None
        return Clocks(clocks.left(self.clock, running, now, away), None if stands else running)


def _play(game: Game, move: Move | str, at: float, by: DecidedBy) -> Entry:
    turned = turned_tokens(game.play(move))
    row = game.log[-1]
    return Entry(row.seat, str(row.move), at, by, turned, game.rules.top(game.state))


def _replay(game: Game, entry: Entry) -> Entry:
    try:
        return _play(game, entry.text, entry.at, entry.by)
    except (IllegalMove, MoveSyntaxError) as error:
        raise RecordError(f"{entry.text!r}: {error}") from None


def _verify(entry: Entry, played: Entry) -> None:
    """Check a journal entry against the same move as played."""
    for field in ("seat", "turned", "top"):  # the text may have been spelled differently
        recorded, found = getattr(entry, field), getattr(played, field)
        if recorded != found:
            raise RecordError(f"{entry.text!r}: {field} is {found!r}, not {recorded!r}")


def _undo_target(entry: Entry) -> int | None:
    """The number of moves that an undo leaves; None for a move."""
    return int(entry.text.removeprefix(UNDO_PREFIX)) if entry.text.startswith(UNDO_PREFIX) else None


def remaining_moves(entries: Sequence[Entry], known: int) -> tuple[int, list[Entry]]:
    """How many known moves remain after these entries, and the moves that follow them."""
    moves: list[Entry] = []
    for entry in entries:
        back = _undo_target(entry)
        if back is None:
            moves.append(entry)
        else:
            del moves[max(0, back - known) :]
            known = min(known, back)
    return known, moves
