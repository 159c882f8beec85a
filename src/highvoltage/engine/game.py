"""One game: the state and the moves that led to it. Rules live in the rulebook, not here."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self, TypeGuard

import msgspec

from highvoltage.engine.chance import Chance, Scripted
from highvoltage.engine.errors import (
    ChanceError,
    HighVoltageError,
    MoveSyntaxError,
    OptionError,
    RecordError,
)
from highvoltage.engine.events import Event, SetupDraw
from highvoltage.engine.legal import Moves
from highvoltage.engine.log import Row
from highvoltage.engine.manual_chance import (
    ManualChance,
    card_tokens,
    mismatch_error,
    setup_error,
    with_implied,
)
from highvoltage.engine.moves import Move, Span, parse_move
from highvoltage.engine.outcome import Outcome
from highvoltage.engine.record import Line, Record, RecordedChance, turned_tokens
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import State
from highvoltage.words import say

NAME = r"[^\s:,=|](?: ?[^\s:,=|]){0,39}"
SNAPSHOT_INTERVAL = 16
"""How many moves lie between cached positions; undo replays from one of them."""


def setup_draws(events: Iterable[Event]) -> dict[str, tuple[int | str, ...]]:
    """What was drawn at set-up, by event name."""
    return {event.what: event.items for event in events if isinstance(event, SetupDraw)}


def copy_with_events(s: State) -> State:
    """A copy of a state, with the events that led to it."""
    new = s.copy()
    new.events = s.events
    return new


class HasMove(Protocol):
    """A bot's choice, which holds a move."""

    @property
    def move(self) -> Move: ...


def check_names(names: Sequence[object]) -> None:
    """Refuse names that a record could not hold: names must differ and be plain words."""
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise OptionError(say("terminal_no_name", name=name))
    if len(set(names)) < len(names):
        raise OptionError(say("terminal_same_name", names=", ".join(map(str, names))))


