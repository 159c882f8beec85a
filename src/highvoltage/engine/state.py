"""The state of a game: a plain value that knows how to copy itself.

No log, no generator, no names: those belong to the game around it. `rules` and `chance` never
change and are shared by all copies.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.market import CardMarket

if TYPE_CHECKING:
    from highvoltage.engine.rulebook import Rulebook


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened because of a move; cards that were turned up above all."""

    what: str
    seat: int | None = None
    card: int | None = None
    amount: int | None = None
    items: tuple[int | str, ...] = ()


class Outcome(Struct, frozen=True):
    """How a game ended. `ranking` lists the places, best first; seats that tie share a place."""

    reason: str
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[dict[str, int], ...]

    @property
    def winners(self) -> tuple[int, ...]:
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
        self.money = money
        self.cards: tuple[int, ...] = ()  # by number

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.money = self.money
        new.cards = self.cards
        return new


class Bidding:
    """The auctions of one round."""

    __slots__ = (
        "bid",
        "card",
        "demolished",
        "eligible",
        "leader",
        "ring",
        "scrapping",
        "sold",
        "third_done",
    )

    def __init__(self) -> None:
        self.eligible: tuple[int, ...] = ()  # in turn order: may still buy
        self.card: int | None = None  # under the hammer
        self.bid = 0
        self.leader = -1
        self.ring: tuple[int, ...] = ()  # still bidding, clockwise, next to act first
        self.scrapping: int | None = None  # the seat that has a plant too many
        self.sold = 0
        self.demolished = False  # somebody has been paid for a plant given up, D-2.2
        self.third_done = False  # the third party has had its turn

    def copy(self) -> "Bidding":
        new = object.__new__(Bidding)
        new.eligible = self.eligible
        new.card = self.card
        new.bid = self.bid
        new.leader = self.leader
        new.ring = self.ring
        new.scrapping = self.scrapping
        new.sold = self.sold
        new.demolished = self.demolished
        new.third_done = self.third_done
        return new


class State:
    """What all rulebooks keep; a rulebook adds its own fields and copies them."""

    __slots__ = (
        "actor",
        "bidding",
        "chance",
        "demolition",
        "events",
        "market",
        "order",
        "outcome",
        "phase",
        "players",
        "round",
        "rules",
        "step",
        "turn",
    )

    players: Sequence[Player]  # of the rulebook's own kind
    rules: "Rulebook"

    def __init__(
        self,
        rules: "Rulebook",
        chance: Chance,
        players: Sequence[Player],
        order: tuple[int, ...],
        market: CardMarket,
    ) -> None:
        self.rules = rules
        self.chance = chance
        self.players = players
        self.order = order
        self.market = market
        self.bidding = Bidding()
        self.round = 1
        self.phase = 0  # index into rules.phases
        self.turn = 0  # how many have had their turn in this phase
        self.step = 1
        self.demolition = 0  # cards that have left the stack of that expansion
        self.actor: int | None = None
        self.outcome: Outcome | None = None
        self.events: list[Event] = []  # what the latest move brought about

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.rules = self.rules
        new.chance = self.chance
        new.players = [player.copy() for player in self.players]
        new.order = self.order
        new.market = self.market.copy()
        new.bidding = self.bidding.copy()
        new.round = self.round
        new.phase = self.phase
        new.turn = self.turn
        new.step = self.step
        new.demolition = self.demolition
        new.actor = self.actor
        new.outcome = self.outcome
        new.events = []
        return new
