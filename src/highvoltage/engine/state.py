"""The state of a game: a plain value that can copy itself.

It has no log, no random generator and no names: those belong to `Game`. `rules` and `chance` never
change and are shared by all copies.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import IllegalMove
from highvoltage.engine.events import Event

if TYPE_CHECKING:
    from highvoltage.engine.outcome import Outcome
    from highvoltage.engine.ruleset import Ruleset


class Player:
    """What one seat owns. Tuples are replaced, never changed, so a copy may share them."""

    __slots__ = ("cards", "money")

    def __init__(self, money: int) -> None:
        self.money: int = money
        self.cards: tuple[int, ...] = ()  # by number

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        return new


class Terms:
    """What is fixed before a game and never changes in it.

    The numbers of a rulebook for a player count, a map and options: all that its phases need. A
    state refers to it as `rules`.
    """

    name: ClassVar[str]  # of the rulebook
    cites: ClassVar[dict[str, str]]  # the rule behind each refusal
    last_card: ClassVar[str] = "step3"  # the card that changes the game, and its shuffle

    ruleset: "Ruleset"
    version: int  # of the rules as played; a record names it
    players: int
    options: dict[str, Any]
    phase_names: tuple[str, ...]
    asks_everybody = False  # ask even those who cannot pay, so that skipping reveals no money

    def refuse(self, code: str, **values: object) -> IllegalMove:
        return IllegalMove(code, self.cites[code], values, self.name)


class State:
    """The fields of all rulebooks; a rulebook adds its own and copies them."""

    __slots__ = (
        "actor",
        "chance",
        "events",
        "order",
        "outcome",
        "phase",
        "players",
        "round",
        "rules",
        "turn",
    )

    players: Sequence[Player]  # of the rulebook's own kind
    rules: Terms
    events: list[Event]  # of the latest move

    def __init__(
        self,
        rules: Terms,
        chance: Chance,
        players: Sequence[Player],
        order: tuple[int, ...],
    ) -> None:
        self.rules = rules
        self.chance: Chance = chance
        self.players = players
        self.order: tuple[int, ...] = order
        self.round: int = 1
        self.phase: int = 0  # index into the phases of the rulebook
        self.turn: int = 0  # how many have had their turn in this phase
        self.actor: int | None = None
        self.outcome: Outcome | None = None
        self.events = []

    @property
    def phase_name(self) -> str:
        return self.rules.phase_names[self.phase]

    def copy(self) -> Self:
        new = type(self).__new__(type(self))
        new.rules = self.rules
        new.chance = self.chance
        new.players = [player.copy() for player in self.players]
        new.order = self.order
        new.round = self.round
        new.phase = self.phase
        new.turn = self.turn
        new.actor = self.actor
        new.outcome = self.outcome
        new.events = []
        return new
