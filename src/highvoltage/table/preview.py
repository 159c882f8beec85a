"""Previews of moves, played on a copy of the game.

A preview stops where chance or another player would decide, so it reveals nothing that the seat
could not work out alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NoReturn

from msgspec import Struct

from highvoltage import words
from highvoltage.engine.cards import label
from highvoltage.engine.errors import HighVoltageError, IllegalMove, MoveSyntaxError
from highvoltage.engine.events import Income, KnownEvent
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move
from highvoltage.engine.record import turned_tokens
from highvoltage.engine.state import State
from highvoltage.table.snapshot import Offer, known_events, offers

USUAL = "usual "
LOOK = "look"
MAX_USUAL = 20
"""More moves of one kind than any turn has."""
MAX_STEPS = 120
"""Moves, looks and usual moves in one question, more than any turn has."""
MAX_LOOKS = 10
"""An answer holds all legal moves for each."""
LOAN = 10_000
"""More money than any plan costs, for plans made ahead of time."""


class NeedsChance(HighVoltageError):
    """The previewed moves reached a random event."""


class LongPreview(HighVoltageError):
    """More was asked for than any turn has."""


class NoChance:
    """Replaces chance in a preview; raises NeedsChance."""

    def arrange(self, event: str, items: object, nth: int = 0) -> NoReturn:
        raise NeedsChance(event)

    def pick(self, event: str, choices: object, nth: int = 0) -> NoReturn:
        raise NeedsChance(event)


class PreviewedMove(Struct, frozen=True, omit_defaults=True):
    """A move, its cost, and its events."""

    move: str
    cost: int | None = None
    events: tuple[KnownEvent, ...] = ()


class Refusal(Struct, frozen=True):
    """Why a move is refused; `rule` is null if the text is not a move at all."""

    move: str
    code: str
    rule: str | None
    message: str
    values: dict[str, Any]


class Preview(Struct, frozen=True):
    """The result of previewed moves. docs/protocol.md explains the fields."""

    seq: int
    moves: list[PreviewedMove]
    cost: int
    earns: int | None
    idle: list[str]
    view: dict[str, Any]
    legal: list[Offer]
    looks: list[list[Offer]]
    stop: Literal["turn", "chance"] | None
    refused: Refusal | None


def preview_moves(
    game: Game, seq: int, texts: Sequence[str], ahead: State | None = None
) -> Preview:
    """What the seat to move would see after these moves.

    With `ahead`, the seat to move in that position, with enough money for any plan.

    >>> import highvoltage as hv
    >>> game = hv.new("classic", players=3, seed=1)
    >>> preview = preview_moves(game, 0, ["nominate 4 @4"])
    >>> preview.stop, preview.view["auction"]["bid"], game.view()["auction"]["bid"]
    ('turn', 4, 0)
    """
    plan = _Plan(game, ahead)
    refused = None
    for text in texts:
        if plan.stop:
            break
        try:
            plan.follow(text)
        except MoveSyntaxError as error:
            refused = Refusal(text, "not_a_move", None, str(error), {})
        except IllegalMove as error:
            refused = Refusal(text, error.code, error.rule, str(error), error.values)
        except LongPreview as error:
            refused = Refusal(text, "long_preview", None, str(error), {})
        if refused:
            break
    if ahead is not None:
        plan.game.state.players[plan.seat].money -= LOAN
    return Preview(
        seq=seq,
        moves=plan.moves,
        cost=sum(move.cost or 0 for move in plan.moves),
        earns=plan.earns,
        idle=[] if plan.stop else plan.idle,
        view=plan.game.view(plan.seat),
        legal=[] if plan.stop or ahead is not None else offers(plan.game),
        looks=plan.looks,
        stop=plan.stop,
        refused=refused,
    )


class _Plan:
    """Moves played one after the other on a copy, and their results."""

    def __init__(self, game: Game, ahead: State | None) -> None:
        self.game = game.branch()
        if ahead is not None:
            self.game.state = ahead.copy()
        self.game.state.chance = NoChance()
        assert self.game.to_move is not None
        self.seat = self.game.to_move
        if ahead is not None:
            self.game.state.players[self.seat].money += LOAN
        self.moves: list[PreviewedMove] = []
        self.looks: list[list[Offer]] = []
        self.stop: Literal["turn", "chance"] | None = None
        self._steps = 0

    def follow(self, text: str) -> None:
        self._count_step()
        if text == LOOK:
            if len(self.looks) == MAX_LOOKS:
                raise _long_preview()
            self.looks.append(offers(self.game))
        elif text.startswith(USUAL):
            for move in self._usual(text.removeprefix(USUAL)):
                self._count_step()
                self._make(move)
        else:
            self._make(self.game.check(text))

    def _count_step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise _long_preview()

    def _usual(self, verb: str) -> Iterator[Move]:
        for _ in range(MAX_USUAL):
            move = self.game.rules.usual(self.game.state, self.seat, verb)
            if move is None or self.stop:
                return
            yield move

    def _make(self, move: Move) -> None:
        """Play only the move, without what follows automatically after the turn."""
        before = self.game.state
        phase = self.game.rules.phases[before.phase]
        cost = self.game.cost(move)
        after = before.copy()
        try:
            phase.apply(after, self.seat, move)
            hidden = bool(turned_tokens(after.events))
        except NeedsChance:
            hidden = True
        self.moves.append(
            PreviewedMove(str(move), cost, () if hidden else known_events(tuple(after.events)))
        )
        if hidden:
            unturned = phase.apply_unturned(before, self.seat, move)
            if unturned is None:
                self.stop = "chance"
                return
            after = unturned
        self.game.state = after
        if phase.actor(after) != self.seat:
            self.stop = "turn"

    @property
    def idle(self) -> list[str]:
        return list(map(label, self.game.rules.idle_plants(self.game.state, self.seat)))

    @property
    def earns(self) -> int | None:
        """The income of the moves, or else the income if the plants ran."""
        paid = [
            event.amount
            for move in self.moves
            for event in move.events
            if isinstance(event, Income) and event.seat == self.seat
        ]
        return sum(paid) if paid else self.game.rules.run_income(self.game.state, self.seat)


def _long_preview() -> LongPreview:
    return LongPreview(words.sentence("refused_long_preview", "long_preview", {}))
