"""The state of a game: a plain value that knows how to copy itself.

No log, no generator, no names: those belong to the game around it. `rules` and `chance` never
change and are shared by all copies.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from msgspec import Struct

from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import IllegalMove
from highvoltage.engine.events import Event


class Outcome(Struct, frozen=True):
    """How a game ended. `ranking` lists the places, best first; seats that tie share a place.

    >>> Outcome("cities", ranking=((2,), (0, 1)), scores=({"cities": 9},) * 3).winners
    (2,)
    """

    reason: str
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[dict[str, int], ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return self.ranking[0]


def rank(scores: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Seats by score, best first; equal scores share a place.

    >>> rank([(15, 9), (16, 31), (16, 20), (15, 9)])
    ((1,), (2,), (0, 3))
    """
    places = sorted(set(scores), reverse=True)
    return tuple(
        tuple(seat for seat, score in enumerate(scores) if score == place) for place in places
    )


class Player:
    """What one seat owns. Tuples are replaced, never changed, so a copy may share them."""

    __slots__ = ("cards", "money")

    def __init__(self, money: int) -> None:
        self.money: int = money
        self.cards: tuple[int, ...] = ()  # by number

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        return new


class Terms:
    """What is settled before a game and never changes in it.

    A rulebook in its numbers, for so many players, a map and a choice of options: all that its
    phases need of it. Its state leads to it.
    """

    name: ClassVar[str]  # of the rulebook
    cites: ClassVar[dict[str, str]]  # the rule behind each refusal
    last_card: ClassVar[str] = "step3"  # the card that changes the game, and its shuffle

    version: int  # of the rules as played; a record names it
    players: int
    options: dict[str, Any]
    phase_names: tuple[str, ...]
    asks_everybody = False  # whoever cannot pay is asked too, lest the silence tell of a purse

    def refuse(self, code: str, **values: object) -> IllegalMove:
        return IllegalMove(code, self.cites[code], values)


class State:
    """What all rulebooks keep; a rulebook adds its own fields and copies them."""

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
    events: list[Event]  # what the latest move brought about

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
        new = object.__new__(type(self))
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
