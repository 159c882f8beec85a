"""The parts of a view that the families share."""

from typing import Any, NotRequired, TypedDict

View = dict[str, Any]
"""What a seat may know, as plain data. Its `family` determines its fields."""


class CommonView(TypedDict):
    """The fields of every view. `names` are the players' names, `seq` counts the moves.

    A view with history, for bots that sample worlds, also has the `record` of the game.
    """

    rulebook: str
    seat: int | None
    round: int
    phase: str
    to_move: int | None
    order: list[int]
    outcome: "OutcomeView | None"
    seq: int
    names: list[str]


class PlainView(CommonView):
    """A view of any family, known or not."""

    family: str


class OutcomeView(TypedDict):
    """How the game ended: the places, best first, and the scores of each seat."""

    reason: str
    ranking: list[list[int]]
    scores: list[dict[str, int]]
    unfuelled: NotRequired[list[int]]
    """By how much the first score of each seat would be higher with fuel for all its plants."""


class AuctionView(TypedDict):
    """The auctions of this round."""

    eligible: list[int]
    card: str | None
    bid: int
    leader: int | None
    bidders: list[int]
    scrapping: int | None
    sold: int


class DemolitionView(TypedDict):
    """The stack of the expansion, top card first: payments for the first scrapped plant and later.

    `paid`: the first payment of this round is taken; `reconstructed`: not the printed amounts.
    """

    stack: list[list[int]]
    paid: bool
    reconstructed: bool