class Game:
    """A game in progress. Make one with `highvoltage.new`.

    >>> import highvoltage as hv
    >>> game = hv.new("classic", players=["Ann", "Bob"], seed=1)
    >>> game.names[game.to_move], game.phase, game.legal_moves.choices[0]
    ('Ann', 'auction', Nominate(card=3, bid=3))
    >>> game.play("nominate 3 @3")
    ()
    >>> [row.move for row in game.log], game.names[game.to_move]
    ([Nominate(card=3, bid=3)], 'Bob')

    A copy is independent, and an illegal move changes nothing.

    >>> other = game.copy()
    >>> len(other.play("pass")), len(other.log), len(game.log)
    (2, 2, 1)
    >>> game.check("bid 2")
    Traceback (most recent call last):
    highvoltage.engine.errors.IllegalMove: The next bid is at least 4. (C-4.4.1)
    >>> game.undo()
    Nominate(card=3, bid=3)

    Cached positions and record lines are stored with the log row they belong to, and are valid only
    while the log still has that row at that index.
    """

    __slots__ = ("_cached", "_lines", "_listed", "_start", "log", "names", "rules", "state")

    def __init__(self, rules: Rulebook[State], chance: Chance, names: Sequence[str]) -> None:
        self.rules: Rulebook[State] = rules
        self.names: tuple[str, ...] = tuple(names)
        check_names(self.names)
        if isinstance(chance, Scripted):
            chance.expect(rules.chance_events, rules.name)
        if isinstance(chance, ManualChance) and (
            error := setup_error(chance, rules.setup_draws, self._setup_results)
        ):
            raise error
        self.state: State = rules.start(chance)
        self._start = copy_with_events(self.state)
        self.log: list[Row] = []
        self._cached: dict[int, tuple[Row, State]] = {}  # by the number of moves; copies share it
        self._lines: tuple[Row | None, tuple[Line, ...]] = None, ()  # up to a row
        # What was listed for a state after so many moves.
        self._listed: tuple[State, int, tuple[Move, ...], tuple[Span, ...]] | None = None

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""
        return self.state.actor

    @property
    def phase(self) -> str:
        """The name of the current phase, such as `auction`."""
        return self.rules.phases[self.state.phase].name

    @property
    def legal_moves(self) -> Moves:
        """What the seat to move may do."""
        s = self.state
        if s.actor is None:
            return Moves(())
        moves = self.rules.phases[s.phase].legal(s, s.actor)
        self._listed = s, len(self.log), moves.plain, moves.spans
        return moves

    def _is_listed(self, move: object) -> TypeGuard[Move]:
        """Whether this very move was listed in this position: it need not be checked again."""
        if self._listed is None:
            return False
        state, seq, plain, spans = self._listed
        if state is not self.state or seq != len(self.log):
            return False
        for each in plain:  # half the time of any()
            if each is move:
                return True
        for span in spans:  # noqa: SIM110
            if span.lowest is move:
                return True
        return False

    def cost(self, move: Move) -> int | None:
        """What a legal move costs the seat to move; None if the move has no price."""
        s = self.state
        return None if s.actor is None else self.rules.cost(s, s.actor, move)

    @property
    def setup_events(self) -> tuple[Event, ...]:
        """What was drawn and turned up before the first move."""
        return tuple(self._start.events)

    def parse(self, text: str) -> Move:
        """The move written in a text; MoveSyntaxError if there is none."""
        return self.rules.resolve_move(self.state, parse_move(text, self.rules.moves))

    def _read(self, move: object) -> Move:
        if isinstance(move, str):
            return self.parse(move)
        if isinstance(chosen := getattr(move, "move", move), Move):  # a bot's choice holds one
            return chosen
        raise MoveSyntaxError(f"A move is a text, a Move or what a bot has chosen, not {move!r}.")

    def check(self, move: Move | HasMove | str, *, seat: int | None = None) -> Move:
        """Return the move if it is legal now, and for this seat; else raise IllegalMove."""
        return self._check(move, seat)

    def _check(self, move: Any, seat: object) -> Move:
        parsed: Move = move if type(move) in self.rules.kinds else self._read(move)
        s = self.state
        if s.actor is None:
            raise self.rules.refuse("game_over")
        if seat is not None and (asked := self._seat(seat)) != s.actor:
            names = {"name": self.names[s.actor], "other": self.names[asked]}
            raise self.rules.refuse("not_your_turn", **names)
        self.rules.phases[s.phase].check(s, s.actor, parsed)
        return parsed

    def play(
        self,
        move: Move | HasMove | str,
        *,
        seat: int | None = None,
        turned: Iterable[int | str] | None = None,
        top: str = "",
    ) -> tuple[Event, ...]:
        """Play a move, its text or a bot's choice, and return the events.

        With `seat`, the move is refused unless this seat is to move. At a real table, where chance
        is `ManualChance`, `turned` lists the cards that the move turned up, and `top` is the back
        of the card now on top of the deck.

        >>> import highvoltage as hv
        >>> game = hv.new("classic", players=2, seed=1)
        >>> game.play("nominate 3 @3", seat=0)
        ()
        >>> [event.what for event in game.play("pass")]
        ['sold', 'turned']
        """
        if seat is not None or not self._is_listed(move):
            move = self._check(move, seat)
        s, rules = self.state, self.rules
        seat = s.actor
        assert seat is not None  # `check` refuses when nobody is to move
        if turned is not None or isinstance(s.chance, ManualChance):
            return self._play_reported(seat, move, card_tokens(turned or ()), top)
        round_, phase = s.round, rules.phase_names[s.phase]
        try:
            rules.play(s, seat, move)
        except HighVoltageError:  # chance has no answer
            self.state = self.state_after(len(self.log))
            raise
        events = tuple(s.events)
        self.log.append(Row(round_, phase, seat, move, events))
        return events

    def _play_reported(
        self, seat: int, move: Move, reported: list[str], top: str
    ) -> tuple[Event, ...]:
        """Redeal the unseen cards until the move turns up the reported ones."""
        chance, last_card = self.state.chance, self.rules.last_card
        if not isinstance(chance, RecordedChance):
            raise ChanceError(
                "Cards can only be entered in a game with manual chance: chance=ManualChance(…)."
            )
        known = [*turned_tokens(self.setup_events), *(t for row in self.log for t in row.turned)]
        start, then = self._start, self.state.copy()
        if reported or top:
            start, then = self._redeal(chance.with_turned([*known, *reported], top, self.rules))
        while True:
            self.rules.play(then, seat, move)
            found = turned_tokens(then.events)
            if found == tuple(reported):
                row = Row(self.state.round, self.phase, seat, move, tuple(then.events))
                self._start, self.state = start, then
                self._cached = {}  # cached from another deal
                self.log.append(row)
                return row.events
            completed = with_implied(reported, found, last_card)
            if completed == reported:
                raise mismatch_error(str(move), reported, found, last_card)
            reported = completed
            start, then = self._redeal(chance.with_turned([*known, *reported], top, self.rules))

    def _redeal(self, chance: Chance) -> tuple[State, State]:
        """The set-up and the position, with the unseen cards dealt by this chance."""
        start = self.rules.start(chance)
        return start, self._replayed(start)

    def _setup_results(self, chance: Chance) -> tuple[dict[str, object], tuple[str, ...]]:
        """What the set-up draws and turns up with this chance."""
        events = self.rules.start(chance).events
        return {**setup_draws(events)}, turned_tokens(events)

    def undo(self) -> Move:
        """Take the latest move back."""
        if not self.log:
            raise IndexError("no move to take back")
        undone = self.log.pop()
        self.state = self.state_after(len(self.log))
        return undone.move

    def state_after(self, moves: int) -> State:
        """The state after this many moves of the log."""
        at = moves - moves % SNAPSHOT_INTERVAL
        while at and not self._has_cached(at):
            at -= SNAPSHOT_INTERVAL
        state = copy_with_events(self._cached[at][1] if at else self._start)
        for number, row in enumerate(self.log[at:moves], at + 1):
            self.rules.play(state, row.seat, row.move)
            if number % SNAPSHOT_INTERVAL == 0:
                self._cached[number] = row, copy_with_events(state)
        return state

    def _has_cached(self, moves: int) -> bool:
        return moves in self._cached and self._cached[moves][0] is self.log[moves - 1]

    def apply_log(self, log: Sequence[Row]) -> None:
        """Replay an already verified log of another game from the set-up of this one."""
        self.log = [*log]
        self.state = self._replayed(self._start)

    def _replayed(self, start: State) -> State:
        state = copy_with_events(start)
        for row in self.log:
            self.rules.play(state, row.seat, row.move)
        return state

    def after(self, moves: int) -> Self:
        """The game as it was after this many moves of the log."""
        if not 0 <= moves <= len(self.log):
            raise IndexError(f"there are 0 to {len(self.log)} moves to go back to, not {moves}")
        then = self.copy()
        then.state = self.state_after(moves)
        then.log = self.log[:moves]
        return then

    def view(self, seat: int | None = None, *, history: bool = False) -> dict[str, Any]:
        """What a seat may know, as plain data; None is a spectator.

        With `history` the view includes the record of the game: a bot that searches needs it to
        sample worlds consistent with what it has seen (`highvoltage.resample`).

        >>> import highvoltage as hv
        >>> game = hv.new("classic", players=2, seed=1, money="hidden")
        >>> [player["money"] for player in game.view(0)["players"]]
        [50, None]
        """
        view = self.rules.view(self.state, None if seat is None else self._seat(seat))
        view["seq"] = len(self.log)
        view["names"] = list(self.names)
        if history:
            view["record"] = msgspec.to_builtins(self.record())
        return view

    def lazy_view(self, seat: int) -> dict[str, Any]:
        """The view of a seat for a reader that neither changes it nor keeps it after the next move.

        Only what is read is computed, so a bot that reads little decides in half the time.
        """
        return self.rules.lazy_view(self.state, self._seat(seat))

    def _seat(self, seat: object) -> int:
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise TypeError(f"a seat is a number, not {seat!r}: {self._seats}")
        if not 0 <= seat < len(self.names):
            raise IndexError(f"there is no seat {seat}: {self._seats}")
        return seat

    @property
    def _seats(self) -> str:
        return f"seats are 0 to {len(self.names) - 1}"

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        return self.state.outcome

    def copy(self) -> Self:
        """An independent game at the same point."""
        new: Self = type(self).__new__(type(self))
        new.rules = self.rules
        new.names = self.names
        new.state = self.state.copy()
        new._start = self._start
        new.log = self.log[:]
        new._cached = self._cached
        new._lines = self._lines
        new._listed = None
        return new

    def branch(self, moves: int | None = None) -> Self:
        """The position, now or after this many moves, as a game with an empty log.

        The branch starts from this game's state, so leave this game unchanged while it is in use.
        """
        new: Self = type(self).__new__(type(self))
        new.rules = self.rules
        new.names = self.names
        new._start = self.state if moves is None else self.state_after(moves)
        new.state = new._start.copy()
        new.log = []
        new._cached = {}
        new._lines = None, ()
        new._listed = None
        return new

    def record(self) -> Record:
        """The game so far: `str()` gives the text, `.json()` the JSON.

        >>> import highvoltage as hv
        >>> print(str(hv.new("cardgame", players=["Ann", "Bob"], seed=1).record())[:62])
        High Voltage record 1
        rulebook: cardgame 2
        player: Ann
        player:
        """
        setup = self.setup_events
        over = self.outcome
        return Record(
            rulebook=self.rules.name,
            version=self.rules.version,
            names=self.names,
            options=self.rules.recorded_options(),
            drawn=setup_draws(setup),
            turned=turned_tokens(setup),
            moves=self._record_lines(),
            top=self.rules.top(self.state),
            result=over.ranking if over else (),
            scores=over.scores if over else (),
        )

    def _record_lines(self) -> tuple[Line, ...]:
        """The lines of the log; those of earlier rows are cached."""
        last, lines = self._lines
        if len(lines) > len(self.log) or (lines and self.log[len(lines) - 1] is not last):
            lines = ()
        lines += tuple([row.line for row in self.log[len(lines) :]])
        self._lines = self.log[-1] if self.log else None, lines
        return lines

    def follow_record(self, record: Record, lines: Sequence[int]) -> None:
        """Play the moves of a record and check each against what it recorded."""
        try:
            self._follow_all(record, lines)
        except RecordError as error:
            error.game = self
            raise

    def _follow_all(self, record: Record, lines: Sequence[int]) -> None:
        if turned_tokens(self.setup_events) != record.turned:
            raise RecordError(
                f"at set-up {' '.join(turned_tokens(self.setup_events))} is turned up"
            )
        for number, (line, at) in enumerate(zip(record.moves, lines, strict=True), 1):
            try:
                self._follow(line)
            except HighVoltageError as error:
                reason = error.reason if isinstance(error, RecordError) else str(error)
                raise RecordError(f"move {number}, {line.move!r}: {reason}", at or None) from None
        top = self.rules.top(self.state)
        if record.top != top:
            raise RecordError(f"the deck shows '{top}' on top, not '{record.top}'")
        if record.result != (self.outcome.ranking if self.outcome else ()):
            raise RecordError("the result is not the one that these moves lead to")
        if record.scores != (self.outcome.scores if self.outcome else ()):
            raise RecordError("the scores are not those that these moves lead to")

    def _follow(self, line: Line) -> None:
        if self.to_move is None:
            raise RecordError("the game was over before")
        if (line.round, line.phase, line.seat) != (self.state.round, self.phase, self.to_move):
            name = self.names[self.to_move]
            raise RecordError(f"it is {name}'s move, round {self.state.round}, {self.phase}")
        turned = turned_tokens(self.play(line.move))
        if turned != line.turned:
            self.undo()
            ours, theirs = (" ".join(cards) or "nothing" for cards in (turned, line.turned))
            raise RecordError(f"turns up {theirs} by the record, {ours} by the rules")
